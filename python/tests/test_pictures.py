"""Pictures are those of the command, byte for byte, and what cannot be painted is refused."""

import gc
import os
import struct
import subprocess
import sys
import tempfile
import weakref
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import estoc
from conftest import sphere
from estoc import _picture

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / "python" / "gallery"


def command():
    """The command, if it was built."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    places = [target / build / "estoc" for build in ("release", "debug")]
    given = os.environ.get("ESTOC_COMMAND")
    built = [Path(given)] if given else [place for place in places if place.is_file()]
    if not built:
        pytest.skip("the command is not built: cargo build -p estoc-cli, or name it by ESTOC_COMMAND")
    return max(built, key=lambda path: path.stat().st_mtime)


def unfiltered(kind, line, above, channels):
    """The bytes of a row that PNG has as differences from the mean (3) or the likeliest (4) of their neighbours."""
    left, corner = [0] * channels, [0] * channels
    for i, up in enumerate(above):
        a, c = left[i % channels], corner[i % channels]
        if kind == 3:
            guess = (a + up) // 2
        else:
            to_left, to_up, to_corner = abs(up - c), abs(a - c), abs(a + up - 2 * c)
            guess = a if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else c
        line[i] = left[i % channels] = (line[i] + guess) % 256
        corner[i % channels] = up
    return line


def pixels_of(png):
    """The pixels of a PNG file of 8 bits for each of three or four channels."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    place, data, shape = 8, b"", (0, 0, 0)
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place:place + 8])
        chunk = png[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width, height, bits, colours = struct.unpack(">IIBB", chunk[:10])
            assert bits == 8
            shape = (height, width, {2: 3, 6: 4}[colours])
        elif kind == b"IDAT":
            data += chunk
        place += length + 12
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(shape[0], -1)
    channels, above, out = shape[2], np.zeros(rows.shape[1] - 1, np.uint8), []
    for row in rows:
        line = row[1:].astype(int)
        if row[0] == 1:
            line = np.cumsum(line.reshape(-1, channels), axis=0).reshape(-1)
        elif row[0] == 2:
            line = line + above
        elif row[0] in (3, 4):
            line = np.array(unfiltered(row[0], line.tolist(), above.tolist(), channels))
        above = (line % 256).astype(np.uint8)
        out.append(above)
    return np.array(out).reshape(shape)


@pytest.mark.parametrize("shade", ["ao", "material", "heat", "thickness", "sphere-thickness", "facing"])
def test_pictures_are_those_of_the_command(tmp_path, shade):
    mesh = estoc.Mesh.load(ROOT / "data" / "solids.obj")
    mine, theirs = tmp_path / "mine.png", tmp_path / "theirs.png"
    seen = dict(ortho=2.5) if shade == "facing" else dict(fov=30)
    pixels = mesh.render(mine, width=200, height=120, shade=shade, samples=2, up="z", **seen)
    words = ["render", ROOT / "data" / "solids.obj", "--size", "200x120", "--shade", shade,
             "--samples", "2", "--up", "z", "--quiet", "--out", theirs]
    words += [word for name, value in seen.items() for word in (f"--{name}", str(value))]
    subprocess.run([command(), *words], check=True)
    assert mine.read_bytes() == theirs.read_bytes()
    again = tmp_path / "again.png"
    estoc.write_png(again, pixels)
    assert again.read_bytes() == mine.read_bytes()


def test_the_file_has_the_pixels_that_are_returned(ball, tmp_path):
    path = tmp_path / "ball.png"
    pixels = ball.render(path, width=40, height=30, shade="normal", samples=2, threads=1)
    assert pixels.shape == (30, 40, 4) and pixels.dtype == np.uint8 and (pixels[..., 3] == 255).all()
    np.testing.assert_array_equal(pixels_of(path.read_bytes()), pixels[..., :3])
    np.testing.assert_array_equal(
        ball.render(width=40, height=30, shade="normal", samples=2, threads=3), pixels
    )
    # Seen along -z, the middle of the ball faces the eye: blue.
    front = ball.render(width=31, height=31, shade="normal", samples=1, eye=[0, 0, 5])
    assert front[15, 15, 2] > 250 and abs(int(front[15, 15, 0]) - 128) < 12


def test_meshes_trees_and_scenes_of_one_mesh_look_alike(ball):
    scene = estoc.Scene()
    scene.add(ball)
    how = dict(width=32, height=24, samples=1, eye=[0, 1, 4])
    expected = ball.render(**how)
    np.testing.assert_array_equal(estoc.Mesh(*sphere()).render(**how), expected)
    np.testing.assert_array_equal(scene.render(**how), expected)
    assert np.unique(scene.render(shade="instance", **how).reshape(-1, 4), axis=0).shape[0] > 10


def test_notebooks_show_a_small_picture(ball):
    scene = estoc.Scene()
    assert scene._repr_png_() is None and estoc.Mesh([], [])._repr_png_() is None
    scene.add(ball)
    for thing in (ball, scene):
        png = thing._repr_png_()
        assert struct.unpack(">II", png[16:24]) == (400, 250) and len(png) < 300_000


def test_notebooks_paint_a_mesh_once(monkeypatch):
    """A mesh and its trees have one picture, which goes with the mesh; a scene may change."""
    mesh, painted, render = estoc.Mesh(*sphere(8)), [], estoc.Bvh.render
    monkeypatch.setattr(estoc.Bvh, "render", lambda *args, **how: painted.append(1) or render(*args, **how))
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(lambda _: mesh._repr_png_(), range(8))
    count = len(painted)
    assert 1 <= count <= 4 and set(others) == {first}
    assert estoc.Bvh(mesh)._repr_png_() == mesh._repr_png_() == first and len(painted) == count
    scene = estoc.Scene()
    scene.add(estoc.Bvh(mesh))
    small = scene._repr_png_()
    scene.add(estoc.Bvh(mesh), [[1, 0, 0, 3], [0, 1, 0, 0], [0, 0, 1, 0]])
    assert scene._repr_png_() != small
    kept, alive = len(_picture._shown_in_notebooks), weakref.ref(mesh)
    del mesh, scene
    gc.collect()
    assert alive() is None and len(_picture._shown_in_notebooks) == kept - 1


def test_arrays_are_written_with_their_opacity(tmp_path):
    random = np.random.default_rng(1)
    for shape in ((5, 7), (5, 7, 3), (5, 7, 4)):
        pixels, path = random.integers(0, 256, shape, np.uint8), tmp_path / "array.png"
        estoc.write_png(path, pixels[:, ::-1])
        found = pixels_of(path.read_bytes())
        if len(shape) == 2:
            np.testing.assert_array_equal(found[..., 0], pixels[:, ::-1])
        else:
            np.testing.assert_array_equal(found, pixels[:, ::-1])
    assert [entry.name for entry in tmp_path.iterdir()] == ["array.png"]


@pytest.mark.parametrize(
    "error, words, how",
    [
        (estoc.PictureError, "shade is 'red'", dict(shade="red")),
        (estoc.PictureError, "needs a scene", dict(shade="instance")),
        (estoc.PictureError, "to must be given", dict(shade="distance")),
        (estoc.PictureError, "width is 0", dict(width=0)),
        (estoc.PictureError, "height is 8193", dict(height=8193)),
        (estoc.PictureError, "samples is 0.5", dict(samples=0.5)),
        (estoc.PictureError, "width is nan", dict(width=float("nan"))),
        (estoc.PictureError, "must be finite", dict(eye=[0, np.nan, 0])),
        (estoc.PictureError, "different points", dict(eye=[1, 2, 3], at=[1, 2, 3])),
        (estoc.PictureError, "field of view", dict(fov=180)),
        (estoc.PictureError, "height 0 of what an orthographic", dict(ortho=0)),
        (estoc.PictureError, "height NaN of what an orthographic", dict(ortho=np.nan)),
        (estoc.PictureError, "height inf of what an orthographic", dict(ortho=np.inf)),
        (estoc.PictureError, "fov or ortho, not both", dict(ortho=2, fov=40)),
        (TypeError, "ortho is 'x'", dict(ortho="x")),
        (estoc.FileError, "cannot write", dict(path="/nowhere/at/all.png")),
        (ValueError, r"eye has the shape \(2,\)", dict(eye=[0, 1])),
        (ValueError, "up is 'w'", dict(up="w")),
        (TypeError, "to is a int", dict(to=3, shade="distance")),
    ],
)
def test_what_cannot_be_painted_is_refused(ball, error, words, how):
    with pytest.raises(error, match=words):
        ball.render(**{**dict(width=16, height=12, samples=1), **how})


def test_what_is_empty_or_no_picture_is_refused(ball, tmp_path):
    with pytest.raises(estoc.PictureError, match="nothing to paint"):
        estoc.Scene().render()
    scene = estoc.Scene()
    scene.add(ball)
    with pytest.raises(estoc.PictureError, match="needs one mesh"):
        scene.render(shade="thickness", width=8, height=8)
    for pixels, error in ((np.zeros((4, 4)), TypeError), (np.zeros((4, 4, 2), np.uint8), ValueError),
                          (np.zeros((0, 4), np.uint8), estoc.PictureError)):
        with pytest.raises(error):
            estoc.write_png(tmp_path / "no.png", pixels)
    assert not list(tmp_path.iterdir())


def test_files_that_cannot_be_written_are_told_before_the_work(ball, tmp_path):
    """Nothing was reported then, no file is left, and an old one is whole."""
    (tmp_path / "file").write_text("old")
    mesh, told = ball.mesh, []
    scene = estoc.Scene()
    scene.add(ball)
    for path in (tmp_path / "no" / "folder.png", tmp_path / "file" / "in.png", tmp_path):
        for thing in (ball, mesh, scene):
            with pytest.raises(estoc.FileError, match="cannot write") as refused:
                thing.render(path, samples=4096, progress=lambda *now: told.append(now))
            assert str(path) in str(refused.value)
    assert not told
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    ball.render(tmp_path / "file", width=8, height=8, samples=1)
    assert (tmp_path / "file").read_bytes()[:4] == b"\x89PNG"
    if os.path.exists("/dev/full"):
        # A device is written to, and not replaced by a file.
        with pytest.raises(estoc.FileError, match="/dev/full"):
            ball.render("/dev/full", width=8, height=8, samples=1)
        assert not os.path.isfile("/dev/full")


def test_an_exception_of_progress_ends_a_picture(ball, tmp_path):
    class Enough(Exception):
        pass

    def report(done, total):
        raise Enough

    with pytest.raises(Enough):
        ball.render(tmp_path / "no.png", samples=4096, progress=report)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("script", sorted(path.name for path in GALLERY.glob("*.py")))
def test_gallery(script, tmp_path):
    run = subprocess.run(
        [sys.executable, str(GALLERY / script), str(tmp_path)],
        check=True, capture_output=True, text=True, timeout=300,
    )
    assert run.stdout.count("\n") in (1, 2) and not run.stderr, run.stdout + run.stderr
    picture = Path(script).with_suffix(".png").name
    committed = (GALLERY / picture).read_bytes()
    painted = (tmp_path / picture).read_bytes()
    # The same pixels but for a few: numpy's functions may round otherwise elsewhere.
    assert painted[:24] == committed[:24]
    if painted != committed:
        differences = np.abs(pixels_of(painted).astype(int) - pixels_of(committed)).max(axis=2)
        assert (differences > 8).mean() < 0.001, "another picture"


def test_pixels_that_differ_are_found():
    """What the test of the gallery reads from a file is what the file shows, for each filter of PNG."""
    picture = GALLERY / "picking.png"
    pixels = pixels_of(picture.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "again.png"
        estoc.write_png(path, pixels)
        np.testing.assert_array_equal(pixels_of(path.read_bytes()), pixels)
    assert (np.abs(pixels[1:].astype(int) - pixels[:-1]).max(axis=2) > 8).mean() > 0.001
