//! Logarithmic axes and their labels.

/// Returns the position of a value between the first and the last of the others, from 0 to 1, by
/// logarithms.
pub(super) fn share(value: f64, others: &[f64]) -> f64 {
    match (others.first(), others.last()) {
        (Some(first), Some(last)) if first < last => (value / first).ln() / (last / first).ln(),
        _ => 0.5,
    }
}

/// Returns round numbers, 1, 2 or 5 times a power of ten, from below the least value to above the
/// greatest.
pub(super) fn one_two_five(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let (least, greatest) = values.fold((f64::INFINITY, 0.0_f64), |(least, greatest), value| {
        (least.min(value), greatest.max(value))
    });
    let mut numbers = Vec::new();
    // No ray costs fewer or more nanoseconds than these.
    for power in -3..=9 {
        for digit in [1.0, 2.0, 5.0] {
            let number = digit * 10_f64.powi(power);
            if number <= least {
                numbers.clear();
            }
            let is_above = numbers.last().is_some_and(|&last| last >= greatest);
            if !is_above {
                numbers.push(number);
            }
        }
    }
    numbers
}

/// Returns the heights, which are sorted, moved as little as keeps labels from overlapping: first
/// down, then up from the bottom.
pub(super) fn apart(heights: impl Iterator<Item = f64>, bottom: f64, step: f64) -> Vec<f64> {
    let mut moved: Vec<f64> = Vec::new();
    for height in heights {
        let free = moved.last().map_or(height, |above| above + step);
        moved.push(height.max(free));
    }
    let mut free = bottom;
    for height in moved.iter_mut().rev() {
        *height = height.min(free);
        free = *height - step;
    }
    moved
}

/// Formats a count in few characters: 300k, 10M.
pub(super) fn short_count(count: f64) -> String {
    match count {
        1e6.. => format!("{}M", count / 1e6),
        1e3.. => format!("{}k", count / 1e3),
        _ => count.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_numbers() {
        let numbers = |values: &[f64]| one_two_five(values.iter().copied());
        assert_eq!(numbers(&[30.0, 120.0]), [20.0, 50.0, 100.0, 200.0]);
        assert_eq!(numbers(&[50.0, 100.0]), [50.0, 100.0]);
        let texts = [100.0, 300e3, 10e6].map(short_count);
        assert_eq!(texts, ["100", "300k", "10M"]);
    }

    #[test]
    fn labels_do_not_touch() {
        let moved = apart([10.0, 12.0, 95.0, 99.0].into_iter(), 100.0, 14.0);
        assert_eq!(moved, [10.0, 24.0, 86.0, 100.0]);
    }
}
