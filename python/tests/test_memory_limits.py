"""Calls for which there is no memory: they raise an exception, and the process goes on."""

import os
import sys

import pytest

from conftest import lines_of

#: Calls by name. Each needs more than the least of the limits below.
CALLS = {
    "vertices": "mesh.vertices",
    "faces": "mesh.faces",
    "pickle mesh": "pickle.dumps(mesh)",
    "mesh": "estoc.Mesh(vertices, faces)",
    "bvh": "estoc.Bvh(mesh, threads=1)",
    "to_bytes": "bvh.to_bytes()",
    "pickle": "pickle.dumps(bvh)",
    "from_bytes": "estoc.Bvh.from_bytes(data)",
    "is_closed": "bvh.is_closed",
    "contains": "bvh.contains(points)",
    "signed_distance": "bvh.signed_distance(points)",
    "winding_number": "bvh.winding_number(points)",
    "winding_estimate": "bvh.winding_estimate(points)",
    "signed_distance by estimate": "bvh.signed_distance(points, rule='winding_estimate')",
    "closest_hit": "bvh.closest_hit(np.tile(down, (300_000, 1)), threads=1)",
    "distance": "bvh.distance(np.zeros((300_000, 3)), threads=1)",
    "all_hits": "bvh.all_hits(np.tile(down, (300_000, 1)), threads=1)",
    "within": "bvh.within(np.zeros((40, 3)), 9.0, threads=1)",
    "scene": "placed.closest_hit(down, threads=1)",
    "scene contains": "placed.contains(points, threads=1)",
    "scene within": "placed.within(np.zeros((400, 3)), 0.3, threads=1)",
    "render": "bvh.render(width=3000, height=2000, samples=1, shade='normal', eye=[0, 0, 4], threads=1)",
}


#: Megabytes that are left to the process.
LIMITS = (1, 6, 9, 12, 16, 24, 40, 80, 400) if os.environ.get("ESTOC_LONG") == "1" else (1, 8, 12, 40, 400)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of the address space")
def test_a_lack_of_memory_is_an_exception():
    text = f"""
        import gc, os, pickle, resource, signal, warnings
        warnings.simplefilter("ignore")
        import numpy as np, estoc
        side = 250
        x, y = np.meshgrid(np.linspace(-1, 1, side + 1), np.linspace(-1, 1, side + 1))
        vertices = np.float32([x.ravel(), y.ravel(), np.sin(3 * x * y).ravel()]).T.copy()
        at = np.arange(side * (side + 1)).reshape(side, side + 1)[:, :-1].ravel()
        faces = np.concatenate([np.stack([at, at + 1, at + side + 1], 1),
                                np.stack([at + 1, at + side + 2, at + side + 1], 1)]).astype(np.uint32)
        mesh = estoc.Mesh(vertices, faces)
        bvh = estoc.Bvh(mesh, quality="fast", threads=1)
        data = bvh.to_bytes()
        placed = estoc.Scene()
        for i in range(3000):
            placed.add(bvh, [[1, 0, 0, i], [0, 1, 0, 0], [0, 0, 1, 0]])
        points = np.zeros((10, 3))
        down = np.float32([[0.01, 0.02, 5, 0, 0, -1]])
        bvh.any_hit(down)
        gc.collect()
        for name, call in {CALLS!r}.items():
            for more in {LIMITS}:
                child = os.fork()
                if child == 0:
                    signal.alarm(100)
                    used = int(open("/proc/self/statm").read().split()[0]) * 4096
                    resource.setrlimit(resource.RLIMIT_AS, (used + (more << 20),) * 2)
                    try:
                        eval(call)
                        code = 0
                    except estoc.SurfaceError:
                        code = 0
                    except MemoryError:
                        code = 1
                    except RuntimeError as error:
                        code = 2 if "cannot start" in str(error) else 4
                    except BaseException as error:
                        os.write(2, repr(error).encode())
                        code = 3
                    os._exit(code)
                status = os.waitpid(child, 0)[1]
                print(name.replace(" ", "-"), more, status >> 8 if status & 255 == 0 else -status, flush=True)
    """
    lines = lines_of(text)
    assert len(lines) == len(LIMITS) * len(CALLS)
    unexpected = [line for line in lines if line[2] not in ("0", "1", "2")]
    assert not unexpected, unexpected
    # With the most memory all are answered.
    assert {line[2] for line in lines if line[1] == "400"} == {"0"}, lines
    # With little, threads are not started or the memory is refused.
    refused = {line[0] for line in lines if line[2] in "12"}
    assert {"vertices", "faces", "to_bytes", "from_bytes"} <= refused, lines
    without_memory = {line[0] for line in lines if line[2] == "1"}
    assert {"vertices", "faces", "is_closed", "contains", "winding_estimate"} <= without_memory, lines
