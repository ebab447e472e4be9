//! The indices of the corners of faces, before the whole text is known.

use crate::value_runs::ValueRuns;
use estoc_system::{Growth, NoMemory};

/// The index of a corner that refers to nothing; no mesh has this many elements.
pub(super) const NOTHING: u32 = u32::MAX;

/// The zero-based index of a vertex, texture coordinate or normal for each corner, face after face.
///
/// Within a block of text, negative indices are relative to the start of the block until
/// [`Indices::resolve`] adds the number of earlier definitions.
#[derive(Debug, Default)]
pub(super) struct Indices {
    /// Corners beyond the end refer to nothing.
    places: Vec<u32>,
    /// For each corner, whether its index is relative to the start of the block rather than the
    /// text.
    relative: ValueRuns<bool>,
    far: Vec<Far>,
}

/// A corner whose index refers to before the start of the block, or beyond any mesh.
#[derive(Clone, Copy, Debug)]
struct Far {
    corner: usize,
    /// As written.
    index: i64,
    /// For a negative index, the element it refers to, relative to the start of the block.
    from_block: Option<i64>,
}

impl Indices {
    /// Returns the index of each corner; those beyond the end are [`NOTHING`].
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// Reserves capacity for about `corners` more, if there is memory for it.
    pub(super) fn reserve(&mut self, corners: usize) {
        let _ = self.places.make_room(corners);
    }

    /// Shrinks the array to its contents.
    pub(super) fn shrink(&mut self) {
        self.places.trim();
    }

    /// Sets the index of a corner after all others; `defined` elements of its kind precede it in
    /// the block.
    #[inline]
    pub(super) fn set(
        &mut self,
        corner: usize,
        index: i64,
        defined: usize,
    ) -> Result<(), NoMemory> {
        if self.places.len() < corner {
            self.places.try_resize(corner, NOTHING)?;
        }
        let relative = index < 0;
        let place = match relative {
            true => index.saturating_add_unsigned(defined as u64),
            false => index - 1,
        };
        match u32::try_from(place) {
            Ok(place) if place != NOTHING => {
                if self.relative.changes().last().map(|last| last.1) != Some(relative) {
                    self.relative.set(corner, relative)?;
                }
                self.places.try_push(place)?;
            }
            _ => {
                self.relative.set(corner, false)?;
                self.places.try_push(NOTHING)?;
                self.far.try_push(Far {
                    corner,
                    index,
                    from_block: relative.then_some(place),
                })?;
            }
        }
        Ok(())
    }

    /// Removes this corner and those after it.
    pub(super) fn truncate(&mut self, corner: usize) {
        self.places.truncate(corner);
        self.relative.truncate(corner);
        while self.far.pop_if(|far| far.corner >= corner).is_some() {}
    }

    /// Makes indices relative to the start of the text, with `defined` elements before this block.
    pub(super) fn resolve(&mut self, defined: u64) {
        let len = self.places.len();
        for (span, relative) in self.relative.spans(len, false) {
            if relative {
                for place in self.places[span].iter_mut().filter(|p| **p != NOTHING) {
                    let whole = u64::from(*place).saturating_add(defined);
                    *place = u32::try_from(whole).unwrap_or(NOTHING);
                }
            }
        }
        self.relative = ValueRuns::default();
        let places = &mut self.places;
        self.far.retain_mut(|far| {
            let place = far.from_block.take();
            let place = place.map(|p| p.saturating_add_unsigned(defined));
            let found = place.and_then(|place| u32::try_from(place).ok());
            if let Some(place) = found {
                places[far.corner] = place;
            }
            found.is_none()
        });
    }

    /// Sets the indices that are not below `defined` to [`NOTHING`], and the number of corners to
    /// `corners`.
    pub(super) fn settle(&mut self, corners: usize, defined: u32) -> Result<(), NoMemory> {
        for place in &mut self.places {
            if *place >= defined {
                *place = NOTHING;
            }
        }
        self.places.try_resize(corners, NOTHING)
    }

    /// Returns the index as written of a corner that refers to nothing in the whole text.
    pub(super) fn far_index(&self, corner: usize) -> Option<i64> {
        let at = self.far.binary_search_by_key(&corner, |far| far.corner);
        Some(self.far[at.ok()?].index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the index of each corner when the events (a definition or a corner's index, 0 for
    /// none) are split into two blocks.
    fn named(events: &[Option<i64>], cut: usize) -> Vec<u32> {
        let mut places = Vec::new();
        let mut defined = 0;
        for block in [&events[..cut], &events[cut..]] {
            let mut part = Indices::default();
            let (mut part_corners, mut part_defined) = (0, 0);
            for event in block {
                match event {
                    None => part_defined += 1,
                    Some(0) => part_corners += 1,
                    Some(index) => {
                        part.set(part_corners, *index, part_defined).unwrap();
                        part_corners += 1;
                    }
                }
            }
            part.resolve(defined);
            part.settle(part_corners, NOTHING).unwrap();
            places.extend_from_slice(part.places());
            defined += part_defined as u64;
        }
        places
    }

    #[test]
    fn corners_name_the_same_however_the_text_is_cut() {
        let define = None;
        let none = NOTHING;
        type Case<'a> = (&'a [Option<i64>], &'a [u32]);
        let table: [Case<'_>; 7] = [
            (&[define, Some(1), Some(-1)], &[0, 0]),
            (&[Some(2), define, define], &[1]),
            (
                &[define, Some(0), Some(-1), define, Some(0)],
                &[none, 0, none],
            ),
            (
                &[define, define, Some(-2), define, Some(-3), Some(-1)],
                &[0, 0, 2],
            ),
            (&[define, Some(-2), define, Some(1)], &[none, 0]),
            (
                &[Some(1 << 32), Some((1 << 32) - 1), Some(i64::MAX)],
                &[none, u32::MAX - 1, none],
            ),
            (&[define, Some(-i64::MAX), Some(1)], &[none, 0]),
        ];
        for (events, expected) in table {
            for cut in 0..=events.len() {
                assert_eq!(named(events, cut), expected, "{events:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn forgotten_corners_leave_nothing() {
        let mut indices = Indices::default();
        indices.set(0, 3, 0).unwrap();
        indices.set(1, -5, 1).unwrap();
        indices.set(2, -1, 1).unwrap();
        indices.truncate(1);
        indices.set(1, 2, 1).unwrap();
        indices.resolve(10);
        assert_eq!(indices.places(), [2, 1]);
        assert_eq!(indices.far_index(1), None);
    }

    #[test]
    fn what_was_written_is_remembered() {
        let mut indices = Indices::default();
        indices.set(0, -7, 2).unwrap();
        indices.set(1, 1, 2).unwrap();
        indices.set(2, i64::MAX, 2).unwrap();
        indices.resolve(4);
        let far = [0, 1, 2].map(|corner| indices.far_index(corner));
        assert_eq!(far, [Some(-7), None, Some(i64::MAX)]);
    }

    #[test]
    fn what_does_not_exist_is_nothing() {
        let mut indices = Indices::default();
        indices.set(1, 3, 0).unwrap();
        indices.set(2, 4, 0).unwrap();
        indices.settle(4, 3).unwrap();
        assert_eq!(indices.places(), [NOTHING, 2, NOTHING, NOTHING]);
    }
}
