//! `map` for small arrays, inlined in every build.

/// Maps small arrays as `array.map(f)` does.
///
/// The standard `map` consists of several generic functions. In a program built with
/// `lto = "off"`, these stay calls, and single rays then reach 0.65 to 0.9 of the speed.
#[doc(hidden)]
pub trait InlineMap<T> {
    /// The array type with other elements.
    type Mapped<U>;

    /// Returns `f` of each element, in order.
    fn inline_map<U>(self, f: impl FnMut(T) -> U) -> Self::Mapped<U>;
}

macro_rules! inline_map {
    ($count:literal: $($element:ident)*) => {
        impl<T> InlineMap<T> for [T; $count] {
            type Mapped<U> = [U; $count];

            #[inline(always)]
            fn inline_map<U>(self, mut f: impl FnMut(T) -> U) -> [U; $count] {
                let [$($element),*] = self;
                [$(f($element)),*]
            }
        }
    };
}

inline_map!(2: a b);
inline_map!(3: a b c);
inline_map!(4: a b c d);
inline_map!(5: a b c d e);
inline_map!(8: a b c d e f g h);
inline_map!(9: a b c d e f g h i);
