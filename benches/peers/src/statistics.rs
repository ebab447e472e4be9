//! Statistics of several timings of the same work.

pub(crate) use estoc_demo::measuring::median;

/// Returns maximum less minimum, in percent of the median.
pub(crate) fn spread(values: &[f64]) -> f64 {
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
    (greatest - smallest) / median(values) * 100.0
}

/// Returns the geometric mean; `None` of no values.
pub(crate) fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_known_numbers() {
        assert_eq!(spread(&[9.0, 10.0, 12.0]), 30.0);
        assert_eq!(geometric_mean(&[]), None);
        let mean = geometric_mean(&[0.5, 2.0, 8.0]).expect("of three");
        assert!((mean - 2.0).abs() < 1e-12);
    }
}
