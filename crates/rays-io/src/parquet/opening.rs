//! Opens files of Parquet, and checks their columns.

use super::items::{self, MASKS, NUMBERS};
use super::part::{OpenPart, ParquetPart, corrupt, parquet_error};
use super::reader::ParquetReader;
use crate::csv::Header;
use crate::csv::ReadState;
use crate::input_error::{InputError, InputProblem};
use crate::input_options::InputOptions;
use crate::item::Item;
use crate::open_file::io_error;
use arrow_schema::DataType;
use estoc_system::open_file;
use std::fs::File;
use std::path::Path;

impl ParquetReader {
    /// Opens one file, which must be an ordinary one.
    pub(crate) fn open_file<T: Item>(
        name: &str,
        file: Option<File>,
        path: &Path,
        options: &InputOptions,
    ) -> Result<Self, InputError> {
        let file = file.ok_or_else(|| {
            let problem =
                "Parquet has its table of contents at the end, so it cannot be read from stdin, a \
                           pipe or a compressed file; name an ordinary file"
                    .to_owned();
            parquet_error(name, None, problem)
        })?;
        let open = OpenPart::open(T::PLURAL, name, file)?;
        let part = ParquetPart {
            name: name.to_owned(),
            path: path.to_owned(),
            first_row: 0,
            rows: 0,
        };
        Self::of_parts::<T>(name, open, vec![part], options)
    }

    /// Opens the files of a folder whose names end in `.parquet`, in the order of their names. Names
    /// that start with a dot or an underscore are left out, as other programs do.
    pub(crate) fn open_folder<T: Item>(
        path: &Path,
        options: &InputOptions,
    ) -> Result<Self, InputError> {
        let name = path.display().to_string();
        let of_io = |source| io_error(T::PLURAL, &name, None, source);
        let mut paths = Vec::new();
        for entry in path.read_dir().map_err(of_io)? {
            let path = entry.map_err(of_io)?.path();
            let file_name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_hidden = file_name.starts_with(['.', '_']);
            let ending = path
                .extension()
                .is_some_and(|end| end.eq_ignore_ascii_case("parquet"));
            if ending && !is_hidden && !path.is_dir() {
                paths.push(path);
            }
        }
        paths.sort();
        let parts: Vec<ParquetPart> = paths
            .into_iter()
            .map(|path| ParquetPart {
                name: path.display().to_string(),
                path,
                first_row: 0,
                rows: 0,
            })
            .collect();
        let first = parts
            .first()
            .ok_or_else(|| InputProblem::EmptyFolder.of_file(&name))?;
        let open = first.open::<T>()?;
        Self::of_parts::<T>(&name, open, parts, options)
    }

    /// Reads the footers of all parts; the first is open.
    fn of_parts<T: Item>(
        name: &str,
        first: OpenPart,
        mut parts: Vec<ParquetPart>,
        options: &InputOptions,
    ) -> Result<Self, InputError> {
        let header = Header::of_names::<T>(first.names(), &first.name)?;
        let schema = first.metadata.schema().clone();
        let id = T::ID.and_then(|id| header.names.iter().position(|name| name == id));
        let state = ReadState {
            name: name.to_owned(),
            header,
            ..ReadState::default()
        };
        let mut reader = ParquetReader {
            state,
            parts: Vec::new(),
            rows: 0,
            column_bytes: column_bytes(&first, schema.fields().len()),
            schema,
            id,
            reads_ids: false,
            options: *options,
            current: None,
        };
        reader.check_numbers(&first)?;
        let mut first = Some(first);
        for part in &mut parts {
            let open = match first.take() {
                Some(open) => open,
                None => part.open::<T>()?,
            };
            reader.check_same(&open)?;
            part.first_row = reader.rows;
            part.rows = open.group_rows()?.iter().sum();
            let rows = reader.rows.checked_add(part.rows);
            reader.rows = rows
                .filter(|&rows| rows <= i64::MAX as u64)
                .ok_or_else(|| {
                    parquet_error(&part.name, None, corrupt("it declares too many rows"))
                })?;
        }
        reader.parts = parts;
        reader.state.rows = Some(reader.rows);
        Ok(reader)
    }

    /// Checks the types of the columns of items.
    fn check_numbers(&self, open: &OpenPart) -> Result<(), InputError> {
        let check = |place: usize, is_it: fn(&DataType) -> bool, wanted| match is_it(
            self.schema.field(place).data_type(),
        ) {
            true => Ok(()),
            false => Err(self.wrong_type(place, wanted, open)),
        };
        for &place in self.state.header.places.iter().flatten() {
            check(place, items::is_number, NUMBERS)?;
        }
        match self.state.header.mask {
            Some(place) => check(place, items::is_whole, MASKS),
            None => Ok(()),
        }
    }

    /// Returns the error for a column of a type that cannot be read as what is wanted.
    pub(super) fn wrong_type(
        &self,
        place: usize,
        wanted: &'static str,
        open: &OpenPart,
    ) -> InputError {
        let field = self.schema.field(place);
        let problem = InputProblem::ColumnType {
            column: field.name().clone(),
            found: field.data_type().to_string(),
            wanted,
        };
        problem.of_file(&open.name)
    }

    /// Checks that a file has the columns of the first one.
    pub(super) fn check_same(&self, open: &OpenPart) -> Result<(), InputError> {
        let (fields, others) = (self.schema.fields(), open.metadata.schema().fields());
        let is_same = fields.len() == others.len()
            && fields
                .iter()
                .zip(others)
                .all(|(a, b)| a.name() == b.name() && a.data_type() == b.data_type());
        match is_same {
            true => Ok(()),
            false => Err(parquet_error(
                &open.name,
                None,
                "its columns are not those of the first file of the folder; give all files the same \
                 columns, with the same types, in the same order"
                    .into(),
            )),
        }
    }
}

impl ParquetPart {
    pub(super) fn open<T: Item>(&self) -> Result<OpenPart, InputError> {
        let file = open_file(&self.path)
            .map_err(|source| io_error(T::PLURAL, &self.name, None, source))?;
        OpenPart::open(T::PLURAL, &self.name, file)
    }
}

/// Returns about how many bytes each column takes in a row, from the first group of rows.
fn column_bytes(open: &OpenPart, columns: usize) -> Vec<u64> {
    let mut bytes = vec![0; columns];
    let schema = open.metadata.parquet_schema();
    let Some(group) = open.metadata.metadata().row_groups().first() else {
        return bytes;
    };
    let rows = u64::try_from(group.num_rows()).unwrap_or(0).max(1);
    for (leaf, chunk) in group.columns().iter().enumerate() {
        if leaf < schema.num_columns()
            && let Some(bytes) = bytes.get_mut(schema.get_column_root_idx(leaf))
        {
            let size = u64::try_from(chunk.uncompressed_size()).unwrap_or(0);
            // What is read, joined and written exists three times.
            *bytes += 3 * (size / rows + 8);
        }
    }
    bytes
}
