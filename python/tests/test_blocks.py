"""Calls about more rays and points than one block has: a million, and a quarter of that with options of each."""

import numpy as np
import pytest

import estoc
from conftest import same, some_rays


def spread(count):
    """Returns places of a few rays, for many in an order without a period of a block."""
    return np.arange(count) * 7919 % 5003


@pytest.mark.parametrize("threads", [1, 2])
def test_answers_past_a_block_are_those_of_their_items(ball, threads):
    few, places = some_rays(5003), spread(1_100_000)
    rays = few[places]
    expected = ball.closest_hit(few)
    found = ball.closest_hit(rays, threads=threads)
    same(found, [column[places] for column in expected])
    same([ball.any_hit(rays, threads=threads)], [ball.any_hit(few)[places]])
    same([ball.distance(rays[:, :3], threads=threads)], [ball.distance(few[:, :3])[places]])


@pytest.mark.parametrize("threads", [1, 2])
def test_options_past_a_block_are_those_of_their_rays(ball, threads):
    few, places = some_rays(5003), spread(300_000)
    hits = ball.closest_hit(few)
    mask = np.arange(5003) % 3 != 0
    skip = np.where(np.arange(5003) % 2, hits.prim, -1)
    expected = ball.closest_hit(few, mask=mask.astype(np.uint32), skip=skip)
    found = ball.closest_hit(few[places], mask=mask.astype(np.uint32)[places], skip=skip[places], threads=threads)
    same(found, [column[places] for column in expected])
    lists = ball.all_hits(few, skip=skip)
    many = ball.all_hits(few[places], skip=skip[places], threads=threads)
    same([np.diff(many.offsets)], [np.diff(lists.offsets)[places]])
    for ray in (262_143, 262_144, 299_999):
        rows = [all.prim[all.offsets[i] : all.offsets[i + 1]] for all, i in ((many, ray), (lists, places[ray]))]
        same(rows[:1], rows[1:])


def test_errors_past_a_block_name_their_ray(ball):
    few, places = some_rays(5003), spread(300_000)
    hits = ball.closest_hit(few)
    after = np.full(300_000, -1)
    ray = 270_000 + int(np.flatnonzero(hits.prim[places[270_000:]] < 0)[0])
    after[ray] = 7
    with pytest.raises(estoc.QueryError, match=f"ray {ray}\\b"):
        ball.any_hit(few[places], after=after)
