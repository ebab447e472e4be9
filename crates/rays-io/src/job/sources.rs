//! Folders whose parts are merged.

use super::error::{FolderProblem, JobError};
use super::identity::{InputIdentity, read_pieces};
use super::job_description::{JobDescription, JobDifference};
use super::lock::FolderLock;
use super::manifest::{MANIFEST_NAME, Manifest, PartRecord};
use super::part::part_name;
use super::shard::Shard;
use estoc_core::CancelToken;
use estoc_system::open_file;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
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
            let no_job = || match folder.is_dir() {
                true => FolderProblem::NoJob.of(folder),
                false => FolderProblem::Missing.of(folder),
            };
            let manifest = Manifest::read(folder)?.ok_or_else(no_job)?;
            if manifest.shard.is_some() && manifest.job.input == InputIdentity::Stdin {
                return Err(FolderProblem::StdinShard.of(folder));
            }
            let incomplete = || FolderProblem::Incomplete.of(folder);
            let rays = manifest.rays.ok_or_else(incomplete)?;
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
            return Err(FolderProblem::NoJob.of(Path::new("")));
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
    /// copied; `Cancelled` once it is cancelled.
    pub fn copy(
        &self,
        part: u64,
        mut put: impl FnMut(&[u8]) -> io::Result<()>,
        cancel: &CancelToken,
    ) -> Result<(), JobError> {
        let (Some((record, _)), Some(path)) = (self.parts.get(&part), self.path(part)) else {
            let shard = "any".into();
            return Err(JobError::MissingPart { part, shard });
        };
        let read = |source| JobError::io("read", &path, source);
        let mut file = open_file(&path).map_err(read)?;
        let (mut hash, mut bytes) = (Xxh3Default::new(), 0);
        read_pieces(&mut file, cancel, read, |piece| {
            hash.update(piece);
            bytes += piece.len() as u64;
            put(piece).map_err(|source| JobError::Output { source })
        })?
        .ok_or(JobError::Cancelled)?;
        let Some(fault) = record.fault(bytes, hash.digest()) else {
            return Ok(());
        };
        let way_out = "run the command of its folder again with --resume";
        Err(JobError::damaged(&path, format!("{fault}; {way_out}")))
    }

    fn refuse_other(
        &self,
        manifest: &Manifest,
        rays: u64,
        (first, second): (&Path, &Path),
    ) -> Result<(), JobError> {
        let difference = self.job.difference(&manifest.job);
        let rays = || JobDifference::between("the number of rays", self.rays, rays);
        match difference.or_else(rays) {
            None => Ok(()),
            Some(difference) => Err(JobError::DifferentJobs {
                first: first.to_owned(),
                second: second.to_owned(),
                difference,
            }),
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
                Err(JobError::DifferentJobs {
                    first: folder.clone(),
                    second: path,
                    difference: JobDifference {
                        what: format!("the hash of part {}", record.part),
                        first: before.xxh3.clone(),
                        second: record.xxh3,
                    },
                })
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
                let of = shards.iter().flatten().map(|shard| shard.of().into());
                let of: u64 = of.max().unwrap_or(1);
                let shard = format!("{}/{of}", part % of + 1);
                Err(JobError::MissingPart { part, shard })
            }
        }
    }
}
