//! The manifest of a job: what it is, and, once it is complete, its parts.

use super::error::JobError;
use super::identity::digits;
use super::job_description::JobDescription;
use super::shard::Shard;
use estoc_system::{WholeFile, open_file};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::Path;

/// The name of the manifest in its folder.
pub(super) const MANIFEST_NAME: &str = "_manifest.json";

/// The form of manifests that this version reads and writes.
const SCHEMA: &str = "estoc.job/1";

/// The manifest of a job. The same job always has the same bytes of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    schema: String,
    /// What the job is.
    pub job: JobDescription,
    /// Which of its parts are in this folder; all if it is `None`.
    pub shard: Option<Shard>,
    /// The number of rows of the input, once the job is complete.
    pub rays: Option<u64>,
    /// The parts in this folder in their order, once the job is complete.
    pub parts: Vec<PartRecord>,
}

/// A finished part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRecord {
    /// Its number, from 0.
    pub part: u64,
    /// The number of rows of the input that it answers.
    pub rays: u64,
    /// The number of its own rows.
    pub rows: u64,
    /// Its length.
    pub bytes: u64,
    /// The 64-bit XXH3 of its bytes, in 16 digits.
    pub xxh3: String,
}

impl PartRecord {
    /// Returns what is wrong with a file of this length and hash, if it is not that of the part.
    pub(super) fn fault(&self, bytes: u64, hash: u64) -> Option<String> {
        let hash = digits(hash);
        match (bytes == self.bytes, hash == self.xxh3) {
            (true, true) => None,
            (false, _) => Some(format!("it has {bytes} bytes instead of {}", self.bytes)),
            (true, false) => Some(format!("its hash is {hash} instead of {}", self.xxh3)),
        }
    }
}

impl Manifest {
    /// Creates the manifest of a job that begins.
    pub(super) fn new(job: JobDescription, shard: Option<Shard>) -> Self {
        Manifest {
            schema: SCHEMA.into(),
            job,
            shard,
            rays: None,
            parts: Vec::new(),
        }
    }

    /// Reads the manifest in a folder; `None` if there is none.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, JobError> {
        let path = folder.join(MANIFEST_NAME);
        let mut text = Vec::new();
        match open_file(&path).and_then(|mut file| file.read_to_end(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(JobError::io("read", &path, source)),
        }
        #[derive(Deserialize)]
        struct Beginning {
            schema: String,
        }
        let damaged = |error: &serde_json::Error| {
            let problem = format!("not a manifest that estoc wrote ({error}); name another folder");
            JobError::damaged(&path, problem)
        };
        let beginning: Beginning =
            serde_json::from_slice(&text).map_err(|error| damaged(&error))?;
        if beginning.schema != SCHEMA {
            let problem = format!(
                "the manifest is of the form {:?}, and this version of estoc reads {SCHEMA:?}; use the \
                 version that wrote it, or name another folder",
                beginning.schema
            );
            return Err(JobError::damaged(&path, problem));
        }
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| damaged(&error))?;
        if manifest.job.part_rows == 0 {
            let problem = "the manifest has parts of 0 rows; name another folder";
            return Err(JobError::damaged(&path, problem));
        }
        Ok(Some(manifest))
    }

    /// Writes the manifest to a folder, whole, and waits until it is on the disk.
    pub(super) fn write(&self, folder: &Path) -> Result<(), JobError> {
        let path = folder.join(MANIFEST_NAME);
        let write = || -> io::Result<()> {
            let mut file = WholeFile::beside(&path)?;
            let mut text = serde_json::to_vec_pretty(self)?;
            text.push(b'\n');
            file.file()?.write_all(&text)?;
            file.sync()?;
            file.finish()
        };
        write().map_err(|source| JobError::io("write", &path, source))
    }
}

#[cfg(test)]
mod tests {
    use super::super::job_description::tests::example;
    use super::*;

    #[test]
    fn it_is_written_and_read() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), None);
        let mut manifest = Manifest::new(example(10), Some("2/3".parse().unwrap()));
        manifest.rays = Some(15);
        manifest.parts.push(PartRecord {
            part: 1,
            rays: 5,
            rows: 7,
            bytes: 90,
            xxh3: "00000000000000ff".into(),
        });
        manifest.write(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), Some(manifest));
        let text = std::fs::read_to_string(folder.path().join(MANIFEST_NAME)).unwrap();
        let expected = r#"{
  "schema": "estoc.job/1",
  "job": {
    "estoc": "0.1.0",
    "mesh": "0123456789abcdef",
    "format": "csv",
    "options": {
      "query": "closest"
    },
    "part_rows": 10,
    "input": {
      "files": [
        {
          "name": "rays.csv",
          "bytes": 1000,
          "modified": 1700000000123456789,
          "xxh3": "00000000deadbeef"
        }
      ]
    }
  },
  "shard": "2/3",
  "rays": 15,
  "parts": [
    {
      "part": 1,
      "rays": 5,
      "rows": 7,
      "bytes": 90,
      "xxh3": "00000000000000ff"
    }
  ]
}
"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(MANIFEST_NAME);
        let told = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let error = Manifest::read(folder.path()).unwrap_err();
            error.to_string().replace(&path.display().to_string(), "M")
        };
        assert_eq!(
            told("{"),
            "M: not a manifest that estoc wrote (EOF while parsing an object at line 1 column 1); name \
             another folder"
        );
        assert_eq!(
            told(r#"{"schema": "estoc.job/2", "more": 1}"#),
            "M: the manifest is of the form \"estoc.job/2\", and this version of estoc reads \
             \"estoc.job/1\"; use the version that wrote it, or name another folder"
        );
        let missing = told(r#"{"schema": "estoc.job/1"}"#);
        assert!(missing.contains("missing field `job`"), "{missing}");
        let manifest = Manifest::new(example(0), None);
        let zero = told(&serde_json::to_string(&manifest).unwrap());
        assert_eq!(
            zero,
            "M: the manifest has parts of 0 rows; name another folder"
        );
        let shard = serde_json::to_string(&Manifest::new(example(1), None)).unwrap();
        let shard = told(&shard.replace("\"shard\":null", "\"shard\":\"3/2\""));
        assert!(shard.contains("\"3/2\" is not a shard"), "{shard}");
    }
}
