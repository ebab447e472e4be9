//! A search for triangles that a mapped ray loses: every triangle of a scene tested, and its trees.
//! `ESTOC_LONG=1` searches with a million rays.

use crate::common::{bits, placed_triangles, scene_of};
use estoc_core::exact::PreparedRay;
use estoc_core::glam::Vec3;
use estoc_core::{Collector, Engine, PlacedTriangle, RayQuery, ScenePrim, Triangle};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::{self, PLACEMENT_KINDS, Rng, placement_case};

/// An engine that offers every triangle.
struct EachTriangle(Vec<(ScenePrim, PlacedTriangle)>);

impl Engine for EachTriangle {
    type Primitive = PlacedTriangle;

    fn primitive_count(&self) -> usize {
        self.0.len()
    }

    fn primitive(&self, id: ScenePrim) -> Option<PlacedTriangle> {
        let place = self.0.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.0[place].1)
    }

    fn is_closed(&self) -> bool {
        false
    }

    fn visit(&self, _: &PreparedRay<'_>, collector: &mut Collector<'_, PlacedTriangle>) {
        for (id, placed) in &self.0 {
            if collector.offer(*id, placed).is_break() {
                return;
            }
        }
    }
}

const MESHES: &[&str] = &[
    "sphere",
    "torus",
    "soup of small triangles",
    "slivers",
    "far sphere",
    "mixed coordinates",
    "mixed triangles",
    "outlier",
    "soup at the maximum",
    "subnormal soup",
    "soup at 1e30",
    "any bits",
    "height field",
];

#[test]
fn a_search_finds_no_lost_triangle() {
    let (seeds, rays) = if Effort::is_long() {
        (150, 500)
    } else {
        (1, 24)
    };
    let (mut asked, mut hits) = (0, 0);
    for seed in 0..seeds {
        for (index, kind) in PLACEMENT_KINDS.iter().enumerate() {
            let mut case = placement_case(kind, seed).expect("a kind");
            for (place, mesh) in case.meshes.iter_mut().enumerate() {
                let name = MESHES[(index + 5 * place + seed as usize) % MESHES.len()];
                *mesh = generate::scene(name, seed).expect("a name").triangles;
                mesh.retain(Triangle::is_finite);
                mesh.truncate(200);
            }
            case.masks.fill(None);
            for placement in case.scenes.iter_mut().flatten() {
                placement.mask = u32::MAX;
            }
            let scene = scene_of(&case);
            let all = EachTriangle(placed_triangles(&scene));
            let in_world = all.0.iter().map(|(_, placed)| {
                let affine = placed.matrix.to_affine();
                let [a, b, c] = placed.triangle.corners().map(|p| {
                    let p = affine.transform_point3(p.as_dvec3()).to_array();
                    Vec3::from(p.map(|x| x as f32))
                });
                Triangle::new(a, b, c)
            });
            let mesh = generate::Scene {
                name: kind,
                seed,
                triangles: in_world.filter(Triangle::is_finite).collect(),
            };
            let mut rng = Rng::named(seed, kind);
            for ray in generate::rays(&mesh, &mut rng, rays) {
                let list = |found: Vec<_>| found.iter().map(bits).collect::<Vec<_>>();
                let expected = list(all.all_hits(&ray));
                assert_eq!(
                    list(scene.all_hits(&ray)),
                    expected,
                    "{kind} {seed} {ray:?}"
                );
                let first = scene.closest_hit(&ray);
                assert_eq!(first.as_ref().map(bits).as_ref(), expected.first());
                asked += 1;
                hits += usize::from(!expected.is_empty());
            }
        }
    }
    println!("{asked} rays, {hits} of which hit");
    assert!(hits * 5 > asked, "{hits} of {asked}");
}
