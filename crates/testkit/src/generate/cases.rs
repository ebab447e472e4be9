//! A ray at a scene, displayed so that it can be reproduced.

use super::ray_intervals::CUT;
use super::rays::next_ray;
use super::target::Target;
use super::{Rng, Scene};
use estoc_core::Ray;
use std::fmt;

/// One ray at one scene.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The scene's name.
    pub scene: &'static str,
    /// The scene's seed.
    pub seed: u64,
    /// The kind of the ray.
    pub kind: &'static str,
    /// The ray.
    pub ray: Ray,
}

impl Case {
    /// Returns the case with another interval on the same line.
    #[must_use]
    pub fn cut(&self, ray: Ray) -> Case {
        Case {
            kind: CUT,
            ray,
            ..*self
        }
    }
}

/// Generates rays at the scene, the same ones every time.
pub fn cases(scene: &Scene, n: usize) -> impl Iterator<Item = Case> {
    let (name, seed) = (scene.name, scene.seed);
    let target = Target::new(&scene.triangles);
    let mut rng = Rng::named(seed, "rays");
    (0..n).map(move |_| {
        let (kind, ray) = next_ray(&target, &mut rng);
        Case {
            scene: name,
            seed,
            kind,
            ray,
        }
    })
}

/// Returns the ray of these bits: origin, direction, `t_min`, `t_max`.
pub fn ray_from_bits(bits: [u32; 8]) -> Ray {
    let [ox, oy, oz, dx, dy, dz, t_min, t_max] = bits.map(f32::from_bits);
    Ray::new([ox, oy, oz], [dx, dy, dz]).with_interval(t_min, t_max)
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case {
            scene,
            seed,
            kind,
            ray,
        } = self;
        let (o, d) = (ray.origin.to_array(), ray.dir.to_array());
        let [ox, oy, oz] = o.map(f32::to_bits);
        let [dx, dy, dz] = d.map(f32::to_bits);
        let (t_min, t_max) = (ray.t_min.to_bits(), ray.t_max.to_bits());
        writeln!(f, "a ray {kind:?}")?;
        writeln!(
            f,
            "  origin {o:?}, dir {d:?}, from {:?} to {:?}",
            ray.t_min, ray.t_max
        )?;
        writeln!(
            f,
            "  let scene = generate::scene({scene:?}, {seed}).unwrap();"
        )?;
        write!(
            f,
            "  let ray = generate::ray_from_bits([{ox:#x}, {oy:#x}, {oz:#x}, \
             {dx:#x}, {dy:#x}, {dz:#x}, {t_min:#x}, {t_max:#x}]);"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::scene;

    #[test]
    fn cases_repeat_and_say_how_to_repeat_them() {
        let scene = scene("torus", 9).unwrap();
        let text =
            |n: usize| -> Vec<String> { cases(&scene, n).map(|case| case.to_string()).collect() };
        assert_eq!(text(50)[..20], text(20)[..]);
        assert!(text(1)[0].contains("generate::scene(\"torus\", 9)"));
        let bits = [1, 2, 3, 0x8000_0000, 5, 6, 0xff80_0000, 8];
        let ray = ray_from_bits(bits);
        assert_eq!(ray.dir.x.to_bits(), 0x8000_0000);
        assert_eq!((ray.t_min, ray.t_max.to_bits()), (f32::NEG_INFINITY, 8));
    }
}
