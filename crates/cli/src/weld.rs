//! `--weld`.

use estoc::io::Weld;

/// Parses `auto`, or a distance.
pub(crate) fn parse(text: &str) -> Result<Weld, String> {
    if text == "auto" {
        return Ok(Weld::Auto);
    }
    match text.parse() {
        Ok(distance) if (0.0..f64::INFINITY).contains(&distance) => Ok(Weld::Within(distance)),
        _ => Err(
            "a weld is auto, or the largest distance of corners to join: a finite number that is not \
             negative"
                .into(),
        ),
    }
}

/// Formats a weld as `--weld` takes it.
pub(crate) fn text(weld: Weld) -> String {
    match weld {
        Weld::Within(distance) => format!("{distance:e}"),
        _ => "auto".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn welds_are_auto_or_a_distance() {
        for (name, weld) in [
            ("auto", Weld::Auto),
            ("0", Weld::Within(0.0)),
            ("1e-9", Weld::Within(1e-9)),
            ("0.25", Weld::Within(0.25)),
        ] {
            assert_eq!(parse(name), Ok(weld));
            assert_eq!(parse(&text(weld)), Ok(weld));
        }
        for name in ["", "Auto", "-1", "nan", "inf", "1e999", "1mm"] {
            assert!(parse(name).unwrap_err().contains("auto"), "{name}");
        }
    }
}
