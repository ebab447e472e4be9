//! The question whether a point is inside.

use super::item_question::item_question;
use crate::collect::PointKind;
use crate::engine::{
    Engine, IdOf, NearEngine, QuerySlice, QuerySliceError, RayEngine, Technique, TechniqueCounts,
    Unmasked,
};
use crate::query::{AcceptHit, Any, CountCrossings, RayQuery, ValueQuestion};
use crate::shapes::Ray;
use alloc::vec::Vec;
use glam::{DVec3, Vec3};

/// The question whether a point is inside; see [`RayQuery::contains`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contains;

/// Returns whether a point is on the surface of an engine that is closed, or inside it.
#[doc(hidden)]
pub fn is_inside<V: PointKind, E: RayEngine<V::Ray> + ?Sized>(engine: &E, point: V) -> bool {
    let is_on_surface = point.at_the_point().iter().any(|ray| engine.ask(Any, ray));
    is_on_surface || engine.ask(CountCrossings, &point.to_the_outside()) % 2 == 1
}

item_question! { [E: Engine] Vec3, Contains => Option<bool>:
    |_question, engine, point| match engine.is_one_solid() {
        false => engine.encloses((*point).into()),
        true if !engine.is_closed() => None,
        true => Some(match engine.masks() {
            None => is_inside(engine, *point),
            Some(_) => is_inside(&Unmasked(engine), *point),
        }),
    };

    fn is_one_by_one(&self, _: &E) -> bool {
        false
    }

    fn is_about_positions(&self) -> bool {
        false
    }
}

impl<E: Engine + ?Sized> ValueQuestion<E, Vec3> for Contains {
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, Vec3, IdOf<E>>,
        _: Option<AcceptHit<'_, E, Vec3>>,
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
        let engine = &Unmasked(engine);
        let rays: Vec<Ray> = many.items.iter().map(|&p| p.to_the_outside()).collect();
        let mut counts = alloc::vec![0; rays.len()];
        let mut techniques =
            CountCrossings.ask_many(engine, &many.about(&rays), None, &mut counts)?;
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
            let rays: Vec<Ray> = rays.collect();
            let about = QuerySlice {
                active: None,
                ..many.about(&rays)
            };
            let mut touches = alloc::vec![false; rays.len()];
            techniques += Any.ask_many(engine, &about, None, &mut touches)?;
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

item_question! { [E: NearEngine<DVec3>] DVec3, Contains => Option<bool>:
    |_question, engine, point| engine.encloses(*point);

    /// A point that is not finite has an answer, too: it is outside.
    fn finds_nothing(&self, _: &DVec3) -> bool {
        false
    }
}

impl<E: NearEngine<DVec3> + ?Sized> ValueQuestion<E, DVec3> for Contains {}
