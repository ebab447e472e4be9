//! Tables and pictures, made from rows only.

mod builds;
mod choice;
mod doubles;
mod globes;
mod growth;
mod leaks;
mod points;
mod rays;
mod svg;
mod table;
mod worlds;

pub(crate) use globes::globes;
pub(crate) use growth::growth;

use crate::row::{Measured, Row};
use table::{Group, Key, Table};

/// Returns all tables of these rows, in Markdown.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let of =
        |measured| -> Group<'_> { rows.iter().filter(|row| row.measured == measured).collect() };
    let processor = [Key::new("processor", |row| row.scene.clone())];
    let machines = Table::new("Machine", of(Measured::Machine), &processor)
        .text("threads at once", |group| {
            Some(group.rows().next()?.threads.to_string())
        })
        .text("compiled for", |group| {
            Some(group.rows().next()?.plan.clone())
        });
    let mut text = machines.to_string();
    text += &rays::tables(&of(Measured::Rays));
    text += &points::tables(&of(Measured::Points));
    text += &doubles::rays(&of(Measured::DoubleRays));
    text += &doubles::points(&of(Measured::DoublePoints));
    text += &worlds::tables(&of(Measured::World));
    text += &worlds::changes(of(Measured::Change));
    text += &worlds::memory(of(Measured::Memory));
    text += &builds::loads(&of(Measured::Load), &of(Measured::Build));
    text += &leaks::tables(&of(Measured::Leaks));
    text += &builds::table(of(Measured::Build));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that the tables of these rows have these lines.
    #[track_caller]
    pub(super) fn assert_has(rows: &[Row], lines: &[&str]) {
        let text = markdown(rows);
        for line in lines {
            assert!(text.contains(line), "{line}\n\n{text}");
        }
    }

    #[test]
    fn machines_are_listed_once() {
        let machine = Row {
            scene: "AMD EPYC, AuthenticAMD family 26".to_owned(),
            threads: 2,
            plan: "x86-64-v4".to_owned(),
            ..Row::default()
        };
        let expected = "## Machine\n\n\
            | processor | threads at once | compiled for |\n\
            | --- | ---: | ---: |\n\
            | AMD EPYC, AuthenticAMD family 26 | 2 | x86-64-v4 |\n\n";
        assert_eq!(markdown(&[machine.clone(), machine]), expected);
    }
}
