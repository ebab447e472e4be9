"""PyVista's names: first with stand-ins for its meshes, then with PyVista, where it is installed."""

import gc
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import estoc
import estoc.pyvista as by_estoc
from conftest import cases, sphere

SQUARE = np.array([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]])
HALVES = np.array([[0, 1, 2], [0, 2, 3]])


class Part:
    """What tells when it was changed."""

    def __init__(self):
        self.time = 1

    def GetMTime(self):
        return self.time


class Data:
    """A stand-in for a ``pyvista.PolyData`` of triangles."""

    n_strips, n_verts, n_lines, is_all_triangles = 0, 0, 0, True

    def __init__(self, points, faces=(), dtype=np.float32):
        self.points = np.asarray(points, dtype)
        faces = np.asarray(faces, np.int64).reshape(-1, 3)
        self.faces = np.insert(faces, 0, 3, axis=1).reshape(-1)
        self.point_data, self.active, self.part = {}, None, Part()

    def part_of_it(self):
        return self.part

    GetPoints = GetVerts = GetLines = GetPolys = GetStrips = part_of_it

    def copy(self, deep=True):
        copy = Data(self.points, dtype=self.points.dtype)
        copy.faces, copy.point_data = self.faces, dict(self.point_data)
        return copy

    def set_active_scalars(self, name):
        self.active = name


def distances(points, mesh, dtype=np.float64):
    found = by_estoc.compute_implicit_distance(Data(points, dtype=dtype), mesh).point_data["implicit_distance"]
    assert found.dtype == np.float64
    return found


@pytest.fixture()
def ball():
    return Data(*sphere())


def test_meshes_are_converted(ball):
    mesh = estoc.from_pyvista(ball)
    np.testing.assert_array_equal(mesh.vertices, ball.points)
    np.testing.assert_array_equal(mesh.faces, ball.faces.reshape(-1, 4)[:, 1:])
    far = Data(SQUARE + [5e6 + 0.125, 0, 0], HALVES, np.float64)
    assert estoc.from_pyvista(far, origin=[5e6, 0, 0]).origin.tolist() == [5e6, 0, 0]
    wrong = Data([*SQUARE[:3], [0, 4, np.nan]], HALVES)
    assert len(estoc.from_pyvista(wrong, bad_faces="skip")) == 1
    with pytest.raises(estoc.MeshError):
        estoc.from_pyvista(wrong)
    assert len(estoc.from_pyvista(Data([]))) == 0


@pytest.mark.parametrize("mesh", [3, None, SimpleNamespace(points=SQUARE, faces=HALVES), np.zeros((3, 3))])
def test_what_is_no_polydata_is_refused(mesh):
    for call in (
        lambda: estoc.from_pyvista(mesh),
        lambda: by_estoc.ray_trace(mesh, [0, 0, 0], [1, 0, 0]),
    ):
        with pytest.raises(TypeError, match="mesh is a .*; wanted is a pyvista.PolyData, such as mesh.extract_surface"):
            call()
    for call in (by_estoc.compute_implicit_distance, by_estoc.select_enclosed_points, by_estoc.select_interior_points):
        with pytest.raises(TypeError, match="surface is a .*; wanted is a pyvista.PolyData"):
            call(Data([]), mesh)


def test_points_of_a_segment_are_in_order(ball):
    points, cells = by_estoc.ray_trace(ball, [-3, 0.01, 0.02], [3, 0.01, 0.02])
    assert points.shape == (2, 3) and points.dtype == np.float64 and cells.dtype == np.int64
    assert points[0, 0] < 0 < points[1, 0]
    first, cell = by_estoc.ray_trace(ball, [-3, 0.01, 0.02], [3, 0.01, 0.02], first_point=True)
    assert first.tolist() == points[0].tolist() and cell.tolist() == cells[:1].tolist()
    back, _ = by_estoc.ray_trace(ball, [3, 0.01, 0.02], [-3, 0.01, 0.02])
    np.testing.assert_allclose(back, points[::-1], atol=1e-15)
    for first_point in (False, True):
        points, cells = by_estoc.ray_trace(ball, [-3, 2, 0], [3, 2, 0], first_point)
        assert points.shape == (0, 3) and cells.shape == (0,)


def test_the_ends_of_a_segment_belong_to_it():
    square = Data(SQUARE, HALVES)
    for z, count in ((0, 1), (-(2.0**-50), 1), (2.0**-50, 0)):
        assert len(by_estoc.ray_trace(square, [1, 2, 3], [1, 2, z])[1]) == count
        assert len(by_estoc.ray_trace(square, [1, 2, z], [1, 2, 3])[1]) == count


def test_the_ends_of_a_segment_belong_to_it_where_their_difference_is_rounded(ball):
    vertices = ball.points.astype(np.float64)
    for start in np.random.default_rng(6).normal(size=(3, 3)) * 2 + [5, 0, 0]:
        for end in vertices[::4]:
            points, cells = by_estoc.ray_trace(ball, start, end)
            np.testing.assert_allclose(points[-1], end, atol=1e-11)
            back, others = by_estoc.ray_trace(ball, end, start)
            assert len(back) == len(points) and np.abs(back[::-1] - points).max() < 1e-11
            first, cell = by_estoc.ray_trace(ball, start, end, first_point=True)
            assert first.tolist() == points[0].tolist() and cell.tolist() == cells[:1].tolist()
    # Points near the end that belong to it, and that do not.
    square = Data(SQUARE, HALVES)
    for z, count in ((0, 1), (-(2.0**-70), 1), (2.0**-70, 0)):
        assert len(by_estoc.ray_trace(square, [0.3, 2, 0.7], [1, 2, z])[1]) == count
        assert len(by_estoc.ray_trace(square, [1, 2, z], [0.3, 2, 0.7])[1]) == count


def test_segments_whose_difference_is_rounded_meet_each_triangle_once():
    # 300 squares above each other, some of them where the two rays of a segment meet.
    heights = np.float32(np.concatenate([np.linspace(0, 1, 200), 0.6180339887 + np.linspace(-1e-6, 1e-6, 100)]))
    heights = np.unique(heights)
    points = (SQUARE + heights[:, None, None] * [0, 0, 1]).reshape(-1, 3)
    pile = Data(points, (HALVES + 4 * np.arange(len(heights))[:, None, None]).reshape(-1, 3))
    for x in (0.1, 0.7, 1.3):
        start, end = np.array([x, 1 / 3, -1e-9 / 7]), np.array([x + 0.9, 2.2, 1 + 1e-9 / 7])
        found, cells = by_estoc.ray_trace(pile, start, end)
        np.testing.assert_array_equal(cells // 2, np.arange(len(heights)))
        np.testing.assert_allclose(found[:, 2], heights, atol=1e-15)


def test_rays_have_one_point_at_each_place():
    square = Data(SQUARE, HALVES)
    # Through the diagonal, its middle, a corner, a border, inside; then beside.
    over = np.array([[1, 1], [2, 2], [0, 0], [2, 0], [1, 3], [-1, 2]])
    origins = np.insert(over, 2, 5, axis=1)
    points, rays, cells = by_estoc.multi_ray_trace(square, origins, [0, 0, -1])
    assert rays.tolist() == [0, 1, 2, 3, 4] and cells.tolist() == [0, 0, 0, 0, 1]
    np.testing.assert_array_equal(points, np.insert(over[:5], 2, 0, axis=1))
    first = by_estoc.multi_ray_trace(square, origins, [0, 0, -1], first_point=True)
    for one, other in zip(first, (points, rays, cells)):
        np.testing.assert_array_equal(one, other)
    # Rays that touch the surface only, at a vertex and at an edge.
    ridge = Data([[0, 0, 0], [0, 4, 0], [-3, 2, -3], [3, 2, -3]], [[0, 1, 2], [0, 3, 1]])
    points, rays, cells = by_estoc.multi_ray_trace(ridge, [[-1, 0, 0], [-1, 1, 0]], [1, 0, 0])
    assert rays.tolist() == [0, 1] and points.tolist() == [[0, 0, 0], [0, 1, 0]] and cells.tolist() == [0, 0]


def test_rays_through_vertices_do_not_leak(ball):
    ball.points = np.array(ball.points, np.float64)
    vertices = ball.points
    for lamp in (np.zeros(3), np.array([0.125, 0.0625, -0.09375])):
        counts = [len(by_estoc.ray_trace(ball, lamp, lamp + 2 * (vertex - lamp))[1]) for vertex in vertices[::5]]
        assert set(counts) == {1}
        _, rays, _ = by_estoc.multi_ray_trace(ball, np.broadcast_to(lamp, vertices.shape), vertices - lamp)
        np.testing.assert_array_equal(rays, np.arange(len(vertices)))


def test_two_surfaces_of_equal_t_stay_two():
    near = Data([*SQUARE, *(SQUARE + [0, 0, 2.0**-30])], [*HALVES, *(HALVES + 4)])
    points, _, cells = by_estoc.multi_ray_trace(near, [[1, 2, 7], [2, 2, 7]], [0, 0, -1])
    assert points[:, 2].tolist() == [2.0**-30, 0] * 2 and cells.tolist() == [3, 1, 2, 0]


def normal_of(a, b, c):
    """The normal of a triangle."""
    e, f = ([y - x for x, y in zip(a, end)] for end in (b, c))
    return cross(e, f)


def cross(v, w):
    return [v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]]


def dot(v, w):
    return sum(x * y for x, y in zip(v, w))


def met_at(triangle, origin, direction):
    """The parameter of a hit by rationals, if there is one."""
    normal = normal_of(*triangle)
    if dot(normal, direction) == 0:
        return None
    t = Fraction(dot(normal, [x - y for x, y in zip(triangle[0], origin)]), dot(normal, direction))
    point = [o + t * d for o, d in zip(origin, direction)]
    sides = [
        dot(cross([y - x for x, y in zip(start, end)], [y - x for x, y in zip(start, point)]), normal)
        for start, end in zip(triangle, (*triangle[1:], triangle[0]))
    ]
    return t if t >= 0 and min(sides) >= 0 else None


@cases(150)
@given(st.data())
def test_places_are_those_of_rationals(data):
    """Triangles of few coordinates share edges, vertices and places, and lie on each other."""
    number = st.integers(-2, 2)
    vertices = data.draw(st.lists(st.tuples(number, number, number), min_size=3, max_size=6))
    index = st.integers(0, len(vertices) - 1)
    faces = data.draw(st.lists(st.tuples(index, index, index), min_size=1, max_size=8))
    rays = data.draw(st.lists(st.tuples(*[number] * 6), min_size=1, max_size=6))
    rays = [ray for ray in rays if any(ray[3:])] or [(0, 0, 0, 0, 0, 1)]
    found = by_estoc.multi_ray_trace(Data(vertices, faces), [ray[:3] for ray in rays], [ray[3:] for ray in rays])
    points, numbers, cells = found
    for i, ray in enumerate(rays):
        met = [met_at([vertices[corner] for corner in face], ray[:3], ray[3:]) for face in faces]
        places = sorted({t for t in met if t is not None})
        mine = numbers == i
        expected = [[float(o + t * d) for o, d in zip(ray[:3], ray[3:])] for t in places]
        np.testing.assert_allclose(points[mine], np.reshape(expected, (-1, 3)), atol=1e-14)
        assert [met[cell] for cell in cells[mine]] == places


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_locations_are_those_of_rationals(dtype):
    """A part of 100 mm, seen from 10 m."""
    random = np.random.default_rng(3)
    vertices, faces = sphere()
    mesh = Data(50 * vertices + random.normal(size=3), faces, dtype)
    origins = random.normal(size=(60, 3))
    origins *= 1e4 / np.linalg.norm(origins, axis=1, keepdims=True)
    directions = random.uniform(-25, 25, (60, 3)) - origins
    points, rays, cells = by_estoc.multi_ray_trace(mesh, origins, directions)
    assert len(points) == 120
    corners = mesh.points.astype(np.float64)[faces[cells]]
    for point, ray, (a, b, c) in zip(points, rays, corners):
        exact = lambda vector: [Fraction(float(x)) for x in vector]
        a, b, c, o, d = (exact(vector) for vector in (a, b, c, origins[ray], directions[ray]))
        normal = normal_of(a, b, c)
        t = dot(normal, [x - y for x, y in zip(a, o)]) / dot(normal, d)
        assert max(abs(Fraction(float(p)) - x - t * y) for p, x, y in zip(point, o, d)) < 2e-11


def test_the_tree_is_kept_until_the_mesh_changes(ball):
    ray = [-3, 0.01, 0.02], [3, 0.01, 0.02]
    before, _ = by_estoc.ray_trace(ball, *ray)
    tree = by_estoc._kept[id(ball)][2]
    by_estoc.ray_trace(ball, *ray)
    assert by_estoc._kept[id(ball)][2] is tree
    ball.points, ball.part.time = ball.points / 2, 2
    after, _ = by_estoc.ray_trace(ball, *ray)
    assert by_estoc._kept[id(ball)][2] is not tree
    assert np.abs(after).max() < 0.51 < np.abs(before).max()
    key = id(ball)
    del ball.points, ball
    gc.collect()
    assert key not in by_estoc._kept or by_estoc._kept[key][0]() is not None


def test_trees_of_deleted_meshes_are_forgotten():
    mesh = Data(SQUARE, HALVES)
    by_estoc.ray_trace(mesh, [0, 0, 1], [0, 0, -1])
    key = id(mesh)
    assert key in by_estoc._kept
    del mesh
    gc.collect()
    assert key not in by_estoc._kept


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distances_are_accurate(dtype):
    mesh = Data(SQUARE + np.array([0.1, 0.2, 0.3]), HALVES, dtype)
    low, high = mesh.points.min(axis=0).astype(float), mesh.points.max(axis=0).astype(float)
    points = np.random.default_rng(5).uniform(-3, 7, (2000, 3))
    beside = points - np.clip(points, low, high)
    expected = np.linalg.norm(beside, axis=1)
    found = distances(points, mesh)
    np.testing.assert_allclose(np.abs(found), expected, rtol=4e-16, atol=4e-16)
    np.testing.assert_array_equal(found < 0, beside[:, 2] < 0)


def test_distances_of_huge_and_tiny_meshes():
    for scale in (1e-200, 1e-30, 1e30, 1e150):
        mesh = Data(SQUARE * scale, HALVES, np.float64)
        found = distances(np.array([[1, 2, 3], [1, 2, -3], [7, 2, 0]]) * scale, mesh)
        np.testing.assert_allclose(found / scale, [3, -3, 3])
        points, cells = by_estoc.ray_trace(mesh, [scale, 2 * scale, scale], [scale, 2 * scale, -scale])
        np.testing.assert_allclose(points / scale, [[1, 2, 0]])
        assert len(by_estoc.ray_trace(mesh, [scale, 2 * scale, 2 * scale], [scale, 2 * scale, scale])[1]) == 0


def test_signs(ball):
    points = [[0, 0, 0], [0.1, 0.2, 0.5], [2, 0, 0], [0, 0, -3]]
    expected = [True, True, False, False]
    triangles = ball.faces.reshape(-1, 4)
    turned = triangles.copy()
    turned[:, 1:] = triangles[:, :0:-1]
    some = np.where(np.arange(len(triangles))[:, None] % 3, triangles, turned)
    for faces in (triangles, turned, some):
        mesh = Data(ball.points, faces[:, 1:])
        np.testing.assert_array_equal(distances(points, mesh) < 0, expected)
    # Two balls that overlap: what is in one or both is inside; the parity of crossings leaves out what is in both.
    both = Data([*ball.points, *(ball.points + [1, 0, 0])], [*triangles[:, 1:], *(triangles[:, 1:] + len(ball.points))])
    points = Data([[0.5, 0, 0], [0, 0, 0], [1, 0, 0], [5, 0, 0]])
    assert (distances(points.points, both) < 0).tolist() == [True, True, True, False]
    select = by_estoc.select_enclosed_points(points, both)
    assert select.point_data["SelectedPoints"].tolist() == [0, 1, 1, 0]


def test_signs_of_open_surfaces():
    # A roof: behind is below. Closest to the ridge, its two normals count; at an end of it, all angles.
    roof = Data([[0, 0, 0], [0, 4, 0], [-3, 2, -1], [3, 2, -1]], [[0, 1, 2], [0, 3, 1]])
    above = [[0, 2, 1], [0.1, 2, 0.5], [-3, 2, 5], [0, -3, 1]]
    below = [[0, 2, -1], [1, 2, -2], [-1, 2, -2]]
    assert (distances(above, roof) > 0).all() and (distances(below, roof) < 0).all()
    assert distances([[0, 2, 0]], roof).tolist() == [0]
    # In the plane of a square, nothing is behind.
    assert distances([[6, 2, 0]], Data(SQUARE, HALVES)).tolist() == [2]


def test_points_close_to_a_closed_surface_are_not_rounded():
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    mesh = Data(cube, [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))])
    for step in (1e-9, 1e-15, 2.0**-52):
        points = [[1 - step, 0.5, 0.25], [1 + step, 0.5, 0.25], [0.5, step, 0.3], [0.5, -step, 0.3]]
        found = distances(points, mesh)
        np.testing.assert_array_equal(np.sign(found), [-1, 1, -1, 1])
        np.testing.assert_allclose(np.abs(found), [1 - points[0][0], points[1][0] - 1, step, step], rtol=1e-12)
        selected = by_estoc.select_enclosed_points(Data(points, dtype=np.float64), mesh)
        assert selected.point_data["SelectedPoints"].tolist() == [1, 0, 1, 0]


def test_points_close_to_a_surface_where_parts_overlap_are_inside(ball):
    # The inner ball winds around what is in it once more.
    vertices, triangles = ball.points.astype(np.float64), ball.faces.reshape(-1, 4)[:, 1:]
    middles, normals = vertices[triangles].mean(axis=1), np.cross(
        *(vertices[triangles[:, corner]] - vertices[triangles[:, 0]] for corner in (1, 2))
    )
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    for dtype in (np.float32, np.float64):
        both = Data([*vertices, *(vertices / 2)], [*triangles, *(triangles + len(vertices))], dtype)
        for step in (1e-7, 1e-8, -1e-8):
            assert (distances(middles / 2 - step * normals, both) < 0).all()
        assert (distances(middles - 1e-7 * normals, both) < 0).all()
        assert (distances(middles + 1e-7 * normals, both) > 0).all()
    # What has coordinates far from a point may be rounded by more than the point.
    mesh = Data(1e3 * vertices + [1e3, 0, 0], triangles, np.float64)
    scene, tree = estoc.Scene(), by_estoc._surface("mesh", mesh)
    scene.add(tree.bvh)
    points = np.random.default_rng(7).normal(size=(3000, 3)) * 1e-4 + mesh.points[np.arange(3000) % len(vertices)]
    inside = scene.contains(tree.rounded.local(points))
    np.testing.assert_array_equal(distances(points, mesh) < 0, inside)


def test_distances_of_points_far_away(ball, recwarn):
    open_ball = Data(ball.points, ball.faces.reshape(-1, 4)[5:, 1:])
    points = np.array([[1e300, 0, 0], [0, -1e200, 1e200], [0.5, 0, 0], [2, 0, 0]])
    for mesh in (ball, open_ball, Data(ball.points, ball.faces.reshape(-1, 4)[:, 1:], np.float64)):
        np.testing.assert_allclose(distances(points, mesh)[:2], [1e300, np.sqrt(2) * 1e200])
        np.testing.assert_array_equal(distances(points, mesh)[2:], distances(points[2:], mesh))
    assert distances([[1.7e308] * 3], ball).tolist() == [np.inf]
    tiny = Data(SQUARE * 1e-200, HALVES, np.float64)
    assert distances([[1e300, 0, 0]], tiny).tolist() == [np.inf]
    by_estoc.ray_trace(tiny, [1e300, 0, 0], [0, 0, 0])
    by_estoc.multi_ray_trace(tiny, [[1e300, 0, 0]], [[1e300, 0, 0]])
    assert not recwarn.list


def test_accessors_name_their_data():
    assert repr(by_estoc.Accessor(Data([]))) == "<estoc.pyvista.Accessor of a Data>"


def test_insides(ball):
    points = Data([[0, 0, 0], [0, 0, 1], [0, 0, 2]])
    for inside_out, enclosed, signed in ((False, [1, 1, 0], [1, 1, 0]), (True, [0, 0, 1], [0, 1, 1])):
        found = by_estoc.select_enclosed_points(points, ball, inside_out=inside_out).point_data["SelectedPoints"]
        assert found.dtype == np.uint8 and found.tolist() == enclosed
        for method, expected in (("cell_locator", enclosed), ("signed_distance", signed)):
            result = by_estoc.select_interior_points(points, ball, method=method, inside_out=inside_out)
            found = result.point_data["selected_points"]
            assert found.dtype == np.bool_ and found.tolist() == expected and result.active == "selected_points"
    assert points.point_data == {}


def test_insides_of_open_surfaces(ball):
    open_ball, points = Data(ball.points, ball.faces.reshape(-1, 4)[5:, 1:]), Data([[0, 0, 0], [0, 0, 2]])
    for call in (by_estoc.select_enclosed_points, by_estoc.select_interior_points):
        with pytest.raises(RuntimeError, match="surface is not closed") as refused:
            call(points, open_ball)
        assert isinstance(refused.value, estoc.SurfaceError)
        [found] = call(points, open_ball, check_surface=False).point_data.values()
        assert found.tolist() == [True, False]


def test_empty_surfaces_and_points(ball):
    nothing, points = Data([]), Data([[0, 0, 0], [np.nan, 0, 0]])
    assert distances(points.points, nothing).tolist() == [np.inf, np.inf]
    assert distances(points.points, ball)[1] == np.inf
    assert len(by_estoc.ray_trace(nothing, [0, 0, 0], [1, 1, 1])[1]) == 0
    assert [len(column) for column in by_estoc.multi_ray_trace(ball, np.zeros((0, 3)), np.zeros((0, 3)))] == [0, 0, 0]
    assert [len(column) for column in by_estoc.multi_ray_trace(ball, [[np.nan, 0, 0]], [[1, 0, 0]])] == [0, 0, 0]
    assert len(by_estoc.ray_trace(ball, [0, 0, 0], [np.inf, 0, 0])[1]) == 0
    for method in ("signed_distance", "cell_locator"):
        for inside_out in (False, True):
            found = by_estoc.select_interior_points(points, nothing, method=method, inside_out=inside_out)
            assert found.point_data["selected_points"].tolist() == [inside_out] * 2
        assert by_estoc.select_interior_points(nothing, ball, method=method).point_data["selected_points"].shape == (0,)
    assert by_estoc.select_enclosed_points(points, nothing).point_data["SelectedPoints"].tolist() == [0, 0]


def test_wrong_faces_are_refused():
    for points, faces, words in (
        ([*SQUARE[:3], [0, 4, np.nan]], HALVES, r"surface.points\[3\] is not finite: \[0.0, 4.0, nan\]"),
        (SQUARE, [[0, 1, 4]], "vertex 4 is out of range"),
    ):
        with pytest.raises(estoc.MeshError, match=words):
            by_estoc.compute_implicit_distance(Data(SQUARE), Data(points, faces))


@pytest.mark.parametrize(
    "error, words, call",
    [
        (ValueError, r"origin has the shape \(2,\)", lambda mesh: by_estoc.ray_trace(mesh, [0, 0], [1, 1, 1])),
        (TypeError, "end_point has the dtype", lambda mesh: by_estoc.ray_trace(mesh, [0, 0, 0], None)),
        (ValueError, r"origins has the shape \(3,\)", lambda mesh: by_estoc.multi_ray_trace(mesh, [0] * 3, [1] * 3)),
        (ValueError, "directions has the", lambda mesh: by_estoc.multi_ray_trace(mesh, [[0] * 3] * 2, [[1] * 3] * 3)),
        (TypeError, "mesh is a int; wanted is a data set", lambda mesh: by_estoc.compute_implicit_distance(3, mesh)),
        (ValueError, "method is 'x'", lambda mesh: by_estoc.select_interior_points(mesh, mesh, method="x")),
        (ValueError, "locator_tol", lambda mesh: by_estoc.select_interior_points(mesh, mesh, locator_tolerance=1)),
        (TypeError, "tolerance is 'x'", lambda mesh: by_estoc.select_enclosed_points(mesh, mesh, "x")),
    ],
)
def test_wrong_arguments_are_refused_by_name(ball, error, words, call):
    with pytest.raises(error, match=words):
        call(ball)


class TestWithPyVista:
    """Beside PyVista's own filters."""

    @pytest.fixture(autouse=True)
    def pv(self):
        self.pv = pytest.importorskip("pyvista")

    def test_distances_are_those_of_vtk(self):
        pv = self.pv
        grid = pv.ImageData(dimensions=(17, 17, 17), spacing=(1 / 12,) * 3, origin=(-0.6, -0.7, -0.65))
        open_ball = pv.Sphere(end_theta=270, end_phi=120)
        for surface in (pv.Sphere(), pv.Cube(), pv.Cone(), open_ball, pv.Plane(), pv.ParametricTorus()):
            for dtype in (np.float32, np.float64):
                surface.points = surface.points.astype(dtype)
                theirs = grid.compute_implicit_distance(surface)
                ours = by_estoc.compute_implicit_distance(grid, surface)
                assert type(ours) is type(theirs) and ours.array_names == theirs.array_names
                expected, found = theirs["implicit_distance"], ours["implicit_distance"]
                assert type(found) is type(expected) and found.dtype == expected.dtype
                np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-6 if dtype is np.float64 else 1e-14)
                unlike = np.flatnonzero(np.sign(found) != np.sign(expected))
                assert (np.abs(expected[unlike]) < 1e-6).all()
        assert by_estoc.compute_implicit_distance(grid, surface, inplace=True) is grid
        assert grid.array_names == ["implicit_distance"]

    def test_rays_are_those_of_vtk(self):
        mesh = self.pv.Sphere(theta_resolution=20, phi_resolution=20)
        random = np.random.default_rng(2)
        for start, end in zip(random.uniform(-1, 1, (200, 3)), random.uniform(-1, 1, (200, 3))):
            expected, cells = mesh.ray_trace(start, end)
            points, ours = by_estoc.ray_trace(mesh, start, end)
            assert sorted(ours) == sorted(cells)
            order, theirs = np.argsort(ours), np.argsort(cells)
            np.testing.assert_allclose(points[order], expected[theirs], atol=1e-6)

    def test_cells_are_counted_as_vtk_does(self):
        pv = self.pv
        plane = pv.Plane(i_resolution=3, j_resolution=2)
        mesh = pv.PolyData(plane.points, faces=plane.faces, lines=[2, 0, 1], verts=[1, 0, 1, 2])
        pentagon = pv.Polygon(n_sides=5)
        for surface in (plane, mesh, mesh.triangulate(), plane.triangulate().strip(), pentagon):
            assert len(estoc.from_pyvista(surface)) == surface.triangulate().n_cells
            for x, y in np.random.default_rng(4).uniform(-0.45, 0.45, (40, 2)):
                expected, cells = surface.ray_trace([x, y, 1], [x, y, -1])
                points, ours = by_estoc.ray_trace(surface, [x, y, 1], [x, y, -1])
                np.testing.assert_array_equal(ours, cells)
                np.testing.assert_allclose(points, expected, atol=1e-7)
        assert "estoc_cells" not in mesh.array_names + plane.array_names

    def test_insides_are_those_of_vtk(self):
        pv = self.pv
        grid = pv.ImageData(dimensions=(17, 17, 17), spacing=(1 / 12,) * 3, origin=(-0.6, -0.7, -0.65))
        for surface in (pv.Sphere(), pv.Cone().triangulate(), pv.ParametricTorus()):
            for inside_out in (False, True):
                for method in ("signed_distance", "cell_locator"):
                    if not hasattr(grid, "select_interior_points"):
                        continue
                    how = dict(method=method, inside_out=inside_out)
                    ours = by_estoc.select_interior_points(grid, surface, **how)
                    distance = np.abs(by_estoc.compute_implicit_distance(grid, surface)["implicit_distance"])
                    assert ours.active_scalars_name == "selected_points" and grid.array_names == []
                    if method == "signed_distance":
                        theirs = grid.select_interior_points(surface, check_surface=False, **how)
                        unlike = ours["selected_points"] != theirs["selected_points"]
                        assert ours["selected_points"].dtype == theirs["selected_points"].dtype
                        assert (distance[unlike] < 1e-6).all()
                    else:
                        inside = by_estoc.compute_implicit_distance(grid, surface)["implicit_distance"] < 0
                        assert ((ours["selected_points"] != inside_out) == inside)[distance > 1e-6].all()

    def test_polygons_are_refused_where_pyvista_refuses_them(self):
        with pytest.raises(self.pv.NotAllTrianglesError, match="triangulate"):
            by_estoc.multi_ray_trace(self.pv.Cube(), [[0, 0, 0]], [[1, 0, 0]])

    def test_no_trimesh_is_needed(self, monkeypatch):
        monkeypatch.setitem(__import__("sys").modules, "trimesh", None)
        by_estoc.install()
        try:
            points, rays, cells = self.pv.Sphere().multi_ray_trace([[0, 0, 0]] * 2, [[1, 0.1, 0.2], [0, 0.1, 1]])
        finally:
            by_estoc.uninstall()
        assert rays.tolist() == [0, 1] and len(points) == len(cells) == 2

    def test_other_data_sets_are_refused(self, recwarn):
        for mesh in (self.pv.ImageData(dimensions=(2, 2, 2)), self.pv.UnstructuredGrid(), self.pv.MultiBlock()):
            with pytest.raises(TypeError, match="extract_surface"):
                estoc.from_pyvista(mesh)
        assert not recwarn.list

    @pytest.mark.parametrize(
        "change",
        [
            lambda mesh: mesh.translate([5, 0, 0], inplace=True),
            lambda mesh: mesh.points.__setitem__((slice(None), 0), mesh.points[:, 0] + 5),
            lambda mesh: setattr(mesh, "points", mesh.points + [5, 0, 0]),
            lambda mesh: setattr(mesh, "faces", mesh.faces[:0]),
            lambda mesh: mesh.copy_from(self_moved(mesh)),
        ],
    )
    def test_changes_are_seen(self, change):
        mesh = self.pv.Sphere()
        ray = [0, 0, 0], [1, 0.1, 0.2]
        assert len(by_estoc.ray_trace(mesh, *ray)[1]) == 1
        tree = by_estoc._kept[id(mesh)][2]
        mesh["answers"] = np.arange(mesh.n_points)
        by_estoc.ray_trace(mesh, *ray)
        assert by_estoc._kept[id(mesh)][2] is tree
        change(mesh)
        assert len(by_estoc.ray_trace(mesh, *ray)[1]) == 0

    def test_install_and_uninstall(self):
        pv = self.pv
        names = [(pv.PolyDataFilters, "ray_trace"), (pv.PolyDataFilters, "multi_ray_trace"),
                 (pv.DataSetFilters, "compute_implicit_distance"), (pv.DataSetFilters, "select_interior_points")]
        before = [getattr(owner, name, None) for owner, name in names]
        by_estoc.install()
        by_estoc.install()
        try:
            assert pv.PolyData.ray_trace is by_estoc.ray_trace
            assert pv.ImageData.compute_implicit_distance is by_estoc.compute_implicit_distance
            point, _ = pv.Sphere().ray_trace([-1, 0.01, 0.02], [1, 0.01, 0.02], first_point=True)
            assert point[0] < 0
        finally:
            by_estoc.uninstall()
        assert [getattr(owner, name, None) for owner, name in names] == before

    def test_the_accessor(self):
        pv = self.pv
        if not hasattr(pv, "register_dataset_accessor"):
            pytest.skip("PyVista 0.48 and later have accessors")
        mesh = pv.Sphere()
        segment = [-1, 0, 0.1], [1, 0, 0.1]
        one, other = mesh.estoc.ray_trace(*segment), by_estoc.ray_trace(mesh, *segment)
        np.testing.assert_array_equal(one[0], other[0])
        assert len(mesh.estoc.multi_ray_trace([[0, 0, 0]], [[1, 0, 0]])[0]) == 1
        cloud = pv.PolyData([[0, 0, 0], [0, 0, 3.0]])
        assert cloud.estoc.select_enclosed_points(mesh)["SelectedPoints"].tolist() == [1, 0]
        assert cloud.estoc.select_interior_points(mesh)["selected_points"].tolist() == [True, False]
        assert cloud.estoc.compute_implicit_distance(mesh)["implicit_distance"][1] == 2.5

    def test_pickles_and_copies(self):
        mesh = self.pv.Sphere()
        by_estoc.ray_trace(mesh, [0, 0, 0], [1, 0, 0])
        copy = mesh.copy()
        copy.translate([5, 0, 0], inplace=True)
        assert len(by_estoc.ray_trace(copy, [0, 0, 0], [1, 0, 0])[1]) == 0
        assert len(by_estoc.ray_trace(mesh, [0, 0, 0], [1, 0, 0])[1]) == 1


def self_moved(mesh):
    return mesh.translate([5, 0, 0], inplace=False)
