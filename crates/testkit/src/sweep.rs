//! A moving sphere, which the oracle and engines are asked about.

use estoc_core::MovingSphere64;
use estoc_core::glam::Vec3;
use std::fmt;

/// A moving sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// The centre at the start.
    pub center: Vec3,
    /// The velocity.
    pub velocity: Vec3,
    /// The radius.
    pub radius: f32,
    /// The greatest time.
    pub t_max: f32,
}

impl Sweep {
    /// Returns the sweep of these bits: centre, velocity, radius, greatest time.
    pub fn from_bits(bits: [u32; 8]) -> Sweep {
        let [x, y, z, vx, vy, vz, radius, t_max] = bits.map(f32::from_bits);
        Sweep {
            center: Vec3::new(x, y, z),
            velocity: Vec3::new(vx, vy, vz),
            radius,
            t_max,
        }
    }
}

impl From<Sweep> for MovingSphere64 {
    fn from(sweep: Sweep) -> Self {
        MovingSphere64 {
            center: sweep.center.as_dvec3(),
            velocity: sweep.velocity.as_dvec3(),
            radius: sweep.radius.into(),
            t_max: sweep.t_max.into(),
        }
    }
}

/// The numbers, and the Rust that reproduces them.
impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [[x, y, z], [vx, vy, vz]] =
            [self.center, self.velocity].map(|v| v.to_array().map(f32::to_bits));
        let (radius, t_max) = (self.radius.to_bits(), self.t_max.to_bits());
        writeln!(f, "{self:?}")?;
        write!(
            f,
            "  let sweep = Sweep::from_bits([{x:#x}, {y:#x}, {z:#x}, {vx:#x}, {vy:#x}, {vz:#x}, \
             {radius:#x}, {t_max:#x}]);"
        )
    }
}
