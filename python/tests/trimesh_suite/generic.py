"""What trimesh's tests of rays and points import, for its sdist, which has the tests but neither this module
nor the models.

Models that are simple shapes are made here, from what their names and the tests say of them. A test that needs
another is skipped; ``test_trimesh_models.py`` has cases of our own in their place.
"""

import logging
import time
import unittest
from collections import deque

import numpy as np
import pytest
import trimesh
from trimesh import Trimesh, transformations
from trimesh.constants import tol

try:
    from shapely.geometry import Point, Polygon
except ImportError:
    pass

__all__ = ["Point", "Polygon", "Trimesh", "data", "deque", "get_mesh", "get_meshes", "log", "np", "random",
           "time", "tol", "transforms", "trimesh", "unittest"]

log = logging.getLogger("trimesh")
transforms = np.array(
    [transformations.euler_matrix(0.8, angle, 0.1) for angle in np.linspace(0.0, 6.0, 40)]
)

_shapes = {
    "unit_cube.STL": lambda: trimesh.creation.box(),
    "unit_sphere.STL": lambda: trimesh.creation.icosphere(subdivisions=3, radius=0.5),
}


def get_mesh(name, *, use_embree=True):
    """Returns a model."""
    if name not in _shapes:
        pytest.skip(f"the model {name} is not in trimesh's sdist")
    made = _shapes[name]()
    return Trimesh(made.vertices, made.faces, use_embree=use_embree)


def get_meshes(count, **_):
    """Returns some closed meshes."""
    return [trimesh.creation.box(), trimesh.creation.annulus(1.0, 2.0, 1.0)][:count]


def random(shape):
    """Returns the same numbers in each run."""
    return np.random.default_rng(1).random(shape)


class _Data(dict):
    def __missing__(self, name):
        pytest.skip(f"the data {name} are not in trimesh's sdist")


data = _Data()
