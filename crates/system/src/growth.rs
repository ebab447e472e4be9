//! Vectors that grow only as far as there is memory.

use crate::has_room;
use bytemuck::Zeroable;
use std::io::{self, Read};
use std::{error, fmt};

/// There is not enough memory, or not enough address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMemory;

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not enough memory or address space")
    }
}

impl error::Error for NoMemory {}

impl From<NoMemory> for io::Error {
    fn from(_: NoMemory) -> Self {
        io::ErrorKind::OutOfMemory.into()
    }
}

/// Requests of this size in bytes leave [`SPARE`] bytes. Asking takes microseconds, which smaller ones
/// would notice.
const LARGE: usize = 1 << 16;

/// The memory in bytes that is left for small allocations, which cannot report that there is none.
const SPARE: usize = 4 << 20;

/// Methods of vectors that return an error where those of [`Vec`] end the process.
///
/// ```
/// use estoc_system::{Growth, NoMemory};
/// let mut squares = Vec::new();
/// for i in 0..1000_u32 {
///     squares.try_push(i * i)?;
/// }
/// assert_eq!(squares[30], 900);
/// assert_eq!(squares.try_resize(usize::MAX / 8, 0), Err(NoMemory));
/// # Ok::<(), NoMemory>(())
/// ```
pub trait Growth<T> {
    /// Returns the vector.
    fn list(&mut self) -> &mut Vec<T>;

    /// Reserves memory for `more` items, and usually for more than that.
    ///
    /// # Errors
    /// [`NoMemory`] if there is none; the vector is unchanged. The same holds for the other methods.
    #[inline]
    fn make_room(&mut self, more: usize) -> Result<(), NoMemory> {
        let list = self.list();
        match more <= list.capacity() - list.len() {
            true => Ok(()),
            false => grow(list, more),
        }
    }

    /// Appends an item.
    #[inline]
    fn try_push(&mut self, item: T) -> Result<(), NoMemory> {
        self.make_room(1)?;
        self.list().push(item);
        Ok(())
    }

    /// Appends copies of items.
    fn try_append(&mut self, items: &[T]) -> Result<(), NoMemory>
    where
        T: Clone,
    {
        self.make_room(items.len())?;
        self.list().extend_from_slice(items);
        Ok(())
    }

    /// Sets the length; new items are clones of `item`.
    fn try_resize(&mut self, len: usize, item: T) -> Result<(), NoMemory>
    where
        T: Clone,
    {
        let more = len.saturating_sub(self.list().len());
        self.make_room(more)?;
        self.list().resize(len, item);
        Ok(())
    }

    /// Gives back what the items do not take. They are copied, since some allocators refuse to shrink; if
    /// there is no memory for that, nothing is given back.
    fn trim(&mut self) {
        let list = self.list();
        let mut exact = Vec::new();
        if list.len() < list.capacity() && exact.try_reserve_exact(list.len()).is_ok() {
            exact.append(list);
            *list = exact;
        }
    }
}

impl<T> Growth<T> for Vec<T> {
    #[inline]
    fn list(&mut self) -> &mut Vec<T> {
        self
    }
}

#[cold]
#[inline(never)]
fn grow<T>(list: &mut Vec<T>, more: usize) -> Result<(), NoMemory> {
    // As many as `try_reserve` asks for.
    let wanted = list.len().saturating_add(more).max(2 * list.capacity());
    check_room(wanted.saturating_mul(size_of::<T>()))?;
    list.try_reserve(more).map_err(|_| NoMemory)
}

/// Checks that a request for `bytes` bytes would leave enough for small allocations.
///
/// # Errors
/// [`NoMemory`] if it would not.
pub fn check_room(bytes: usize) -> Result<(), NoMemory> {
    match bytes < LARGE || has_room(bytes.saturating_add(SPARE)) {
        true => Ok(()),
        false => Err(NoMemory),
    }
}

/// Returns zeros, for any number of threads to overwrite: the memory is requested but not touched.
///
/// # Errors
/// [`NoMemory`] if there is none.
pub fn zeroed<T: Zeroable>(len: usize) -> Result<Vec<T>, NoMemory> {
    check_room(len.saturating_mul(size_of::<T>()))?;
    bytemuck::allocation::try_zeroed_vec(len).map_err(|()| NoMemory)
}

/// Collects the items of an iterator in a vector.
///
/// # Errors
/// [`NoMemory`] if there is none.
///
/// ```
/// let halves = estoc_system::collected([4, 6, 8].iter().map(|number| number / 2))?;
/// assert_eq!(halves, [2, 3, 4]);
/// # Ok::<(), estoc_system::NoMemory>(())
/// ```
pub fn collected<T>(items: impl IntoIterator<Item = T>) -> Result<Vec<T>, NoMemory> {
    let items = items.into_iter();
    let mut list = Vec::new();
    let least = items.size_hint().0;
    check_room(least.saturating_mul(size_of::<T>()))?;
    list.try_reserve_exact(least).map_err(|_| NoMemory)?;
    for item in items {
        list.try_push(item)?;
    }
    Ok(list)
}

/// Appends all bytes of a reader, like [`Read::read_to_end`], which may end the process where the first
/// bytes beyond the capacity have no memory. Returns their number.
///
/// # Errors
/// Those of the reader, and [`io::ErrorKind::OutOfMemory`].
pub fn read_to_end(mut reader: impl Read, bytes: &mut Vec<u8>) -> io::Result<usize> {
    const LEAST: usize = 1 << 13;
    /// A vector with so much room is not full, and only of a full one the first bytes are tried.
    const LEFT: usize = 64;
    let before = bytes.len();
    loop {
        bytes.make_room(LEAST)?;
        let most = bytes.capacity() - bytes.len() - LEFT;
        let read = reader.by_ref().take(most as u64).read_to_end(bytes)?;
        if read < most {
            return Ok(bytes.len() - before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_changes_nothing() {
        let mut list = vec![1_u64, 2, 3];
        assert_eq!(list.make_room(usize::MAX), Err(NoMemory));
        assert_eq!(list.try_resize(1 << 60, 7), Err(NoMemory));
        assert_eq!(
            collected(std::iter::repeat_n(5_u64, 1 << 60)),
            Err(NoMemory)
        );
        assert_eq!(list, [1, 2, 3]);
        let told = io::Error::from(NoMemory).kind();
        assert_eq!(told, io::ErrorKind::OutOfMemory);
    }

    #[test]
    fn all_bytes_of_a_reader_are_read() {
        for count in [0, 1, 31, 8127, 8128, 8129, 100_000] {
            let given: Vec<u8> = (0..count).map(|i| i as u8).collect();
            let mut bytes = vec![7];
            assert_eq!(read_to_end(&given[..], &mut bytes).unwrap(), count);
            assert_eq!((bytes[0], &bytes[1..]), (7, &given[..]));
        }
    }

    #[test]
    fn vectors_grow_and_shrink() {
        let mut list = collected(0..1000).unwrap();
        assert_eq!((list.len(), list.capacity()), (1000, 1000));
        // An iterator that does not tell how many there are.
        assert_eq!(
            collected((0..9).filter(|i| i % 2 == 0)),
            Ok(vec![0, 2, 4, 6, 8])
        );
        list.try_push(7).unwrap();
        list.try_append(&[8, 9]).unwrap();
        list.try_resize(1004, 1).unwrap();
        assert_eq!(list[999..], [999, 7, 8, 9, 1]);
        list.try_resize(3, 0).unwrap();
        list.trim();
        assert_eq!((&list[..], list.capacity()), (&[0, 1, 2][..], 3));
    }
}
