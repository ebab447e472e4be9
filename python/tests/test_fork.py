"""Children that are forked while other threads ask, and calls that do not wait for each other."""

import copy
import os
import pickle
import textwrap
import threading
import time

import numpy as np
import pytest

import estoc
from conftest import lines_of, same
from estoc import _estoc

#: Forks children one after the other while ``busy`` runs in a thread, and prints how each one ended. A
#: child that waits is killed.
FORKS = """
    import os, signal, sys, threading, time, warnings
    warnings.simplefilter("ignore")
    import numpy as np
    from conftest import sphere
    import estoc

    def fork(asks, expected):
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            try:
                os._exit(0 if asks() == expected else 3)
            finally:
                os._exit(4)
        # At once, as several threads do.
        os.write(1, b"%d " % os.waitpid(child, 0)[1])
"""


def children(program):
    (ends,) = lines_of(textwrap.dedent(FORKS) + textwrap.dedent(program))
    return ends


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("name", ["contains", "winding_number", "winding_estimate"])
def test_forks_during_a_first_question(name):
    """The first question of a tree looks at all edges, which a child does again if it must."""
    program = f"""
        points = np.float32([[0, 0, 0], [0, 0, 3]])
        asked = lambda tree: np.round(np.asarray(tree.{name}(points))[..., :2]).tolist()
        mesh = estoc.Mesh(*sphere(60))
        expected = asked(estoc.Bvh(mesh))
        for pause in (0, 0.001, 0.003, 0.006, 0.01):
            tree = estoc.Bvh(mesh, quality="fast")
            begun = threading.Event()
            def first():
                begun.set()
                asked(tree)
            thread = threading.Thread(target=first)
            thread.start()
            begun.wait()
            time.sleep(pause)
            fork(lambda: asked(tree), expected)
            thread.join()
    """
    assert children(program) == ["0"] * 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forks_while_a_scene_changes():
    program = """
        ball = estoc.Bvh(estoc.Mesh(*sphere(4)))
        scene = estoc.Scene()
        def matrix(x, y):
            return [[1, 0, 0, x], [0, 1, 0, y], [0, 0, 1, 0]]
        ids = [scene.add(ball, matrix(3 * i, 0)) for i in range(2000)]
        ended = threading.Event()
        def move():
            step = 0
            while not ended.is_set():
                step += 1
                scene.set_matrix(ids[step % 2000], matrix(3 * (step % 2000), step % 5 / 100))
                scene.face_count
        thread = threading.Thread(target=move)
        thread.start()
        rays = [[3 * i, 0, 5, 0, 0, -1] for i in range(2000)]
        def ask():
            scene.set_matrix(ids[0], matrix(0, 0))
            return int(scene.any_hit(rays).sum()), int(scene.any_hit(rays, threads=1).sum()), len(scene)
        for _ in range(12):
            fork(ask, (2000, 2000, 2000))
        ended.set()
        thread.join()
    """
    assert children(program) == ["0"] * 12


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forks_of_several_threads_and_of_children():
    """Short calls begin and end all the time, so that pools are taken and given back during the forks."""
    program = """
        ball = estoc.Bvh(estoc.Mesh(*sphere(4)))
        ray = [0, 0, 5, 0, 0, -1]
        ended = threading.Event()
        def ask():
            while not ended.is_set():
                ball.any_hit(ray, threads=1)
        def again():
            fork(lambda: bool(ball.any_hit(ray)), True)
            return bool(ball.any_hit(ray, threads=1))
        def forks():
            for _ in range(5):
                fork(again, True)
        threads = [threading.Thread(target=work) for work in (ask, ask, forks, forks)]
        for thread in threads:
            thread.start()
        for thread in threads[2:]:
            thread.join()
        ended.set()
    """
    assert children(program) == ["0"] * 20


def test_calls_do_not_wait_for_each_other(ball, rays):
    """A call of 300 million rays is held until another one with as many threads has ended."""
    class Enough(Exception):
        pass

    held, ended, told = threading.Event(), threading.Event(), []

    def hold(done, total):
        held.set()
        told.append(ended.wait(60))
        raise Enough

    many = np.broadcast_to(np.float32([0.3, 0.2, 5, 0, 0, -1]), (300_000_000, 6))

    def ask():
        with pytest.raises(Enough):
            ball.any_hit(many, threads=1, progress=hold)

    thread = threading.Thread(target=ask)
    thread.start()
    assert held.wait(60)
    hits = ball.closest_hit(rays, threads=1)
    ended.set()
    thread.join(60)
    assert told == [True] and not thread.is_alive()
    same(hits, ball.closest_hit(rays, threads=2))


def test_a_call_may_ask_from_its_progress(ball, rays):
    expected, found = ball.any_hit(rays), []
    ball.any_hit(rays, threads=1, progress=lambda *_: found.append(ball.any_hit(rays, threads=1)))
    assert found and all((hits == expected).all() for hits in found)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux")
def test_few_threads_are_kept(ball, rays):
    most = max(64, 4 * _estoc.cpu_count())
    for threads in (most + 1, *range(1, 40)):
        ball.any_hit(rays[:10], threads=threads)
    until = time.monotonic() + 60
    while True:
        tasks = []
        for task in os.listdir("/proc/self/task"):
            try:
                tasks.append(open(f"/proc/self/task/{task}/comm").read())
            except (FileNotFoundError, ProcessLookupError):
                pass  # It has ended.
        if sum(name.startswith("estoc-") for name in tasks) <= most:
            break
        assert time.monotonic() < until
        time.sleep(0.01)


def test_scenes_are_not_pickled():
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="pickle the trees and the matrices"):
            copied(estoc.Scene())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(
    "origin, asked", [(0, "closest_hit(ray, t_max=99.1).t"), (9, "closest_hit(ray).t"), (9, "distance(ray[:3])")]
)
def test_a_child_asks_in_the_world_after_its_parent_did(origin, asked):
    """Few rays are answered where the call is made, and what they need first begins no threads for good."""
    program = f"""
        side = np.arange(300)
        x, y = (a.ravel() for a in np.meshgrid(side, side, indexing="ij"))
        low = (side[:-1, np.newaxis] * 300 + side[:-1]).ravel()
        faces = np.concatenate([low[:, np.newaxis] + [0, 300, 301], low[:, np.newaxis] + [0, 301, 1]])
        points = np.column_stack([x, y, np.sin(x + y)]) + {origin}
        tree, other = (estoc.Bvh(estoc.Mesh(points, faces, origin=[{origin}] * 3), threads=1) for _ in range(2))
        ray = np.array([30.3, 30.2, 99, 0, 0, -1])
        expected = float(tree.{asked})
        tasks = "/proc/self/task"
        if os.path.isdir(tasks):
            count = len(os.listdir(tasks))
            tree.{asked}
            assert count == len(os.listdir(tasks))
        fork(lambda: float(other.{asked}), expected)
    """
    assert children(program) == ["0"]
