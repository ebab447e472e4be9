//! The report of a batch.

use crate::plan::Plan;
use estoc_core::TechniqueCounts;
use std::fmt;
use std::ops::AddAssign;

/// The report of a batch: its plan, and the number of rays by technique. `Display` prints the plan
/// and one more line.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Ray, Triangle, query::Any};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let rays = [0.25, 2.0].map(|x| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]));
/// let mut hits = [false; 2];
/// let report = Batch::new().ask_into(&engine, Any, &rays, &mut hits[..])?;
/// assert_eq!((report.rays, report.techniques.one_by_one), (2, 2));
/// println!("{report}");
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BatchReport {
    /// The plan; for a sum of reports, that of the first.
    pub plan: Plan,
    /// The number of rays, points, moving spheres or regions.
    pub rays: u64,
    /// The number of rays cast by each technique. Undefined and masked rays are not cast. To find
    /// whether a point is inside, several rays are cast; a point that is asked what is near it, a
    /// moving sphere and a region each count as a ray.
    pub techniques: TechniqueCounts,
}

impl BatchReport {
    /// Returns the number of rays that were not cast because they are undefined or masked.
    pub fn not_asked(&self) -> u64 {
        self.rays.saturating_sub(self.techniques.total() as u64)
    }
}

impl From<Plan> for BatchReport {
    /// Returns the report of a batch without rays.
    fn from(plan: Plan) -> Self {
        BatchReport {
            plan,
            rays: 0,
            techniques: TechniqueCounts::default(),
        }
    }
}

impl AddAssign for BatchReport {
    /// Adds the counts; the plan stays that of the first.
    fn add_assign(&mut self, other: BatchReport) {
        self.rays += other.rays;
        self.techniques += other.techniques;
    }
}

impl fmt::Display for BatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BatchReport {
            plan,
            rays,
            techniques,
        } = self;
        let noun = if *rays == 1 { "ray" } else { "rays" };
        write!(
            f,
            "{plan}\n{rays} {noun}: {} one by one, {} interleaved, {} in packets, {} in bundles, {} skipped",
            techniques.one_by_one,
            techniques.interleaved,
            techniques.packets,
            techniques.bundles,
            self.not_asked()
        )
    }
}
