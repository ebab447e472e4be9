//! Two tiles that share a border: rays at it pass only beyond its ends.

use crate::common::{placed, square, world_of};
use estoc_core::glam::{DAffine3, DMat3, DQuat, DVec3, EulerRot, Vec3};
use estoc_core::{Ray, RayQuery};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;

#[test]
fn no_ray_slips_between_two_tiles() {
    let rays = if Effort::is_long() { 1_000_000 } else { 2_000 };
    let turn = DQuat::from_euler(EulerRot::XYZ, 0.3, -0.7, 1.1);
    let linear = DMat3::from_quat(turn);
    let corner = DVec3::new(0.1, -0.3, 2.7);
    // Borders in the plane y = 0 of a tile, and two of a turned one that share no rounding: the second
    // tile's translation is not the image of the first one's corner, but a mirror of the first tile in
    // its own border is exact: the border's corners have the same products.
    let turned = DAffine3::from_mat3_translation(linear, corner);
    let mirrored = DMat3::from_cols(-linear.x_axis, linear.y_axis, linear.z_axis);
    let mirrored = DAffine3::from_mat3_translation(mirrored, corner);
    let scene = world_of([turned, mirrored].map(|map| placed(square(), &map)));
    let (from, to) = (corner, corner + linear.y_axis);
    let mut rng = Rng::new(7);
    // Next to the border, some rays hit one tile and some the other.
    let (mut asked, mut on_tile) = (0, [0; 2]);
    for _ in 0..rays {
        // Aimed at the border, which it meets to within the rounding of the direction.
        let along = 0.05 + 0.9 * (f64::from(rng.signed()) * 0.5 + 0.5);
        let aim = (from + (to - from) * along).as_vec3();
        let origin: Vec3 = aim + rng.point() * 3.0;
        let ray = Ray::new(origin, aim - origin);
        let side = (ray.origin.as_dvec3() - corner).dot(linear.z_axis).abs();
        if side < 0.05 {
            continue; // nearly in the plane of the tiles
        }
        asked += 1;
        let hits = scene.all_hits(&ray);
        assert!(!hits.is_empty(), "{ray:?} slips through");
        assert_eq!(scene.count_crossings(&ray), 1, "{ray:?}");
        on_tile[hits[0].path.numbers()[0] as usize] += 1;
    }
    println!("{asked} rays, {on_tile:?} of which hit each tile first");
    assert!(asked * 2 > rays && on_tile.iter().all(|&hits| hits * 8 > asked));

    // Exactly at the border, on both sides of the range of ends.
    let at = |x: f64| DAffine3::from_translation(DVec3::new(x + 1e6, 0.0, 0.0));
    let scene = world_of([0.0, 1.0].map(|x| placed(square(), &at(x))));
    for step in -8..=24 {
        let y = step as f32 / 16.0;
        let ray = Ray::new([1_000_001.0, y, 3.0], [0.0, 0.0, -1.0]);
        let is_on = (0.0..=1.0).contains(&y);
        assert_eq!(scene.any_hit(&ray), is_on, "{y}");
        // The offset moves the ray up in y: it crosses at the lower end, not at the upper one.
        assert_eq!(scene.count_crossings(&ray) == 1, is_on && y < 1.0, "{y}");
    }
}
