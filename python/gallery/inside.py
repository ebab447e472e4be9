"""Inside test of a million points: the volume of a knot, by counting.

The picture adds up the points inside along the line of sight, as an X-ray does.
"""

import sys
from pathlib import Path

import numpy as np

import estoc


def knot(along=900, around=64, thick=0.34):
    """A tube along a trefoil knot, closed."""
    t = np.linspace(0, 2 * np.pi, along, endpoint=False)
    line = lambda t: np.stack(
        [np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -1.2 * np.sin(3 * t)], axis=-1
    )
    tangent = line(t + 1e-5) - line(t - 1e-5)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    side = np.cross(tangent, [0, 0, 1])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up = np.cross(side, tangent)
    a = np.linspace(0, 2 * np.pi, around, endpoint=False)
    ring = np.cos(a)[None, :, None] * side[:, None] + np.sin(a)[None, :, None] * up[:, None]
    vertices = (line(t)[:, None] + thick * ring).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(along), np.arange(around), indexing="ij")
    at = lambda i, j: (i % along) * around + j % around
    p, q, r, s = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
    faces = np.concatenate([np.stack([p, q, r], -1).reshape(-1, 3), np.stack([p, r, s], -1).reshape(-1, 3)])
    return estoc.Mesh(vertices, faces)


def volume(mesh):
    """The volume by the divergence theorem."""
    a, b, c = (mesh.vertices[mesh.faces[:, i]].astype(float) for i in range(3))
    return abs(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6


def main(folder):
    mesh = knot()
    bvh = estoc.Bvh(mesh)
    low, high = mesh.bounds.astype(float)
    count = 1_000_000
    points = np.random.default_rng(1).uniform(low, high, (count, 3)).astype(np.float32)
    inside = bvh.contains(points)
    box = np.prod(high - low)
    found, known = inside.mean() * box, volume(mesh)
    error = box * np.sqrt(inside.mean() * (1 - inside.mean()) / count)
    print(f"{inside.sum():,} of {count:,} points are inside: a volume of {found:.3f}; "
          f"by the divergence theorem it is {known:.3f}")
    assert abs(found - known) < 5 * error

    side = 520
    c, s = np.cos(0.4), np.sin(0.4)
    x, y, z = points[inside].astype(float).T
    y, z = c * y - s * z, s * y + c * z
    depth = np.clip((z + 2) / 4, 0, 1)[:, None]
    column, row = (side / 2 + 74 * x).astype(int), (side / 2 - 74 * y).astype(int)
    # Near points are warm, far ones cold.
    colour = depth * [1.0, 0.62, 0.28] + (1 - depth) * [0.12, 0.42, 1.0]
    light = np.zeros((side, side, 3))
    np.add.at(light, (row, column), colour)
    for axis in (0, 1, 0, 1):
        light = 0.5 * light + 0.25 * (np.roll(light, 1, axis) + np.roll(light, -1, axis))
    picture = 0.04 + 0.96 * (1 - np.exp(-0.75 * light))
    estoc.write_png(Path(folder) / "inside.png", (picture * 255 + 0.5).astype(np.uint8))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
