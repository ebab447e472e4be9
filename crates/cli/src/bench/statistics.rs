//! Statistics of several timings of the same work.

/// Returns the middle value, the mean of the two middle values, or 0 for no values.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let low = sorted.get(sorted.len().saturating_sub(1) / 2);
    match (low, sorted.get(sorted.len() / 2)) {
        (Some(&low), Some(&high)) => f64::midpoint(low, high),
        _ => 0.0,
    }
}

/// Returns the median absolute deviation: the median of the distances from the median. One outlier
/// in three values does not move it far.
pub(super) fn deviation(values: &[f64]) -> f64 {
    let median_of_all = median(values);
    let off: Vec<f64> = values.iter().map(|x| (x - median_of_all).abs()).collect();
    median(&off)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_known_numbers() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(deviation(&[1.0, 2.0, 3.0, 4.0, 100.0]), 1.0);
        assert_eq!((median(&[7.0]), deviation(&[7.0])), (7.0, 0.0));
        assert_eq!((median(&[]), deviation(&[])), (0.0, 0.0));
    }
}
