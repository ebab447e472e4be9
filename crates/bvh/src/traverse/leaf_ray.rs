//! A ray in the form that leaf tests use.

use super::kernel_ray::KernelRay;
use crate::wide::Axis;
use bytemuck::{Pod, Zeroable};
use estoc_core::InlineMap;

/// The part of a ray that box tests do not need: the ray sheared onto its longest axis.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct LeafRay {
    /// The origin, with axes rotated so that the direction's longest is the last.
    pub origin: [f32; 3],
    pub dir_z: f32,
    /// The direction's slopes along the last axis, negated.
    pub shear: [f32; 2],
    pub inverse_z: f32,
    /// The index of the last axis.
    pub last: u32,
    /// The least parameter, its position in z, and the largest distance of a corner.
    pub least: f32,
    pub from: f32,
    pub farthest: f32,
    pub moved: f32,
}

/// The rotated axes of a ray, by the index of the last one.
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
        // No branches: unrelated rays would take each at random.
        let last = usize::from((if y > z { y } else { z }) >= x) * (1 + usize::from(z >= y));
        let axes = AXES[last & 3];
        let [dir_x, dir_y, dir_z] = axes.inline_map(|axis| ray.dir[axis.index()]);
        let least = ray.boxes.least;
        LeafRay {
            origin: axes.inline_map(|axis| ray.origin[axis.index()]),
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
