"""Options of each ray: bounds, skipped triangles, masks; and rays that leave hits."""

import inspect
from fractions import Fraction

import hypothesis.extra.numpy as arrays
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import estoc
from conftest import Tensor, same, some_rays, sphere

QUESTIONS = ["closest_hit", "any_hit", "count_hits", "count_crossings", "all_hits", "crossings"]


@pytest.fixture(scope="module")
def placed(ball):
    """The ball as it is, and the same in a scene of two levels."""
    inner = estoc.Scene()
    inner.add(ball)
    scene = estoc.Scene()
    scene.add(inner)
    return ball, scene


def rows(lists, i):
    first, last = lists.offsets[i], lists.offsets[i + 1]
    return lists.prim[first:last].tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bounds_of_each_ray_are_those_of_single_calls(ball, dtype):
    rays = some_rays(300).astype(dtype)
    rng = np.random.default_rng(1)
    low, high = rng.uniform(0, 3, 300), rng.uniform(0, 5, 300)
    low[::7], high[::11], high[5] = 0, np.inf, np.nan
    # Exactly at a hit, and a little before it, which no float32 is.
    at = ball.closest_hit(rays).t.astype(np.float64)
    high[::3] = at[::3]
    high[1::3] = at[1::3] * (1 - 1e-12)
    for name in QUESTIONS[:4]:
        ask = getattr(ball, name)
        each = ask(rays, t_min=low, t_max=high)
        alone = [ask(ray, t_min=a, t_max=b) for ray, a, b in zip(rays, low, high)]
        if name == "closest_hit":
            same(each, [np.array(column) for column in zip(*alone)])
            # As columns of the rays, and both, of which the inner bounds count.
            wide = np.concatenate([rays.astype(np.float64).astype(np.float32).astype(np.float64), low[:, None], high[:, None]], axis=1)
            same(each, ask(wide))
            same(ask(rays, t_min=np.maximum(low, 1), t_max=high), ask(wide, t_min=1))
        else:
            np.testing.assert_array_equal(each, alone)
    assert not ball.any_hit(rays, t_max=high)[5]
    for name in QUESTIONS[4:]:
        lists = getattr(ball, name)(rays, t_min=low[:, np.newaxis][:, 0], t_max=high)
        alone = [getattr(ball, name)(ray, t_min=a, t_max=b).prim.tolist() for ray, a, b in zip(rays, low, high)]
        assert [rows(lists, i) for i in range(300)] == alone


def test_hits_after_hits_are_all_hits(placed):
    rays = some_rays(400)
    for asked in placed:
        every = asked.all_hits(rays)
        hits, found = asked.closest_hit(rays), [[] for _ in rays]
        while hits.is_hit.any():
            for i in np.flatnonzero(hits.is_hit):
                found[i].append(int(hits.prim[i]))
            rays_left = np.where(hits.is_hit[:, np.newaxis], rays, np.nan)
            hits = asked.closest_hit(rays_left, after=hits)
        assert found == [rows(every, i) for i in range(len(rays))]
        assert max(map(len, found)) >= 2


def test_what_is_skipped_is_not_hit(placed):
    rays = some_rays(400)
    for asked in placed:
        first, every = asked.closest_hit(rays), asked.all_hits(rays)
        left = [[prim for prim in rows(every, i) if prim != first.prim[i]] for i in range(len(rays))]
        lists = asked.all_hits(rays, skip=first)
        assert [rows(lists, i) for i in range(len(rays))] == left
        assert asked.count_hits(rays, skip=first).tolist() == list(map(len, left))
        assert asked.any_hit(rays, skip=first).tolist() == list(map(bool, left))
        assert asked.closest_hit(rays, skip=first).prim.tolist() == [row[0] if row else -1 for row in left]


def test_one_number_and_any_integers_are_for_all_rays(ball):
    rays = some_rays(50)
    most = int(np.bincount(ball.closest_hit(rays).prim + 1)[1:].argmax())
    wanted = ball.closest_hit(rays, skip=np.full(50, most))
    for skip in (most, np.uint32(most), np.full((50, 2), most, np.int32)[:, 0], [most] * 50, np.full((), most, ">i8")):
        same(ball.closest_hit(rays, skip=skip), wanted)
    same(ball.closest_hit(rays, skip=-1), ball.closest_hit(rays))
    image = rays.reshape(5, 10, 6)
    same(ball.closest_hit(image, skip=np.full(10, most)), [column.reshape(5, 10) for column in wanted])


def test_masks_of_rays_meet_groups_of_triangles():
    points, faces = sphere()
    groups = np.random.default_rng(2).integers(0, 4, len(faces)).astype(np.uint8)
    mesh = estoc.Mesh(points, faces)
    plain, grouped = estoc.Bvh(mesh), estoc.Bvh(mesh, groups=groups)
    rays = some_rays(500)
    masks = np.random.default_rng(3).integers(0, 4, 500)
    every, lists = plain.all_hits(rays), grouped.all_hits(rays, mask=masks)
    seen = [[prim for prim in rows(every, i) if groups[prim] & masks[i]] for i in range(500)]
    assert [rows(lists, i) for i in range(500)] == seen
    np.testing.assert_array_equal(grouped.count_hits(rays, mask=2), [sum(groups[p] & 2 > 0 for p in rows(every, i)) for i in range(500)])
    again = estoc.Bvh.from_bytes(grouped.to_bytes())
    same(again.all_hits(rays, mask=masks), lists)
    for wrong, error in ((groups[1:], ValueError), (groups * 1.0, TypeError), (groups - 300.0, TypeError), (np.full(len(groups), -1), ValueError)):
        with pytest.raises(error, match="groups"):
            estoc.Bvh(mesh, groups=wrong)


def test_rays_that_leave_a_convex_mesh_never_hit_it_again(ball):
    rng = np.random.default_rng(4)
    ends = rng.normal(size=(2, 4000, 3))
    hits = ball.closest_hit(4 * ends[0], 0.1 * ends[1] - 4 * ends[0])
    assert hits.is_hit.all()
    normals = ball.normals(hits)
    around = rng.normal(size=(4000, 3))
    outwards = np.where((np.einsum("ij,ij->i", around, normals) < 0)[:, np.newaxis], -around, around)
    for directions in (normals, outwards):
        assert (ball.sides(hits, directions) == -1).all()
    # The ball's facets are not exactly convex, but what is left out are the triangles themselves.
    assert not ball.any_hit(ball.spawn(hits, normals)).any()
    assert ball.any_hit(ball.spawn(hits, -normals)).all()
    spawned = ball.spawn(hits, outwards)
    np.testing.assert_array_equal(spawned.skip, hits.prim)
    np.testing.assert_allclose(spawned.origins, ball.points(hits), atol=2e-7)
    # As many rays from each hit as there are directions.
    many = ball.spawn(hits, np.stack([normals, -normals]))
    assert many.origins.shape == (2, 4000, 3)
    np.testing.assert_array_equal(ball.any_hit(many), [[False] * 4000, [True] * 4000])
    assert ball.any_hit(many, t_max=1e-3)[1].sum() < 4000


def test_sides_are_exact():
    slope = estoc.Bvh(estoc.Mesh([[0, 0, 0], [3, 0, 1], [0, 3, 1]], [[0, 1, 2]]))
    hits = slope.closest_hit([0.5, 0.5, 5, 0, 0, -1])
    # The plane is 3 z = x + y: in it, above, below, by the last bit of float32.
    step = np.spacing(np.float32(1))
    directions = np.array([[1, 2, 1], [1, 2, 1 + step], [1, 2, 1 - step / 2], [0, 0, 0], [np.nan, 0, 1]], np.float32)
    assert slope.sides(hits, directions).tolist() == [0, -1, 1, 0, 0]
    far = estoc.Bvh(estoc.Mesh(np.add([[0, 0, 0], [3, 0, 1], [0, 3, 1]], 2.0**20), [[0, 1, 2]], origin=[2.0**20] * 3))
    hits = far.closest_hit([2.0**20 + 0.5, 2.0**20 + 0.5, 2.0**20 + 5, 0, 0, -1])
    step = np.spacing(1.0)
    directions = np.array([[1, 2, 1], [1, 2, 1 + step], [1, 2, 1 - step / 2]])
    assert far.sides(hits, directions).tolist() == [0, -1, 1]
    misses = slope.closest_hit([[9, 9, 9, 0, 0, 1]])
    assert slope.sides(misses, [0, 0, 1]).tolist() == [0]
    assert not slope.any_hit(slope.spawn(misses, [0, 0, 1])).any()


def test_spawned_rays_start_on_their_side_of_the_triangle():
    rng = np.random.default_rng(5)
    for origin in (None, [502_345.3, -5_201_234.7, 310.1]):
        corners = rng.normal(size=(300, 3, 3)) + (0 if origin is None else np.array(origin))
        soup = estoc.Bvh(estoc.Mesh(corners.reshape(-1, 3), np.arange(900).reshape(-1, 3), origin=origin))
        middles = corners.mean(axis=1)
        normals = soup.mesh.normals_at(np.arange(300))
        hits = soup.closest_hit(middles + normals, -normals)
        directions = rng.normal(size=(300, 3))
        spawned, sides = soup.spawn(hits, directions), soup.sides(hits, directions)
        exact = [[Fraction(x) for x in row] for row in soup.mesh.local_vertices.astype(float).tolist()]
        o = [Fraction(x) for x in soup.mesh.origin.tolist()]
        for i in np.flatnonzero(hits.is_hit):
            a, b, c = (exact[k] for k in soup.mesh.faces[hits.prim[i]])
            p, q = ([x - y for x, y in zip(end, a)] for end in (b, c))
            r = [Fraction(float(x)) - y - z for x, y, z in zip(spawned.origins[i], o, a)]
            n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
            height = sum(x * y for x, y in zip(n, r))
            # A ray that comes from the front goes to the back.
            assert height * -int(sides[i]) >= 0
        assert not soup.count_hits(spawned, t_max=1e-9).any()


def test_spawned_rays_keep_their_start(ball):
    """An edge of a solid that the ray only touches where it starts."""
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    solid = estoc.Bvh(estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
    hits = solid.closest_hit([[-1, 0, 0.5, 1, 0, 0]])
    away = solid.spawn(hits, [0, -1, -1])
    for t_min in (None, 0.0, -1, [0.0], np.array([0.0]), np.float32(0)):
        assert len(solid.all_hits(away, t_min=t_min).prim) == 0
    assert not solid.any_hit(solid.spawn(hits, [1, 1, 1]), t_min=np.nan).any()
    inwards = solid.spawn(hits, [[1, 0.1, -0.1]])
    assert solid.any_hit(inwards).all() and not solid.any_hit(inwards, t_min=[9.0]).any()


def test_spawned_rays_of_a_mesh_with_an_origin_keep_their_start():
    """Their start is no float32 above 0; one that is asked for in float32 does not make it 0."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    solid = estoc.Bvh(estoc.Mesh(corners + 9, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], origin=[9, 9, 9]))
    away = solid.spawn(solid.closest_hit([[8, 9, 9.5, 1, 0, 0]]), [0, -1, -1])
    for t_min in (None, 0.0, np.zeros(1, np.float32), np.zeros(1)):
        assert len(solid.all_hits(away, t_min=t_min).prim) == 0


def test_options_may_be_tensors(ball):
    rays = some_rays(20)
    at, masks = ball.closest_hit(rays).t, np.ones(20, np.uint32)
    same(ball.closest_hit(rays, t_max=Tensor(at), mask=Tensor(masks)), ball.closest_hit(rays, t_max=at, mask=masks))


def test_spawned_rays_skip_nothing_of_other_meshes():
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    one, other = (estoc.Bvh(estoc.Mesh(corners - [x, 0, 0], faces)) for x in (0, 5))
    small = estoc.Bvh(estoc.Mesh(corners[:3] - [5, 0, 0], [[0, 1, 2]]))
    hits = one.closest_hit([[-1, 0.2, 0.2, 1, 0, 0]])
    spawned = one.spawn(hits, [[-1, 0, 0]])
    rays = spawned.origins, spawned.directions
    assert other.all_hits(spawned).prim.tolist() == other.all_hits(*rays).prim.tolist()
    assert len(other.all_hits(spawned).prim) == 2
    assert not small.any_hit(spawned).any()
    scene = estoc.Scene()
    scene.add(one)
    scene.add(other)
    assert scene.all_hits(spawned).placement.tolist() == [1, 1]
    assert not scene.any_hit(one.spawn(hits, [[-1, 5, 0]])).any()


def test_hits_of_nothing_have_no_sides():
    nothing = estoc.Bvh(estoc.Mesh([], []))
    hits = nothing.closest_hit([[0, 0, 0, 0, 0, 1]])
    assert nothing.sides(hits, [0, 0, 1]).tolist() == [0]
    assert not nothing.any_hit(nothing.spawn(hits, [0, 0, 1])).any()
    one = estoc.Bvh(estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    hit = one.closest_hit([0.2, 0.2, 1, 0, 0, -1])
    assert one.sides(hit, [0, 0, -1]).shape == () and one.sides(hit, [0, 0, -1]) == 1
    assert one.spawn(hit, [0, 0, 1]).origins.shape == (3,)


def test_sides_are_exact_for_directions_of_any_size():
    far = np.array([[0, 0, 0], [1.4, 0, -1.4], [0, 1, -1.4]])
    for origin in (None, [9.0, 9, 9]):
        bvh = estoc.Bvh(estoc.Mesh(far + (0 if origin is None else 9), [[0, 1, 2]], origin=origin))
        corner = [[Fraction(x) for x in row] for row in bvh.mesh.local_vertices.astype(float).tolist()]
        (p, q, r), (s, t, u) = ([x - y for x, y in zip(end, corner[0])] for end in corner[1:])
        normal = q * u - r * t, r * s - p * u, p * t - q * s
        whole = np.array(np.meshgrid(*[np.arange(-6, 7)] * 3)).reshape(3, -1).T
        middle = bvh.mesh.vertices.mean(axis=0)
        hit = bvh.closest_hit(np.concatenate([middle + [0, 0, 3], [0, 0, -1]]))
        for scale in (5e-324, 1e-60, 0.1, 1e39, 1e307):
            dirs = whole * scale
            along = [sum(n * Fraction(x) for n, x in zip(normal, row)) for row in dirs.tolist()]
            assert bvh.sides(hit, dirs).tolist() == [(x < 0) - (x > 0) for x in along]


def test_many_directions_in_the_plane_are_quick(ball):
    floor = estoc.Bvh(estoc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]]))
    rays = np.tile([0.5, 0.5, 1, 0, 0, -1], (200_000, 1))
    assert not floor.any_hit(floor.spawn(floor.closest_hit(rays), [1, 0, 0])).any()


def test_rays_may_start_before_their_origin():
    floor = estoc.Bvh(estoc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]]))
    row = [0, 0, -3, 0, 0, -1, -5, 5]
    assert floor.any_hit(row) and floor.any_hit(row, t_max=4) and floor.any_hit(row[:6], t_min=-4)
    assert not floor.any_hit(row, t_min=0) and not floor.any_hit(row, t_max=-4) and not floor.any_hit(row[:6], t_max=9)


def test_refusals(placed):
    ball, scene = placed
    rays = some_rays(10)
    hits = ball.closest_hit(rays)
    for ask, error, message in [
        (lambda: ball.any_hit(rays, skip=np.zeros(9, int)), ValueError, r"skip has the shape \(9,\); wanted is one number, or \(10,\)"),
        (lambda: ball.any_hit(rays, skip=0.5), TypeError, "skip has the dtype float64"),
        (lambda: ball.any_hit(rays, skip=[0] * 9 + [-2]), IndexError, r"skip has the number -2 for ray 9; wanted are .* below 2208"),
        (lambda: ball.any_hit(rays, after=2208), IndexError, "after has the number 2208 for ray 0"),
        (lambda: ball.any_hit(rays, skip=2**63), IndexError, f"skip has the number {2**63}"),
        (lambda: ball.any_hit(rays, after=int((hits.prim.max() + 3) % 2208)), estoc.QueryError, "ray 0"),
        (lambda: ball.any_hit(rays, mask=np.full(10, -1)), ValueError, "mask has the number -1"),
        (lambda: ball.any_hit(rays, mask=np.ones(10)), TypeError, "mask has the dtype float64"),
        (lambda: ball.any_hit(rays, t_max=np.ones((10, 2))), ValueError, r"t_max has the shape \(10, 2\)"),
        (lambda: ball.any_hit(rays, t_min=["a"] * 10), TypeError, "t_min has the dtype"),
        (lambda: scene.any_hit(rays, skip=0), TypeError, "skip is 0; wanted are estoc.SceneHits"),
        (lambda: ball.any_hit(ball.spawn(hits, [0, 0, 1]), skip=0), TypeError, "skip cannot be given"),
        (lambda: ball.any_hit(rays, skips=0), TypeError, "skips"),
        (lambda: ball.any_hit(rays, skip=scene.closest_hit(rays)), TypeError, "skip has the hits of a scene"),
        (lambda: ball.spawn(hits, np.ones((9, 3))), ValueError, r"directions has the shape \(9, 3\); wanted is \(10, 3\)"),
    ]:
        with pytest.raises(error, match=message):
            ask()


def test_help_shows_the_options():
    for name in QUESTIONS:
        options = inspect.signature(getattr(estoc.Bvh, name)).parameters
        assert {"rays", "directions", "t_min", "t_max", "cull", "mask", "skip", "after", "threads", "progress"} <= set(options)
        assert options["t_max"].default is None


numbers = st.one_of(st.integers(-3, 3000), st.integers(-(2**70), 2**70), st.floats(), st.none(), st.booleans(), st.text(max_size=2))
shapes = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6)
given_arrays = st.one_of(
    numbers,
    arrays.arrays(st.sampled_from([np.int64, np.uint8, np.int32, np.float64, np.float32, np.bool_, ">i4", object]), shapes, elements=None)
    .map(lambda a: a[..., ::-1] if a.ndim else a),
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["skip", "after", "mask", "t_min", "t_max"]), given_arrays, st.sampled_from(QUESTIONS))
def test_any_option_is_answered_or_refused(name, value, question):
    bvh = test_any_option_is_answered_or_refused.bvh
    rays = some_rays(5)
    try:
        getattr(bvh, question)(rays, **{name: value})
    except (ValueError, TypeError, IndexError, estoc.Error) as error:
        assert str(error)


test_any_option_is_answered_or_refused.bvh = estoc.Bvh(estoc.Mesh(*sphere(8)))


def fractions(vector):
    return [Fraction(float(x)) for x in vector]


def parameter(ray, triangle):
    """Where a ray meets the plane of a triangle."""
    o, d = fractions(ray[:3]), fractions(ray[3:])
    a, b, c = (fractions(corner) for corner in triangle)
    e, f = ([y - x for x, y in zip(a, end)] for end in (b, c))
    normal = [e[i - 2] * f[i - 1] - e[i - 1] * f[i - 2] for i in range(3)]
    return sum(n * (x - y) for n, x, y in zip(normal, a, o)) / sum(n * x for n, x in zip(normal, d))


def hills():
    """A height field over a grid, and rays straight down, through its vertices, edges and faces."""
    n = 6
    x, y = (a.ravel() for a in np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0), indexing="ij"))
    low = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    faces = np.concatenate([low[:, None] + [0, n + 1, n + 2], low[:, None] + [0, n + 2, 1]])
    at = np.linspace(0, n, 4 * n + 1)
    origins = np.stack(np.meshgrid(at, at, [9.0], indexing="ij"), axis=-1).reshape(-1, 3)
    rays = np.concatenate([origins, np.tile([0, 0, -1.0], (len(origins), 1))], axis=1)
    return estoc.Mesh(np.column_stack([x, y, np.sin(3 * x + y)]), faces), rays


def leaves():
    """Triangles with corners of few values, many in one place or plane, and rays between such points."""
    rng = np.random.default_rng(12)
    mesh = estoc.Mesh(rng.integers(-2, 3, (600, 3)) * 0.1, np.arange(600).reshape(-1, 3))
    ends = rng.integers(-3, 4, (2, 300, 3)) * np.float32(0.1)
    return mesh, np.concatenate([ends[0], ends[1] - ends[0]], axis=1)


@pytest.mark.parametrize("case", [hills, leaves])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distinct_hits_are_those_of_different_parameters(case, dtype):
    mesh, rays = case()
    rays = rays.astype(dtype)
    bvh, scene = estoc.Bvh(mesh), estoc.Scene()
    scene.add(bvh)
    corners = mesh.vertices[mesh.faces]
    for asked in (bvh, scene):
        read = rays if asked is scene else rays.astype(np.float32)
        every, distinct, merged = asked.all_hits(rays), asked.all_hits(rays, distinct=True), 0
        for i, ray in enumerate(read):
            at = [(parameter(ray, corners[prim]), prim) for prim in rows(every, i)]
            assert at == sorted(at)
            first = [prim for j, (t, prim) in enumerate(at) if j == 0 or at[j - 1][0] != t]
            assert rows(distinct, i) == first
            merged += len(at) - len(first)
        assert merged > 300
    if case is hills:
        # A height field is met once.
        np.testing.assert_array_equal(distinct.ray, np.arange(len(rays)))
    with pytest.raises(ValueError, match="k is 2"):
        bvh.all_hits(rays, k=2, distinct=True)
