"""Exact and fast ray queries on triangle meshes.

>>> import estoc, numpy as np
>>> mesh = estoc.Mesh(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=np.float32), [[0, 1, 2]])
>>> bvh = estoc.Bvh(mesh)
>>> hits = bvh.closest_hit([[0.25, 0.25, 1.0, 0.0, 0.0, -1.0]])
>>> hits.t, hits.prim
(array([1.], dtype=float32), array([0]))
"""

from ._bvh import Bvh
from ._convert import from_meshio, from_open3d, from_pyvista, from_trimesh
from ._errors import (
    BuildError,
    Error,
    FileError,
    MeshError,
    PictureError,
    QueryError,
    SceneError,
    SurfaceError,
    TreeFileError,
)
from ._estoc import __version__
from ._mesh import Mesh
from ._picture import write_png
from ._results import (
    ClosestPoints,
    HitLists,
    Hits,
    Intersections,
    LeastDistance,
    PrimLists,
    SceneClosestPoints,
    SceneHitLists,
    SceneHits,
    ScenePrimLists,
    Section,
    SpawnedRays,
    SphereContacts,
    SurfaceCheck,
    WindingEstimates,
    WindingNumbers,
)
from ._scene import Scene

__all__ = [
    "BuildError",
    "Bvh",
    "ClosestPoints",
    "Error",
    "FileError",
    "HitLists",
    "Hits",
    "Intersections",
    "LeastDistance",
    "Mesh",
    "MeshError",
    "PictureError",
    "PrimLists",
    "QueryError",
    "Scene",
    "SceneClosestPoints",
    "SceneError",
    "SceneHitLists",
    "SceneHits",
    "ScenePrimLists",
    "Section",
    "SpawnedRays",
    "SphereContacts",
    "SurfaceCheck",
    "SurfaceError",
    "TreeFileError",
    "WindingEstimates",
    "WindingNumbers",
    "__version__",
    "from_meshio",
    "from_open3d",
    "from_pyvista",
    "from_trimesh",
    "write_png",
]

for _class in (BuildError, Error, FileError, MeshError, PictureError, QueryError,
               SceneError, SurfaceError, TreeFileError):
    _class.__module__ = "estoc"
del _class
