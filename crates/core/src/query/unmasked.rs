//! An engine without its masks.

use super::{Collector, Engine, IdOf, Queue, Technique, TechniqueCounts};
use crate::exact::PreparedRay;

/// The same engine without masks, so that every ray sees every primitive.
///
/// [`Engine::closest`] and [`Engine::any`] keep their defaults, since the engine's own apply its
/// masks.
pub struct Unmasked<'a, E: ?Sized>(pub &'a E);

impl<E: Engine + ?Sized> Engine for Unmasked<'_, E> {
    type Primitive = E::Primitive;

    fn primitive_count(&self) -> usize {
        self.0.primitive_count()
    }

    fn primitive(&self, id: IdOf<E>) -> Option<E::Primitive> {
        self.0.primitive(id)
    }

    fn primitive_on(&self, ray: &PreparedRay<'_>, id: IdOf<E>) -> Option<E::Primitive> {
        self.0.primitive_on(ray, id)
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_, E::Primitive>) {
        self.0.visit(ray, collector);
    }

    fn visit_many(
        &self,
        technique: Technique,
        queue: &mut Queue<'_, E::Primitive>,
    ) -> TechniqueCounts {
        self.0.visit_many(technique, queue)
    }

    fn query_bytes(&self) -> usize {
        self.0.query_bytes()
    }
}

#[cfg(test)]
mod tests {
    use crate::{BruteForce, Contains, Masks, QuerySlice, RayQuery, Technique, Triangle};
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
