//! An engine without its masks.

use core::ops::Deref;

/// The same engine without masks, so that every ray sees every primitive.
///
/// [`Engine::closest`](crate::Engine::closest) and [`Engine::any`](crate::Engine::any) keep their
/// defaults, since the engine's own apply its masks.
pub struct Unmasked<'a, E: ?Sized>(pub &'a E);

impl<E: ?Sized> Deref for Unmasked<'_, E> {
    type Target = E;

    fn deref(&self) -> &E {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use crate::collect::Masks;
    use crate::engine::{BruteForce, QuerySlice, Technique};
    use crate::query::{Contains, RayQuery};
    use crate::shapes::Triangle;
    use glam::Vec3;

    #[test]
    fn what_rays_do_not_see_encloses_points() {
        let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
        let solid = BruteForce::new(faces.map(|[a, b, c]| Triangle::new(a, b, c)));
        let points = [Vec3::splat(0.1), Vec3::ZERO, Vec3::splat(0.9)];
        let expected = [Some(true), Some(true), Some(false)];
        for hidden in 0..=4 {
            let engine = solid.clone().with_masks(Masks::from_runs([(hidden, 0)]));
            assert_eq!(points.map(|point| engine.contains(point)), expected);
            for technique in Technique::ALL {
                let mut found = [None; 3];
                let many = QuerySlice::new(&points).technique(technique);
                engine.ask_many(Contains, &many, &mut found).unwrap();
                assert_eq!(found, expected);
            }
        }
    }
}
