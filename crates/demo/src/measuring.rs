//! What programs that measure speed share: `estoc bench`, and the comparison with other libraries.

/// Returns the middle value, the mean of the two middle values, or 0 for no values.
pub fn median(values: &[f64]) -> f64 {
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
pub fn deviation(values: &[f64]) -> f64 {
    let middle = median(values);
    let off: Vec<f64> = values.iter().map(|x| (x - middle).abs()).collect();
    median(&off)
}

/// Returns what the system says of its first processor under this title of `/proc/cpuinfo`, such as
/// `model name`; `None` if it does not say it.
pub fn processor(title: &str) -> Option<String> {
    field(&std::fs::read_to_string("/proc/cpuinfo").ok()?, title)
}

fn field(text: &str, title: &str) -> Option<String> {
    let fields = text.lines().filter_map(|line| line.split_once(':'));
    let mut values = fields
        .filter(|(name, _)| name.trim() == title)
        .map(|(_, value)| value.trim());
    values
        .next()
        .filter(|value| !value.is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_known_numbers() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(deviation(&[1.0, 2.0, 3.0, 4.0, 100.0]), 1.0);
        assert_eq!((median(&[7.0]), deviation(&[7.0])), (7.0, 0.0));
        assert_eq!((median(&[]), deviation(&[])), (0.0, 0.0));
    }

    #[test]
    fn fields_are_those_of_the_first_processor() {
        let text = "processor\t: 0\nmodel\t\t: 17\nmodel name\t: Fast: 9\nstepping\t:\n\n\
                    processor\t: 1\nmodel\t\t: 18\n";
        assert_eq!(field(text, "model").as_deref(), Some("17"));
        assert_eq!(field(text, "model name").as_deref(), Some("Fast: 9"));
        assert_eq!(field(text, "stepping"), None);
        assert_eq!(field(text, "vendor_id"), None);
    }
}
