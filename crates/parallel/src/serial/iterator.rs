//! Parallel iterators that are iterated in order.

/// A parallel iterator that yields what this iterator does, in order.
///
/// It is not an [`Iterator`], whose methods would be confused with those of [`ParallelIterator`].
#[derive(Clone, Debug)]
pub struct Serial<I>(pub(super) I);

impl<I: Iterator> IntoIterator for Serial<I> {
    type Item = I::Item;
    type IntoIter = I;

    fn into_iter(self) -> I {
        self.0
    }
}

impl<I: Iterator> ParallelIterator for Serial<I> {}

impl<I: Iterator> IndexedParallelIterator for Serial<I> {}

/// Conversion into a [`ParallelIterator`], for everything that can be iterated.
pub trait IntoParallelIterator: IntoIterator + Sized {
    /// Returns the items as a parallel iterator.
    fn into_par_iter(self) -> Serial<Self::IntoIter> {
        Serial(self.into_iter())
    }
}

impl<I: IntoIterator> IntoParallelIterator for I {}

/// The methods of rayon's `ParallelIterator` that estoc uses.
pub trait ParallelIterator: IntoIterator + Sized {
    /// Yields what `f` returns for each item.
    fn map<R>(self, f: impl Fn(Self::Item) -> R) -> Serial<impl Iterator<Item = R>> {
        Serial(self.into_iter().map(f))
    }

    /// Yields what `f` returns for each item, with one value of `init` that all calls share.
    fn map_init<T, R>(
        self,
        init: impl Fn() -> T,
        f: impl Fn(&mut T, Self::Item) -> R,
    ) -> Serial<impl Iterator<Item = R>> {
        let mut state = init();
        Serial(self.into_iter().map(move |item| f(&mut state, item)))
    }

    /// Yields the items of the iterators that `f` returns.
    fn flat_map_iter<R: IntoIterator>(
        self,
        f: impl Fn(Self::Item) -> R,
    ) -> Serial<impl Iterator<Item = R::Item>> {
        Serial(self.into_iter().flat_map(f))
    }

    /// Yields the items that satisfy `f`.
    fn filter(self, f: impl Fn(&Self::Item) -> bool) -> Serial<impl Iterator<Item = Self::Item>> {
        Serial(self.into_iter().filter(f))
    }

    /// Calls `f` with each item.
    fn for_each(self, f: impl Fn(Self::Item)) {
        self.into_iter().for_each(f);
    }

    /// Calls `f` with each item until it fails, and returns that error.
    fn try_for_each<E>(self, f: impl Fn(Self::Item) -> Result<(), E>) -> Result<(), E> {
        self.into_iter().try_for_each(f)
    }

    /// Returns whether an item satisfies `f`.
    fn any(self, f: impl Fn(Self::Item) -> bool) -> bool {
        self.into_iter().any(f)
    }

    /// Returns the first of the values that `f` returns.
    fn find_map_first<R>(self, f: impl Fn(Self::Item) -> Option<R>) -> Option<R> {
        self.into_iter().find_map(f)
    }

    /// Combines all items, beginning with `identity`.
    fn reduce(
        self,
        identity: impl Fn() -> Self::Item,
        op: impl Fn(Self::Item, Self::Item) -> Self::Item,
    ) -> Self::Item {
        self.into_iter().fold(identity(), op)
    }

    /// Combines the values of all items, beginning with `identity`, until an item or `op` fails.
    fn try_reduce<T, E>(
        self,
        identity: impl Fn() -> T,
        op: impl Fn(T, T) -> Result<T, E>,
    ) -> Result<T, E>
    where
        Self: IntoIterator<Item = Result<T, E>>,
    {
        self.into_iter()
            .try_fold(identity(), |whole, item| op(whole, item?))
    }

    /// Collects all items.
    fn collect<C: FromIterator<Self::Item>>(self) -> C {
        self.into_iter().collect()
    }
}

/// The methods of rayon's `IndexedParallelIterator` that estoc uses.
///
/// Rayon implements it only for iterators that know their length and can be split anywhere.
pub trait IndexedParallelIterator: ParallelIterator {
    /// Yields each item with its number.
    fn enumerate(self) -> Serial<impl Iterator<Item = (usize, Self::Item)>> {
        Serial(self.into_iter().enumerate())
    }

    /// Yields pairs, until one of the iterators ends.
    fn zip<Z: IntoIterator>(self, other: Z) -> Serial<impl Iterator<Item = (Self::Item, Z::Item)>> {
        Serial(self.into_iter().zip(other))
    }

    /// Returns the same iterator: how many items a thread takes at least is for rayon.
    fn with_min_len(self, _: usize) -> Self {
        self
    }

    /// Replaces the contents of `to` by the items.
    fn collect_into_vec(self, to: &mut Vec<Self::Item>) {
        to.clear();
        to.extend(self);
    }
}
