//! The machine that rows were measured on, and the one that the program was compiled for.

use crate::row::{Measured, Row};
use estoc_demo::measuring::processor;
use std::thread::available_parallelism;

/// Returns a row that describes this machine.
pub(crate) fn row() -> Row {
    Row {
        measured: Measured::Machine,
        scene: processor_in_words(processor),
        threads: available_parallelism().map_or(1, usize::from),
        plan: compiled_for().to_owned(),
        ..Row::default()
    }
}

/// Describes the processor in a few words. Virtual machines often hide its name, but not its family,
/// model and stepping.
fn processor_in_words(field: impl Fn(&str) -> Option<String>) -> String {
    let vendor = field("vendor_id").unwrap_or(std::env::consts::ARCH.to_owned());
    let mut words: Vec<String> = field("model name")
        .map(|name| format!("{name},"))
        .into_iter()
        .collect();
    words.push(vendor);
    for (title, word) in [
        ("cpu family", "family"),
        ("model", "model"),
        ("stepping", "stepping"),
    ] {
        words.extend(field(title).map(|number| format!("{word} {number}")));
    }
    words.join(" ")
}

/// Returns the level of the x86-64 psABI that the whole program was compiled for, or the
/// architecture.
const fn compiled_for() -> &'static str {
    if cfg!(not(target_arch = "x86_64")) {
        std::env::consts::ARCH
    } else if cfg!(all(
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512cd",
        target_feature = "avx512dq",
        target_feature = "avx512vl"
    )) {
        "x86-64-v4"
    } else if cfg!(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "fma",
        target_feature = "lzcnt"
    )) {
        "x86-64-v3"
    } else if cfg!(target_feature = "sse4.2") {
        "x86-64-v2"
    } else {
        "x86-64"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_is_described_by_what_is_known() {
        let known = [
            ("vendor_id", "AuthenticAMD"),
            ("cpu family", "26"),
            ("model", "2"),
            ("model name", "AMD EPYC"),
            ("stepping", "1"),
        ];
        let field = |title: &str| {
            let found = known.iter().find(|(name, _)| *name == title)?;
            Some(found.1.to_owned())
        };
        let words = "AMD EPYC, AuthenticAMD family 26 model 2 stepping 1";
        assert_eq!(processor_in_words(field), words);
        assert_eq!(processor_in_words(|_| None), std::env::consts::ARCH);
        assert!(row().threads >= 1);
    }
}
