"""Answers about small meshes that are known, and questions against one another."""

import numpy as np
import pytest

import estoc
from conftest import same, some_rays, sphere


def test_counts_and_lists_agree(ball, rays):
    lists = ball.all_hits(rays)
    counts = np.diff(lists.offsets)
    np.testing.assert_array_equal(ball.count_hits(rays), counts)
    np.testing.assert_array_equal(ball.any_hit(rays), counts > 0)
    np.testing.assert_array_equal(np.bincount(lists.ray, minlength=len(rays)), counts)
    first = ball.all_hits(rays, k=1)
    np.testing.assert_array_equal(np.diff(first.offsets), np.minimum(counts, 1))
    hits = ball.closest_hit(rays)
    same([first.t, first.prim, first.u, first.v], [column[hits.is_hit] for column in hits])
    crossings = ball.crossings(rays)
    np.testing.assert_array_equal(np.diff(crossings.offsets), ball.count_crossings(rays))
    assert (np.diff(lists.t)[np.diff(lists.ray) == 0] >= 0).all()


def test_hits_lie_where_they_say(ball, rays):
    hits = ball.closest_hit(rays)
    hit = hits.is_hit
    points = ball.mesh.points_at(hits.prim, hits.u, hits.v)
    along = rays[:, :3] + hits.t[:, np.newaxis] * rays[:, 3:].astype(np.float64)
    np.testing.assert_allclose(points[hit], along[hit], atol=2e-5)
    assert np.isnan(points[~hit]).all()
    normals = ball.mesh.normals_at(hits.prim)
    np.testing.assert_allclose(np.linalg.norm(normals[hit], axis=1), 1)


def test_culling(ball):
    rays = np.float32([[0.1, 0.2, 5, 0, 0, -1], [0.1, 0.2, 0, 0, 0, -1]])
    assert ball.any_hit(rays, cull="back").tolist() == [True, False]
    assert ball.count_hits(rays, cull="front").tolist() == [1, 1]


def test_too_many_hits_name_the_ray(ball):
    rays = np.tile(np.float32([0.1, 0.2, 5, 0, 0, -1]), (200_000, 1))
    with pytest.raises(estoc.QueryError, match="rays 0 to 150000 have more than 300001 hits"):
        ball.all_hits(rays, max_hits=300_001, threads=1)
    assert len(ball.all_hits(rays[:3], max_hits=6).t) == 6


def test_points(ball):
    points = np.random.default_rng(5).normal(size=(40, 25, 3)).astype(np.float32)
    found = ball.closest_point(points)
    assert found.point.shape == (40, 25, 3)
    np.testing.assert_array_equal(found.distance, ball.distance(points))
    away = np.linalg.norm(found.point.astype(float) - points, axis=-1)
    np.testing.assert_allclose(found.distance, away, rtol=1e-4, atol=1e-6)
    inside = ball.contains(points)
    signed = ball.signed_distance(points)
    np.testing.assert_array_equal(signed <= 0, inside)
    np.testing.assert_array_equal(np.abs(signed), found.distance)
    for rule in ("winding_number", "winding_estimate"):
        np.testing.assert_array_equal(ball.signed_distance(points, rule=rule), signed)
    winding = ball.winding_number(points)
    np.testing.assert_array_equal(np.abs(winding.number) == 1, inside & ~winding.on_surface)
    estimate = ball.winding_estimate(points)
    assert (np.abs(estimate.value - winding.number) <= estimate.error).all()
    near = ball.within(points, 0.3)
    np.testing.assert_array_equal(
        (np.diff(near.offsets) > 0).reshape(40, 25), found.distance <= np.float32(0.3)
    )
    none = ball.closest_point(points, max_distance=0.0)
    assert (none.prim[found.distance > 0] == -1).all()
    assert np.isnan(none.point[found.distance > 0]).all()


def test_open_surfaces_have_no_inside():
    points, faces = sphere(6)
    bvh = estoc.Bvh(estoc.Mesh(points, faces[1:]))
    assert not bvh.is_closed
    for call in (bvh.contains, bvh.signed_distance, bvh.winding_number):
        with pytest.raises(estoc.SurfaceError, match="not closed, so it has no inside"):
            call(np.zeros((2, 3)))
    assert bvh.signed_distance([[0, 0, 0.0]], rule="winding_estimate")[0] < 0
    inside = bvh.contains([[0, 0, 0.0], [0, 0, 2.0]], rule="winding_estimate")
    assert inside.tolist() == [True, False]
    with pytest.raises(estoc.SurfaceError, match="not closed, so it has no inside"):
        bvh.contains([[0, 0, 0.0]], rule="winding_number")
    for call in (bvh.signed_distance, bvh.contains):
        with pytest.raises(ValueError, match="rule"):
            call([[0, 0, 0.0]], rule="guess")


def test_qualities_have_the_same_answers(ball, rays):
    for quality in ("fast", "best"):
        bvh = estoc.Bvh(ball.mesh, quality=quality, threads=1)
        same(bvh.closest_hit(rays), ball.closest_hit(rays))
        assert bvh.quality == quality


def test_scenes_answer_as_one_mesh(ball, rays):
    points, faces = sphere()
    turned = np.eye(4)
    turned[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    turned[:3, 3] = [2, 0.5, 0]
    scene = estoc.Scene()
    assert [scene.add(ball), scene.add(ball, turned, name="second")] == [0, 1]
    assert scene.name(1) == "second" and len(scene) == 2 and scene.face_count == 2 * len(ball)
    placed = (ball.mesh.vertices.astype(float) @ turned[:3, :3].T + turned[:3, 3]).astype(np.float32)
    both = estoc.Bvh(
        estoc.Mesh(
            np.concatenate([ball.mesh.vertices, placed]), np.concatenate([faces, faces + len(points)])
        )
    )
    hits, merged = scene.closest_hit(rays), both.closest_hit(rays)
    np.testing.assert_array_equal(
        np.where(hits.prim < 0, -1, hits.prim + hits.placement * len(ball)), merged.prim
    )
    assert (hits.placement == 1).any()
    np.testing.assert_allclose(hits.t[hits.is_hit], merged.t[hits.is_hit], rtol=1e-3)
    lists = scene.all_hits(rays)
    np.testing.assert_array_equal(np.diff(lists.offsets), scene.count_hits(rays))
    np.testing.assert_array_equal(scene.any_hit(rays), hits.is_hit)
    same([scene.closest_hit(rays.astype(np.float64)).prim], [hits.prim])
    outer = estoc.Scene()
    outer.add(scene, turned)
    nested = outer.closest_hit(rays)
    assert nested.path.shape == (len(rays), 2)
    scene.remove(1)
    assert scene.bounds[1, 0] < 1.1
    assert outer.face_count == 2 * len(ball)  # what was placed stays


def test_removed_placements_are_refused(ball):
    scene = estoc.Scene()
    scene.remove(scene.add(ball))
    with pytest.raises(estoc.SceneError, match="no placement 0"):
        scene.remove(0)


def test_one_line_each(ball):
    assert repr(ball.mesh) == "<estoc.Mesh: 2,208 triangles, 1,106 vertices>"
    assert repr(ball).startswith("<estoc.Bvh: 2,208 triangles, balanced, ")
    scene = estoc.Scene()
    scene.add(ball)
    assert repr(scene) == "<estoc.Scene: 1 placement, 2,208 triangles>"


def stack(count):
    """Triangles above each other."""
    corners = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    points = np.concatenate([corners + [0, 0, z] for z in range(count)])
    return points, np.arange(3 * count).reshape(count, 3)


@pytest.mark.parametrize("threads", [1, 3])
def test_long_lists_are_gathered_in_parts(threads):
    """Of 60,000 rays, some thousands in the middle hit 400 triangles: more hits than a part may have."""
    count = 400
    tree = estoc.Bvh(estoc.Mesh(*stack(count)))
    scene = estoc.Scene()
    scene.add(tree)
    rays = np.tile(np.float32([[2, 2, -1, 0, 0, 1]]), (60_000, 1))
    rays[20_000:23_000, :2] = 0.25
    rays[59_900:, :2] = [0.25, 0.5]
    hit = rays[:, 0] < 1
    lengths = np.where(hit, count, 0)
    for asked in (tree, scene):
        hits = asked.all_hits(rays, threads=threads)
        np.testing.assert_array_equal(hits.offsets, np.concatenate([[0], np.cumsum(lengths)]))
        np.testing.assert_array_equal(hits.prim.reshape(-1, count), np.tile(np.arange(count), (hit.sum(), 1)))
        np.testing.assert_array_equal(hits.t, hits.prim + 1)
        assert len(hits.u) == len(hits.v) == len(hits.t)
    for limit, ray in ((0, 20_000), (count * 2500 + 1, 22_500), (count * 3000, 59_900)):
        with pytest.raises(estoc.QueryError, match=rf"\b{limit}\b.*\b{ray}\b"):
            tree.all_hits(rays, max_hits=limit, threads=threads)
    assert len(tree.all_hits(rays, max_hits=lengths.sum(), threads=threads).t) == lengths.sum()


def test_a_nan_of_either_bound_misses(ball):
    ray = [0, 0, 5, 0, 0, -1]
    own = [*ray, 0, 100]
    assert ball.any_hit(ray) and ball.any_hit(own)
    for bounds in ({"t_min": np.nan}, {"t_max": np.nan}):
        assert not ball.any_hit(ray, **bounds) and not ball.any_hit(own, **bounds)
    for own in ([*ray, np.nan, 100], [*ray, 0, np.nan]):
        assert not ball.any_hit(own) and not ball.any_hit(own, t_min=1, t_max=50)


def test_least_distances_are_those_of_all_pairs_and_can_be_bounded() -> None:
    rng = np.random.default_rng(49)
    corners = rng.random((40, 3, 3), np.float32)
    faces = np.arange(120).reshape(40, 3)
    near, far = [
        estoc.Bvh(estoc.Mesh((corners + by).reshape(-1, 3), faces)) for by in ([0, 0, 0], [1.5, 0, 0])
    ]
    found = near.least_distance(far)
    assert found is not None and found.distance > 0
    gap = np.linalg.norm(np.diff(found.point.astype(float), axis=0))
    assert abs(gap - found.distance) < 1e-6
    # No point of one is nearer to the other than that.
    for one, other in ((near, far), (far, near)):
        closest = other.closest_point(one.mesh.vertices)
        assert closest.distance.min() >= found.distance
        back = one.least_distance(other, threads=1)
        assert back is not None and back.distance == found.distance
    assert near.least_distance(far, max_distance=found.distance - 1e-3) is None
    assert near.least_distance(near).distance == 0
    with pytest.raises(TypeError, match="other is a Mesh"):
        near.least_distance(far.mesh)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="max_distance"):
        near.least_distance(far, max_distance="1")  # type: ignore[arg-type]


def test_two_meshes_intersect_as_one_mesh_of_both(ball):
    points, faces = sphere(8)
    near = estoc.Bvh(estoc.Mesh(points + [0.9, 0.1, 0.2], faces))
    pairs = ball.intersections(near)
    assert len(pairs.first) > 10 and set(pairs.kind) == {0}
    assert [column.dtype for column in pairs] == [np.int64, np.int64, np.uint8]
    # Both as one mesh: its pairs of triangles of different parts are these, as no corner is shared.
    ours, count = ball.mesh, len(ball)
    vertices = np.vstack([ours.vertices, near.mesh.vertices])
    both = estoc.Bvh(estoc.Mesh(vertices, np.vstack([ours.faces, near.mesh.faces + len(ours.vertices)])))
    own = both.self_intersections(threads=2)
    assert (own.first < count).all() and (own.second >= count).all()
    same([own.first, own.second - count, own.kind], pairs)
    back = near.intersections(ball)
    assert sorted(zip(back.second, back.first)) == list(zip(pairs.first, pairs.second))
    assert len(ball.self_intersections().first) == 0


def test_intersections_check_what_they_are_given(ball):
    with pytest.raises(TypeError, match="other is a Mesh; wanted is an estoc.Bvh"):
        ball.intersections(ball.mesh)
    far = estoc.Bvh(estoc.Mesh([[5, 0, 0], [6, 0, 0], [5, 1, 0]], [[0, 1, 2]], origin=[5, 0, 0]))
    with pytest.raises(ValueError, match="origin"):
        ball.intersections(far)
    calls = []
    ball.self_intersections(progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (len(ball), len(ball))


def test_vertex_normals_of_a_sphere_point_outwards(ball):
    mesh = ball.mesh
    normals = mesh.vertex_normals()
    assert normals.dtype == np.float32 and normals.shape == mesh.vertices.shape
    np.testing.assert_allclose(normals, mesh.vertices, atol=0.02)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-6)
    unused = estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [np.nan, 0, 0]], [[0, 1, 2]])
    assert unused.vertex_normals().tolist() == [[0, 0, 1]] * 3 + [[0, 0, 0]]
    assert estoc.Mesh([], []).vertex_normals().shape == (0, 3)


def test_open_ends_leave_out_what_is_at_the_ends():
    floor = estoc.Bvh(estoc.Mesh([[0, 0, 0], [9, 0, 0], [0, 9, 0]], [[0, 1, 2]]))
    scene = estoc.Scene()
    scene.add(floor)
    tiny = np.float32(1e-45)
    rays = np.float32([[1, 1, 0, 0, 0, 1], [1, 1, 1, 0, 0, -1], [1, 1, tiny, 0, 0, -1], [1, 1, 2, 0, 0, -1]])
    for target in (floor, scene):
        assert target.any_hit(rays, t_max=1).tolist() == [True, True, True, False]
        assert target.any_hit(rays, t_max=1, open_ends=True).tolist() == [False, False, True, False]
    with pytest.raises(TypeError, match="open_ends is 1; it must be True or False"):
        floor.any_hit(rays, open_ends=1)


def test_thickness_by_spheres(ball):
    prim = np.arange(0, len(ball), 7)
    third = np.full(len(prim), 1 / 3)
    points, inward = ball.mesh.points_at(prim, third, third), -ball.mesh.normals_at(prim)
    found = ball.sphere_thickness(points, inward)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, 2, atol=0.15)
    np.testing.assert_array_equal(ball.sphere_thickness(points, inward, threads=1), found)
    assert np.isinf(ball.sphere_thickness(points, -inward)).all()
    assert np.isnan(ball.sphere_thickness([np.nan, 0, 0], [0, 0, 1]))
    scene = estoc.Scene()
    scene.add(ball)
    np.testing.assert_array_equal(scene.sphere_thickness(points, inward), found)
