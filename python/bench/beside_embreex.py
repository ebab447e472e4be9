"""estoc and embreex through trimesh: same arrays, whole calls, one thread each.

``python beside_embreex.py FILE...``; needs trimesh and embreex.
"""

import sys

import numpy as np
import trimesh
from trimesh.ray import ray_pyembree

import estoc.trimesh
from inputs import medians, meshes, rays

COUNT = 200_000

print("mesh, triangles, question: seconds of embreex, of estoc, ratio; of the best tree, ratio")
for name, mesh in meshes(sys.argv[1:]):
    theirs = trimesh.Trimesh(mesh.vertices, mesh.faces.astype(np.int64), process=False)
    origins, directions = rays(mesh, COUNT)
    engines = [
        ray_pyembree.RayMeshIntersector(theirs),
        estoc.trimesh.RayMeshIntersector(theirs, threads=1),
        estoc.trimesh.RayMeshIntersector(theirs, threads=1, quality="best"),
    ]
    for question in ("first", "any", "id", "location"):
        calls = [
            lambda ask=getattr(engine, f"intersects_{question}"): ask(origins, directions)
            for engine in engines
        ]
        embree, ours, best = medians(*calls, rounds=5)
        print(f"{name}, {len(mesh)}, {question}: {embree:.3f}, {ours:.3f}, {embree / ours:.2f}; "
              f"{best:.3f}, {embree / best:.2f}", flush=True)
