//! Formats of files of rays, points and hits.

use std::fmt;
use std::path::Path;

/// The format of a file of rays, points or hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Comma-separated values, with a first line that names the columns.
    Csv,
    /// An array of numpy.
    Npy,
    /// Apache Parquet; needs the feature `parquet`.
    Parquet,
}

impl Format {
    /// Recognises the format from the first bytes of a file; what no other format starts with is
    /// CSV.
    pub fn of_content(head: &[u8]) -> Option<Format> {
        if head.starts_with(b"\x93NUMPY") {
            Some(Format::Npy)
        } else if head.starts_with(b"PAR1") || head.starts_with(b"PARE") {
            Some(Format::Parquet)
        } else {
            None
        }
    }

    /// Returns the format that the extension of a name states, in letters of either case.
    pub fn of_name(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*extension {
            "csv" => Some(Format::Csv),
            "npy" => Some(Format::Npy),
            "parquet" | "pq" => Some(Format::Parquet),
            _ => None,
        }
    }

    /// Returns the usual extension of a name.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Npy => "npy",
            Format::Parquet => "parquet",
        }
    }

    /// Returns whether this build reads and writes the format.
    pub const fn is_built_in(self) -> bool {
        !matches!(self, Format::Parquet) || cfg!(feature = "parquet")
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Csv => "CSV",
            Format::Npy => "NPY",
            Format::Parquet => "Parquet",
        })
    }
}
