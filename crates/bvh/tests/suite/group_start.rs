//! Where the groups of a tile begin.

use estoc_bvh::internals::traverse::tile::group_start::group_start;
use estoc_core::Ray;

/// Returns the rays of a picture in squares of 4 by 4 pixels.
fn squares(count: usize) -> Vec<Ray> {
    let pixel = |i: usize| {
        let (square, inside) = (i / 16, i % 16);
        let [x, y] = [square % 9 * 4 + inside % 4, square / 9 * 4 + inside / 4];
        Ray::new([1.0, 2.0, 3.0], [0.01 * x as f32, 0.01 * y as f32, -1.0])
    };
    (0..count).map(pixel).collect()
}

#[test]
fn groups_begin_with_squares() {
    let rays = squares(900);
    for first in (0..128).step_by(4) {
        let expected = (16 - first % 16) % 16;
        for count in [64, 100, 255, 772] {
            let rays = &rays[first..first + count];
            assert_eq!(group_start(rays), expected, "{count} rays from {first}");
        }
    }
}

#[test]
fn groups_begin_at_the_first_ray_of_others() {
    let rays = squares(900);
    for count in [0, 1, 15, 16, 40, 47] {
        assert_eq!(group_start(&rays[4..4 + count]), 0, "{count}");
    }
    let row = |i: usize| Ray::new([0.0; 3], [0.01 * i as f32, 0.3, -1.0]);
    assert_eq!(group_start(&(0..500).map(row).collect::<Vec<_>>()), 0);
    let same = [Ray::new([0.0; 3], [1.0, 0.0, 0.0]); 300];
    assert_eq!(group_start(&same), 0);
    let undefined = [Ray::new([0.0; 3], [f32::NAN, f32::INFINITY, -0.0]); 300];
    assert_eq!(group_start(&undefined) % 4, 0);
}
