//! Masks as they are stored and hashed: runs of triangles, each with its length and its mask.

use estoc_core::Masks;

/// Returns runs that cover all triangles; none if all have all bits, since the file then has no
/// section for masks.
pub(crate) fn runs_of(masks: Option<&Masks>, triangles: usize) -> Vec<[u32; 2]> {
    let mut runs: Vec<[u32; 2]> = Vec::new();
    let mut left = triangles;
    // Triangles beyond the last run have all bits set.
    let rest = (triangles, u32::MAX);
    for (count, mask) in masks.into_iter().flat_map(Masks::runs).chain([rest]) {
        let count = count.min(left);
        left -= count;
        match runs.last_mut() {
            _ if count == 0 => {}
            Some([before, last]) if *last == mask => *before += count as u32,
            _ => runs.push([count as u32, mask]),
        }
    }
    match runs[..] {
        [[_, u32::MAX]] => Vec::new(),
        _ => runs,
    }
}

/// Returns the masks of these runs. An error is the index of the invalid run, and the problem.
pub(crate) fn of_runs(runs: &[[u32; 2]], triangles: usize) -> Result<Masks, (usize, String)> {
    let mut left = triangles;
    for (at, &[count, _]) in runs.iter().enumerate() {
        if count == 0 {
            return Err((at, "an empty run".into()));
        }
        let count = count as usize;
        left = left.checked_sub(count).ok_or_else(|| {
            let problem =
                format!("a run of {count} triangles, but only {left} of {triangles} are left");
            (at, problem)
        })?;
    }
    if left > 0 {
        let problem = format!("the runs do not cover {left} of {triangles} triangles");
        return Err((0, problem));
    }
    let runs = runs.iter().map(|&[count, mask]| (count as usize, mask));
    Ok(Masks::from_runs(runs))
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
