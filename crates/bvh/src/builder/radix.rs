//! Sorts by the upper half of 64 bits, digit by digit from the lowest (LSD radix sort), with all
//! threads.
//!
//! Each digit is a pass: every chunk counts its digits, the counts give the beginning of each
//! chunk's share of each digit, and all chunks move their keys there, in order. So equal keys keep
//! their order, and the result does not depend on the threads.

use super::watch::{BuildWatch, Cancelled};
use crate::builder::unfinished::{Unfinished, room_for};
use estoc_system::parallel::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bits of a digit: few enough that the ends of all digits' shares stay in the L1 cache.
const DIGIT: u32 = 8;
const DIGITS: usize = 1 << DIGIT;

/// Fewer keys are sorted by comparison.
const FEW: usize = 1 << 12;

/// Keys that a thread takes at a time.
const CHUNK: usize = 1 << 16;

type DigitCounts = [u32; DIGITS];

/// Returns the keys in the order of their upper 32 bits. The lower halves of `keys` must increase.
pub fn sorted(mut keys: Vec<u64>, watch: &BuildWatch<'_>) -> Result<Vec<u64>, Unfinished> {
    if keys.len() < FEW {
        keys.sort_unstable();
        return Ok(keys);
    }
    let mut to: Vec<AtomicU64> = room_for(keys.len())?;
    to.resize_with(keys.len(), AtomicU64::default);
    // Relaxed loads and stores compile to plain ones: so threads may write anywhere in an array
    // without a lock.
    let mut from: Vec<AtomicU64> = keys.into_iter().map(AtomicU64::new).collect();
    for shift in (u32::BITS..u64::BITS).step_by(DIGIT as usize) {
        if pass(&from, &to, shift, watch)? {
            std::mem::swap(&mut from, &mut to);
        }
    }
    Ok(from.into_iter().map(AtomicU64::into_inner).collect())
}

/// Moves all keys to the places of their digit. Returns false, without moving any, if all keys have
/// the same digit.
fn pass(
    from: &[AtomicU64],
    to: &[AtomicU64],
    shift: u32,
    watch: &BuildWatch<'_>,
) -> Result<bool, Cancelled> {
    let digit = |key: u64| (key >> shift) as usize % DIGITS;
    let count = |chunk: &[AtomicU64]| {
        watch.check()?;
        let mut counts: DigitCounts = [0; DIGITS];
        for key in chunk {
            counts[digit(key.load(Ordering::Relaxed))] += 1;
        }
        Ok(counts)
    };
    let counts = from.par_chunks(CHUNK).map(count);
    let mut places: Vec<DigitCounts> = counts.collect::<Result<_, Cancelled>>()?;
    let total = |digit: usize| {
        places
            .iter()
            .map(|counts| counts[digit] as usize)
            .sum::<usize>()
    };
    if (0..DIGITS).any(|digit| from.len() == total(digit)) {
        return Ok(false);
    }
    // Turns counts into beginnings.
    let mut next = 0;
    for digit in 0..DIGITS {
        for counts in &mut places {
            let here = counts[digit];
            counts[digit] = next;
            next += here;
        }
    }
    (from.par_chunks(CHUNK).zip(&mut places)).try_for_each(|(chunk, places)| {
        watch.check()?;
        for key in chunk {
            let key = key.load(Ordering::Relaxed);
            let place = &mut places[digit(key)];
            to[*place as usize].store(key, Ordering::Relaxed);
            *place += 1;
        }
        Ok(())
    })?;
    Ok(true)
}
