//! A concurrent bit set.

use std::sync::atomic::{AtomicU64, Ordering};

/// A bit for each number, which any number of threads may set concurrently.
pub struct Marks {
    words: Vec<AtomicU64>,
    len: usize,
}

impl Marks {
    /// Returns a set of the numbers `0..len` in which none is marked.
    pub fn new(len: usize) -> Self {
        let words = (0..len.div_ceil(64)).map(|_| AtomicU64::new(0));
        Marks {
            words: words.collect(),
            len,
        }
    }

    /// Marks a number below the length, and returns whether it was marked before.
    pub fn set(&self, number: usize) -> bool {
        let bit = 1 << (number % 64);
        self.words[number / 64].fetch_or(bit, Ordering::Relaxed) & bit != 0
    }

    /// Marks `count <= 64` consecutive numbers, and returns one that was marked before, if any.
    pub fn set_range(&self, first: usize, count: usize) -> Option<usize> {
        let all = u64::MAX >> (64 - count.clamp(1, 64));
        let (word, shift) = (first / 64, first % 64);
        let set = |word: usize, bits: u64| {
            let seen = self.words[word].fetch_or(bits, Ordering::Relaxed) & bits;
            (seen != 0).then(|| 64 * word + seen.trailing_zeros() as usize)
        };
        let low = set(word, all << shift);
        let over = if shift > 0 { all >> (64 - shift) } else { 0 };
        let high = if over > 0 { set(word + 1, over) } else { None };
        low.or(high)
    }

    /// Returns the lowest unmarked number.
    pub fn first_unseen(&self) -> Option<usize> {
        let words = self.words.iter().map(|word| word.load(Ordering::Relaxed));
        let (place, word) = words.enumerate().find(|&(_, word)| word != u64::MAX)?;
        let number = 64 * place + word.trailing_ones() as usize;
        (number < self.len).then_some(number)
    }
}
