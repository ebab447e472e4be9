//! Statistics of several timings of the same work.

/// Returns the median, for an even number of values the mean of the middle two. NaN for none.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (Some(&low), Some(&high)) = (
        sorted.get(sorted.len().saturating_sub(1) / 2),
        sorted.get(sorted.len() / 2),
    ) else {
        return f64::NAN;
    };
    f64::midpoint(low, high)
}

/// Returns maximum less minimum, in percent of the median.
pub(crate) fn spread(values: &[f64]) -> f64 {
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
    (greatest - smallest) / median(values) * 100.0
}

/// Returns the geometric mean; `None` of no values.
pub(crate) fn geometric_mean(ratios: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for ratio in ratios {
        sum += ratio.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_known_numbers() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
        assert_eq!(spread(&[9.0, 10.0, 12.0]), 30.0);
        assert_eq!(geometric_mean([]), None);
        let mean = geometric_mean([0.5, 2.0, 8.0]).expect("of three");
        assert!((mean - 2.0).abs() < 1e-12);
    }
}
