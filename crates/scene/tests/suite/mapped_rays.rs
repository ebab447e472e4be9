//! A search for triangles that a mapped ray loses: every triangle of a scene tested, and its trees.
//! `ESTOC_LONG=1` searches with a million rays.

use crate::common::{bits, hard_scene, placed_triangles};
use estoc_core::exact::PreparedRay;
use estoc_core::{Collector, Engine, PlacedTriangle, RayQuery, ScenePrim};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::{self, PLACEMENT_KINDS, Rng};

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
            let (scene, mesh) = hard_scene(index, seed);
            let all = EachTriangle(placed_triangles(&scene));
            let mut rng = Rng::named(seed, kind);
            for ray in generate::rays(&mesh, &mut rng, rays) {
                let list = |found: Vec<_>| found.iter().map(bits).collect::<Vec<_>>();
                let expected = list(all.all_hits(&ray));
                let found = list(scene.all_hits(&ray));
                assert_eq!(found, expected, "{kind} {seed} {ray:?}");
                assert_eq!(
                    scene.count_hits(&ray),
                    expected.len(),
                    "{kind} {seed} {ray:?}"
                );
                assert_eq!(
                    scene.any_hit(&ray),
                    !expected.is_empty(),
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
