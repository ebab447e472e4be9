"""Distance between scans: what changed on a building site between two surveys?

Each point of the second scan looks for the closest point of the first. The hole that was dug and the heap
are known here, so the volumes are too.
"""

import sys
from pathlib import Path

import numpy as np

import estoc

SIZE = 100.0
HOLE = dict(centre=(36.0, 55.0), sigma=7.0, rise=-4.0)
HEAP = dict(centre=(68.0, 38.0), sigma=5.0, rise=5.0)


def ground(x, z):
    return 3 * np.sin(x / 13) * np.cos(z / 17) + 1.2 * np.sin(x / 5 + z / 7) + 0.05 * z


def change(x, z, what):
    square = (x - what["centre"][0]) ** 2 + (z - what["centre"][1]) ** 2
    return what["rise"] * np.exp(-square / (2 * what["sigma"] ** 2))


def scan(steps, jitter, changed):
    """A surface over places that are not the same in two scans."""
    random = np.random.default_rng(steps)
    x, z = np.meshgrid(np.linspace(0, SIZE, steps), np.linspace(0, SIZE, steps), indexing="ij")
    move = random.uniform(-jitter, jitter, (2, steps, steps)) * SIZE / steps
    move[0, [0, -1]] = move[1, :, [0, -1]] = 0
    x, z = x + move[0], z + move[1]
    y = ground(x, z)
    if changed:
        y = y + change(x, z, HOLE) + change(x, z, HEAP)
    i, j = np.meshgrid(np.arange(steps - 1), np.arange(steps - 1), indexing="ij")
    p = i * steps + j
    faces = np.concatenate([
        np.stack([p, p + 1, p + steps + 1], -1).reshape(-1, 3),
        np.stack([p, p + steps + 1, p + steps], -1).reshape(-1, 3),
    ])
    return estoc.Mesh(np.stack([x, y, z], -1).reshape(-1, 3), faces)


def main(folder):
    before, after = estoc.Bvh(scan(260, 0.3, False)), estoc.Bvh(scan(300, 0.3, True))
    # The site from above, and what the second scan is at each place.
    width = 480
    share = (np.arange(width) + 0.5) / width * SIZE
    x, z = np.meshgrid(share, share)
    above = np.stack([x, np.full_like(x, 50), z], axis=-1)
    drops = [bvh.closest_hit(above, [0, -1, 0]) for bvh in (before, after)]
    points = above - [0, 1, 0] * drops[1].t[..., None].astype(float)
    distance = before.distance(points)
    rise = drops[0].t.astype(float) - drops[1].t  # how much higher the second scan is

    cell = (SIZE / width) ** 2
    for name, what in (("hole", HOLE), ("heap", HEAP)):
        near = (x - what["centre"][0]) ** 2 + (z - what["centre"][1]) ** 2 < (3.5 * what["sigma"]) ** 2
        near &= np.sign(rise) == np.sign(what["rise"])
        found = abs(rise[near].sum()) * cell
        known = 2 * np.pi * what["sigma"] ** 2 * abs(what["rise"])
        print(f"the {name} has {found:,.0f} cubic metres; its formula says {known:,.0f}")
        assert abs(found - known) < 0.02 * known
    # The closest point is never farther than the point straight above or below.
    assert (distance <= np.abs(rise) * (1 + 1e-5) + 1e-5).all()
    still = np.abs(change(x, z, HOLE)) + np.abs(change(x, z, HEAP)) < 1e-3
    assert still.mean() > 0.3 and distance[still].max() < 0.1

    mesh = after.mesh
    normal = mesh.normals_at(drops[1].prim)
    normal *= np.sign(normal[..., 1:2])
    light = 0.35 + 0.65 * np.clip(normal @ [-0.45, 0.72, -0.53], 0, 1)
    signed = np.clip(np.sign(rise) * distance / 4.5, -1, 1)
    grey, red, blue = np.array([0.86, 0.85, 0.82]), np.array([0.85, 0.12, 0.05]), np.array([0.05, 0.25, 0.8])
    strength = np.abs(signed)[..., None] ** 0.6
    colour = grey * (1 - strength) + np.where(signed[..., None] > 0, red, blue) * strength
    # Lines of equal distance, a metre apart.
    line = np.abs((distance + 0.5) % 1 - 0.5) < 0.035 * (1 + distance)
    colour[line & (distance > 0.5)] *= 0.6
    picture = np.clip(colour * light[..., None] * 1.12, 0, 1)
    estoc.write_png(Path(folder) / "scan_distance.png", (picture * 255 + 0.5).astype(np.uint8))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
