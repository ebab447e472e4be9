//! Rays and points from CSV, a chunk at a time.
//!
//! The first line names the columns, in any order; those that are not known are ignored. Rays
//! need `ox,oy,oz,dx,dy,dz` and may have `tmin` and `tmax` (0 and inf otherwise, also where a cell
//! is empty); points need `x,y,z`. Numbers are rounded once to the nearest `f32`; `-0`, `inf` and
//! `nan` are kept, and rays that cannot be cast hit nothing.

use estoc::Ray;
use estoc::glam::Vec3;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::marker::PhantomData;
use std::path::Path;

/// What a line holds.
pub(crate) trait CsvItem: Sized {
    /// What many of it are called.
    const PLURAL: &'static str;
    /// The columns that count, in the order they are kept here: those that must be there, then
    /// those that may be.
    const NAMES: &'static [&'static str];
    const REQUIRED: usize;

    /// Takes one number a column; those that may be missing are `None` then.
    fn from_numbers(numbers: [Option<f32>; MOST_COLUMNS]) -> Self;
}

/// No item has more numbers.
const MOST_COLUMNS: usize = 8;
/// No line of numbers is as long; what is, is not CSV.
const LONGEST_LINE: usize = 1 << 20;

impl CsvItem for Ray {
    const PLURAL: &'static str = "rays";
    const NAMES: &'static [&'static str] = &["ox", "oy", "oz", "dx", "dy", "dz", "tmin", "tmax"];
    const REQUIRED: usize = 6;

    fn from_numbers(numbers: [Option<f32>; MOST_COLUMNS]) -> Self {
        let [.., t_min, t_max] = numbers;
        let [ox, oy, oz, dx, dy, dz, ..] = numbers.map(Option::unwrap_or_default);
        Ray::new([ox, oy, oz], [dx, dy, dz])
            .with_interval(t_min.unwrap_or(0.0), t_max.unwrap_or(f32::INFINITY))
    }
}

impl CsvItem for Vec3 {
    const PLURAL: &'static str = "points";
    const NAMES: &'static [&'static str] = &["x", "y", "z"];
    const REQUIRED: usize = 3;

    fn from_numbers(numbers: [Option<f32>; MOST_COLUMNS]) -> Self {
        let [x, y, z, ..] = numbers.map(Option::unwrap_or_default);
        Vec3::new(x, y, z)
    }
}

/// The columns that the first line must name, and those that it may.
fn wanted<T: CsvItem>() -> String {
    let (required, optional) = T::NAMES.split_at(T::REQUIRED);
    let required = required.join(",");
    match optional {
        [] => required,
        _ => format!("{required} (and may name {})", optional.join(",")),
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum ItemsError {
    #[error("cannot read {items} from {name}: {source}")]
    Io {
        items: &'static str,
        name: String,
        source: io::Error,
    },
    #[error(
        "{name}:1: there is no column {missing}; the first line must name {wanted}, this one names {found}"
    )]
    NoColumn {
        name: String,
        missing: String,
        wanted: String,
        found: String,
    },
    #[error("{name}:1: the column {column} is there twice; rename one of them")]
    TwoColumns { name: String, column: &'static str },
    #[error("{name}: there is not even a first line; it must name the columns {required}")]
    Empty { name: String, required: String },
    #[error("{name}:{line}: {cells} cells under {columns} columns; give each column one")]
    Cells {
        name: String,
        line: u64,
        cells: usize,
        columns: usize,
    },
    #[error("{name}:{line}: {column} is {value:?}; write a number such as -1.5, 2e-3 or inf")]
    Number {
        name: String,
        line: u64,
        column: &'static str,
        value: String,
    },
    #[error("{name}:{line}: the line is longer than {LONGEST_LINE} bytes; {items} come one a line")]
    LongLine {
        items: &'static str,
        name: String,
        line: u64,
    },
}

/// Reads rays, or points, in the order of the file.
pub(crate) struct ItemReader<T, R> {
    name: String,
    input: R,
    /// Number of the line read last, from 1.
    line: u64,
    bytes: u64,
    text: Vec<u8>,
    columns: usize,
    /// Which cell holds each of [`CsvItem::NAMES`].
    places: [Option<usize>; MOST_COLUMNS],
    /// Ignored columns that are nearly called like known ones, and those.
    lookalikes: Vec<(String, &'static str)>,
    item: PhantomData<T>,
}

impl<T: CsvItem> ItemReader<T, Box<dyn BufRead>> {
    /// A file, or stdin for `-`; also answers the number of bytes if that is known.
    pub(crate) fn open(path: &Path) -> Result<(Self, Option<u64>), ItemsError> {
        if path.as_os_str() == "-" {
            let reader = ItemReader::new("<stdin>".into(), Box::new(io::stdin().lock()) as _)?;
            return Ok((reader, None));
        }
        let name = path.display().to_string();
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (found, file) = opened.map_err(|source| ItemsError::Io {
            items: T::PLURAL,
            name: name.clone(),
            source,
        })?;
        let size = found.is_file().then_some(found.len());
        let input = BufReader::with_capacity(1 << 16, file);
        Ok((ItemReader::new(name, Box::new(input) as _)?, size))
    }
}

impl<T: CsvItem, R: BufRead> ItemReader<T, R> {
    /// Reads the first line.
    pub(crate) fn new(name: String, input: R) -> Result<Self, ItemsError> {
        let mut reader = ItemReader {
            name,
            input,
            line: 0,
            bytes: 0,
            text: Vec::new(),
            columns: 0,
            places: [None; MOST_COLUMNS],
            lookalikes: Vec::new(),
            item: PhantomData,
        };
        if !reader.next_line()? {
            let required = T::NAMES[..T::REQUIRED].join(",");
            return Err(ItemsError::Empty {
                name: reader.name,
                required,
            });
        }
        reader.read_header()?;
        Ok(reader)
    }

    /// Ignored columns whose names differ from known ones only in case and underscores, with
    /// the names that would be known, where no column has those.
    pub(crate) fn lookalikes(&self) -> &[(String, &'static str)] {
        &self.lookalikes
    }

    /// How much of the input was consumed.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Replaces the items by the next ones, at most `most`; none at the end.
    pub(crate) fn read(&mut self, items: &mut Vec<T>, most: usize) -> Result<(), ItemsError> {
        items.clear();
        while items.len() < most && self.next_line()? {
            if !self.text.trim_ascii().is_empty() {
                let item = self.item()?;
                items.push(item);
            }
        }
        Ok(())
    }

    /// Whether there was one more line; its end is cut off.
    fn next_line(&mut self) -> Result<bool, ItemsError> {
        self.text.clear();
        let mut limited = io::Read::take(&mut self.input, LONGEST_LINE as u64 + 1);
        let read = limited.read_until(b'\n', &mut self.text);
        let length = read.map_err(|source| ItemsError::Io {
            items: T::PLURAL,
            name: self.name.clone(),
            source,
        })?;
        self.bytes += length as u64;
        self.line += 1;
        if length > LONGEST_LINE {
            let (name, line) = (self.name.clone(), self.line);
            let items = T::PLURAL;
            return Err(ItemsError::LongLine { items, name, line });
        }
        while let Some(b'\n' | b'\r') = self.text.last() {
            self.text.pop();
        }
        Ok(length > 0)
    }

    fn read_header(&mut self) -> Result<(), ItemsError> {
        let text = self
            .text
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(&self.text);
        let mut found = Vec::new();
        for (place, cell) in Cells::of(text).enumerate() {
            found.push(String::from_utf8_lossy(cell).into_owned());
            let Some(known) = T::NAMES.iter().position(|name| name.as_bytes() == cell) else {
                continue;
            };
            if self.places[known].replace(place).is_some() {
                let (name, column) = (self.name.clone(), T::NAMES[known]);
                return Err(ItemsError::TwoColumns { name, column });
            }
        }
        for name in &found {
            let plain = name.replace('_', "").to_ascii_lowercase();
            let known = T::NAMES.iter().position(|known| *known == plain);
            if let Some(known) = known.filter(|&known| self.places[known].is_none()) {
                self.lookalikes.push((name.clone(), T::NAMES[known]));
            }
        }
        self.columns = found.len();
        let missing: Vec<&str> = (0..T::REQUIRED)
            .filter(|&column| self.places[column].is_none())
            .map(|column| T::NAMES[column])
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let mut found = found.join(",");
        if let Some((end, _)) = found.char_indices().nth(80) {
            found.truncate(end);
            found.push_str("...");
        }
        Err(ItemsError::NoColumn {
            name: self.name.clone(),
            missing: missing.join(","),
            wanted: wanted::<T>(),
            found: format!("{found:?}"),
        })
    }

    fn item(&self) -> Result<T, ItemsError> {
        let mut numbers = [None; MOST_COLUMNS];
        let mut cells = 0;
        for (place, cell) in Cells::of(&self.text).enumerate() {
            cells += 1;
            let Some(column) = self.places.iter().position(|&p| p == Some(place)) else {
                continue;
            };
            if cell.is_empty() && column >= T::REQUIRED {
                continue;
            }
            let number = std::str::from_utf8(cell)
                .ok()
                .and_then(|text| text.parse().ok());
            numbers[column] = Some(number.ok_or_else(|| ItemsError::Number {
                name: self.name.clone(),
                line: self.line,
                column: T::NAMES[column],
                value: String::from_utf8_lossy(cell).chars().take(40).collect(),
            })?);
        }
        if cells != self.columns {
            let (name, line, columns) = (self.name.clone(), self.line, self.columns);
            return Err(ItemsError::Cells {
                name,
                line,
                cells,
                columns,
            });
        }
        Ok(T::from_numbers(numbers))
    }
}

/// The cells of a line, trimmed. A cell in double quotes may hold commas; quotes in it are
/// not looked at further, since no number and no name of a column has any.
struct Cells<'a>(Option<&'a [u8]>);

impl<'a> Cells<'a> {
    fn of(line: &'a [u8]) -> Self {
        Cells(Some(line))
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let line = self.0?;
        let mut quoted = false;
        let end = line.iter().position(|&byte| {
            quoted ^= byte == b'"';
            byte == b',' && !quoted
        });
        let cell = &line[..end.unwrap_or(line.len())];
        self.0 = end.map(|end| &line[end + 1..]);
        let cell = cell.trim_ascii();
        let inner = cell
            .strip_prefix(b"\"")
            .and_then(|cell| cell.strip_suffix(b"\""));
        Some(inner.unwrap_or(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<Ray>, ItemsError> {
        let mut reader = ItemReader::<Ray, _>::new("r.csv".into(), text.as_bytes())?;
        let (mut all, mut chunk) = (Vec::new(), Vec::new());
        loop {
            reader.read(&mut chunk, 2)?;
            if chunk.is_empty() {
                assert_eq!(reader.bytes(), text.len() as u64);
                return Ok(all);
            }
            all.append(&mut chunk);
        }
    }

    #[test]
    fn columns_come_in_any_order_and_unknown_ones_are_ignored() {
        let text = "\u{feff}tmax,\"dz\",dy, dx ,\"a,b\",oz,oy,ox\r\n\
                    9,6,5,4,\"x,y\",3,2,1\r\n\n,-0,0,1e-50,,1e39,0.1,-0";
        let rays = all(text).unwrap();
        assert_eq!(rays.len(), 2);
        assert_eq!(
            rays[0],
            Ray::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]).with_interval(0.0, 9.0)
        );
        assert_eq!(rays[1].origin.x.to_bits(), (-0.0f32).to_bits());
        assert_eq!(rays[1].dir.z.to_bits(), (-0.0f32).to_bits());
        assert_eq!(rays[1].origin.z, f32::INFINITY);
        assert_eq!(rays[1].dir.x, 0.0);
        assert_eq!(rays[1].t_max, f32::INFINITY);
    }

    #[test]
    fn columns_that_are_nearly_known_are_told() {
        let told = |header: &str| {
            let text = format!("{header}\n");
            ItemReader::<Ray, _>::new("r.csv".into(), text.as_bytes())
                .map(|r| r.lookalikes().to_vec())
        };
        assert_eq!(
            told("ox,oy,oz,dx,dy,dz,t_min,Tmax,note").unwrap(),
            [("t_min".to_owned(), "tmin"), ("Tmax".to_owned(), "tmax")]
        );
        assert_eq!(told("ox,oy,oz,dx,dy,dz,tmin,T_MIN").unwrap(), []);
        assert!(told("Ox,oy,oz,dx,dy,dz").is_err());
    }

    #[test]
    fn numbers_are_rounded_once() {
        // Halfway between two f32s but for the last digit; by way of f64 it would be a tie.
        let text = "ox,oy,oz,dx,dy,dz\n1.00000005960464477540,0,0,nan,INF,-inf\n";
        let ray = all(text).unwrap()[0];
        assert_eq!(ray.origin.x, 1.0 + f32::EPSILON);
        assert!(ray.dir.x.is_nan());
        assert_eq!((ray.dir.y, ray.dir.z), (f32::INFINITY, f32::NEG_INFINITY));
    }

    #[test]
    fn errors_name_file_line_value_and_way_out() {
        let message = |text: &str| all(text).unwrap_err().to_string();
        let head = "ox,oy,oz,dx,dy,dz\n";
        assert_eq!(
            message(&format!("{head}0,0,0,0,0,1\n\n0,0,zero,0,0,1\n")),
            "r.csv:4: oz is \"zero\"; write a number such as -1.5, 2e-3 or inf"
        );
        assert_eq!(
            message(&format!("{head}0,0,0,0,0\n")),
            "r.csv:2: 5 cells under 6 columns; give each column one"
        );
        assert!(message(&format!("{head},0,0,0,0,1\n")).contains("r.csv:2: ox is \"\""));
        assert!(message("ox,oy\n").starts_with("r.csv:1: there is no column oz,dx,dy,dz;"));
        assert!(message("ox,oy,oz,dx,dy,dz,ox\n").contains("column ox is there twice"));
        assert!(message("").contains("not even a first line"));
        let endless = format!("{head}{}", "1".repeat(LONGEST_LINE + 1));
        assert!(message(&endless).starts_with("r.csv:2: the line is longer"));
    }

    #[test]
    fn points_have_columns_of_their_own() {
        let read = |text: &str| {
            let mut points = Vec::new();
            let mut reader = ItemReader::<Vec3, _>::new("p.csv".into(), text.as_bytes())?;
            reader.read(&mut points, 9).map(|()| points)
        };
        let points = read("z,name,y,x\n3,a,2,1\n\n-0,b,nan,inf\n").unwrap();
        assert_eq!((points.len(), points[0]), (2, Vec3::new(1.0, 2.0, 3.0)));
        assert!(points[1].y.is_nan() && points[1].z.is_sign_negative());
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            message("x,y\n"),
            "p.csv:1: there is no column z; the first line must name x,y,z, this one names \"x,y\""
        );
        assert!(message("").ends_with("it must name the columns x,y,z"));
        assert!(message("x,y,z\n1,2,\n").contains("p.csv:2: z is \"\""));
    }
}
