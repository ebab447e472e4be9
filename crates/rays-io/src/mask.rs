//! Masks of rays.

/// The mask of a ray without one: it sees all.
pub(crate) const ALL: u32 = u32::MAX;

/// The numbers that masks are written as.
pub(crate) const NUMBERS: &str = "a whole number from -2147483648 to 4294967295";

/// Returns the 32 bits of a number, which may be signed, as in Spark, or not; -1 is all bits.
pub(crate) fn mask_of(number: i64) -> Option<u32> {
    let signed = || i32::try_from(number).ok().map(i32::cast_unsigned);
    u32::try_from(number).ok().or_else(signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_32_bits_signed_or_not() {
        let of = |number: i64| mask_of(number);
        assert_eq!((of(0), of(-1), of(5)), (Some(0), Some(ALL), Some(5)));
        assert_eq!(of(i64::from(i32::MIN)), Some(1 << 31));
        assert_eq!(of(i64::from(u32::MAX)), Some(ALL));
        assert_eq!(of(i64::from(u32::MAX) + 1), None);
        assert_eq!(of(i64::from(i32::MIN) - 1), None);
    }
}
