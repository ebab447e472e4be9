//! Questions about what is within a radius, which is a number of the type of the engine's distances. Those of
//! `estoc-core` have radii in `f32`.

use estoc_core::{
    AcceptHit, ClosestOf, Engine, IdOf, LengthOf, NearEngine, NearIdOf, PointKind, PointQuery,
    QueryError, QueryOptions, Question, RowQuestion, ValueQuestion,
};

/// Defines a question about points, which a method of [`PointQuery`] answers.
macro_rules! radius_question {
    ($(#[$about:meta])* $question:ident => $answer:ty, $method:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub(crate) struct $question<D>(pub(crate) D);

        impl<V, E> Question<E, V> for $question<LengthOf<E, V>>
        where
            V: PointKind,
            E: NearEngine<V> + Engine,
        {
            type Answer = $answer;

            fn ask(
                &self,
                engine: &E,
                point: &V,
                _: &QueryOptions<IdOf<E>>,
                _: Option<AcceptHit<'_, E, V>>,
            ) -> Result<$answer, QueryError> {
                Ok(engine.$method(*point, self.0))
            }
        }
    };
}

radius_question! {
    /// The question for the closest point whose exact distance is at most this.
    ClosestInRadius => Option<ClosestOf<E, V>>, closest_point_within
}
radius_question! {
    /// The question for the triangles whose exact distance is at most this, by id.
    InRadius => Vec<NearIdOf<E, V>>, within
}

impl<V: PointKind, E: NearEngine<V> + Engine> ValueQuestion<E, V>
    for ClosestInRadius<LengthOf<E, V>>
{
}

impl<V: PointKind, E: NearEngine<V> + Engine> RowQuestion<E, V> for InRadius<LengthOf<E, V>> {
    type Value = NearIdOf<E, V>;
}
