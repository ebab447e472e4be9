//! Reads rays and points from CSV, a chunk at a time.
//!
//! The first line names the columns, in any order and letter case; other columns are ignored, or
//! passed through to the output. Rays need `ox,oy,oz,dx,dy,dz` and may have `tmin` and `tmax`
//! (default 0 and inf, also for an empty cell); points need `x,y,z`. Numbers are rounded once to
//! the nearest `f32`, or `f64` for origins and directions of [`Ray64`]; `-0`, `inf` and `nan` are
//! kept, and undefined rays hit nothing.

mod cells;
mod error;
mod header;
mod input;
mod items;

pub(crate) use cells::PassedCells;
pub(crate) use error::ItemsError;
pub(crate) use header::column_named;
pub(crate) use input::FileProgress;
pub(crate) use items::{CsvItem, EitherNumber};

use crate::number::counted;
use cells::{Cell, Cells};
use header::Header;
use items::MOST_COLUMNS;
use std::io::{self, BufRead};
use std::marker::PhantomData;
use std::path::Path;

/// The largest length of a line in bytes. A longer line is not CSV.
const LONGEST_LINE: usize = 1 << 20;

/// Reads rays or points in the order of the file.
pub(crate) struct ItemReader<T, R = Box<dyn BufRead>> {
    name: String,
    input: R,
    /// Number of the last line read, from 1.
    line: u64,
    text: Vec<u8>,
    header: Header,
    /// The columns that are passed through.
    passed: Vec<usize>,
    item: PhantomData<T>,
}

/// Items, and the cells of their lines that are passed through to the output.
#[derive(Clone, Debug)]
pub(crate) struct Chunk<T> {
    pub(crate) items: Vec<T>,
    pub(crate) cells: PassedCells,
}

impl<T> Default for Chunk<T> {
    fn default() -> Self {
        Chunk {
            items: Vec::new(),
            cells: PassedCells::default(),
        }
    }
}

impl<T: CsvItem> ItemReader<T> {
    /// Opens a file, or stdin for `-`, and reads its first line.
    pub(crate) fn open(path: &Path) -> Result<(Self, FileProgress), ItemsError> {
        let name = match path.as_os_str() == "-" {
            true => "<stdin>".to_owned(),
            false => path.display().to_string(),
        };
        let opened = input::open(path).map_err(|source| ItemsError::Io {
            items: T::PLURAL,
            name: name.clone(),
            source,
        })?;
        Ok((ItemReader::new(name, opened.reader)?, opened.progress))
    }
}

impl<T: CsvItem, R: BufRead> ItemReader<T, R> {
    /// Creates a reader and reads the first line.
    pub(crate) fn new(name: String, input: R) -> Result<Self, ItemsError> {
        let mut reader = ItemReader {
            name,
            input,
            line: 0,
            text: Vec::new(),
            header: Header::default(),
            passed: Vec::new(),
            item: PhantomData,
        };
        if !reader.next_line()? {
            let required = T::NAMES[..T::REQUIRED].join(",");
            return Err(ItemsError::Empty {
                name: reader.name,
                required,
            });
        }
        reader.header = Header::read::<T>(&reader.text, &reader.name)?;
        Ok(reader)
    }

    /// Returns the same reader for items of other numbers with the same columns; none may have been read.
    pub(crate) fn with_items<U: CsvItem>(self) -> ItemReader<U, R> {
        debug_assert_eq!(T::NAMES, U::NAMES);
        let ItemReader {
            name,
            input,
            line,
            text,
            header,
            passed,
            item: _,
        } = self;
        ItemReader {
            name,
            input,
            line,
            text,
            header,
            passed,
            item: PhantomData,
        }
    }

    /// Returns the ignored columns whose names differ from known names only in underscores and
    /// case, with these known names, unless another column has the known name.
    pub(crate) fn lookalikes(&self) -> &[(String, &'static str)] {
        &self.header.lookalikes
    }

    /// Returns the names of all columns, as written in the first line.
    pub(crate) fn columns(&self) -> &[String] {
        &self.header.names
    }

    /// Keeps the cells of these columns for the output.
    pub(crate) fn pass_through(&mut self, columns: Vec<usize>) {
        self.passed = columns;
    }

    /// Replaces the items of the chunk by the next ones, at most `most`; the chunk is empty at the
    /// end.
    ///
    /// # Errors
    /// Returns an [`ItemsError`] at a line that cannot be read; the chunk then holds the items
    /// before it.
    pub(crate) fn read(&mut self, chunk: &mut Chunk<T>, most: usize) -> Result<(), ItemsError> {
        chunk.items.clear();
        chunk.cells.clear();
        chunk.cells.width = self.passed.len();
        while chunk.items.len() < most && self.next_line()? {
            if !self.text.trim_ascii().is_empty() {
                chunk.items.push(self.item()?);
                if !self.passed.is_empty() {
                    self.pass_cells(&mut chunk.cells);
                }
            }
        }
        Ok(())
    }

    /// Reads the next line, without its end, and returns whether there was one.
    fn next_line(&mut self) -> Result<bool, ItemsError> {
        self.text.clear();
        let mut limited = io::Read::take(&mut self.input, LONGEST_LINE as u64 + 1);
        let read = limited.read_until(b'\n', &mut self.text);
        let length = read.map_err(|source| ItemsError::Io {
            items: T::PLURAL,
            name: self.name.clone(),
            source,
        })?;
        self.line += 1;
        if length > LONGEST_LINE {
            let (name, line) = (self.name.clone(), self.line);
            let item = T::SINGULAR;
            return Err(ItemsError::LongLine { item, name, line });
        }
        while let Some(b'\n' | b'\r') = self.text.last() {
            self.text.pop();
        }
        Ok(length > 0)
    }

    /// Parses the numbers of the line.
    fn item(&self) -> Result<T, ItemsError> {
        let mut numbers = [None; MOST_COLUMNS];
        let mut cells = 0;
        for (place, Cell { text, .. }) in Cells::of(&self.text).enumerate() {
            cells += 1;
            let Some(column) = self.header.places.iter().position(|&p| p == Some(place)) else {
                continue;
            };
            if text.is_empty() && column >= T::REQUIRED {
                continue;
            }
            let number = std::str::from_utf8(text)
                .ok()
                .and_then(|text| text.parse().ok());
            numbers[column] = Some(number.ok_or_else(|| ItemsError::Number {
                name: self.name.clone(),
                line: self.line,
                column: T::NAMES[column],
                value: String::from_utf8_lossy(text).chars().take(40).collect(),
            })?);
        }
        let columns = self.header.names.len();
        if cells != columns {
            return Err(ItemsError::Cells {
                name: self.name.clone(),
                line: self.line,
                cells: counted(cells, "cell"),
                columns: counted(columns, "column"),
            });
        }
        Ok(T::from_numbers(numbers))
    }

    fn pass_cells(&self, cells: &mut PassedCells) {
        let all: Vec<Cell<'_>> = Cells::of(&self.text).collect();
        for &column in &self.passed {
            cells.push(all.get(column).map_or(b"", |cell| cell.raw));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use estoc::Ray;
    use estoc::glam::Vec3;

    fn all(text: &str) -> Result<Vec<Ray>, ItemsError> {
        let mut reader = ItemReader::<Ray, _>::new("r.csv".into(), text.as_bytes())?;
        let (mut all, mut chunk) = (Vec::new(), Chunk::default());
        loop {
            reader.read(&mut chunk, 2)?;
            if chunk.items.is_empty() {
                assert!(reader.input.is_empty());
                return Ok(all);
            }
            all.append(&mut chunk.items);
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
            [("t_min".to_owned(), "tmin")]
        );
        assert_eq!(told("ox,oy,oz,dx,dy,dz,tmin,T_MIN").unwrap(), []);
        assert!(told("Ox,oy,oz,dx,dy,dz").is_ok());
    }

    #[test]
    fn names_count_in_either_case_and_the_exact_one_first() {
        let ray = all("OX,Oy,oz,DX,dY,dz,TMin,ox\n9,2,3,4,5,6,7,1\n").unwrap()[0];
        let expected = Ray::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]).with_interval(7.0, f32::INFINITY);
        assert_eq!(ray, expected);
        let twice = all("OX,Ox,oy,oz,dx,dy,dz\n").unwrap_err().to_string();
        assert!(twice.contains("column ox appears twice"), "{twice}");
    }

    #[test]
    fn cells_are_passed_as_they_are_written() {
        let text =
            "id,ox,oy,oz,dx,dy,dz,note\n 007 ,0,0,0,0,0,1,\"a, \"\"b\"\"\"\n\n8,0,0,0,0,0,1,\n";
        let mut reader = ItemReader::<Ray, _>::new("r.csv".into(), text.as_bytes()).unwrap();
        reader.pass_through(vec![7, 0]);
        let mut chunk = Chunk::default();
        reader.read(&mut chunk, 9).unwrap();
        let cell = |item, column| std::str::from_utf8(chunk.cells.get(item, column)).unwrap();
        assert_eq!(chunk.items.len(), 2);
        assert_eq!([cell(0, 0), cell(0, 1)], ["\"a, \"\"b\"\"\"", "007"]);
        assert_eq!([cell(1, 0), cell(1, 1)], ["", "8"]);
    }

    #[test]
    fn a_first_line_that_names_nothing_says_what_it_is() {
        let message = |text: &str| all(text).unwrap_err().to_string();
        let separated = "r.csv:1: the cells are separated by";
        for (text, separator) in [
            ("ox;oy;oz;dx;dy;dz\n", "semicolons"),
            ("OX\tOY\tOZ\tDX\tDY\tDZ\tid\n", "tabs"),
            ("1;2;3;4;5;6\n", "semicolons"),
            ("0 0 1 0 0 -1\n", "spaces"),
        ] {
            let expected = format!("{separated} {separator}; use commas");
            assert_eq!(message(text), expected);
        }
        assert_eq!(
            message("0,0,1,0,0,-1e3\n"),
            "r.csv:1: the first line holds numbers; put a line above it that names the columns \
             ox,oy,oz,dx,dy,dz"
        );
    }

    #[test]
    fn numbers_are_rounded_once() {
        // Just above the midpoint of two f32s; rounded to f64 first, it would be a tie.
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
            "r.csv:4: oz is \"zero\", which is not a number such as -1.5, 2e-3 or inf"
        );
        assert_eq!(
            message(&format!("{head}0,0,0,0,0\n")),
            "r.csv:2: this line has 5 cells, but the first line has 6 columns; give each column \
             one cell"
        );
        assert!(message(&format!("{head},0,0,0,0,1\n")).contains("r.csv:2: ox is \"\""));
        assert!(message("ox,oy\n").starts_with("r.csv:1: missing columns oz,dx,dy,dz;"));
        assert!(message("ox,oy,oz,dx,dy,dz,ox\n").contains("column ox appears twice"));
        assert!(message("").contains("r.csv: the file is empty"));
        let endless = format!("{head}{}", "1".repeat(LONGEST_LINE + 1));
        assert!(message(&endless).starts_with("r.csv:2: the line is longer"));
    }

    #[test]
    fn points_have_columns_of_their_own() {
        let read = |text: &str| {
            let mut points = Chunk::default();
            let mut reader = ItemReader::<Vec3, _>::new("p.csv".into(), text.as_bytes())?;
            reader.read(&mut points, 9).map(|()| points.items)
        };
        let points = read("z,name,y,x\n3,a,2,1\n\n-0,b,nan,inf\n").unwrap();
        assert_eq!((points.len(), points[0]), (2, Vec3::new(1.0, 2.0, 3.0)));
        assert!(points[1].y.is_nan() && points[1].z.is_sign_negative());
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            message("x,y\n"),
            "p.csv:1: missing column z; the first line must name x,y,z, but names \"x,y\""
        );
        assert!(message("").ends_with("its first line must name the columns x,y,z"));
        assert!(message("x,y,z\n1,2,\n").contains("p.csv:2: z is \"\""));
    }
}
