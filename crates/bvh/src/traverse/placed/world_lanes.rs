//! Rays of a world, one in each lane, in the numbers that their maps to meshes need.

use crate::traverse::bundle::{LANES, Lanes, store};
use crate::wide::Measures;
use fearless_simd::{Simd, SimdBase, f32x16};

/// Plain rays of a world.
pub(super) struct WorldLanes {
    pub(super) origin: [Lanes; 3],
    pub(super) dir: [Lanes; 3],
    pub(super) t_min: Lanes,
    pub(super) t_max: Lanes,
    /// 1.1 times the sum of the largest coordinates of all origins and of the world's boxes.
    pub(super) size: f32,
}

impl WorldLanes {
    pub(super) fn new() -> Self {
        const NUMBERS: Lanes = [0.0; LANES];
        WorldLanes {
            origin: [NUMBERS; 3],
            dir: [NUMBERS; 3],
            t_min: NUMBERS,
            t_max: NUMBERS,
            size: 0.0,
        }
    }

    /// Takes origins, directions and ends.
    #[inline(always)]
    pub(super) fn set<S: Simd>(&mut self, raw: [f32x16<S>; 8], tree: &Measures) {
        let [ox, oy, oz, dx, dy, dz, t_min, t_max] = raw;
        let farthest = ox.abs().max(oy.abs()).max(oz.abs()).reduce_max();
        self.size = 1.1 * (farthest + tree.reach);
        store(&mut self.origin[0], ox);
        store(&mut self.origin[1], oy);
        store(&mut self.origin[2], oz);
        store(&mut self.dir[0], dx);
        store(&mut self.dir[1], dy);
        store(&mut self.dir[2], dz);
        store(&mut self.t_min, t_min);
        store(&mut self.t_max, t_max);
    }
}
