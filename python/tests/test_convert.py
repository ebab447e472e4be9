"""Meshes and scenes of other libraries, by stand-ins for those that are not installed."""

from types import SimpleNamespace

import numpy as np
import pytest

import estoc

corners = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 0, 0]])


def meshio_mesh(*blocks, points=corners):
    return SimpleNamespace(points=points, cells=[SimpleNamespace(type=t, data=np.array(d)) for t, d in blocks])


def test_meshio():
    mesh = estoc.from_meshio(
        meshio_mesh(("triangle", [[1, 4, 2]]), ("quad", [[0, 1, 2, 3], [3, 2, 1, 0]]), ("triangle", [[0, 1, 3]]))
    )
    expected = [[1, 4, 2], [0, 1, 2], [0, 2, 3], [3, 2, 1], [3, 1, 0], [0, 1, 3]]
    assert mesh.faces.tolist() == expected and mesh.vertices.tolist() == corners.tolist()
    assert len(estoc.from_meshio(meshio_mesh())) == 0
    for kinds in (("uint64", "uint64"), ("uint64", "int64"), ("int32", "uint64"), ("uint8", "uint32")):
        mixed = meshio_mesh(("triangle", [[1, 4, 2]]), ("quad", [[0, 1, 2, 3]]))
        for block, kind in zip(mixed.cells, kinds):
            block.data = block.data.astype(kind)
        assert estoc.from_meshio(mixed).faces.tolist() == expected[:3]
    far = meshio_mesh(("triangle", [[0, 1, 2]]), points=corners + [5e6, 0, 0])
    assert estoc.from_meshio(far, origin=[5e6, 0, 0]).origin.tolist() == [5e6, 0, 0]


def test_what_meshio_has_beside():
    with pytest.raises(ValueError, match="mesh has cells of the type line, tetra; wanted are triangle and quad: leave"):
        estoc.from_meshio(meshio_mesh(("tetra", [[0, 1, 2, 3]]), ("triangle", [[0, 1, 2]]), ("line", [[0, 1]])))
    with pytest.raises(TypeError, match="mesh is a int; wanted is a meshio.Mesh"):
        estoc.from_meshio(3)
    with pytest.raises(TypeError, match="cells has the dtype float64"):
        estoc.from_meshio(meshio_mesh(("triangle", [[0, 1, 2.5]])))
    with pytest.raises(estoc.MeshError, match="out of range"):
        estoc.from_meshio(meshio_mesh(("triangle", [[0, 1, 7]])))
    assert len(estoc.from_meshio(meshio_mesh(("triangle", [[0, 1, 7], [0, 1, 2]])), bad_faces="skip")) == 1


def test_meshio_itself():
    meshio = pytest.importorskip("meshio")
    mesh = estoc.from_meshio(meshio.Mesh(corners, [("quad", [[0, 1, 2, 3]]), ("triangle", [[1, 4, 2]])]))
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3], [1, 4, 2]]


def moved(x, scale=1.0):
    matrix = np.diag([scale, scale, scale, 1])
    matrix[0, 3] = x
    return matrix


class Graph(dict):
    """Nodes with their matrices and the names of what they place."""

    @property
    def nodes_geometry(self):
        return list(self)


def trimesh_scene(**nodes):
    tile = SimpleNamespace(vertices=corners, faces=np.array([[0, 1, 2], [0, 2, 3]]))
    return SimpleNamespace(geometry={"tile": tile, "cloud": SimpleNamespace(vertices=corners)}, graph=Graph(nodes))


def test_scenes_of_trimesh():
    scene = estoc.from_trimesh(trimesh_scene(here=(np.eye(4), "tile"), there=(moved(1e9 + 0.25, 2), "tile")))
    assert isinstance(scene, estoc.Scene) and len(scene) == 2 and scene.face_count == 4
    assert [scene.name(i) for i in range(2)] == ["here", "there"]
    hits = scene.closest_hit([[0.75, 0.5, 3, 0, 0, -1], [1e9 + 0.75, 1.5, 3, 0, 0, -1], [5, 5, 3, 0, 0, -1]])
    assert hits.placement.tolist() == [0, 1, -1] and hits.prim.tolist() == [0, 1, -1]


def test_an_origin_is_that_of_each_mesh_of_a_scene():
    nodes = trimesh_scene(here=(np.eye(4), "far"), there=(moved(5.0), "far"))
    nodes.geometry["far"] = SimpleNamespace(vertices=corners + [5e6 + 0.125, 0, 0], faces=np.array([[0, 1, 2]]))
    for origin in ("auto", [5e6, 0, 0]):
        scene = estoc.from_trimesh(nodes, origin=origin)
        # Between where the corner is and where float32 would have it.
        rays = [[5e6 + 0.125 + x, 0.01, 3, 0, 0, -1] for x in (0.98, 1.02, 5.98, 6.02)]
        assert scene.closest_hit(rays).placement.tolist() == [0, -1, 1, -1]


def test_each_mesh_of_a_scene_is_built_once(monkeypatch):
    built = []
    init = estoc.Bvh.__init__
    monkeypatch.setattr(estoc.Bvh, "__init__", lambda self, *a, **b: (built.append(1), init(self, *a, **b))[1])
    estoc.from_trimesh(trimesh_scene(**{f"node {i}": (moved(i), "tile") for i in range(5)}))
    assert len(built) == 1


def test_what_scenes_have_beside():
    with pytest.warns(UserWarning, match="the geometry 'cloud' is a SimpleNamespace and left out") as told:
        scene = estoc.from_trimesh(
            trimesh_scene(a=(np.eye(4), "cloud"), b=(np.eye(4), "tile"), c=(moved(2), "cloud"))
        )
    assert len(told) == 1 and told[0].filename == __file__ and [scene.name(0)] == ["b"] and len(scene) == 1
    with pytest.raises(estoc.SceneError, match="the node 'flat': "):
        estoc.from_trimesh(trimesh_scene(flat=(moved(0, 0.0), "tile")))
    assert len(estoc.from_trimesh(trimesh_scene())) == 0


def test_trimesh_itself():
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.Scene()
    for x in (0.0, 5.0):
        scene.add_geometry(trimesh.creation.box(), node_name=f"box at {x}", geom_name="box", transform=moved(x))
    ball = trimesh.creation.icosphere()
    scene.add_geometry(ball, node_name="ball", transform=moved(10.0, 2.0), parent_node_name="box at 5.0")
    ours = estoc.from_trimesh(scene)
    names = [ours.name(i) for i in range(len(ours))]
    assert sorted(names) == ["ball", "box at 0.0", "box at 5.0"] and ours.face_count == 24 + len(ball.faces)
    found = ours.closest_hit([[x, 0.1, 9.0, 0, 0, -1] for x in (0.2, 5.2, 15.2, 50.0)])
    assert [names[i] if i >= 0 else None for i in found.placement] == ["box at 0.0", "box at 5.0", "ball", None]
    np.testing.assert_allclose(found.t[:3], [8.5, 8.5, 7.0], atol=0.05)
