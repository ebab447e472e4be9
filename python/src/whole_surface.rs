//! Whether a tree has an inside. The first questions about it look at all edges, and take memory for that.

use crate::bvh::Bvh;
use crate::failure::Failure;
use estoc::PointQuery;
use estoc::engine::TriangleCluster;
use estoc::glam::Vec3;
use estoc::query::{SignRule, SignedDistanceBy};
use estoc_memory::has_room;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a tree has computed already, so that it needs no more memory.
#[derive(Default)]
pub(crate) struct Computed {
    is_closed: AtomicBool,
    surface: AtomicBool,
    clusters: AtomicBool,
}

/// The size of an edge.
const EDGE: usize = 24;

/// A list that grows has three times its size meanwhile, if it is copied.
const GROWING: usize = 3;

/// What is left to others.
const BESIDES: usize = 8 << 20;

fn check_room(bytes: usize, work: &str) -> Result<(), Failure> {
    match has_room(bytes.saturating_add(BESIDES)) {
        true => Ok(()),
        false => Err(Failure::Memory(format!(
            "not enough memory to {work}: up to {} MB are needed",
            bytes.div_ceil(1_000_000)
        ))),
    }
}

impl Bvh {
    fn bytes_of_edges(&self) -> usize {
        (self.bvh.triangle_count()).saturating_mul(3 * EDGE * GROWING)
    }

    /// Returns whether every edge is used an even number of times.
    pub(crate) fn closed(&self) -> Result<bool, Failure> {
        if !self.computed.is_closed.load(Ordering::Acquire) {
            check_room(self.bytes_of_edges(), "check whether the mesh is closed")?;
        }
        let is_closed = self.bvh.is_closed();
        self.computed.is_closed.store(true, Ordering::Release);
        Ok(is_closed)
    }

    fn see_surface(&self) -> Result<(), Failure> {
        if !self.computed.surface.load(Ordering::Acquire) {
            check_room(
                self.bytes_of_edges(),
                "find the edges where the mesh is open",
            )?;
            self.bvh.surface();
            self.computed.surface.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// Makes what estimates of winding numbers need.
    pub(crate) fn see_clusters(&self) -> Result<(), Failure> {
        if !self.computed.clusters.load(Ordering::Acquire) {
            let corners = 36 * GROWING * self.bvh.triangle_count();
            let clusters = 8 * size_of::<TriangleCluster>() * self.bvh.stats().nodes;
            check_room(corners.saturating_add(clusters), "estimate winding numbers")?;
            let _first = self.bvh.winding_estimate(Vec3::ZERO);
            self.computed.clusters.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// Fails if the surface has no inside by a rule.
    pub(crate) fn check_inside(&self, rule: SignRule) -> Result<(), Failure> {
        match rule {
            SignRule::Parity if self.closed()? => {}
            SignRule::WindingEstimate => self.see_clusters()?,
            _ => self.see_surface()?,
        }
        let checked = SignedDistanceBy(rule).check_surface(&*self.bvh);
        checked.map_err(|error| Failure::Raised("SurfaceError", error.to_string()))
    }
}
