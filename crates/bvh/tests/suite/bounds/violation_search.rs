//! What the searches share: hostile cases until enough rays have been looked at, counts of what
//! was seen, and a report of what was lost.

use super::hostile_triangles::case;
use super::leaf_scene::{Scene, prim};
use estoc_bvh::internals::wide::WIDTH;
use estoc_core::exact::PreparedRay;
use estoc_core::{Ray, Triangle};
use estoc_testkit::generate::Rng;
use std::fmt;

/// Number of failures after which a search ends.
const FAILURES: usize = 10;

/// Triangles, and a ray that grazes most of them.
pub(super) struct Case {
    pub(super) triangles: [Triangle; WIDTH],
    pub(super) scene: Scene,
    pub(super) ray: Ray,
    /// Where the ray hits triangles.
    pub(super) at: Vec<f32>,
}

/// What a search looked at.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) rays: usize,
    /// Rays that are not for kernels in `f32`.
    pub(super) unfit: usize,
    /// Rays beside the box of the tree.
    pub(super) missing: usize,
    pub(super) packets: usize,
    pub(super) hits: usize,
    pub(super) boxes: usize,
    /// Hits that a kernel was certain of.
    pub(super) certain: usize,
    /// What was lost or made up, described.
    pub(super) lost: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            rays,
            unfit,
            missing,
            packets,
            hits,
            boxes,
            certain,
            lost,
        } = self;
        write!(
            f,
            "{rays} rays ({unfit} not for f32, {missing} beside the tree) in {packets} packets, \
             {hits} hits and {boxes} boxes asked for, {certain} certain, {} wrong",
            lost.len()
        )
    }
}

/// Looks at cases until `rays` rays have been counted, or so much was lost that more tells
/// nothing. `name` and `seed` say which cases.
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
