//! Whether a tree has an inside. The first questions about it look at all edges, and take memory for that.

use crate::bvh::Bvh;
use crate::failure::Failure;
use crate::precision::either;
use estoc::PointQuery;
use estoc::glam::Vec3;
use estoc::query::{SignRule, SignedDistanceBy};
use estoc::scene::{SceneObject, SceneSnapshot};
use estoc_core::{Triangle64, TriangleCluster};
use estoc_system::has_room;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a tree has computed already, so that it needs no more memory.
#[derive(Default)]
pub(crate) struct Computed {
    is_closed: AtomicBool,
    surface: AtomicBool,
    clusters: AtomicBool,
}

/// The size of an edge between points of `f32`s.
const EDGE: usize = 24;

/// A list that grows has three times its size meanwhile, if it is copied.
const GROWING: usize = 3;

/// What is left to others.
const BESIDES: usize = 8 << 20;

pub(crate) fn check_room(bytes: usize, work: &str) -> Result<(), Failure> {
    match has_room(bytes.saturating_add(BESIDES)) {
        true => Ok(()),
        false => Err(Failure::Memory(format!(
            "not enough memory to {work}: up to {} MB are needed",
            bytes.div_ceil(1_000_000)
        ))),
    }
}

/// Checks that there is memory for the edges of a mesh.
fn check_room_for_edges(triangles: usize, work: &str) -> Result<(), Failure> {
    check_room(triangles.saturating_mul(3 * EDGE * GROWING), work)
}

/// Checks that there is memory to find out which meshes of a scene are closed, one after the other.
pub(crate) fn check_room_for_solids(scene: &SceneSnapshot) -> Result<(), Failure> {
    let triangles = most_triangles(scene, &mut HashSet::new());
    check_room_for_edges(triangles, "check which meshes are closed")
}

/// Returns the number of triangles of the largest mesh in a scene, whose scenes are visited once each.
fn most_triangles(scene: &SceneSnapshot, seen: &mut HashSet<*const SceneSnapshot>) -> usize {
    let placements = scene.placements();
    let largest = placements.map(|(_, placement)| match placement.object() {
        SceneObject::Mesh(bvh) => bvh.triangle_count(),
        // Its edges have twice the size.
        SceneObject::Mesh64(bvh) => 2 * bvh.triangle_count(),
        SceneObject::Scene(inner) if seen.insert(Arc::as_ptr(inner)) => most_triangles(inner, seen),
        _ => 0,
    });
    largest.max().unwrap_or(0)
}

impl Bvh {
    /// Checks that there is memory for the edges, which have twice the size in `f64`.
    fn check_room_for_edges(&self, work: &str) -> Result<(), Failure> {
        let width = if self.bvh.is_f64() { 2 } else { 1 };
        check_room_for_edges(self.triangle_count() * width, work)
    }

    /// Returns whether every edge is used an even number of times.
    pub(crate) fn closed(&self) -> Result<bool, Failure> {
        if !self.computed.is_closed.load(Ordering::Acquire) {
            self.check_room_for_edges("check whether the mesh is closed")?;
        }
        let is_closed = either!(&self.bvh, bvh => bvh.is_closed());
        self.computed.is_closed.store(true, Ordering::Release);
        Ok(is_closed)
    }

    /// Returns the same if it is known.
    pub(crate) fn is_closed_known(&self) -> Option<bool> {
        let is_known = self.computed.is_closed.load(Ordering::Acquire);
        is_known.then(|| either!(&self.bvh, bvh => bvh.is_closed()))
    }

    /// Looks at the edges, so that `bvh.surface()` knows them.
    pub(crate) fn see_surface(&self) -> Result<(), Failure> {
        if !self.computed.surface.load(Ordering::Acquire) {
            self.check_room_for_edges("find the edges where the mesh is open")?;
            either!(&self.bvh, bvh => {
                bvh.surface();
            });
            self.computed.surface.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// Makes what estimates of winding numbers need.
    pub(crate) fn see_clusters(&self) -> Result<(), Failure> {
        if !self.computed.clusters.load(Ordering::Acquire) {
            let corners = size_of::<Triangle64>() * GROWING * self.triangle_count();
            let nodes = either!(&self.bvh, bvh => bvh.stats().nodes);
            let clusters = 8 * size_of::<TriangleCluster>() * nodes;
            check_room(corners.saturating_add(clusters), "estimate winding numbers")?;
            let _first = either!(&self.bvh, bvh => bvh.winding_estimate(Vec3::ZERO));
            self.computed.clusters.store(true, Ordering::Release);
        }
        Ok(())
    }

    /// Fails if the surface has no inside by a rule.
    pub(crate) fn check_inside(&self, rule: SignRule) -> Result<(), Failure> {
        if rule == SignRule::Parity && self.closed()? {
            return Ok(());
        }
        match rule {
            SignRule::WindingEstimate => self.see_clusters()?,
            _ => self.see_surface()?,
        }
        let checked = either!(&self.bvh, bvh => {
            let checked = SignedDistanceBy(rule).check_surface(&**bvh);
            checked.map_err(|error| error.to_string())
        });
        checked.map_err(|message| Failure::Raised("SurfaceError", message))
    }
}
