"""estoc and Open3D: ``cast_rays`` and ``test_occlusions``, same rays, whole calls, equal threads.

``python beside_open3d.py FILE...``; needs Open3D.
"""

import sys

import numpy as np
import open3d

import estoc.open3d
from inputs import medians, meshes, rays

COUNT = 500_000

print("mesh, threads, question: seconds of Open3D, of estoc, ratio; of the best tree, ratio")
for name, mesh in meshes(sys.argv[1:]):
    given = np.hstack(rays(mesh, COUNT)).astype(np.float32)
    tensor = open3d.core.Tensor(given)
    for threads in (1, 2):
        theirs = open3d.t.geometry.RaycastingScene(nthreads=threads)
        theirs.add_triangles(
            open3d.core.Tensor(mesh.vertices.copy()), open3d.core.Tensor(mesh.faces.copy())
        )
        ours = [estoc.open3d.RaycastingScene(threads, quality=q) for q in ("balanced", "best")]
        for scene in ours:
            scene.add_triangles(mesh.vertices, mesh.faces)
        for question in ("cast_rays", "test_occlusions"):
            calls = [lambda: getattr(theirs, question)(tensor, nthreads=threads)]
            calls += [
                lambda ask=getattr(scene, question): ask(given, nthreads=threads) for scene in ours
            ]
            other, balanced, best = medians(*calls, rounds=5)
            print(f"{name}, {threads}, {question}: {other:.3f}, {balanced:.3f}, {other / balanced:.2f}; "
                  f"{best:.3f}, {other / best:.2f}", flush=True)
