//! Questions about one item that options and filters of rays have no effect on.

/// Implements a question about points, moving spheres or regions: the answer about one item of an engine
/// `E`, with the parameters in brackets, and the methods of `Question` that differ from their defaults.
/// Options, masks and `accept` have no effect.
macro_rules! item_question {
    (
        [$($parameter:tt)*] $item:ty, $question:ty => $answer:ty:
        |$self:ident, $engine:ident, $about:ident| $found:expr;
        $($method:tt)*
    ) => {
        impl<$($parameter)* + ?Sized> $crate::query::Question<E, $item> for $question {
            type Answer = $answer;

            fn ask(
                &self,
                $engine: &E,
                $about: &$item,
                _: &$crate::collect::QueryOptions<$crate::engine::IdOf<E>>,
                _: Option<$crate::query::AcceptHit<'_, E, $item>>,
            ) -> Result<$answer, $crate::collect::QueryError> {
                let $self = self;
                Ok($found)
            }

            $($method)*
        }
    };
}
pub(crate) use item_question;
