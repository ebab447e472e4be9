"""Lidar: a spinning scanner in a hall, 64 beams that turn once around.

Above, the ranges as an image, one row for each beam; below, the points from above, coloured by height.
"""

import sys
from pathlib import Path

import numpy as np

import estoc

DATA = Path(__file__).resolve().parents[2] / "data"
STOPS = np.array([[20, 20, 70], [40, 90, 160], [40, 170, 150], [170, 215, 80], [255, 245, 170]]) / 255


def ramp(share):
    place = np.clip(share, 0, 1) * (len(STOPS) - 1)
    return np.stack([np.interp(place, range(len(STOPS)), STOPS[:, i]) for i in range(3)], axis=-1)


def main(folder):
    mesh = estoc.Mesh.load(DATA / "hall.obj")
    bvh = estoc.Bvh(mesh)
    low, high = mesh.bounds.astype(float)

    # The scanner stands 1.5 above the floor, a little off the middle.
    turns = np.linspace(0, 2 * np.pi, 3600, endpoint=False)
    tilts = np.radians(np.linspace(65, -35, 64))
    level = np.cos(tilts)[:, None]
    dirs = np.stack(
        [level * np.sin(turns), np.broadcast_to(np.sin(tilts)[:, None], (64, 3600)), -level * np.cos(turns)],
        axis=-1,
    ).astype(np.float32)
    centre = (low + high) / 2
    down = bvh.closest_hit([centre[0] + 0.6, 2.0, centre[2] + 1.1, 0, -1, 0])
    scanner = np.array([centre[0] + 0.6, 2.0 - float(down.t) + 1.5, centre[2] + 1.1], np.float32)
    hits = bvh.closest_hit(scanner, dirs)
    ranges = hits.t
    points = scanner + np.where(hits.is_hit, ranges, 0)[..., None].astype(float) * dirs

    # What the scanner measures lies on the mesh, and on level floor at 1.5 / sin(angle below the horizon).
    seen = hits.is_hit
    off = bvh.distance(points[seen]).max()
    floor = seen & (mesh.normals_at(hits.prim)[..., 1] > 0.999) & (points[..., 1] < scanner[1] - 1.4999)
    expected = 1.5 / -dirs[..., 1][floor].astype(float)
    error = np.abs(ranges[floor] - expected).max()
    print(f"{seen.sum():,} points, off the mesh by at most {off:.1e}; {floor.sum():,} on the floor, "
          f"whose ranges are 1.5 / sin(angle) within {error:.1e}")
    assert seen.mean() > 0.9 and off < 1e-4
    assert floor.sum() > 10_000 and error < 1e-3

    width = 900
    bands = np.repeat(ramp(1 - np.log(np.clip(ranges, 0.5, 20) / 0.5) / np.log(40)), 2, axis=0)
    bands = bands.reshape(128, width, 4, 3).mean(axis=2)
    # The plan: the long side across; the highest point of each pixel, below the vault.
    scale = (width - 20) / (high[2] - low[2])
    tall = int((high[0] - low[0]) * scale) + 20
    plan = np.full((tall, width, 3), 0.05)
    shown = points[seen & (points[..., 1] < low[1] + 0.55 * (high[1] - low[1]))]
    shown = shown[np.argsort(shown[:, 1])]
    x = ((shown[:, 2] - low[2]) * scale + 10).astype(int)
    y = ((shown[:, 0] - low[0]) * scale + 10).astype(int)
    height = (shown[:, 1] - low[1]) / (0.55 * (high[1] - low[1]))
    for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
        inside = (x + i < width) & (y + j < tall)
        plan[y[inside] + j, x[inside] + i] = 0.15 + 0.85 * ramp(height[inside])
    at = [int((scanner[0] - low[0]) * scale + 10), int((scanner[2] - low[2]) * scale + 10)]
    plan[at[0] - 3:at[0] + 4, at[1] - 3:at[1] + 4] = [1.0, 0.25, 0.2]
    picture = np.concatenate([bands, np.full((8, width, 3), 0.05), plan])
    estoc.write_png(Path(folder) / "lidar.png", (picture * 255 + 0.5).astype(np.uint8))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
