//! Texture coordinates and normals.

use bytemuck::Pod;
use estoc_core::glam::{Vec2, Vec3};
use estoc_system::{Growth, NoMemory};

use super::corner_indices::{Indices, NOTHING};
use super::index_reach::IndexReach;
use super::statement_words::Words;
use crate::report::Findings;
use crate::text::number::parse_f32;

/// The values and indices of one kind in a block of text.
#[derive(Debug, Default)]
pub(super) struct Attribute<V> {
    /// Whether values are stored, or only counted and their indices checked.
    keep: bool,
    /// The values; those that could not be parsed are not finite.
    pub(super) values: Vec<V>,
    pub(super) indices: Indices,
    /// The number of definitions, stored or not, and the range of the indices.
    pub(super) reach: IndexReach,
}

impl<V: Pod> Attribute<V> {
    pub(super) fn new(keep: bool) -> Self {
        Attribute {
            keep,
            values: Vec::new(),
            indices: Indices::default(),
            reach: IndexReach::default(),
        }
    }

    /// Returns whether there are neither values nor indices.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.indices.places().is_empty()
    }

    /// Adds the definition of a line; one that is invalid, as far as it is parsed, is stored as `unfit`
    /// and counted in `unreadable`.
    pub(super) fn define(
        &mut self,
        (text, line): (&[u8], u64),
        parse: fn(&[u8]) -> Option<V>,
        unfit: V,
        unreadable: &mut Findings,
    ) -> Result<(), NoMemory> {
        let id = self.reach.defined;
        self.reach.defined += 1;
        if !self.keep {
            return Ok(());
        }
        let value = parse(text);
        if value.is_none() {
            unreadable.add(id, Some(line));
        }
        self.values.try_push(value.unwrap_or(unfit))
    }

    /// Adds a definition that was parsed already.
    pub(super) fn define_read(&mut self, value: V) -> Result<(), NoMemory> {
        self.reach.defined += 1;
        match self.keep {
            true => self.values.try_push(value),
            false => Ok(()),
        }
    }

    /// Sets the index of a corner after all others; [`IndexReach::refer_to_all`] records it for
    /// validation.
    #[inline]
    pub(super) fn refer(&mut self, corner: usize, index: i64) -> Result<(), NoMemory> {
        // An index that no mesh can have refers to nothing, like a corner without an index.
        if self.keep && index != 0 && index < i64::from(NOTHING) {
            self.indices.set(corner, index, self.values.len())?;
        }
        Ok(())
    }

    /// Shrinks the arrays to their contents.
    pub(super) fn shrink(&mut self) {
        self.values.trim();
        self.indices.shrink();
    }
}

/// Parses `u [v [w]]`: v is 0 if missing, and anything after it is ignored. Returns `None` if the
/// numbers cannot be parsed or are not finite.
pub(super) fn parse_texture(text: &[u8]) -> Option<Vec2> {
    let mut words = Words::new(text);
    let u = parse_f32(words.next()?)?;
    let v = words.next().map_or(Some(0.0), parse_f32)?;
    let value = Vec2::new(u, v);
    value.is_finite().then_some(value)
}

/// Parses `x y z` and ignores anything after it. Returns `None` if the numbers cannot be parsed or
/// are not finite.
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
