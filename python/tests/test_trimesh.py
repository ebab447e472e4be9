"""trimesh's names."""

import copy
import pickle

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")
import estoc.trimesh
from conftest import some_rays


@pytest.fixture()
def mesh():
    mesh = trimesh.creation.icosphere(subdivisions=3)
    mesh.ray = estoc.trimesh.RayMeshIntersector(mesh)
    mesh.nearest = estoc.trimesh.ProximityQuery(mesh)
    return mesh


def test_rays(mesh):
    rays = some_rays(500).astype(float)
    origins, dirs = rays[:, :3], rays[:, 3:]
    first = mesh.ray.intersects_first(origins, dirs)
    np.testing.assert_array_equal(mesh.ray.intersects_any(origins, dirs), first >= 0)
    triangle, ray, point = mesh.ray.intersects_id(
        origins, dirs, multiple_hits=False, return_locations=True
    )
    np.testing.assert_array_equal(first[ray], triangle)
    np.testing.assert_allclose(
        np.cross(point - origins[ray], dirs[ray]), 0, atol=1e-5 * np.abs(dirs).max()
    )
    points, rays_hit, triangles = mesh.ray.intersects_location(origins, dirs)
    assert len(points) == len(rays_hit) == len(triangles) > len(triangle)
    assert len(mesh.ray.intersects_id(origins, dirs, max_hits=1)[0]) == len(triangle)
    with pytest.raises(ValueError, match="ray_origins"):
        mesh.ray.intersects_any(origins, dirs[:3])


def test_an_edge_is_one_surface(mesh):
    box = trimesh.creation.box()
    box.ray = estoc.trimesh.RayMeshIntersector(box)
    # Along the diagonals of two faces, which two triangles each share.
    assert len(box.ray.intersects_id([[0, 0, 5]], [[0, 0, -1]])[0]) == 2
    assert box.ray.contains_points([[0, 0, 0], [0, 0, 2]]).tolist() == [True, False]


def test_changes_of_the_mesh_are_noticed(mesh):
    assert mesh.ray.intersects_any([[5, 0, 5]], [[0, 0, -1]]).tolist() == [False]
    mesh.apply_translation([5, 0, 0])
    assert mesh.ray.intersects_any([[5, 0, 5]], [[0, 0, -1]]).tolist() == [True]


def test_far_from_the_origin(mesh):
    mesh.apply_translation([1e7, 0, 0])
    points, _, _ = mesh.ray.intersects_location([[1e7 + 0.25, 0.1, 5]], [[0, 0, -1]])
    np.testing.assert_allclose(points[0, :2], [1e7 + 0.25, 0.1], atol=1e-6)


def test_proximity(mesh):
    points = np.random.default_rng(2).normal(size=(300, 3))
    expected = trimesh.proximity.ProximityQuery(mesh)
    closest, distance, triangle = mesh.nearest.on_surface(points)
    np.testing.assert_allclose(distance, np.linalg.norm(points - closest, axis=1))
    signed = mesh.nearest.signed_distance(points)
    np.testing.assert_allclose(np.abs(signed), distance)
    np.testing.assert_array_equal(signed > 0, mesh.ray.contains_points(points))
    try:
        theirs = expected.on_surface(points)
    except ImportError:
        return  # trimesh's own needs rtree
    np.testing.assert_allclose(closest, theirs[0], atol=1e-9)
    np.testing.assert_allclose(distance, theirs[1], atol=1e-9)
    # Of triangles that share the closest edge or vertex, trimesh looks at two: ours is the one of all that
    # faces the point most.
    facing = [
        np.einsum("ij,ij->i", mesh.face_normals[ids], points - closest) for ids in (triangle, theirs[2])
    ]
    assert (facing[0] >= facing[1] - 1e-9).all()
    assert (triangle == theirs[2]).mean() > 0.8


def test_open_meshes(mesh):
    upper = mesh.faces[mesh.triangles_center[:, 2] > 0]
    half = trimesh.Trimesh(mesh.vertices, upper, process=False)
    half.ray = estoc.trimesh.RayMeshIntersector(half)
    assert half.ray.contains_points([[0, 0, 5.0], [0, 0, 0.5]]).tolist() == [False, False]


def test_copies(mesh):
    ray = [[0, 0, 5.0]], [[0, 0, -1.0]]
    for again in (copy.copy(mesh.ray), copy.deepcopy(mesh.ray), pickle.loads(pickle.dumps(mesh.ray))):
        assert again.intersects_first(*ray) == mesh.ray.intersects_first(*ray)


def test_install():
    before = type(trimesh.creation.box().ray), type(trimesh.creation.box().nearest)
    estoc.trimesh.install()
    try:
        box = trimesh.creation.box()
        assert isinstance(box.ray, estoc.trimesh.RayMeshIntersector)
        assert isinstance(box.nearest, estoc.trimesh.ProximityQuery)
        assert box.contains([[0, 0, 0]]).tolist() == [True]
    finally:
        estoc.trimesh.uninstall()
    assert (type(trimesh.creation.box().ray), type(trimesh.creation.box().nearest)) == before


def test_conversion(mesh):
    ours = estoc.from_trimesh(mesh)
    np.testing.assert_array_equal(ours.faces, mesh.faces)
    np.testing.assert_array_equal(ours.vertices, mesh.vertices.astype(np.float32))
    with pytest.raises(TypeError, match="trimesh.Trimesh"):
        estoc.from_trimesh(3)
