//! Whether bundles are worth while, as far as is known.

use super::bundle_walk::Shared;
use crate::wide::WIDTH;

/// So many bundles tell whether the rays that follow should be in any.
pub const BUNDLES: u32 = 8;
/// So many rays go alone at first if they should not, and at most.
pub const ALONE: (u32, u32) = (2048, 1 << 16);

/// What the last bundles shared, and whether rays go alone for that.
#[derive(Default)]
pub struct Trial {
    bundles: u32,
    shared: Shared,
    /// How many rays go alone before the next trial, and did before this one.
    alone: u32,
    before: u32,
}

impl Trial {
    /// After another bundle.
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

    /// Whether the next rays go alone.
    pub fn is_alone(&self) -> bool {
        self.alone > 0
    }

    /// After a group of rays that went alone.
    pub fn pass(&mut self) {
        self.alone = self.alone.saturating_sub(WIDTH as u32);
    }
}
