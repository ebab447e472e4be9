"""estoc and Open3D: whole calls about the same rays and points, with equal threads; and, with all threads, the time to
be ready, and calls about one ray.

``python beside_open3d.py FILE...``; needs Open3D.
"""

import sys

import numpy as np
import open3d

import estoc.open3d
from inputs import medians, meshes, rays

COUNT = 500_000
#: Of a camera's image.
WIDTH, HEIGHT = 500, 400
RAYS = ("cast_rays", "test_occlusions", "count_intersections", "list_intersections")

tensor = open3d.core.Tensor.from_numpy


def camera(mesh):
    """Returns the rays of a camera that sees the whole mesh."""
    low, high = mesh.bounds.astype(float)
    middle, size = (low + high) / 2, np.linalg.norm(high - low)
    view = dict(fov_deg=60, center=middle, eye=middle + size * np.array([0.6, 0.3, 0.8]), up=[0, 1, 0])
    return estoc.open3d.RaycastingScene.create_rays_pinhole(**view, width_px=WIDTH, height_px=HEIGHT)


def points(mesh):
    """Returns points in the box of the mesh."""
    low, high = mesh.bounds
    return low + np.random.default_rng(2).random((COUNT // 10, 3), np.float32) * (high - low)


def scenes(mesh, threads=0):
    """Returns a scene of Open3D, and of estoc with the default tree and with the best."""
    ours = [estoc.open3d.RaycastingScene(threads, quality=quality) for quality in ("balanced", "best")]
    for scene in (theirs := open3d.t.geometry.RaycastingScene(threads), *ours):
        scene.add_triangles(tensor(mesh.vertices.copy()), tensor(mesh.faces.copy()))
    return theirs, *ours


def ready(kind, mesh, ray):
    scene = kind()
    scene.add_triangles(*mesh)
    scene.cast_rays(ray)


def row(words, calls, rounds=5, unit=1.0):
    other, *ours = (unit * time for time in medians(*calls, rounds=rounds))
    print(f"{words}: {other:.3f}", *(f"{time:.3f}, {other / time:.2f}" for time in ours), sep="; ", flush=True)


def many(call, count=2000):
    """Returns what makes a call often."""
    return lambda: [call() for _ in range(count)]


print("mesh, threads, question: seconds of Open3D; of estoc, ratio; of the best tree, ratio")
for name, mesh in meshes(sys.argv[1:]):
    some, image, near = np.hstack(rays(mesh, COUNT)).astype(np.float32), camera(mesh), points(mesh)
    for threads in (1, 2):
        theirs, *ours = scenes(mesh, threads)
        asked = [("random rays", some, q) for q in RAYS[:2]] + [("camera rays", image, q) for q in RAYS]
        asked += [("points", near, q) for q in ("compute_occupancy", "compute_closest_points")]
        for words, given, question in asked:
            calls = [lambda: getattr(theirs, question)(tensor(given), nthreads=threads)]
            calls += [lambda ask=getattr(scene, question): ask(given, nthreads=threads) for scene in ours]
            row(f"{name}, {threads}, {question} of {words}", calls)
        # Tensors in and out on both sides.
        calls = [lambda ask=scene.cast_rays: ask(tensor(image), nthreads=threads) for scene in (theirs, *ours)]
        row(f"{name}, {threads}, cast_rays of tensors", calls)
    arrays, one = [tensor(mesh.vertices.copy()), tensor(mesh.faces.copy())], tensor(image[200, 250:251].copy())
    kinds = open3d.t.geometry.RaycastingScene, estoc.open3d.RaycastingScene
    row(f"{name}, ready: add_triangles and one ray", [lambda kind=kind: ready(kind, arrays, one) for kind in kinds])
    theirs, *ours = scenes(mesh)
    for question in RAYS:
        calls = [many(lambda: getattr(theirs, question)(one))]
        calls += [many(lambda ask=getattr(scene, question): ask(one.numpy())) for scene in ours]
        row(f"{name}, {question} of one ray, in microseconds", calls, unit=1e6 / 2000)
