"""mypy finds what is wrong in programs that use estoc, and nothing in those that are right."""

import textwrap
from typing import get_args

import pytest

from estoc import _estoc, _options, _points

api = pytest.importorskip("mypy.api")

#: What the programs below begin with.
BEGIN = """
import numpy as np, numpy.typing as npt
from typing import Any, assert_type
import estoc, estoc.analysis
mesh = estoc.Mesh(np.zeros((3, 3)), [[0, 1, 2]])
bvh, scene = estoc.Bvh(mesh), estoc.Scene()
rays = np.zeros((4, 6), np.float32)
floats, bools = np.empty(4, np.float32), np.empty(4, np.bool_)
class Tensor:
    def __dlpack__(self, stream: int | None = None) -> object:
        return None
    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0
"""

RIGHT = """
estoc.Bvh(mesh, quality="best", threads=2, progress=lambda done, total: print(done, total))
estoc.Mesh([[0, 0, 0], [1.5, 0, 0], [0, 1, 0]], [(0, 1, 2)], bad_faces="skip", origin="auto")
for mesh in (estoc.Mesh(rays, [[0, 1, 2]], dtype=np.float64), estoc.Mesh(rays, [[0, 1, 2]], dtype="float64")):
    bvh.distance(rays[:, :3], out=np.empty(4))
estoc.Mesh.load("a.obj", dtype="auto", bad_faces="skip")
assert_type(bvh.closest_hit(rays), estoc.Hits)
assert_type(scene.closest_hit(rays), estoc.SceneHits)
assert_type(bvh.all_hits(rays, k=3), estoc.HitLists)
for given in (rays, rays.tolist(), [rays[0], rays[1]], Tensor(), np.zeros((2, 6), int), memoryview(bytearray(48))):
    bvh.any_hit(given, cull="back", t_max=5, out=bools)
bvh.any_hit(rays[:, :3], [0, 0, 1], cull=None, skip=[0, -1, -1, -1], t_min=floats)
bvh.closest_hit(rays, skip=bvh.closest_hit(rays), out=bvh.closest_hit(rays))
scene.closest_hit(rays, skip=scene.closest_hit(rays))
bvh.contains(rays[:, :3], rule="winding_number", out=bools)
bvh.distance(rays[:, :3], out=floats)
bvh.any_hit(bvh.spawn(bvh.closest_hit(rays), [0, 0, 1]))
mesh.render("a.png", shade="normal", up="z").shape
estoc.analysis.thickness(scene, rays[:, :3], [0, 0, 1], cull="front")
values, (x, y, z) = estoc.analysis.signed_distance_grid(bvh, 0.5, rule="parity")
assert_type(values, npt.NDArray[np.floating[Any]])
assert_type(x, npt.NDArray[np.float64])
def ask(name: Any, number: int | None) -> npt.NDArray[np.bool_]:
    return bvh.any_hit(name, cull=name, threads=number)
"""

WRONG = [
    ('bvh.any_hit(rays, cull="left")', "cull"),
    ('scene.closest_hit(rays, cull="left")', "cull"),
    ("bvh.any_hit(rays, cull=1)", "cull"),
    ('estoc.Bvh(mesh, quality="good")', "quality"),
    ("estoc.Bvh(mesh, 'best')", "Bvh"),
    ("estoc.Bvh(np.zeros((3, 3)), [[0, 1, 2]])", "Bvh"),
    ('estoc.Bvh("a.obj")', "Bvh"),
    ('estoc.Mesh(rays, rays, bad_faces="drop")', "bad_faces"),
    ('estoc.Mesh.load("a.obj", bad_faces="drop")', "bad_faces"),
    ("estoc.Mesh.load(5)", "load"),
    ('estoc.Mesh(rays, rays, dtype="auto")', "dtype"),
    ('estoc.Mesh.load("a.obj", dtype="half")', "dtype"),
    ("estoc.Mesh.load('a.obj', dtype=str)", "dtype"),
    ("bvh.any_hit(rays, out=floats)", "out"),
    ("bvh.closest_hit(rays, out=floats)", "out"),
    ("bvh.closest_hit(rays, out=scene.closest_hit(rays))", "out"),
    ("bvh.distance(rays, out=bools)", "out"),
    ("bvh.closest_hit(object())", "closest_hit"),
    ("bvh.closest_hit(None)", "closest_hit"),
    ("bvh.closest_hit(mesh)", "closest_hit"),
    ('bvh.closest_hit("rays")', "closest_hit"),
    ("bvh.closest_hit({1: 2})", "closest_hit"),
    ('bvh.contains(rays, rule="odd")', "rule"),
    ('bvh.signed_distance(rays, rule="odd")', "rule"),
    ("bvh.any_hit(rays, threads=2.5)", "threads"),
    ("bvh.any_hit(rays, progress=5)", "progress"),
    ("bvh.any_hit(rays, tmax=5)", "tmax"),
    ('mesh.render(shade="red")', "shade"),
    ("scene.add(mesh)", "add"),
    ("bvh.closest_hit(rays).distance", "distance"),
    ("estoc.analysis.visibility(mesh, rays, rays)", "visibility"),
    ('estoc.analysis.thickness(bvh, rays, rays, cull="left")', "thickness"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where programs and the cache of mypy are."""
    return tmp_path_factory.mktemp("types")


def errors_of(folder, program):
    """The errors of mypy in a program: lines and what it says."""
    path = folder / "program.py"
    path.write_text(BEGIN + textwrap.dedent(program))
    report, trouble, _ = api.run(["--strict", "--no-error-summary", "--cache-dir", str(folder / "cache"), str(path)])
    assert not trouble
    lines = [line for line in report.splitlines() if "error:" in line]
    assert all("program.py" in line for line in lines), report
    return {int(line.split("program.py:")[1].split(":")[0]): line for line in lines}


def test_right_programs(folder):
    assert errors_of(folder, RIGHT) == {}


def test_wrong_programs(folder):
    """Every line has an error, which names what is wrong."""
    found = errors_of(folder, "\n".join(line for line, _ in WRONG))
    begin = BEGIN.count("\n") + 1
    missed = [line for i, (line, word) in enumerate(WRONG) if word not in found.get(begin + i, "")]
    assert not missed, (missed, found)


def test_strings_are_those_that_are_taken():
    assert sorted(get_args(_options.Shade)) == sorted(_estoc.SHADES)
    assert _points._RULES == get_args(_options.Rule)
