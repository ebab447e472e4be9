//! Numbers of bytes on the command line: `500M`, `4GiB`.

/// Parses a number of bytes, with K, M, G or T for powers of 1024; a value parser for clap.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a number of bytes such as 2000000, 500M or 4G");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match &*text[digits.len()..].to_ascii_lowercase() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.trim().parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_1024() {
        for (text, bytes) in [
            ("0", 0),
            ("2000000", 2_000_000),
            ("1k", 1 << 10),
            ("500M", 500 << 20),
            ("4 GiB", 4 << 30),
            ("2tb", 2 << 40),
            ("7B", 7),
        ] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for wrong in ["", "M", "-1", "1.5G", "4X", "99999999999G", "4G4"] {
            let told = parse(wrong).unwrap_err();
            assert!(told.contains("not a number of bytes"), "{told}");
        }
    }
}
