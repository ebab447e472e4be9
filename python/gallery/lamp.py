"""A lamp in a closed ball: does light get out through the vertices?

The segments from the lamp through each vertex of the ball must meet the surface once. On the right they are asked of
estoc; on the left is what VTK's oriented boxes answer, which are behind PyVista's ``ray_trace`` up to version 0.48.
That is recorded here, so that the picture needs no VTK; where PyVista is installed, its ``ray_trace`` is counted too.
"""

import sys
from pathlib import Path

import numpy as np

import estoc

RINGS, AROUND, SIDE = 17, 30, 320
LAMP = np.array([0.125, 0.0625, -0.09375])
#: The segments that ``vtkOBBTree.IntersectWithLine`` of VTK 9.7.2 lets out, a bit for each vertex.
RECORDED = ("bdfeeeffcff72bfbfff4cfbd7ff7fbddffbfbbffff3d7bdffe7bdffffffef5"
            "7fffff6bfff7d7fb5fff7effff7b77fbf7fc1d7fff8ffbaff7df57efefc0")
OUT, MET = np.array([1.0, 0.72, 0.2]), np.array([0.3, 0.95, 0.45])


def ball():
    """The vertices of a ball, a row for each ring of them from pole to pole, and its triangles."""
    down, turn = np.pi * np.arange(RINGS + 1) / RINGS, 2 * np.pi * np.arange(AROUND) / AROUND
    points = np.stack([np.outer(np.sin(down), np.cos(turn)), np.outer(np.cos(down), np.ones(AROUND)),
                       np.outer(np.sin(down), np.sin(turn))], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(RINGS), np.arange(AROUND), indexing="ij")
    at = lambda i, j: i * AROUND + j % AROUND
    p, q, r, s = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
    # At a pole, one of the two triangles of each quadrangle has no area.
    faces = np.concatenate([np.stack([p, r, q], -1)[:-1].reshape(-1, 3), np.stack([p, s, r], -1)[1:].reshape(-1, 3)])
    # Each pole is one vertex.
    name = np.clip(np.arange(len(points)) - AROUND + 1, 0, (RINGS - 1) * AROUND + 1)
    vertices = np.zeros((name[-1] + 1, 3), np.float32)
    vertices[name] = points
    vertices[[0, -1]] = [[0, 1, 0], [0, -1, 0]]
    return vertices, name[faces]


def count_by_pyvista(vertices, faces, ends):
    """The number of points that PyVista's own ``ray_trace`` finds on each segment; none without PyVista."""
    try:
        import pyvista
    except ImportError:
        return None
    mesh = pyvista.PolyData.from_regular_faces(vertices, faces)
    counts = np.array([len(mesh.ray_trace(LAMP, end)[1]) for end in ends])
    return f"PyVista {pyvista.__version__} finds none on {(counts == 0).sum()} and several on {(counts > 1).sum()}"


def add_dots(picture, points, colour, size):
    """Adds round dots at points of the plane."""
    x, y = SIDE / 2 * (1 + points[:, 0] / 1.7), SIDE / 2 * (1 - points[:, 1] / 1.7)
    reach = int(np.ceil(size))
    for i in range(-reach, reach + 1):
        for j in range(-reach, reach + 1):
            row, column = np.floor(y).astype(int) + i, np.floor(x).astype(int) + j
            near = np.clip(size + 0.5 - np.hypot(row + 0.5 - y, column + 0.5 - x), 0, 1)
            seen = (row >= 0) & (row < SIDE) & (column >= 0) & (column < SIDE)
            np.maximum.at(picture, (row[seen], column[seen]), near[seen, None] * colour[seen])


def painted(bvh, vertices, is_out):
    """The ball from the front, its vertices, and the light that gets out."""
    step = (np.arange(SIDE) + 0.5) / SIDE * 3.4 - 1.7
    x, y = np.meshgrid(step, -step)
    hits = bvh.closest_hit(np.stack([x, y, np.full_like(x, 3)], -1), [0, 0, -1])
    picture = np.where(hits.is_hit[..., None], bvh.mesh.normals_at(hits.prim)[..., 2:] * [0.2, 0.24, 0.32], 0.03)

    def visible(points):
        return ~bvh.any_hit(points + [0, 0, 1e-3], [0, 0, 1])

    front = visible(vertices * 1.001)
    add_dots(picture, vertices[front], np.where(is_out[front, None], OUT, MET), 1.8)
    ahead = vertices[is_out] - LAMP
    for along in np.linspace(0, 0.6, 120):
        points = vertices[is_out] + along * ahead / np.linalg.norm(ahead, axis=-1, keepdims=True)
        points = points[visible(points)]
        add_dots(picture, points, np.broadcast_to(OUT * (1 - along / 0.6), points.shape), 0.4)
    return picture


def main(folder):
    vertices, faces = ball()
    bvh, scene = estoc.Bvh(estoc.Mesh(vertices, faces)), estoc.Scene()
    scene.add(bvh)
    ahead = 2 * (vertices.astype(float) - LAMP)
    # Segments in float64, which a scene does not round.
    counts = np.diff(scene.all_hits(LAMP, ahead, t_max=1, distinct=True).offsets)
    assert (counts == 1).all(), "light gets out"
    bits = np.frombuffer(bytes.fromhex(RECORDED), np.uint8)
    by_vtk = np.unpackbits(bits)[:len(vertices)].astype(bool)
    others = count_by_pyvista(vertices, faces, LAMP + ahead)
    print(f"{len(vertices)} segments through vertices of a closed ball: estoc finds one point on each"
          + (f"; {others}" if others else ""))
    print(f"VTK's oriented boxes find none on {by_vtk.sum()}, as was recorded")
    picture = np.concatenate([painted(bvh, vertices, is_out) for is_out in (by_vtk, counts == 0)], axis=1)
    estoc.write_png(Path(folder) / "lamp.png", (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
