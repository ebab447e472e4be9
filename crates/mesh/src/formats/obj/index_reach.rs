//! Checks that all indices of texture coordinates or normals are in range.

use crate::report::warning::AttributeIndex;

/// The number of definitions of one kind in a part of a text, and the range of its indices.
#[derive(Clone, Debug, Default)]
pub(super) struct IndexReach {
    pub(super) defined: u64,
    /// The highest positive index, and its line.
    highest: Option<(i64, u64)>,
    /// The index that refers farthest back before this part.
    lowest: Option<Back>,
}

/// The range of the indices of one line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IndexSpan {
    /// 0 if none is positive.
    highest: i64,
    /// 0 if none is negative or 0.
    lowest: i64,
}

impl IndexSpan {
    /// Stands for index 0, which refers to nothing and therefore ranks as the lowest; no other
    /// index is this low.
    const ZERO: i64 = i64::MIN;

    #[inline]
    pub(super) fn take(&mut self, index: i64) {
        self.highest = self.highest.max(index);
        self.lowest = self
            .lowest
            .min(if index == 0 { IndexSpan::ZERO } else { index });
    }
}

/// A negative index, or 0.
#[derive(Clone, Copy, Debug)]
struct Back {
    /// As written.
    index: i64,
    /// The number of definitions before it in the same part.
    defined: u64,
    line: u64,
}

impl Back {
    /// Returns the element it refers to, relative to the start of the part.
    fn place(&self) -> i64 {
        // Index 0 is always out of range.
        match self.index {
            0 => i64::MIN,
            index => index.saturating_add_unsigned(self.defined),
        }
    }
}

impl IndexReach {
    /// Records an index. Only the extreme ones are stored: all are in range if these are.
    pub(super) fn refer(&mut self, index: i64, line: u64) {
        if index > 0 {
            if self.highest.is_none_or(|(highest, _)| index > highest) {
                self.highest = Some((index, line));
            }
        } else {
            let back = Back {
                index,
                defined: self.defined,
                line,
            };
            if back.place() < 0 && self.lowest.is_none_or(|low| back.place() < low.place()) {
                self.lowest = Some(back);
            }
        }
    }

    /// Records all indices of one line.
    pub(super) fn refer_to_all(&mut self, span: IndexSpan, line: u64) {
        if span.highest > 0 {
            self.refer(span.highest, line);
        }
        match span.lowest {
            IndexSpan::ZERO => self.refer(0, line),
            index @ ..0 => self.refer(index, line),
            _ => {}
        }
    }

    /// Appends a later part.
    pub(super) fn append(&mut self, later: &IndexReach, line_shift: u64) {
        if let Some((index, line)) = later.highest {
            self.refer(index, line + line_shift);
        }
        if let Some(back) = later.lowest {
            let before = self.defined;
            self.defined += back.defined;
            self.refer(back.index, back.line + line_shift);
            self.defined = before;
        }
        self.defined += later.defined;
    }

    /// Returns an index that is out of range in the whole text, if there is one.
    pub(super) fn out_of_range(&self) -> Option<AttributeIndex> {
        let back = self.lowest.map(|back| AttributeIndex {
            index: back.index,
            line: back.line,
            defined: back.defined,
        });
        back.or_else(|| {
            let (index, line) = self.highest?;
            (index.cast_unsigned() > self.defined).then_some(AttributeIndex {
                index,
                line,
                defined: self.defined,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the result when the events (a definition or an index) are split into two parts.
    fn found(events: &[Option<i64>], cut: usize) -> Option<(i64, u64, u64)> {
        let mut whole = IndexReach::default();
        for (events, shift) in [(&events[..cut], 0), (&events[cut..], cut as u64)] {
            let mut part = IndexReach::default();
            for (line, event) in (1..).zip(events) {
                match event {
                    None => part.defined += 1,
                    Some(index) => part.refer(*index, line),
                }
            }
            whole.append(&part, shift);
        }
        let found = whole.out_of_range()?;
        Some((found.index, found.line, found.defined))
    }

    #[test]
    fn only_indices_that_name_nothing_are_found_however_the_text_is_cut() {
        let define = None;
        type Case<'a> = (&'a [Option<i64>], Option<(i64, u64, u64)>);
        let table: [Case<'_>; 8] = [
            (&[define, Some(1), Some(-1)], None),
            (&[Some(2), define, define], None),
            (&[Some(3), define, define], Some((3, 1, 2))),
            (&[define, Some(-2), define], Some((-2, 2, 1))),
            (&[define, define, Some(-2), define, Some(-3)], None),
            (&[define, Some(0)], Some((0, 2, 1))),
            (&[define, Some(i64::MAX)], Some((i64::MAX, 2, 1))),
            (&[define, Some(i64::MIN + 1)], Some((i64::MIN + 1, 2, 1))),
        ];
        for (events, expected) in table {
            for cut in 0..=events.len() {
                assert_eq!(found(events, cut), expected, "{events:?} cut at {cut}");
            }
        }
    }
}
