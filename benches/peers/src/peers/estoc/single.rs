//! estoc with one ray per call.

use super::{Asked, ours};
use crate::engine::{Engine, Mode};
use crate::ray::{Hit, Ray};
use estoc::RayQuery;
use estoc::glam::Vec3;
use std::sync::Arc;

pub(super) struct OneByOne<E> {
    name: &'static str,
    asked: Arc<E>,
}

impl<E: Asked> OneByOne<E> {
    pub(super) fn new(name: &'static str, asked: Arc<E>) -> Self {
        OneByOne { name, asked }
    }
}

impl<E: Asked> Engine for OneByOne<E> {
    fn name(&self) -> &str {
        self.name
    }

    fn mode(&self) -> Mode {
        Mode::Single
    }

    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = E::common(self.asked.closest_hit(&ours(ray)));
        }
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.asked.any_hit(&ours(ray));
        }
    }

    fn closest_points(&self, points: &[Vec3], found: &mut [Hit]) -> bool {
        for (&point, found) in points.iter().zip(found) {
            let Some(nearest) = self.asked.nearest(point) else {
                return false;
            };
            *found = nearest;
        }
        true
    }

    fn count_surfaces(&self, rays: &[Ray]) -> Option<Vec<usize>> {
        let count = |ray: &Ray| self.asked.count_crossings(&ours(ray));
        Some(rays.iter().map(count).collect())
    }
}
