//! An open input of rays or points.

use crate::block::Block;
use crate::content::Content;
use crate::csv::CsvReader;
use crate::csv::ReadState;
use crate::input_error::{InputError, InputProblem};
use crate::input_options::InputOptions;
use crate::item::Item;
use crate::npy::NpyReader;
use crate::npz;
use crate::open_file::{self, FileProgress, InputProgress, OpenFile, io_error, name_of};
#[cfg(feature = "parquet")]
use crate::parquet::ParquetReader;
use crate::passed_types::PassedTypes;
use crate::ply::{self, PlyPoints};
use crate::table_format::TableFormat;
use estoc_mesh::parts::counted;
use std::io::{Cursor, Read, Seek};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// An open file of rays or points, a folder of Parquet files as one, or stdin. Rows count from 0 over
/// all files.
///
/// The format is that of the content: NPY, Parquet, an NPZ archive of one array, for points PLY and text
/// without names of columns, and else CSV.
pub struct Input<T> {
    reader: Reader,
    rounded: u64,
    item: PhantomData<T>,
}

enum Reader {
    Csv(Box<CsvReader>, FileProgress),
    Npy(Box<NpyReader>),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetReader>),
}

impl<T: Item> Input<T> {
    /// Opens a file, a folder of Parquet files in the order of their names, or stdin for `-`.
    ///
    /// # Errors
    /// [`InputError`] if it cannot be opened, or its columns cannot be used.
    pub fn open(path: &Path, options: &InputOptions) -> Result<Self, InputError> {
        let name = name_of(path);
        if path.is_dir() {
            return Self::open_parquet(path, name, None, options);
        }
        let opened = open_file::open::<T>(path)
            .map_err(|source| io_error(T::PLURAL, &name, None, source))?;
        if opened.is_empty
            && let Some(format @ (TableFormat::Npy | TableFormat::Parquet)) =
                TableFormat::of_name(path)
        {
            return Err(InputProblem::EmptyArray(format).of_file(&name));
        }
        match opened.content {
            Content::Parquet => Self::open_parquet(path, name, Some(opened), options),
            _ => Self::of_stream(name, opened),
        }
    }

    /// Returns an input of one item, whose first numbers stand in a line with commas between them. No column
    /// of it can be passed through.
    ///
    /// # Errors
    /// [`InputError`] if a required number is missing.
    pub fn of_line(name: &str, line: &str) -> Result<Self, InputError> {
        let reader = CsvReader::of_line::<T>(name.to_owned(), line)?;
        let reader = Reader::Csv(reader.into(), FileProgress::default());
        Ok(Self::of_reader(reader))
    }

    /// Returns an input of bytes in memory, which must not be Parquet; `name` is for messages.
    ///
    /// # Errors
    /// As [`Input::open`].
    pub fn of_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, InputError> {
        let content = Content::of::<T>(&bytes);
        if content == Content::Npz {
            return Self::of_archive(name.to_owned(), Cursor::new(bytes));
        }
        let opened = OpenFile {
            content,
            length: Some(bytes.len() as u64),
            is_empty: bytes.is_empty(),
            reader: Box::new(Cursor::new(bytes)),
            progress: FileProgress::default(),
            file: None,
        };
        Self::of_stream(name.to_owned(), opened)
    }

    fn of_stream(name: String, opened: OpenFile) -> Result<Self, InputError> {
        let reader = match opened.content {
            Content::Text => {
                let reader = CsvReader::new::<T>(name.clone(), opened.reader, opened.length)?;
                Reader::Csv(reader.into(), opened.progress)
            }
            Content::Ply => match ply::open::<T>(name.clone(), opened.reader)? {
                PlyPoints::Text(reader) => Reader::Csv(reader, opened.progress),
                PlyPoints::Array(reader) => Reader::Npy(reader),
            },
            Content::Npy => {
                Reader::Npy(NpyReader::new::<T>(name.clone(), opened.reader, opened.file)?.into())
            }
            Content::Npz => {
                let problem = "NPZ has its table of contents at the end, so it cannot be read from stdin, a \
                               pipe or a compressed file; name an ordinary file";
                return match opened.file {
                    Some(file) => Self::of_archive(name, file),
                    None => Err(InputProblem::Other(problem.into()).of_file(&name)),
                };
            }
            Content::Parquet => {
                let problem = "Parquet is read from bytes in memory or from files only";
                return Err(InputProblem::Other(problem.into()).of_file(&name));
            }
        };
        Ok(Self::of_reader(reader))
    }

    /// Returns the input of the array in an archive.
    fn of_archive(
        name: String,
        archive: impl Read + Seek + Send + 'static,
    ) -> Result<Self, InputError> {
        let array = npz::array::<T>(&name, archive)?;
        let reader = NpyReader::new::<T>(name.clone(), array, None)?;
        Ok(Self::of_reader(Reader::Npy(reader.into())))
    }

    fn of_reader(reader: Reader) -> Self {
        Input {
            reader,
            rounded: 0,
            item: PhantomData,
        }
    }

    #[cfg(feature = "parquet")]
    fn open_parquet(
        path: &Path,
        name: String,
        opened: Option<OpenFile>,
        options: &InputOptions,
    ) -> Result<Self, InputError> {
        let reader = match opened {
            None => ParquetReader::open_folder::<T>(path, options)?,
            Some(opened) => ParquetReader::open_file::<T>(&name, opened.file, path, options)?,
        };
        Ok(Self::of_reader(Reader::Parquet(reader.into())))
    }

    #[cfg(not(feature = "parquet"))]
    fn open_parquet(
        _: &Path,
        name: String,
        _: Option<OpenFile>,
        _: &InputOptions,
    ) -> Result<Self, InputError> {
        Err(InputProblem::FeatureOff(TableFormat::Parquet, "parquet").of_file(&name))
    }

    /// Returns the same input for items of other numbers with the same columns; none may have been
    /// read.
    pub fn with_items<U: Item>(self) -> Input<U> {
        debug_assert_eq!(T::NAMES, U::NAMES);
        Input {
            reader: self.reader,
            rounded: self.rounded,
            item: PhantomData,
        }
    }

    /// Returns the name for messages.
    pub fn name(&self) -> &str {
        &self.state().name
    }

    /// Returns the format, or that which is read alike: CSV of text, NPY of an archive and of binary PLY.
    pub fn format(&self) -> TableFormat {
        match &self.reader {
            Reader::Csv(..) => TableFormat::Csv,
            Reader::Npy(_) => TableFormat::Npy,
            #[cfg(feature = "parquet")]
            Reader::Parquet(_) => TableFormat::Parquet,
        }
    }

    /// Returns the Parquet files that are read, in order; none for other formats.
    pub fn parquet_files(&self) -> Vec<PathBuf> {
        match &self.reader {
            #[cfg(feature = "parquet")]
            Reader::Parquet(reader) => reader.files(),
            _ => Vec::new(),
        }
    }

    fn state(&self) -> &ReadState {
        match &self.reader {
            Reader::Csv(reader, _) => &reader.state,
            Reader::Npy(reader) => &reader.state,
            #[cfg(feature = "parquet")]
            Reader::Parquet(reader) => &reader.state,
        }
    }

    fn state_mut(&mut self) -> &mut ReadState {
        match &mut self.reader {
            Reader::Csv(reader, _) => &mut reader.state,
            Reader::Npy(reader) => &mut reader.state,
            #[cfg(feature = "parquet")]
            Reader::Parquet(reader) => &mut reader.state,
        }
    }

    /// Returns the number of rows, if the input declares it; CSV does not.
    pub fn rows(&self) -> Option<u64> {
        self.state().rows
    }

    /// Returns the names of all columns, which [`pass_through`](Self::pass_through) counts; those of
    /// arrays and of binary PLY are not passed.
    pub fn columns(&self) -> &[String] {
        &self.state().header.names
    }

    /// Returns the ignored columns whose names differ from known names only in underscores and
    /// case, with these known names, unless another column has the known name.
    pub fn lookalikes(&self) -> &[(String, &'static str)] {
        &self.state().header.lookalikes
    }

    /// Keeps these columns for the output, in this order; see [`Block::passed`].
    pub fn pass_through(&mut self, columns: Vec<usize>) {
        self.state_mut().passed = columns;
    }

    /// Returns the types of the columns passed through.
    pub fn passed_types(&self) -> PassedTypes {
        match &self.reader {
            #[cfg(feature = "parquet")]
            Reader::Csv(reader, _) => {
                let text = arrow_schema::DataType::Utf8;
                PassedTypes(vec![text; reader.state.passed.len()])
            }
            #[cfg(feature = "parquet")]
            Reader::Parquet(reader) => reader.passed_types(),
            _ => PassedTypes::default(),
        }
    }

    /// Reads [`Block::ids`], too, if the input has the column [`Item::ID`].
    pub fn read_ids(&mut self) {
        #[cfg(feature = "parquet")]
        if let Reader::Parquet(reader) = &mut self.reader {
            reader.read_ids();
        }
    }

    /// Returns about how many bytes the columns of a row take that are passed through.
    pub(crate) fn passed_bytes(&self) -> u64 {
        match &self.reader {
            #[cfg(feature = "parquet")]
            Reader::Parquet(reader) => reader.passed_bytes(),
            _ => 0,
        }
    }

    /// Returns how much is read.
    pub fn progress(&self) -> InputProgress {
        match &self.reader {
            Reader::Csv(_, bytes) => bytes.progress(),
            _ => InputProgress {
                done: self.row(),
                total: self.rows(),
            },
        }
    }

    /// Returns how many numbers `f32` could not hold and were rounded so far, of a file of `f64`s.
    /// Numbers of CSV are not counted.
    pub fn rounded(&self) -> u64 {
        self.rounded
    }

    /// Returns the row that is read next.
    pub fn row(&self) -> u64 {
        self.state().row
    }

    /// Goes forward to a row, which [`read`](Self::read) then reads first. NPY and Parquet skip what
    /// lies between; CSV reads it.
    ///
    /// # Errors
    /// [`InputProblem::NoRow`] for a row behind the end, or before the one read next.
    pub fn seek(&mut self, row: u64) -> Result<(), InputError> {
        let no_row = |name: &str, rows: u64| {
            let rows = counted(rows, "row");
            InputProblem::NoRow { row, rows }.of_file(name)
        };
        if row < self.row() {
            return Err(no_row(self.name(), self.row()));
        }
        if let Some(rows) = self.rows().filter(|&rows| row > rows) {
            return Err(no_row(self.name(), rows));
        }
        match &mut self.reader {
            Reader::Csv(reader, _) => {
                let mut block = Block::<T>::default();
                while reader.state.row < row {
                    let most = usize::try_from(row - reader.state.row).unwrap_or(usize::MAX);
                    reader.read(&mut block, most)?;
                    if block.items.is_empty() {
                        return Err(no_row(&reader.state.name, reader.state.row));
                    }
                }
                Ok(())
            }
            Reader::Npy(reader) => reader.seek::<T>(row),
            #[cfg(feature = "parquet")]
            Reader::Parquet(reader) => reader.seek(row),
        }
    }

    /// Replaces the items of the block by the next ones, at most `most`; the block is empty at the
    /// end.
    ///
    /// # Errors
    /// Returns an [`InputError`] at a row that cannot be read; the block then holds the items
    /// before it.
    pub fn read(&mut self, block: &mut Block<T>, most: usize) -> Result<(), InputError> {
        match &mut self.reader {
            Reader::Csv(reader, _) => reader.read(block, most),
            Reader::Npy(reader) => reader.read(block, most, &mut self.rounded),
            #[cfg(feature = "parquet")]
            Reader::Parquet(reader) => reader.read(block, most, &mut self.rounded),
        }
    }
}
