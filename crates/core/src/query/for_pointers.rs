//! Engines behind pointers.

/// Implements a trait of engines for pointers to an engine `E`, with the parameters in brackets.
macro_rules! for_pointers {
    (@one [$($parameter:tt)*] $trait:path, $pointer:ty, { $($body:tt)* }) => {
        impl<$($parameter)* + ?Sized> $trait for $pointer {
            $($body)*
        }
    };
    ($parameters:tt $trait:path, $body:tt) => {
        for_pointers!(@one $parameters $trait, &E, $body);
        for_pointers!(@one $parameters $trait, alloc::boxed::Box<E>, $body);
        for_pointers!(@one $parameters $trait, alloc::sync::Arc<E>, $body);
    };
}
pub(super) use for_pointers;
