//! NPY, the files of numpy's arrays, versions 1.0 to 3.0 (NEP 1 and `numpy.lib.format`).

mod header;
mod reader;

pub(crate) use header::header_bytes;
pub(crate) use reader::NpyReader;
