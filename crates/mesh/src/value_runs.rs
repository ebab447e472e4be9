//! Values that are constant, or count up, over long runs of faces.
//!
//! Names, line numbers and face numbers change at few places of a file. Storing only the changes
//! takes bytes instead of megabytes; a lookup is a binary search.

use estoc_system::{Growth, NoMemory};

/// A value for every index, stored where it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct ValueRuns<T> {
    runs: Vec<(usize, T)>,
}

impl<T: Copy + PartialEq> ValueRuns<T> {
    /// Returns the runs of these values, each from its start on.
    pub(crate) fn of(values: impl IntoIterator<Item = (usize, T)>) -> Result<Self, NoMemory> {
        let mut runs = ValueRuns { runs: Vec::new() };
        for (start, value) in values {
            runs.set(start, value)?;
        }
        Ok(runs)
    }

    /// Sets the value from `start` on. Starts must not descend; of several values with the same
    /// start the last one counts.
    pub(crate) fn set(&mut self, start: usize, value: T) -> Result<(), NoMemory> {
        if self.runs.last().is_some_and(|&(last, _)| last == start) {
            self.runs.pop();
        }
        if self.runs.last().is_none_or(|&(_, old)| old != value) {
            self.runs.try_push((start, value))?;
        }
        Ok(())
    }

    /// Removes the changes at `end` or later.
    pub(crate) fn truncate(&mut self, end: usize) {
        while self.runs.pop_if(|&mut (start, _)| start >= end).is_some() {}
    }

    /// Returns the value at `index`, and the start of its run.
    pub(crate) fn get(&self, index: usize) -> Option<(usize, T)> {
        let after = self.runs.partition_point(|&(start, _)| start <= index);
        Some(self.runs[after.checked_sub(1)?])
    }

    /// Returns the changes, in order.
    pub(crate) fn changes(&self) -> &[(usize, T)] {
        &self.runs
    }

    /// Returns the runs of `0..len` with their values; `default` before the first change.
    pub(crate) fn spans(
        &self,
        len: usize,
        default: T,
    ) -> impl Iterator<Item = (core::ops::Range<usize>, T)> + '_ {
        let first = self.runs.first().map_or(len, |&(start, _)| start.min(len));
        let ends = self.runs[1.min(self.runs.len())..]
            .iter()
            .map(|&(start, _)| start)
            .chain([len]);
        let named = self
            .runs
            .iter()
            .zip(ends)
            .map(move |(&(start, value), end)| (start..end.min(len), value));
        core::iter::once((0..first, default))
            .chain(named)
            .filter(|(span, _)| !span.is_empty())
    }
}

/// A number for every index that mostly counts up with the index; stored where it does not.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberRuns {
    runs: Vec<(u64, u64)>,
}

impl NumberRuns {
    /// Sets the number at `index`; indices must ascend.
    #[inline]
    pub(crate) fn push(&mut self, index: u64, value: u64) -> Result<(), NoMemory> {
        let predicted = self.runs.last().map(|&(i, v)| v + (index - i));
        if predicted != Some(value) {
            self.runs.try_push((index, value))?;
        }
        Ok(())
    }

    /// Returns the number at `index`, which must have been pushed.
    pub(crate) fn get(&self, index: u64) -> Option<u64> {
        let after = self.runs.partition_point(|&(start, _)| start <= index);
        let (start, value) = self.runs[after.checked_sub(1)?];
        Some(value + (index - start))
    }

    /// Returns the indices where the number does not count up, in order.
    pub(crate) fn changes(&self) -> &[(u64, u64)] {
        &self.runs
    }

    /// Appends other runs, shifted.
    pub(crate) fn append(
        &mut self,
        other: &NumberRuns,
        index_shift: u64,
        value_shift: u64,
    ) -> Result<(), NoMemory> {
        let mut runs = other.runs.iter();
        runs.try_for_each(|&(index, value)| self.push(index + index_shift, value + value_shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_holds_until_the_next_and_the_last_word_counts() {
        let mut runs = ValueRuns::default();
        assert_eq!(runs.get(0), None);
        runs.set(2, 'a').unwrap();
        runs.set(4, 'a').unwrap();
        runs.set(5, 'b').unwrap();
        runs.set(5, 'c').unwrap();
        runs.set(7, 'd').unwrap();
        runs.set(7, 'c').unwrap();
        assert_eq!(runs.changes(), [(2, 'a'), (5, 'c')]);
        assert_eq!(runs.get(1), None);
        assert_eq!(runs.get(4), Some((2, 'a')));
        assert_eq!(runs.get(99), Some((5, 'c')));
        let spans: Vec<_> = runs.spans(6, '-').collect();
        assert_eq!(spans, [(0..2, '-'), (2..5, 'a'), (5..6, 'c')]);
        assert_eq!(runs.spans(1, '-').collect::<Vec<_>>(), [(0..1, '-')]);
        assert_eq!(ValueRuns::default().spans(0, 0).count(), 0);
    }

    #[test]
    fn runs_give_back_what_was_pushed() {
        let pushed = [(0, 10), (1, 11), (2, 13), (3, 14), (7, 18), (8, 30)];
        let mut ramp = NumberRuns::default();
        for (index, value) in pushed {
            ramp.push(index, value).unwrap();
        }
        assert_eq!(ramp.runs.len(), 3);
        let mut twice = ramp.clone();
        twice.append(&ramp, 9, 100).unwrap();
        for (index, value) in pushed {
            assert_eq!(ramp.get(index), Some(value));
            assert_eq!(twice.get(index), Some(value));
            assert_eq!(twice.get(index + 9), Some(value + 100));
        }
        assert_eq!(NumberRuns::default().get(0), None);
    }
}
