//! Engines behind pointers.

/// Implements a trait of engines for pointers to an engine `E`, with the parameters in brackets.
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
}
pub(crate) use for_pointers;
