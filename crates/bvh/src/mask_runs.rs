//! Masks as they are stored and hashed: runs of triangles, each with its length and its mask.

use estoc_core::Masks;

/// Returns runs that cover all triangles; none if all have all bits, since the file then has no
/// section for masks.
pub fn runs_of(masks: Option<&Masks>, triangles: usize) -> Vec<[u32; 2]> {
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
pub fn of_runs(runs: &[[u32; 2]], triangles: usize) -> Result<Masks, (usize, String)> {
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
