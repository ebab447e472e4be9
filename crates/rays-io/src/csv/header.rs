//! The first line of a CSV file, which names the columns.

use super::cells::Cells;
use crate::cell_text::unquoted;
use crate::input_error::{InputError, InputPlace, InputProblem};
use crate::item::{Item, MOST_COLUMNS};

/// The columns that the first line names.
#[derive(Default)]
pub(crate) struct Header {
    /// The names of all columns, in the order of the file.
    pub(crate) names: Vec<String>,
    /// The index of the column for each of [`Item::NAMES`].
    pub(crate) places: [Option<usize>; MOST_COLUMNS],
    /// The index of the column [`Item::MASK`].
    pub(crate) mask: Option<usize>,
    /// Ignored columns whose names differ from known names only in underscores and case, and these
    /// known names.
    pub(crate) lookalikes: Vec<(String, &'static str)>,
}

impl Header {
    /// Reads the names of the columns, in letters of either case. If several columns differ only in
    /// case, the one written as in [`Item::NAMES`] is used.
    pub(super) fn read<T: Item>(line: &[u8], file: &str) -> Result<Self, InputError> {
        if Cells::of(line).any(|cell| cell.is_open) {
            return Err(InputProblem::Quote.at(file, FIRST_LINE));
        }
        let names: Vec<String> = Cells::of(line)
            .map(|cell| unquoted(&String::from_utf8_lossy(cell.raw)))
            .collect();
        let header = Header::find::<T>(names, file, true)?;
        match header.has_required::<T>() {
            true => Ok(header),
            false => Err(header.missing_of_csv::<T>(line, file)),
        }
    }

    /// Finds the columns of items among the names of a file; required ones may be missing.
    fn find<T: Item>(names: Vec<String>, file: &str, is_csv: bool) -> Result<Self, InputError> {
        let find = |known| {
            place_of(&names, known)
                .map_err(|()| InputProblem::TwoColumns(known).at(file, place_of_names(is_csv)))
        };
        let mut places = [None; MOST_COLUMNS];
        for (place, &known) in places.iter_mut().zip(T::NAMES) {
            *place = find(known)?;
        }
        let mask = T::MASK.map(find).transpose()?.flatten();
        let mut lookalikes = Vec::new();
        for (place, name) in names.iter().enumerate() {
            let plain = name.replace('_', "");
            let found = places
                .iter()
                .zip(T::NAMES)
                .chain([&mask].into_iter().zip(&T::MASK));
            let mut missing = found.filter(|(place, _)| place.is_none());
            let known = missing.find(|(_, known)| known.eq_ignore_ascii_case(&plain));
            if let Some((_, known)) = known
                && !places.contains(&Some(place))
                && mask != Some(place)
            {
                lookalikes.push((name.clone(), *known));
            }
        }
        Ok(Header {
            names,
            places,
            mask,
            lookalikes,
        })
    }

    /// Finds the columns of items among those that a file declares elsewhere than in a first line.
    pub(crate) fn of_names<T: Item>(names: Vec<String>, file: &str) -> Result<Self, InputError> {
        let header = Header::find::<T>(names, file, false)?;
        match header.has_required::<T>() {
            true => Ok(header),
            false => Err(header.missing::<T>(file, false)),
        }
    }

    fn has_required<T: Item>(&self) -> bool {
        self.places[..T::REQUIRED].iter().all(Option::is_some)
    }

    /// Returns the reason for missing columns of CSV: another separator, no names at all, or other
    /// names.
    fn missing_of_csv<T: Item>(&self, line: &[u8], file: &str) -> InputError {
        if let Some(separator) = other_separator::<T>(line) {
            return InputProblem::Separator(separator).at(file, FIRST_LINE);
        }
        if self.names.iter().all(|name| name.parse::<f32>().is_ok()) {
            let required = T::NAMES[..T::REQUIRED].join(",");
            return InputProblem::NoHeader(required).at(file, FIRST_LINE);
        }
        self.missing::<T>(file, true)
    }

    /// Returns the error for missing columns.
    fn missing<T: Item>(&self, file: &str, is_csv: bool) -> InputError {
        let missing: Vec<&str> = (0..T::REQUIRED)
            .filter(|&column| self.places[column].is_none())
            .map(|column| T::NAMES[column])
            .collect();
        let mut found = self.names.join(",");
        if let Some((end, _)) = found.char_indices().nth(80) {
            found.truncate(end);
            found.push_str("...");
        }
        let problem = InputProblem::NoColumn {
            is_csv,
            missing: match missing[..] {
                [column] => format!("column {column}"),
                _ => format!("columns {}", missing.join(",")),
            },
            wanted: wanted::<T>(),
            found: format!("{found:?}"),
        };
        problem.at(file, place_of_names(is_csv))
    }
}

/// Where CSV names its columns.
const FIRST_LINE: InputPlace = InputPlace::Line(1);

/// Returns where a file names its columns.
fn place_of_names(is_csv: bool) -> InputPlace {
    match is_csv {
        true => FIRST_LINE,
        false => InputPlace::File,
    }
}

/// The prefix of an input column that a column of the output is named like.
const INPUT: &str = "input:";

/// Returns the index of an input column that the user names for the output, with or without
/// `input:`: an exact match first, else one that differs only in case.
pub fn column_named(name: &str, columns: &[String]) -> Option<usize> {
    let name = name.strip_prefix(INPUT).unwrap_or(name);
    let place = |is_it: &dyn Fn(&String) -> bool| columns.iter().position(is_it);
    place(&|column| column == name).or_else(|| place(&|column| column.eq_ignore_ascii_case(name)))
}

/// Returns the index of a column: an exact match first, else the only one that differs in case.
/// More than one match is an error.
fn place_of(names: &[String], wanted: &str) -> Result<Option<usize>, ()> {
    let places = |is_it: &dyn Fn(&str) -> bool| -> Result<Option<usize>, ()> {
        let mut found = (0..names.len()).filter(|&place| is_it(&names[place]));
        match (found.next(), found.next()) {
            (_, Some(_)) => Err(()),
            (first, None) => Ok(first),
        }
    };
    match places(&|name| name == wanted)? {
        Some(place) => Ok(Some(place)),
        None => places(&|name| name.eq_ignore_ascii_case(wanted)),
    }
}

/// Returns the separator that splits a line without commas into the required names, or into numbers
/// only.
fn other_separator<T: Item>(line: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(line);
    if text.contains(',') {
        return None;
    }
    let splits = |separator: char| {
        let cells: Vec<&str> = text.split(separator).map(str::trim).collect();
        let cells: Vec<&str> = cells.into_iter().filter(|cell| !cell.is_empty()).collect();
        let has = |name: &&str| cells.iter().any(|cell| cell.eq_ignore_ascii_case(name));
        let is_named = T::NAMES[..T::REQUIRED].iter().all(has);
        let is_number = |cell: &&str| cell.parse::<f32>().is_ok();
        is_named || (cells.len() >= T::REQUIRED && cells.iter().all(is_number))
    };
    [(';', "semicolons"), ('\t', "tabs"), (' ', "spaces")]
        .into_iter()
        .find(|&(separator, _)| splits(separator))
        .map(|(_, name)| name)
}

/// Returns the names of the required columns, and of the optional ones.
fn wanted<T: Item>() -> String {
    let (required, optional) = T::NAMES.split_at(T::REQUIRED);
    let required = required.join(",");
    match [optional, T::MASK.as_slice()].concat()[..] {
        [] => required,
        ref optional => format!("{required} (and may name {})", optional.join(",")),
    }
}
