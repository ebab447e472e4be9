"""Meshes in float64: nothing is rounded, and numbers of answers are the nearest float64s."""

import copy
import pickle
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import estoc
import estoc.analysis
from conftest import same, some_rays, sphere

#: The south-west corner of a house on a map, and its size.
CORNER, SIZE = np.array([502345.125, 5201234.751, 310.25]), np.array([10.0, 10.0, 3.0])

#: Two triangles for each side of a box with corners by bits: x, y, z.
SIDES = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]


def box(low=CORNER, size=SIZE):
    corners = np.array([low + size * [i & 1, i >> 1 & 1, i >> 2] for i in range(8)])
    return corners, np.array([face for a, b, c, d in SIDES for face in ((a, b, c), (a, c, d))])


def wide(points, faces, **how):
    return estoc.Bvh(estoc.Mesh(points, faces, dtype=np.float64), **how)


@pytest.fixture(scope="module")
def house():
    return wide(*box())


@pytest.fixture(scope="module")
def pair():
    """The same mesh, of float32 numbers, in float32 and in float64."""
    points, faces = sphere(12)
    points = points.astype(np.float32)
    groups = np.arange(len(faces)) % 3 + 1
    return estoc.Bvh(estoc.Mesh(points, faces), groups=groups), wide(points, faces, groups=groups)


def exact(*numbers):
    return [Fraction(float(x)) for x in numbers]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def hit_of(ray, corners):
    """The exact t, u and v of the hit of a ray on a triangle, if it is one from 0 on."""
    origin, direction = exact(*ray[:3]), exact(*ray[3:])
    a, b, c = (exact(*corner) for corner in corners)
    e, f, s = minus(b, a), minus(c, a), minus(origin, a)
    across = cross(direction, f)
    det = dot(e, across)
    if det == 0:
        return None
    u, v, t = dot(s, across) / det, dot(direction, cross(s, e)) / det, dot(f, cross(s, e)) / det
    return (t, u, v) if u >= 0 and v >= 0 and u + v <= 1 and t >= 0 else None


def square_of(point, corners):
    """The exact square of the distance of a point from a triangle with area."""
    p, (a, b, c) = exact(*point), (exact(*corner) for corner in corners)
    found = []
    for start, end in ((a, b), (b, c), (c, a)):
        along, s = minus(end, start), minus(p, start)
        share = min(max(dot(s, along) / dot(along, along), Fraction(0)), Fraction(1))
        off = [x - share * y for x, y in zip(s, along)]
        found.append(dot(off, off))
    normal = cross(minus(b, a), minus(c, a))
    if all(dot(cross(minus(end, start), minus(p, start)), normal) >= 0 for start, end in ((a, b), (b, c), (c, a))):
        return dot(minus(p, a), normal) ** 2 / dot(normal, normal)
    return min(found)


def hostile(seed, count=24):
    """Triangles with coordinates of one of some kinds, and points beside and between their corners."""
    rng = np.random.default_rng(seed)
    shift = [0.0, 5.2e6, 1e-300, 3.0][seed % 4]
    size = [1e-3, 0.3, 1e-300, 1e200][seed % 4]
    points = shift + size * rng.integers(-3, 4, (3 * count, 3)) / [4.0, 3.0, 7.0]
    faces = np.arange(3 * count).reshape(-1, 3)
    corners = points[faces]
    flat = np.array([not any(cross(minus(exact(*b), exact(*a)), minus(exact(*c), exact(*a)))) for a, b, c in corners])
    return points, faces[~flat], rng, shift, size


@pytest.mark.parametrize("seed", range(8))
def test_rays_are_those_of_fractions(seed):
    points, faces, rng, shift, size = hostile(seed)
    bvh, corners = wide(points, faces), points[faces]
    starts = shift + size * rng.normal(size=(60, 3))
    # At corners, at middles of edges as float64 has them, and anywhere.
    ends = np.concatenate([points[:20], (points[:20] + points[1:21]) / 2, shift + size * rng.normal(size=(20, 3))])
    rays = np.concatenate([starts, ends - starts], axis=1)
    hits, lists = bvh.closest_hit(rays), bvh.all_hits(rays)
    assert hits.t.dtype == hits.u.dtype == hits.v.dtype == lists.t.dtype == lists.u.dtype == np.float64
    expected = []
    for i, ray in enumerate(rays):
        found = [(hit, prim) for prim, triangle in enumerate(corners) if (hit := hit_of(ray, triangle))]
        found.sort(key=lambda one: (one[0][0], one[1]))
        expected += [(i, prim, *map(float, hit)) for hit, prim in found]
        assert hits.prim[i] == (found[0][1] if found else -1)
    got = zip(lists.ray.tolist(), lists.prim.tolist(), lists.t.tolist(), lists.u.tolist(), lists.v.tolist())
    assert list(got) == expected and len(expected) > 40
    first = lists.offsets[:-1][hits.is_hit]
    for name in ("t", "prim", "u", "v"):
        np.testing.assert_array_equal(getattr(hits, name)[hits.is_hit], getattr(lists, name)[first])
    np.testing.assert_array_equal(bvh.any_hit(rays), hits.is_hit)
    np.testing.assert_array_equal(bvh.count_hits(rays), np.diff(lists.offsets))
    np.testing.assert_array_equal(bvh.count_crossings(rays), np.diff(bvh.crossings(rays).offsets))


@pytest.mark.parametrize("seed", (0, 1, 3, 5))
def test_points_are_those_of_fractions(seed):
    points, faces, rng, shift, size = hostile(seed, 12)
    bvh, corners = wide(points, faces), points[faces]
    asked = np.concatenate([shift + size * rng.normal(size=(30, 3)), points[:6], (points[:6] + points[1:7]) / 2])
    found = bvh.closest_point(asked)
    assert found.point.dtype == found.distance.dtype == found.u.dtype == np.float64
    for point, distance, prim in zip(asked, found.distance, found.prim):
        squares = [square_of(point, triangle) for triangle in corners]
        assert squares[prim] == min(squares) and prim == squares.index(min(squares))
        # Between the middles to the numbers beside it.
        low, high = ((Fraction(float(distance)) + Fraction(float(np.nextafter(distance, end)))) / 2 for end in (-1, np.inf))
        assert max(low, 0) ** 2 <= squares[prim] <= high**2
    np.testing.assert_array_equal(bvh.distance(asked), found.distance)


def test_the_house_on_the_map(house):
    """The walls are where the numbers say: in float32, its coordinates are multiples of a half."""
    y = 5201234.6
    expected = float(Fraction(CORNER[1]) - Fraction(y))
    assert abs(expected - 0.151) < 1e-9
    before = [CORNER[0] + 5, y, 311.0]
    hit = house.closest_hit([*before, 0, 1, 0])
    assert hit.t == expected and hit.t.dtype == np.float64
    assert house.distance(before) == expected
    found = house.closest_point(before)
    assert found.point.tolist() == [before[0], CORNER[1], 311.0]
    low, high = 5201234.751, float(np.nextafter(5201234.751, np.inf))
    at = lambda y: [CORNER[0] + 5, y, 311.0]
    inside = house.contains([at(5201234.7), at(np.nextafter(low, 0)), at(low), at(high), at(5201234.802)])
    assert inside.tolist() == [False, False, True, True, True]
    signed = house.signed_distance([at(5201234.6), at(5201234.802), at(low), [np.nan, 0, 0]])
    assert signed.tolist() == [expected, -float(Fraction(5201234.802) - Fraction(low)), 0.0, np.inf]
    assert abs(signed[1] + 0.051) < 1e-9 and signed.dtype == np.float64
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert abs(estoc.Bvh(estoc.Mesh(*box())).distance(before) - expected) > 0.05


def test_radii_are_not_rounded(house):
    before = [CORNER[0] + 5, 5201234.6, 311.0]
    distance = float(house.distance(before))
    assert float(np.float32(distance)) != distance
    for radius, count in ((distance, 2), (np.nextafter(distance, 0), 0)):
        found = house.within(before, radius)
        assert len(found.prim) in (1, 2) if count else len(found.prim) == 0
        assert (house.closest_point(before, max_distance=radius).prim >= 0) == bool(count)
    assert house.within(before, -1.0).prim.size == house.within(before, np.nan).prim.size == 0
    with pytest.raises(estoc.QueryError):
        house.within([before], 1e3, max_hits=5)


def rounded(answers):
    """Answers with numbers rounded to float32."""
    return tuple(x.astype(np.float32) if x.dtype == np.float64 else x for x in answers)


def test_float32_numbers_have_the_answers_of_float32(pair):
    narrow, wide = pair
    rays = some_rays(1000)
    hits = wide.closest_hit(rays)
    assert hits.t.dtype == np.float64
    ahead = rays[hits.is_hit]
    prims = hits.prim[hits.is_hit]
    how = [
        dict(), dict(t_min=0.5), dict(t_max=1.25), dict(cull="back"), dict(cull="front"), dict(mask=2), dict(skip=prims),
        dict(t_max=np.linspace(0, 3, len(ahead))), dict(mask=np.arange(len(ahead)) % 4), dict(threads=1),
    ]
    for options in how:
        same(narrow.closest_hit(ahead, **options), rounded(wide.closest_hit(ahead, **options)))
        for name in ("all_hits", "crossings"):
            same(getattr(narrow, name)(ahead, **options), rounded(getattr(wide, name)(ahead, **options)))
        for name in ("any_hit", "count_hits", "count_crossings"):
            np.testing.assert_array_equal(getattr(narrow, name)(ahead, **options), getattr(wide, name)(ahead, **options))
    first = narrow.closest_hit(ahead)
    for options in (dict(after=first), dict(k=1), dict(k=1, after=prims), dict(distinct=True)):
        same(narrow.all_hits(ahead, **options), rounded(wide.all_hits(ahead, **options)))
    np.testing.assert_array_equal(narrow.any_hit(ahead, t_max=1, open_ends=True), wide.any_hit(ahead, t_max=1, open_ends=True))
    with pytest.raises(IndexError):
        wide.any_hit(ahead, skip=len(wide))
    points = rays[:, :3] / 2
    same(narrow.closest_point(points), rounded(wide.closest_point(points)))
    same(narrow.closest_point(points, max_distance=0.5), rounded(wide.closest_point(points, max_distance=0.5)))
    same(narrow.within(points, 0.25), wide.within(points, 0.25))
    np.testing.assert_array_equal(narrow.distance(points), wide.distance(points).astype(np.float32))
    np.testing.assert_array_equal(narrow.contains(points), wide.contains(points))
    np.testing.assert_array_equal(narrow.signed_distance(points), wide.signed_distance(points).astype(np.float32))
    np.testing.assert_array_equal(narrow.bounds, wide.bounds)
    np.testing.assert_array_equal(narrow.normals(hits), wide.normals(hits))
    np.testing.assert_array_equal(narrow.sides(hits, rays[:, 3:]), wide.sides(hits, rays[:, 3:]))
    assert narrow.is_closed and wide.is_closed and len(narrow) == len(wide)


def test_arrays_of_every_layout(pair):
    _, bvh = pair
    rays = some_rays(200).astype(np.float64) * (1 + 2.0**-40)
    hits = bvh.closest_hit(rays)
    same(hits, bvh.closest_hit(rays.tolist()))
    same(hits, bvh.closest_hit(np.asfortranarray(rays)))
    same(hits, bvh.closest_hit(np.repeat(rays, 2, axis=0)[::2]))
    same(hits, bvh.closest_hit(rays[:, :3], rays[:, 3:]))
    same(hits, bvh.closest_hit(rays.astype(">f8")))
    for i in range(0, 200, 17):
        one = bvh.closest_hit(rays[i])
        assert one.t.shape == () and [x[()] for x in one] == [x[i] for x in hits]
    same([x.reshape(4, 50) for x in hits], bvh.closest_hit(rays.reshape(4, 50, 6)))
    out = estoc.Hits(*[np.empty_like(x) for x in hits])
    assert bvh.closest_hit(rays, out=out) is not None
    same(hits, out)
    with pytest.raises(TypeError, match="out.t has the dtype float32; wanted is .*float64"):
        bvh.closest_hit(rays, out=out._replace(t=np.empty(200, np.float32)))
    for shape in ((0, 6), (3, 0, 6)):
        assert bvh.closest_hit(np.empty(shape)).t.shape == shape[:-1]
        assert bvh.all_hits(np.empty(shape)).t.dtype == np.float64
    assert bvh.closest_point(np.empty((0, 3))).point.shape == (0, 3)
    # float32 is widened, and not rounded before.
    same(bvh.closest_hit(some_rays(50)), bvh.closest_hit(some_rays(50).astype(np.float64)))


def test_numbers_that_are_not_finite(pair):
    _, bvh = pair
    good = np.array([0, 0, -3, 0, 0, 1.0])
    for place in range(6):
        for number in (np.nan, np.inf, -np.inf):
            ray = good.copy()
            ray[place] = number
            hit = bvh.closest_hit(ray)
            assert hit.prim == -1 and hit.t == np.inf and hit.u == 0
            assert not bvh.any_hit(ray) and bvh.count_hits(ray) == 0
    assert bvh.closest_hit([0, 0, -3, 0, 0, 0]).prim == -1
    assert not bvh.any_hit(good, t_min=np.nan) and not bvh.any_hit(good, t_max=np.nan)
    found = bvh.closest_point([[np.nan, 0, 0], [0, np.inf, 0]])
    assert found.prim.tolist() == [-1, -1] and np.isnan(found.point).all() and (found.distance == np.inf).all()
    assert bvh.contains([[np.nan, 0, 0]]).tolist() == [False]
    # Numbers beyond float32, and rays as long.
    assert bvh.closest_hit([0, 0, -1e300, 0, 0, 1e300]).t == 1 and bvh.distance([1e300, 0, 0]) == 1e300


def test_meshes(tmp_path):
    points, faces = box()
    mesh = estoc.Mesh(points, faces, dtype=np.float64)
    assert mesh.dtype == np.float64 and estoc.Mesh(faces * 1.0, faces[:1]).dtype == np.float32
    for other in (float, "float64", np.dtype(np.float64)):
        assert estoc.Mesh(points, faces, dtype=other).dtype == np.float64
    np.testing.assert_array_equal(mesh.vertices, points)
    assert mesh.vertices.dtype == mesh.local_vertices.dtype == mesh.bounds.dtype == np.float64
    np.testing.assert_array_equal(mesh.bounds, [CORNER, CORNER + SIZE])
    np.testing.assert_array_equal(mesh.from_world(points), points)
    np.testing.assert_array_equal(mesh.to_world(points), points)
    assert not mesh.has_origin and "float64" in repr(mesh) and "float64" in repr(estoc.Bvh(mesh))
    with pytest.raises(ValueError):
        mesh.vertices[0] = 0
    for again in (pickle.loads(pickle.dumps(mesh)), copy.deepcopy(mesh)):
        assert again.dtype == np.float64
        np.testing.assert_array_equal(again.vertices, points)
        np.testing.assert_array_equal(again.faces, faces)
    widened = estoc.Mesh(np.float32(sphere(4)[0]), sphere(4)[1], dtype=np.float64)
    np.testing.assert_array_equal(widened.vertices, np.float32(sphere(4)[0]))
    apart = np.repeat(points, 2, axis=0)[::2]
    assert not apart.flags.c_contiguous
    np.testing.assert_array_equal(estoc.Mesh(apart, faces, dtype=np.float64).vertices, points)
    assert len(estoc.Mesh([], [], dtype=np.float64)) == 0 and estoc.Mesh([], [], dtype=np.float64).bounds is None
    assert estoc.Bvh(estoc.Mesh([], [], dtype=np.float64)).closest_hit([0, 0, 0, 1, 0, 0]).prim == -1
    for wrong, kind in (("float16", ValueError), ("auto", ValueError), (None, TypeError), (int, TypeError), (">f8", ValueError)):
        with pytest.raises(kind, match="dtype is .*; it must be numpy.float32 or numpy.float64"):
            estoc.Mesh(points, faces, dtype=wrong)
    for origin in ("auto", CORNER):
        with pytest.raises(ValueError, match="origin is for dtype=numpy.float32"):
            estoc.Mesh(points, faces, dtype=np.float64, origin=origin)
    points[3, 1] = np.nan
    with pytest.raises(estoc.MeshError, match="bad_faces"):
        estoc.Mesh(points, faces, dtype=np.float64)
    assert 0 < len(estoc.Mesh(points, faces, dtype=np.float64, bad_faces="skip")) < len(faces)
    with pytest.raises(estoc.MeshError, match="vertex index 8 is out of range"):
        estoc.Mesh(box()[0], [[0, 1, 8]], dtype=np.float64)


def test_nothing_is_told_of_rounding():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estoc.Mesh(*box(), dtype=np.float64)
        far = estoc.Mesh([[1e300, 0, 0], [-1e300, 1e-300, 0], [0, 1e308, 1e300]], [[0, 1, 2]], dtype=np.float64)
        normal = far.normals_at([0, -1])
        np.testing.assert_allclose(np.linalg.norm(normal, axis=1), [1, 0])
        np.testing.assert_array_equal(far.points_at([0], [0.0], [1.0]), [[0, 1e308, 1e300]])
    with pytest.warns(UserWarning, match="dtype=numpy.float64 all of them"):
        estoc.Mesh(*box())
    with pytest.raises(estoc.MeshError, match="make it with dtype=numpy.float64"):
        estoc.Mesh([[1e300, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2]])


def obj(points, faces):
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in points.tolist()] + ["f {} {} {}".format(*(face + 1)) for face in faces]
    return "\n".join(lines) + "\n"


def test_files(tmp_path):
    path, near = tmp_path / "house.obj", tmp_path / "ball.obj"
    path.write_text(obj(*box()))
    near.write_text(obj(*sphere(4)))
    mesh = estoc.Mesh.load(path, dtype=np.float64)
    np.testing.assert_array_equal(mesh.vertices, box()[0])
    assert estoc.Mesh.load(path, dtype=np.float32).dtype == estoc.Mesh.load(near).dtype == np.float32
    assert estoc.Mesh.load(path).dtype == estoc.Mesh.load(path, dtype="auto").dtype == np.float64
    assert estoc.Mesh.load(path, origin="auto").has_origin
    with pytest.raises(ValueError, match='dtype is \'half\'; it must be numpy.float32, numpy.float64 or "auto"'):
        estoc.Mesh.load(path, dtype="half")
    with pytest.raises(estoc.MeshError, match="not welded"):
        estoc.Mesh.load(path, dtype=np.float64, weld="auto")
    with pytest.raises(ValueError, match="origin is for dtype"):
        estoc.Mesh.load(path, dtype=np.float64, origin="auto")


def test_the_house_of_the_reports():
    path = Path(__file__).resolve().parents[3] / "shared/data/reports/utm-house.obj"
    if not path.exists():
        pytest.skip("the data are not there")
    house = estoc.Bvh(estoc.Mesh.load(path))
    points = [[502350.0, 5201234.6, 311.0], [502350.0, 5201234.802, 311.0]]
    np.testing.assert_allclose(house.distance(points), [0.151, 0.051], atol=1e-9)
    assert house.contains(points).tolist() == [False, True]


def test_trees_in_files(house, tmp_path):
    rays = np.concatenate([CORNER + SIZE * np.random.default_rng(2).normal(size=(50, 3)), np.ones((50, 3))], axis=1)
    path = tmp_path / "house.estoc"
    house.save(path)
    grouped = wide(*box(), groups=np.arange(12) % 2 + 1, threads=1)
    for tree, again in (
        (house, estoc.Bvh.load(path)),
        (house, estoc.Bvh.from_bytes(house.to_bytes())),
        (house, pickle.loads(pickle.dumps(house))),
        (grouped, copy.deepcopy(grouped)),
    ):
        assert again.mesh.dtype == np.float64 and again.threads == tree.threads
        np.testing.assert_array_equal(again.bounds, tree.bounds)
        for options in (dict(), dict(mask=1)):
            same(tree.all_hits(rays, **options), again.all_hits(rays, **options))
        same(tree.closest_point(rays[:, :3]), again.closest_point(rays[:, :3]))
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(estoc.TreeFileError):
        estoc.Bvh.load(path)
    for missing, error in ((tmp_path / "none.estoc", estoc.FileError), (tmp_path, estoc.TreeFileError)):
        with pytest.raises(error):
            estoc.Bvh.load(missing)


def test_scenes(house):
    scene = estoc.Scene()
    scene.add(house)
    scene.add(house, np.c_[np.eye(3), [0, 20, 0]])
    scene.add(estoc.Bvh(estoc.Mesh(*sphere(4))))
    before = [CORNER[0] + 5, 5201234.6, 311.0]
    distance = float(Fraction(CORNER[1]) - Fraction(before[1]))
    hits = scene.all_hits([*before, 0, 1, 0])
    assert hits.placement.tolist() == [0, 0, 1, 1] and hits.t.dtype == np.float32
    assert hits.t[0] == np.float32(distance) and scene.distance(before) == np.float32(distance)
    at = lambda y: [CORNER[0] + 5, y, 311.0]
    assert scene.contains([at(np.nextafter(CORNER[1], 0)), at(CORNER[1]), [0, 0, 0]]).tolist() == [False, True, True]
    np.testing.assert_allclose(scene.bounds, [[-1, -1, -1], CORNER + SIZE + [0, 20, 0]], rtol=1e-6)
    assert house.sphere_thickness(CORNER + [5, 5, 0], [0, 0, 1]) == pytest.approx(3)
    # The view of a scene is around all, and so around what is in float64.
    views = []
    for kind in (np.float32, np.float64):
        alone = estoc.Scene()
        alone.add(estoc.Bvh(estoc.Mesh(*sphere(4), dtype=kind)))
        views.append(alone.render(width=40, height=30, shade="normal", samples=1))
    assert (views[0] == views[1]).all(axis=2).mean() > 0.9 and len(np.unique(views[0].reshape(-1, 4), axis=0)) > 9
    assert estoc.analysis.visibility(scene, [before], [[*before[:2], 312.0], at(5201235.0)]).tolist() == [[True, False]]


def test_pictures_are_those_in_float32_near_0(house):
    """A picture of a house on a map, from an eye beside it, is that of the house at 0; distances are from the world's."""
    how = dict(width=40, height=30, samples=2, up="z")
    moved = np.asarray(CORNER) + [5, 5, 1.5]
    near = estoc.Mesh(house.mesh.vertices - moved, house.mesh.faces)
    for shade in ("normal", "ao", "thickness"):
        seen = [one.render(eye=at + [9, -20, 8], at=at, shade=shade, **how)
                for one, at in ((house, moved), (house.mesh, moved), (near, np.zeros(3)))]
        np.testing.assert_array_equal(seen[0], seen[1])
        assert (np.abs(seen[0].astype(int) - seen[2]) > 8).any(axis=2).mean() < 0.01
        assert len(np.unique(seen[0].reshape(-1, 4), axis=0)) > 3
    ball = estoc.Bvh(estoc.Mesh(*sphere(4)))
    for one, other in ((ball, house), (house, ball), (house, house)):
        one.render(shade="distance", to=other, **how)
    assert house._repr_png_()[:4] == b"\x89PNG" == house.mesh._repr_png_()[:4]


def has_point_in_box(corners, low, high):
    """Whether a triangle, cut off at each side of a box in turn, keeps a point."""
    rest = [exact(*corner) for corner in corners]
    for axis in range(3):
        for sign, end in ((1, Fraction(float(low[axis]))), (-1, Fraction(float(high[axis])))):
            height = [sign * (point[axis] - end) for point in rest]
            kept = []
            for i, point in enumerate(rest):
                if height[i] * height[i - 1] < 0:
                    share = height[i] / (height[i] - height[i - 1])
                    kept.append([x + share * (y - x) for x, y in zip(point, rest[i - 1])])
                if height[i] >= 0:
                    kept.append(point)
            rest = kept
    return bool(rest)


@pytest.mark.parametrize("seed", range(8))
def test_boxes_are_those_of_fractions(seed):
    points, faces, rng, shift, size = hostile(seed)
    bvh, corners = wide(points, faces), points[faces]
    low = np.concatenate([shift + size * rng.normal(size=(20, 3)), points[:20]])
    high = low + size * np.concatenate([rng.random((20, 3)), np.zeros((10, 3)), rng.random((10, 3))])
    found = bvh.overlaps(low, high)
    expected = [
        [prim for prim, triangle in enumerate(corners) if has_point_in_box(triangle, *ends)] for ends in zip(low, high)
    ]
    assert found.prim.tolist() == sum(expected, []) and found.prim.size > 20
    np.testing.assert_array_equal(np.diff(found.offsets), [len(prims) for prims in expected])
    same(found, bvh.overlaps(low.tolist(), high.tolist(), threads=1))


def segment_of(corners, point, normal):
    """The ends of the cut of a triangle with a plane, the nearest float64s; none for one without length. Corners on the
    plane are in front."""
    at, along = exact(*point), exact(*normal)
    corners = [exact(*corner) for corner in corners]
    height = [dot(along, minus(corner, at)) for corner in corners]
    ends = []
    for i in range(3):
        if (height[i] < 0) != (height[i - 1] < 0):
            share = height[i] / (height[i] - height[i - 1])
            ends.append(tuple(x + share * (y - x) for x, y in zip(corners[i], corners[i - 1])))
    return frozenset(tuple(map(float, end)) for end in ends) if len(set(ends)) == 2 else None


@pytest.mark.parametrize("seed", range(8))
def test_sections_are_those_of_fractions(seed):
    points, faces, rng, shift, size = hostile(seed)
    bvh, corners = wide(points, faces), points[faces]
    at = np.concatenate([points[:6], shift + size * rng.normal(size=(6, 3)) / 2])
    normals = np.concatenate([np.eye(3), rng.normal(size=(9, 3))])
    count = 0
    for point, normal, cut in zip(at, normals, bvh.sections(at, normals)):
        assert cut.points.dtype == np.float64
        found = {}
        for start, end, area in zip(cut.offsets, cut.offsets[1:], cut.areas):
            line = list(map(tuple, cut.points[start:end].tolist()))
            ends = line[1:] if np.isnan(area) else line[1:] + line[:1]
            for prim, *pair in zip(cut.prim[start:end].tolist(), line, ends):
                found[prim] = frozenset(pair)
        expected = {prim: segment_of(triangle, point, normal) for prim, triangle in enumerate(corners)}
        assert found == {prim: ends for prim, ends in expected.items() if ends is not None}
        count += len(found)
    assert count > 40


@pytest.mark.parametrize("seed", range(8))
def test_moving_points_hit_what_rays_hit(seed):
    points, faces, rng, shift, size = hostile(seed)
    bvh = wide(points, faces)
    starts, along = shift + size * rng.normal(size=(2, 60, 3))
    hits = bvh.closest_hit(starts, along - starts)
    contacts = bvh.sweep(starts, along - starts, 0)
    assert contacts.t.dtype == contacts.point.dtype == np.float64
    np.testing.assert_array_equal(contacts.t, hits.t)
    np.testing.assert_array_equal(contacts.prim, hits.prim)
    np.testing.assert_allclose(contacts.point, bvh.points(hits), rtol=1e-12, atol=1e-11 * size)


def test_questions_about_the_house_on_the_map(house):
    # Before the south wall, in front of which float32 has 5201234.5 only, and in it.
    low, high = CORNER + [4, -0.5, 1], [CORNER[0] + 5, np.nextafter(CORNER[1], 0), 312.0]
    assert house.overlaps(low, high).prim.size == 0
    high[1] = CORNER[1]
    assert set(house.overlaps(low, high).prim) == {4, 5}
    least, greatest = [[-np.inf] * 3, CORNER + 1, [np.nan, 0, 0], CORNER + 1], [[np.inf] * 3, CORNER + 2, CORNER, CORNER]
    inside = house.overlaps(least, greatest)
    assert inside.offsets.tolist() == [0, 12, 12, 12, 12]
    cut = house.section([502350.125, 0, 0], [1, 0, 0])
    assert abs(Fraction(cut.area) - 30) <= Fraction(30, 2**36) and cut.points.dtype == np.float64
    assert (cut.points[:, 0] == 502350.125).all() and set(cut.points[:, 2]) == {310.25, 311.75, 313.25}
    np.testing.assert_array_equal([cut.points[:, 1].min(), cut.points[:, 1].max()], [CORNER[1], CORNER[1] + 10])
    back = np.c_[cut.polygons()[0][0], np.zeros(8), np.ones(8)] @ cut.to_3d.T
    np.testing.assert_allclose(back[:, :3], cut.polylines[0], rtol=1e-15)
    assert len(house.section([0, np.nextafter(CORNER[1], 0), 0], [0, 1, 0]).prim) == 0
    assert house.section([0, np.nextafter(CORNER[1], np.inf), 0], [0, 5, 0]).area == 30
    north = wide(*box(CORNER + [0, 10.5, 0]))
    found = house.least_distance(north)
    assert found.distance == float(Fraction(CORNER[1] + 10.5) - Fraction(CORNER[1] + 10)) == 0.5
    assert found.point.dtype == np.float64 and found.point[:, 1].tolist() == [CORNER[1] + 10, CORNER[1] + 10.5]
    assert house.least_distance(north, max_distance=0.5).distance == 0.5
    assert house.least_distance(north, max_distance=np.nextafter(np.float32(0.5), np.float32(0))) is None
    near = wide(*box([CORNER[0], np.nextafter(CORNER[1] + 10, np.inf), CORNER[2]]))
    assert house.least_distance(near).distance == 2.0**-30 and len(house.intersections(near).kind) == 0
    touching = wide(*box([CORNER[0], CORNER[1] + 10, CORNER[2]]))
    assert house.least_distance(touching).distance == 0 and (house.intersections(touching).kind != 0).all()
    assert len(house.self_intersections().first) == 0 and house.check().is_ok
    center, radius = [CORNER[0] + 5, 5201231.6, 311.0], 0.3
    contacts = house.sweep([center] * 3, [0, 0.7, 0], [radius, -1, np.inf])
    expected = (Fraction(CORNER[1]) - Fraction(5201231.6) - Fraction(radius)) / Fraction(0.7)
    assert contacts.t.tolist() == [float(expected), np.inf, 0]
    assert contacts.point[0].tolist() == [center[0], CORNER[1], 311.0] and np.isnan(contacts.point[1]).all()
    assert house.sweep(center, [0, 0.7, 0], radius, t_max=float(expected) * (1 - 2.0**-52)).prim == -1
    # A point before the contact by less than float32 tells.
    before = [CORNER[0] + 5, np.nextafter(CORNER[1], 0), 311.0]
    assert not house.sweep(before, [0, 0, 1], 0).is_touching_at_start
    assert house.sweep([before[0], CORNER[1], 311.0], [0, 1, 0], 0).is_touching_at_start


def test_faults_in_the_last_bit():
    points, faces = box()
    apart = points[faces.ravel()]
    sound = wide(apart, np.arange(36).reshape(-1, 3)).check()
    assert sound.is_ok and sound.orientation == "outwards"
    assert wide(points, faces[:, ::-1]).check().orientation == "inwards"
    apart[0, 1] = np.nextafter(apart[0, 1], 0)
    found = wide(apart, np.arange(36).reshape(-1, 3)).check()
    assert found.open_edges == 4 and found.orientation is None and not found.is_ok
    twice = np.concatenate([points[faces[0]], points[faces[0]][[1, 2, 0]], points[faces[0]], [[1e300, 0, 0]] * 3])
    twice[6, 2] = np.nextafter(twice[6, 2], 0)
    found = wide(twice, np.arange(12).reshape(-1, 3)).check()
    assert (found.duplicate.tolist(), found.duplicate_of.tolist(), found.degenerate.tolist()) == ([1], [0], [3])
    assert found.self_intersections.first.tolist() == [0, 0, 1]


def test_float32_numbers_have_the_regions_and_pairs_of_float32(pair):
    narrow, wide_one = pair
    rng = np.random.default_rng(5)
    low = np.float32(rng.uniform(-1.2, 1, (50, 3)))
    same(narrow.overlaps(low, low + np.float32(0.25)), wide_one.overlaps(low, low + np.float32(0.25)))
    at, normals = np.float32(rng.normal(size=(2, 20, 3)) / 3)
    for one, other in zip(narrow.sections(at, normals), wide_one.sections(at, normals)):
        np.testing.assert_array_equal(one.points, other.points.astype(np.float32))
        for name in ("prim", "offsets", "areas", "parents", "is_hole", "to_3d"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        assert one.area == other.area
    how = 3 * at, -normals, np.float32(0.1)
    same(narrow.sweep(*how, t_max=2)[:2], rounded(wide_one.sweep(*how, t_max=2)[:2]))
    same(narrow.sweep(*how)[3:], wide_one.sweep(*how)[3:])
    points, faces = narrow.mesh.vertices, narrow.mesh.faces
    both = lambda by: [estoc.Bvh(estoc.Mesh(points + np.float32(by), faces, dtype=kind)) for kind in (np.float32, np.float64)]
    moved, far = both(0.5), both(4)
    pairs = narrow.intersections(moved[0])
    assert len(pairs.kind) > 20
    for one, other in ((narrow, moved[1]), (wide_one, moved[0]), (wide_one, moved[1])):
        same(pairs, one.intersections(other))
    one, other = narrow.least_distance(far[0]), wide_one.least_distance(far[1])
    assert one.distance == float(np.float32(other.distance)) != other.distance
    same(one[1:3], other[1:3])
    same(narrow.check()[4:7], wide_one.check()[4:7])
    assert narrow.check()[:4] == wide_one.check()[:4]


def test_how_regions_and_pairs_are_asked(house):
    at, up, ball = CORNER, [0, 0, 1], estoc.Bvh(estoc.Mesh(*sphere(4)))
    for one, other in ((house, ball), (ball, house)):
        assert len(one.intersections(other).kind) == 0
        with pytest.raises(estoc.QueryError, match="make both with the same dtype"):
            one.least_distance(other)
    far = estoc.Bvh(estoc.Mesh(*box(), origin="auto"))
    for ask in (house.least_distance, house.intersections):
        with pytest.raises(ValueError, match="other has its origin"):
            ask(far)
        with pytest.raises(TypeError, match="wanted is an estoc.Bvh"):
            ask(house.mesh)
    for normal in ([0, 0, 0], [0, np.nan, 1], [np.inf, 0, 0]):
        with pytest.raises(estoc.QueryError, match="plane 0: "):
            house.section(at, normal)
    with pytest.raises(estoc.QueryError, match="plane 1: .*must be finite"):
        house.sections([at, [np.inf, 0, 0]], up)
    # Normals of any length, also beyond float32.
    assert house.section(at + 1, [0, 0, 1e-300]).area == house.section(at + 1, [0, 0, 1e300]).area == 100
    with pytest.raises(estoc.QueryError):
        house.overlaps([at], [at + 1], max_hits=2)
    with pytest.raises(ValueError, match="radius has the shape"):
        house.sweep([at, at], up, [1, 2, 3])
    calls = []
    contacts = house.sweep([at, at], up, 1, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (2, 2)
    out = estoc.SphereContacts(*[np.empty_like(x) for x in contacts])
    same(house.sweep([at, at], up, 1, out=out, threads=1), contacts)
    with pytest.raises(TypeError, match="out.t has the dtype float32; wanted is .*float64"):
        house.sweep([at, at], up, 1, out=out._replace(t=np.empty(2, np.float32)))
    nothing = wide([], [])
    assert nothing.overlaps(at, at).prim.size == 0 and nothing.sweep(at, up, 1).prim == -1
    assert nothing.section(at, up).area == 0 and nothing.least_distance(house) is None and nothing.check().is_ok


def test_sides_by_each_rule(house, pair):
    # A wall of the house is at a number that float32 does not have.
    wall = CORNER + [0, 5, 1]
    points = np.array([np.nextafter(wall, CORNER - 1), wall, np.nextafter(wall, CORNER + 1), [np.nan] * 3])
    points[:, 1:] = wall[1:]
    for rule in ("parity", "winding_number", "winding_estimate"):
        assert house.contains(points, rule=rule).tolist() == [False, True, True, False]
        signed = house.signed_distance(points, rule=rule)
        gaps = np.abs(points[:3, 0] - wall[0])
        assert signed.dtype == np.float64 and signed.tolist() == [gaps[0], 0, -gaps[2], np.inf]
    winding = house.winding_number(points)
    assert winding.number.tolist() == [0, 0, 1, 0] and winding.on_surface.tolist() == [0, 1, 0, 0]
    estimate = house.winding_estimate(points)
    assert (np.abs(estimate.value - [0, 0.5, 1, 0]) <= estimate.error).all() and (estimate.error < 1e-12)[[0, 2, 3]].all()
    # Turned around, and open.
    corners, faces = box()
    assert wide(corners, faces[:, ::-1]).winding_number(points).number.tolist() == [0, 0, -1, 0]
    half = wide(corners, faces[2:])
    for ask in (half.winding_number, half.contains, lambda at: half.signed_distance(at, rule="winding_number")):
        with pytest.raises(estoc.SurfaceError, match="not closed"):
            ask(points)
    assert half.contains(wall + [1, 0, 1], rule="winding_estimate")
    # The numbers of float32 have the answers of float32.
    narrow, both = pair
    at = np.random.default_rng(51).uniform(-1.2, 1.2, (200, 3)).astype(np.float32)
    same(narrow.winding_number(at), both.winding_number(at.astype(np.float64)))
    for rule in ("parity", "winding_number", "winding_estimate"):
        same(narrow.contains(at, rule=rule), both.contains(at, rule=rule))
        np.testing.assert_array_equal(
            narrow.signed_distance(at, rule=rule), both.signed_distance(at, rule=rule).astype(np.float32)
        )


def test_what_is_for_float32_only(house):
    mesh, at = house.mesh, CORNER
    for error, ask in [
        (estoc.QueryError, lambda: mesh.vertex_normals()),
        (estoc.MeshError, lambda: mesh.welded(0.1)),
    ]:
        with pytest.raises(error, match="take meshes in float32 only so far; make this one with dtype=numpy.float32"):
            ask()
    with pytest.raises(estoc.PictureError, match="heat needs a mesh in f32"):
        house.render(width=8, height=8, shade="heat")
    # Others are closed.
    with pytest.raises(estoc.SurfaceError, match="not closed"):
        wide(box()[0], box()[1][1:]).contains(at)


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1.0, 1e3, 1e6, 1e12])
def test_offset_rays_do_not_hit_what_they_left(scale):
    """trimesh#48: rays that start at locations that were found, plus an offset, however small: what float64 puts in
    front of the surface is in front of it."""
    points, faces = sphere(12)
    ball = wide(points * scale, faces)
    rng = np.random.default_rng(48)
    towards = rng.normal(size=(300, 3))
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    hits = ball.closest_hit(3 * scale * towards, -towards)
    assert hits.is_hit.all()
    normals, at = ball.normals(hits), ball.points(hits)
    for offset in (1e-14, 1e-12, 1e-10, 1e-8, 1e-4):
        assert not ball.any_hit(at + offset * scale * normals, normals).any()
        again = ball.closest_hit(at - offset * scale * normals, normals)
        assert (again.prim == hits.prim).mean() > 0.95 and again.is_hit.all()
    # Without any, by the numbers of the triangles.
    assert not ball.any_hit(ball.spawn(hits, normals)).any()
    assert ball.any_hit(ball.spawn(hits, -normals)).all()


@pytest.mark.parametrize("seed", range(4))
def test_spawned_rays_start_on_their_side(seed):
    points, faces, rng, shift, size = hostile(seed)
    bvh = wide(points, faces)
    prim = rng.integers(0, len(faces), 100)
    u = rng.random(100)
    hits = estoc.Hits(np.ones(100), prim, u, (1 - u) * rng.random(100))
    dirs = rng.normal(size=(100, 3))
    spawned = bvh.spawn(hits, dirs)
    assert spawned.origins.dtype == spawned.directions.dtype == np.float64 and spawned.t_min == 5e-324
    for origin, direction, corners in zip(spawned.origins, dirs, points[faces[prim]]):
        a, b, c = (exact(*corner) for corner in corners)
        normal = cross(minus(b, a), minus(c, a))
        height, along = dot(normal, minus(exact(*origin), a)), dot(normal, exact(*direction))
        assert height * along >= 0
    np.testing.assert_allclose(spawned.origins, bvh.points(hits), rtol=1e-13, atol=1e-13 * size)
    missed = bvh.spawn(hits._replace(prim=np.full(100, -1)), dirs)
    assert not bvh.any_hit(missed).any()


def test_analysis(house):
    at, up = CORNER + SIZE * [0.5, 0.5, 0], [0, 0, 1]
    thick = estoc.analysis.thickness(house, at, up)
    assert thick.dtype == np.float64 and thick == 3.0
    outside = CORNER + [5, -1e-9, 1]
    seen = estoc.analysis.visibility(house, [outside, CORNER + [5, 1e-3, 1]], [outside - [0, 5, 0]])
    assert seen.tolist() == [[True], [False]]
    grid = estoc.analysis.signed_distance_grid(house, 2.5)
    assert grid.values.dtype == np.float64 and grid.values.min() == -0.5
    assert estoc.analysis.ambient_occlusion(house, at + [0, 0, 3.5], up, samples=64) == 0


def test_trimesh():
    trimesh = pytest.importorskip("trimesh")
    import estoc.trimesh

    mesh = trimesh.Trimesh(*box(), process=False)
    start, up = [[CORNER[0] + 5, 5201234.6, 311.0]], [[0, 1, 0]]
    expected = float(Fraction(CORNER[1]) - Fraction(5201234.6))
    ray = estoc.trimesh.RayMeshIntersector(mesh, dtype=np.float64)
    for asked in (ray, copy.copy(ray)):
        points, rays, _ = asked.intersects_location(start, up, multiple_hits=False)
        np.testing.assert_allclose(points, [[start[0][0], CORNER[1], 311.0]], rtol=1e-15)
        assert points[0, 1] == CORNER[1] and rays.tolist() == [0]
    assert len(ray.intersects_id(start, up)[0]) == 2 and ray.intersects_any(start, up).all()
    below, above = (np.array([[CORNER[0] + 5, np.nextafter(CORNER[1], end), 311.0]]) for end in (0, np.inf))
    assert ray.contains_points(np.concatenate([below, above])).tolist() == [False, True]
    near = estoc.trimesh.ProximityQuery(mesh, dtype=np.float64)
    closest, distance, _ = near.on_surface(start)
    assert distance.tolist() == [expected] and closest[0, 1] == CORNER[1]
    assert near.signed_distance(start).tolist() == [-expected] and near.signed_distance(above)[0] > 0
    with pytest.raises(TypeError, match="dtype is"):
        estoc.trimesh.RayMeshIntersector(mesh, dtype=int)
    estoc.trimesh.install(dtype="float64")
    try:
        mesh = trimesh.Trimesh(*box(), process=False)
        assert mesh.nearest.signed_distance(start).tolist() == [-expected]
        assert mesh.ray._tree is mesh.nearest._tree and mesh.ray.intersects_first(start, up)[0] >= 0
        # Offsets that float32 does not have do not hit what they leave.
        ball = trimesh.creation.icosphere(subdivisions=3)
        starts = 3 * trimesh.creation.icosphere(subdivisions=2).vertices
        at, _, triangles = ball.ray.intersects_location(starts, -starts, multiple_hits=False)
        normals = ball.face_normals[triangles]
        for offset in (1e-14, 1e-12, 1e-9):
            assert not ball.ray.intersects_any(at + offset * normals, normals).any()
    finally:
        estoc.trimesh.uninstall()
    assert estoc.trimesh.RayMeshIntersector(mesh)._settings[2] is False
    converted = estoc.from_trimesh(mesh, dtype=np.float64)
    np.testing.assert_array_equal(converted.vertices, mesh.vertices)
    scene = estoc.from_trimesh(trimesh.Scene([mesh]), dtype=np.float64)
    assert scene.distance(start) == np.float32(expected)


def test_other_names(house):
    import estoc.open3d

    scene = estoc.open3d.RaycastingScene()
    with pytest.raises(ValueError, match="mesh is in float64"):
        scene.add_triangles(house.mesh)
    pyarrow = pytest.importorskip("pyarrow")
    import estoc.arrow

    rays = pyarrow.record_batch({name: [x] for name, x in zip(("ox", "oy", "oz", "dx", "dy", "dz"), (502350.0, 5201234.6, 311.0, 0.0, 1.0, 0.0))})
    for ask in (estoc.arrow.closest_hit, estoc.arrow.all_hits):
        t = ask(house, rays).column("t")
        assert t.type == pyarrow.float64() and t[0].as_py() == float(Fraction(CORNER[1]) - Fraction(5201234.6))
