"""Arguments that are no arrays of rays: what is refused, and by which name."""

import weakref
from pathlib import Path

import numpy as np
import pytest

import estoc
from conftest import same, sphere


class Foreign:
    """A mesh of another library."""

    vertices, faces = np.zeros((3, 3)), np.zeros((1, 3), int)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda b, s, r: b.any_hit(np.zeros((4, 5))), ValueError, r"rays has the shape \(4, 5\); wanted is \(\.\.\., 6\)"),
        (lambda b, s, r: b.any_hit(0.5), ValueError, r"rays has the shape \(\)"),
        (lambda b, s, r: b.any_hit(np.zeros((4, 6), complex)), TypeError, "rays has the dtype complex128 .*float32"),
        (lambda b, s, r: b.any_hit(np.zeros((4, 6), bool)), TypeError, "rays has the dtype bool"),
        (lambda b, s, r: b.any_hit([["x"] * 6]), TypeError, "rays has the dtype <U1"),
        (lambda b, s, r: b.any_hit(np.zeros((4, 2)), r[:4, :3]), ValueError, r"origins has the shape \(4, 2\)"),
        (lambda b, s, r: b.any_hit(r[:4, :3], r[:5, :3]), ValueError, r"directions has the shape \(5, 3\); .* \(4, 3\)"),
        (lambda b, s, r: b.contains(np.zeros((4, 2))), ValueError, r"points has the shape \(4, 2\); .* \(\.\.\., 3\)"),
        (lambda b, s, r: b.any_hit(r, cull="left"), ValueError, "cull is 'left'; it must be \"back\""),
        (lambda b, s, r: b.any_hit(r, threads=0), ValueError, "threads is 0"),
        (lambda b, s, r: b.any_hit(r, threads=10**6), ValueError, "threads is 1000000; .* from 1 to 1024"),
        (lambda b, s, r: b.any_hit(r[:2], out=np.zeros(3, bool)), ValueError, r"out has the shape \(3,\); .*\(2,\)"),
        (lambda b, s, r: b.any_hit(r[:2], out=np.zeros(2)), TypeError, "out has the dtype float64"),
        (lambda b, s, r: b.any_hit(r[:2], out=np.zeros(4, bool)[::2]), ValueError, "out is not contiguous"),
        (lambda b, s, r: estoc.Mesh(np.zeros((3, 2)), [[0, 1, 2]]), ValueError, r"vertices has the shape \(3, 2\)"),
        (lambda b, s, r: estoc.Mesh(np.zeros((3, 3)), [0, 1, 2]), ValueError, r"faces has the shape \(3,\)"),
        (lambda b, s, r: estoc.Mesh(np.zeros((3, 3)), [[0, 1, 2.5]]), TypeError, "faces has the dtype float64"),
        (lambda b, s, r: estoc.Mesh(np.zeros((3, 3)), [[0, 1, -1]]), estoc.MeshError, "face 0: .*-1"),
        (lambda b, s, r: estoc.Mesh(np.zeros((3, 3)), [[0, 1, 2**40]]), estoc.MeshError, str(2**40)),
        (lambda b, s, r: estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 1e300]], [[0, 1, 2]]), estoc.MeshError,
         r"vertices\[2\] is \[0.0, 1.0, 1e\+300\]; .* range of float32"),
        (lambda b, s, r: estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, np.inf]], [[0, 1, 2]]), estoc.MeshError, "face 0: .*inf"),
        (lambda b, s, r: estoc.Mesh("a.obj"), TypeError, r"vertices is 'a.obj', .* made by estoc.Mesh.load\(path\)"),
        (lambda b, s, r: estoc.Mesh(Path("a.obj")), TypeError, r"made by estoc.Mesh.load\(path\)"),
        (lambda b, s, r: estoc.Mesh("a.obj", [[0, 1, 2]]), TypeError, "vertices is 'a.obj'; wanted is an array"),
        (lambda b, s, r: estoc.Mesh(Foreign()), TypeError, r"made by estoc.from_trimesh\(mesh\)"),
        (lambda b, s, r: estoc.Mesh(np.zeros((5, 3, 3))), TypeError,
         r"vertices has the shape \(5, 3, 3\), .*corners.reshape\(-1, 3\)"),
        (lambda b, s, r: estoc.Mesh(np.zeros((5, 3))), TypeError, r"faces is None; wanted is an array of the shape \(F, 3\)"),
        (lambda b, s, r: estoc.Mesh([]), TypeError, "faces is None"),
        (lambda b, s, r: estoc.Mesh(None, None), TypeError, "faces is None"),
        (lambda b, s, r: estoc.Mesh(None, [[0, 1, 2]]), TypeError, "vertices is None; wanted is an array"),
        (lambda b, s, r: estoc.Mesh([[0, 0, 0], [1, 1]], [[0, 0, 0]]), ValueError, "vertices has rows of different lengths"),
        (lambda b, s, r: estoc.Bvh(np.zeros((8, 3)), np.zeros((4, 3))), TypeError,
         r"mesh is an array of the shape \(8, 3\); wanted is an estoc.Mesh: estoc.Bvh\(estoc.Mesh\(vertices, faces\)\)"),
        (lambda b, s, r: estoc.Bvh(b.mesh, "best"), TypeError, "'best' follows the mesh; .* quality=\"best\""),
        (lambda b, s, r: estoc.Bvh("a.obj"), TypeError, r"mesh is 'a.obj'; .*such as estoc.Mesh.load\(path\)"),
        (lambda b, s, r: estoc.Bvh(Foreign()), TypeError, r"such as estoc.from_trimesh\(mesh\)"),
        (lambda b, s, r: estoc.Bvh(None), TypeError, "mesh is None; wanted is an estoc.Mesh"),
        (lambda b, s, r: estoc.Bvh([]), TypeError, r"mesh is \[\]; wanted is an estoc.Mesh"),
        (lambda b, s, r: b.closest_hit(r[:, :3]), ValueError,
         r"rays has the shape \(3000, 3\), and directions is missing; .* origins and directions, or .* \(\.\.\., 6\)"),
        (lambda b, s, r: b.closest_hit(None), TypeError, "rays is None; wanted is an array of numbers"),
        (lambda b, s, r: b.closest_hit([]), ValueError, r"rays has the shape \(0,\); .*none are numpy.empty\(\(0, 6\)\)"),
        (lambda b, s, r: b.closest_hit([], []), ValueError, r"origins has the shape \(0,\); .*numpy.empty\(\(0, 3\)\)"),
        (lambda b, s, r: b.distance([]), ValueError, r"points has the shape \(0,\); .*numpy.empty\(\(0, 3\)\)"),
        (lambda b, s, r: b.closest_hit("rays"), TypeError, "rays is 'rays'; wanted is an array of numbers"),
        (lambda b, s, r: s.distance({"a": 1}), TypeError, "points is {'a': 1}; wanted is an array of numbers"),
        (lambda b, s, r: b.closest_hit([[0, 0, 0]], [[0, 0, 1], [0, 1]]), ValueError, "directions has rows of different lengths"),
        (lambda b, s, r: b.all_hits(r, k=-1), ValueError, "k is -1; it must be at least 0"),
        (lambda b, s, r: b.all_hits(r, max_hits=-1), ValueError, "max_hits is -1; it must be at least 0"),
        (lambda b, s, r: s.all_hits(r, k=-1), ValueError, "k is -1; it must be at least 0"),
        (lambda b, s, r: s.all_hits(r, max_hits=-1), ValueError, "max_hits is -1; it must be at least 0"),
        (lambda b, s, r: s.add(b, np.zeros((3, 3))), ValueError, r"matrix has the shape \(3, 3\)"),
        (lambda b, s, r: s.add(b, np.zeros((3, 4))), ValueError, "no inverse"),
        (lambda b, s, r: s.add(b, np.full((3, 4), np.nan)), ValueError, "must be finite"),
        (lambda b, s, r: s.add(b, np.diag([1, 1, 1, 2.0])), ValueError, "last row"),
        (lambda b, s, r: estoc.Bvh(b.mesh, quality="good"), ValueError, "quality is 'good'; it must be .*\"best\""),
        (lambda b, s, r: estoc.Bvh(np.zeros(3)), TypeError, r"mesh is an array of the shape \(3,\); wanted is an estoc.Mesh"),
        (lambda b, s, r: b.any_hit(r, threads=1025), ValueError, "threads is 1025; it must be a whole number from 1 to 1024"),
        (lambda b, s, r: b.any_hit(r, threads=True), TypeError, "threads is True"),
        (lambda b, s, r: b.any_hit(r, threads=2.5), TypeError, "threads is 2.5"),
        (lambda b, s, r: b.any_hit(r, threads=np.inf), TypeError, "threads is inf"),
        (lambda b, s, r: b.any_hit(r, threads=2**70), ValueError, f"threads is {2**70}"),
        (lambda b, s, r: b.any_hit(r, cull=1), TypeError, 'cull is 1; it must be "back"'),
        (lambda b, s, r: b.any_hit(r, t_min="0"), TypeError, "t_min is '0'; it must be one real number"),
        (lambda b, s, r: b.any_hit(r, t_max=[1, 2]), ValueError, r"t_max has the shape \(2,\); wanted is one number, or \(3000,\)"),
        (lambda b, s, r: b.any_hit(r, t_max=np.ones(9)), ValueError, r"t_max has the shape \(9,\)"),
        (lambda b, s, r: b.any_hit(r, progress=0), TypeError, "progress is 0; it must be True, False"),
        (lambda b, s, r: b.any_hit(r, progress=[]), TypeError, r"progress is \[\]"),
        (lambda b, s, r: b.all_hits(r, k=1.5), TypeError, "k is 1.5"),
        (lambda b, s, r: b.within(r[:, :3], 1, max_hits=-1), ValueError, "max_hits is -1; it must be at least 0"),
        (lambda b, s, r: b.within(r[:, :3], None), TypeError, "radius is None"),
        (lambda b, s, r: b.closest_point(r[:, :3], max_distance="a"), TypeError, "max_distance is 'a'"),
        (lambda b, s, r: b.signed_distance(r[:, :3], rule=None), TypeError, 'rule is None; it must be "parity"'),
        (lambda b, s, r: estoc.Bvh(b.mesh, quality=None), TypeError, "quality is None"),
        (lambda b, s, r: estoc.Bvh(b.mesh, threads=5000), ValueError, "threads is 5000"),
        (lambda b, s, r: s.closest_hit(r, mask=-1), ValueError, "mask is -1; it must be a whole number from 0 to 0xffffffff"),
        (lambda b, s, r: s.all_hits(r, mask=2**32), ValueError, "mask is 4294967296"),
        (lambda b, s, r: s.add(b, mask=-1), ValueError, "mask is -1"),
        (lambda b, s, r: s.add(b, name=5), TypeError, "name is 5"),
        (lambda b, s, r: s.name(0.5), TypeError, "number is 0.5"),
        (lambda b, s, r: s.set_matrix(-1, np.eye(4)), estoc.SceneError, "no placement -1"),
        (lambda b, s, r: s.remove(2**40), estoc.SceneError, f"no placement {2**40}"),
        (lambda b, s, r: estoc.Bvh.from_bytes(5), TypeError, "data is 5; wanted are bytes"),
        (lambda b, s, r: estoc.Bvh.load(5), TypeError, "path is 5"),
        (lambda b, s, r: b.save(None), TypeError, "path is None"),
        (lambda b, s, r: estoc.Mesh.load(3.5), TypeError, "path is 3.5"),
        (lambda b, s, r: estoc.Mesh.load("a", weld=-1), ValueError, "weld is -1; it must be finite"),
        (lambda b, s, r: estoc.Mesh.load("a", weld=float("nan")), ValueError, "weld is nan"),
        (lambda b, s, r: estoc.Mesh.load("a", weld="all"), ValueError, "weld is 'all'; it must be \"auto\" or a distance"),
        (lambda b, s, r: estoc.Mesh.load("a", weld=True), TypeError, "weld is True"),
        (lambda b, s, r: b.render(fov="x"), TypeError, "fov is 'x'"),
        (lambda b, s, r: b.mesh.points_at([len(b)], 0, 0), IndexError, "prim has the number 2208; the mesh has 2,208 triangles"),
        (lambda b, s, r: b.mesh.normals_at([-2]), IndexError, "prim has the number -2"),
        (lambda b, s, r: b.mesh.points_at([0], "a", 0), TypeError, "u is 'a'; wanted is an array of numbers"),
        (lambda b, s, r: b.any_hit([[1, 2], [3]]), ValueError, "rays has rows of different lengths; wanted is one length"),
    ],
)
def test_refusals_name_the_argument(ball, rays, call, error, words):
    scene = estoc.Scene()
    scene.add(ball)
    with pytest.raises(error, match=words):
        call(ball, scene, rays)


def test_limits_beyond_all_numbers_are_no_limits(ball, rays):
    same(ball.all_hits(rays, k=2**70, max_hits=2**70), ball.all_hits(rays))
    # Real numbers beyond those of float are infinite.
    assert not ball.any_hit(rays, t_min=10**400).any()
    assert ball.any_hit(rays, t_min=-(10**400), t_max=10**400).any()
    np.testing.assert_array_equal(ball.any_hit(rays, progress=np.False_), ball.any_hit(rays))


def test_bytes_of_any_kind_are_trees(ball):
    data = ball.to_bytes()
    for given in (bytearray(data), memoryview(data), np.frombuffer(data, np.uint8)):
        assert len(estoc.Bvh.from_bytes(given)) == len(ball)


@pytest.mark.parametrize("out", [5, (), {}, (1, 2), [None] * 9, np.zeros(40)])
def test_out_has_as_many_arrays_as_there_are_answers(ball, rays, out):
    with pytest.raises(TypeError, match="out is a .*; wanted is an estoc.Hits of 4 arrays: t, prim, u, v"):
        ball.closest_hit(rays, out=out)
    with pytest.raises(TypeError, match="out is a .*; wanted is an estoc.ClosestPoints of 6 arrays"):
        ball.closest_point(rays[:, :3], out=out)


def test_weak_references():
    mesh = estoc.Mesh(*sphere(4))
    for thing in (mesh, estoc.Bvh(mesh), estoc.Scene()):
        assert weakref.ref(thing)() is thing
