"""Cuts with planes: areas, nesting, polygons, refusals."""

import numpy as np
import pytest

import estoc
from conftest import sphere


def tube(outlines, low=0.0, high=4.0):
    """The walls of tubes along z; those of outlines that run clockwise face inwards."""
    points, faces = [], []
    for outline in outlines:
        first, n = len(points), len(outline)
        points += [(x, y, z) for z in (low, high) for x, y in outline]
        for i in range(n):
            a, b = first + i, first + (i + 1) % n
            faces += [(a, b, b + n), (a, b + n, a + n)]
    return estoc.Bvh(estoc.Mesh(points, faces))


def square(x, y, size):
    return [(x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size)]


@pytest.fixture(scope="module")
def nested():
    return tube([square(0, 0, 5), square(0, 0, 3)[::-1], square(1, 1, 1), square(20, 0, 2)])


def test_areas_and_nesting(nested):
    cut = nested.section([0, 0, 1.5], [0, 0, 2])
    assert cut.areas.tolist() == [100, -36, 4, 16]
    assert cut.parents.tolist() == [-1, 0, 1, -1]
    assert cut.is_hole.tolist() == [False, True, False, False]
    assert cut.area == 100 - 36 + 4 + 16
    assert len(cut.areas) == 4
    assert [len(line) for line in cut.polylines] == [8, 8, 8, 8]
    assert cut.prim[cut.offsets[:-1]].tolist() == [0, 8, 16, 24]


def area_of(ring):
    x, y = ring.T
    return abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def test_polygons_have_their_holes(nested):
    for normal in ([0, 0, 1], [0, 0, -1], [0.02, -0.01, 1]):
        cut = nested.section([0, 0, 1.5], normal)
        polygons = cut.polygons()
        assert [len(holes) for _, holes in polygons] == [1, 0, 0]
        areas = [area_of(ring) - sum(map(area_of, holes)) for ring, holes in polygons]
        assert sum(areas) == pytest.approx(cut.area, rel=1e-6)
        # They lead back to the points in space.
        flat = polygons[0][0]
        back = np.c_[flat, np.zeros(len(flat)), np.ones(len(flat))] @ cut.to_3d.T
        np.testing.assert_allclose(back[:, :3], cut.polylines[0], atol=1e-6)
        np.testing.assert_allclose(np.linalg.det(cut.to_3d), 1)


def test_polygons_are_those_of_shapely(nested, ball):
    shapely = pytest.importorskip("shapely", reason="shapely is not installed")
    rng = np.random.default_rng(3)
    cuts = [nested.section([0, 0, 2], [0.05, 0, 1])]
    cuts += ball.sections(rng.normal(size=(50, 3)) / 3, rng.normal(size=(50, 3)))
    for cut in cuts:
        polygons = [shapely.Polygon(outline, holes) for outline, holes in cut.polygons()]
        assert sum(polygon.area for polygon in polygons) == pytest.approx(cut.area, rel=1e-5, abs=1e-6)
    assert all(shapely.Polygon(outline, holes).is_valid for outline, holes in cuts[0].polygons())


def test_many_heights_sum_up_to_the_volume(ball):
    heights = (np.arange(200) + 0.5) / 100 - 1
    planes = np.stack([0 * heights, 0 * heights, heights], axis=1)
    seen = []
    cuts = ball.sections(planes, [0, 0, 1], threads=2, progress=lambda done, of: seen.append((done, of)))
    points, faces = sphere()
    volume = np.einsum("ij,ij->", points[faces[:, 0]], np.cross(points[faces[:, 1]], points[faces[:, 2]])) / 6
    assert sum(cut.area for cut in cuts) / 100 == pytest.approx(volume, rel=1e-3)
    assert seen[-1] == (200, 200)
    one = ball.section(planes[70], [0, 0, 1])
    np.testing.assert_array_equal(one.points, cuts[70].points)
    assert one.area == cuts[70].area


def test_open_and_empty_cuts(nested):
    open_tube = estoc.Bvh(estoc.Mesh([[0, 0, 0], [4, 0, 0], [0, 0, 4]], [[0, 1, 2]]))
    cut = open_tube.section([0, 0, 1], [0, 0, 1])
    assert cut.area is None and np.isnan(cut.areas).all() and cut.polygons() == []
    assert cut.parents.tolist() == [-1]
    empty = nested.section([0, 0, 9], [0, 0, 1])
    assert empty.area == 0 and empty.polylines == [] and empty.polygons() == [] and len(empty.areas) == 0
    assert empty.points.shape == (0, 3)
    assert nested.sections(np.zeros((0, 3)), [0, 0, 1]) == []


def test_what_is_no_plane_is_refused(nested):
    with pytest.raises(estoc.QueryError, match="plane 1: the plane's normal must not be zero"):
        nested.sections(np.zeros((2, 3)), [[0, 0, 1], [0, 0, 0]])
    with pytest.raises(estoc.QueryError, match="plane 0: the point .* must be finite"):
        nested.section([0, np.nan, 0], [0, 0, 1])
    with pytest.raises(ValueError, match=r"normals has the shape \(3, 3\); wanted is \(2, 3\)"):
        nested.sections(np.zeros((2, 3)), np.ones((3, 3)))
    with pytest.raises(ValueError, match=r"points has the shape \(2, 2, 3\); wanted is \(N, 3\)"):
        nested.sections(np.zeros((2, 2, 3)), [0, 0, 1])
    with pytest.raises(ValueError, match=r"normal has the shape \(2,\); wanted is \(3,\)"):
        nested.section([0, 0, 0], [0, 1])
