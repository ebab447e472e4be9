//! Baselines: earlier results to compare with.

use super::report::{Report, SCHEMA};
use crate::failure::Failure;
use crate::number;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read as a result, in bytes. A larger file was named by mistake.
const MOST: u64 = 256 << 20;

/// Reads the result in a file.
pub(super) fn read(path: &Path) -> Result<Report, Failure> {
    let file = path.display();
    let unreadable = |source: io::Error| {
        Failure::Baseline(format!(
            "cannot read the baseline {file}: {source}; create one with estoc bench --save {file}"
        ))
    };
    let foreign = |line: usize, problem: String| {
        let line = line.max(1);
        Failure::Baseline(format!(
            "{file}:{line}: not a result of estoc bench --save ({SCHEMA}): {problem}; create one with \
             this version of estoc"
        ))
    };
    let mut bytes = Vec::new();
    let (opened, _) = estoc_system::open_input(path).map_err(unreadable)?;
    let mut limited = opened.take(MOST + 1);
    limited.read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MOST {
        return Err(foreign(
            1,
            format!("it is larger than {}", number::bytes(MOST as usize)),
        ));
    }
    serde_json::from_slice(&bytes).map_err(|error| foreign(error.line(), without_place(&error)))
}

/// Returns the message without the line and column that serde appends.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ");
    text[..end.unwrap_or(text.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_baseline_is_refused_with_file_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.json");
        let told = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let told = read(&path).unwrap_err().to_string();
            let (_, told) = told.split_once("b.json:").unwrap();
            told.to_owned()
        };
        assert!(told("v 0 0 0\nf 1 2 3\n").starts_with("1: not a result of estoc bench --save"));
        assert!(told("").contains("EOF"));
        let other = told("{\n  \"schema\": \"estoc.info/1\",\n  \"mesh\": \"m\"\n}\n");
        assert!(
            other.starts_with("2: ") && other.contains("\"estoc.info/1\", not"),
            "{other}"
        );
        let less = told("{\n  \"schema\": \"estoc.bench/1\"\n}\n");
        assert!(less.contains("missing field `version`"), "{less}");
        let gone = read(&folder.path().join("gone.json"))
            .unwrap_err()
            .to_string();
        assert!(
            gone.contains("gone.json") && gone.contains("--save"),
            "{gone}"
        );
    }
}
