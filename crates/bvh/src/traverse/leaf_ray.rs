//! A ray as leaves see it.

use super::kernel_ray::KernelRay;
use crate::wide::Axis;
use bytemuck::{Pod, Zeroable};

/// What boxes have no use for: the ray sheared onto its longest axis.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct LeafRay {
    /// The origin, its axes turned so that the direction's longest is the last.
    pub origin: [f32; 3],
    pub dir_z: f32,
    /// The direction's slopes along the last axis, negated.
    pub shear: [f32; 2],
    pub inverse_z: f32,
    /// Which axis is the last.
    pub last: u32,
    /// The least parameter, where it is in z, and the farthest that a corner can be.
    pub least: f32,
    pub from: f32,
    pub farthest: f32,
    pub moved: f32,
}

/// The axes that a ray is turned to, by the one that is the last; the others in it.
pub const AXES: &[[Axis; 3]; 4] = &[
    [Axis::Y, Axis::Z, Axis::X],
    [Axis::Z, Axis::X, Axis::Y],
    [Axis::X, Axis::Y, Axis::Z],
    [Axis::X, Axis::Y, Axis::Z],
];

impl LeafRay {
    #[inline(always)]
    pub fn of(ray: &KernelRay) -> Self {
        let [x, y, z] = ray.dir.map(f32::abs);
        // No branches: rays that have nothing to do with each other would take each at random.
        let last = usize::from((if y > z { y } else { z }) >= x) * (1 + usize::from(z >= y));
        let axes = AXES[last & 3];
        let [dir_x, dir_y, dir_z] = axes.map(|axis| ray.dir[axis.index()]);
        let least = ray.boxes.least;
        LeafRay {
            origin: axes.map(|axis| ray.origin[axis.index()]),
            dir_z,
            shear: [-dir_x / dir_z, -dir_y / dir_z],
            inverse_z: 1.0 / dir_z,
            last: last as u32,
            least,
            from: least * dir_z,
            farthest: 4.0 * ray.way,
            moved: ray.moved,
        }
    }

    #[inline(always)]
    pub fn axes(&self) -> [Axis; 3] {
        AXES[self.last as usize & 3]
    }
}
