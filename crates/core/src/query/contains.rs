//! The question whether a point is inside.

use super::item_question::item_question;
use crate::collect::PointKind;
use crate::engine::{IdOf, QuerySlice, QuerySliceError, RayEngine, Technique, TechniqueCounts};
use crate::query::{AcceptHit, Any, CountCrossings, RayQuery, Unmasked, ValueQuestion};
use alloc::vec::Vec;

/// The question whether a point is inside; see [`RayQuery::contains`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contains;

/// Returns whether a point is on the surface of an engine that is closed, or inside it.
fn is_inside<V: PointKind, E: RayEngine<V::Ray> + ?Sized>(engine: &E, point: V) -> bool {
    let touches = |ray: &V::Ray| engine.ask(Unmasked(Any), ray);
    let crossings = || engine.ask(Unmasked(CountCrossings), &point.to_the_outside());
    point.at_the_point().iter().any(touches) || crossings() % 2 == 1
}

item_question! { [V: PointKind, E: RayEngine<V::Ray>] V, Contains => Option<bool>:
    |_question, engine, point| match engine.is_one_solid() {
        false => engine.encloses((*point).into()),
        true => engine.is_closed().then(|| is_inside(engine, *point)),
    };

    fn is_one_by_one(&self, engine: &E) -> bool {
        !engine.is_one_solid() || !engine.traces_together()
    }

    fn is_about_positions(&self) -> bool {
        false
    }
}

impl<V: PointKind, E: RayEngine<V::Ray> + ?Sized> ValueQuestion<E, V> for Contains {
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, V, IdOf<E>>,
        _: Option<AcceptHit<'_, E, V>>,
        inside: &mut [Option<bool>],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        many.check_room(inside.len())?;
        many.check()?;
        if !engine.is_one_solid() {
            for ((place, inside), &point) in inside.iter_mut().enumerate().zip(many.items) {
                let is_active = many.is_active(place);
                *inside = is_active.then(|| engine.encloses(point.into())).flatten();
            }
            return Ok(TechniqueCounts::of(Technique::OneByOne, many.len()));
        }
        if !engine.is_closed() {
            inside.fill(None);
            return Ok(TechniqueCounts::default());
        }
        let rays: Vec<V::Ray> = many.items.iter().map(|&p| p.to_the_outside()).collect();
        let mut counts = alloc::vec![0; rays.len()];
        let rays = many.about(&rays);
        let mut techniques = Unmasked(CountCrossings).ask_many(engine, &rays, None, &mut counts)?;
        // What is inside by its crossings need not be asked whether it is on the surface.
        let mut others = Vec::new();
        for (place, count) in counts.into_iter().enumerate() {
            // An inactive point has no answer.
            inside[place] = many.is_active(place).then_some(count % 2 == 1);
            if inside[place] == Some(false) {
                others.push(place);
            }
        }
        for axis in 0..3 {
            let rays = others
                .iter()
                .map(|&place| many.items[place].at_the_point()[axis]);
            let rays: Vec<V::Ray> = rays.collect();
            let about = QuerySlice {
                active: None,
                ..many.about(&rays)
            };
            let mut touches = alloc::vec![false; rays.len()];
            techniques += Unmasked(Any).ask_many(engine, &about, None, &mut touches)?;
            let mut touches = touches.into_iter();
            others.retain(|&place| {
                let is_on_surface = touches.next() == Some(true);
                if is_on_surface {
                    inside[place] = Some(true);
                }
                !is_on_surface
            });
        }
        Ok(techniques)
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
