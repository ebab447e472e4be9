//! Queries about rays in `f64`.

use super::{In64, WorldEngine};
use crate::Ray64;
use crate::query::{All, Any, Closest, Count, CountCrossings, Crossings, FirstK, HitOf, RayQuery};
use alloc::vec::Vec;

/// The queries of [`RayQuery`] for rays in `f64`, answered by scenes.
///
/// Answers are exact for the numbers of the ray and of the scene as given: a mesh far from the origin is
/// loaded in a local frame and placed by that frame's origin. For options, ask with
/// [`In64`]: `scene.ask_with(In64(Closest), &ray, &options)`.
pub trait Ray64Query: WorldEngine {
    /// Returns the first hit; see [`RayQuery::closest_hit`].
    #[must_use]
    fn closest_hit_64(&self, ray: &Ray64) -> Option<HitOf<Self>> {
        self.ask(In64(Closest), ray)
    }

    /// Returns whether there is a hit; see [`RayQuery::any_hit`].
    #[must_use]
    fn any_hit_64(&self, ray: &Ray64) -> bool {
        self.ask(In64(Any), ray)
    }

    /// Returns all hits in order; see [`RayQuery::all_hits`].
    #[must_use]
    fn all_hits_64(&self, ray: &Ray64) -> Vec<HitOf<Self>> {
        self.ask(In64(All), ray)
    }

    /// Returns the first `k` hits in order; see [`RayQuery::first_hits`].
    #[must_use]
    fn first_hits_64(&self, ray: &Ray64, k: usize) -> Vec<HitOf<Self>> {
        self.ask(In64(FirstK(k)), ray)
    }

    /// Returns the number of hits; see [`RayQuery::count_hits`].
    #[must_use]
    fn count_hits_64(&self, ray: &Ray64) -> usize {
        self.ask(In64(Count), ray)
    }

    /// Returns the crossings of the surface in order; see
    /// [`RayQuery::crossings`].
    #[must_use]
    fn crossings_64(&self, ray: &Ray64) -> Vec<HitOf<Self>> {
        self.ask(In64(Crossings), ray)
    }

    /// Returns the number of crossings; see
    /// [`RayQuery::count_crossings`].
    #[must_use]
    fn count_crossings_64(&self, ray: &Ray64) -> usize {
        self.ask(In64(CountCrossings), ray)
    }
}

impl<E: WorldEngine + ?Sized> Ray64Query for E {}
