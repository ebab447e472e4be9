//! estoc with one ray per call.

use super::{Asked, ours};
use crate::engine::Queries;
use crate::ray::{Hit, Ray};
use estoc::RayQuery;
use estoc::glam::Vec3;
use std::sync::Arc;

pub(super) struct OneByOne<E>(pub(super) Arc<E>);

impl<E: Asked> Queries for OneByOne<E> {
    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = E::common(self.0.closest_hit(&ours(ray)));
        }
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.0.any_hit(&ours(ray));
        }
    }

    fn closest_points(&self, points: &[Vec3], found: &mut [Hit]) -> bool {
        for (&point, found) in points.iter().zip(found) {
            let Some(nearest) = self.0.nearest(point) else {
                return false;
            };
            *found = nearest;
        }
        true
    }

    fn count_surfaces(&self, rays: &[Ray]) -> Option<Vec<usize>> {
        let count = |ray: &Ray| self.0.count_crossings(&ours(ray));
        Some(rays.iter().map(count).collect())
    }
}
