//! Whether all indices of texture coordinates or normals name something.

use crate::report::warning::AttributeIndex;

/// How many a stretch of text defines of one kind, and how far its indices reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    pub(super) defined: u64,
    /// The highest index from the start, and its line.
    highest: Option<(i64, u64)>,
    /// The index that reaches back farthest before this stretch.
    lowest: Option<Back>,
}

/// How far the indices of one line reach.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    /// 0 when none is positive.
    highest: i64,
    /// 0 when none is negative or 0.
    lowest: i64,
}

impl Span {
    /// Index 0 reaches farthest, for it names nothing; no other index is so low.
    const ZERO: i64 = i64::MIN;

    #[inline]
    pub(super) fn take(&mut self, index: i64) {
        self.highest = self.highest.max(index);
        self.lowest = self.lowest.min(if index == 0 { Span::ZERO } else { index });
    }
}

/// An index that reaches back.
#[derive(Clone, Copy, Debug)]
struct Back {
    /// As written.
    index: i64,
    /// How many were defined before it, in the same stretch.
    defined: u64,
    line: u64,
}

impl Back {
    /// The place it names, relative to the start of the stretch.
    fn place(&self) -> i64 {
        // Index 0 names nothing, wherever it stands.
        match self.index {
            0 => i64::MIN,
            index => index.saturating_add_unsigned(self.defined),
        }
    }
}

impl Reach {
    /// Notes an index. Only the farthest ones need to be kept: whether they exist decides
    /// about all.
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

    /// Notes all indices of one line.
    pub(super) fn refer_to_all(&mut self, span: Span, line: u64) {
        if span.highest > 0 {
            self.refer(span.highest, line);
        }
        match span.lowest {
            Span::ZERO => self.refer(0, line),
            index @ ..0 => self.refer(index, line),
            _ => {}
        }
    }

    /// Puts a later stretch behind this one.
    pub(super) fn append(&mut self, later: &Reach, line_shift: u64) {
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

    /// An index that names nothing in the whole text, if there is one.
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

    /// What is found when the events (a definition or an index) are cut into two stretches.
    fn found(events: &[Option<i64>], cut: usize) -> Option<(i64, u64, u64)> {
        let mut whole = Reach::default();
        for (stretch, shift) in [(&events[..cut], 0), (&events[cut..], cut as u64)] {
            let mut part = Reach::default();
            for (line, event) in (1..).zip(stretch) {
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
