"""Threads, signals and processes."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import sysconfig
import threading
import time
import types

import numpy as np
import pytest

import estoc
from conftest import lines_of, program, same, some_rays, sphere


def test_threads_do_not_change_answers(ball, rays):
    many = np.tile(rays, (60, 1))
    expected = ball.closest_hit(many, threads=1)
    for threads in (2, 3, 5):
        same(ball.closest_hit(many, threads=threads), expected)
    same(ball.all_hits(many, threads=3), ball.all_hits(many, threads=1))


def test_eight_python_threads_on_one_tree(ball, rays):
    expected = ball.closest_hit(rays), ball.all_hits(rays)
    wrong = []

    def ask(number):
        for round in range(12):
            try:
                threads = 1 + (number + round) % 4
                same(ball.closest_hit(rays, threads=threads), expected[0])
                same(ball.all_hits(rays, threads=threads), expected[1])
            except BaseException as error:
                wrong.append(error)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert not wrong


def test_free_threaded_python_stays_so():
    """Where Python is free-threaded, it stays so when estoc is imported."""
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this Python is not free-threaded")
    program = "import estoc, sys; print(sys._is_gil_enabled())"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
    told = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=environment, capture_output=True, text=True, timeout=60,
    )
    assert told.stdout.split() == ["False"], told.stderr


def test_scenes_change_while_others_ask(ball, rays):
    scene = estoc.Scene()
    number = scene.add(ball)
    wrong, ended = [], threading.Event()

    def move():
        while not ended.is_set():
            scene.set_matrix(number, np.eye(4))
            scene.remove(scene.add(ball))

    def ask():
        try:
            for _ in range(15):
                hits = scene.closest_hit(rays)
                same([hits.t, hits.prim], [expected.t, expected.prim])
        except BaseException as error:
            wrong.append(error)

    expected = ball.closest_hit(rays)
    mover = threading.Thread(target=move)
    askers = [threading.Thread(target=ask) for _ in range(3)]
    for thread in (mover, *askers):
        thread.start()
    for thread in askers:
        thread.join(60)
    ended.set()
    mover.join(60)
    assert not any(thread.is_alive() for thread in (mover, *askers))
    assert not wrong


def test_arrays_may_change_during_a_call(ball):
    """Rays of old and new numbers are answered; nothing else happens."""
    rays = np.tile(some_rays(2000), (100, 1))
    ended = threading.Event()

    def write():
        value = 0.0
        while not ended.is_set():
            rays[::7] = value
            rays[::5, 2] = np.nan
            value += 0.1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(5):
            hits = ball.closest_hit(rays)
            assert ((hits.prim >= -1) & (hits.prim < len(ball))).all()
            assert not np.isnan(hits.t).any()
    finally:
        ended.set()
        writer.join()


def child(connection, bvh, rays):
    connection.send(bvh.closest_hit(rays, threads=2).prim.tolist())
    connection.close()


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_child_processes_have_pools_of_their_own(ball, rays, method):
    rays = np.tile(rays[:1500], (2, 1))
    expected = ball.closest_hit(rays, threads=2).prim.tolist()  # the pool of the parent has started
    context = multiprocessing.get_context(method)
    ours, theirs = context.Pipe()
    process = context.Process(target=child, args=(theirs, ball, rays))
    process.start()
    try:
        assert ours.poll(60), "the child waits"
        assert ours.recv() == expected
    finally:
        process.join(10)
        if process.is_alive():
            process.kill()


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_call(threads):
    """A hundred million rays by broadcasting, which take seconds."""
    text = f"""
        import numpy as np, signal
        # A process in the background of a shell may have been started with the signal ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from conftest import sphere
        import estoc
        ball = estoc.Bvh(estoc.Mesh(*sphere()))
        rays = np.broadcast_to(np.float32([0.3, 0.2, 5, 0, 0, -1]), (100_000_000, 6))
        ball.any_hit(rays[:10])
        print("ready", flush=True)
        try:
            ball.closest_hit(rays, threads={threads})
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        print(ball.any_hit(rays[:2000]).sum(), flush=True)
    """
    process = subprocess.Popen(program(text), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert output.split() == ["interrupted", "2000"]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_ends_the_choice_of_a_view():
    """Of a room, seen from inside: 800,000 rays before the first pixel."""
    text = """
        import signal
        signal.signal(signal.SIGINT, signal.default_int_handler)
        from conftest import room
        import estoc
        bvh = estoc.Bvh(estoc.Mesh(*room()))
        def report(done, total):
            # The signal comes when some views were tried, and before all were.
            if not told:
                told.append((done, total))
                signal.raise_signal(signal.SIGINT)
        told = []
        try:
            bvh.render(width=16, height=10, samples=1, threads=1, progress=report)
        except KeyboardInterrupt:
            print("interrupted", told[0][1] == 7 * 7 * 4 * 16, told[0][0] < told[0][1], flush=True)
    """
    assert lines_of(text) == [["interrupted", "True", "True"]]


def test_a_handler_that_raises_ends_a_call(ball):
    class Enough(Exception):
        pass

    def count(done, total):
        raise Enough

    rays = np.broadcast_to(np.float32([0, 0, 5, 0, 0, -1]), (30_000_000, 6))
    with pytest.raises(Enough):
        ball.any_hit(rays, progress=count)


def test_progress_is_reported(ball, rays):
    calls = []
    ball.any_hit(rays, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (len(rays), len(rays))


def test_a_bar_shows_progress(ball, rays, monkeypatch):
    """``progress=True`` shows a bar of tqdm; without tqdm, none."""
    bars = []

    class Bar:
        def __init__(self, **options):
            self.options, self.n, self.total, self.is_open = options, 0, None, False
            bars.append(self)

        def __enter__(self):
            self.is_open = True
            return self

        def __exit__(self, *_):
            self.is_open = False

        def update(self, more):
            self.n += more

    tqdm = types.ModuleType("tqdm.auto")
    tqdm.tqdm = Bar
    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", tqdm)
    expected = ball.any_hit(rays)
    for silent in (False, None, np.False_):
        ball.any_hit(rays, progress=silent)
    assert not bars
    np.testing.assert_array_equal(ball.any_hit(rays, progress=True), expected)
    (bar,) = bars
    assert (bar.n, bar.total, bar.is_open) == (len(rays), len(rays), False)
    assert bar.options["desc"] == "any_hit"
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # cannot be imported
    np.testing.assert_array_equal(ball.any_hit(rays, progress=True), expected)


def test_pickles(ball, rays):
    again = pickle.loads(pickle.dumps(ball))
    same(again.closest_hit(rays), ball.closest_hit(rays))
    mesh = pickle.loads(pickle.dumps(ball.mesh))
    np.testing.assert_array_equal(mesh.vertices, ball.mesh.vertices)
    np.testing.assert_array_equal(mesh.faces, ball.mesh.faces)


def test_files(ball, rays, tmp_path):
    path = tmp_path / "ball.estoc"
    ball.save(path)
    again = estoc.Bvh.load(path, threads=1)
    same(again.closest_hit(rays), ball.closest_hit(rays))
    assert len(again.mesh) == len(ball.mesh) and again.threads == 1
    broken = bytearray(path.read_bytes())
    broken[len(broken) // 2] ^= 1
    with pytest.raises(estoc.TreeFileError, match="bytes"):
        estoc.Bvh.from_bytes(bytes(broken))
    with pytest.raises(estoc.FileError, match="missing.estoc: cannot be read: No such file"):
        estoc.Bvh.load(tmp_path / "missing.estoc")
    with pytest.raises(OSError, match="missing.obj"):
        estoc.Mesh.load(tmp_path / "missing.obj")
    nowhere = tmp_path / "missing"
    for refused in (
        lambda: estoc.Bvh.load(nowhere), lambda: estoc.Mesh.load(nowhere), lambda: estoc.Mesh.load(tmp_path),
        lambda: ball.save(nowhere / "ball.estoc"), lambda: ball.save(tmp_path),
        lambda: ball.render(nowhere / "ball.png"), lambda: ball.render(tmp_path),
        lambda: estoc.write_png(nowhere / "ball.png", np.zeros((2, 2), np.uint8)),
    ):
        with pytest.raises(estoc.FileError, match="No such file|(?i:is a directory)") as told:
            refused()
        assert "os error" not in str(told.value) and str(tmp_path) in str(told.value)
    for name in ("a\0b", "a" * 300 + ".png"):
        with pytest.raises(estoc.FileError, match="(?i:nul byte|name too long)"):
            ball.render(tmp_path / name, width=8000, height=8000, samples=4000)
        with pytest.raises(estoc.FileError, match="(?i:nul byte|name too long)"):
            estoc.write_png(tmp_path / name, np.zeros((2, 2), np.uint8))
    (tmp_path / "lacks.obj").write_text("mtllib lacks.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (warning,) = estoc.Mesh.load(tmp_path / "lacks.obj").warnings
    assert "lacks.mtl" in warning and "os error" not in warning
    (tmp_path / "bad.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    with pytest.raises(estoc.MeshError, match="bad.obj:4"):
        estoc.Mesh.load(tmp_path / "bad.obj")


def test_local_frame(tmp_path):
    path = tmp_path / "field.obj"
    path.write_text("v 500000.125 0 0\nv 500001.25 0 0\nv 500000.125 1 0\nf 1 2 3\n")
    mesh = estoc.Mesh.load(path, origin=[500000, 0, 0])
    assert mesh.origin.tolist() == [500000, 0, 0]
    assert mesh.local_vertices[1].tolist() == [1.25, 0, 0]
    assert mesh.vertices[1].tolist() == [500001.25, 0, 0]
    assert estoc.Mesh.load(path, origin="auto").origin[0] != 0


def test_welds(tmp_path):
    path = tmp_path / "seam.obj"
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 2.7e-16 1\n"
    path.write_text(corners + "f 1 3 2\nf 1 2 4\nf 2 3 5\nf 1 4 3\n")
    assert not estoc.Bvh(estoc.Mesh.load(path)).is_closed
    for weld in ("auto", 1e-9, np.float32(1e-3)):
        mesh = estoc.Mesh.load(path, weld=weld)
        assert estoc.Bvh(mesh).is_closed
        (told,) = mesh.warnings
        assert told.endswith(": 1 vertex moved, in 1 cluster, no coordinate by more than 2.7e-16")
    told = estoc.Mesh.load(path, weld=10**300).warnings
    assert any(warning.startswith("welded within 1e300: ") for warning in told)
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.raises(estoc.MeshError, match="no distance to weld within was found: it has 3 open edges"):
        estoc.Mesh.load(path, weld="auto")


def test_far_away_arrays():
    """Meshes of arrays in a local frame keep what float32 alone would lose, also when they are pickled."""
    points, faces = sphere(8)
    middle = np.array([502_345.125, 5_201_234.75, 310.0])
    world = points + middle
    for origin in (middle, "auto"):
        mesh = estoc.Mesh(world, faces, origin=origin)
        exact = (world - mesh.origin).astype(np.float32)
        np.testing.assert_array_equal(mesh.local_vertices, exact)
        assert np.abs(mesh.vertices - world).max() < 1e-5
        again = pickle.loads(pickle.dumps(mesh))
        np.testing.assert_array_equal(again.origin, mesh.origin)
        np.testing.assert_array_equal(again.local_vertices, mesh.local_vertices)
    with pytest.warns(UserWarning, match="rounding to float32"):
        assert np.abs(estoc.Mesh(world, faces).vertices - world).max() > 0.01
    assert (estoc.Mesh(points, faces, origin="auto").origin == 0).all()
    with pytest.raises(estoc.MeshError, match="not finite"):
        estoc.Mesh(world, faces, origin=[np.nan, 0, 0])
    with pytest.raises(ValueError, match="origin is 'here'"):
        estoc.Mesh(world, faces, origin="here")


def test_meshes_are_not_made_at_origins_that_are_not_finite():
    from estoc import _estoc

    mesh = estoc.Mesh(*sphere(4))
    for origin in ([np.nan, 0.0, 0.0], [0.0, np.inf, 0.0]):
        with pytest.raises(estoc.MeshError, match="origin is .*it must be finite"):
            _estoc.Mesh.at_origin(mesh.vertices, mesh.faces, origin)
