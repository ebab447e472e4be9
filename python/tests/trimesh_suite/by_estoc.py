"""A plugin of pytest that makes estoc the engine of trimesh before trimesh's tests are imported."""

import estoc.trimesh
import trimesh.proximity
from trimesh.ray import ray_triangle

estoc.trimesh.install()
# Tests that take a class by name take that of estoc too.
assert issubclass(ray_triangle.RayMeshIntersector, estoc.trimesh.RayMeshIntersector)
assert trimesh.proximity.ProximityQuery is estoc.trimesh.ProximityQuery
