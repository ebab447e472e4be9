//! Ids of the caller's triangles.

use core::fmt;
use core::num::NonZeroU32;

/// The id of a triangle: its index in the caller's mesh, from 0 in the order of the input.
///
/// Trees reorder triangles internally; an internal slot is never a `PrimId`, and every answer
/// contains `PrimId`s. Ids break ties: of two hits at the same exact parameter the lower id comes
/// first.
///
/// `Option<PrimId>` and `Option<Hit>` need no extra space. Therefore the highest id is
/// [`PrimId::MAX`], one below `u32::MAX`.
#[doc(alias = "prim_id")]
#[doc(alias = "primitive_id")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u32", into = "u32"))]
pub struct PrimId(NonZeroU32);

impl PrimId {
    /// The highest id. A mesh has at most `PrimId::MAX.index() + 1` triangles.
    pub const MAX: PrimId = PrimId(NonZeroU32::MAX);

    /// Returns the id of triangle `index`, or `None` above [`PrimId::MAX`].
    pub const fn new(index: u32) -> Option<Self> {
        match NonZeroU32::new(index.wrapping_add(1)) {
            Some(stored) => Some(PrimId(stored)),
            None => None,
        }
    }

    /// Returns the id of triangle `index`, or `None` above [`PrimId::MAX`].
    pub fn from_index(index: usize) -> Option<Self> {
        u32::try_from(index).ok().and_then(Self::new)
    }

    /// Returns the triangle's index in the caller's mesh.
    pub const fn get(self) -> u32 {
        self.0.get() - 1
    }

    /// Returns the same number as a `usize`, to index slices with.
    pub const fn index(self) -> usize {
        self.get() as usize
    }
}

impl From<PrimId> for u32 {
    #[inline]
    fn from(prim: PrimId) -> u32 {
        prim.get()
    }
}

impl TryFrom<u32> for PrimId {
    type Error = PrimIdError;

    /// Returns the id of triangle `index`.
    ///
    /// # Errors
    /// [`PrimIdError`] above [`PrimId::MAX`]: `u32::MAX` means a miss.
    #[inline]
    fn try_from(index: u32) -> Result<Self, PrimIdError> {
        PrimId::new(index).ok_or(PrimIdError)
    }
}

/// The error for `u32::MAX`, which is not a [`PrimId`]: columns of hits use it for a miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("u32::MAX is not a valid triangle id: it means a miss")]
pub struct PrimIdError;

impl fmt::Debug for PrimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrimId({})", self.get())
    }
}

impl fmt::Display for PrimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

const _: () = assert!(size_of::<Option<PrimId>>() == 4);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_their_number_and_order() {
        for index in [0, 1, 7, u32::MAX - 1] {
            assert_eq!(PrimId::new(index).unwrap().get(), index);
        }
        assert_eq!(PrimId::new(u32::MAX), None);
        assert_eq!(PrimId::from_index(u32::MAX as usize), None);
        assert_eq!(PrimId::MAX.get(), u32::MAX - 1);
        assert_eq!(u32::from(PrimId::MAX), u32::MAX - 1);
        assert_eq!(PrimId::try_from(7), Ok(PrimId::new(7).unwrap()));
        assert_eq!(PrimId::try_from(u32::MAX), Err(PrimIdError));
        assert!(PrimId::new(3) < PrimId::new(4));
    }
}
