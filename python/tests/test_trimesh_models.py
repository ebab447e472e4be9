"""Cases of trimesh's tests that need its models, on meshes that are made here."""

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")
import estoc.trimesh


def by_estoc(mesh):
    mesh.ray = estoc.trimesh.RayMeshIntersector(mesh)
    mesh.nearest = estoc.trimesh.ProximityQuery(mesh)
    return mesh


def bracket():
    """A plate with a round hole: a part with curved and flat faces, long thin triangles among them."""
    return by_estoc(trimesh.creation.annulus(r_min=0.3, r_max=1.0, height=0.25, sections=48))


def test_copies_of_a_mesh_agree():
    """As the data of trimesh's ``test_rays``: meshes of one shape in several files answer alike."""
    mesh = bracket()
    soup = by_estoc(trimesh.Trimesh(
        mesh.triangles.reshape(-1, 3), np.arange(3 * len(mesh.faces)).reshape(-1, 3), process=False
    ))
    reordered = by_estoc(trimesh.Trimesh(mesh.vertices, mesh.faces[::-1], process=False))
    turned = by_estoc(trimesh.Trimesh(mesh.vertices, mesh.faces[:, ::-1], process=False))
    rng = np.random.default_rng(7)
    origins = rng.normal(size=(500, 3)) * 2
    rays = origins, rng.normal(size=(500, 3)) * 0.5 - origins
    hit = mesh.ray.intersects_any(*rays)
    assert 50 < hit.sum() < 490
    np.testing.assert_array_equal(turned.ray.intersects_any(*rays), hit)
    first = mesh.ray.intersects_first(*rays)
    np.testing.assert_array_equal(turned.ray.intersects_first(*rays), first)
    for other in (soup, reordered):
        np.testing.assert_array_equal(other.ray.intersects_any(*rays), hit)
        np.testing.assert_array_equal(
            other.ray.intersects_location(*rays)[0], mesh.ray.intersects_location(*rays)[0]
        )


def test_points_on_and_below_an_edge():
    """As ``test_on_edge``: points straight below edges and vertices of a cube that is not at the origin."""
    cube = trimesh.creation.box(extents=[7, 7, 7])
    cube.apply_translation([1.0, 0, -1.5])
    by_estoc(cube)
    points = [[4.5, 0, -23], [4.5, 0, -2], [0, -1e-4, 0.0], [0, 0, -1], [4.5, 3.5, -2], [4.6, 3.5, -2]]
    assert cube.ray.contains_points(points).tolist() == [False, True, True, True, True, False]


def test_rays_back_to_each_vertex():
    """As ``test_issue_1362``: many rays at once answer as each alone, and none slips through."""
    mesh = bracket()
    origins = mesh.vertices + mesh.vertex_normals * 0.01
    directions = -mesh.vertex_normals
    together = mesh.ray.intersects_any(origins, directions)
    alone = [mesh.ray.intersects_any([o], [d])[0] for o, d in zip(origins, directions)]
    np.testing.assert_array_equal(together, alone)
    # A ray to a vertex that is rounded passes it by a little: almost all hit.
    assert together.mean() > 0.9


def test_a_grid_of_points_at_an_open_mesh():
    """As ``test_contain_single``: an open vessel is answered in shape, and its corners are outside."""
    ball = trimesh.creation.icosphere(subdivisions=2)
    bowl = by_estoc(trimesh.Trimesh(
        ball.vertices, ball.faces[ball.triangles_center[:, 2] < 0.2], process=False
    ))
    assert not bowl.is_watertight
    points = bowl.bounding_box.sample_grid(step=0.3)
    assert len(bowl.ray.contains_points(points)) == len(points)
    for corner in bowl.bounding_box.vertices:
        assert not bowl.ray.contains_points([corner])[0]


def test_signs_where_the_closest_face_is_coplanar():
    """As ``test_coplanar_signed_distance`` and ``test_edge_case``."""
    plate = bracket()
    inside = [0.65, 0.0, 0.0]
    assert plate.nearest.signed_distance([inside])[0] > 0
    # In the hole, in the plane of a face, and behind an edge.
    outside = [[0, 0, 0], [0.0, 0.0, 0.125], [5, 0, 0.125], [-51, 4.7, -20.6]]
    assert (plate.nearest.signed_distance(outside) < 0).all()


def test_a_cavity_is_outside():
    """As ``test_contains_cavity``, without a library of Boolean operations."""
    outer, inner = trimesh.creation.box(), trimesh.creation.box(extents=[0.1] * 3)
    inner.invert()
    hollow = by_estoc(trimesh.util.concatenate([outer, inner]))
    assert hollow.ray.contains_points([[0, 0, 0], [0.3, 0, 0], [2, 0, 0]]).tolist() == [False, True, False]
