//! Folders whose parts are merged.

use super::error::JobError;
use super::identity::{InputIdentity, digits};
use super::job_description::{Difference, JobDescription};
use super::lock::FolderLock;
use super::manifest::{MANIFEST_NAME, Manifest, PartRecord};
use super::part::part_name;
use super::shard::Shard;
use estoc_memory::open_file;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3Default;

/// Folders that together hold all parts of one job.
#[derive(Debug)]
pub struct MergeSources {
    job: JobDescription,
    rays: u64,
    /// All parts by their numbers, each with its folder.
    parts: BTreeMap<u64, (PartRecord, PathBuf)>,
    _locks: Vec<FolderLock>,
}

impl MergeSources {
    /// Reads the manifests of the folders, and checks that their jobs are complete and the same, and
    /// that no part is missing. The same part may be in several folders.
    ///
    /// # Errors
    /// Returns a [`JobError`] that names the folder and what is wrong.
    pub fn open(folders: &[PathBuf]) -> Result<Self, JobError> {
        let mut opened: Option<(MergeSources, &Path)> = None;
        let mut shards: Vec<Option<Shard>> = Vec::new();
        for folder in folders {
            let lock = FolderLock::shared(folder)?;
            let no_job = || {
                let folder = folder.clone();
                match folder.is_dir() {
                    true => JobError::NoJob { folder },
                    false => JobError::NoFolder { folder },
                }
            };
            let manifest = Manifest::read(folder)?.ok_or_else(no_job)?;
            if manifest.shard.is_some() && manifest.job.input == InputIdentity::Stdin {
                return Err(JobError::StdinShard {
                    folder: folder.clone(),
                });
            }
            let rays = manifest.rays.ok_or_else(|| JobError::Incomplete {
                folder: folder.clone(),
            })?;
            let (sources, first) = opened.get_or_insert_with(|| {
                let sources = MergeSources {
                    job: manifest.job.clone(),
                    rays,
                    parts: BTreeMap::new(),
                    _locks: Vec::new(),
                };
                (sources, folder)
            });
            sources.refuse_other(&manifest, rays, (first, folder))?;
            shards.push(manifest.shard);
            sources._locks.extend(lock);
            let end = rays.div_ceil(manifest.job.part_rows).max(1);
            for record in manifest.parts {
                if record.part >= end {
                    let problem = format!("part {} is beyond the end of the job", record.part);
                    return Err(JobError::damaged(&folder.join(MANIFEST_NAME), problem));
                }
                sources.add(record, (first, folder))?;
            }
        }
        let Some((sources, _)) = opened else {
            return Err(JobError::NoJob {
                folder: PathBuf::new(),
            });
        };
        sources.refuse_gaps(&shards)?;
        Ok(sources)
    }

    /// Returns what the job is.
    pub fn job(&self) -> &JobDescription {
        &self.job
    }

    /// Returns the number of rows of the job's input.
    pub fn rays(&self) -> u64 {
        self.rays
    }

    /// Returns all parts in their order.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = &PartRecord> {
        self.parts.values().map(|(record, _)| record)
    }

    /// Returns a part.
    pub fn part(&self, part: u64) -> Option<&PartRecord> {
        Some(&self.parts.get(&part)?.0)
    }

    /// Returns the path of a part.
    pub fn path(&self, part: u64) -> Option<PathBuf> {
        let (_, folder) = self.parts.get(&part)?;
        Some(folder.join(part_name(part, &self.job.format)))
    }

    /// Copies a part, and checks it meanwhile.
    ///
    /// # Errors
    /// Returns a [`JobError`] if the part cannot be read, is not what its manifest says, or cannot be
    /// copied; `Cancelled` once `keep_going` returns false.
    pub fn copy(
        &self,
        part: u64,
        mut put: impl FnMut(&[u8]) -> io::Result<()>,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<(), JobError> {
        let (record, path) = match (self.parts.get(&part), self.path(part)) {
            (Some((record, _)), Some(path)) => (record, path),
            _ => {
                return Err(JobError::MissingPart {
                    part,
                    shard: "any".into(),
                });
            }
        };
        let read = |source| JobError::io("read", &path, source);
        let mut file = open_file(&path).map_err(read)?;
        let mut hash = Xxh3Default::new();
        let mut bytes = 0_u64;
        let mut buffer = vec![0; 1 << 18];
        loop {
            if !keep_going() {
                return Err(JobError::Cancelled);
            }
            let count = match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(read(error)),
            };
            hash.update(&buffer[..count]);
            bytes += count as u64;
            put(&buffer[..count]).map_err(|source| JobError::Output { source })?;
        }
        let hash = digits(hash.digest());
        let problem = match (bytes == record.bytes, hash == record.xxh3) {
            (true, true) => return Ok(()),
            (false, _) => format!("it has {bytes} bytes instead of {}", record.bytes),
            (true, false) => format!("its hash is {hash} instead of {}", record.xxh3),
        };
        let way_out = "run the command of its folder again with --resume";
        Err(JobError::damaged(&path, format!("{problem}; {way_out}")))
    }

    fn refuse_other(
        &self,
        manifest: &Manifest,
        rays: u64,
        (first, second): (&Path, &Path),
    ) -> Result<(), JobError> {
        let difference = self.job.difference(&manifest.job).or_else(|| {
            (self.rays != rays).then(|| Difference {
                what: "the number of rays".into(),
                first: self.rays.to_string(),
                second: rays.to_string(),
            })
        });
        match difference {
            None => Ok(()),
            Some(difference) => Err(different_jobs(difference, (first, second))),
        }
    }

    fn add(&mut self, record: PartRecord, folders: (&Path, &Path)) -> Result<(), JobError> {
        let path = folders.1.to_owned();
        match self.parts.entry(record.part) {
            Entry::Vacant(free) => {
                free.insert((record, path));
                Ok(())
            }
            Entry::Occupied(there) if there.get().0 == record => Ok(()),
            Entry::Occupied(there) => {
                let (before, folder) = there.get();
                let difference = Difference {
                    what: format!("the hash of part {}", record.part),
                    first: before.xxh3.clone(),
                    second: record.xxh3,
                };
                Err(different_jobs(difference, (folder, &path)))
            }
        }
    }

    /// Returns an error if a part is missing.
    fn refuse_gaps(&self, shards: &[Option<Shard>]) -> Result<(), JobError> {
        let end = self.rays.div_ceil(self.job.part_rows).max(1);
        let mut present = self.parts.keys().copied();
        let missing = (0..end).find(|&part| present.next() != Some(part));
        match missing {
            None => Ok(()),
            Some(part) => {
                let of = shards
                    .iter()
                    .flatten()
                    .map(|shard| u64::from(shard.of()))
                    .max();
                let of = of.unwrap_or(1);
                Err(JobError::MissingPart {
                    part,
                    shard: format!("{}/{of}", part % of + 1),
                })
            }
        }
    }
}

fn different_jobs(difference: Difference, (first, second): (&Path, &Path)) -> JobError {
    JobError::DifferentJobs {
        first: first.to_owned(),
        second: second.to_owned(),
        what: difference.what,
        one: difference.first,
        other: difference.second,
    }
}
