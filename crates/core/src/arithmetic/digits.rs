//! Arithmetic of absolute values: digits of 64 bits, the least digit first, without leading zeros.

use core::cmp::Ordering;
use smallvec::SmallVec;

/// The number of digits that need no memory from the heap.
const INLINE: usize = 16;

pub(super) type Digits = SmallVec<[u64; INLINE]>;

/// Removes leading zeros.
#[inline]
pub(super) fn finish(digits: &mut Digits) {
    let zeros = digits.iter().rev().take_while(|&&digit| digit == 0).count();
    digits.truncate(digits.len() - zeros);
}

/// Writes `digits * 2^places`.
pub(super) fn shift(shifted: &mut Digits, digits: &[u64], places: usize) {
    let (whole, part) = (places / 64, places % 64);
    shifted.resize(whole + digits.len() + 1, 0);
    let mut carry = 0;
    let (last, rest) = shifted[whole..]
        .split_last_mut()
        .expect("one more than digits");
    for (to, &digit) in rest.iter_mut().zip(digits) {
        *to = digit << part | carry;
        carry = if part > 0 { digit >> (64 - part) } else { 0 };
    }
    *last = carry;
    finish(shifted);
}

/// Compares absolute values.
pub(super) fn order(a: &[u64], b: &[u64]) -> Ordering {
    let lengths = a.len().cmp(&b.len());
    lengths.then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// Writes `a + b`.
pub(super) fn add(sum: &mut Digits, a: &[u64], b: &[u64]) {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    sum.extend_from_slice(long);
    let mut carry = false;
    for (place, digit) in sum.iter_mut().enumerate() {
        let other = match short.get(place) {
            Some(&other) => other,
            None if !carry => return,
            None => 0,
        };
        let (low, first) = digit.overflowing_add(other);
        let (low, second) = low.overflowing_add(u64::from(carry));
        (*digit, carry) = (low, first | second);
    }
    if carry {
        sum.push(1);
    }
}

/// Writes `a - b`, which must not be negative.
pub(super) fn subtract(difference: &mut Digits, a: &[u64], b: &[u64]) {
    difference.extend_from_slice(a);
    let mut borrow = false;
    for (place, digit) in difference.iter_mut().enumerate() {
        let other = match b.get(place) {
            Some(&other) => other,
            None if !borrow => return,
            None => 0,
        };
        let (low, first) = digit.overflowing_sub(other);
        let (low, second) = low.overflowing_sub(u64::from(borrow));
        (*digit, borrow) = (low, first | second);
    }
    debug_assert!(!borrow);
}

/// Writes the product over zeros.
pub(super) fn multiply(product: &mut [u64], a: &[u64], b: &[u64]) {
    for (i, &digit) in a.iter().enumerate() {
        let mut carry = 0u128;
        for (&other, place) in b.iter().zip(&mut product[i..]) {
            carry += u128::from(digit) * u128::from(other) + u128::from(*place);
            *place = carry as u64;
            carry >>= 64;
        }
        // The last digit may be one that the product does not have.
        if let Some(place) = product.get_mut(i + b.len()) {
            *place = carry as u64;
        }
    }
}
