//! Masks as tree files store them.

use estoc_bvh::internals::mask_runs::{of_runs, runs_of};
use estoc_core::Masks;

fn runs(masks: &[(usize, u32)], triangles: usize) -> Vec<[u32; 2]> {
    runs_of(Some(&Masks::from_runs(masks.iter().copied())), triangles)
}

#[test]
fn runs_are_those_of_the_triangles_that_there_are() {
    const ALL: u32 = u32::MAX;
    assert_eq!(runs(&[(2, 1), (3, 2)], 5), [[2, 1], [3, 2]]);
    assert_eq!(runs(&[(2, 1), (3, 2)], 4), [[2, 1], [2, 2]]);
    assert_eq!(runs(&[(2, 1), (3, 2)], 2), [[2, 1]]);
    assert_eq!(runs(&[(2, 1), (3, 2)], 9), [[2, 1], [3, 2], [4, ALL]]);
    assert_eq!(runs(&[(2, 1), (3, ALL)], 9), [[2, 1], [7, ALL]]);
    assert_eq!(runs(&[(5, 0)], 5), [[5, 0]]);
    // Nothing is hidden.
    let none = [[0; 2]; 0];
    assert_eq!(runs(&[(2, 1), (3, 2)], 0), none);
    assert_eq!(runs(&[(2, ALL), (3, 2)], 2), none);
    assert_eq!(runs(&[(2, ALL)], 5), none);
    assert_eq!(runs_of(None, 5), none);
}

#[test]
fn runs_that_are_not_of_all_triangles_are_refused() {
    let at = |runs: &[[u32; 2]], triangles| of_runs(runs, triangles).map_err(|(at, _)| at);
    let sound = Masks::from_runs([(2, 1), (3, 2)]);
    assert_eq!(at(&[[2, 1], [3, 2]], 5), Ok(sound.clone()));
    assert_eq!(at(&[[2, 1], [1, 2], [2, 2]], 5), Ok(sound));
    assert_eq!(at(&[], 0), Ok(Masks::default()));
    assert_eq!(at(&[[2, 1], [0, 2], [3, 2]], 5), Err(1));
    assert_eq!(at(&[[2, 1], [3, 2], [0, 1]], 5), Err(2));
    assert_eq!(at(&[[2, 1], [4, 2]], 5), Err(1));
    assert_eq!(at(&[[6, 1]], 5), Err(0));
    assert_eq!(at(&[[u32::MAX, 1], [6, 1]], 5), Err(0));
    assert_eq!(at(&[[2, 1], [2, 2]], 5), Err(0));
    assert_eq!(at(&[[1, 1]], 0), Err(0));
    assert_eq!(at(&[], 5), Err(0));
}
