"""Rays and hits as Arrow data."""

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
import estoc
import estoc.arrow
from conftest import some_rays


def lists(array, width):
    return pa.FixedSizeListArray.from_arrays(pa.array(array.reshape(-1)), width)


def layouts(rays):
    apart = np.ascontiguousarray(rays[:, :3]), np.ascontiguousarray(rays[:, 3:])
    yield pa.record_batch({"number": pa.array(range(len(rays))), "ray": lists(rays, 6)})
    yield pa.record_batch({"origin": lists(apart[0], 3), "direction": lists(apart[1], 3)})
    names = ("ox", "oy", "oz", "dx", "dy", "dz")
    yield pa.record_batch({n: pa.array(np.ascontiguousarray(rays[:, i])) for i, n in enumerate(names)})
    yield lists(rays, 6)
    wide = np.hstack([rays, np.tile(np.float32([0, np.inf]), (len(rays), 1))])
    yield pa.record_batch({"ray": lists(wide, 8)})
    yield lists(rays.astype(np.float64), 6)


class OnlyArrays:
    """Data of a library that is not pyarrow."""

    def __init__(self, data):
        self.data = data

    def __arrow_c_array__(self, requested_schema=None):
        return self.data.__arrow_c_array__(requested_schema)


def test_layouts_have_the_same_answers(ball, rays):
    expected = ball.closest_hit(rays)
    listed = ball.all_hits(rays)
    for data in layouts(rays):
        for given in (data, OnlyArrays(data)):
            hits = estoc.arrow.closest_hit(ball, given)
            for name, array in expected._asdict().items():
                np.testing.assert_array_equal(hits[name].to_numpy(), array)
        flags = estoc.arrow.any_hit(ball, data)["hit"].to_numpy(zero_copy_only=False)
        np.testing.assert_array_equal(flags, expected.is_hit)
        rows = estoc.arrow.all_hits(ball, data, threads=2)
        np.testing.assert_array_equal(rows["ray"].to_numpy(), listed.ray)
        np.testing.assert_array_equal(rows["prim"].to_numpy(), listed.prim)
    assert len(estoc.arrow.crossings(ball, data)) == len(ball.crossings(rays).t)


def test_slices_and_streams(ball, rays):
    for data in layouts(rays):
        hits = estoc.arrow.closest_hit(ball, data.slice(700, 1500))
        np.testing.assert_array_equal(hits["t"].to_numpy(), ball.closest_hit(rays[700:2200]).t)
        if isinstance(data, pa.RecordBatch):
            table = pa.Table.from_batches([data.slice(0, 900), data.slice(900, 0), data.slice(900)])
            hits = estoc.arrow.closest_hit(ball, table).read_all()
            np.testing.assert_array_equal(hits["prim"].to_numpy(), ball.closest_hit(rays).prim)
            rows = estoc.arrow.all_hits(ball, table.to_reader()).read_all()
            np.testing.assert_array_equal(rows["ray"].to_numpy(), ball.all_hits(rays).ray)


def test_polars(ball, rays):
    polars = pytest.importorskip("polars")
    expected = ball.closest_hit(rays)
    names = ("ox", "oy", "oz", "dx", "dy", "dz")
    columns = polars.DataFrame(rays, schema=list(names))
    for data in (columns, polars.concat([columns[:900], columns[900:]], rechunk=False),
                 polars.DataFrame({"ray": rays}), columns.cast(polars.Float64)):
        hits = polars.DataFrame(estoc.arrow.closest_hit(ball, data).read_all())
        for name, array in expected._asdict().items():
            np.testing.assert_array_equal(hits[name].to_numpy(), array)
    with pytest.raises(ValueError, match="column dy has 2 nulls;"):
        estoc.arrow.closest_hit(ball, columns[:2].with_columns(dy=None).cast(polars.Float32)).read_all()


def test_out_is_refused(ball, rays):
    """Whether the rays come as an array or as a stream, before any is read."""
    batch = pa.record_batch({"ray": lists(rays, 6)})
    hits, flags = ball.closest_hit(rays), ball.any_hit(rays)
    for data in (batch, lists(rays, 6), pa.Table.from_batches([batch, batch])):
        for ask, out in ((estoc.arrow.closest_hit, hits), (estoc.arrow.any_hit, flags),
                         (estoc.arrow.all_hits, hits), (estoc.arrow.crossings, hits)):
            with pytest.raises(TypeError, match="out cannot be given with Arrow data.* numpy"):
                ask(ball, data, out=out)
    assert len(estoc.arrow.closest_hit(ball, batch, out=None)) == len(rays)


def test_scenes(ball, rays):
    scene = estoc.Scene()
    scene.add(ball)
    hits = estoc.arrow.closest_hit(scene, lists(rays, 6))
    np.testing.assert_array_equal(hits["prim"].to_numpy(), ball.closest_hit(rays).prim)
    assert hits["path"].type.list_size == 1


def test_nothing_is_copied(ball):
    rays = some_rays(400_000)
    before = pa.total_allocated_bytes()
    array = lists(rays, 6)
    found, _ = estoc.arrow._of_array(array)
    assert np.shares_memory(found, rays)
    hits = ball.closest_hit(rays)
    batch = estoc.arrow._batch(hits._asdict())
    assert np.shares_memory(batch["t"].to_numpy(), hits.t)
    assert pa.total_allocated_bytes() - before < 1_000_000


def test_refusals_name_the_column(ball, rays):
    good = lists(rays[:2], 6)
    whole = pa.array([1, 2])
    three = pa.array([[1.0, 2, 3], [1, 2, 3]], pa.list_(pa.float64(), 3))
    names = ("ox", "oy", "oz", "dx", "dy", "dz")
    numbers = {name: pa.array([1.0, 2.0]) for name in names}
    for data, error, words in (
        (pa.record_batch({"ray": whole}), TypeError, "column ray has the type int64"),
        (pa.record_batch({"ray": three}), TypeError, "lists of 6 or 8 numbers"),
        (
            pa.record_batch({"origin": three, "direction": pa.array([None, [1.0, 2, 3]], three.type)}),
            ValueError,
            "column direction has 1 null;",
        ),
        (
            pa.record_batch({"ray": pa.array([[1.0, None, 1, 1, 1, 1]], pa.list_(pa.float64(), 6))}),
            ValueError,
            "column ray has 1 null;",
        ),
        (pa.record_batch({**numbers, "dy": pa.array([1.0, None])}), ValueError, "column dy has 1 null;"),
        (pa.record_batch({**numbers, "oz": whole}), TypeError, "column oz has the type int64"),
        (pa.record_batch({"ox": whole}), ValueError, "has the columns ox; wanted is ray"),
        (pa.Table.from_pydict({"ray": whole}), TypeError, "column ray"),
        (rays, TypeError, "rays is a ndarray"),
        (3, TypeError, "rays is a int"),
    ):
        with pytest.raises(error, match=words):
            estoc.arrow.closest_hit(ball, data)
    assert len(estoc.arrow.closest_hit(ball, good)) == 2
