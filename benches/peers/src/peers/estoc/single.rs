//! estoc with one ray per call.

use super::{common, nearest, ours};
use crate::engine::{Engine, Mode};
use crate::ray::{Hit, Ray};
use estoc::glam::Vec3;
use estoc::{Bvh, PointQuery, RayQuery};
use std::sync::Arc;

pub(super) struct OneByOne {
    name: &'static str,
    bvh: Arc<Bvh>,
}

impl OneByOne {
    pub(super) fn new(name: &'static str, bvh: Arc<Bvh>) -> Self {
        OneByOne { name, bvh }
    }
}

impl Engine for OneByOne {
    fn name(&self) -> &str {
        self.name
    }

    fn mode(&self) -> Mode {
        Mode::Single
    }

    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = common(self.bvh.closest_hit(&ours(ray)));
        }
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.bvh.any_hit(&ours(ray));
        }
    }

    fn closest_points(&self, points: &[Vec3], found: &mut [Hit]) -> bool {
        for (&point, found) in points.iter().zip(found) {
            *found = nearest(self.bvh.closest_point(point));
        }
        true
    }

    fn count_surfaces(&self, rays: &[Ray]) -> Option<Vec<usize>> {
        let count = |ray: &Ray| self.bvh.count_crossings(&ours(ray));
        Some(rays.iter().map(count).collect())
    }
}
