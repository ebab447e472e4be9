//! The stack of children that are still to be visited.

use super::child::Child;
use super::leaf::WIDTH;
use std::arch::x86_64::*;
use std::mem::MaybeUninit;

/// The greatest depth of a tree that the stack is large enough for.
pub(super) const DEPTH: usize = 108;

/// One entry for the sentinel, all children but one at each level, and the excess that a push of
/// eight writes.
const ROOM: usize = 1 + (WIDTH - 1) * DEPTH + WIDTH;

/// Children with the keys of their boxes. Entries that were not pushed are not initialised, which
/// would take longer than most traversals.
pub(super) struct Stack {
    keys: [MaybeUninit<i32>; ROOM],
    children: [MaybeUninit<Child>; ROOM],
    /// At least one, and up to `ROOM - WIDTH` as no tree is deeper than `DEPTH`.
    len: usize,
}

impl Stack {
    /// Creates a stack with only the sentinel, which is within every limit.
    #[inline(always)]
    pub(super) fn new() -> Self {
        let mut stack = Stack {
            keys: [const { MaybeUninit::uninit() }; ROOM],
            children: [const { MaybeUninit::uninit() }; ROOM],
            len: 0,
        };
        stack.push(i32::MIN, Child::END);
        stack
    }

    #[inline(always)]
    pub(super) fn push(&mut self, key: i32, child: Child) {
        debug_assert!(self.len < ROOM);
        // SAFETY: the index is below the bound of `len`.
        unsafe {
            self.keys.get_unchecked_mut(self.len).write(key);
            self.children.get_unchecked_mut(self.len).write(child);
        }
        self.len += 1;
    }

    /// Pushes the first `count` lanes.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn push_first(&mut self, count: usize, keys: __m256i, children: __m256i) {
        debug_assert!(self.len + WIDTH <= ROOM && count < WIDTH);
        // SAFETY: there is space for eight above the greatest length.
        unsafe {
            _mm256_storeu_si256(self.keys.as_mut_ptr().add(self.len).cast(), keys);
        }
        self.push_first_without_keys(count, children);
    }

    /// Pushes without keys, for traversals whose limit never changes.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn push_first_without_keys(&mut self, count: usize, children: __m256i) {
        debug_assert!(self.len + WIDTH <= ROOM && count < WIDTH);
        // SAFETY: there is space for eight above the greatest length.
        unsafe {
            _mm256_storeu_si256(self.children.as_mut_ptr().add(self.len).cast(), children);
        }
        self.len += count;
    }

    /// Returns the top of the stack without removing it.
    #[inline(always)]
    pub(super) fn top(&self) -> Child {
        // SAFETY: all below `len` were written, and the sentinel is always there.
        unsafe { self.children.get_unchecked(self.len - 1).assume_init() }
    }

    /// Removes and returns the top of the stack.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Child {
        let child = self.top();
        self.len -= 1;
        child
    }

    /// Pops until a child whose key is not above the limit, and returns it.
    #[inline(always)]
    pub(super) fn pop_within(&mut self, limit: i32) -> Child {
        loop {
            self.len -= 1;
            // SAFETY: all below the former `len` were written, with keys in traversals that call
            // this, and the sentinel has the least key of all.
            let key = unsafe { self.keys.get_unchecked(self.len).assume_init() };
            if key <= limit {
                // SAFETY: as before.
                return unsafe { self.children.get_unchecked(self.len).assume_init() };
            }
        }
    }
}
