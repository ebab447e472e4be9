"""Open3D's names: behaviours that its own tests check, and, where it is installed, its answers."""

import inspect
import sys
import threading
import types

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

    def build(*args, **kwargs):
        monkeypatch.undo()
        asking = threading.Thread(target=lambda: found.append(scene.cast_rays(ray)))
        asking.start()
        asking.join(60)
        scene.add_triangles(corners + np.float32([0, 0, 2]), faces)
        return estoc.Bvh(*args, **kwargs)

    monkeypatch.setattr(estoc.open3d, "Bvh", build)
    found.append(scene.cast_rays(ray))
    found.append(scene.cast_rays(ray))
    assert [answer["geometry_ids"].tolist() for answer in found] == [[1], [1], [2]]
    assert all(answer["primitive_normals"].tolist() == [[0, 0, 1]] for answer in found)


def test_wrong_arguments(both):
    rays, scene = np.zeros((3, 6), np.float32), both[0]
    corners, faces = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.uint32([[0, 1, 2]])
    some = types.SimpleNamespace(vertices=corners, faces=faces, triangles=corners[faces])
    view = dict(fov_deg=90, center=[0, 0, 0], eye=[0, 0, 3], up=[0, 1, 0], width_px=3, height_px=2)
    for call, error, words in (
        (lambda: scene.cast_rays(rays[:, :5]), ValueError, r"rays has the shape \(3, 5\)"),
        (lambda: scene.cast_rays([]), ValueError, r"rays has the shape \(0,\); wanted is \(..., 6\)"),
        (lambda: scene.cast_rays(None), TypeError, r"rays is None; wanted is .* \(..., 6\)"),
        (lambda: scene.cast_rays("rays"), TypeError, "rays is 'rays'"),
        (lambda: scene.compute_distance(rays[:, :2]), ValueError, r"query_points has the shape \(3, 2\)"),
        (lambda: scene.compute_distance(None), TypeError, r"query_points is None; wanted is .* \(..., 3\)"),
        (lambda: scene.compute_occupancy(rays[:, :3], nsamples=2), ValueError, "nsamples"),
        (lambda: scene.cast_rays(rays, nthreads=-1), ValueError, "nthreads is -1"),
        (lambda: scene.cast_rays(rays, nthreads=5000), ValueError, "nthreads is 5000; .* from 1 to 1024"),
        (lambda: scene.test_occlusions(rays, tnear="x"), TypeError, "tnear is 'x'"),
        (lambda: scene.add_triangles(corners[faces], faces), ValueError,
         r"vertex_positions has the shape \(1, 3, 3\); wanted is \(V, 3\), not the corners of each triangle"),
        (lambda: scene.add_triangles(corners, corners[faces]), TypeError, "triangle_indices has the dtype float32"),
        (lambda: scene.add_triangles(corners, faces[0]), ValueError, r"triangle_indices has the shape \(3,\)"),
        (lambda: scene.add_triangles(corners[faces]), TypeError, "triangle_indices is None"),
        (lambda: scene.add_triangles(corners, None), TypeError, "triangle_indices is None"),
        (lambda: scene.add_triangles(None, faces), TypeError, "vertex_positions is None"),
        (lambda: scene.add_triangles(None), TypeError, "mesh is None; wanted is a mesh of Open3D or estoc"),
        (lambda: scene.add_triangles([]), TypeError, "triangle_indices is None"),
        (lambda: scene.add_triangles(some), TypeError, "mesh is a SimpleNamespace; .*: mesh.vertices and mesh.faces"),
        (lambda: scene.add_triangles(corners, faces + 1), estoc.MeshError, "out of range"),
        (lambda: estoc.open3d.RaycastingScene(nthreads=True), TypeError, "nthreads is True"),
        (lambda: estoc.open3d.RaycastingScene(tensors=1), TypeError, "tensors is 1"),
        (lambda: estoc.open3d.RaycastingScene(0, "CUDA:0"), ValueError, "device is 'CUDA:0'; .* processor"),
        (lambda: estoc.open3d.RaycastingScene(device="CPU:1"), ValueError, "device is 'CPU:1'"),
        (lambda: estoc.open3d.RaycastingScene(device=3), TypeError, "device is 3"),
        (lambda: estoc.open3d.RaycastingScene(device=None), TypeError, "device is None"),
        (lambda: scene.create_rays_pinhole(**{**view, "up": [0, 0, 1]}), ValueError, "up, .* must not be in line"),
        (lambda: scene.create_rays_pinhole(**{**view, "eye": [0, 0, 0]}), ValueError, "must not be in line"),
        (lambda: scene.create_rays_pinhole(**{**view, "width_px": 2.5}), TypeError, "width_px is 2.5"),
        (lambda: scene.create_rays_pinhole(**{**view, "height_px": -1}), ValueError, "height_px is -1"),
        (lambda: scene.create_rays_pinhole(**{**view, "fov_deg": "x"}), TypeError, "fov_deg is 'x'"),
        (lambda: scene.create_rays_pinhole(np.eye(4), np.eye(4), 1, 1), ValueError, "intrinsic_matrix"),
        (lambda: scene.create_rays_pinhole(np.eye(3), np.eye(4), 1), TypeError,
         r"^create_rays_pinhole: missing .* 'up'; wanted are \(intrinsic_matrix, .*height_px\) or \(fov_deg, center, "),
        (lambda: scene.create_rays_pinhole(), TypeError, "^create_rays_pinhole: missing .* 'fov_deg'"),
        (lambda: scene.create_rays_pinhole(**view, roll=1), TypeError, "^create_rays_pinhole: .* 'roll'"),
        (lambda: scene.create_rays_pinhole(intrinsic_matrix=np.eye(3)), TypeError, "missing .* 'extrinsic_matrix'"),
        (lambda: scene.create_rays_pinhole(np.zeros((3, 3)), np.eye(4), 1, 1), ValueError,
         "intrinsic_matrix is .*; it must have an inverse"),
        *((lambda fov=fov: scene.create_rays_pinhole(**{**view, "fov_deg": fov}), ValueError,
           "fov_deg is .*; it must be greater than 0 and less than 180") for fov in (0, -90, 180, np.nan, np.inf)),
    ):
        with pytest.raises(error, match=words):
            call()
    assert repr(scene) == "<estoc.open3d.RaycastingScene: 2 meshes, 4,416 triangles>"


def test_no_rows_are_a_mesh():
    scene = estoc.open3d.RaycastingScene()
    assert scene.add_triangles([], []) == 0
    assert scene.add_triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]) == 1
    answer = scene.cast_rays([[0.2, 0.2, 1, 0, 0, -1], [0.2, 0.2, 1, 0, np.nan, -1]])
    assert answer["geometry_ids"].tolist() == [1, INVALID]
    assert scene.compute_signed_distance([[0.2, 0.2, 1], [np.inf, 0, 0]]).tolist() == [1, np.inf]
    assert repr(scene) == "<estoc.open3d.RaycastingScene: 2 meshes, 1 triangle>"


def test_one_ray_and_one_point(both):
    for scene in (both[0], estoc.open3d.RaycastingScene()):
        answer = scene.cast_rays([0, 0, 9, 0, 0, -1])
        assert {name: np.shape(array) for name, array in answer.items()} == {
            "t_hit": (), "geometry_ids": (), "primitive_ids": (), "primitive_uvs": (2,), "primitive_normals": (3,)}
        assert np.shape(scene.compute_signed_distance([0, 0, 0])) == np.shape(scene.compute_occupancy([0, 0, 0])) == ()


def test_types_of_answers_have_their_keys(both):
    rays, points = some_rays(3), some_rays(3)[:, :3]
    for kind, answer in (
        (estoc.open3d.FirstHits, both[0].cast_rays(rays)),
        (estoc.open3d.Intersections, both[0].list_intersections(rays)),
        (estoc.open3d.ClosestPoints, both[0].compute_closest_points(points)),
    ):
        assert type(answer) is dict and answer.keys() == kind.__annotations__.keys()


@pytest.mark.parametrize("count", [1, 2])
def test_normals_are_those_of_the_mesh(count):
    """As long as few are asked about, and then from a table; for some meshes and for one."""
    points, faces = sphere(48)
    flat = np.concatenate([faces, [[0, 0, 1]]])
    scene = estoc.open3d.RaycastingScene()
    for x in range(count):
        scene.add_triangles((points + [3 * x, 0, 0]).astype(np.float32), flat)
    rays = np.vstack([some_rays(600, seed) + np.float32([3 * (seed % count), 0, 0, 0, 0, 0]) for seed in range(4)])
    are_kept = []
    for given in np.array_split(rays, 8):
        answer = scene.cast_rays(given)
        are_kept.append(scene._newest.normals._kept is not None)
        ids = answer["primitive_ids"].astype(np.int32).astype(np.int64)
        for mesh in range(count):
            chosen = (answer["geometry_ids"] == mesh) | (ids < 0)
            expected = estoc.Mesh((points + [3 * mesh, 0, 0]).astype(np.float32), flat).normals_at(ids[chosen])
            np.testing.assert_allclose(answer["primitive_normals"][chosen], expected, rtol=1e-7, atol=1e-9)
        assert answer["primitive_normals"].dtype == np.float32
    assert (are_kept[0], are_kept[-1]) == (False, True)


def test_a_scene_of_one_mesh_is_not_copied():
    mesh = estoc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    scene = estoc.open3d.RaycastingScene()
    scene.add_triangles(mesh)
    scene.test_occlusions([[0, 0, 1, 0, 0, -1]])
    assert scene._newest.bvh.mesh is mesh


def test_threads_of_a_call_are_not_those_of_the_build(monkeypatch):
    scene, asked = estoc.open3d.RaycastingScene(3), []
    scene.add_triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    built = []
    monkeypatch.setattr(estoc.open3d, "Bvh", lambda *a, **k: built.append(k["threads"]) or estoc.Bvh(*a, **k))
    count = estoc.Bvh._thread_count
    monkeypatch.setattr(estoc.Bvh, "_thread_count", lambda *a: asked.append(count(*a)) or asked[-1])
    scene.cast_rays([[0, 0, 1, 0, 0, -1]])
    scene.test_occlusions([[0, 0, 1, 0, 0, -1]], nthreads=2)
    assert (built, asked) == ([3], [0, 2])


class Tensor:
    """What estoc wants of a tensor of Open3D."""

    device = "CPU:0"

    def __init__(self, array):
        self._array = array

    @classmethod
    def from_numpy(cls, array):
        assert type(array) is np.ndarray
        return cls(array)

    def __dlpack__(self):
        return self._array.__dlpack__()

    def __dlpack_device__(self):
        return (1 if self.device == "CPU:0" else 2), 0

    def numpy(self):
        return self._array


@pytest.fixture
def stand_in(monkeypatch):
    """A module in the place of Open3D."""
    module = types.ModuleType("open3d")
    module.core = types.SimpleNamespace(Tensor=Tensor)
    module.t = types.SimpleNamespace(geometry=types.SimpleNamespace(RaycastingScene=Tensor))
    monkeypatch.setitem(sys.modules, "open3d", module)
    yield module
    estoc.open3d.uninstall()


def calls(scene):
    """Each method by a name, with the number of columns of its argument."""
    points = ("compute_closest_points", "compute_distance", "compute_signed_distance", "compute_occupancy")
    rays = ("cast_rays", "test_occlusions", "count_intersections", "list_intersections")
    return [(getattr(scene, name), 3 if name in points else 6) for name in points + rays]


def kinds(answer):
    return {type(part) for part in (answer.values() if isinstance(answer, dict) else [answer])}


def test_answers_are_what_the_question_is(stand_in):
    corners, faces = Tensor(np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])), Tensor(np.uint32([[0, 1, 2]]))
    rays = np.float32([[0.25, 0.25, 1, 0, 0, -1], [0.25, 0.25, 1, 0, 0, 1]])
    for tensors in (None, True, False):
        scene = estoc.open3d.RaycastingScene(device="cpu", tensors=tensors)
        scene.add_triangles(corners, faces)
        for call, width in calls(scene):
            given = rays[:, :width].copy()
            for asked in (given, Tensor(given)):
                of_tensors = isinstance(asked, Tensor) if tensors is None else tensors
                assert kinds(call(asked)) == {Tensor if of_tensors else np.ndarray}
        assert kinds(scene.cast_rays(Tensor(rays[0]))) == {np.ndarray if tensors is False else Tensor}
        view = (90, [0, 0, 0], [0, 0, 3], [0, 1, 0], 3, 2)
        assert type(scene.create_rays_pinhole(*view)) is (Tensor if tensors else np.ndarray)
        view = (90, Tensor(np.zeros(3)), *view[2:])
        assert type(scene.create_rays_pinhole(*view)) is (np.ndarray if tensors is False else Tensor)
    assert scene.cast_rays(rays)["t_hit"].tolist() == [1, np.inf]
    elsewhere = Tensor(rays)
    elsewhere.device = "CUDA:0"
    with pytest.raises(TypeError, match="rays is on another device"):
        scene.cast_rays(elsewhere)


def test_install(stand_in):
    theirs = stand_in.t.geometry.RaycastingScene
    corners, faces = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.uint32([[0, 1, 2]])
    before = estoc.open3d.RaycastingScene()
    before.add_triangles(corners, faces)
    for _ in range(2):
        estoc.open3d.install()
        kind = stand_in.t.geometry.RaycastingScene
        assert issubclass(kind, estoc.open3d.RaycastingScene) and kind.INVALID_ID == INVALID
    rays = kind.create_rays_pinhole(90, [0, 0, 0], [0, 0, 3], [0, 1, 0], 3, 2)
    scene = kind()
    scene.add_triangles(corners, faces)
    assert repr(scene) == "<estoc.open3d.RaycastingScene: 1 mesh, 1 triangle>"
    for call, width in calls(scene):
        assert kinds(call(rays.numpy()[..., :width])) == {Tensor}
    assert scene.cast_rays(rays)["t_hit"].numpy().shape == (2, 3)
    assert kinds(kind(tensors=False).cast_rays(rays)) == kinds(before.cast_rays(rays.numpy())) == {np.ndarray}
    for _ in range(2):
        estoc.open3d.uninstall()
        assert stand_in.t.geometry.RaycastingScene is theirs
    assert kinds(scene.test_occlusions(rays.numpy())) == {Tensor}


def test_tensors_need_open3d(monkeypatch):
    monkeypatch.setitem(sys.modules, "open3d", None)
    with pytest.raises(ImportError):
        estoc.open3d.RaycastingScene(tensors=True)


def test_origins_are_those_of_all_meshes():
    far = np.array([5e6, 2e6, 100])
    corners, faces = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.125]]) + far, [[0, 1, 2]]
    for origin in ("auto", far):
        scene = estoc.open3d.RaycastingScene(origin=origin)
        for number, up in enumerate((0, 1)):
            assert scene.add_triangles(corners + [0, 0, up], faces) == number
        assert scene._meshes[0].origin.tolist() == scene._meshes[1].origin.tolist()
        with pytest.raises(ValueError, match=r"mesh has its origin at \[1.0, 0.0, 0.0\], and the scene at"):
            scene.add_triangles(estoc.Mesh(corners, faces, origin=[1, 0, 0]))
        assert scene.count_intersections([[0, 0, 0, 0, 0, 1]]).shape == (1,)
        assert scene._newest.bvh.mesh.origin.tolist() == scene._meshes[0].origin.tolist()
    scene = estoc.open3d.RaycastingScene()
    assert scene.add_triangles(estoc.Mesh(corners, faces, origin=far)) == 0
    assert scene.add_triangles(corners, faces) == 1
    scene = estoc.open3d.RaycastingScene()
    scene.add_triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces)
    with pytest.raises(ValueError, match="the scene at"):
        scene.add_triangles(estoc.Mesh(corners, faces, origin=far))
    with pytest.raises(ValueError, match="origin is 'far'"):
        estoc.open3d.RaycastingScene(origin="far")
    with pytest.raises(ValueError, match="origin has the shape"):
        estoc.open3d.RaycastingScene(origin=[1, 2])


def test_meshes_without_triangles_have_no_origin():
    far = np.array([5e6, 2e6, 100])
    corners, faces = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.125]]) + far, [[0, 1, 2]]
    for origin in ("auto", None, far):
        scene = estoc.open3d.RaycastingScene(origin=origin)
        mesh = estoc.Mesh(corners, faces, origin="auto" if origin is None or isinstance(origin, str) else origin)
        for number, nothing in enumerate((estoc.Mesh([], []), estoc.Mesh(corners[:1], []))):
            assert scene.add_triangles(nothing) == number
        assert scene.add_triangles([], []) == 2
        assert scene.compute_distance([far]).tolist() == [np.inf]
        assert scene.add_triangles(mesh) == 3 and scene.add_triangles([], []) == 4
        assert scene.add_triangles(corners, faces) == 5
        found = scene.cast_rays([[*(far + [0.25, 0.5, 3]), 0, 0, -1]])
        assert found["t_hit"].tolist() == [2.9375] and found["geometry_ids"].tolist() == [3]


@pytest.mark.parametrize("count", [1, 2])
def test_questions_with_an_origin_are_in_the_world(count):
    far = np.array([5e6, 2e6, 100])
    points, faces = sphere(12)
    local, scene = estoc.open3d.RaycastingScene(), estoc.open3d.RaycastingScene(origin=far)
    for number in range(count):
        moved = np.round((points + [3 * number, 0, 0]) * 2.0**18) / 2.0**18
        local.add_triangles(moved, faces)
        scene.add_triangles(moved + far, faces)
    # Numbers of few bits, so that those of the world are exact.
    rays = np.round(some_rays(600) * 256) / 256
    world = rays.astype(float) + np.append(far, [0, 0, 0])
    for ours, expected in ((scene.cast_rays(world), local.cast_rays(rays)),
                           (scene.list_intersections(world), local.list_intersections(rays))):
        for name, array in expected.items():
            np.testing.assert_allclose(ours[name], array, atol=1e-6, err_msg=name)
    for name in ("test_occlusions", "count_intersections"):
        np.testing.assert_array_equal(getattr(scene, name)(world), getattr(local, name)(rays))
    closest, expected = scene.compute_closest_points(world[:, :3]), local.compute_closest_points(rays[:, :3])
    assert closest["points"].dtype == np.float64
    np.testing.assert_allclose(closest["points"] - far, expected["points"], atol=1e-6)
    for name in ("compute_distance", "compute_signed_distance", "compute_occupancy"):
        np.testing.assert_allclose(getattr(scene, name)(world[:, :3]), getattr(local, name)(rays[:, :3]), atol=1e-6)


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
    np.testing.assert_array_equal(ours.cast_rays(tensor)["t_hit"].numpy(), answer["t_hit"])


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


def test_arguments_are_those_of_open3d(both):
    """Their names, and their order."""
    ours, theirs = both
    if theirs is None:
        pytest.skip("Open3D cannot be imported")
    for name in ("__init__", *(call.__name__ for call, _ in calls(theirs))):
        signature = getattr(theirs, name).__doc__.split(")")[0]
        expected = [part.split(":")[0].strip() for part in signature.split("(self")[1].split(", ")[1:] if ":" in part]
        given = inspect.signature(getattr(type(ours), name)).parameters.values()
        assert [each.name for each in given if each.kind == each.POSITIONAL_OR_KEYWORD][1:] == expected, name


def test_install_with_open3d():
    open3d = pytest.importorskip("open3d", exc_type=ImportError)
    theirs = open3d.t.geometry.RaycastingScene
    estoc.open3d.install()
    try:
        from open3d.t.geometry import RaycastingScene

        scene = RaycastingScene(0, open3d.core.Device("CPU:0"))
        scene.add_triangles(open3d.t.geometry.TriangleMesh.create_box())
        rays = RaycastingScene.create_rays_pinhole(90, [0.5, 0.5, 0], [0.5, 0.5, 3], [0, 1, 0], 5, 5)
        hits = scene.cast_rays(rays)
        assert hits["t_hit"].numpy()[2, 2] == 2 and hits["primitive_normals"].numpy()[2, 2].tolist() == [0, 0, 1]
        points = rays[:, :, :3] + rays[:, :, 3:] * hits["t_hit"].reshape((5, 5, 1))
        assert points.numpy()[2, 2].tolist() == [0.5, 0.5, 1]
        grid = np.float32(np.moveaxis(np.mgrid[-1:2:4j, -1:2:4j, -1:2:4j], 0, -1))
        assert scene.compute_occupancy(grid).numpy().sum() == 8
        with pytest.raises(ValueError, match="device is .*CUDA"):
            RaycastingScene(device=open3d.core.Device("CUDA:0"))
    finally:
        estoc.open3d.uninstall()
    assert open3d.t.geometry.RaycastingScene is theirs


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


def test_what_is_no_mesh_of_open3d():
    trimesh = pytest.importorskip("trimesh")
    for wrong in (3, None, [], trimesh.creation.box()):
        with pytest.raises(TypeError, match="mesh is .*; wanted is a triangle mesh of Open3D"):
            estoc.from_open3d(wrong)
