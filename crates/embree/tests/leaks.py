"""Casts rays through embreex, and through trimesh on it, that are aimed at the edges and corners of closed meshes.

With this library in the place of Embree's, none leaks. Run by the script `test`, which preloads the library.
"""

import sys

import numpy as np
import trimesh
from embreex import rtcore_scene
from embreex.mesh_construction import TriangleMesh


def sphere(rings):
    """Returns a closed sphere of vertices and faces, whose poles are fans."""
    height = np.linspace(0, np.pi, rings + 1)[1:-1]
    turn = np.linspace(0, 2 * np.pi, 2 * rings, endpoint=False)
    h, t = np.meshgrid(height, turn, indexing="ij")
    rows = np.stack([np.sin(h) * np.cos(t), np.sin(h) * np.sin(t), np.cos(h)], -1).reshape(-1, 3)
    vertices = np.concatenate([rows, [[0, 0, 1], [0, 0, -1]]]).astype(np.float32)
    n, last = 2 * rings, (rings - 2) * 2 * rings
    faces = []
    for j in range(n):
        k = (j + 1) % n
        for i in range(rings - 2):
            a, b = i * n, (i + 1) * n
            faces += [[a + j, b + j, b + k], [a + j, b + k, a + k]]
        faces += [[len(rows), j, k], [len(rows) + 1, last + k, last + j]]
    return vertices, np.array(faces, np.int32)


def aimed(vertices, faces, origins):
    """Returns rays from origins within to each corner, and to a point of each edge."""
    corners = vertices[faces].reshape(-1, 3)
    edges = (corners + vertices[np.roll(faces, -1, 1)].reshape(-1, 3)) / np.float32(2)
    targets = np.concatenate([vertices, edges])
    starts = np.repeat(origins, len(targets), 0)
    return starts, np.tile(targets, (len(origins), 1)) - starts


leaks = rays = 0
for at in (0, 100):
    vertices, faces = sphere(24)
    vertices += np.float32(at)
    scene = rtcore_scene.EmbreeScene(robust=True)
    TriangleMesh(scene, vertices, faces)
    origins = np.float32(at) + np.random.default_rng(7).uniform(-0.4, 0.4, (20, 3)).astype(np.float32)
    starts, dirs = aimed(vertices, faces, origins)
    hits = scene.run(starts, dirs)
    leaks += int((hits < 0).sum())
    rays += len(hits)
    found = scene.run(starts, dirs, output=True)
    assert (found["primID"] == hits).all() and (found["geomID"][hits >= 0] == 0).all()
    assert (scene.run(starts, dirs, query="OCCLUDED") == np.where(hits < 0, -1, 0)).all()

mesh = trimesh.creation.icosphere(subdivisions=3)
assert type(mesh.ray).__module__ == "trimesh.ray.ray_pyembree", "trimesh does not use embreex"
points = np.random.default_rng(1).uniform(-1, 1, (2000, 3))
points = points[abs(np.linalg.norm(points, axis=1) - 1) > 0.05]
assert (mesh.ray.contains_points(points) == (np.linalg.norm(points, axis=1) < 1)).all()

print(f"{rays} rays from within closed meshes, {leaks} leaks")
sys.exit(leaks > 0)
