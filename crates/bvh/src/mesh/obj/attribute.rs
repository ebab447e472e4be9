//! Texture coordinates and normals.

use estoc_core::glam::{Vec2, Vec3};

use super::indices::{Indices, NOTHING};
use super::number::parse_f32;
use super::reach::Reach;
use super::words::Words;
use crate::mesh::AttributeIndex;
use crate::mesh::attributes::CornerValues;

/// What a stretch of text defines and names of one kind.
#[derive(Debug, Default)]
pub(super) struct Attribute<V> {
    /// Whether values are kept, or only counted and their indices checked.
    keep: bool,
    /// Those that could not be read are not finite.
    values: Vec<V>,
    indices: Indices,
    reach: Reach,
}

impl<V: Copy + Default> Attribute<V> {
    pub(super) fn new(keep: bool) -> Self {
        Attribute {
            keep,
            ..Attribute::default()
        }
    }

    /// How many are defined, kept or not.
    pub(super) fn defined(&self) -> u64 {
        self.reach.defined
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

    /// Notes the index of a corner that comes after all others.
    pub(super) fn refer(&mut self, corner: usize, index: i64, line: u64) {
        self.reach.refer(index, line);
        // What no mesh can hold names nothing, like a corner without an index.
        if self.keep && index != 0 && index < i64::from(NOTHING) {
            self.indices.set(corner, index, self.values.len());
        }
    }

    /// Forgets what this corner and those after it name. Their indices were checked, though.
    pub(super) fn forget_corners(&mut self, start: usize) {
        self.indices.truncate(start);
    }

    /// Puts a later stretch behind this one, whose first corner is `corner`.
    pub(super) fn append(&mut self, later: &Attribute<V>, corner: usize, line_shift: u64) {
        let indices = &mut self.indices;
        indices.append(&later.indices, corner, self.reach.defined);
        indices.forget_far();
        self.values.extend_from_slice(&later.values);
        self.reach.append(&later.reach, line_shift);
    }

    /// An index that names nothing in the whole text, if there is one.
    pub(super) fn out_of_range(&self) -> Option<AttributeIndex> {
        self.reach.out_of_range()
    }

    /// Makes ready to cut faces; `triangles` is how many there may be.
    pub(super) fn by_triangle(&self, triangles: usize) -> ByTriangle<'_> {
        let defined = u32::try_from(self.values.len()).unwrap_or(NOTHING);
        let faces = self.indices.places();
        let named = faces.iter().any(|&place| place < defined);
        ByTriangle {
            faces: if named { faces } else { &[] },
            defined,
            triangles: Vec::with_capacity(if named { triangles } else { 0 }),
        }
    }

    /// All values, with what the corners of triangles name.
    pub(super) fn corner_values(self, indices: Vec<[u32; 3]>) -> CornerValues<V> {
        CornerValues {
            values: self.values,
            indices,
        }
    }
}

/// Turns what corners of faces name into what corners of triangles name.
pub(super) struct ByTriangle<'a> {
    /// Empty when nothing that exists is named.
    faces: &'a [u32],
    defined: u32,
    triangles: Vec<[u32; 3]>,
}

impl ByTriangle<'_> {
    /// The next triangle has these corners of the face whose first corner is `start`.
    pub(super) fn push(&mut self, start: usize, corners: [u32; 3]) {
        if self.faces.is_empty() {
            return;
        }
        self.triangles.push(corners.map(|corner| {
            let place = self.faces.get(start + corner as usize);
            let exists = place.filter(|&&place| place < self.defined);
            *exists.unwrap_or(&NOTHING)
        }));
    }

    pub(super) fn finish(self) -> Vec<[u32; 3]> {
        self.triangles
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
