"""embreex's names."""

import sys

import numpy as np
import pytest

import estoc
import estoc.embreex
from conftest import some_rays, sphere
from estoc.embreex import rtcore_scene
from estoc.embreex.mesh_construction import ElementMesh, TriangleMesh
from estoc.embreex.rtcore import EmbreeDevice
from estoc.embreex.rtcore_scene import EmbreeScene

square = np.float32([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
halves = np.int32([[0, 1, 2], [0, 2, 3]])
down = np.float32([[0, 0, -1]])


@pytest.fixture()
def scene():
    """Two squares, one above the other."""
    scene = EmbreeScene(EmbreeDevice(), robust=True)
    assert TriangleMesh(scene, square, halves).mesh == 0
    assert TriangleMesh(scene, (square + np.float32([0, 0, 2]))[halves]).mesh == 1
    return scene


def test_run(scene):
    origins = np.float32([[0.75, 0.5, 1], [0.25, 0.5, 9], [5, 5, 5]])
    found = scene.run(origins, down)
    assert found.tolist() == [0, 1, -1] and found.dtype == np.int32
    found = scene.run(origins, down, query="OCCLUDED")
    assert found.tolist() == [0, 0, -1] and found.dtype == np.int32
    found = scene.run(origins, down, query="DISTANCE")
    assert found.tolist() == [1, 7, np.float32(1e37)] and found.dtype == np.float32
    assert scene.run(origins, down, 5, query="DISTANCE").tolist() == [1, 5, 5]
    limits = np.float32([0.5, 8, 3])
    assert scene.run(origins, down, limits, "DISTANCE").tolist() == [0.5, 7, 3]
    assert limits.tolist() == [0.5, 8, 3]
    found = scene.run(origins, down, output=1)
    expected = {
        "u": [0.25, 0.25, 0], "v": [0.5, 0.25, 0], "Ng": [[0, 0, 1], [0, 0, 1], [0, 0, 0]],
        "tfar": [1, 7, np.float32(1e37)], "primID": [0, 1, -1], "geomID": [0, 1, -1],
    }
    assert {name: array.tolist() for name, array in found.items()} == expected
    assert {array.dtype.name for array in found.values()} == {"float32", "int32"}


def test_meshes_may_come_later(scene):
    above = np.float32([[0.75, 0.5, 9]])
    assert scene.is_committed == 0 and scene.run(above, down, query="DISTANCE").tolist() == [7]
    assert scene.is_committed == 1
    TriangleMesh(scene, square + np.float32([0, 0, 5]), halves)
    assert scene.is_committed == 0
    found = scene.run(above, down, output=True)
    assert (found["tfar"].tolist(), found["geomID"].tolist(), found["primID"].tolist()) == ([4], [2], [0])


def test_a_mesh_that_comes_during_a_build_is_part_of_the_next_query(scene, monkeypatch):
    class Slow(estoc.Bvh):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            monkeypatch.undo()
            TriangleMesh(scene, square + np.float32([0, 0, 5]), halves)

    monkeypatch.setattr(rtcore_scene, "Bvh", Slow)
    above = np.float32([[0.75, 0.5, 9]])
    assert scene.run(above, down, query="DISTANCE").tolist() == [7] and scene.is_committed == 0
    assert scene.run(above, down, query="DISTANCE").tolist() == [4] and scene.is_committed == 1


def test_what_is_printed(scene):
    assert repr(scene) == "<estoc.embreex.rtcore_scene.EmbreeScene: 2 meshes, 4 triangles>"


def test_nothing_is_hit_in_an_empty_scene():
    scene = EmbreeScene()
    for query, expected in (("INTERSECT", -1), ("OCCLUDED", -1), ("DISTANCE", np.float32(1e37))):
        assert scene.run(square, down, query=query).tolist() == [expected] * 4
        assert len(scene.run(square[:0], square[:0], query=query)) == 0
    TriangleMesh(scene, np.zeros((0, 3, 3)))
    assert scene.run(square, down, output=1)["geomID"].tolist() == [-1] * 4


def test_cells_become_triangles():
    corners = np.float32([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [1, 0, 1], [1, 1, 1], [0, 1, 1], [0, 0, 1]])
    for count, triangles in ((4, 4), (8, 12)):
        scene = EmbreeScene()
        if count == 4:
            corners_of, inside = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), np.float32([[0.1, 0.1, 0.1]])
        else:
            corners_of, inside = corners, np.float32([[0.4, 0.5, 0.6]])
        ElementMesh(scene, corners_of, np.arange(count)[np.newaxis])
        rays = np.random.default_rng(1).normal(size=(500, 3)).astype(np.float32)
        found = scene.run(np.repeat(inside, 500, axis=0), rays, output=1)
        assert set(found["primID"]) == set(range(triangles))
        # All face outwards.
        assert (np.einsum("ij,ij->i", found["Ng"], rays) > 0).all()
        assert scene._tree().is_closed


def test_wrong_arguments(scene):
    for error, arguments, told in [
        (ValueError, (square, down, None, "ALL"), "query is 'ALL'"),
        (ValueError, (square, square[:2]), "vec_origins has the shape"),
        (ValueError, (square[0], down), "vec_origins has the shape"),
        (ValueError, (square[:, :2], down), "vec_origins has the shape"),
        (ValueError, (square, down, [1, 2]), r"dists has the shape \(2,\); wanted is one number, or \(4,\)"),
        (TypeError, (square, down, "far"), "dists is 'far'"),
    ]:
        with pytest.raises(error, match=told):
            scene.run(*arguments)
    with pytest.raises(estoc.MeshError, match="out of range"):
        TriangleMesh(scene, square, [[0, 1, 9]])
    with pytest.raises(ValueError, match="vertices has the shape"):
        TriangleMesh(scene, square)
    with pytest.raises(NotImplementedError, match="indices has the shape"):
        ElementMesh(scene, square, halves)


def test_install():
    before = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "embreex"}
    for _ in range(2):
        estoc.embreex.install()
    try:
        from embreex import rtcore as rtc, rtcore_scene as rtcs
        from embreex.mesh_construction import TriangleMesh as named

        assert named is TriangleMesh and rtcs.EmbreeScene is EmbreeScene and rtc.EmbreeDevice is EmbreeDevice
        del sys.modules["embreex.rtcore"]
    finally:
        estoc.embreex.uninstall()
    assert before == {name: module for name, module in sys.modules.items() if name.split(".")[0] == "embreex"}


def test_beside_embreex():
    theirs = pytest.importorskip("embreex.rtcore_scene").EmbreeScene(robust=True)
    ours = EmbreeScene()
    vertices, faces = (array.astype(kind) for array, kind in zip(sphere(), (np.float32, np.int32)))
    pytest.importorskip("embreex.mesh_construction").TriangleMesh(theirs, vertices, faces)
    TriangleMesh(ours, vertices, faces)
    rays = some_rays(2000)
    origins, directions = rays[:, :3].copy(), rays[:, 3:].copy()
    for query in ("INTERSECT", "OCCLUDED", "DISTANCE"):
        found = [scene.run(origins, directions, query=query) for scene in (ours, theirs)]
        assert found[0].dtype == found[1].dtype
        assert np.isclose(*found, rtol=1e-4).mean() > 0.998
    ours, theirs = (scene.run(origins, directions, output=1) for scene in (ours, theirs))
    assert set(ours) == set(theirs)
    same = ours["primID"] == theirs["primID"]
    assert same.mean() > 0.998
    for name, array in ours.items():
        assert array.dtype == theirs[name].dtype
        np.testing.assert_allclose(array[same], theirs[name][same], rtol=1e-3, atol=1e-3)
