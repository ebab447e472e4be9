//! `estoc::Batch`: all rays at once, on the threads of the pool that it is called in.

use super::{common, ours};
use crate::engine::{Engine, Mode};
use crate::ray::{Hit, Ray};
use estoc::{Batch, Bvh};
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// Rays that each thread gets between two conversions. So few are still in the caches (half a
/// megabyte of rays) when they are asked about, and so many hide what a batch costs to start.
const STRETCH: usize = 1 << 14;

pub(super) struct Batched {
    name: &'static str,
    bvh: Arc<Bvh>,
    /// Kept from call to call, as a program that asks often would.
    room: Mutex<Room>,
}

#[derive(Default)]
struct Room {
    rays: Vec<estoc::Ray>,
    hits: Vec<Option<estoc::Hit>>,
}

impl Batched {
    pub(super) fn new(name: &'static str, bvh: Arc<Bvh>) -> Self {
        let room = Mutex::default();
        Batched { name, bvh, room }
    }

    /// Hands over stretch after stretch of the rays, converted, with the room for their answers.
    fn by_stretches<A>(
        &self,
        rays: &[Ray],
        answers: &mut [A],
        mut ask: impl FnMut(&[estoc::Ray], &mut [A], &mut Vec<Option<estoc::Hit>>),
    ) {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let Room { rays: room, hits } = &mut *room;
        let stretch = STRETCH * rayon::current_num_threads();
        for (rays, answers) in rays.chunks(stretch).zip(answers.chunks_mut(stretch)) {
            rays.par_iter().map(ours).collect_into_vec(room);
            ask(room, answers, hits);
        }
    }
}

impl Engine for Batched {
    fn name(&self) -> &str {
        self.name
    }

    fn mode(&self) -> Mode {
        Mode::Batch
    }

    fn spreads_itself(&self) -> bool {
        true
    }

    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        self.by_stretches(rays, hits, |rays, hits, room| {
            room.resize(rays.len(), None);
            let done = Batch::new().closest_hits_into(&*self.bvh, rays, room);
            done.expect("there is room for each, and nothing cancels");
            let answers = hits.par_iter_mut().zip(&*room);
            answers.for_each(|(hit, &answer)| *hit = common(answer));
        });
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        self.by_stretches(rays, hits, |rays, hits, _| {
            let answers = Batch::new().any_hits(&*self.bvh, rays);
            hits.copy_from_slice(&answers.expect("nothing cancels"));
        });
    }
}
