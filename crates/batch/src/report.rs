//! What a batch did.

use crate::plan::Plan;
use estoc_core::TechniqueCounts;
use std::fmt;
use std::ops::AddAssign;

/// What a batch did: the plan, and how many rays went which way in the end. It prints as the
/// plan does, with one more line.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
/// use estoc::{Batch, BruteForce, Ray, Triangle};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let rays = [0.25, 2.0].map(|x| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]));
/// let mut hits = [false; 2];
/// let report = Batch::new().any_hits_into(&engine, &rays, &mut hits)?;
/// assert_eq!((report.rays, report.techniques.one_by_one), (2, 2));
/// println!("{report}");
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BatchReport {
    /// What was decided before; of several batches added up, for the first.
    pub plan: Plan,
    /// How many rays, or points, there were.
    pub rays: u64,
    /// How many rays were asked by which technique. Rays that are undefined or masked are not
    /// asked at all; for a point several rays are.
    pub techniques: TechniqueCounts,
}

impl BatchReport {
    /// How many rays were not asked: undefined ones, and masked ones.
    pub fn not_asked(&self) -> u64 {
        self.rays.saturating_sub(self.techniques.total() as u64)
    }
}

impl From<Plan> for BatchReport {
    /// What a plan did that nothing was done with.
    fn from(plan: Plan) -> Self {
        BatchReport {
            plan,
            rays: 0,
            techniques: TechniqueCounts::default(),
        }
    }
}

impl AddAssign for BatchReport {
    /// Adds up; the plan stays that of the first.
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
            "{plan}\n{rays} {noun}: {} one by one, {} interleaved, {} in packets, {} in bundles, {} not asked",
            techniques.one_by_one,
            techniques.interleaved,
            techniques.packets,
            techniques.bundles,
            self.not_asked()
        )
    }
}
