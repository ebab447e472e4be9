//! How likely rays hit what is in a leaf.

use estoc_bvh::internals::builder::chances::{Chances, of_leaf};

#[test]
fn flat_leaves_are_likelier_than_deep_ones() {
    let rank = |max| Chances(vec![of_leaf([0.0; 3], max)]).rank(0);
    // Every ray that meets a flat box hits what fills it; a third of those that meet a cube hit
    // what is as large as a face of it.
    assert!(rank([1.0, 1.0, 0.0]) > rank([1.0, 1.0, 0.5]));
    assert!(rank([1.0, 1.0, 0.5]) > rank([1.0, 1.0, 1.0]));
    // Sizes do not matter, not even none at all.
    assert_eq!(rank([1.0, 1.0, 1.0]), rank([64.0, 64.0, 64.0]));
    assert_eq!(rank([0.0; 3]), rank([1.0, 1.0, 0.0]));
}
