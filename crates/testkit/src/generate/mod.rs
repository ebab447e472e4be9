//! Meshes, rays and boxes that are most likely to reveal a fault.
//!
//! Everything is a function of a name and a seed, from which a failure can be reproduced.

mod box_cases;
mod case_shape;
mod cases;
mod closed;
mod degenerate;
mod doubles;
mod near_points;
mod placed_shapes;
mod placements;
mod planes;
mod points;
mod ray_intervals;
mod rays;
mod rays64;
mod region_case;
mod regions;
mod rng;
mod shape;
mod soups;
mod sweeps;
mod target;
mod tubes;

pub use box_cases::{box_kinds, boxes, rays_at_box};
pub use case_shape::CaseShape;
pub use cases::{Case, cases, ray_from_bits};
pub use doubles::{
    DOUBLE_KINDS, double_plane, double_point, double_ray, double_region, double_sweep, double_tile,
    doubles,
};
pub use near_points::{near_points, point_64};
pub use placed_shapes::{SHAPE_KINDS, outline, ray_at_shape, shape_case};
pub use placements::{CaseObject, CasePlacement, PLACEMENT_KINDS, PlacementCase, placement_case};
pub use planes::planes;
pub use points::points;
pub use ray_intervals::cut_at;
pub use rays::rays;
pub use rays64::ray_64;
pub use region_case::{PlaneCase, RegionCase};
pub use regions::regions;
pub use rng::Rng;
pub use sweeps::sweeps;
pub use tubes::tubes;

use estoc_core::Triangle;

/// A generated mesh.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The name of the generator.
    pub name: &'static str,
    /// The seed.
    pub seed: u64,
    /// The triangles, at most 1,000.
    pub triangles: Vec<Triangle>,
}

type Generator = fn(&mut Rng) -> Vec<Triangle>;

const GENERATORS: &[(&str, Generator)] = &[
    ("empty", degenerate::empty),
    ("one triangle", soups::one),
    ("soup of large triangles", soups::large),
    ("soup of small triangles", soups::small),
    ("far soup", soups::far),
    ("coarse soup", soups::coarse),
    ("soup at 1e-30", soups::tiny_scale),
    ("soup at 1e30", soups::great_scale),
    ("soup at the maximum", soups::max_scale),
    ("subnormal soup", soups::subnormal),
    ("mixed coordinates", soups::mixed_coordinates),
    ("mixed triangles", soups::mixed_triangles),
    ("around powers of two", soups::around_powers_of_two),
    ("any bits", soups::any_bits),
    ("outlier", soups::outlier),
    ("grid soup", soups::on_a_grid),
    ("cube soup", soups::on_a_cube),
    ("far grid soup", soups::on_a_far_grid),
    ("slivers", degenerate::slivers),
    ("without area", degenerate::without_area),
    ("duplicates", degenerate::duplicates),
    ("doubled soup", degenerate::doubled_soup),
    ("one plane", degenerate::one_plane),
    ("layers", degenerate::layers),
    ("T junctions", degenerate::t_junctions),
    ("fan", degenerate::fan),
    ("ridge", degenerate::ridge),
    ("height field", degenerate::height_field),
    ("not finite", degenerate::not_finite),
    ("tetrahedron", closed::tetrahedron),
    ("grid tetrahedra", closed::grid_tetrahedra),
    ("box", closed::unit_box),
    ("boxes", closed::boxes),
    ("sphere", closed::sphere),
    ("unoriented sphere", closed::unoriented_sphere),
    ("far sphere", closed::far_sphere),
    ("integer sphere", closed::integer_sphere),
    ("tiny sphere", closed::tiny_sphere),
    ("great sphere", closed::great_sphere),
    ("flat sphere", closed::flat_sphere),
    ("nested spheres", closed::nested_spheres),
    ("doubled sphere", closed::doubled_sphere),
    ("open sphere", closed::open_sphere),
    ("torus", closed::torus),
    ("voxels", closed::voxels),
    ("far voxels", closed::far_voxels),
    ("zipped box", closed::zipped_box),
];

/// Returns the names of all scenes.
pub fn scene_names() -> impl Iterator<Item = &'static str> {
    GENERATORS.iter().map(|&(name, _)| name)
}

/// Returns the scene of this name and seed, or `None` if there is no such name.
pub fn scene(name: &str, seed: u64) -> Option<Scene> {
    let &(name, generator) = GENERATORS.iter().find(|(other, _)| *other == name)?;
    Some(Scene {
        name,
        seed,
        triangles: generator(&mut Rng::named(seed, name)),
    })
}

/// Returns every scene once, from this seed.
pub fn scenes(seed: u64) -> impl Iterator<Item = Scene> {
    scene_names().filter_map(move |name| scene(name, seed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;

    const CLOSED: &[&str] = &[
        "tetrahedron",
        "grid tetrahedra",
        "box",
        "boxes",
        "sphere",
        "unoriented sphere",
        "far sphere",
        "integer sphere",
        "tiny sphere",
        "great sphere",
        "flat sphere",
        "nested spheres",
        "doubled sphere",
        "torus",
        "voxels",
        "far voxels",
        "zipped box",
    ];

    #[test]
    fn scenes_repeat_and_stay_small() {
        for seed in 0..20 {
            for (first, second) in scenes(seed).zip(scenes(seed)) {
                let bits = |scene: &Scene| -> Vec<[u32; 3]> {
                    let corners = scene.triangles.iter().flat_map(Triangle::corners);
                    corners.map(|p| p.to_array().map(f32::to_bits)).collect()
                };
                assert_eq!(bits(&first), bits(&second), "{} {seed}", first.name);
                assert!(first.triangles.len() <= 1000, "{}", first.name);
                assert_eq!(first.triangles.is_empty(), first.name == "empty");
            }
        }
        assert!(scene("no such scene", 1).is_none());
    }

    #[test]
    fn closed_scenes_are_closed_and_open_ones_open() {
        for seed in 0..20 {
            for name in CLOSED {
                let oracle = Oracle::new(scene(name, seed).unwrap().triangles);
                assert!(oracle.is_closed(), "{name} {seed}");
            }
            for name in ["open sphere", "one triangle", "fan"] {
                let oracle = Oracle::new(scene(name, seed).unwrap().triangles);
                assert!(!oracle.is_closed(), "{name} {seed}");
            }
        }
    }

    #[test]
    fn finite_scenes_are_finite() {
        for seed in 0..20 {
            for scene in scenes(seed).filter(|scene| scene.name != "not finite") {
                assert!(
                    scene.triangles.iter().all(Triangle::is_finite),
                    "{} {seed}",
                    scene.name
                );
            }
        }
    }
}
