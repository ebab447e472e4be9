//! Decides from recent bundles whether bundles pay.

use super::bundle_walk::Shared;
use crate::wide::WIDTH;

/// The number of bundles in a trial, which decides about the rays that follow.
pub const BUNDLES: u32 = 24;
/// The number of rays that traverse alone after the first trial that fails, and the most that do.
pub const ALONE: (u32, u32) = (2048, 1 << 16);

/// What the last bundles shared, and whether rays traverse alone as a consequence.
#[derive(Default)]
pub struct Trial {
    bundles: u32,
    shared: Shared,
    /// How many rays traverse alone before the next trial, and how many did before this one.
    alone: u32,
    before: u32,
}

impl Trial {
    /// Records another bundle.
    pub fn take(&mut self, shared: Shared) {
        self.bundles += 1;
        self.shared = self.shared.and(shared);
        if self.bundles == BUNDLES {
            let alone = match self.shared.is_too_dear() {
                true => (2 * self.before).clamp(ALONE.0, ALONE.1),
                false => 0,
            };
            (self.alone, self.before) = (alone, alone);
            (self.bundles, self.shared) = (0, Shared::default());
        }
    }

    /// Returns whether the next rays traverse alone.
    pub fn is_alone(&self) -> bool {
        self.alone > 0
    }

    /// Records a group of rays that traversed alone.
    pub fn pass(&mut self) {
        self.alone = self.alone.saturating_sub(WIDTH as u32);
    }
}
