//! Reads rays and points from CSV, many lines at a time, in parallel.
//!
//! The first line names the columns, in any order and letter case; other columns are ignored, or
//! passed through to the output. Rays need `ox,oy,oz,dx,dy,dz` and may have `tmin` and `tmax`
//! (default 0 and inf, also for an empty cell) and `mask` (default all bits); points need `x,y,z`.
//! Points may also be lines of numbers without names, and the vertices of a PLY file.
//! Numbers are rounded once to the nearest `f32`, or `f64` for origins and directions of
//! [`Ray64`](estoc_core::Ray64); `-0`, `inf` and `nan` are kept, and undefined rays hit nothing.

use super::layout::CsvLayout;
use super::lines::CsvLines;
use super::parse::{Piece, Role, parse, pieces_of};
use super::read_state::ReadState;
use crate::block::{Block, Passed};
use crate::input_error::{InputError, InputPlace, InputProblem};
use crate::item::Item;
use crate::passed_cells::PassedCells;
use estoc_mesh::parts::counted;
use rayon::prelude::*;

/// Reads rays or points in the order of the file.
pub(crate) struct CsvReader {
    pub(crate) state: ReadState,
    pub(super) lines: CsvLines,
    /// Number of the last line read, from 1.
    pub(super) line: u64,
    pub(super) layout: CsvLayout,
    /// Whether something else may follow the declared rows.
    pub(super) goes_on: bool,
    /// What each column of the file holds.
    pub(super) roles: Vec<Role>,
}

impl CsvReader {
    /// Replaces the items of the block by the next ones, at most `most`; the block is empty at the
    /// end.
    ///
    /// # Errors
    /// Returns an [`InputError`] at a line that cannot be read; the block then holds the items
    /// before it.
    pub(crate) fn read<T: Item>(
        &mut self,
        block: &mut Block<T>,
        most: usize,
    ) -> Result<(), InputError> {
        block.clear(self.state.row);
        let mut cells = match std::mem::take(&mut block.passed) {
            Passed::Cells(cells) => cells,
            _ => PassedCells::default(),
        };
        cells.width = self.state.passed.len();
        let mut masks = Vec::new();
        let mut read = Ok(());
        while block.items.is_empty() && read.is_ok() {
            let left = self.state.rows.map(|rows| rows - self.state.row);
            let most = match left {
                None => most,
                Some(0) if self.goes_on => break,
                // Only empty lines may follow.
                Some(0) => 1,
                Some(left) => most.min(usize::try_from(left).unwrap_or(usize::MAX)),
            };
            let text = self
                .lines
                .take(most)
                .map_err(|source| self.state.io_error::<T>(source));
            let text = match text {
                Ok([]) => {
                    if left.is_some_and(|left| left > 0) {
                        read = Err(self.state.truncated(self.state.row));
                    }
                    break;
                }
                Ok(text) => text,
                Err(error) => {
                    read = Err(error);
                    break;
                }
            };
            let (roles, passed) = (&*self.roles, &*self.state.passed);
            let parse = |piece: &&[u8]| parse(piece, self.layout, roles, passed);
            let pieces: Vec<Piece<T>> = match &*pieces_of(text) {
                [piece] => vec![parse(piece)],
                pieces => pieces.par_iter().map(parse).collect(),
            };
            for mut piece in pieces {
                self.line += piece.lines;
                let line = InputPlace::Line(self.line);
                if left == Some(0) && (piece.error.is_some() || !piece.items.is_empty()) {
                    let rows = counted(self.state.row, T::SINGULAR);
                    read = Err(InputProblem::MoreRows(rows).at(&self.state.name, line));
                    break;
                }
                block.items.append(&mut piece.items);
                masks.append(&mut piece.masks);
                cells.append(&piece.cells);
                if let Some(error) = piece.error {
                    read = Err(error.at(&self.state.name, line));
                    break;
                }
            }
        }
        self.state.row += block.items.len() as u64;
        block.masks = self.state.header.mask.map(|_| masks);
        if !self.state.passed.is_empty() {
            block.passed = Passed::Cells(cells);
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::LONGEST_LINE;
    use super::*;
    use estoc_core::Ray;
    use estoc_core::glam::Vec3;

    fn reader<T: Item>(name: &str, text: &str) -> Result<CsvReader, InputError> {
        let text = std::io::Cursor::new(text.to_owned().into_bytes());
        CsvReader::new::<T>(name.into(), Box::new(text), None)
    }

    fn all(text: &str) -> Result<Vec<Ray>, InputError> {
        let mut reader = reader::<Ray>("r.csv", text)?;
        let (mut all, mut chunk) = (Vec::new(), Block::default());
        loop {
            reader.read(&mut chunk, 2)?;
            if chunk.items.is_empty() {
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
            reader::<Ray>("r.csv", &text).map(|r| r.state.header.lookalikes.clone())
        };
        assert_eq!(
            told("ox,oy,oz,dx,dy,dz,t_min,Tmax,note").unwrap(),
            [("t_min".to_owned(), "tmin")]
        );
        assert_eq!(told("ox,oy,oz,dx,dy,dz,tmin,T_MIN").unwrap(), []);
        assert_eq!(
            told("ox,oy,oz,dx,dy,dz,m_ask").unwrap(),
            [("m_ask".to_owned(), "mask")]
        );
        assert_eq!(told("ox,oy,oz,dx,dy,dz,m_ask,Mask").unwrap(), []);
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
            "id,ox,oy,oz,dx,dy,dz,note\n 007 ,0,0,0,0,0,1,\"a, \"\"b\"\"\"\n\n8\",0,0,0,0,0,1,\n";
        let mut reader = reader::<Ray>("r.csv", text).unwrap();
        reader.state.passed = vec![7, 0];
        let mut chunk = Block::<Ray>::default();
        reader.read(&mut chunk, 9).unwrap();
        let Passed::Cells(cells) = &chunk.passed else {
            panic!("cells are passed");
        };
        let cell = |item, column| std::str::from_utf8(cells.get(item, column)).unwrap();
        assert_eq!(chunk.items.len(), 2);
        assert_eq!([cell(0, 0), cell(0, 1)], ["\"a, \"\"b\"\"\"", "007"]);
        assert_eq!([cell(1, 0), cell(1, 1)], ["", "8\""]);
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
            "r.csv:2: this line has 5 cells, but there are 6 columns; give each column one cell"
        );
        assert!(message(&format!("{head},0,0,0,0,1\n")).contains("r.csv:2: ox is \"\""));
        let quote = "a quote is not closed in this line; cells cannot hold line breaks, so close the \
                     quote or replace them";
        let noted = "ox,oy,oz,dx,dy,dz,note\n";
        assert_eq!(
            message(&format!("{noted}0,0,1,0,0,-1,\"a\n0,0,5,0,0,-1,b\"\n")),
            format!("r.csv:2: {quote}")
        );
        assert_eq!(
            message("ox,oy,oz,dx,dy,dz,\"a\nb\"\n"),
            format!("r.csv:1: {quote}")
        );
        assert!(message("ox,oy\n").starts_with("r.csv:1: missing columns oz,dx,dy,dz;"));
        assert!(message("ox,oy,oz,dx,dy,dz,ox\n").contains("column ox appears twice"));
        assert!(message("").contains("r.csv: the file is empty"));
        let endless = format!("{head}{}", "1".repeat(LONGEST_LINE + 1));
        assert!(message(&endless).starts_with("r.csv:2: the line is longer"));
    }

    #[test]
    fn points_have_columns_of_their_own() {
        let read = |text: &str| {
            let mut points = Block::<Vec3>::default();
            let mut reader = reader::<Vec3>("p.csv", text)?;
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
