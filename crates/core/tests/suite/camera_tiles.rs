//! Whole pictures in tiles.

use estoc_core::{Camera, FieldOfView, Ray, Tile, Viewport};

const SIDES: [u32; 7] = [0, 1, 3, 8, 16, 100, u32::MAX];
const SIZES: [(u32, u32); 9] = [
    (0, 0),
    (0, 5),
    (7, 0),
    (1, 1),
    (16, 16),
    (17, 5),
    (31, 1),
    (1, 100),
    (33, 65),
];

#[test]
fn each_pixel_is_in_just_one_tile() {
    for (width, height) in SIZES {
        for side in SIDES {
            let case = format!("{width} x {height} in {side}");
            let tiles = Tile::all(width, height, side);
            assert_eq!(tiles.len(), tiles.clone().count(), "{case}");
            let mut seen = vec![0; (width * height) as usize];
            for tile in tiles {
                assert!(tile.width > 0 && tile.height > 0, "{case}: {tile:?}");
                assert!(
                    tile.width.max(tile.height) <= side.max(1),
                    "{case}: {tile:?}"
                );
                let pixels = tile.pixels();
                assert_eq!(pixels.len(), (tile.width * tile.height) as usize, "{case}");
                for (x, y) in pixels {
                    seen[(y * width + x) as usize] += 1;
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{case}: {seen:?}");
        }
    }
}

#[test]
fn tiles_and_pixels_go_in_rows_from_the_top() {
    let corners: Vec<_> = Tile::all(20, 40, 16).map(|tile| (tile.x, tile.y)).collect();
    assert_eq!(
        corners,
        [(0, 0), (16, 0), (0, 16), (16, 16), (0, 32), (16, 32)]
    );
    let tile = Tile {
        x: 5,
        y: 7,
        width: 2,
        height: 3,
    };
    let pixels: Vec<_> = tile.pixels().collect();
    assert_eq!(pixels, [(5, 7), (6, 7), (5, 8), (6, 8), (5, 9), (6, 9)]);
}

#[test]
fn the_largest_numbers_overflow_nothing() {
    let max = u32::MAX;
    assert_eq!(Tile::all(max, max, max).len(), 1);
    assert_eq!(Tile::all(max, max, max - 1).len(), 4);
    let side = 1 << 28;
    let last = Tile::all(max, max, side).last().unwrap();
    assert_eq!((last.x, last.y), (max - side + 1, max - side + 1));
    assert_eq!((last.width, last.height), (side - 1, side - 1));
    let beyond = Tile {
        x: max - 1,
        y: max,
        width: 9,
        height: max,
    };
    let pixels: Vec<_> = beyond.pixels().collect();
    assert_eq!(pixels, [(max - 1, max), (max, max)]);
    let none = Tile {
        x: max,
        y: max,
        width: 0,
        height: 7,
    };
    assert_eq!(none.pixels().len(), 0);
}

/// The same bits as pixel by pixel, in a window where the picture is not in the corner.
#[test]
fn rays_of_tiles_are_those_of_pixel_centres() {
    let (eye, at) = ([1.0, 2.0, 3.0], [-4.0, 0.5, 0.25]);
    let viewport = Viewport::new(33.0, 20.0).at(100.0, 41.0);
    let fov = FieldOfView::HorizontalRadians(1.2);
    let camera = Camera::look_at(viewport, eye, at, [0.1, 1.0, 0.0], fov).unwrap();
    for camera in [camera, camera.from_depth(0.25).unwrap()] {
        let mut rays = 0;
        for tile in Tile::all(33, 20, 8) {
            let tile_rays = camera.tile_rays(tile);
            assert_eq!(tile_rays.len(), tile.pixels().len());
            for ((x, y), ray) in tile.pixels().zip(tile_rays) {
                let centre = [100.5 + x as f32, 41.5 + y as f32];
                assert_eq!(ray, camera.ray(centre), "pixel {x} {y}");
                assert!((ray.dir.length() - 1.0).abs() < 2e-7);
                rays += 1;
            }
        }
        assert_eq!(rays, 33 * 20);
    }
    // The middle of the middle pixel, 16.5 of 33, is straight ahead.
    let row = Tile {
        x: 16,
        y: 9,
        width: 1,
        height: 2,
    };
    let rays: Vec<Ray> = camera.tile_rays(row).collect();
    let middle = (rays[0].dir + rays[1].dir).normalize();
    let ahead = (estoc_core::glam::Vec3::from(at) - rays[0].origin).normalize();
    assert!(middle.distance(ahead) < 2e-7, "{middle} is not {ahead}");
}
