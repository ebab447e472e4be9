//! One technique for all rays, whether it suits them or not: the choices of a batch's plan.

use super::{common, ours};
use crate::answers::CHUNK;
use crate::engine::{Engine, Mode};
use crate::ray::{Hit, Ray};
use estoc::query::{Any, Closest};
use estoc::{
    Bvh, RayQuery,
    engine::{QuerySlice, Technique},
};
use std::sync::Arc;

pub(super) struct Forced {
    name: String,
    technique: Technique,
    bvh: Arc<Bvh>,
}

/// Returns the engine's name for a technique.
pub(super) fn name(technique: Technique) -> String {
    format!("estoc-{technique}").replace(' ', "-")
}

impl Forced {
    pub(super) fn new(technique: Technique, bvh: Arc<Bvh>) -> Self {
        Forced {
            name: name(technique),
            technique,
            bvh,
        }
    }

    /// Converts the rays chunk by chunk and calls `ask` with each chunk.
    fn by_chunks<A>(
        &self,
        rays: &[Ray],
        answers: &mut [A],
        mut ask: impl FnMut(&QuerySlice<'_>, &mut [A]),
    ) {
        let mut room = Vec::with_capacity(CHUNK);
        for (rays, answers) in rays.chunks(CHUNK).zip(answers.chunks_mut(CHUNK)) {
            room.clear();
            room.extend(rays.iter().map(ours));
            ask(&QuerySlice::new(&room).technique(self.technique), answers);
        }
    }
}

impl Engine for Forced {
    fn name(&self) -> &str {
        &self.name
    }

    fn mode(&self) -> Mode {
        Mode::Batch
    }

    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        let mut room = [None; CHUNK];
        self.by_chunks(rays, hits, |many, hits| {
            let room = &mut room[..hits.len()];
            let done = self.bvh.ask_many(Closest, many, room);
            done.expect("the output is as long as the rays, and there are no options");
            for (hit, answer) in hits.iter_mut().zip(room) {
                *hit = common(*answer);
            }
        });
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        self.by_chunks(rays, hits, |many, hits| {
            let done = self.bvh.ask_many(Any, many, hits);
            done.expect("the output is as long as the rays, and there are no options");
        });
    }
}
