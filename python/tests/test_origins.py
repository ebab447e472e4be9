"""Meshes with an origin: rays, points and answers are in the world."""

import pickle
import re
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import estoc
import estoc.open3d
from conftest import same, some_rays, sphere
from estoc._rounded import Rounded
from estoc.embreex.mesh_construction import ElementMesh
from estoc.embreex.rtcore_scene import EmbreeScene

ORIGIN = np.array([502_345.125, -5_201_234.75, 310.0])


@pytest.fixture(scope="module")
def pair():
    """A mesh around 0, and the same at an origin, with coordinates whose sums with the origin are exact."""
    points, faces = sphere(12)
    points = np.round(points * 2.0**18) / 2.0**18
    near = estoc.Bvh(estoc.Mesh(points, faces))
    far = estoc.Bvh(estoc.Mesh(points + ORIGIN, faces, origin=ORIGIN))
    np.testing.assert_array_equal(near.mesh.vertices, far.mesh.local_vertices)
    return near, far


@pytest.fixture(scope="module")
def rays():
    return np.round(some_rays(2000).astype(np.float64) * 2.0**12) / 2.0**12


def test_rays_are_in_the_world(pair, rays):
    near, far = pair
    moved = rays + np.concatenate([ORIGIN, np.zeros(3)])
    for name in ("closest_hit", "all_hits", "crossings"):
        same(getattr(near, name)(rays), getattr(far, name)(moved))
        same(getattr(near, name)(rays, t_min=0.5, cull="back"), getattr(far, name)(moved[:, :3], moved[:, 3:], t_min=0.5, cull="back"))
    for name in ("any_hit", "count_hits", "count_crossings"):
        np.testing.assert_array_equal(getattr(near, name)(rays, t_max=2), getattr(far, name)(moved, t_max=2))
    hits = near.closest_hit(rays)
    np.testing.assert_array_equal(near.points(hits) + ORIGIN, far.points(hits))
    same(near.closest_hit(rays, skip=hits), far.closest_hit(moved, skip=hits))
    same(near.all_hits(rays[hits.is_hit], k=1, after=hits.prim[hits.is_hit]), far.all_hits(moved[hits.is_hit], k=1, after=hits.prim[hits.is_hit]))


def test_rays_that_no_local_float32_has_are_exact(pair):
    """Through the edge that leads from one pole: in float32 relative to the origin, rays would be beside it."""
    near, far = pair
    tiny = 2.0**-31
    down = np.array([[0, 0, 9, 0, 0, -1], [tiny, 0, 9, 0, 0, -1], [-tiny, 0, 9, 0, 0, -1]]) + [*ORIGIN, 0, 0, 0]
    assert far.closest_hit(down).is_hit.all()
    assert far.count_crossings(down).tolist() == [2, 2, 2]
    wall = estoc.Bvh(estoc.Mesh(np.array([[0, 0, 0], [0, 8, 0], [0, 0, 8]]) + 2.0**21, [[0, 1, 2]], origin=[2.0**21] * 3))
    start = np.array([2.0**21 - 1, 2.0**21 + 2, 2.0**21 + 2])
    # In float32, the end would lie on the wall.
    for end, seen in ((1 - 2.0**-31, False), (1.0, True)):
        assert bool(wall.any_hit(start, [1, 0, 0], t_max=end)) is seen


def test_points_are_in_the_world(pair):
    near, far = pair
    rng = np.random.default_rng(6)
    points = np.round(rng.normal(size=(500, 3)) * 2.0**12) / 2.0**12
    one, other = near.closest_point(points), far.closest_point(points + ORIGIN)
    same(one[1:], other[1:])
    assert other.point.dtype == np.float64
    np.testing.assert_allclose(other.point - ORIGIN, one.point, atol=1e-7)
    np.testing.assert_array_equal(near.distance(points), far.distance(points + ORIGIN))
    same(near.within(points, 0.5), far.within(points + ORIGIN, 0.5))
    for rule in ("parity", "winding_number", "winding_estimate"):
        np.testing.assert_array_equal(near.contains(points, rule=rule), far.contains(points + ORIGIN, rule=rule))
        np.testing.assert_array_equal(near.signed_distance(points, rule=rule), far.signed_distance(points + ORIGIN, rule=rule))
    same(near.winding_number(points), far.winding_number(points + ORIGIN))
    same(near.winding_estimate(points), far.winding_estimate(points + ORIGIN))
    out = np.empty(500, np.float32)
    assert far.signed_distance(points + ORIGIN, out=out) is out
    np.testing.assert_array_equal(near.sphere_thickness(points[:9], -points[:9]), far.sphere_thickness(points[:9] + ORIGIN, -points[:9]))
    for wrong in (3.0, [[3.0, 1]]):
        with pytest.raises(ValueError, match="points has the shape"):
            far.sphere_thickness(wrong, [0, 0, 1])


def test_an_open_mesh_has_no_inside_in_the_world():
    sheet = estoc.Bvh(estoc.Mesh([[9, 0, 0], [10, 0, 0], [9, 1, 0]], [[0, 1, 2]], origin=[9, 0, 0]))
    for ask in (sheet.contains, sheet.signed_distance):
        with pytest.raises(estoc.SurfaceError):
            ask([[9, 0, 0]])


def test_what_is_found_is_in_the_world(pair, tmp_path):
    near, far = pair
    np.testing.assert_array_equal(far.bounds, near.bounds + ORIGIN)
    np.testing.assert_array_equal(far.mesh.bounds, far.bounds)
    np.testing.assert_array_equal(far.mesh.vertices, near.mesh.vertices + ORIGIN)
    with pytest.raises(ValueError):
        far.mesh.vertices[0] = 0
    cut, moved = near.section([0, 0, 0.25], [0, 0, 1]), far.section(ORIGIN + [0, 0, 0.25], [0, 0, 1])
    np.testing.assert_array_equal(cut.points + ORIGIN, moved.points)
    (one, _), (other, _) = cut.polygons()[0], moved.polygons()[0]
    # Coordinates in a horizontal plane are those of the map.
    np.testing.assert_allclose(one + ORIGIN[:2], other, rtol=1e-15)
    back = np.c_[other, np.zeros(len(other)), np.ones(len(other))] @ moved.to_3d.T
    np.testing.assert_allclose(back[:, :3], moved.points, rtol=1e-15)
    up = estoc.Mesh(far.mesh.vertices + [0, 0, 3], far.mesh.faces, origin=ORIGIN)
    between = far.least_distance(estoc.Bvh(up))
    np.testing.assert_allclose(between.point, ORIGIN + [[0, 0, 1], [0, 0, 2]])
    with pytest.raises(ValueError, match="other has its origin"):
        far.least_distance(near)
    far.save(tmp_path / "far.estoc")
    for again in (estoc.Bvh.load(tmp_path / "far.estoc"), pickle.loads(pickle.dumps(far))):
        np.testing.assert_array_equal(again.bounds, far.bounds)
        assert again.closest_hit([*(ORIGIN + [0, 0, 5]), 0, 0, -1]).t == 4


def test_pictures_are_seen_from_the_world(pair):
    near, far = pair
    how = dict(width=32, height=24, samples=1, shade="normal")
    for one, other in zip(pair, (near.mesh, far.mesh)):
        moved = one.mesh.origin
        seen = [each.render(eye=moved + [0, 3, 1], at=moved, **how) for each in (one, other)]
        np.testing.assert_array_equal(*seen)
        np.testing.assert_array_equal(seen[0], near.render(eye=[0, 3, 1], at=[0, 0, 0], **how))


def test_scenes_place_what_is_in_the_world(pair, rays):
    near, far = pair
    scene, turned = estoc.Scene(), np.array([[0, -1, 0, 7], [1, 0, 0, 0.5], [0, 0, 2, 0]])
    assert scene.add(far) == 0
    moved = rays + np.concatenate([ORIGIN, np.zeros(3)])
    hits, wanted = scene.closest_hit(moved), near.closest_hit(rays)
    same(hits[:4], wanted)
    with pytest.raises(estoc.SceneError):
        scene.set_matrix(0, turned * 1e304)
    scene.set_matrix(0, turned)
    other = estoc.Scene()
    place = turned.copy()
    place[:, 3] += turned[:, :3] @ ORIGIN
    other.add(near, place)
    aim = moved[:, :3] @ turned[:, :3].T + turned[:, 3], moved[:, 3:] @ turned[:, :3].T
    assert scene.any_hit(*aim).sum() > 100
    same(scene.closest_hit(*aim), other.closest_hit(*aim))


def test_points_of_the_world_and_of_the_mesh(pair):
    mesh = pair[1].mesh
    exact = mesh.from_world(ORIGIN + 2.0**-30)
    assert exact.dtype == np.float32 and exact.tolist() == [2.0**-30] * 3
    np.testing.assert_array_equal(mesh.to_world(mesh.local_vertices), mesh.vertices)
    assert mesh.from_world(np.zeros((2, 0, 3))).shape == (2, 0, 3)
    with pytest.raises(ValueError, match="points has the shape"):
        mesh.to_world([1, 2])


def told(make):
    """The only warning of a call, and the file of the line that it names."""
    with pytest.warns(UserWarning) as found:
        make()
    assert len(found) == 1 and found[0].filename == __file__
    return str(found[0].message)


def test_coarse_rounding_is_told_whatever_the_origin():
    corner = np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0]])
    far, spread = corner + [5e6, 4e5, 0], np.concatenate([corner - [5e6, 0, 0], corner + [5e6, 0, 0]])
    moved = r"rounding to float32 moved a vertex by 0.2 .the median edge is 0.5.*; "
    message = told(lambda: estoc.Mesh(far, [[0, 1, 2]], origin=[0, 0, 0]))
    assert re.fullmatch(moved + 'a nearer origin, such as origin="auto", keeps more digits', message)
    message = told(lambda: estoc.Mesh(spread, [[0, 1, 2], [3, 4, 5]], origin="auto"))
    assert re.fullmatch(moved + "the mesh is too large for triangles as small: dtype=numpy.float64, or parts .*", message)
    thin = [[9, 0, 0], [9 + 1e-9, 0, 0], [10, 1, 0]]
    message = told(lambda: estoc.Mesh(thin, [[0, 1, 2]], origin=[8, 0, 0]))
    assert "made vertices of 1 triangle one" in message
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estoc.Mesh(far, [[0, 1, 2]], origin=far[0])
        estoc.Mesh(far, [[0, 1, 2]], origin="auto")
        # Vertices that no triangle uses.
        estoc.Mesh([*far, [np.nan, 0, 0]], [[0, 1, 2]], origin="auto")


def test_coarse_rounding_is_told_where_it_is_asked_for():
    far = np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0]]) + [5e6, 4e5, 0]
    faces = np.array([[0, 1, 2]])
    library = SimpleNamespace(vertices=far, faces=faces)
    assert 'origin="auto"' in told(lambda: estoc.from_trimesh(library))
    cells = SimpleNamespace(points=far, cells=[SimpleNamespace(type="triangle", data=faces)])
    assert 'origin="auto"' in told(lambda: estoc.from_meshio(cells))
    assert 'origin="auto"' in told(lambda: estoc.open3d.RaycastingScene().add_triangles(far, faces))
    # Where there is no such argument.
    cells = np.array([[0, 1, 2, 0]])
    message = told(lambda: ElementMesh(EmbreeScene(), far, cells))
    assert "origin=" not in message and "subtract the middle of the scene" in message
    library = SimpleNamespace(vertices=np.concatenate([far, -far]), faces=np.array([[0, 1, 2], [3, 4, 5]]))
    message = told(lambda: Rounded(library, None, "balanced"))
    assert "origin=" not in message and "parts keep more digits" in message
