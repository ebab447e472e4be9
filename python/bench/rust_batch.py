"""Ten million rays by Python and by the batch in Rust, on the same tree, in turns.

``cargo build --release --example batch`` in ``python/``, then ``python rust_batch.py PROGRAM FILE``.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np

import estoc
from inputs import medians, meshes, rays

COUNT = int(os.environ.get("RAYS", 10_000_000))

program, path = sys.argv[1:]
for name, mesh in meshes([path]):
    given = np.hstack(rays(mesh, COUNT)).astype(np.float32)
    bvh = estoc.Bvh(mesh)
    with tempfile.TemporaryDirectory() as folder:
        bvh.save(f"{folder}/tree")
        given.tofile(f"{folder}/rays")
        for threads in (1, 2):
            batch = subprocess.Popen(
                [program, f"{folder}/tree", f"{folder}/rays", str(threads)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            )
            in_rust, hits = [], set()

            def rust():
                batch.stdin.write("\n")
                seconds, count = batch.stdout.readline().split()
                in_rust.append(float(seconds))
                hits.add(int(count))

            def python():
                hits.add(int(bvh.closest_hit(given, threads=threads).is_hit.sum()))

            rust()
            in_rust.clear()
            in_python = medians(
                rust, lambda: bvh.closest_hit(given, threads=threads), rounds=5
            )[1]
            python()
            assert len(hits) == 1, hits
            seconds = sorted(in_rust[1:])[len(in_rust) // 2 - 1]
            print(f"{name}, {COUNT} rays, {threads} threads: Python {in_python:.3f} s, Rust {seconds:.3f} s, "
                  f"{in_python / seconds:.3f}", flush=True)
            batch.stdin.close()
            batch.wait()
