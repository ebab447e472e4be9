//! Formats of files of rays, points and hits.

use std::fmt;
use std::path::Path;

/// The format of a file of rays, points or hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TableFormat {
    /// Comma-separated values, with a first line that names the columns.
    Csv,
    /// An array of numpy.
    Npy,
    /// Apache Parquet; needs the feature `parquet`.
    Parquet,
}

impl TableFormat {
    /// Recognises the format from the first bytes of a file; what no other format starts with is
    /// CSV.
    pub fn of_content(head: &[u8]) -> Option<TableFormat> {
        if head.starts_with(b"\x93NUMPY") {
            Some(TableFormat::Npy)
        } else if head.starts_with(b"PAR1") || head.starts_with(b"PARE") {
            Some(TableFormat::Parquet)
        } else {
            None
        }
    }

    /// Returns the format that the extension of a name states, in letters of either case.
    pub fn of_name(path: &Path) -> Option<TableFormat> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*extension {
            "csv" => Some(TableFormat::Csv),
            "npy" => Some(TableFormat::Npy),
            "parquet" | "pq" => Some(TableFormat::Parquet),
            _ => None,
        }
    }

    /// Returns the usual extension of a name.
    pub const fn extension(self) -> &'static str {
        match self {
            TableFormat::Csv => "csv",
            TableFormat::Npy => "npy",
            TableFormat::Parquet => "parquet",
        }
    }

    /// Returns whether this build reads and writes the format.
    pub const fn is_built_in(self) -> bool {
        !matches!(self, TableFormat::Parquet) || cfg!(feature = "parquet")
    }
}

impl fmt::Display for TableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TableFormat::Csv => "CSV",
            TableFormat::Npy => "NPY",
            TableFormat::Parquet => "Parquet",
        })
    }
}
