"""Scenes that are changed between and during questions."""

import threading

import numpy as np
import pytest

import estoc


def placed(x):
    return [[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, 0]]


@pytest.fixture
def tile():
    return estoc.Bvh(estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))


def test_every_question_about_rays_takes_a_mask(tile):
    scene = estoc.Scene()
    scene.add(tile, mask=0b01)
    scene.add(tile, placed(5), mask=0b10)
    rays = [[0.25, 0.25, 1, 0, 0, -1], [5.25, 0.25, 1, 0, 0, -1]]
    for mask, seen in ((0b01, [1, 0]), (0b10, [0, 1]), (0b11, [1, 1]), (0b100, [0, 0])):
        assert scene.any_hit(rays, mask=mask).tolist() == [bool(n) for n in seen]
        assert scene.count_hits(rays, mask=mask).tolist() == seen
        assert scene.count_crossings(rays, mask=mask).tolist() == seen
        assert scene.closest_hit(rays, mask=mask).is_hit.tolist() == [bool(n) for n in seen]
        assert np.diff(scene.all_hits(rays, mask=mask).offsets).tolist() == seen
        assert np.diff(scene.crossings(rays, mask=mask).offsets).tolist() == seen
        # A mesh without masks is seen by every ray with a bit.
        assert tile.any_hit(rays, mask=mask).tolist() == [True, False]
        assert np.diff(tile.all_hits(rays, mask=mask).offsets).tolist() == [1, 0]
    assert not tile.any_hit(rays, mask=0).any()
    assert not tile.closest_hit(rays, mask=0).is_hit.any()
    assert not tile.count_hits(rays, mask=0).any() and not tile.count_crossings(rays, mask=0).any()
    assert not len(tile.all_hits(rays, mask=0).t) and not len(tile.crossings(rays, mask=0).t)


def test_answers_are_written_to_arrays(tile):
    inner, scene = estoc.Scene(), estoc.Scene()
    inner.add(tile)
    scene.add(tile, placed(5))
    scene.add(inner)
    rays = [[0.25, 0.25, 1, 0, 0, -1], [5.25, 0.25, 1, 0, 0, -1], [9, 0, 1, 0, 0, -1]]
    expected = scene.closest_hit(rays)
    assert expected.path.tolist() == [[1, 0], [0, -1], [-1, -1]]
    out = estoc.SceneHits(*(np.zeros_like(column) for column in expected))
    found = scene.closest_hit(rays, out=out)
    for one, given, other in zip(found, out, expected):
        assert one is given
        np.testing.assert_array_equal(one, other)
    shallow = out._replace(path=np.zeros((3, 1), np.int64))
    with pytest.raises(ValueError, match=r"out.path has the shape \(3, 1\); wanted is .*\(3, 2\)"):
        scene.closest_hit(rays, out=shallow)
    hit = np.zeros(3, bool)
    assert scene.any_hit(rays, out=hit) is hit and hit.tolist() == [True, True, False]


def test_paths_are_those_of_the_scene_that_is_asked(tile):
    """A scene becomes deeper and shallower meanwhile: a hit has the whole path to its triangle."""
    inner, scene = estoc.Scene(), estoc.Scene()
    inner.add(tile)
    scene.add(tile, placed(5))
    ended, wrong = threading.Event(), []

    def change():
        while not ended.is_set():
            scene.remove(scene.add(inner))

    changer = threading.Thread(target=change)
    changer.start()
    ray, deep, shallow = [[0.25, 0.25, 1, 0, 0, -1]], 0, 0
    try:
        for _ in range(300):
            for hits in (scene.closest_hit(ray, threads=1), scene.all_hits(ray, threads=1)):
                is_hit = len(hits.prim) == 1 and hits.prim[0] == 0
                deep, shallow = deep + is_hit, shallow + (not is_hit)
                if is_hit and (hits.path.shape != (1, 2) or hits.path[0, 1] != 0):
                    wrong.append(hits.path.tolist())
    finally:
        ended.set()
        changer.join()
    assert not wrong and deep + shallow == 600


def box(low, high):
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
             [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return estoc.Mesh(np.array(low) + corners * (np.array(high) - np.array(low)), faces)


@pytest.mark.parametrize("threads", [1, 3])
def test_points_are_answered_as_by_one_mesh(threads):
    """Boxes placed by whole numbers, in a scene in a scene, have the corners of one mesh."""
    solid = box([0, 0, 0], [1, 2, 1])
    inner, scene = estoc.Scene(), estoc.Scene(threads=threads)
    starts = [0, 4, 8]
    scene.add(estoc.Bvh(solid))
    inner.add(estoc.Bvh(solid), placed(4))
    inner.add(estoc.Bvh(solid), placed(8))
    scene.add(inner)
    flat = estoc.Bvh(
        estoc.Mesh(
            np.concatenate([solid.vertices + np.float32([x, 0, 0]) for x in starts]),
            np.concatenate([solid.faces + 8 * n for n in range(3)]),
        ),
        threads=threads,
    )
    points = np.random.default_rng(5).integers(-8, 40, (5000, 3)) / 4.0
    points[17] = np.nan
    paths = np.array([[0, -1], [1, 0], [1, 1]])
    expected, found = flat.closest_point(points), scene.closest_point(points)
    np.testing.assert_array_equal(found.distance, expected.distance)
    np.testing.assert_array_equal(found.point, expected.point.astype(np.float64))
    np.testing.assert_array_equal(found.feature, expected.feature)
    np.testing.assert_array_equal(found.u, expected.u)
    np.testing.assert_array_equal(found.v, expected.v)
    near = expected.prim >= 0
    assert near.tolist().count(False) == 1
    np.testing.assert_array_equal(found.prim[near], expected.prim[near] % 12)
    np.testing.assert_array_equal(found.path[near], paths[expected.prim[near] // 12])
    assert found.path[17].tolist() == [-1, -1] and found.prim[17] == found.placement[17] == -1
    np.testing.assert_array_equal(scene.distance(points), expected.distance)

    inside = scene.contains(points)
    np.testing.assert_array_equal(inside, flat.contains(points))
    assert 0 < np.count_nonzero(inside) < 5000

    some = points[:200]
    of_flat, of_scene = flat.within(some, 2.5), scene.within(some, 2.5)
    np.testing.assert_array_equal(of_scene.offsets, of_flat.offsets)
    np.testing.assert_array_equal(of_scene.prim, of_flat.prim % 12)
    np.testing.assert_array_equal(of_scene.path, paths[of_flat.prim // 12])
    with pytest.raises(estoc.QueryError, match="max_hits|more than"):
        scene.within(some, 2.5, max_hits=3)


def test_points_in_the_world_are_not_rounded(tile):
    scene = estoc.Scene()
    scene.add(tile, [[1, 0, 0, 2.0**40], [0, 1, 0, 0], [0, 0, 1, 0]])
    found = scene.closest_point([2.0**40 + 0.25, 0.25, 3])
    assert found.point.tolist() == [2.0**40 + 0.25, 0.25, 0] and found.distance == 3
    near = scene.closest_point([2.0**40 + 0.25, 0.25, 3], max_distance=2.5)
    assert near.prim == -1 and np.isnan(near.point).all() and near.feature == 255
    out = estoc.SceneClosestPoints(*(np.zeros_like(column) for column in found))
    assert scene.closest_point([2.0**40 + 0.25, 0.25, 3], out=out).point is out.point
    assert out.distance == 3
    corners = [[0, 0, 0], [8, 0, 0], [0, 8, 0], [0, 0, 8]]
    solid = estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    scene.add(estoc.Bvh(solid), [[1, 0, 0, 2.0**40], [0, 1, 0, 0], [0, 0, 1, 0]])
    beside = [[2.0**40 + x, 1, 1] for x in (-0.25, 0, 0.25)]
    assert scene.contains(beside).tolist() == [False, True, True]


def test_a_scene_without_a_closed_mesh_has_no_inside(tile):
    scene = estoc.Scene()
    assert scene.contains([[0, 0, 0]]).tolist() == [False]
    assert scene.distance([0, 0, 0]) == np.inf
    scene.add(tile)
    with pytest.raises(estoc.SurfaceError, match="no object of the scene is closed"):
        scene.contains([[0, 0, 0]])


def test_bounds_are_not_rounded(tile):
    scene = estoc.Scene()
    scene.add(tile)
    eye, target = [0.5, 0.25, 3], [0.25, 0.25, 0]
    for dtype in (np.float32, np.float64):
        segment = np.array(eye, dtype), np.subtract(target, eye, dtype=dtype)
        for asked in (scene, tile):
            assert [bool(asked.any_hit(*segment, t_max=t)) for t in (1 - 1e-9, 1, 1 + 1e-9)] == [False, True, True]
            assert [bool(asked.any_hit(*segment, t_min=t)) for t in (1 - 1e-9, 1, 1 + 1e-9)] == [True, True, False]
    row = np.concatenate([segment[0], segment[1], [0, 1 - 1e-9]])
    for asked in (scene, tile):
        assert not asked.any_hit(row) and asked.any_hit(row[:6])
