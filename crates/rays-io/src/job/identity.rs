//! What identifies the input of a job.

use super::error::JobError;
use super::job_description::JobDifference;
use estoc_core::CancelToken;
use estoc_mesh::parts::counted;
use estoc_system::open_file;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;
use xxhash_rust::xxh3::Xxh3Default;

/// What identifies the input of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputIdentity {
    /// Standard input, which cannot be read a second time.
    Stdin,
    /// Files, in the order in which they are read.
    Files(Vec<FileIdentity>),
}

/// What identifies a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileIdentity {
    /// The last part of its path, since machines that share a job may see it in different folders.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// When it was modified, in nanoseconds since 1970; `None` if all its bytes are hashed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<i64>,
    /// The 64-bit XXH3, in 16 digits, of its first and its last MiB, or of all its bytes.
    pub xxh3: String,
}

/// The number of bytes that are hashed at each end of a file.
const END: u64 = 1 << 20;

impl InputIdentity {
    /// Identifies files by their names, lengths, times of modification, and their first and last MiB.
    /// With `whole`, identifies them by their names, lengths and all their bytes, whenever they were
    /// modified; `cancel` then is asked from time to time.
    ///
    /// # Errors
    /// When a file cannot be read, and [`JobError::Cancelled`].
    pub fn of_files<P: AsRef<Path>>(
        files: &[P],
        whole: bool,
        cancel: &CancelToken,
    ) -> Result<Self, JobError> {
        let identify = |path: &P| FileIdentity::of(path.as_ref(), whole, cancel);
        let files: Result<Vec<FileIdentity>, JobError> = files.iter().map(identify).collect();
        Ok(InputIdentity::Files(files?))
    }

    /// Returns the first difference, if there is one.
    pub(super) fn difference(&self, other: &Self) -> Option<JobDifference> {
        let word = |input: &InputIdentity| match input {
            InputIdentity::Stdin => "stdin".to_owned(),
            InputIdentity::Files(files) if files.len() == 1 => "a file".to_owned(),
            InputIdentity::Files(files) => format!("a folder of {} files", files.len()),
        };
        match (self, other) {
            (InputIdentity::Files(first), InputIdentity::Files(second))
                if first.len() == second.len() =>
            {
                let mut pairs = first.iter().zip(second);
                pairs.find_map(|(first, second)| first.difference(second))
            }
            _ if self == other => None,
            _ => Some(JobDifference {
                what: "the input".into(),
                first: word(self),
                second: word(other),
            }),
        }
    }
}

impl FileIdentity {
    fn of(path: &Path, whole: bool, cancel: &CancelToken) -> Result<Self, JobError> {
        let identify = || -> io::Result<Option<Self>> {
            let mut file = open_file(path)?;
            let found = file.metadata()?;
            let bytes = found.len();
            let mut hash = Xxh3Default::new();
            let hashed = match whole || bytes <= 2 * END {
                true => put(&mut hash, &mut file, cancel)?,
                false => {
                    put(&mut hash, &mut (&file).take(END), &CancelToken::new())?;
                    file.seek(SeekFrom::Start(bytes - END))?;
                    put(&mut hash, &mut file.take(END), &CancelToken::new())?
                }
            };
            let name = path.file_name().unwrap_or(path.as_os_str());
            Ok(hashed.map(|()| FileIdentity {
                name: name.to_string_lossy().into_owned(),
                bytes,
                modified: (!whole).then(|| found.modified().map_or(0, nanoseconds)),
                xxh3: digits(hash.digest()),
            }))
        };
        identify()
            .map_err(|source| JobError::io("read", path, source))?
            .ok_or(JobError::Cancelled)
    }

    fn difference(&self, other: &Self) -> Option<JobDifference> {
        let FileIdentity {
            name,
            bytes,
            modified,
            xxh3,
        } = self;
        let differs = |what: &str, first: String, second: String| {
            JobDifference::between(&format!("{what} of the input {name}"), first, second)
        };
        let time = |modified: Option<i64>| match modified {
            Some(time) => format!(
                "{}.{:09} s after 1970",
                time.div_euclid(1_000_000_000),
                time.rem_euclid(1_000_000_000)
            ),
            None => "not compared (--verify-input)".to_owned(),
        };
        let length = |bytes| counted(bytes, "byte");
        JobDifference::between("the name of the input", name, &other.name)
            .or_else(|| differs("the length", length(*bytes), length(other.bytes)))
            .or_else(|| {
                let (first, second) = (time(*modified), time(other.modified));
                differs("the time of modification", first, second)
            })
            .or_else(|| differs("the hash", xxh3.clone(), other.xxh3.clone()))
    }
}

/// Hashes what is left of a reader; returns `None` if it was cancelled.
pub(super) fn put(
    hash: &mut Xxh3Default,
    reader: &mut dyn Read,
    cancel: &CancelToken,
) -> io::Result<Option<()>> {
    read_pieces(
        reader,
        cancel,
        |error| error,
        |piece| {
            hash.update(piece);
            Ok(())
        },
    )
}

/// Calls `each` with what is left of a reader, piece by piece; returns `None` if it was cancelled.
pub(super) fn read_pieces<E>(
    reader: &mut dyn Read,
    cancel: &CancelToken,
    of_reader: impl FnOnce(io::Error) -> E,
    mut each: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<Option<()>, E> {
    let mut buffer = vec![0; 1 << 18];
    while !cancel.is_cancelled() {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(Some(())),
            Ok(count) => each(&buffer[..count])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(of_reader(error)),
        }
    }
    Ok(None)
}

/// Returns the 64-bit XXH3 of bytes, in 16 digits.
pub fn hash_of(bytes: &[u8]) -> String {
    digits(xxhash_rust::xxh3::xxh3_64(bytes))
}

/// Returns the 16 digits of a hash.
pub(super) fn digits(hash: u64) -> String {
    format!("{hash:016x}")
}

fn nanoseconds(time: SystemTime) -> i64 {
    let clamp = |nanoseconds: u128| i64::try_from(nanoseconds).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => clamp(after.as_nanos()),
        Err(before) => -clamp(before.duration().as_nanos()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Write;
    use std::time::Duration;

    fn identity(path: &Path, whole: bool) -> InputIdentity {
        InputIdentity::of_files(&[path], whole, &CancelToken::new()).unwrap()
    }

    /// Changes a byte, and sets the time of modification back.
    fn change(path: &Path, place: u64) {
        let file = File::options().read(true).write(true).open(path).unwrap();
        let modified = file.metadata().unwrap().modified().unwrap();
        (&file).seek(SeekFrom::Start(place)).unwrap();
        (&file).write_all(b"!").unwrap();
        file.set_modified(modified).unwrap();
    }

    #[test]
    fn a_changed_file_has_another_identity() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rays.csv");
        let mebibyte = 1 << 20;
        std::fs::write(&path, vec![b'1'; 3 * mebibyte]).unwrap();
        let told = |before: &InputIdentity, whole| {
            let difference = before.difference(&identity(&path, whole));
            difference.map(|difference| difference.what)
        };
        for (place, is_seen) in [
            (0, true),
            (mebibyte - 1, true),
            (mebibyte, false),
            (2 * mebibyte - 1, false),
            (2 * mebibyte, true),
            (3 * mebibyte - 1, true),
        ] {
            let before = [false, true].map(|whole| identity(&path, whole));
            change(&path, place as u64);
            let hash = Some("the hash of the input rays.csv".to_owned());
            assert_eq!(
                told(&before[0], false),
                hash.clone().filter(|_| is_seen),
                "{place}"
            );
            assert_eq!(told(&before[1], true), hash, "{place}");
            // Set it back, so that every change is one.
            change(&path, place as u64);
            std::fs::write(&path, vec![b'1'; 3 * mebibyte]).unwrap();
        }
        let before = [false, true].map(|whole| identity(&path, whole));
        let time = SystemTime::UNIX_EPOCH + Duration::from_nanos(1_234_567_800);
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(time)
            .unwrap();
        let modified = Some("the time of modification of the input rays.csv".to_owned());
        assert_eq!(told(&before[0], false), modified);
        assert_eq!(told(&before[1], true), None);
        assert_eq!(told(&before[0], true), modified);
        let difference = identity(&path, false).difference(&before[1]).unwrap();
        assert_eq!(difference.first, "1.234567800 s after 1970");
        assert_eq!(difference.second, "not compared (--verify-input)");
        std::fs::write(&path, "1").unwrap();
        let difference = before[0].difference(&identity(&path, false)).unwrap();
        assert_eq!(
            (&*difference.first, &*difference.second),
            ("3145728 bytes", "1 byte")
        );
    }

    #[test]
    fn all_files_of_a_folder_count_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a", "b"].map(|name| folder.path().join(name));
        for path in &paths {
            std::fs::write(path, "same").unwrap();
        }
        let of =
            |files: &[&Path]| InputIdentity::of_files(files, true, &CancelToken::new()).unwrap();
        let [a, b] = &paths;
        assert_eq!(of(&[a, b]), of(&[a, b]));
        let swapped = of(&[a, b]).difference(&of(&[b, a])).unwrap();
        assert_eq!(swapped.what, "the name of the input");
        let fewer = of(&[a, b]).difference(&of(&[a])).unwrap();
        assert_eq!(
            (&*fewer.first, &*fewer.second),
            ("a folder of 2 files", "a file")
        );
    }

    #[test]
    fn a_missing_file_is_named_and_hashing_can_be_cancelled() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none");
        let told = InputIdentity::of_files(&[&path], false, &CancelToken::new()).unwrap_err();
        assert!(
            told.to_string()
                .starts_with(&format!("cannot read {}: ", path.display()))
        );
        std::fs::write(&path, "1").unwrap();
        let token = CancelToken::new();
        token.cancel();
        let cancelled = InputIdentity::of_files(&[&path], true, &token);
        assert!(matches!(cancelled, Err(JobError::Cancelled)));
    }
}
