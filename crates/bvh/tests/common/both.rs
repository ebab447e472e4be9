//! Brute force and trees, whose answers must agree.

use super::Shape;
use estoc_bvh::{Bvh, Quality};
use estoc_core::glam::Vec3;
use estoc_core::{
    BruteForce, Closest, Hit, MeshEngine, PointEngine, PrimId, QueryOptions, Ray, RayQuery,
    RegionEngine, Triangle,
};
use estoc_mesh::Mesh;

pub(crate) const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];

/// One mesh under brute force and under a tree of each quality. Every question goes to all of them,
/// and all answers must have the same bits.
pub(crate) struct Both {
    pub(crate) brute: BruteForce,
    pub(crate) trees: Vec<(Quality, Bvh)>,
}

/// The answers to all questions about one ray.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answers {
    pub(crate) hits: Vec<Hit>,
    pub(crate) crossings: Vec<Hit>,
}

impl Answers {
    pub(crate) fn closest(&self) -> Option<Hit> {
        self.hits.first().copied()
    }

    /// Returns the parameters of the crossings.
    pub(crate) fn crossed_at(&self) -> Vec<f32> {
        self.crossings.iter().map(|hit| hit.t).collect()
    }
}

/// Asks all questions, and checks that the answers are consistent.
fn ask<Q: MeshEngine>(engine: &Q, ray: &Ray, who: &str) -> Answers {
    let hits = engine.all_hits(ray);
    let crossings = engine.crossings(ray);
    let context = format!("{who}, {ray:?}");
    assert_eq!(engine.closest_hit(ray), hits.first().copied(), "{context}");
    assert_eq!(engine.any_hit(ray), !hits.is_empty(), "{context}");
    assert_eq!(engine.count_hits(ray), hits.len(), "{context}");
    assert_eq!(engine.count_crossings(ray), crossings.len(), "{context}");
    let two = &hits[..hits.len().min(2)];
    assert_eq!(engine.first_hits(ray, 2), two, "{context}");
    let mut rest = hits.iter();
    let in_order = crossings.iter().all(|hit| rest.any(|other| other == hit));
    assert!(in_order, "crossings are hits, in their order: {context}");
    assert!(hits.is_sorted_by(|a, b| a.t <= b.t), "{context}");
    let proper = |hit: &Hit| !hit.t.is_nan() && hit.u >= 0.0 && hit.v >= 0.0;
    assert!(hits.iter().all(proper), "{context}");
    Answers { hits, crossings }
}

impl Both {
    pub(crate) fn new(shape: &Shape) -> Self {
        Both::of(&shape.mesh())
    }

    pub(crate) fn of(mesh: &Mesh) -> Self {
        let trees = QUALITIES.map(|quality| {
            let tree = Bvh::builder().quality(quality).build(mesh);
            let tree = tree.expect("nothing cancels this build");
            tree.validate().expect("a tree that was built is valid");
            (quality, tree)
        });
        Both {
            brute: BruteForce::new(mesh.triangles().collect::<Vec<_>>()),
            trees: trees.into(),
        }
    }

    /// Returns the answer that all engines give.
    fn agree<A: PartialEq + std::fmt::Debug>(
        &self,
        what: &dyn std::fmt::Debug,
        by_brute_force: A,
        by_tree: impl Fn(&Bvh, &str) -> A,
    ) -> A {
        for (quality, tree) in &self.trees {
            let who = format!("{quality:?} tree");
            assert_eq!(
                by_tree(tree, &who),
                by_brute_force,
                "{who} against brute force, {what:?}"
            );
        }
        by_brute_force
    }

    pub(crate) fn ask(&self, ray: &Ray) -> Answers {
        let expected = ask(&self.brute, ray, "brute force");
        self.agree(ray, expected, |tree, who| ask(tree, ray, who))
    }

    /// Returns only the closest hit, for meshes too large for all questions.
    pub(crate) fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.agree(ray, self.brute.closest_hit(ray), |tree, _| {
            tree.closest_hit(ray)
        })
    }

    pub(crate) fn closest_with(&self, ray: &Ray, options: &QueryOptions) -> Option<Hit> {
        let expected = self.brute.ask_with(Closest, ray, options);
        let found = self.agree(&(ray, options), expected, |tree, _| {
            tree.ask_with(Closest, ray, options)
        });
        found.expect("the options name no primitive to come after")
    }

    pub(crate) fn contains(&self, point: impl Into<Vec3>) -> Option<bool> {
        let point = point.into();
        self.agree(&point, self.brute.contains(point), |tree, _| {
            tree.contains(point)
        })
    }

    /// Returns the answer about points that all engines give.
    pub(crate) fn near<A: PartialEq + std::fmt::Debug>(
        &self,
        ask: impl Fn(&dyn PointEngine) -> A,
    ) -> A {
        self.agree(&"points", ask(&self.brute), |tree, _| ask(tree))
    }

    /// Returns the answer about regions that all engines give.
    pub(crate) fn regions<A: PartialEq + std::fmt::Debug>(
        &self,
        ask: impl Fn(&dyn RegionEngine<Primitive = Triangle>) -> A,
    ) -> A {
        self.agree(&"regions", ask(&self.brute), |tree, _| ask(tree))
    }

    pub(crate) fn triangle_count(&self) -> usize {
        self.brute.triangle_count()
    }
}

/// Returns a hit's triangle as a number.
pub(crate) trait Name {
    fn number(&self) -> u32;
}

impl Name for Hit {
    fn number(&self) -> u32 {
        let prim: PrimId = self.prim;
        prim.get()
    }
}
