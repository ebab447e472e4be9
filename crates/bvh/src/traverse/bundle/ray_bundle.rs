//! Up to sixteen rays with the same octant and longest axis, one in each lane.

use super::LANES;
use super::ray_window::Placed;
use crate::traverse::interleave::Start;
use crate::traverse::kernel_ray::{BoxRay, Ends};
use crate::traverse::leaf_ray::{AXES, LeafRay};
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::prepare8::Prepared8;
use crate::traverse::single_walk::last_key;
use crate::traverse::traversal_stack::OWN;
use crate::wide::{Tag, WIDTH, WideTree};
use arrayvec::ArrayVec;
use fearless_simd::{Simd, SimdBase, f32x8};

/// A number of each ray.
pub type Lanes = [f32; LANES];

/// Rays, and the state of their traversal.
#[repr(C, align(64))]
pub struct Bundle<'r> {
    // For box tests.
    pub inverse: [Lanes; 3],
    pub near: [Lanes; 3],
    pub far: [Lanes; 3],
    pub least: Lanes,
    /// The limit, behind which nothing matters; `-inf` once a ray needs nothing more.
    pub limit: Lanes,
    // For leaf tests.
    pub origin: [Lanes; 3],
    pub dir_z: Lanes,
    pub shear: [Lanes; 2],
    pub inverse_z: Lanes,
    pub from: Lanes,
    pub farthest: Lanes,
    pub greatest: Lanes,
    /// The first hit so far: the interval of its parameter, its leaf, and the triangle in the leaf.
    pub kept_from: Lanes,
    pub kept_to: Lanes,
    pub kept_leaf: [u32; LANES],
    pub kept_tag: [u32; LANES],
    pub rays: ArrayVec<Placed<'r>, LANES>,
    /// The rays that are fit for kernels, as bits.
    pub ready: u32,
    /// What the rays have in common: near faces by axis, and the last axis.
    pub near_face: [usize; 3],
    pub last: usize,
    /// The rays that have a hit where one suffices, as bits.
    pub done: u32,
    /// The rays that have to begin again, alone, as bits.
    pub again: u32,
    /// The rays that continue alone from a leaf that is in their list, as bits.
    pub parted: u32,
    /// An upper bound of the lengths of all lists.
    pub most: usize,
    /// Children that each ray visits alone: keys and places, as in [`TraversalStack`].
    ///
    /// [`TraversalStack`]: crate::traverse::traversal_stack::TraversalStack
    pub own: [ArrayVec<u64, OWN>; LANES],
}

pub const NUMBERS: Lanes = [0.0; LANES];

impl<'r> Bundle<'r> {
    pub fn new() -> Self {
        Bundle {
            rays: ArrayVec::new(),
            ready: 0,
            near_face: [0; 3],
            last: 0,
            inverse: [NUMBERS; 3],
            near: [NUMBERS; 3],
            far: [NUMBERS; 3],
            least: NUMBERS,
            limit: NUMBERS,
            origin: [NUMBERS; 3],
            dir_z: NUMBERS,
            shear: [NUMBERS; 2],
            inverse_z: NUMBERS,
            from: NUMBERS,
            farthest: NUMBERS,
            greatest: NUMBERS,
            kept_from: NUMBERS,
            kept_to: NUMBERS,
            kept_leaf: [0; LANES],
            kept_tag: [0; LANES],
            done: 0,
            again: 0,
            parted: 0,
            most: 0,
            own: [const { ArrayVec::new_const() }; LANES],
        }
    }

    /// Returns all rays, as bits.
    #[inline(always)]
    pub fn all(&self) -> u32 {
        (1 << self.rays.len()) - 1
    }

    /// Prepares the rays, of which there is at least one, and which all have the same octant and
    /// longest axis.
    #[inline(always)]
    pub fn prepare<S: Simd>(&mut self, simd: S, tree: &WideTree) {
        self.ready = 0;
        let last = self.rays.len() - 1;
        for half in 0..LANES / WIDTH {
            // Lanes without a ray have a copy of another.
            let ray = |lane: usize| {
                self.rays[(half * WIDTH + lane).min(last)]
                    .1
                    .ray()
                    .as_array()
            };
            let rays = [
                ray(0),
                ray(1),
                ray(2),
                ray(3),
                ray(4),
                ray(5),
                ray(6),
                ray(7),
            ];
            let eight = Prepared8::of(simd, tree, rays);
            if half == 0 {
                self.near_face = eight.near_face.map(|face| (face[0].to_bits() & 1) as usize);
                self.last = eight.last[0].to_bits() as usize;
            }
            self.ready |= eight.usual << (half * WIDTH);
            for axis in 0..3 {
                put(&mut self.inverse[axis], half, eight.inverse[axis]);
                put(&mut self.near[axis], half, eight.near[axis]);
                put(&mut self.far[axis], half, eight.far[axis]);
                put(&mut self.origin[axis], half, eight.origin[axis]);
            }
            put(&mut self.shear[0], half, eight.shear[0]);
            put(&mut self.shear[1], half, eight.shear[1]);
            put(&mut self.least, half, eight.least);
            put(&mut self.limit, half, eight.limit);
            put(&mut self.greatest, half, eight.greatest);
            put(&mut self.dir_z, half, eight.dir_z);
            put(&mut self.inverse_z, half, eight.inverse_z);
            put(&mut self.from, half, eight.from);
            put(&mut self.farthest, half, eight.farthest);
        }
        self.ready &= self.all();
        self.kept_from = [f32::INFINITY; LANES];
        self.kept_to = [f32::INFINITY; LANES];
        self.kept_tag = [0; LANES];
        (self.done, self.again) = (0, 0);
        (self.parted, self.most) = (0, 0);
    }

    /// Appends a child, whose box they enter at `entry`, to the lists of these rays, which have
    /// room.
    #[inline(always)]
    pub fn leave(&mut self, mut lanes: u32, tag: Tag, place: u32, entry: &Lanes) {
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize % LANES;
            lanes &= lanes - 1;
            let key = (entry[lane].to_bits() & !Tag::BITS) | tag.0;
            self.own[lane].push(u64::from(key) << 32 | u64::from(place));
        }
    }

    /// Appends a leaf to the lists of these rays; without room, they have to begin again.
    #[inline(always)]
    pub fn leave_leaf(&mut self, mut lanes: u32, tag: Tag, place: u32, entry: &Lanes) {
        if lanes == 0 {
            return;
        }
        // Their limit is known only after they have visited the leaf.
        self.parted |= lanes;
        if self.has_room(1) {
            self.leave(lanes, tag, place, entry);
            return;
        }
        self.again |= lanes;
        while lanes != 0 {
            self.limit[lanes.trailing_zeros() as usize % LANES] = f32::NEG_INFINITY;
            lanes &= lanes - 1;
        }
    }

    /// Returns whether every list has room for these children, given as bits; if so, reserves it.
    #[inline(always)]
    pub fn has_room(&mut self, children: u32) -> bool {
        let more = children.count_ones() as usize;
        if self.most + more > OWN {
            self.most = self.longest();
        }
        let has_room = self.most + more <= OWN;
        self.most += if has_room { more } else { 0 };
        has_room
    }

    /// Returns the length of the longest list.
    #[cold]
    fn longest(&self) -> usize {
        self.own.iter().map(ArrayVec::len).fold(0, usize::max)
    }

    /// Removes what lies behind a ray's hit from its list, and returns whether anything is left.
    #[inline(always)]
    pub fn cull(&mut self, lane: usize) -> bool {
        let lane = lane % LANES;
        let limit = last_key(self.limit[lane]);
        let own = &mut self.own[lane];
        let mut kept = 0;
        for at in 0..own.len() {
            let item = own[at];
            own[kept] = item;
            kept += usize::from((item >> 32) as i32 <= limit);
        }
        own.truncate(kept);
        kept > 0
    }

    /// Writes the state with which the ray of a lane continues alone.
    #[inline(always)]
    pub fn go_on(&mut self, lane: usize, start: Start<'_, 'r>) {
        let lane = lane % LANES;
        let (place, question) = self.rays[lane];
        let ray = start.ray;
        (ray.place, ray.question) = (place, question);
        ray.boxes = BoxRay {
            inverse: self.inverse.map(|x| x[lane]),
            least: self.least[lane],
            near: self.near.map(|x| x[lane]),
            limit: self.limit[lane],
            far: self.far.map(|x| x[lane]),
            unused: 0.0,
            near_face: self.near_face.map(|face| face as u32),
            unused_too: 0,
        };
        ray.leaves = LeafRay {
            origin: self.origin.map(|x| x[lane]),
            dir_z: self.dir_z[lane],
            shear: self.shear.map(|x| x[lane]),
            inverse_z: self.inverse_z[lane],
            last: self.last as u32,
            least: self.least[lane],
            from: self.from[lane],
            farthest: self.farthest[lane],
            moved: f32::MIN_POSITIVE,
        };
        ray.ends = Ends::own(self.greatest[lane]);
        ray.limit = self.limit[lane];
        let tag = Tag(self.kept_tag[lane]);
        if tag.len() > 0 {
            *start.kept = NearestCertain::new(
                self.kept_leaf[lane],
                tag,
                self.kept_from[lane],
                self.kept_to[lane],
            );
        }
        let own = &mut self.own[lane];
        // Those that were appended first are among the nearest.
        start.waiting.extend_reversed(own);
        own.clear();
    }

    /// Returns the axes, rotated so that the last is the longest of all directions.
    #[inline(always)]
    pub fn axes(&self) -> [crate::wide::Axis; 3] {
        AXES[self.last & 3]
    }
}

#[inline(always)]
fn put<S: Simd>(lanes: &mut Lanes, half: usize, numbers: f32x8<S>) {
    numbers.store_slice(&mut lanes[half * WIDTH..(half + 1) * WIDTH]);
}
