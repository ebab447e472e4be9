"""Thickness, occlusion, sky view factors, visibility and grids have the values that are known by other means."""

import hashlib

import numpy as np
import pytest

import estoc
from conftest import Tensor, lines_of, sphere
from estoc import analysis


def box(low, high):
    """A closed mesh that faces outwards."""
    vertices = [[(low, high)[i >> axis & 1][axis] for axis in range(3)] for i in range(8)]
    sides = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]
    return np.array(vertices, float), np.array([face for a, b, c, d in sides for face in ((a, b, c), (a, c, d))])


def tree(vertices, faces):
    return estoc.Bvh(estoc.Mesh(vertices, faces))


def placed(bvh):
    scene = estoc.Scene()
    scene.add(bvh)
    return scene


@pytest.fixture(scope="module")
def cube():
    """From -1 to 1."""
    return tree(*box([-1, -1, -1], [1, 1, 1]))


def on_the_surface(bvh, count, seed=2):
    """Points of triangles, rounded; the numbers of the triangles, and the normals."""
    rng = np.random.default_rng(seed)
    prim, (u, v) = rng.integers(len(bvh), size=count), np.sort(rng.random((2, count)), axis=0)
    return bvh.mesh.points_at(prim, u, v - u), prim, bvh.mesh.normals_at(prim)


@pytest.mark.parametrize("of", [lambda bvh: bvh, placed])
def test_thickness_of_a_cube_is_its_side(cube, of):
    """Also at its corners and edges, on the diagonals of its faces, and wherever points were rounded to."""
    corners, faces = cube.mesh.vertices, cube.mesh.faces
    normals = cube.mesh.normals_at(np.arange(12))
    for u, v in ((0, 0), (1, 0), (0, 1), (0.5, 0.5), (1 / 3, 1 / 3), (0.7, 0.1)):
        points = cube.mesh.points_at(np.arange(12), [u], [v])
        np.testing.assert_array_equal(analysis.thickness(of(cube), points, -5 * normals), 2)
        # To the side of the surface where the point lies after rounding.
        for away in (1e-9, -1e-9, 1e-7, -1e-7):
            found = analysis.thickness(of(cube), points + away * normals, -normals)
            np.testing.assert_allclose(found, 2, atol=2e-7)
    assert analysis.thickness(of(cube), [0, 0, 1], [0, 0, 1]) == np.inf
    assert analysis.thickness(of(cube), [0, 0, 1], [0, 0, -1], max_thickness=1.5) == np.inf
    assert np.isnan(analysis.thickness(of(cube), [[0, 0, np.nan], [0, 0, 1], [0, 0, 1]], [[0, 0, 1], [0, 0, 0], [np.inf, 0, 0]])).all()
    assert analysis.thickness(of(cube), np.empty((0, 3)), [0, 0, 1]).shape == (0,)
    assert analysis.thickness(of(cube), np.zeros((4, 5, 3)), [0, 0, 1e-300]).shape == (4, 5)


def test_thickness_of_a_ball_is_its_diameter(ball):
    points, prim, normals = on_the_surface(ball, 4000)
    found = analysis.thickness(ball, points, -points)
    # The mesh is inside the sphere, by up to the sagitta of its quadrangles.
    assert (found < 2 + 1e-6).all() and (found > 2 - 0.02).all()
    turned = ball.mesh.faces[:, ::-1]
    for how in (dict(cull="back"), dict(cull=None, skip=prim)):
        same = analysis.thickness(tree(ball.mesh.vertices, turned), points, -points, **how)
        np.testing.assert_allclose(same, found, atol=1e-6)


def test_skipped_triangles_do_not_count(ball):
    """Half of the points that were rounded hit their own triangle, none when it is skipped."""
    points, prim, normals = on_the_surface(ball, 4000)
    hits = ball.any_hit(points, normals, open_ends=True)
    assert 0.2 < hits.mean() < 0.8
    assert (ball.closest_hit(points, normals).prim == np.where(hits, prim, -1)).all()
    how = dict(samples=32, skip=prim)
    assert analysis.ambient_occlusion(ball, points, normals, **how).max() == 0
    assert analysis.ambient_occlusion(ball, points, normals, samples=32).max() > 0
    assert (analysis.ambient_occlusion(ball, points, -normals, **how) == 1).all()
    # Also as hits, and in a scene, where these have paths.
    ahead = 2 * points, -points
    for surface in (ball, placed(ball)):
        hits = surface.closest_hit(*ahead)
        found = ball.mesh.points_at(hits.prim, hits.u, hits.v), ball.mesh.normals_at(hits.prim)
        assert analysis.ambient_occlusion(surface, *found, samples=32, skip=hits).max() < 1e-2
        assert (analysis.thickness(surface, found[0], -found[1], cull=None, skip=hits) > 1.9).mean() > 0.999
    spawned = ball.spawn(ball.closest_hit(*ahead), normals)
    assert analysis.ambient_occlusion(ball, spawned.origins, normals, samples=32, skip=spawned.skip).max() == 0
    # -1 skips none; what is not skipped counts.
    none = analysis.ambient_occlusion(ball, points, normals, samples=32)
    np.testing.assert_array_equal(analysis.ambient_occlusion(ball, points, normals, samples=32, skip=-1), none)


@pytest.mark.parametrize("of", [lambda bvh: bvh, placed])
def test_occlusion_of_known_places(cube, ball, of):
    # A vertex is a point of the surface that was not rounded: a ball and a cube do not occlude theirs.
    for bvh in (cube, ball):
        normals = bvh.mesh.vertex_normals()
        found = analysis.ambient_occlusion(of(bvh), bvh.mesh.vertices, normals)
        assert found.max() < 0.35 if bvh is cube else found.max() < 0.1
        assert (analysis.ambient_occlusion(of(bvh), 3 * bvh.mesh.vertices, normals) == 0).all()
    # In the middle everything is occluded, unless that is too far away.
    assert analysis.ambient_occlusion(of(cube), [0, 0, 0], [1, 2, 3]) == 1
    assert analysis.ambient_occlusion(of(cube), [0, 0, 0], [1, 2, 3], max_distance=0.99) == 0
    # Under a disc of the radius r at the height h it is r^2 / (r^2 + h^2).
    turn = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    rim = np.stack([3 * np.cos(turn), np.full(720, 4), 3 * np.sin(turn)], axis=-1)
    disc = tree(np.append(rim, [[0, 4, 0]], axis=0), [[720, i, (i + 1) % 720] for i in range(720)])
    found = analysis.ambient_occlusion(of(disc), [[0, 0, 0], [0, 0, 0], [0, 5, 0]], [0, 1e-200, 0], samples=4000)
    np.testing.assert_allclose(found, [0.36, 0.36, 0], atol=2e-3)
    assert np.isnan(analysis.ambient_occlusion(of(disc), [[np.inf, 0, 0], [0, 0, 0]], [[0, 1, 0], [0, 0, 0]])).all()


@pytest.mark.parametrize("of", [lambda bvh: bvh, placed])
def test_the_sky_of_a_street(of):
    """In the middle of a long street of the width w between walls of the height h: 1 / sqrt(1 + (2 h / w)^2)."""
    walls = [box([x, 0, -9000], [x + 1, 15, 9000]) for x in (-11, 10)]
    street = tree(np.concatenate([points for points, _ in walls]), np.concatenate([walls[0][1], walls[1][1] + 8]))
    known = 1 / np.sqrt(1 + 1.5**2)
    for up in ("y", [0, 7, 0]):
        found = analysis.sky_view_factor(of(street), [[0, 0, 0], [0, 20, 0]], up, samples=20_000)
        np.testing.assert_allclose(found, [known, 1], atol=1e-3)
    # On a roof everything is seen, from its exact points, and from below it half of it or less.
    assert analysis.sky_view_factor(of(street), [10.5, 15, 3], "y") == 1
    assert analysis.sky_view_factor(of(street), [10, 5, 3], "y") < 0.5
    assert np.isnan(analysis.sky_view_factor(of(street), [np.nan, 5, 3], "y"))


def test_directions_are_the_same_everywhere():
    """To the bit: a digest of them. Their mean height is that of the cosine, and none is rounded to more than 1."""
    dirs = analysis._hemisphere(1000)[..., 0]
    digest = hashlib.sha256(dirs.astype("<f8").tobytes()).hexdigest()
    assert digest == "faae84dbc4147388d457e8f832c6d50c5ebaa690a1469c2ce4770d9d7c38734b"
    angles, radius = np.pi * (3 - np.sqrt(5)) * (np.arange(1000) + 0.5), np.sqrt((np.arange(1000) + 0.5) / 1000)
    np.testing.assert_allclose(dirs[:2], [radius * np.cos(angles), radius * np.sin(angles)], atol=1e-12)
    np.testing.assert_allclose((dirs**2).sum(axis=0), 1, rtol=1e-12)
    np.testing.assert_allclose(dirs.mean(axis=1), [0, 0, 2 / 3], atol=2e-3)
    # Around any normal.
    rng = np.random.default_rng(3)
    normals = np.concatenate([rng.normal(size=(500, 3)), np.eye(3), -np.eye(3)]) * 10.0 ** rng.integers(-99, 99, (506, 1))
    normals[:3] *= 1e-200
    unit = analysis._unit(normals)
    turned = analysis._around(unit, 64)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=-1), 1, rtol=1e-12)
    np.testing.assert_allclose(np.einsum("ijk,ik->ij", turned, unit), np.broadcast_to(analysis._hemisphere(64)[2, :, 0], (506, 64)), atol=1e-14)


@pytest.mark.parametrize("of", [lambda bvh: bvh, placed])
def test_who_sees_whom(cube, ball, of):
    # Corners see each other along edges, across faces and through the inside: none has more than its ends in common.
    corners = cube.mesh.vertices
    assert analysis.visibility(of(cube), corners, corners).all()
    # From a point outside, those that are not behind the cube: a segment that grazes an edge touches it.
    seen = analysis.visibility(of(cube), [[5, 0, 0], [0, 0, 0], [np.nan, 0, 0]], corners)
    np.testing.assert_array_equal(seen, [corners[:, 0] > 0, [True] * 8, [False] * 8])
    assert not analysis.visibility(of(cube), [[-3, 0, 1]], [[3, 0, 1]]).any()
    assert not analysis.visibility(of(cube), [[-3, 1, 1]], [[3, 1, 1]]).any()
    # Vertices of a ball that a far point sees are those whose triangles face it.
    eye, vertices = np.array([0.1, 0.2, 50.0]), ball.mesh.vertices
    seen = analysis.visibility(of(ball), eye, vertices)
    assert seen.shape == vertices.shape[:1]
    height = vertices @ eye / np.linalg.norm(eye)
    assert seen[height > 0.15].all() and not seen[height < -0.05].any()
    # Both ways are the same; leading shapes are kept.
    some = np.random.default_rng(5).uniform(-2, 2, (2, 40, 3)).astype(np.float32)
    both = analysis.visibility(of(ball), some, vertices[:50])
    assert both.shape == (2, 40, 50) and 0.2 < both.mean() < 0.8
    np.testing.assert_array_equal(analysis.visibility(of(ball), vertices[:50], some), np.moveaxis(both, 2, 0))
    assert analysis.visibility(of(ball), np.empty((0, 3)), vertices).shape == (0, len(vertices))
    assert analysis.visibility(of(ball), vertices, np.empty((0, 3))).shape == (len(vertices), 0)


@pytest.mark.parametrize("block", [1, 7, 64])
def test_blocks_are_of_pairs(ball, monkeypatch, block):
    rng = np.random.default_rng(8)
    eyes, targets = rng.uniform(-2, 2, (5, 3)), rng.uniform(-2, 2, (33, 3))
    skip, target_skip = rng.integers(-1, len(ball), 5), rng.integers(-1, len(ball), 33)
    expected = analysis.visibility(ball, eyes, targets, skip=skip, target_skip=target_skip)
    asked, ask, told = [], analysis._any, []

    def counted(surface, origins, directions, *arguments, **options):
        asked.append(np.broadcast_shapes(origins.shape, directions.shape)[:-1])
        return ask(surface, origins, directions, *arguments, **options)

    monkeypatch.setattr(analysis, "_BLOCK", block)
    monkeypatch.setattr(analysis, "_any", counted)
    how = dict(skip=skip, target_skip=target_skip, progress=lambda done, total: told.append((done, total)))
    np.testing.assert_array_equal(analysis.visibility(ball, eyes, targets, **how), expected)
    assert max(np.prod(shape) for shape in asked) <= block
    assert told[-1] == (165, 165) and told == sorted(told)


def test_segments_are_not_rounded():
    """A pane that is nearer to its target than a ray in float32 tells."""
    pane = tree([[1, -9, -9], [1, 9, -9], [1, 0, 9]], [[0, 1, 2]])
    eye, near = [-1000.3, 0.1, 0.1], 1e-9
    for target, seen in (([1 - near, 0, 0], True), ([1, 0, 0], True), ([1 + near, 0, 0], False)):
        assert analysis.visibility(pane, eye, target) == seen


def test_points_that_were_computed_are_seen_where_their_triangles_are_known():
    """Of two balls, each point of one sees those of the other that it faces, and only these."""
    points, faces = sphere(8)
    two = tree(np.concatenate([points, points + [3, 0, 0]]), np.concatenate([faces, faces + len(points)]))
    count = len(faces)
    prim = np.arange(2 * count)
    centres, normals = two.mesh.points_at(prim, [1 / 3], [1 / 3]), two.mesh.normals_at(prim)
    ours, theirs = slice(0, count), slice(count, None)
    along = centres[theirs] - centres[ours, np.newaxis]
    faces_it = (np.einsum("ijk,ik->ij", along, normals[ours]) > 1e-9) & (np.einsum("ijk,jk->ij", along, normals[theirs]) < -1e-9)
    how = dict(skip=prim[ours], target_skip=prim[theirs])
    found = analysis.visibility(two, centres[ours], centres[theirs], **how)
    np.testing.assert_array_equal(found, faces_it)
    unskipped = analysis.visibility(two, centres[ours], centres[theirs])
    assert (unskipped <= found).all() and unskipped.sum() < 0.9 * found.sum()


def test_grids_have_the_distances_of_their_points(cube):
    values, (x, y, z) = analysis.signed_distance_grid(cube, 0.25, padding=0.5)
    assert values.shape == (13, 13, 13) and values.dtype == np.float32
    for axis in (x, y, z):
        np.testing.assert_array_equal(axis, np.arange(-6, 7) / 4)
    np.testing.assert_array_equal(analysis.signed_distance_grid(cube, 0.25, padding=0.5, rule="winding_number").values, values)
    # The bounds of a scene are slightly too large.
    for values, axes in ((values, (x, y, z)), analysis.signed_distance_grid(placed(cube), 0.25, padding=0.5)):
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
        outside = np.linalg.norm(np.maximum(np.abs(points) - 1, 0), axis=-1)
        known = np.where(outside > 0, outside, np.abs(points).max(axis=-1) - 1)
        np.testing.assert_allclose(values, known, rtol=2e-7, atol=1e-30)
    # By default one spacing around, and at least to there; a side that the spacing does not divide is longer.
    grid = analysis.signed_distance_grid(tree(*box([0, 0, 0], [1, 2, 0.5])), 0.75)
    assert grid.values.shape == (5, 6, 4)
    assert [(axis[0], axis[-1]) for axis in grid.axes] == [(-0.75, 2.25), (-0.75, 3.0), (-0.75, 1.5)]
    assert (grid.values[[0, -1]] > 0).all()


def test_meshes_with_an_origin_are_asked_in_the_world(cube):
    """A cube on a map, whose coordinates float32 has not."""
    place = np.array([5e6 + 0.25, 4e5, 100.0])
    mesh = estoc.Mesh(cube.mesh.vertices / 64 + place, cube.mesh.faces, origin="auto")
    bvh, normals = estoc.Bvh(mesh), mesh.normals_at(np.arange(12))
    points = mesh.points_at(np.arange(12), [1 / 3], [1 / 3])
    np.testing.assert_allclose(analysis.thickness(bvh, points, -normals), 1 / 32, rtol=1e-5)
    assert analysis.ambient_occlusion(bvh, points, normals, skip=np.arange(12)).max() < 0.1
    assert analysis.sky_view_factor(bvh, place, "z") == 0
    assert analysis.visibility(bvh, mesh.vertices, mesh.vertices).all()
    assert not analysis.visibility(bvh, place - [1, 0, 0], place + [1, 0, 0])
    grid = analysis.signed_distance_grid(bvh, 1 / 128)
    assert np.isclose(grid.values.min(), -1 / 64, rtol=1e-5) and abs(grid.axes[0].mean() - place[0]) < 0.01


def test_blocks_do_not_change_answers(cube, ball, monkeypatch):
    points, prim, normals = on_the_surface(ball, 500)
    calls = [
        lambda how: analysis.thickness(ball, points, -normals, **how),
        lambda how: analysis.ambient_occlusion(ball, 1.1 * points, -normals, samples=40, **how),
        lambda how: analysis.ambient_occlusion(ball, points, [0, 1, 0], samples=40, skip=prim, **how),
        lambda how: analysis.sky_view_factor(placed(ball), 1.1 * points, "z", samples=40, **how),
        lambda how: analysis.visibility(ball, points[:30], 1.1 * points, skip=prim[:30], **how),
        lambda how: analysis.signed_distance_grid(cube, 0.1, **how).values,
        lambda how: analysis.signed_distance_grid(placed(cube), 0.1, **how).values,
    ]
    whole = [call({}) for call in calls]
    monkeypatch.setattr(analysis, "_BLOCK", 700)
    for call, found in zip(calls, whole):
        told = []
        np.testing.assert_array_equal(call(dict(threads=1, progress=lambda *now: told.append(now))), found)
        done, totals = zip(*told)
        assert list(done) == sorted(done) and set(totals) == {done[-1]}

        def report(done, total):
            raise KeyError

        with pytest.raises(KeyError):
            call(dict(progress=report))


def test_memory_is_that_of_a_block():
    """The directions alone of 40,000 points with 256 samples each would take 245 MB."""
    [[grown]] = lines_of("""
        import resource, numpy as np, estoc
        from conftest import sphere
        from estoc import analysis
        bvh = estoc.Bvh(estoc.Mesh(*sphere(8)))
        points = np.random.default_rng(1).uniform(-2, 2, (40_000, 3))
        analysis.ambient_occlusion(bvh, points[:100], points[:100], samples=256)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        analysis.ambient_occlusion(bvh, points, points, samples=256)
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
    """)
    assert int(grown) < 200


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda b, s: analysis.thickness(b.mesh, [0, 0, 0], [0, 0, 1]), TypeError, "surface is a Mesh; wanted is an estoc.Bvh"),
        (lambda b, s: analysis.thickness(b, [0, 0], [0, 0, 1]), ValueError, r"points has the shape \(2,\)"),
        (lambda b, s: analysis.thickness(b, np.zeros((4, 3)), np.zeros((5, 3))), ValueError, r"inward has the shape \(5, 3\)"),
        (lambda b, s: analysis.thickness(b, [0, 0, 0], None), TypeError, "inward is None"),
        (lambda b, s: analysis.thickness(b, [0, 0, 0], [0, 0, 1], cull="left"), ValueError, "cull is 'left'"),
        (lambda b, s: analysis.thickness(b, [0, 0, 0], [0, 0, 1], skip=12), IndexError, "skip has the number 12; the mesh has 12"),
        (lambda b, s: analysis.thickness(b, [0, 0, 0], [0, 0, 1], skip=-2), IndexError, "skip has the number -2"),
        (lambda b, s: analysis.thickness(b, [0, 0, 0], [0, 0, 1], skip=0.5), TypeError, "skip has the dtype float64"),
        (lambda b, s: analysis.thickness(b, [0, 0, 0], [0, 0, 1], skip=[1, 2]), ValueError, r"skip has the shape \(2,\); wanted is one number, or \(\)"),
        (lambda b, s: analysis.visibility(s, [0, 0, 0], [0, 0, 1], target_skip=0), TypeError, "target_skip is 0; wanted are estoc.SceneHits"),
        (lambda b, s: analysis.visibility(b, [0, 0, 0], [0, 0, 1], target_skip=12), IndexError, "target_skip has the number 12"),
        (lambda b, s: analysis.thickness(s, [0, 0, 0], [0, 0, 1], skip=0), TypeError, "skip is 0; wanted are estoc.SceneHits"),
        (lambda b, s: analysis.thickness(b, [0, 0, 0], [0, 0, 1], max_thickness="a"), TypeError, "max_thickness is 'a'"),
        (lambda b, s: analysis.ambient_occlusion(b, [0, 0, 0], [0, 0, 1], samples=0), ValueError, "samples is 0; it must be a whole number from 1"),
        (lambda b, s: analysis.ambient_occlusion(b, [0, 0, 0], [0, 0, 1], samples=1.5), TypeError, "samples is 1.5"),
        (lambda b, s: analysis.ambient_occlusion(b, [0, 0, 0], [0, 1]), ValueError, r"normals has the shape \(2,\)"),
        (lambda b, s: analysis.ambient_occlusion(b, [0, 0, 0], [0, 0, 1], threads=0), ValueError, "threads is 0"),
        (lambda b, s: analysis.sky_view_factor(b, [0, 0, 0], "w"), ValueError, "up is 'w'"),
        (lambda b, s: analysis.sky_view_factor(b, [0, 0, 0], [0, 0, 0]), ValueError, "up is .*it must be finite and not 0"),
        (lambda b, s: analysis.sky_view_factor(b, [0, 0, 0], [0, 0, np.nan]), ValueError, "up is"),
        (lambda b, s: analysis.visibility(b, [0, 0, 0], [0, 0]), ValueError, r"targets has the shape \(2,\)"),
        (lambda b, s: analysis.visibility(b, [0, 0, 0], np.zeros((4, 3)), target_skip=[1, 2]), ValueError, r"target_skip has the shape \(2,\); wanted is one number, or \(4,\)"),
        (lambda b, s: analysis.signed_distance_grid(b, 0), ValueError, "spacing is 0; it must be finite and greater"),
        (lambda b, s: analysis.signed_distance_grid(b, np.nan), ValueError, "spacing is nan"),
        (lambda b, s: analysis.signed_distance_grid(b, 1e-9), ValueError, r"spacing is 1e-09; .*at most 2\*\*40 points"),
        (lambda b, s: analysis.signed_distance_grid(b, 5e-324), ValueError, r"at most 2\*\*40 points"),
        (lambda b, s: analysis.signed_distance_grid(b, 1, padding=-1), ValueError, "padding is -1"),
        (lambda b, s: analysis.signed_distance_grid(b, 1, rule="odd"), ValueError, "rule is 'odd'"),
        (lambda b, s: analysis.signed_distance_grid(s, 1, rule="winding_number"), ValueError, "rule is 'winding_number'; for a scene"),
        (lambda b, s: analysis.signed_distance_grid(tree([], []), 1), estoc.QueryError, "there are no triangles"),
        (lambda b, s: analysis.signed_distance_grid(estoc.Scene(), 1), estoc.QueryError, "there are no triangles"),
        (lambda b, s: analysis.signed_distance_grid(tree([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), 1), estoc.SurfaceError, "closed"),
    ],
)
def test_refusals_name_the_argument(cube, call, error, words):
    with pytest.raises(error, match=words):
        call(cube, placed(cube))


def test_arrays_of_any_kind(cube):
    points, normals = np.float32([[0, 0, 5], [0, 0, 0]]), np.float32([[0, 0, 1], [0, 0, 1]])
    for kind in (Tensor, np.asfortranarray, lambda array: array.tolist(), lambda array: array.astype(np.float16)):
        assert analysis.ambient_occlusion(cube, kind(points), kind(normals)).tolist() == [0, 1]
        assert analysis.visibility(cube, kind(points), kind(points)).tolist() == [[True, False], [False, True]]


def test_without_triangles_nothing_is_in_the_way():
    for surface in (tree([], []), estoc.Scene()):
        assert analysis.thickness(surface, [0, 0, 0], [0, 0, 1]) == np.inf
        assert analysis.ambient_occlusion(surface, [0, 0, 0], [0, 0, 1]) == 0
        assert analysis.sky_view_factor(surface, [0, 0, 0], "z") == 1
        assert analysis.visibility(surface, [0, 0, 0], [0, 0, 1])
