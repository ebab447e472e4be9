"""Sky view factor: the share of the sky that each place of a town sees, weighted by the cosine.

Places at street level cast rays upwards. Between two long walls the factor has a formula, which checks
the method.
"""

import sys
from pathlib import Path

import numpy as np

import estoc
from estoc.analysis import sky_view_factor


def boxes(corners):
    """A mesh of boxes, each given by its least and its greatest corner; y is up."""
    sides = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
             [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    corners = np.asarray(corners, float)
    bits = np.array([[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)])
    vertices = np.where(bits[None], corners[:, None, 1], corners[:, None, 0])
    faces = np.array(sides)[None] + 8 * np.arange(len(corners))[:, None, None]
    return estoc.Mesh(vertices.reshape(-1, 3), faces.reshape(-1, 3))


def main(folder):
    # A street 20 wide between walls 15 high: in its middle 1 / sqrt(1 + (2 * 15 / 20)^2).
    street = estoc.Bvh(boxes([[[-11, 0, -9000], [-10, 15, 9000]], [[10, 0, -9000], [11, 15, 9000]]]))
    found, known = float(sky_view_factor(street, [0, 0, 0], "y", samples=20_000)), 1 / np.sqrt(1 + 1.5**2)
    print(f"a long street sees {found:.4f} of the sky; the formula says {known:.4f}")
    assert abs(found - known) < 0.002

    random = np.random.default_rng(4)
    blocks = []
    for column in range(11):
        for row in range(7):
            if (column, row) in ((4, 3), (5, 3), (8, 5)):
                continue  # squares
            # A block of houses around a yard.
            x, z = 60 * column, 60 * row
            for a, b, c, d in ((0, 0, 46, 14), (0, 32, 46, 46), (0, 14, 14, 32), (32, 14, 46, 32)):
                rise = random.uniform(9, 20) * (2.6 if random.random() < 0.08 else 1)
                if random.random() < 0.93:
                    blocks.append([[x + a, 0, z + b], [x + c, rise, z + d]])
    town = estoc.Bvh(boxes(blocks))
    # Places on the ground, or on the roof that is there.
    width, height, step = 900, 560, 0.745
    x, z = np.meshgrid((np.arange(width) + 0.5) * step - 12, (np.arange(height) + 0.5) * step - 2)
    above = np.stack([x, np.full_like(x, 200), z], axis=-1)
    hits = town.closest_hit(above, [0, -1, 0])
    roofs = town.mesh.points_at(hits.prim, hits.u, hits.v)[..., 1]
    places = np.stack([x, np.where(hits.is_hit, roofs, 0), z], axis=-1)[1::2, 1::2]
    factor = sky_view_factor(town, places, "y", samples=64, skip=hits.prim[1::2, 1::2])
    on_street = ~hits.is_hit[1::2, 1::2]
    print(f"the streets of a town see {factor[on_street].mean():.2f} of the sky, the roofs "
          f"{factor[~on_street].mean():.2f}")
    assert factor[~on_street].mean() > factor[on_street].mean()

    stops = np.array([[30, 10, 60], [120, 30, 110], [215, 80, 80], [250, 170, 90], [255, 245, 200]]) / 255
    place = factor * (len(stops) - 1)
    colour = np.stack([np.interp(place, range(len(stops)), stops[:, i]) for i in range(3)], axis=-1)
    colour = np.where(on_street[..., None], colour, 0.55 * factor[..., None] * np.array([0.62, 0.68, 0.78]))
    picture = colour.repeat(2, axis=0).repeat(2, axis=1)
    estoc.write_png(Path(folder) / "sky_view.png", (picture * 255 + 0.5).astype(np.uint8))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
