//! A table of objects that any thread may use at any time, without locks.
//!
//! A handle is an index and a generation. Each slot of the table counts how often it was used: a handle is valid
//! while its generation is that of its slot, so that a released one, one that was released twice and garbage are told
//! by numbers, without a look at what they might point to. Memory for slots is never given back, and so stays
//! readable.
//!
//! Looking an object up only reads, so that threads that query one world share its cache lines.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// The number of slots that are allocated at a time.
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 10;
const CHUNKS: usize = 1 << 12;

/// The bits of a handle that are the index of its slot. The others are the generation, from 1 on.
const INDEX_BITS: u32 = 22;
const INDICES: usize = 1 << INDEX_BITS;
const _: () = assert!(CHUNK * CHUNKS == INDICES);

/// The last generation. A slot that had it is not used again.
const LAST_GENERATION: u64 = {
    let fit = (usize::MAX >> INDEX_BITS) as u64;
    if fit < u32::MAX as u64 {
        fit
    } else {
        u32::MAX as u64
    }
};

/// Why a handle is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It was valid once.
    Released,
    /// It never was valid.
    Unknown,
    /// The object has as many references as can be counted.
    TooMany,
}

struct Slot<T> {
    /// The generation in the upper 32 bits, and the number of references. Without references the slot is free, and
    /// the generation is that of its next object.
    state: AtomicU64,
    /// The next free slot: its index and 1; 0 for none.
    next: AtomicU32,
    /// There is an object while there are references.
    object: UnsafeCell<MaybeUninit<T>>,
}

impl<T> Slot<T> {
    fn unused() -> Self {
        Slot {
            state: AtomicU64::new(1 << 32),
            next: AtomicU32::new(0),
            object: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }
}

/// A table of objects.
pub(crate) struct Table<T: 'static> {
    chunks: [AtomicPtr<Slot<T>>; CHUNKS],
    /// The number of slots that were ever used.
    used: AtomicU32,
    /// The first free one of them, its index and 1, or 0; above it 32 bits that change with every change of the list,
    /// so that no thread mistakes another list for the one that it has read.
    free: AtomicU64,
}

// SAFETY: objects are shared and moved between threads only if they allow it. What `UnsafeCell` holds is written by
// the one thread that has taken the slot from the list of free ones, and moved out by the one that took the last
// reference.
unsafe impl<T: Send + Sync> Sync for Table<T> {}

impl<T: Send + Sync> Table<T> {
    pub(crate) const fn new() -> Self {
        Table {
            chunks: [const { AtomicPtr::new(ptr::null_mut()) }; CHUNKS],
            used: AtomicU32::new(0),
            free: AtomicU64::new(0),
        }
    }

    /// Adds an object with one reference and returns its handle, which is not 0. Returns `None`, and drops the
    /// object, without memory or a free slot.
    pub(crate) fn add(&'static self, object: T) -> Option<usize> {
        let index = match self.take_free() {
            Some(index) => index,
            None => self.take_unused()?,
        };
        let slot = self.slot(index);
        // SAFETY: this thread took the slot, which has no object and no reference, and nobody else writes to it.
        unsafe { (*slot.object.get()).write(object) };
        let generation = slot.state.load(Ordering::Relaxed) >> 32;
        slot.state.store(generation << 32 | 1, Ordering::Release);
        Some((generation as usize) << INDEX_BITS | index as usize)
    }

    /// Returns the object of a handle.
    ///
    /// # Safety
    /// While the reference that is returned exists, nobody releases the last reference of the handle.
    #[inline(always)]
    pub(crate) unsafe fn get(&'static self, handle: usize) -> Result<&'static T, Refused> {
        let (slot, generation) = self.find(handle)?;
        check(slot.state.load(Ordering::Acquire), generation)?;
        // SAFETY: the slot has references, so its object was written before the state that was read, and is there
        // until the last reference is released, which the caller excludes.
        Ok(unsafe { (*slot.object.get()).assume_init_ref() })
    }

    /// Adds a reference.
    pub(crate) fn retain(&'static self, handle: usize) -> Result<(), Refused> {
        let (slot, generation) = self.find(handle)?;
        let more = |state: u64| match check(state, generation) {
            Ok(count) if count < u32::MAX => Some(state + 1),
            _ => None,
        };
        let changed = slot
            .state
            .fetch_update(Ordering::Relaxed, Ordering::Acquire, more);
        match changed {
            Ok(_) => Ok(()),
            Err(state) => check(state, generation).and(Err(Refused::TooMany)),
        }
    }

    /// Takes a reference away, and with the last one the object.
    pub(crate) fn release(&'static self, handle: usize) -> Result<Option<T>, Refused> {
        let (slot, generation) = self.find(handle)?;
        let less = |state: u64| match check(state, generation) {
            Ok(1) => Some((generation + 1) << 32),
            Ok(_) => Some(state - 1),
            Err(_) => None,
        };
        let changed = slot
            .state
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, less);
        let before = match changed {
            Ok(before) => before,
            Err(state) => return Err(check(state, generation).err().unwrap_or(Refused::Unknown)),
        };
        if before as u32 != 1 {
            return Ok(None);
        }
        // SAFETY: there was an object, as there was a reference, and this thread took the last one. The slot is in no
        // list yet, so nobody else reads or writes the object.
        let object = unsafe { (*slot.object.get()).assume_init_read() };
        // Of generation 2^32 nothing is left in the state.
        if generation < LAST_GENERATION {
            self.put_free(handle as u32 & (INDICES - 1) as u32);
        }
        Ok(Some(object))
    }

    /// Returns the slot of a handle, and the generation that it needs to have.
    #[inline(always)]
    fn find(&'static self, handle: usize) -> Result<(&'static Slot<T>, u64), Refused> {
        let (index, generation) = (handle & (INDICES - 1), (handle >> INDEX_BITS) as u64);
        match index < self.used.load(Ordering::Acquire) as usize && generation != 0 {
            true => Ok((self.slot(index as u32), generation)),
            false => Err(Refused::Unknown),
        }
    }

    /// Returns a slot that was used once.
    #[inline(always)]
    fn slot(&'static self, index: u32) -> &'static Slot<T> {
        let chunk = self.chunks[index as usize >> CHUNK_BITS].load(Ordering::Acquire);
        assert!(!chunk.is_null());
        // SAFETY: a chunk that is not null is an array of CHUNK slots that is never freed or moved, and is only
        // accessed through shared references.
        unsafe { &*chunk.add(index as usize & (CHUNK - 1)) }
    }

    fn take_free(&'static self) -> Option<u32> {
        let mut head = self.free.load(Ordering::Acquire);
        loop {
            let index = (head as u32).checked_sub(1)?;
            let next = self.slot(index).next.load(Ordering::Relaxed);
            match self.exchange_free(head, next) {
                Ok(()) => return Some(index),
                Err(other) => head = other,
            }
        }
    }

    fn put_free(&'static self, index: u32) {
        let mut head = self.free.load(Ordering::Acquire);
        loop {
            self.slot(index).next.store(head as u32, Ordering::Relaxed);
            match self.exchange_free(head, index + 1) {
                Ok(()) => return,
                Err(other) => head = other,
            }
        }
    }

    /// Makes another slot the first free one, unless the list is no longer that which was read.
    fn exchange_free(&self, head: u64, first: u32) -> Result<(), u64> {
        let changes = (head >> 32).wrapping_add(1);
        let next = changes << 32 | u64::from(first);
        self.free
            .compare_exchange_weak(head, next, Ordering::AcqRel, Ordering::Acquire)
            .map(drop)
    }

    fn take_unused(&'static self) -> Option<u32> {
        let mut index = self.used.load(Ordering::Acquire);
        loop {
            self.make_chunk(self.chunks.get(index as usize >> CHUNK_BITS)?)?;
            // Its success makes the chunk known to those that see the new number.
            let taken = self.used.compare_exchange_weak(
                index,
                index + 1,
                Ordering::AcqRel,
                Ordering::Acquire,
            );
            match taken {
                Ok(index) => return Some(index),
                Err(other) => index = other,
            }
        }
    }

    /// Allocates a chunk, unless there is one.
    fn make_chunk(&self, chunk: &AtomicPtr<Slot<T>>) -> Option<()> {
        if !chunk.load(Ordering::Acquire).is_null() {
            return Some(());
        }
        let mut slots: Vec<Slot<T>> = Vec::new();
        slots.try_reserve_exact(CHUNK).ok()?;
        slots.resize_with(CHUNK, Slot::unused);
        let slots = Box::into_raw(slots.into_boxed_slice()).cast::<Slot<T>>();
        let none = ptr::null_mut();
        if (chunk.compare_exchange(none, slots, Ordering::AcqRel, Ordering::Acquire)).is_err() {
            let slots = ptr::slice_from_raw_parts_mut(slots, CHUNK);
            // SAFETY: it is the box of above, which nobody else has seen.
            drop(unsafe { Box::from_raw(slots) });
        }
        Some(())
    }
}

/// Returns the number of references if a state is that of this generation.
#[inline(always)]
fn check(state: u64, generation: u64) -> Result<u32, Refused> {
    let (current, count) = (state >> 32, state as u32);
    match generation == current && count > 0 {
        true => Ok(count),
        // Behind the last generation the number is 0 again.
        false if generation < current || current == 0 => Err(Refused::Released),
        false => Err(Refused::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::{INDEX_BITS, LAST_GENERATION, Refused, Table};
    use std::collections::HashSet;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static DROPPED: AtomicUsize = AtomicUsize::new(0);

    /// Counts when it is dropped.
    struct Counted(usize);

    impl Drop for Counted {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn value(table: &'static Table<usize>, handle: usize) -> Result<usize, Refused> {
        // SAFETY: no other thread uses the table.
        unsafe { table.get(handle) }.copied()
    }

    #[test]
    fn handles_are_told_from_released_ones_and_garbage() {
        static TABLE: Table<usize> = Table::new();
        assert_eq!(value(&TABLE, 0), Err(Refused::Unknown));
        let first = TABLE.add(7).unwrap();
        assert_eq!(value(&TABLE, first), Ok(7));
        TABLE.retain(first).unwrap();
        assert_eq!(TABLE.release(first), Ok(None));
        assert_eq!(TABLE.release(first), Ok(Some(7)));
        assert_eq!(TABLE.release(first), Err(Refused::Released));
        assert_eq!(TABLE.retain(first), Err(Refused::Released));
        let second = TABLE.add(8).unwrap();
        assert_ne!(first, second);
        assert_eq!(value(&TABLE, first), Err(Refused::Released));
        assert_eq!(value(&TABLE, second), Ok(8));
        for garbage in [1, second + 1, second + (1 << INDEX_BITS), usize::MAX] {
            assert_eq!(value(&TABLE, garbage), Err(Refused::Unknown));
        }
    }

    #[test]
    fn a_slot_that_had_all_generations_is_not_used_again() {
        static TABLE: Table<usize> = Table::new();
        let handle = TABLE.add(1).unwrap();
        TABLE.release(handle).unwrap();
        let slot = TABLE.slot(0);
        slot.state.store(LAST_GENERATION << 32, Ordering::Relaxed);
        let last = TABLE.add(2).unwrap();
        assert_eq!(value(&TABLE, last), Ok(2));
        assert_eq!(TABLE.release(last), Ok(Some(2)));
        assert_eq!(value(&TABLE, last), Err(Refused::Released));
        assert_eq!(value(&TABLE, handle), Err(Refused::Released));
        let other = TABLE.add(3).unwrap();
        assert_eq!(other & ((1 << INDEX_BITS) - 1), 1);
    }

    #[test]
    fn threads_share_the_table() {
        static TABLE: Table<Counted> = Table::new();
        static SEEN: Mutex<Option<HashSet<usize>>> = Mutex::new(None);
        const ROUNDS: usize = 4_000;
        std::thread::scope(|scope| {
            for thread in 0..8 {
                scope.spawn(move || {
                    let (mut mine, mut seen) = (Vec::new(), Vec::new());
                    for round in 0..ROUNDS {
                        let number = thread * ROUNDS + round;
                        let handle = TABLE.add(Counted(number)).unwrap();
                        TABLE.retain(handle).unwrap();
                        mine.push((handle, number));
                        seen.push(handle);
                        if round % 3 != 0 {
                            let (handle, number) = mine.swap_remove(round % mine.len());
                            // SAFETY: only this thread has the handle.
                            let found = unsafe { TABLE.get(handle) }.unwrap().0;
                            assert_eq!(found, number);
                            assert!(TABLE.release(handle).unwrap().is_none());
                            let last = TABLE.release(handle).unwrap().unwrap();
                            assert_eq!(last.0, number);
                            assert!(TABLE.release(handle).is_err());
                        }
                    }
                    for (handle, number) in mine {
                        assert!(TABLE.release(handle).unwrap().is_none());
                        assert_eq!(TABLE.release(handle).unwrap().unwrap().0, number);
                    }
                    let mut all = SEEN.lock().unwrap();
                    let all = all.get_or_insert_default();
                    assert!(seen.into_iter().all(|handle| all.insert(handle)));
                });
            }
        });
        assert_eq!(DROPPED.load(Ordering::Relaxed), 8 * ROUNDS);
    }

    #[test]
    fn of_many_releases_at_once_one_takes_the_object() {
        static TABLE: Table<usize> = Table::new();
        for round in 0..500 {
            let handle = TABLE.add(round).unwrap();
            let (taken, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| match TABLE.release(handle) {
                        Ok(Some(found)) if found == round => taken.fetch_add(1, Ordering::Relaxed),
                        Err(Refused::Released) => refused.fetch_add(1, Ordering::Relaxed),
                        other => panic!("{other:?}"),
                    });
                }
            });
            assert_eq!((taken.into_inner(), refused.into_inner()), (1, 3));
        }
    }
}
