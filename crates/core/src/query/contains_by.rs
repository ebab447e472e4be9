//! The question whether a point is inside by a rule.

use super::item_question::item_question;
use crate::collect::PointKind;
use crate::engine::{IdOf, PointEngine, QuerySlice, QuerySliceError, TechniqueCounts};
use crate::exact::sign::SignRule;
use crate::query::{AcceptHit, Contains, PointQuery, SignedDistanceBy, ValueQuestion};
use crate::shapes::SurfaceError;

/// The question whether a point is inside by a rule; see [`PointQuery::contains_by`].
///
/// There is no answer where the surface has no inside by this rule;
/// [`check_surface`](ContainsBy::check_surface) tells why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContainsBy(pub SignRule);

impl ContainsBy {
    /// Returns an error if the engine's surface has no inside by the rule, so that no point has an
    /// answer.
    ///
    /// # Errors
    /// Those of [`SignedDistanceBy::check_surface`].
    pub fn check_surface<V: PointKind, E: PointEngine<V> + ?Sized>(
        self,
        engine: &E,
    ) -> Result<(), SurfaceError<V::Coordinate>> {
        SignedDistanceBy(self.0).check_surface(engine)
    }
}

item_question! { [V: PointKind, E: PointEngine<V>] V, ContainsBy => Option<bool>:
    |question, engine, point| engine.contains_by(*point, question.0).ok();

    fn is_one_by_one(&self, engine: &E) -> bool {
        self.0 == SignRule::WindingEstimate || !engine.traces_together()
    }

    fn is_about_positions(&self) -> bool {
        self.0 != SignRule::Parity
    }
}

impl<V, E> ValueQuestion<E, V> for ContainsBy
where
    V: PointKind,
    E: PointEngine<V> + ?Sized,
{
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, V, IdOf<E>>,
        _: Option<AcceptHit<'_, E, V>>,
        inside: &mut [Option<bool>],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        if self.0 == SignRule::Parity {
            return Contains.ask_many(engine, many, None, inside);
        }
        many.check_room(inside.len())?;
        let mut signed = alloc::vec![None; many.len()];
        let by_rule = SignedDistanceBy(self.0);
        let techniques = by_rule.ask_many(engine, many, None, &mut signed)?;
        let has_inside = by_rule.check_surface(engine).is_ok();
        for (place, (inside, signed)) in inside.iter_mut().zip(signed).enumerate() {
            let has_answer = has_inside && many.is_active(place);
            *inside = has_answer.then(|| signed.is_some_and(|found| found.inside));
        }
        Ok(techniques)
    }
}
