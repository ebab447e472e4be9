//! The simplest right engine.

use crate::exact::PreparedRay;
use crate::{Collector, Engine, Masks, PrimId, Triangle, is_closed};
use alloc::vec::Vec;
use core::fmt;

/// Asks every triangle about every ray.
///
/// Slow, and hard to get wrong: the reference for every other engine, and good enough for a
/// handful of triangles.
#[derive(Clone)]
pub struct BruteForce {
    triangles: Vec<Triangle>,
    closed: bool,
    masks: Option<Masks>,
}

impl BruteForce {
    /// An engine over these triangles; their places are their [`PrimId`]s.
    ///
    /// Nothing is refused: a triangle that has no area or is not finite is never hit.
    /// Triangles past [`PrimId::MAX`] could not be named; they are more than 140 GiB away.
    pub fn new(triangles: impl Into<Vec<Triangle>>) -> Self {
        let triangles = triangles.into();
        let closed = is_closed(triangles.iter().copied());
        BruteForce {
            triangles,
            closed,
            masks: None,
        }
    }

    /// Returns the number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// Returns a triangle; `None` when there is none of that id.
    pub fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        self.triangles.get(prim.index()).copied()
    }

    /// Returns whether the triangles enclose an inside; see [`Engine::is_closed`].
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Sets the masks of the triangles, which decide what rays see of them.
    #[must_use]
    pub fn with_masks(self, masks: Masks) -> Self {
        let masks = Some(masks);
        BruteForce { masks, ..self }
    }
}

/// One line: the number of triangles, none of them.
impl fmt::Debug for BruteForce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BruteForce")
            .field("triangles", &self.triangle_count())
            .field("closed", &self.closed)
            .field("has_masks", &self.masks.is_some())
            .finish_non_exhaustive()
    }
}

impl Engine for BruteForce {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.triangle_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle> {
        self.triangle(prim)
    }

    fn is_closed(&self) -> bool {
        self.closed
    }

    fn visit(&self, _: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        for (index, triangle) in self.triangles.iter().enumerate() {
            let Some(prim) = PrimId::from_index(index) else {
                return;
            };
            if collector.offer(prim, triangle).is_break() {
                return;
            }
        }
    }

    fn masks(&self) -> Option<&Masks> {
        self.masks.as_ref()
    }
}
