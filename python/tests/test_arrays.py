"""Arrays of any layout have the same answers, and others are refused by name."""

import ctypes
import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st

import estoc
from estoc import _arrays, _estoc
from conftest import Tensor, cases, same, some_rays, sphere


def layouts(rays):
    wide = np.zeros((len(rays), 13), np.float32)
    wide[:, 1:13:2] = rays
    yield "double", rays.astype(np.float64)
    yield "columns", np.asfortranarray(rays)
    yield "strided", wide[:, 1:13:2]
    yield "backwards", np.ascontiguousarray(rays[::-1])[::-1]
    yield "swapped", rays.astype(">f4")
    packed = np.zeros(rays.nbytes + 1, np.uint8)[1:].view(np.float32).reshape(rays.shape)
    packed[...] = rays
    yield "not aligned", packed
    yield "list", rays.tolist()
    frozen = rays.copy()
    frozen.flags.writeable = False
    yield "read-only", frozen


def test_layouts_have_the_same_answers(ball, rays):
    expected = ball.closest_hit(rays)
    assert 0.2 < expected.is_hit.mean() < 0.95
    for _, layout in layouts(rays):
        same(ball.closest_hit(layout), expected)
    same(ball.closest_hit(rays[:, :3], rays[:, 3:]), expected)
    same(ball.closest_hit(rays[:, :3].astype(np.float64), rays[:, 3:]), expected)


@pytest.mark.parametrize(
    "address, lengths, strides, size, fits",
    [
        (64, (5,), (8,), 8, True),
        (68, (5,), (8,), 8, False),
        (68, (5,), (8,), 4, True),
        (64, (5,), (12,), 8, False),
        (64, (5,), (-16,), 8, True),
        (64, (5,), (-12,), 8, False),
        (64, (5, 3), (24, 8), 8, True),
        (64, (5, 3), (28, 8), 8, False),
        # One element of an axis, or none at all: strides say nothing.
        (64, (1, 3), (28, 8), 8, True),
        (68, (1, 3), (28, 8), 8, False),
        (68, (0, 3), (28, 8), 8, True),
        (68, (), (), 8, False),
    ],
)
def test_numbers_lie_at_multiples_of_their_size(address, lengths, strides, size, fits):
    assert _estoc.is_aligned(address, lengths, strides, size) == fits


def test_what_numpy_calls_aligned_may_not_be_enough():
    # Complex numbers are for numpy here what float64 is on 32-bit x86: 8 bytes, at multiples of 4.
    memory = np.zeros(20, np.uint64)
    whole = memory.view(np.complex64)
    shifted = memory.view(np.uint8)[4:-4].view(np.complex64)
    assert whole.dtype.itemsize == 8 and whole.dtype.alignment == 4
    assert whole.flags.aligned and shifted.flags.aligned
    assert _arrays.is_aligned(whole) and not _arrays.is_aligned(shifted)
    assert _arrays.is_aligned(np.zeros((4, 3))) and _arrays.is_aligned(np.zeros((4, 6), np.float32)[:, 1:4])


def test_arrays_that_are_not_aligned_are_refused_as_results(ball, rays):
    out = np.zeros(len(rays) * 8 + 4, np.uint8)[4:].view(np.int64)
    assert not out.flags.aligned
    with pytest.raises(ValueError, match="not aligned"):
        ball.count_hits(rays, out=out)


def test_leading_shapes_are_kept(ball, rays):
    expected = ball.closest_hit(rays)
    cube = rays.reshape(10, 20, 15, 6)
    for array in (cube, cube.transpose(1, 0, 2, 3).copy().transpose(1, 0, 2, 3)):
        hits = ball.closest_hit(array)
        assert hits.t.shape == (10, 20, 15)
        same([column.reshape(-1) for column in hits], expected)
    one = ball.closest_hit(rays[0])
    assert one.prim.shape == () and one.prim == expected.prim[0]
    assert ball.any_hit(np.zeros((4, 0, 6))).shape == (4, 0)
    assert ball.contains(np.zeros((2, 5, 3))).all()


def test_origins_and_directions_are_broadcast(ball):
    dirs = np.random.default_rng(3).normal(size=(5, 7, 3)).astype(np.float32)
    eye = np.array([0.1, 0.2, 3.0], np.float32)
    rays = np.concatenate([np.broadcast_to(eye, dirs.shape), dirs], axis=-1)
    same(ball.closest_hit(eye, dirs), ball.closest_hit(rays))


def test_intervals(ball):
    ray = np.array([[0, 0.01, 5, 0, 0, -1, 0, np.inf]], np.float32)
    first = ball.closest_hit(ray).t[0]
    assert 3.9 < first < 4.1
    assert ball.closest_hit(ray[:, :6], t_min=first + 0.5).t[0] > 5.9
    assert not ball.any_hit(ray[:, :6], t_max=3.5)[0]
    ray[0, 7] = 3.5
    assert not ball.any_hit(ray)[0]
    ray[0, 6:] = [np.nan, np.inf]
    assert not ball.any_hit(ray, t_min=1.0)[0]


def test_nan_rays_miss(ball):
    for place in range(6):
        ray = np.array([0, 0, 5, 0, 0, -1], np.float32)
        ray[place] = np.nan
        hits = ball.closest_hit(ray)
        assert hits.prim == -1 and np.isinf(hits.t) and hits.u == 0
    assert not ball.contains([np.nan, 0, 0])


def test_longdouble_and_large_integers_are_float64_first(ball, rays):
    """As the documentation says: the nearest float64, and then the nearest float32 of that."""
    step = np.longdouble(1) / 2**60
    long = rays.astype(np.longdouble) * (1 + step)
    same(ball.closest_hit(long), ball.closest_hit(long.astype(np.float64)))
    whole = (rays * 2.0**40).astype(np.int64) * 2**20 + 1
    same(ball.closest_hit(whole), ball.closest_hit(whole.astype(np.float64)))


def test_masked_arrays_are_refused(ball, rays):
    masked = np.ma.masked_array(rays, mask=np.zeros(rays.shape, bool))
    same(ball.closest_hit(masked), ball.closest_hit(rays))
    masked[7, 2] = np.ma.masked
    for call, name in (
        (lambda: ball.closest_hit(masked), "rays"),
        (lambda: ball.any_hit(rays[:, :3], masked[:, :3]), "directions"),
        (lambda: ball.contains(masked[:, :3]), "points"),
        (lambda: estoc.Mesh(masked[:, :3], [[0, 1, 2]]), "vertices"),
        (lambda: estoc.Mesh(rays[:, :3], masked[:, :3].astype(int)), "faces"),
    ):
        with pytest.raises(ValueError, match=f"{name} has 1 masked number; .*filled"):
            call()
    hits = ball.closest_hit(masked.filled(np.nan))
    assert hits.prim[7] == -1


class InMemoryOf(Tensor):
    """An array whose memory is said to be of another kind, by the object and by its capsule."""

    def __init__(self, array, device):
        super().__init__(array, (device, 0))

    def __dlpack__(self, **_):
        capsule = self.array.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        # A DLTensor begins with the address of its data; the device follows.
        address = pointer(capsule, b"dltensor") + ctypes.sizeof(ctypes.c_void_p)
        ctypes.c_int32.from_address(address).value = self.device[0]
        return capsule


@pytest.mark.parametrize("device", [3, 11, 13])
def test_memory_that_the_processor_can_read(ball, rays, device):
    same(ball.closest_hit(InMemoryOf(rays, device)), ball.closest_hit(rays))


class Broken:
    """An array that raises what it should not."""

    def __init__(self, error):
        self.error = error

    def __array__(self, *_, **__):
        raise self.error


class BrokenTensor(Broken):
    def __dlpack__(self, **_):
        raise self.error

    def __dlpack_device__(self):
        return 1, 0


class BrokenDevice(BrokenTensor):
    def __dlpack_device__(self):
        return "x"


@pytest.mark.parametrize("kind", [Broken, BrokenTensor, BrokenDevice])
def test_arrays_that_raise_are_named(ball, kind):
    for error in (KeyError("liar"), AttributeError("liar"), ZeroDivisionError("liar")):
        with pytest.raises(TypeError, match="rays (is no array of numbers|cannot be read by DLPack)"):
            ball.closest_hit(kind(error))


def test_out_is_written(ball, rays):
    expected = ball.closest_hit(rays)
    out = estoc.Hits(*(np.empty_like(column) for column in expected))
    hits = ball.closest_hit(rays, out=out)
    same(hits, expected)
    assert all(a is b for a, b in zip(hits, out))
    flags = np.zeros(len(rays), bool)
    assert ball.any_hit(rays, out=flags) is flags
    np.testing.assert_array_equal(flags, expected.prim >= 0)


def test_out_has_memory_of_its_own(ball, rays):
    count = len(rays)
    expected = ball.closest_hit(rays)
    same(ball.closest_hit(rays, out=[None] * 4), expected)
    x, prim, v = np.empty(count, "f"), np.empty(count, "i8"), np.empty(count, "f")
    with pytest.raises(ValueError, match="out.u shares memory with out.t"):
        ball.closest_hit(rays, out=estoc.Hits(x, prim, x, v))
    copy = rays.copy()
    inside = copy.reshape(-1)[-count:]
    with pytest.raises(ValueError, match="out.v shares memory with the arrays that are asked about"):
        ball.closest_hit(copy, out=estoc.Hits(x, prim, None, inside))
    flags = copy.reshape(-1).view(bool)[-count:]
    for call in (
        lambda: ball.any_hit(copy, out=flags),
        lambda: ball.any_hit(rays[:, :3], copy[:, 3:], out=flags),
        lambda: ball.contains(copy[:, :3], out=flags),
        lambda: ball.distance(copy[:, :3], out=inside),
    ):
        with pytest.raises(ValueError, match="out shares memory"):
            call()
    np.testing.assert_array_equal(copy, rays)  # nothing was written
    # Parts of one array are apart.
    both = np.empty((3, count), np.float32)
    same(ball.closest_hit(rays, out=estoc.Hits(both[0], prim, both[1], both[2])), expected)


def test_arrays_of_a_mesh_stay_as_they_are():
    mesh = estoc.Mesh(*sphere(4))
    for array in (mesh.vertices, mesh.faces, estoc.Mesh([], []).vertices):
        with pytest.raises(ValueError):
            array.flags.writeable = True
        with pytest.raises(ValueError):
            array[...] = 0


@cases(60)
@given(st.data())
def test_any_view_of_an_array(ball, data):
    """Slices, steps, transpositions and repetitions answer as their copies do."""
    shape = data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=3))
    dtype = data.draw(st.sampled_from([np.float32, np.float64, np.float16, np.int64, np.uint8]))
    base = some_rays(5**3 * 4, seed=9)[:, :6]
    length = int(np.prod([2 * n + 1 for n in shape]))
    base = np.resize(base, (length, 6)).reshape(*(2 * n + 1 for n in shape), 6)
    view = base.astype(dtype)
    for axis, n in enumerate(shape):
        step = data.draw(st.sampled_from([1, 2, -1, -2]))
        chosen = np.arange(2 * n + 1)[::step][:n]
        start = chosen[0] if n else 0
        stop = start + step * n
        view = view[(slice(None),) * axis + (slice(start, stop if stop >= 0 else None, step),)]
    if data.draw(st.booleans()):
        view = np.broadcast_to(view, (2, *view.shape))
    order = data.draw(st.permutations(range(view.ndim - 1)))
    view = view.transpose(*order, view.ndim - 1)
    copy = np.array(view, dtype=np.float64, order="C")
    same(ball.closest_hit(view), ball.closest_hit(copy))
    assert (ball.count_hits(view) == np.diff(ball.all_hits(copy).offsets).reshape(view.shape[:-1])).all()


@cases(60)
@given(st.lists(st.integers(0, 9), max_size=4), st.sampled_from("?bBhHiIlLefdgFDSUO"))
def test_no_shape_and_dtype_crashes(ball, shape, code):
    """Whatever is passed is answered in its shape, or refused by a ValueError or TypeError."""
    array = np.zeros(shape, dtype=code)
    for call, width in ((ball.closest_hit, (6, 8)), (ball.contains, (3,)), (ball.distance, (3,))):
        fits = len(shape) > 0 and shape[-1] in width
        try:
            answer = call(array)
        except (ValueError, TypeError) as error:
            assert not fits or array.dtype.kind not in "fiu"
            assert "rays" in str(error) or "points" in str(error)
        else:
            assert fits
            answer = answer.prim if isinstance(answer, tuple) else answer
            assert answer.shape == tuple(shape[:-1])


@cases(40)
@given(st.lists(st.lists(st.floats(width=32), min_size=6, max_size=6), max_size=20))
def test_any_numbers_are_rays(ball, rows):
    rays = np.array(rows, np.float32).reshape(-1, 6)
    hits = ball.closest_hit(rays)
    lists = ball.all_hits(rays)
    np.testing.assert_array_equal(hits.prim >= 0, np.diff(lists.offsets) > 0)
    first = lists.offsets[:-1][hits.prim >= 0]
    np.testing.assert_array_equal(hits.prim[hits.prim >= 0], lists.prim[first])
    assert not np.isnan(hits.t).any()


def test_no_triangles():
    empty = estoc.Bvh(estoc.Mesh([], []))
    assert len(empty) == 0 and empty.bounds is None
    assert empty.closest_hit(np.ones((3, 6))).prim.tolist() == [-1] * 3
    assert empty.all_hits(np.ones((3, 6))).offsets.tolist() == [0] * 4
    assert np.isinf(empty.distance(np.ones((2, 3)))).all()
    assert empty.closest_point(np.ones((2, 3))).prim.tolist() == [-1, -1]


def test_bad_faces_can_be_skipped():
    points, faces = sphere(4)
    faces[3, 1] = -7
    faces[5, 1] = 10**6
    with pytest.raises(estoc.MeshError, match="face 3: vertex index -7"):
        estoc.Mesh(points, faces)
    assert len(estoc.Mesh(points, faces, bad_faces="skip")) == len(faces) - 2
    points[0, 0] = np.nan
    with pytest.raises(estoc.MeshError, match='not finite: .*bad_faces="skip" leaves such faces out') as told:
        estoc.Mesh(points, sphere(4)[1])
    assert "BadFaces" not in str(told.value)


def test_coarse_rounding_is_told():
    grid = np.stack(np.meshgrid(np.arange(20.0), np.arange(20.0), [0.0], indexing="ij"), -1).reshape(-1, 3)
    at = np.arange(400).reshape(20, 20)
    faces = np.stack([at[:-1, :-1], at[1:, :-1], at[1:, 1:]], -1).reshape(-1, 3)
    on_map = grid * 1.001 + [500_000.0, 5_200_000.0, 0.0]
    with pytest.warns(UserWarning, match="rounding to float32 moved a vertex by 0.019 .the median edge is 1") as told:
        estoc.Mesh(on_map, faces)
    assert [warning.filename for warning in told] == [__file__]
    sliver = [[0, 0, 0], [1, 0, 0], [1 + 1e-12, 0, 0], [1, 0, 1]]
    with pytest.warns(UserWarning, match="made vertices of 1 triangle one"):
        estoc.Mesh(sliver, [[1, 2, 3]] + [[0, 1, 3]] * 9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estoc.Mesh(on_map, faces, origin="auto")
        estoc.Mesh(on_map.astype(np.float32), faces)
        estoc.Mesh(grid / 3, faces)
        estoc.Mesh([[0, 0, 0], [1 / 3, 0, 0], [0, 1, 0], [1e300, 0, 0]], [[0, 1, 2]])
        # Equal before.
        estoc.Mesh([[0, 0, 0], [1 / 3, 0, 0], [0, 1, 0], [0, 0, 0]], [[0, 1, 2], [0, 3, 2]])
