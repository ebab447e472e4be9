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


def test_what_is_for_float32_only(house):
    ball, mesh = estoc.Bvh(estoc.Mesh(*sphere(4))), house.mesh
    at, up = CORNER, [0, 0, 1]
    for error, ask in [
        (estoc.QueryError, lambda: house.overlaps(at, at + 1)),
        (estoc.QueryError, lambda: house.sweep(at, up, 1)),
        (estoc.QueryError, lambda: house.section(at, up)),
        (estoc.QueryError, lambda: house.self_intersections()),
        (estoc.QueryError, lambda: house.intersections(ball)),
        (estoc.QueryError, lambda: ball.intersections(house)),
        (estoc.QueryError, lambda: house.least_distance(ball)),
        (estoc.QueryError, lambda: ball.least_distance(house)),
        (estoc.QueryError, lambda: house.check()),
        (estoc.QueryError, lambda: house.contains(at, rule="winding_number")),
        (estoc.QueryError, lambda: house.contains(at, rule="winding_estimate")),
        (estoc.QueryError, lambda: house.signed_distance(at, rule="winding_number")),
        (estoc.QueryError, lambda: house.winding_number(at)),
        (estoc.QueryError, lambda: house.winding_estimate(at)),
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
