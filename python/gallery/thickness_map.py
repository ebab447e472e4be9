"""Thickness map: how thick is the wall of a pot behind each point of its surface?

A ray goes straight in from each visible point; its length up to the other side is the thickness. The
pot is made here, so that its thinnest and thickest places are known.
"""

import sys
from pathlib import Path

import numpy as np

import estoc
import estoc.analysis

INNER, OUTER, WAVE, RIDGES, HEIGHT, FLOOR = 0.75, 1.0, 0.14, 6, 1.5, 0.2


def pot(steps=2400):
    """A closed mesh: a wavy wall outside, a round one inside, a rim and a floor."""
    turn = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    wavy = OUTER + WAVE * np.cos(RIDGES * turn)
    round_ = np.full(steps, INNER)
    rings = [(0 * turn, 0), (wavy, 0), (wavy, HEIGHT), (round_, HEIGHT), (round_, FLOOR), (0 * turn, FLOOR)]
    vertices = np.concatenate(
        [np.stack([r * np.cos(turn), np.full(steps, y), -r * np.sin(turn)], axis=1) for r, y in rings]
    )
    a = np.arange(steps)
    b = (a + 1) % steps
    faces = []
    for ring in range(len(rings) - 1):
        low, high = ring * steps, (ring + 1) * steps
        faces.append(np.stack([low + a, low + b, high + b], axis=1))
        faces.append(np.stack([low + a, high + b, high + a], axis=1))
    return estoc.Mesh(vertices, np.concatenate(faces))


def camera(eye, at, width, height, fov):
    """Rays through the pixels of a picture."""
    ahead = np.subtract(at, eye) / np.linalg.norm(np.subtract(at, eye))
    right = np.cross(ahead, [0, 1, 0])
    right /= np.linalg.norm(right)
    slope = np.tan(np.radians(fov) / 2) * 2 / height
    x = (np.arange(width) + 0.5 - width / 2) * slope
    y = (height / 2 - np.arange(height) - 0.5) * slope
    dirs = ahead + x[None, :, None] * right + y[:, None, None] * np.cross(right, ahead)
    dirs /= np.linalg.norm(dirs, axis=-1, keepdims=True)
    return np.concatenate([np.broadcast_to(np.array(eye, float), dirs.shape), dirs], axis=-1)


def main(folder):
    mesh = pot()
    bvh = estoc.Bvh(mesh)
    assert bvh.is_closed

    rays = camera((1.5, 3.0, 3.2), (0, 0.72, 0), 1280, 960, 38)
    hits = bvh.closest_hit(rays)
    seen = hits.is_hit
    points = mesh.points_at(hits.prim, hits.u, hits.v)[seen]
    normals = mesh.normals_at(hits.prim)[seen]
    thickness = estoc.analysis.thickness(bvh, points, -normals)

    # At a ridge and in a groove the normal goes through the axis, so the thickness is that of the radii.
    radii = np.hypot(points[:, 0], points[:, 2])
    wall = (points[:, 1] > FLOOR + 0.01) & (radii > INNER + 0.05)
    wall &= (points[:, 0] * normals[:, 0] + points[:, 2] * normals[:, 2]) / radii > 0.9999
    thinnest, thickest = thickness[wall].min(), thickness[wall].max()
    known = OUTER - WAVE - INNER, OUTER + WAVE - INNER
    print(f"the wall is {thinnest:.3f} thick in grooves and {thickest:.3f} at ridges; by its radii it is "
          f"{known[0]:.3f} and {known[1]:.3f}")
    assert abs(thinnest - known[0]) < 0.003 and abs(thickest - known[1]) < 0.003

    stops = np.array([[255, 235, 120], [245, 150, 60], [205, 60, 80], [125, 45, 140], [70, 60, 165]]) / 255
    share = np.clip((thickness - thinnest) / 0.5, 0, 1) * (len(stops) - 1)
    colour = np.stack([np.interp(share, range(len(stops)), stops[:, i]) for i in range(3)], axis=-1)
    light = 0.5 + 0.55 * np.clip(normals @ [0.35, 0.85, 0.4], 0, 1)
    picture = np.broadcast_to(np.linspace(0.07, 0.13, 960)[:, None, None], (960, 1280, 3)).copy()
    picture[seen] = np.clip(colour * light[:, None], 0, 1)
    picture = picture.reshape(480, 2, 640, 2, 3).mean(axis=(1, 3))
    estoc.write_png(Path(folder) / "thickness_map.png", (picture * 255 + 0.5).astype(np.uint8))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
