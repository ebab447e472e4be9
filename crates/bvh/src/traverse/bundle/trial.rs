//! Whether bundles are worth while, as far as is known.

use super::walk::Shared;
use crate::wide::WIDTH;

/// So many bundles tell whether the rays that follow should be in any.
const BUNDLES: u32 = 8;
/// So many rays go alone at first if they should not, and at most.
const ALONE: (u32, u32) = (2048, 1 << 16);

/// What the last bundles shared, and whether rays go alone for that.
#[derive(Default)]
pub(super) struct Trial {
    bundles: u32,
    shared: Shared,
    /// How many rays go alone before the next trial, and did before this one.
    alone: u32,
    before: u32,
}

impl Trial {
    /// After another bundle.
    pub(super) fn take(&mut self, shared: Shared) {
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
    pub(super) fn is_alone(&self) -> bool {
        self.alone > 0
    }

    /// After a group of rays that went alone.
    pub(super) fn pass(&mut self) {
        self.alone = self.alone.saturating_sub(WIDTH as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many rays go alone after so many bundles as tell.
    fn alone_after(trial: &mut Trial, shared: Shared) -> u32 {
        for _ in 0..BUNDLES {
            assert!(!trial.is_alone());
            trial.take(shared);
        }
        let mut rays = 0;
        while trial.is_alone() {
            trial.pass();
            rays += WIDTH as u32;
        }
        rays
    }

    #[test]
    fn the_dearer_bundles_are_the_rarer_they_are_tried() {
        let (dear, cheap) = (Shared::of(1000, 1000), Shared::of(1000, 16_000));
        let mut trial = Trial::default();
        assert_eq!(alone_after(&mut trial, cheap), 0);
        assert_eq!(alone_after(&mut trial, dear), ALONE.0);
        assert_eq!(alone_after(&mut trial, dear), 2 * ALONE.0);
        for _ in 0..10 {
            alone_after(&mut trial, dear);
        }
        assert_eq!(alone_after(&mut trial, dear), ALONE.1);
        assert_eq!(alone_after(&mut trial, cheap), 0);
        assert_eq!(alone_after(&mut trial, dear), ALONE.0, "it begins anew");
    }
}
