//! Numbers with few digits, for people.

/// Formats a number with about three digits, as legends show them. Infinity and NaN are `inf`
/// and `NaN`.
pub fn short_number(x: f32) -> String {
    let size = x.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        return format!("{x:.2e}");
    }
    let decimals = match size {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        _ => 3,
    };
    format!("{x:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_have_three_digits() {
        let table = [
            (0.0, "0.000"),
            (1.2345, "1.23"),
            (-12.345, "-12.3"),
            (98_765.4, "98765"),
            (0.012_34, "0.012"),
            (1.5e-5, "1.50e-5"),
            (3e38, "3.00e38"),
            (f32::INFINITY, "inf"),
        ];
        for (x, text) in table {
            assert_eq!(short_number(x), text);
        }
    }
}
