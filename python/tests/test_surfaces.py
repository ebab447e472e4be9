"""Faults of surfaces, welds, boxes and moving spheres."""

import numpy as np
import pytest

import estoc
from conftest import same, sphere

ORIGIN = np.array([2.0**20, -(2.0**19), 64])


def test_a_sound_mesh_has_no_fault(ball):
    found = ball.check()
    assert found.is_ok and found.orientation == "outwards"
    turned = estoc.Bvh(estoc.Mesh(ball.mesh.vertices, ball.mesh.faces[:, ::-1])).check()
    assert turned.orientation == "inwards" and not turned.is_ok


def test_faults_are_told():
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 0, 0], [0.25, 0.25, -1]]
    faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2], [2, 1, 0], [0, 1, 4], [3, 0, 5]]
    found = estoc.Bvh(estoc.Mesh(corners, faces)).check()
    assert not found.is_ok and found.orientation is None
    assert found.degenerate.tolist() == [5]
    assert (found.duplicate.tolist(), found.duplicate_of.tolist()) == ([4], [0])
    assert found.open_edges == 7 and found.crowded_edges > 0
    same(found.self_intersections, estoc.Bvh(estoc.Mesh(corners, faces)).self_intersections())
    nothing = estoc.Bvh(estoc.Mesh([], [])).check()
    assert nothing.orientation is None and nothing.is_ok


def test_arrays_are_welded():
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1e-9, 1]])
    seam = estoc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 4], [0, 3, 2]])
    for welded in (seam.welded(), seam.welded(1e-8), seam.welded(np.float32(1e-3))):
        assert estoc.Bvh(welded).is_closed
        assert welded.warnings[0].startswith("welded within")
    assert not estoc.Bvh(seam.welded(1e-12)).is_closed
    with pytest.raises(estoc.MeshError):
        estoc.Mesh(corners[:3], [[0, 1, 2]]).welded()
    for wrong, error in ((-1, ValueError), ("near", ValueError), (np.nan, ValueError), ([1], TypeError)):
        with pytest.raises(error, match="weld"):
            seam.welded(wrong)
    far = estoc.Mesh(corners + ORIGIN, seam.faces, origin=ORIGIN)
    assert far.welded(1e-8).origin.tolist() == ORIGIN.tolist()


@pytest.mark.parametrize("origin", [None, ORIGIN])
def test_boxes_find_their_triangles(origin):
    points, faces = sphere(10)
    points = np.round(points * 2.0**16) / 2.0**16
    moved = 0 if origin is None else origin
    bvh = estoc.Bvh(estoc.Mesh(points + moved, faces, origin=origin))
    rng = np.random.default_rng(8)
    low = np.round(rng.uniform(-1.2, 1, (300, 3)) * 2.0**12) / 2.0**12
    high = low + np.round(rng.uniform(0, 0.6, (300, 3)) * 2.0**12) / 2.0**12
    lists = bvh.overlaps(low + moved, high + moved)
    assert len(lists.offsets) == 301 and lists.offsets[-1] == len(lists.prim) > 500
    # Their boxes meet, and what has a corner inside is found.
    corners = bvh.mesh.local_vertices[bvh.mesh.faces].astype(float)
    for i in range(300):
        found = lists.prim[lists.offsets[i]:lists.offsets[i + 1]]
        boxes_meet = ((corners.min(axis=1) <= high[i]) & (corners.max(axis=1) >= low[i])).all(axis=1)
        has_corner = ((corners >= low[i]) & (corners <= high[i])).all(axis=2).any(axis=1)
        assert boxes_meet[found].all() and np.isin(np.flatnonzero(has_corner), found).all()
        assert (np.diff(found) > 0).all()
    whole = bvh.overlaps(np.full(3, -2.0) + moved, np.full(3, 2.0) + moved)
    assert whole.prim.tolist() == list(range(len(faces)))
    none = bvh.overlaps([[1, 1, 1], [np.nan] * 3], [[0, 0, 0], [1, 1, 1]])
    assert none.offsets.tolist() == [0, 0, 0]
    ends = np.array([-np.inf, np.inf])[:, None, None] * np.ones(3)
    assert [len(bvh.overlaps(*ends[order]).prim) for order in ([0, 1], [0, 0], [1, 1])] == [len(faces), 0, 0]
    with pytest.raises(estoc.QueryError, match="more than 3 hits"):
        bvh.overlaps(low + moved, high + moved, max_hits=3)
    assert bvh.overlaps(np.empty((0, 3)), np.empty((0, 3))).offsets.tolist() == [0]
    with pytest.raises(ValueError, match="high has the shape"):
        bvh.overlaps(low, high[:7])


def test_many_boxes_are_asked_in_parts(ball):
    low = np.random.default_rng(9).uniform(-1, 1, (40_000, 3)).astype(np.float32)
    lists = ball.overlaps(low, low + np.float32(0.05), threads=2)
    for i in (0, 16_383, 16_384, 39_999):
        alone = ball.overlaps(low[i], low[i] + np.float32(0.05))
        assert alone.prim.tolist() == lists.prim[lists.offsets[i]:lists.offsets[i + 1]].tolist()


def test_boxes_with_many_triangles_are_asked_in_parts():
    """More triangles in all boxes than are held at a time."""
    bvh = estoc.Bvh(estoc.Mesh(*sphere(40)))
    lists = bvh.overlaps(np.full((1500, 3), -2.0), np.full((1500, 3), 2.0))
    assert len(lists.prim) == 1500 * len(bvh) > 1 << 22
    assert (lists.prim.reshape(1500, -1) == np.arange(len(bvh))).all()


@pytest.mark.parametrize("origin", [None, ORIGIN])
def test_spheres_stop_at_the_surface(origin):
    points, faces = sphere(10)
    moved = 0 if origin is None else origin
    points = np.round(points * 2.0**16) / 2.0**16
    bvh = estoc.Bvh(estoc.Mesh(points + moved, faces, origin=origin))
    rng = np.random.default_rng(10)
    start = np.round(rng.normal(size=(400, 3)) * 2.0**10) / 2.0**8
    along = np.round((rng.normal(size=(400, 3)) - start) * 2.0**10) / 2.0**10
    radius = np.round(rng.uniform(0, 0.5, 400) * 2.0**10) / 2.0**10
    found = bvh.sweep(start + moved, along, radius)
    hit = found.prim >= 0
    assert 50 < hit.sum() < 400
    at = start + moved + found.t[:, None].astype(float) * along
    distance = np.linalg.norm(at[hit] - found.point[hit], axis=1)
    free = ~found.is_touching_at_start[hit]
    np.testing.assert_allclose(distance[free], radius[hit][free], atol=1e-5)
    assert (bvh.distance(start + moved)[hit][~free] <= radius[hit][~free]).all() and (found.t[hit][~free] == 0).all()
    assert np.isinf(found.t[~hit]).all() and np.isnan(found.point[~hit]).all() and (found.feature[~hit] == 255).all()
    # A moving point is a ray.
    rays = bvh.closest_hit(start + moved, along)
    still = bvh.sweep(start + moved, along, 0)
    np.testing.assert_array_equal(still.prim >= 0, rays.is_hit)
    np.testing.assert_allclose(still.t[rays.is_hit], rays.t[rays.is_hit], rtol=1e-6)
    early = bvh.sweep(start + moved, along, radius, t_max=np.where(hit, found.t / 2, 0))
    assert (early.prim[hit & (found.t > 0)] == -1).all()
    one = bvh.sweep(start[0] + moved, along[0], radius[0])
    assert one.prim.shape == () and one.prim == found.prim[0]
    out = estoc.SphereContacts(*(np.empty_like(column) for column in found))
    assert bvh.sweep(start + moved, along, radius, out=out) is not None
    same(out, found)
    for wrong in (np.nan, -1):
        assert (bvh.sweep(start + moved, along, wrong).prim == -1).all()
    with pytest.raises(ValueError, match="radius has the shape"):
        bvh.sweep(start, along, radius[:3])
