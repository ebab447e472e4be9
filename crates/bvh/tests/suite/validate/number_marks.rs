//! The set of numbers seen so far.

use estoc_bvh::internals::tree::marks::Marks;

#[test]
fn a_range_is_its_numbers() {
    for (first, count) in (0..70).flat_map(|first| (1..=8).map(move |count| (first, count))) {
        let marks = Marks::new(80);
        assert_eq!(marks.set_range(first, count), None);
        for number in 0..80 {
            let seen = (first..first + count).contains(&number);
            assert_eq!(marks.set(number), seen, "{number} of {count} from {first}");
        }
        for number in first..first + count {
            let marks = Marks::new(80);
            marks.set(number);
            assert_eq!(marks.set_range(first, count), Some(number));
        }
    }
}

#[test]
fn what_was_seen_is_known_and_what_was_not() {
    for len in [1, 63, 64, 65, 200] {
        let marks = Marks::new(len);
        assert_eq!(marks.first_unseen(), Some(0));
        for number in (0..len).filter(|number| *number != len / 2) {
            assert!(!marks.set(number));
            assert!(marks.set(number));
        }
        assert_eq!(marks.first_unseen(), Some(len / 2), "of {len}");
        assert!(!marks.set(len / 2));
        assert_eq!(marks.first_unseen(), None, "of {len}");
    }
    assert_eq!(Marks::new(0).first_unseen(), None);
}
