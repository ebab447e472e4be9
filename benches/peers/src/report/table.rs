//! Tables in Markdown, made from rows: each line is about the results that have the same names.

use crate::row::Row;
use crate::statistics::geometric_mean;
use std::fmt::{self, Display};

/// A name of results, in a column of its own.
#[derive(Clone, Copy)]
pub(super) struct Key {
    title: &'static str,
    of: fn(&Row) -> String,
}

impl Key {
    pub(super) const SCENE: Key = Key::new("scene", |row| row.scene.clone());
    pub(super) const WORLD: Key = Key::new("world", |row| row.scene.clone());
    pub(super) const RAYS: Key = Key::new("rays", |row| row.rays.clone());
    pub(super) const ENGINE: Key = Key::new("engine", |row| row.engine.clone());
    pub(super) const MODE: Key = Key::new("mode", |row| row.mode.clone());
    pub(super) const THREADS: Key = Key::new("threads", |row| count(row.threads, "thread"));

    pub(super) const fn new(title: &'static str, of: fn(&Row) -> String) -> Self {
        Key { title, of }
    }
}

/// Some results.
#[derive(Clone, Default)]
pub(super) struct Group<'a>(Vec<&'a Row>);

impl<'a> FromIterator<&'a Row> for Group<'a> {
    fn from_iter<I: IntoIterator<Item = &'a Row>>(rows: I) -> Self {
        Group(rows.into_iter().collect())
    }
}

impl<'a> Group<'a> {
    pub(super) fn rows(&self) -> impl Iterator<Item = &'a Row> + Clone + '_ {
        self.0.iter().copied()
    }

    pub(super) fn only(&self, is: impl Fn(&Row) -> bool) -> Self {
        self.rows().filter(|row| is(row)).collect()
    }

    /// Returns the result of an engine.
    pub(super) fn find(&self, engine: &str, mode: &str) -> Option<&'a Row> {
        self.rows()
            .find(|row| row.engine == engine && row.mode == mode)
    }

    /// Returns the fastest result of those that compete: it stands for all.
    pub(super) fn fastest(&self, competes: impl Fn(&Row) -> bool) -> Option<&'a Row> {
        let timed = self.rows().filter(|row| row.ns.is_some() && competes(row));
        timed.min_by(|a, b| {
            a.ns.unwrap_or_default()
                .total_cmp(&b.ns.unwrap_or_default())
        })
    }

    /// Returns the results with the same names, in order of first appearance.
    pub(super) fn by(&self, keys: &[Key]) -> Vec<(Vec<String>, Group<'a>)> {
        let mut groups: Vec<(Vec<String>, Group<'a>)> = Vec::new();
        for row in self.rows() {
            let names: Vec<String> = keys.iter().map(|key| (key.of)(row)).collect();
            match groups.iter_mut().find(|(known, _)| *known == names) {
                Some((_, group)) => group.0.push(row),
                None => groups.push((names, Group(vec![row]))),
            }
        }
        groups
    }
}

/// What a column says about the results of a line; `None` where it says nothing.
type Cell<'a> = Box<dyn Fn(&Group<'a>) -> Option<Value> + 'a>;

/// A cell of a table.
enum Value {
    Text(String),
    /// A ratio, of which the foot of the table gives mean and range.
    Ratio(f64),
}

/// A table, which is empty without results.
pub(super) struct Table<'a> {
    title: String,
    lines: Group<'a>,
    keys: &'a [Key],
    columns: Vec<(String, Cell<'a>)>,
}

impl<'a> Table<'a> {
    /// Makes a table with a line for each combination of names.
    pub(super) fn new(title: impl Into<String>, lines: Group<'a>, keys: &'a [Key]) -> Self {
        Table {
            title: title.into(),
            lines,
            keys,
            columns: Vec::new(),
        }
    }

    /// Adds a column of texts.
    pub(super) fn text(
        mut self,
        title: impl Into<String>,
        cell: impl Fn(&Group<'a>) -> Option<String> + 'a,
    ) -> Self {
        let cell: Cell<'a> = Box::new(move |group| cell(group).map(Value::Text));
        self.columns.push((title.into(), cell));
        self
    }

    /// Adds a column of texts about the result of an engine.
    pub(super) fn result(
        self,
        title: impl Into<String>,
        (engine, mode): (&'a str, &'a str),
        show: fn(&Row) -> Option<String>,
    ) -> Self {
        self.text(title, move |group| show(group.find(engine, mode)?))
    }

    /// Adds a column of how many times as fast the result of one engine is as that of another.
    pub(super) fn speed(
        self,
        title: impl Into<String>,
        ours: (&'a str, &'a str),
        theirs: (&'a str, &'a str),
    ) -> Self {
        let find = |group: &Group<'a>, (engine, mode)| group.find(engine, mode);
        self.ratio(title, move |group| {
            ratio(find(group, ours), find(group, theirs))
        })
    }

    /// Adds a column of ratios.
    pub(super) fn ratio(
        mut self,
        title: impl Into<String>,
        cell: impl Fn(&Group<'a>) -> Option<f64> + 'a,
    ) -> Self {
        let cell: Cell<'a> = Box::new(move |group| cell(group).map(Value::Ratio));
        self.columns.push((title.into(), cell));
        self
    }

    /// Adds a column of texts for each combination of other names.
    pub(super) fn across(
        mut self,
        keys: &'a [Key],
        cell: impl Fn(&'a Row) -> Option<String> + Copy + 'a,
    ) -> Self {
        for (names, _) in self.lines.by(keys) {
            let title = names.join(" ");
            let is_here = move |row: &Row| {
                keys.iter()
                    .zip(&names)
                    .all(|(key, name)| (key.of)(row) == *name)
            };
            self = self.text(title, move |group| {
                let found = group.rows().find(|row| is_here(row));
                found.and_then(cell)
            });
        }
        self
    }
}

impl Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = self.lines.by(self.keys);
        let columns = self.columns.iter().map(|(title, cell)| {
            let values: Vec<Option<Value>> = groups.iter().map(|(_, group)| cell(group)).collect();
            (title, values)
        });
        // A column without a value was not measured.
        let columns = columns.filter(|(_, values)| values.iter().any(Option::is_some));
        let columns: Vec<_> = columns.collect();
        if columns.is_empty() {
            return Ok(());
        }
        writeln!(f, "## {}\n", self.title)?;
        let titles = self.keys.iter().map(|key| key.title);
        let titles = titles.chain(columns.iter().map(|(title, _)| &***title));
        line(f, titles.map(str::to_owned))?;
        let rules = self
            .keys
            .iter()
            .map(|_| "---")
            .chain(columns.iter().map(|_| "---:"));
        line(f, rules.map(str::to_owned))?;
        for (at, (names, _)) in groups.iter().enumerate() {
            let cells = columns.iter().map(|(_, values)| match &values[at] {
                None => String::new(),
                Some(Value::Text(text)) => text.clone(),
                Some(Value::Ratio(ratio)) => format!("{ratio:.2}"),
            });
            line(f, names.iter().cloned().chain(cells))?;
        }
        let ratios = columns.iter().map(|(_, values)| {
            let ratios = values.iter().flatten().filter_map(|value| match value {
                Value::Ratio(ratio) => Some(*ratio),
                Value::Text(_) => None,
            });
            ratios.collect::<Vec<f64>>()
        });
        let ratios: Vec<Vec<f64>> = ratios.collect();
        let has_foot = groups.len() > 1 && ratios.iter().any(|ratios| !ratios.is_empty());
        for (name, summary) in SUMMARIES.iter().filter(|_| has_foot) {
            let first = self.keys.iter().enumerate().map(|(at, _)| match at {
                0 => format!("**{name}**"),
                _ => String::new(),
            });
            let cells = ratios
                .iter()
                .map(|ratios| summary(ratios).map_or(String::new(), |ratio| format!("{ratio:.2}")));
            line(f, first.chain(cells))?;
        }
        writeln!(f)
    }
}

fn line(f: &mut fmt::Formatter<'_>, cells: impl Iterator<Item = String>) -> fmt::Result {
    writeln!(f, "| {} |", cells.collect::<Vec<_>>().join(" | "))
}

/// A summary of many ratios.
type Summary = (&'static str, fn(&[f64]) -> Option<f64>);

const SUMMARIES: [Summary; 3] = [
    ("geometric mean", geometric_mean),
    ("smallest", |ratios| ratios.iter().copied().reduce(f64::min)),
    ("greatest", |ratios| ratios.iter().copied().reduce(f64::max)),
];

/// Formats the geometric mean and the range of ratios; `None` of none.
pub(super) fn range(ratios: &[f64]) -> Option<String> {
    let [mean, least, greatest] = SUMMARIES.map(|(_, summary)| summary(ratios));
    Some(format!("{:.2} ({:.2} to {:.2})", mean?, least?, greatest?))
}

/// Formats a number with commas between thousands, and its noun in singular or plural.
pub(super) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// Formats a number with commas between thousands.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let parts = digits.as_bytes().rchunks(3).rev();
    let parts: Vec<_> = parts.map(String::from_utf8_lossy).collect();
    parts.join(",")
}

/// Formats nanoseconds.
pub(super) fn nanoseconds(row: &Row) -> Option<String> {
    row.ns.map(|ns| format!("{ns:.1}"))
}

/// Formats nanoseconds with half the spread.
pub(super) fn with_spread(row: &Row) -> Option<String> {
    Some(format!("{:.1} ±{:.0}%", row.ns?, row.spread? / 2.0))
}

/// Formats nanoseconds with the engine's name, without those of the family and of the one mesh,
/// which the title has.
pub(super) fn named(row: &Row) -> Option<String> {
    let name = row.engine.trim_start_matches("flat-");
    let name = name.strip_prefix("embree-").unwrap_or(name);
    Some(format!("{:.1} {name}", row.ns?))
}

/// Returns how many times as fast one result is as another.
pub(super) fn ratio(ours: Option<&Row>, theirs: Option<&Row>) -> Option<f64> {
    Some(theirs?.ns? / ours?.ns?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Measured, rows};

    #[test]
    fn lines_have_the_same_names_and_ratios_a_foot() {
        let rows = rows(
            Measured::Rays,
            &[
                "hall,ao,single,a,1,2",
                "soup,ao,single,a,1,3",
                "hall,ao,single,b,1,8",
                "hall,ao,batch,a,1,1",
            ],
        );
        let group: Group<'_> = rows.iter().filter(|row| row.mode == "single").collect();
        let table = Table::new("Title", group, &[Key::SCENE, Key::RAYS])
            .across(&[Key::ENGINE], nanoseconds)
            .text("nothing", |_| None)
            .ratio("a to b", |group| {
                ratio(group.find("a", "single"), group.find("b", "single"))
            });
        let expected = "## Title\n\n\
            | scene | rays | a | b | a to b |\n\
            | --- | --- | ---: | ---: | ---: |\n\
            | hall | ao | 2.0 | 8.0 | 4.00 |\n\
            | soup | ao | 3.0 |  |  |\n\
            | **geometric mean** |  |  |  | 4.00 |\n\
            | **smallest** |  |  |  | 4.00 |\n\
            | **greatest** |  |  |  | 4.00 |\n\n";
        assert_eq!(table.to_string(), expected);
        assert_eq!(
            Table::new("Title", Group::default(), &[Key::RAYS]).to_string(),
            ""
        );
    }

    #[test]
    fn numbers_are_told_in_words() {
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(
            (grouped(0), grouped(1000)),
            ("0".to_owned(), "1,000".to_owned())
        );
        assert_eq!(
            (count(1, "thread"), count(2, "thread")),
            ("1 thread".to_owned(), "2 threads".to_owned())
        );
        assert_eq!(range(&[1.0, 4.0]).as_deref(), Some("2.00 (1.00 to 4.00)"));
        assert_eq!(range(&[]), None);
    }
}
