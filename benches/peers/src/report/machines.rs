//! The machines that rows come from.

use super::cell::distinct;
use super::text::write_row;
use crate::row::Row;
use std::fmt::{self, Write};

/// Writes a table of the machines, usually one; nothing for files of earlier versions.
pub(super) fn write_table(out: &mut String, rows: &[Row]) -> fmt::Result {
    let machines = distinct(rows.iter().filter_map(|row| match row {
        Row::Machine(machine) => Some(machine),
        _ => None,
    }));
    if machines.is_empty() {
        return Ok(());
    }
    writeln!(out, "| | |\n|---|---|")?;
    for machine in machines {
        let mut field = |title: &str, text: String| write_row(out, &[title.to_owned(), text]);
        field("processor", machine.processor_in_words())?;
        field("threads at once", machine.threads.to_string())?;
        field("compiled for", machine.compiled_for.clone())?;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_listed_once() {
        let lines = [
            "machine,AuthenticAMD,26,2,AMD EPYC,2,1,,,,x86-64-v4,,",
            "machine,AuthenticAMD,26,2,AMD EPYC,2,1,,,,x86-64-v4,,",
            "machine,aarch64,,,,8,,,,,aarch64,,",
        ];
        let row = |line| Row::parse(line).expect("a row");
        let mut text = String::new();
        write_table(&mut text, &lines.map(row)).expect("a string");
        let expected = "| | |\n|---|---|\n\
            | processor | AMD EPYC, AuthenticAMD family 26 model 2 stepping 1 |\n\
            | threads at once | 2 |\n\
            | compiled for | x86-64-v4 |\n\
            | processor | aarch64 |\n\
            | threads at once | 8 |\n\
            | compiled for | aarch64 |\n\n";
        assert_eq!(text, expected);
    }
}
