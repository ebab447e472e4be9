"""Open3D's names: behaviours that its own tests check, and, where it is installed, its answers."""

import threading

import numpy as np
import pytest

import estoc.open3d
from conftest import some_rays, sphere

INVALID = 0xFFFF_FFFF


def scenes():
    """The scene of estoc, and that of Open3D where it can be imported."""
    ours = estoc.open3d.RaycastingScene()
    try:
        import open3d
    except (ImportError, OSError):
        return ours, None
    return ours, open3d.t.geometry.RaycastingScene()


def numbers(answer):
    return {name: array.numpy() for name, array in answer.items()}


@pytest.fixture(scope="module")
def both():
    ours, theirs = scenes()
    points, faces = sphere()
    for number, moved in enumerate([0.0, 2.5]):
        vertices, indices = (points + [moved, 0, 0]).astype(np.float32), faces.astype(np.uint32)
        assert ours.add_triangles(vertices, indices) == number
        if theirs is not None:
            import open3d

            theirs.add_triangles(open3d.core.Tensor(vertices), open3d.core.Tensor(indices))
    return ours, theirs


def test_names_types_and_shapes(both):
    rays = some_rays(600).reshape(20, 30, 6)
    answer = both[0].cast_rays(rays)
    expected = {
        "t_hit": ((20, 30), np.float32),
        "geometry_ids": ((20, 30), np.uint32),
        "primitive_ids": ((20, 30), np.uint32),
        "primitive_uvs": ((20, 30, 2), np.float32),
        "primitive_normals": ((20, 30, 3), np.float32),
    }
    assert {name: (array.shape, array.dtype) for name, array in answer.items()} == expected
    missed = np.isinf(answer["t_hit"])
    assert missed.any() and (answer["geometry_ids"][missed] == INVALID).all()
    assert (answer["primitive_ids"][missed] == INVALID).all()
    assert (answer["primitive_normals"][missed] == 0).all()
    assert set(np.unique(answer["geometry_ids"])) == {0, 1, INVALID}
    counts = both[0].count_intersections(rays)
    assert counts.dtype == np.int32 and counts.shape == (20, 30)
    lists = both[0].list_intersections(rays)
    assert lists["ray_splits"].shape == (601,) and lists["ray_splits"].dtype == np.uint32
    np.testing.assert_array_equal(np.diff(lists["ray_splits"].astype(int)), counts.reshape(-1))
    np.testing.assert_array_equal(both[0].test_occlusions(rays), ~missed)


def test_an_empty_scene():
    scene = estoc.open3d.RaycastingScene()
    answer = scene.cast_rays(np.ones((3, 6), np.float32))
    assert np.isinf(answer["t_hit"]).all() and (answer["geometry_ids"] == INVALID).all()
    assert scene.count_intersections(np.ones((3, 6), np.float32)).tolist() == [0, 0, 0]
    assert scene.test_occlusions(np.ones((0, 6), np.float32)).shape == (0,)


def test_occlusions_have_an_interval():
    scene = estoc.open3d.RaycastingScene()
    scene.add_triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    ray = np.float32([[0.2, 0.2, 1, 0, 0, -2]])
    assert scene.test_occlusions(ray)[0] and not scene.test_occlusions(ray, tnear=0.6)[0]
    assert scene.test_occlusions(ray, tfar=0.5)[0] and not scene.test_occlusions(ray, tfar=0.4)[0]


def test_meshes_may_be_added_later():
    scene = estoc.open3d.RaycastingScene()
    scene.add_triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    ray = np.float32([[0.2, 0.2, 2, 0, 0, -1]])
    assert scene.cast_rays(ray)["t_hit"] == 2
    assert scene.add_triangles([[0, 0, 1], [1, 0, 1], [0, 1, 1]], [[0, 1, 2]]) == 1
    answer = scene.cast_rays(ray)
    assert (answer["t_hit"], answer["geometry_ids"], answer["primitive_ids"]) == (1, 1, 0)


def test_parameters_are_named_as_those_of_open3d():
    corners, faces = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.uint32([[0, 1, 2]])
    scene = estoc.open3d.RaycastingScene(nthreads=1)
    assert scene.add_triangles(vertex_positions=corners, triangle_indices=faces) == 0
    assert scene.add_triangles(mesh=estoc.Mesh(corners + 1, faces)) == 1
    assert scene.add_triangles(estoc.Mesh(corners + 2, faces)) == 2
    answer = scene.cast_rays(np.float32([[1.2, 1.2, 9, 0, 0, -1], [2.2, 2.2, 9, 0, 0, -1]]))
    assert answer["geometry_ids"].tolist() == [1, 2]
    for wrong in (dict(), dict(vertex_positions=corners, mesh=estoc.Mesh(corners, faces)),
                  dict(mesh=estoc.Mesh(corners, faces), triangle_indices=faces), dict(mesh=3)):
        with pytest.raises(TypeError, match="mesh"):
            scene.add_triangles(**wrong)
    with pytest.raises(ValueError, match=r"vertex_positions has the shape \(3, 2\)"):
        scene.add_triangles(corners[:, :2], faces)
    with pytest.raises(TypeError, match="triangle_indices has the dtype float32"):
        scene.add_triangles(corners, faces.astype(np.float32))


def test_another_thread_never_sees_half_a_tree(monkeypatch):
    """While one thread builds the tree, another asks, and a mesh is added."""
    corners, faces = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.uint32([[0, 1, 2]])
    scene = estoc.open3d.RaycastingScene()
    for height in (0, 1):
        scene.add_triangles(corners + np.float32([0, 0, height]), faces)
    ray, found = np.float32([[0.2, 0.2, 9, 0, 0, -1]]), []
    normals_at = estoc.Mesh.normals_at

    def build(mesh, prim):
        monkeypatch.undo()
        asking = threading.Thread(target=lambda: found.append(scene.cast_rays(ray)))
        asking.start()
        asking.join(60)
        scene.add_triangles(corners + np.float32([0, 0, 2]), faces)
        return normals_at(mesh, prim)

    monkeypatch.setattr(estoc.Mesh, "normals_at", build)
    found.append(scene.cast_rays(ray))
    found.append(scene.cast_rays(ray))
    assert [answer["geometry_ids"].tolist() for answer in found] == [[1], [1], [2]]
    assert all(answer["primitive_normals"].tolist() == [[0, 0, 1]] for answer in found)


def test_wrong_shapes(both):
    rays = np.zeros((3, 6), np.float32)
    for call, error, words in (
        (lambda: both[0].cast_rays(rays[:, :5]), ValueError, r"rays has the shape \(3, 5\)"),
        (lambda: both[0].compute_distance(rays[:, :2]), ValueError, r"query_points has the shape \(3, 2\)"),
        (lambda: both[0].compute_occupancy(rays[:, :3], nsamples=2), ValueError, "nsamples"),
        (lambda: both[0].cast_rays(rays, nthreads=-1), ValueError, "nthreads is -1"),
        (lambda: both[0].cast_rays(rays, nthreads=5000), ValueError, "nthreads is 5000; .* from 1 to 1024"),
        (lambda: both[0].test_occlusions(rays, tnear="x"), TypeError, "tnear is 'x'"),
        (lambda: estoc.open3d.RaycastingScene(nthreads=True), TypeError, "nthreads is True"),
    ):
        with pytest.raises(error, match=words):
            call()


def test_rays_are_those_of_open3d(both):
    ours, theirs = both
    if theirs is None:
        pytest.skip("Open3D cannot be imported")
    import open3d

    rays = some_rays(600).reshape(20, 30, 6)
    tensor = open3d.core.Tensor(rays)
    answer, other = ours.cast_rays(rays), numbers(theirs.cast_rays(tensor))
    assert answer.keys() == other.keys()
    for name in answer:
        assert answer[name].dtype == other[name].dtype
        np.testing.assert_allclose(answer[name], other[name], atol=2e-4)
    np.testing.assert_array_equal(
        ours.count_intersections(rays), theirs.count_intersections(tensor).numpy()
    )
    lists, other = ours.list_intersections(rays), numbers(theirs.list_intersections(tensor))
    for name in ("ray_splits", "ray_ids"):
        np.testing.assert_array_equal(lists[name], other[name])
    # Open3D does not sort the hits of a ray.
    order = np.lexsort((other["t_hit"], other["ray_ids"]))
    for name in lists:
        assert lists[name].dtype == other[name].dtype
        if name not in ("ray_splits", "ray_ids"):
            np.testing.assert_allclose(lists[name], other[name][order], atol=2e-4)
    np.testing.assert_array_equal(ours.cast_rays(tensor)["t_hit"], answer["t_hit"])


def test_points_are_those_of_open3d(both):
    ours, theirs = both
    if theirs is None:
        pytest.skip("Open3D cannot be imported")
    import open3d

    points = np.random.default_rng(4).normal(size=(30, 20, 3)).astype(np.float32)
    tensor = open3d.core.Tensor(points)
    answer, other = ours.compute_closest_points(points), numbers(theirs.compute_closest_points(tensor))
    assert answer.keys() == other.keys()
    for name in answer:
        assert (answer[name].dtype, answer[name].shape) == (other[name].dtype, other[name].shape)
    # Of triangles that share the closest edge or vertex, each names another.
    np.testing.assert_allclose(answer["points"], other["points"], atol=2e-4)
    for name in ("compute_distance", "compute_signed_distance", "compute_occupancy"):
        a, b = getattr(ours, name)(points), getattr(theirs, name)(tensor).numpy()
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, atol=1e-5)


def test_cameras_are_those_of_open3d(both):
    if both[1] is None:
        pytest.skip("Open3D cannot be imported")
    view = dict(fov_deg=60, center=[0, 0.3, 0], eye=[1, 0.2, 3], up=[0, 1, 0], width_px=13, height_px=9)
    outer = np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], float)
    inner = np.array([[20.0, 0, 6.5], [0, 21, 6], [0, 0, 1]])
    for camera in (
        lambda scene: scene.create_rays_pinhole(**view),
        lambda scene: scene.create_rays_pinhole(inner, outer, 13, 9),
    ):
        ours, theirs = camera(both[0]), camera(both[1]).numpy()
        assert ours.shape == theirs.shape == (9, 13, 6)
        np.testing.assert_allclose(ours, theirs, atol=2e-6)


def test_conversion():
    open3d = pytest.importorskip("open3d", exc_type=ImportError)
    for box in (
        open3d.geometry.TriangleMesh.create_box(),
        open3d.t.geometry.TriangleMesh.create_box(),
    ):
        assert len(estoc.from_open3d(box)) == 12
    scene = estoc.open3d.RaycastingScene(tensors=True)
    scene.add_triangles(open3d.t.geometry.TriangleMesh.create_box())
    answer = scene.cast_rays(open3d.core.Tensor(np.float32([[0.2, 0.3, 5, 0, 0, -1]])))
    assert isinstance(answer["t_hit"], open3d.core.Tensor) and answer["t_hit"].numpy() == 4
    with pytest.raises(TypeError, match="Open3D"):
        estoc.from_open3d(3)
