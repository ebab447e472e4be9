//! The parts of a job as one file.

use super::error::JobError;
use super::sources::MergeSources;
use crate::output::ResultFile;
use estoc_core::CancelToken;
use std::io::{self, Write};

impl MergeSources {
    /// Writes the file that a run without parts writes: the header of the first part, and the rows of
    /// all. Checks each part.
    ///
    /// # Errors
    /// Returns a [`JobError`] if a part cannot be read, or is not what its manifest says;
    /// [`JobError::Output`] if the file cannot be written, and `Cancelled` once it is cancelled.
    pub fn join<W: ResultFile>(&self, out: &mut W, cancel: &CancelToken) -> Result<(), JobError> {
        let rows = self.parts().map(|record| record.rows).sum();
        match &*self.job().format {
            "csv" => self.join_after(&csv_header, &|header| Some(header.to_vec()), out, cancel),
            "npy" => self.join_after(
                &npy_header,
                &|header| npy_header_of(header, rows),
                out,
                cancel,
            ),
            #[cfg(feature = "parquet")]
            "parquet" => self.join_parquet(out, cancel),
            other => Err(JobError::Output {
                source: io::Error::other(format!(
                    "this build of estoc does not join parts of the format {other}; use --out-dir"
                )),
            }),
        }
    }

    /// Checks the parts, and then writes their rows.
    #[cfg(feature = "parquet")]
    fn join_parquet<W: ResultFile>(
        &self,
        out: &mut W,
        cancel: &CancelToken,
    ) -> Result<(), JobError> {
        use crate::output::{JoinError, join_parquet};
        let parts: Vec<u64> = self.parts().map(|record| record.part).collect();
        for &part in &parts {
            self.copy(part, |_| Ok(()), cancel)?;
        }
        let parts: Vec<_> = parts
            .into_iter()
            .filter_map(|part| self.path(part))
            .collect();
        join_parquet(&parts, out, cancel).map_err(|error| match error {
            JoinError::Part(path, problem) => JobError::damaged(&path, problem),
            JoinError::Output(source) => JobError::Output { source },
            JoinError::Cancelled => JobError::Cancelled,
        })
    }

    /// Writes the header that `begin` makes of that of the first part, and what follows the headers of
    /// all parts. `end_of_header` returns the length of the header that bytes start with, if all of it is there.
    fn join_after(
        &self,
        end_of_header: &dyn Fn(&[u8]) -> Option<usize>,
        begin: &dyn Fn(&[u8]) -> Option<Vec<u8>>,
        out: &mut dyn Write,
        cancel: &CancelToken,
    ) -> Result<(), JobError> {
        let mut first: Option<Vec<u8>> = None;
        let parts: Vec<u64> = self.parts().map(|record| record.part).collect();
        for part in parts {
            let (mut start, mut header) = (Vec::new(), None);
            let put = |bytes: &[u8]| -> io::Result<()> {
                if header.is_some() {
                    return out.write_all(bytes);
                }
                start.extend_from_slice(bytes);
                let Some(end) = end_of_header(&start) else {
                    return Ok(());
                };
                let found = start[..end].to_vec();
                if part == 0 {
                    out.write_all(&begin(&found).unwrap_or_default())?;
                }
                out.write_all(&start[end..])?;
                header = Some(found);
                Ok(())
            };
            self.copy(part, put, cancel)?;
            let problem = match (header, &first) {
                (None, _) => "it has no header",
                (Some(header), None) if begin(&header).is_none() => {
                    "its header is not one of estoc"
                }
                (Some(header), None) => {
                    first = Some(header);
                    continue;
                }
                (Some(header), Some(first)) if begin(&header) == begin(first) => continue,
                _ => "its columns are not those of the first part",
            };
            let path = self.path(part).unwrap_or_default();
            return Err(JobError::damaged(&path, problem));
        }
        Ok(())
    }
}

/// Returns the length of the first line.
fn csv_header(start: &[u8]) -> Option<usize> {
    Some(start.iter().position(|&byte| byte == b'\n')? + 1)
}

/// Returns the length of the header of NPY, version 1.0.
fn npy_header(start: &[u8]) -> Option<usize> {
    let length = u16::from_le_bytes(start.get(8..10)?.try_into().ok()?);
    let end = 10 + usize::from(length);
    (start.len() >= end).then_some(end)
}

/// Returns the header of an array of the same type with this many rows, which has the same length.
fn npy_header_of(header: &[u8], rows: u64) -> Option<Vec<u8>> {
    const SHAPE: &str = "'shape': (";
    let text = std::str::from_utf8(header.get(10..)?).ok()?;
    let place = text.rfind(SHAPE)?;
    let mut changed = header[..10].to_vec();
    changed.extend_from_slice(&text.as_bytes()[..place]);
    changed.extend_from_slice(format!("{SHAPE}{rows},), }}").as_bytes());
    // Headers of estoc have room for any number.
    changed.resize(header.len() - 1, b' ');
    changed.push(b'\n');
    (changed.len() == header.len()).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn npy(rows: u64) -> Vec<u8> {
        let text = format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({rows},), }}");
        let mut header = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
        header.extend_from_slice(text.as_bytes());
        header.resize(127, b' ');
        header.push(b'\n');
        header
    }

    #[test]
    fn headers_of_npy_are_changed_in_place() {
        let header = npy(7);
        assert_eq!(npy_header(&header), Some(128));
        assert_eq!(npy_header(&header[..127]), None);
        assert_eq!(npy_header(&header[..9]), None);
        for rows in [0, 7, 1234, u64::MAX] {
            assert_eq!(npy_header_of(&header, rows), Some(npy(rows)));
        }
        assert_eq!(npy_header_of(b"\x93NUMPY\x01\x00\x76\x00{}", 5), None);
    }

    #[test]
    fn the_header_of_csv_is_its_first_line() {
        assert_eq!(csv_header(b"a,b\n1,2\n"), Some(4));
        assert_eq!(csv_header(b"a,b"), None);
    }
}
