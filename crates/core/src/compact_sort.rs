//! Sorting by little code, for what is short or seldom sorted: each use of the standard library's sorting is 3 to 10 kB.

use core::cmp::Ordering;

/// Sorts a list; those that compare equal come in any order. In WebAssembly by a heap, which takes up to three times the
/// time and a tenth of the code.
pub fn sort_compactly<T>(list: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if !cfg!(target_family = "wasm") {
        return list.sort_unstable_by(compare);
    }
    heap_sort(list, &mut compare);
}

/// Moves the item that is at a place after sorting there, with none behind it that is less, and returns it.
pub fn select_compactly<T>(
    list: &mut [T],
    place: usize,
    compare: impl FnMut(&T, &T) -> Ordering,
) -> &T {
    match cfg!(target_family = "wasm") {
        true => sort_compactly(list, compare),
        false => _ = list.select_nth_unstable_by(place, compare),
    }
    &list[place]
}

fn heap_sort<T>(list: &mut [T], compare: &mut impl FnMut(&T, &T) -> Ordering) {
    let len = list.len();
    // First a heap grows from the end of its upper half, then its largest item goes to the end again and again.
    for step in (0..len + len / 2).rev() {
        let (mut at, end) = (step.saturating_sub(len), step.min(len));
        if step < len {
            list.swap(0, step);
        }
        loop {
            let mut child = 2 * at + 1;
            if child + 1 < end && compare(&list[child], &list[child + 1]).is_lt() {
                child += 1;
            }
            if child >= end || compare(&list[at], &list[child]).is_ge() {
                break;
            }
            list.swap(at, child);
            at = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn heaps_sort_as_the_standard_library() {
        let mut state = 1_u32;
        for len in (0..40).chain([1000, 4097]) {
            for most in [1, 7, u32::MAX] {
                let mut next = || {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 7) % most
                };
                let list: Vec<u32> = (0..len).map(|_| next()).collect();
                let [mut one, mut other] = [list.clone(), list];
                heap_sort(&mut one, &mut u32::cmp);
                other.sort_unstable();
                assert_eq!(one, other);
                heap_sort(&mut one, &mut |a, b| b.cmp(a));
                other.reverse();
                assert_eq!(one, other);
            }
        }
    }

    #[test]
    fn selected_items_are_at_their_places() {
        let mut list = [5, 3, 9, 1, 7];
        assert_eq!(*select_compactly(&mut list, 2, i32::cmp), 5);
        assert!(list[..2].iter().all(|&item| item < 5) && list[3..].iter().all(|&item| item > 5));
    }
}
