//! Engines behind pointers.

/// Implements a trait of engines for pointers to an engine `E`, with the parameters in brackets. What
/// stands before `but unmasked` is also implemented for [`Unmasked`](crate::Unmasked), which keeps the
/// defaults of the rest.
macro_rules! for_pointers {
    (@one [$($parameter:tt)*] $trait:path, $engine:ty, { $($body:tt)* }) => {
        impl<$($parameter)* + ?Sized> $trait for $engine {
            $($body)*
        }
    };
    ($parameters:tt $trait:path, $body:tt) => {
        for_pointers!(@one $parameters $trait, &E, $body);
        for_pointers!(@one $parameters $trait, alloc::boxed::Box<E>, $body);
        for_pointers!(@one $parameters $trait, alloc::sync::Arc<E>, $body);
    };
    ($parameters:tt $trait:path, { $($all:tt)* } but unmasked { $($rest:tt)* }) => {
        for_pointers!(@one $parameters $trait, $crate::engine::Unmasked<'_, E>, { $($all)* });
        for_pointers!($parameters $trait, { $($all)* $($rest)* });
    };
}
pub(crate) use for_pointers;
