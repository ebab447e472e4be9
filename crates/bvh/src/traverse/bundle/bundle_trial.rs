//! Decides from recent bundles whether bundles pay.
//!
//! A bundle waits for a node or leaf once for all rays that visit it; rays in flight hardly wait, but
//! visit each for itself. So it is counted how often bundles go to a node or leaf, relative to the
//! visits of rays. Counts, unlike times, are the same in every run.

use super::bundle_walk::Shared;

/// The number of bundles in a trial, which decides about the rays that follow, and of those after
/// which it has failed already if they have much too little in common.
pub const BUNDLES: u32 = 24;
const SOON: u32 = 8;
/// The number of rays that traverse alone after the first trial that fails, that number if it fails
/// soon, and the most that do.
pub const ALONE: [u32; 3] = [2048, 4096, 1 << 16];
/// A ray visits about this number of nodes and leaves in a subtree that it traverses alone.
const SUBTREE: u64 = 3;
/// Rays are faster alone if bundles go to more nodes and leaves than this number for every sixteen
/// visits of rays; and in trees of more than [`LARGE`] bytes, of which caches hold less.
const MOST: u64 = 7;
const MOST_OF_LARGE: u64 = 6;
const LARGE: usize = 256 << 20;
/// [`MOST`] at placed meshes, where a ray alone has a faster walk than a bundle.
const MOST_OF_PLACED: u64 = 3;

/// What the last bundles shared, and whether rays traverse alone as a consequence.
pub struct Trial {
    /// [`MOST`] for this tree.
    most: u64,
    bundles: u32,
    shared: Shared,
    /// How many rays traverse alone before the next trial, and how many did before this one.
    alone: u32,
    before: u32,
}

impl Trial {
    /// Returns the first trial in a tree of `bytes` bytes.
    pub fn new(bytes: usize) -> Self {
        Trial {
            most: if bytes > LARGE { MOST_OF_LARGE } else { MOST },
            bundles: 0,
            shared: Shared::default(),
            alone: 0,
            before: 0,
        }
    }

    /// Returns the first trial in a world where rays alone are traced by the kernels of placed meshes.
    pub fn of_placed_meshes() -> Self {
        Trial {
            most: MOST_OF_PLACED,
            ..Trial::new(0)
        }
    }

    /// Records another bundle.
    pub fn take(&mut self, shared: Shared) {
        self.bundles += 1;
        self.shared = self.shared.and(shared);
        let is_soon = self.bundles == SOON && self.is_dearer_than(self.most + 1);
        if is_soon || self.bundles == BUNDLES {
            let least = if is_soon { ALONE[1] } else { ALONE[0] };
            let alone = match self.is_dearer_than(self.most) {
                true => (2 * self.before).clamp(least, ALONE[2]),
                false => 0,
            };
            (self.alone, self.before) = (alone, alone);
            (self.bundles, self.shared) = (0, Shared::default());
        }
    }

    /// Returns whether bundles go to more nodes and leaves than this number for every sixteen visits
    /// of rays.
    fn is_dearer_than(&self, most: u64) -> bool {
        let Shared {
            steps,
            visits,
            alone,
        } = self.shared;
        let alone = SUBTREE * alone;
        16 * (steps + alone) > most * (visits + alone)
    }

    /// Returns whether the next rays traverse alone.
    pub fn is_alone(&self) -> bool {
        self.alone > 0
    }

    /// Returns how many rays traverse alone next.
    pub fn alone(&self) -> u32 {
        self.alone
    }

    /// Records rays that traversed alone.
    pub fn pass(&mut self, rays: u32) {
        self.alone = self.alone.saturating_sub(rays);
    }
}
