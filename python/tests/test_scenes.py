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
