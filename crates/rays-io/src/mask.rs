//! Masks of rays.

/// The mask of a ray without one: it sees all.
pub(crate) const ALL: u32 = u32::MAX;

/// The end of a message about what is no mask.
pub(crate) const WANTED: &str = "which is not a whole number from -2147483648 to 4294967295; correct it, \
                                 or rename the column if it holds no masks of rays";
