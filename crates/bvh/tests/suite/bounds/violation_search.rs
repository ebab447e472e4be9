//! The common part of the searches: hostile cases until enough rays are tested, counters, and a
//! report of what was lost.

use super::hostile_triangles::case;
use super::leaf_scene::{Scene, prim};
use estoc_bvh::SimdLevel;
use estoc_bvh::internals::wide::WIDTH;
use estoc_core::exact::PreparedRay;
use estoc_core::{Ray, Triangle};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;
use std::fmt;

/// Number of failures after which a search ends.
const FAILURES: usize = 10;

/// Triangles, and a ray that grazes most of them.
pub(super) struct Case {
    pub(super) triangles: [Triangle; WIDTH],
    pub(super) scene: Scene,
    pub(super) ray: Ray,
    /// The parameters at which the ray hits triangles.
    pub(super) at: Vec<f32>,
}

/// Statistics of a search.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) rays: usize,
    /// Rays that the `f32` kernels do not support.
    pub(super) unfit: usize,
    /// Rays that miss the box of the tree.
    pub(super) missing: usize,
    /// Tests of plain rays.
    pub(super) plain: usize,
    pub(super) packets: usize,
    pub(super) hits: usize,
    pub(super) boxes: usize,
    /// Hits that a kernel reported as certain.
    pub(super) certain: usize,
    /// Descriptions of lost and false hits.
    pub(super) lost: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            rays,
            unfit,
            missing,
            plain,
            packets,
            hits,
            boxes,
            certain,
            lost,
        } = self;
        write!(
            f,
            "{rays} rays ({unfit} not for f32, {missing} beside the tree, {plain} plain tests) in \
             {packets} packets, \
             {hits} hits and {boxes} boxes asked for, {certain} certain, {} wrong",
            lost.len()
        )
    }
}

/// Tests cases until `rays` rays have been counted, or until [`FAILURES`] failures. `name` and
/// `seed` identify the cases.
pub(super) fn search(
    name: &str,
    seed: u64,
    rays: usize,
    mut look: impl FnMut(&Case, &mut Rng, &mut Report),
) -> Report {
    let mut report = Report::default();
    let mut rng = Rng::named(seed, name);
    while report.rays < rays && report.lost.len() < FAILURES {
        let (triangles, ray) = case(&mut rng);
        let Some(endless) = PreparedRay::new(&ray) else {
            continue;
        };
        let at = (0..WIDTH)
            .filter_map(|i| endless.touch(prim(i), &triangles[i], f64::INFINITY))
            .map(|touch| endless.hit(&touch).t)
            .collect();
        let case = Case {
            triangles,
            scene: Scene::of(triangles),
            ray,
            at,
        };
        look(&case, &mut rng, &mut report);
    }
    report
}

/// Checks that a search finds no violation at any level, and that enough of its rays hit. If `certain`, a
/// tenth of the hits must be certain, too.
pub(super) fn assert_none_lost(certain: bool, search: impl Fn(SimdLevel, usize) -> Report) {
    let (long, usual) = (20_000_000, 400_000);
    let rays = if Effort::is_long() { long } else { usual };
    for level in SimdLevel::available() {
        let report = search(level, rays);
        println!("{level}: {report}");
        assert!(
            report.lost.is_empty(),
            "{level}: {}",
            report.lost.join("\n")
        );
        assert!(report.hits > report.rays / 20, "{report:?}");
        let is_enough = report.certain > report.hits / 10;
        assert!(!certain || is_enough, "{report:?}");
    }
}
