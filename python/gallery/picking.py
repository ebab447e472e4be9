"""Picking: which object of a scene is under the pointer, and where was it hit?

The scene is one torus, one ball and one box, placed many times. The picture has an outline around what
was picked, and a mark at the point that was hit.
"""

import sys
from pathlib import Path

import numpy as np

import estoc

WIDTH, HEIGHT, FOV = 720, 450, 38
EYE, AT = np.array([0.0, 5.2, 11.5]), np.array([0.0, 0.3, 0.0])
COLOURS = {"ball": [0.93, 0.62, 0.2], "torus": [0.3, 0.62, 0.85], "box": [0.62, 0.78, 0.45],
           "floor": [0.55, 0.55, 0.58]}


def revolved(profile, steps=96):
    """The closed surface of a closed profile of (radius, height) turned around y."""
    turn = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    r, y = np.array(profile).T
    vertices = np.stack([r[:, None] * np.cos(turn), np.repeat(y[:, None], steps, 1), r[:, None] * np.sin(turn)], -1)
    i, j = np.meshgrid(np.arange(len(r)), np.arange(steps), indexing="ij")
    at = lambda i, j: (i % len(r)) * steps + j % steps
    p, q, s, t = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
    faces = np.concatenate([np.stack([p, q, s], -1).reshape(-1, 3), np.stack([p, s, t], -1).reshape(-1, 3)])
    return estoc.Bvh(estoc.Mesh(vertices.reshape(-1, 3), faces))


def shapes():
    turn = np.linspace(0, 2 * np.pi, 96, endpoint=False)
    half = np.linspace(-np.pi / 2, np.pi / 2, 65)
    return {
        "ball": revolved(np.stack([np.abs(np.cos(half)), np.sin(half)], 1), 128),
        "torus": revolved(np.stack([1 + 0.36 * np.cos(turn), 0.36 * np.sin(turn)], 1)),
        "box": revolved([[0, -0.7], [0.99, -0.7], [0.99, 0.7], [0, 0.7]], 4),
        "floor": revolved([[0, -0.2], [11, -0.2], [11, 0], [0, 0]], 128),
    }


def camera():
    ahead = (AT - EYE) / np.linalg.norm(AT - EYE)
    right = np.cross(ahead, [0, 1, 0])
    right /= np.linalg.norm(right)
    up = np.cross(right, ahead)
    slope = np.tan(np.radians(FOV) / 2) * 2 / HEIGHT
    x = (np.arange(2 * WIDTH) + 0.5 - WIDTH) / 2 * slope
    y = (HEIGHT - np.arange(2 * HEIGHT) - 0.5) / 2 * slope
    dirs = ahead + x[None, :, None] * right + y[:, None, None] * up
    return dirs / np.linalg.norm(dirs, axis=-1, keepdims=True)


def placed(x, y, z, turn=0.0, tilt=0.0):
    c, s, k, m = np.cos(turn), np.sin(turn), np.cos(tilt), np.sin(tilt)
    around = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ np.array([[1, 0, 0], [0, k, -m], [0, m, k]])
    return np.hstack([around, [[x], [y], [z]]])


def main(folder):
    trees, scene, kinds, centres = shapes(), estoc.Scene(), {}, {}
    random = np.random.default_rng(11)
    kinds[scene.add(trees["floor"], placed(0, -1, 0), name="floor")] = "floor"
    for row, z in enumerate((-5.2, -2.6, 0.0, 2.6)):
        for column, x in enumerate(np.arange(-5.2, 5.3, 2.6)):
            kind = ["ball", "torus", "box"][(row + 2 * column) % 3]
            turn, tilt = (0.0, 0.0) if kind == "ball" else random.uniform(0, 1.2, 2) * [1, kind == "torus"]
            low = {"ball": 0.0, "box": -0.3, "torus": 0.1}[kind]
            number = scene.add(trees[kind], placed(x, low, z, turn, tilt), name=f"{kind} {row}.{column}")
            kinds[number], centres[scene.name(number)] = kind, np.array([x, low, z])

    dirs = camera()
    hits = scene.closest_hit(EYE, dirs)
    ids = hits.placement
    point = EYE + dirs * np.where(hits.is_hit, hits.t, 0)[..., None].astype(float)

    # The pointer is on a ball: the ray through its centre meets it one radius before the centre.
    ahead = centres["ball 3.3"] - EYE
    distance = np.linalg.norm(ahead)
    click = scene.closest_hit(EYE, ahead / distance)
    picked = int(click.placement)
    print(f"picked {scene.name(picked)!r} at the distance {float(click.t):.4f}; by its centre and its radius "
          f"it is {distance - 1:.4f}")
    assert scene.name(picked) == "ball 3.3" and abs(float(click.t) - (distance - 1)) < 2e-3
    # Beside everything there is nothing.
    assert int(scene.closest_hit(EYE, [0.0, 1.0, 0.0]).placement) == -1

    # Light from above, its shadows, and what is picked in another colour.
    picture = np.broadcast_to(np.linspace(0.22, 0.1, 2 * HEIGHT)[:, None, None], dirs.shape).copy()
    seen = hits.is_hit
    across = np.cross(np.roll(point, -1, 0) - point, np.roll(point, -1, 1) - point)
    size = np.linalg.norm(across, axis=-1, keepdims=True)
    normal = np.divide(across, size, out=np.zeros_like(across), where=size > 0)
    normal *= -np.sign((normal * dirs).sum(-1, keepdims=True))
    sun = np.array([0.5, 0.75, 0.42])
    sun /= np.linalg.norm(sun)
    lit = ~scene.any_hit(point[seen] + 1e-3 * normal[seen], sun)
    light = 0.32 + 0.1 * normal[seen][:, 1] + 0.62 * lit * np.clip(normal[seen] @ sun, 0, 1)
    table = np.array([COLOURS[kinds[number]] for number in sorted(kinds)])
    colour = table[ids[seen]]
    colour[ids[seen] == picked] = [1.0, 0.3, 0.25]
    picture[seen] = np.clip(colour * light[:, None], 0, 1)
    is_picked = ids == picked
    grown = is_picked.copy()
    for i in range(-4, 5):
        for j in range(-4, 5):
            if i * i + j * j <= 18:
                grown |= np.roll(is_picked, (i, j), (0, 1))
    picture[grown & ~is_picked] = [1.0, 0.95, 0.8]
    hit = EYE + float(click.t) * ahead / distance
    near = np.linalg.norm(point - hit, axis=-1)
    picture[seen & (near < 0.16) & (near > 0.1)] = 1.0
    picture[seen & (near < 0.04)] = 1.0
    picture = picture.reshape(HEIGHT, 2, WIDTH, 2, 3).mean(axis=(1, 3))
    estoc.write_png(Path(folder) / "picking.png", (picture * 255 + 0.5).astype(np.uint8))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
