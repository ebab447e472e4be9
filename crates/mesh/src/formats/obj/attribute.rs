//! Texture coordinates and normals.

use bytemuck::Pod;
use estoc_core::glam::{Vec2, Vec3};

use super::corner_indices::{Indices, NOTHING};
use super::index_reach::{Reach, Span};
use super::statement_words::Words;
use crate::text::number::parse_f32;

/// What a block of text defines and names of one kind.
#[derive(Debug, Default)]
pub(super) struct Attribute<V> {
    /// Whether values are kept, or only counted and their indices checked.
    keep: bool,
    /// Those that could not be read are not finite.
    values: Vec<V>,
    indices: Indices,
    reach: Reach,
}

impl<V: Pod> Attribute<V> {
    pub(super) fn new(keep: bool) -> Self {
        Attribute {
            keep,
            values: Vec::new(),
            indices: Indices::default(),
            reach: Reach::default(),
        }
    }

    /// How many are defined, kept or not.
    pub(super) fn defined(&self) -> u64 {
        self.reach.defined
    }

    /// How many are defined and how far indices reach.
    pub(super) fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Whether nothing needs to be known of the values and corners.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.indices.places().is_empty()
    }

    /// Takes a definition; returns whether it can be used, as far as anybody looks.
    pub(super) fn define(&mut self, text: &[u8], parse: fn(&[u8]) -> Option<V>, unfit: V) -> bool {
        self.reach.defined += 1;
        if !self.keep {
            return true;
        }
        let value = parse(text);
        self.values.push(value.unwrap_or(unfit));
        value.is_some()
    }

    /// Takes a definition that was read already.
    pub(super) fn define_read(&mut self, value: V) {
        self.reach.defined += 1;
        if self.keep {
            self.values.push(value);
        }
    }

    /// Notes the index of a corner that comes after all others; that it is checked is up to
    /// [`Attribute::check`].
    #[inline]
    pub(super) fn refer(&mut self, corner: usize, index: i64) {
        // What no mesh can hold names nothing, like a corner without an index.
        if self.keep && index != 0 && index < i64::from(NOTHING) {
            self.indices.set(corner, index, self.values.len());
        }
    }

    /// Has the indices of a line checked.
    #[inline]
    pub(super) fn check(&mut self, span: Span, line: u64) {
        self.reach.refer_to_all(span, line);
    }

    /// Forgets what this corner and those after it name. If their indices are to be checked,
    /// they will be, though.
    pub(super) fn forget_corners(&mut self, start: usize) {
        self.indices.truncate(start);
    }

    /// Gives back room that was not needed.
    pub(super) fn shrink(&mut self) {
        self.values.shrink_to_fit();
        self.indices.shrink();
    }

    /// Takes the values out.
    pub(super) fn take_values(&mut self) -> Vec<V> {
        core::mem::take(&mut self.values)
    }

    /// Makes places count from the start of the text, where so many are defined before the
    /// block.
    pub(super) fn resolve(&mut self, before: u64) {
        self.indices.resolve(before);
    }

    /// Whether any corner names one of so many.
    pub(super) fn names_any(&self, defined: u32) -> bool {
        self.indices.places().iter().any(|&place| place < defined)
    }

    /// Has each of the first `corners` name one of so many, or [`NOTHING`].
    pub(super) fn settle(&mut self, corners: usize, defined: u32) {
        self.indices.settle(corners, defined);
    }

    /// By corner: what it names.
    pub(super) fn places(&self) -> &[u32] {
        self.indices.places()
    }
}

/// `u [v [w]]`: v is 0 when it is missing, and what follows it is not looked at. `None` when
/// the numbers cannot be read or are not finite.
pub(super) fn parse_texture(text: &[u8]) -> Option<Vec2> {
    let mut words = Words::new(text);
    let u = parse_f32(words.next()?)?;
    let v = words.next().map_or(Some(0.0), parse_f32)?;
    let value = Vec2::new(u, v);
    value.is_finite().then_some(value)
}

/// `x y z`; what follows is not looked at. `None` when the numbers cannot be read or are not
/// finite.
pub(super) fn parse_normal(text: &[u8]) -> Option<Vec3> {
    let mut words = Words::new(text);
    let mut next = || parse_f32(words.next()?);
    let value = Vec3::new(next()?, next()?, next()?);
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_all_forms() {
        for (text, expected) in [
            (" 0.25 .5", Some([0.25, 0.5])),
            (" 1", Some([1.0, 0.0])),
            (" 1 2 3", Some([1.0, 2.0])),
            (" -1e1 2 x", Some([-10.0, 2.0])),
            (" 1#2", Some([1.0, 0.0])),
            ("", None),
            (" # 1 2", None),
            (" x 1", None),
            (" 1 x", None),
            (" 1 nan", None),
            (" 1e39 0", None),
        ] {
            let value = parse_texture(text.as_bytes());
            assert_eq!(value, expected.map(Vec2::from), "{text:?}");
        }
        for (text, expected) in [
            (" 0 0 1", Some([0.0, 0.0, 1.0])),
            (" 0 -0.5 9 9", Some([0.0, -0.5, 9.0])),
            (" 0 0", None),
            (" 0 0 # 1", None),
            (" 0 0 1.#IND", None),
            (" 0 0 inf", None),
            (" a b c", None),
        ] {
            let value = parse_normal(text.as_bytes());
            assert_eq!(value, expected.map(Vec3::from), "{text:?}");
        }
    }
}
