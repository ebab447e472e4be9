"""trimesh's names."""

import copy
import pickle
import sys
from fractions import Fraction

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


@pytest.mark.parametrize("shape", [(3, 2), (2, 6), (3,), (1, 2, 3), (4, 0)])
def test_wrong_shapes_are_refused(mesh, shape):
    wrong = np.ones(shape)
    for method in ("intersects_any", "intersects_first", "intersects_id", "intersects_location"):
        with pytest.raises(ValueError, match=r"ray_origins has the shape .*; wanted is \(N, 3\)"):
            getattr(mesh.ray, method)(wrong, wrong)
        with pytest.raises(ValueError, match="ray_directions has the shape"):
            getattr(mesh.ray, method)(np.ones((2, 3)), wrong)
    for method in (mesh.ray.contains_points, mesh.nearest.on_surface, mesh.nearest.signed_distance):
        with pytest.raises(ValueError, match=r"points has the shape .*; wanted is \(N, 3\)"):
            method(wrong)
    for nothing in ([], np.zeros((0, 3))):
        assert len(mesh.ray.intersects_first(nothing, nothing)) == 0
        assert len(mesh.ray.contains_points(nothing)) == 0


@pytest.mark.parametrize("power", [-1060, -400, -149, -41, -40, -20, 30, 41, 127, 400, 1015])
def test_meshes_of_any_size(mesh, power):
    """Scaled by a power of two, rays and points have the same answers, scaled."""
    scaled = trimesh.Trimesh(np.ldexp(mesh.vertices, power), mesh.faces, process=False)
    ray, nearest = estoc.trimesh.RayMeshIntersector(scaled), estoc.trimesh.ProximityQuery(scaled)
    rays = some_rays(300).astype(float)
    origins, dirs = rays[:, :3], rays[:, 3:]
    expected = mesh.ray.intersects_location(origins, dirs)
    # Subnormal numbers have fewer bits.
    precision = 1e-2 if power < -1020 else 1e-12
    for length in (0, power):
        points, hit, triangles = ray.intersects_location(np.ldexp(origins, power), np.ldexp(dirs, length))
        if precision < 1e-9:
            np.testing.assert_array_equal(hit, expected[1])
            np.testing.assert_array_equal(triangles, expected[2])
            np.testing.assert_allclose(np.ldexp(points, -power), expected[0], rtol=precision, atol=precision)
        assert abs(len(hit) - len(expected[1])) <= 0.02 * len(hit)
    inside = mesh.ray.contains_points(origins)
    assert (ray.contains_points(np.ldexp(origins, power)) != inside).mean() < 0.02
    closest, distance, _ = nearest.on_surface(np.ldexp(origins, power))
    theirs = mesh.nearest.on_surface(origins)
    np.testing.assert_allclose(np.ldexp(closest, -power), theirs[0], atol=precision)
    np.testing.assert_allclose(np.ldexp(distance, -power), theirs[1], atol=precision)


def test_directions_of_any_length(mesh):
    rays = some_rays(300).astype(float)
    origins, dirs = rays[:, :3], rays[:, 3:]
    expected = mesh.ray.intersects_first(origins, dirs)
    assert 0.1 < (expected >= 0).mean() < 0.9
    powers = np.random.default_rng(3).choice([-1040, -500, -150, 0, 3, 130, 900], 300)
    some = np.ldexp(dirs, powers[:, np.newaxis])
    kept = powers > -1000  # others lose bits
    np.testing.assert_array_equal(mesh.ray.intersects_first(origins, some)[kept], expected[kept])
    assert (mesh.ray.intersects_first(origins, some) >= 0).mean() > 0.1
    nowhere = np.array([[0, 0, 0], [np.nan, 0, -1], [0, np.inf, 0], [0, 0, -1e-300]])
    assert mesh.ray.intersects_any(np.tile([0.1, 0.2, 5.0], (4, 1)), nowhere).tolist() == [False] * 3 + [True]


def met(origin, direction, corners):
    """Where a line meets the plane of a triangle, in rational numbers."""
    o, d, a, b, c = ([Fraction(float(x)) for x in v] for v in (origin, direction, *corners))
    minus = lambda p, q: [x - y for x, y in zip(p, q)]
    dot = lambda p, q: sum(x * y for x, y in zip(p, q))
    e, f = minus(b, a), minus(c, a)
    normal = [e[i - 2] * f[i - 1] - e[i - 1] * f[i - 2] for i in range(3)]
    t = dot(normal, minus(a, o)) / dot(normal, d)
    return np.array([float(x + t * y) for x, y in zip(o, d)])


@pytest.mark.parametrize("distance", [300, 1e4, 1.5e14])
def test_locations_are_those_of_float64(distance):
    """A part of 100 mm, seen from near, from 10 m and from the sun."""
    mesh = trimesh.creation.icosphere(subdivisions=4, radius=50.0)
    mesh.apply_transform(trimesh.transformations.rotation_matrix(0.3, [1, 2, 3]))
    rng = np.random.default_rng(6)
    aside = rng.normal(size=3)
    origins = np.tile(distance * aside / np.linalg.norm(aside), (400, 1))
    faces = rng.integers(0, len(mesh.faces), 400)
    towards = mesh.triangles_center[faces] - origins
    ray = estoc.trimesh.RayMeshIntersector(mesh)
    points, rays, triangles = ray.intersects_location(origins, towards, multiple_hits=False)
    assert len(points) == 400
    seen = np.einsum("ij,ij->i", mesh.face_normals[faces], towards) < 0
    # From the sun, a coordinate of a ray is off by centimetres.
    if distance < 1e9:
        np.testing.assert_array_equal(triangles[seen], faces[seen])
    exact = np.array([met(origins[r], towards[r], mesh.triangles[f]) for r, f in zip(rays, triangles)])
    steep = np.abs(np.einsum("ij,ij->i", mesh.face_normals[triangles], towards)) > 0.05 * distance
    off = np.abs(points - exact)[steep].max()
    assert steep.sum() > 300 and off < (4e-15 * distance if distance < 1e9 else 1e-4), off
    theirs = origins[rays] + towards[rays] * (
        np.einsum("ij,ij->i", mesh.face_normals[triangles], mesh.triangles[triangles, 0] - origins[rays])
        / np.einsum("ij,ij->i", mesh.face_normals[triangles], towards[rays])
    )[:, np.newaxis]
    assert off <= 2 * np.abs(theirs - exact)[steep].max()


def test_origins_may_be_far_away(mesh):
    for power in (-41, 0, 41):
        scaled = trimesh.Trimesh(np.ldexp(mesh.vertices, power), mesh.faces, process=False)
        ray = estoc.trimesh.RayMeshIntersector(scaled)
        assert ray.intersects_any([np.ldexp([0.1, 0.2, 1e26], power)], [[0, 0, -1.0]])[0]


def test_an_edge_is_one_surface(mesh):
    box = trimesh.creation.box()
    box.ray = estoc.trimesh.RayMeshIntersector(box)
    # Along the diagonals of two faces, which two triangles each share.
    assert len(box.ray.intersects_id([[0, 0, 5]], [[0, 0, -1]])[0]) == 2
    assert len(box.ray.intersects_id([[0, 0, 5]], [[0, 0, -1]], max_hits=1)[0]) == 1
    assert box.ray.contains_points([[0, 0, 0], [0, 0, 2]]).tolist() == [True, False]


@pytest.mark.parametrize("most", [-1, np.nan, 1.5, "a"])
def test_limits_of_hits_are_checked(mesh, most):
    with pytest.raises((TypeError, ValueError), match="max_hits is .*must be .*at least 0"):
        mesh.ray.intersects_id([[0, 0, 5]], [[0, 0, -1]], max_hits=most)
    assert len(mesh.ray.intersects_id([[0, 0, 5]], [[0, 0, -1]], max_hits=0)[0]) == 0


def test_changes_of_the_mesh_are_noticed(mesh):
    assert mesh.ray.intersects_any([[5, 0, 5]], [[0, 0, -1]]).tolist() == [False]
    mesh.apply_translation([5, 0, 0])
    assert mesh.ray.intersects_any([[5, 0, 5]], [[0, 0, -1]]).tolist() == [True]


def test_a_call_is_about_one_mesh(mesh, monkeypatch):
    """Even if the mesh changes, and another thread has a tree of the new one, before the call ends."""
    ray = [[0.1, 0.2, 5.0]], [[0, 0, -1.0]]
    expected = mesh.ray.intersects_location(*ray)[0]
    ask = estoc.Bvh.all_hits

    def change(self, *rays, **options):
        found = ask(self, *rays, **options)
        monkeypatch.undo()
        mesh.apply_translation([9, 0, 0])
        assert not mesh.ray.intersects_any(*ray)[0]
        return found

    monkeypatch.setattr(estoc.Bvh, "all_hits", change)
    np.testing.assert_array_equal(mesh.ray.intersects_location(*ray)[0], expected)


def test_meshes_that_are_broken_say_how_to_mend_them():
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [np.nan, 0, 2]]
    broken = trimesh.Trimesh(corners, [[0, 1, 2], [0, 1, 3]], process=False, validate=False)
    ray = [[0.2, 0.2, 1.0]], [[0, 0, -1.0]]
    with pytest.raises(estoc.MeshError, match=r"mesh.faces\[1\]: vertex 3 is not finite: \[nan, 0.0, 2.0\]; ") as told:
        estoc.trimesh.RayMeshIntersector(broken).intersects_any(*ray)
    assert "remove_infinite_values()" in str(told.value)
    broken.remove_infinite_values()
    assert estoc.trimesh.RayMeshIntersector(broken).intersects_any(*ray)[0]

    class Lacks:
        vertices, faces = np.eye(3), np.array([[0, 1, 2], [0, 1, 7]])

    with pytest.raises(estoc.MeshError, match="face 1: vertex 7 is out of range: the mesh has 3 vertices"):
        estoc.trimesh.RayMeshIntersector(Lacks()).intersects_any(*ray)


def test_no_triangles():
    empty = trimesh.Trimesh()
    ray = estoc.trimesh.RayMeshIntersector(empty)
    assert ray.intersects_any([[0, 0, 5.0]], [[0, 0, -1.0]]).tolist() == [False]
    assert ray.contains_points(np.zeros((2, 3))).tolist() == [False, False]


def test_distances_without_triangles():
    nearest = estoc.trimesh.ProximityQuery(trimesh.Trimesh())
    for ask in (nearest.on_surface, nearest.signed_distance):
        with pytest.raises(ValueError, match=r"points\[0\] has no closest point: .*the mesh has no triangles"):
            ask([[0, 0, 5.0]])
    assert len(nearest.signed_distance([])) == 0


@pytest.mark.filterwarnings("error")
def test_far_origins_overflow_silently(mesh):
    towards = [[0, 0, -1.0]]
    assert len(mesh.ray.intersects_location([[0.1, 0.2, 1e200]], towards)[0]) in (0, 2)
    assert len(mesh.ray.intersects_location([[0.1, 0.2, 1e26]], towards)[0]) == 2
    assert len(mesh.ray.intersects_location([[np.nan, 0, 0], [0.1, 0.2, 1e26]], towards * 2)[0]) == 2


def test_near_origins_are_rounded_by_little(mesh):
    rounded = mesh.ray._tree.rounded()
    origins = np.random.default_rng(2).uniform(-8 * rounded.size, 8 * rounded.size, (5000, 3))
    target, local = rounded.asked(origins)
    assert target is rounded.bvh
    assert np.abs(local - local.astype(np.float32)).max() <= 2.0**-21 * rounded.size
    for far in ([8.1 * rounded.size, 0, 0], [0, -8.1 * rounded.size, 0]):
        for beside in ([0, 0, 0], [np.nan, 0, 0]):
            assert isinstance(rounded.asked(np.array([beside, far]))[0], estoc.Scene)
    assert rounded.asked(np.zeros((0, 3)))[0] is rounded.bvh


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
    again = pickle.loads(pickle.dumps(mesh))
    assert again.ray.intersects_first(*ray) == mesh.ray.intersects_first(*ray)
    points = [[0, 0, 0.5]]
    for nearest in (again.nearest, pickle.loads(pickle.dumps(mesh.nearest))):
        np.testing.assert_array_equal(nearest.signed_distance(points), mesh.nearest.signed_distance(points))
    # Trees are not pickled.
    assert len(pickle.dumps(mesh.nearest)) < 2 * len(pickle.dumps(trimesh.Trimesh(mesh.vertices, mesh.faces)))


@pytest.mark.parametrize("distance", [5, 1e9])
def test_touches_and_crossings(distance):
    """Also of rays from far away, which are not rounded."""
    box = trimesh.creation.box()
    touches, crossings = (estoc.trimesh.RayMeshIntersector(box, hits=hits) for hits in ("touches", "crossings"))
    # Along an edge, in the plane of a face, and through an edge from outside.
    rays = [[0.5, distance, 0.5], [0.1, distance, 0.5], [distance, 0.1, 0.5 - distance + 0.5]], [
        [0, -1, 0], [0, -1, 0], [-1, 0, 1]
    ]
    assert touches.intersects_any(*rays).tolist() == [True] * 3
    assert touches.intersects_id(*rays)[1].tolist() == [0, 0, 1, 1, 2]
    assert len(crossings.intersects_id(*rays)[0]) == 0
    points, ray, triangles = touches.intersects_location(*rays)
    expected = [[0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.1, 0.5, 0.5], [0.1, -0.5, 0.5], [0.5, 0.1, 0.5]]
    np.testing.assert_allclose(points, expected, atol=1e-6)
    # Of those that meet there, the triangle with the lowest number.
    first = np.flatnonzero(np.diff(ray, prepend=-1))
    np.testing.assert_array_equal(touches.intersects_first(*rays), triangles[first])
    with pytest.raises(ValueError, match='hits is \'all\'; it must be "touches" or "crossings"'):
        estoc.trimesh.RayMeshIntersector(box, hits="all")


def test_two_surfaces_stay_two():
    """Sheets whose t only round alike, and sheets in one plane."""
    sheets = lambda z: trimesh.Trimesh(
        [[-1, -1, 0], [1, -1, 0], [0, 1, 0], [-1, -1, z], [1, -1, z], [0, 2, z]], [[0, 1, 2], [3, 4, 5]], process=False
    )
    ray = [[0, 0, 1000.0]], [[0, 0, -1.0]]
    for z, count in ((2.0**-20, 2), (0.0, 1)):
        mesh = sheets(z)
        hits = estoc.Bvh(estoc.from_trimesh(mesh)).all_hits(*ray)
        assert hits.t[0] == hits.t[1]
        assert len(estoc.trimesh.RayMeshIntersector(mesh).intersects_id(*ray)[0]) == count


def test_open_meshes_are_asked_for_crossings(mesh, monkeypatch):
    upper = trimesh.Trimesh(mesh.vertices, mesh.faces[mesh.triangles_center[:, 2] > -0.5], process=False)
    ray = estoc.trimesh.RayMeshIntersector(upper)
    monkeypatch.setattr(estoc.Bvh, "all_hits", None)
    assert ray.contains_points([[0, 0, 0.5], [0, 0, 5.0]]).tolist() == [True, False]


def test_one_tree_for_rays_and_points(mesh):
    assert mesh.nearest._tree is mesh.ray._tree
    other = estoc.trimesh.ProximityQuery(mesh, threads=1)
    assert other._tree is not mesh.ray._tree
    np.testing.assert_array_equal(other.signed_distance([[0, 0, 0.5]]), mesh.nearest.signed_distance([[0, 0, 0.5]]))


def test_what_is_printed(mesh):
    assert repr(mesh.ray) == "<estoc.trimesh.RayMeshIntersector: 1,280 triangles, touches>"
    assert repr(mesh.nearest) == "<estoc.trimesh.ProximityQuery: 1,280 triangles>"


def test_vertices_that_no_face_uses():
    corners = [[np.nan, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [1e300, 0, 0]]
    loose = trimesh.Trimesh(corners, [[1, 2, 3]], process=False, validate=False)
    ray = estoc.trimesh.RayMeshIntersector(loose)
    assert ray.intersects_first([[0.2, 0.2, 1.0]], [[0, 0, -1.0]]).tolist() == [0]


def test_install():
    before = type(trimesh.creation.box().ray), type(trimesh.creation.box().nearest)
    estoc.trimesh.install()
    try:
        box = trimesh.creation.box()
        assert isinstance(box.ray, estoc.trimesh.RayMeshIntersector)
        assert isinstance(box.nearest, estoc.trimesh.ProximityQuery)
        assert box.contains([[0, 0, 0]]).tolist() == [True]
        # The names and the order of arguments are those of what is replaced.
        theirs = trimesh.ray.ray_triangle.RayMeshIntersector(mesh=box)
        ray = [[0.1, 0.2, 5.0]], [[0, 0, -1.0]]
        assert len(theirs.intersects_id(*ray)[0]) == 2
        triangles, _, points = theirs.intersects_id(*ray, True, False)
        np.testing.assert_allclose(points, [[0.1, 0.2, 0.5]], atol=1e-6)
        np.testing.assert_array_equal(theirs.intersects_location(*ray)[0][:1], points)
        for again in (copy.copy(theirs), pickle.loads(pickle.dumps(theirs))):
            np.testing.assert_array_equal(again.intersects_id(*ray, False, False)[0], triangles)
        if trimesh.ray.has_embree:
            theirs = trimesh.ray.ray_pyembree.RayMeshIntersector(geometry=box)
            assert len(theirs.intersects_id(*ray, False, None, True)) == 3
    finally:
        estoc.trimesh.uninstall()
    assert (type(trimesh.creation.box().ray), type(trimesh.creation.box().nearest)) == before


def test_a_wrong_install_changes_nothing():
    estoc.trimesh.install()
    try:
        with pytest.raises(ValueError, match="hits is 'some'"):
            estoc.trimesh.install(hits="some")
        assert isinstance(trimesh.creation.box().ray, estoc.trimesh.RayMeshIntersector)
    finally:
        estoc.trimesh.uninstall()


def test_install_reaches_what_trimesh_computes(mesh, monkeypatch):
    from trimesh import proximity

    before = {name: vars(proximity)[name] for name in ("ProximityQuery", "closest_point", "signed_distance")}
    old = trimesh.creation.icosphere(subdivisions=3)
    points = np.random.default_rng(4).normal(size=(50, 3))
    closest = mesh.nearest.on_surface(points)
    estoc.trimesh.install()
    try:
        # None of these is asked.
        monkeypatch.setattr(proximity, "nearby_faces", None)
        for some in (trimesh.creation.icosphere(subdivisions=3), old, mesh, mesh.copy()):
            for ours, theirs in zip(proximity.closest_point(some, points), closest):
                np.testing.assert_array_equal(ours, theirs)
            np.testing.assert_array_equal(
                proximity.signed_distance(some, points), mesh.nearest.signed_distance(points)
            )
        new = trimesh.creation.icosphere(subdivisions=3)
        thickness = proximity.thickness(new, new.triangles_center[:20], method="ray")
        np.testing.assert_allclose(thickness, 2, atol=0.05)
        assert isinstance(mesh.copy().ray, estoc.trimesh.RayMeshIntersector)
        # A mesh from before keeps one tree.
        assert proximity.closest_point(old, points)[0] is not None and old.nearest._estoc is not None
        upper = trimesh.Trimesh(mesh.vertices, mesh.faces[mesh.triangles_center[:, 2] > -0.5], process=False)
        # By trimesh's own rule, for an open mesh.
        assert proximity.signed_distance(upper, [[0, 0, 0.5]]) > 0
    finally:
        estoc.trimesh.uninstall()
    assert before == {name: vars(proximity)[name] for name in before}


@pytest.mark.parametrize("has_embree", [False, True])
def test_embree_is_there_once_installed(monkeypatch, has_embree):
    if has_embree:
        pytest.importorskip("embreex")
    else:
        monkeypatch.setattr(trimesh.ray, "has_embree", False)
        monkeypatch.setattr(trimesh.ray, "ray_pyembree", None)
        monkeypatch.delitem(sys.modules, "trimesh.ray.ray_pyembree", raising=False)
    before = trimesh.ray.has_embree, trimesh.ray.ray_pyembree, sys.modules.get("trimesh.ray.ray_pyembree")
    estoc.trimesh.install(hits="crossings")
    try:
        from trimesh.ray.ray_pyembree import RayMeshIntersector

        assert trimesh.ray.has_embree and RayMeshIntersector is trimesh.ray.ray_pyembree.RayMeshIntersector
        for use_embree in (True, False):
            box = trimesh.creation.box()
            box = trimesh.Trimesh(box.vertices, box.faces, use_embree=use_embree)
            assert isinstance(box.ray, RayMeshIntersector) and (type(box.ray) is RayMeshIntersector) == use_embree
            assert len(box.ray.intersects_id([[0.5, 5, 0.5]], [[0, -1, 0]])[0]) == 0
    finally:
        estoc.trimesh.uninstall()
    assert before == (trimesh.ray.has_embree, trimesh.ray.ray_pyembree, sys.modules.get("trimesh.ray.ray_pyembree"))
    box = trimesh.creation.box()
    assert len(estoc.trimesh.RayMeshIntersector(box).intersects_id([[0.5, 5, 0.5]], [[0, -1, 0]])[0]) == 2
    with pytest.raises(ValueError, match="hits is 'some'"):
        estoc.trimesh.install(hits="some")
    assert trimesh.ray.has_embree == before[0]


def test_pyvista_needs_no_embreex(monkeypatch):
    pyvista = pytest.importorskip("pyvista")
    monkeypatch.setattr(trimesh.ray, "has_embree", False)
    ball = pyvista.Sphere()
    origins, directions = [[0, 0, 0]] * 3, [[0, 0, 1], [0, 1, 0], [1, 1, 1]]
    with pytest.raises(ImportError, match="embree"):
        ball.multi_ray_trace(origins, directions)
    estoc.trimesh.install()
    try:
        points, rays, cells = ball.multi_ray_trace(origins, directions, first_point=True)
    finally:
        estoc.trimesh.uninstall()
    assert rays.tolist() == [0, 1, 2] and len(cells) == 3
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 0.5, atol=0.01)


def test_conversion(mesh):
    ours = estoc.from_trimesh(mesh)
    np.testing.assert_array_equal(ours.faces, mesh.faces)
    np.testing.assert_array_equal(ours.vertices, mesh.vertices.astype(np.float32))
    with pytest.raises(TypeError, match="trimesh.Trimesh"):
        estoc.from_trimesh(3)
