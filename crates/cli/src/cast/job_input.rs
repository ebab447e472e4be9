//! The rays of a job, and what identifies them.

use super::Args;
use crate::failure::Failure;
use crate::file_stamps::{FileStamps, stamps_of};
use crate::session::Session;
use estoc::{CancelToken, Ray};
use estoc_rays_io::Input;
use estoc_rays_io::job::{InputIdentity, JobError};
use std::cell::RefCell;
use std::path::PathBuf;

/// What a job reads.
pub(super) struct JobInput {
    /// The files of rays; `None` for a stream, which can be read only once.
    files: Option<Vec<PathBuf>>,
    /// What identifies the files in little time, as they were before they were opened.
    before: InputIdentity,
    /// What identifies them in the manifest: all their bytes with `--verify-input`.
    identity: InputIdentity,
    is_verified: bool,
    /// The lengths of the files and when they were modified, as they were when they were last compared.
    stamps: RefCell<FileStamps>,
}

impl JobInput {
    /// Opens the rays; also returns what identifies them, if their result is a job.
    pub(super) fn open(
        args: &Args,
        session: &Session,
    ) -> Result<(Input<Ray>, Option<JobInput>), Failure> {
        if args.job.out_dir.is_none() {
            return Ok((args.source.open(session)?, None));
        }
        let is_verified = args.job.verify_input;
        // A file is identified before it is opened and looked at again afterwards: a file that takes
        // its name meanwhile would else be recorded in place of the one that is read.
        if let Some(path) = args.source.file().filter(|path| path.is_file()) {
            let input = JobInput::of(vec![path.to_owned()], is_verified, &session.cancel)?;
            let rays = args.source.open(session)?;
            input.refuse_changed(&session.cancel)?;
            return Ok((rays, Some(input)));
        }
        let rays = args.source.open(session)?;
        let input = match args.source.file() {
            // The files of a folder are opened again, one by one, when their rays are read.
            Some(path) if path.is_dir() => {
                JobInput::of(rays.parquet_files(), is_verified, &session.cancel)?
            }
            _ => JobInput {
                files: None,
                before: InputIdentity::Stdin,
                identity: InputIdentity::Stdin,
                is_verified,
                stamps: RefCell::default(),
            },
        };
        Ok((rays, Some(input)))
    }

    fn of(files: Vec<PathBuf>, is_verified: bool, cancel: &CancelToken) -> Result<Self, JobError> {
        let stamps = RefCell::new(stamps_of(&files));
        let before = InputIdentity::of_files(&files, false, cancel)?;
        let identity = match is_verified {
            true => InputIdentity::of_files(&files, true, cancel)?,
            false => before.clone(),
        };
        Ok(JobInput {
            files: Some(files),
            before,
            identity,
            is_verified,
            stamps,
        })
    }

    /// Returns what identifies the rays in the manifest.
    pub(super) fn identity(&self) -> &InputIdentity {
        &self.identity
    }

    /// Returns whether the rays can be read a second time.
    pub(super) fn can_be_read_again(&self) -> bool {
        self.files.is_some()
    }

    /// Returns an error if the files are no longer what they were. With `--verify-input`, files that
    /// were only touched are the same: all their bytes are compared.
    pub(super) fn refuse_changed(&self, cancel: &CancelToken) -> Result<(), JobError> {
        let Some(files) = &self.files else {
            return Ok(());
        };
        let now = InputIdentity::of_files(files, false, cancel)?;
        if self.is_verified && now != self.before {
            let now = InputIdentity::of_files(files, true, cancel)?;
            return JobError::refuse_changed(&self.identity, &now);
        }
        JobError::refuse_changed(&self.before, &now)
    }

    /// Returns an error if the files are no longer what they were, in the time of a look at each unless
    /// one was touched. A part is recorded only after this, so that the folder never keeps the hits of
    /// other files, even if those of the job come back.
    pub(super) fn refuse_touched(&self, cancel: &CancelToken) -> Result<(), JobError> {
        let Some(files) = &self.files else {
            return Ok(());
        };
        let now = stamps_of(files);
        if *self.stamps.borrow() != now {
            self.refuse_changed(cancel)?;
            self.stamps.replace(now);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn a_file_that_was_only_touched_is_verified_by_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rays.csv");
        std::fs::write(&path, "before").unwrap();
        let of = |is_verified| {
            JobInput::of(vec![path.clone()], is_verified, &CancelToken::new()).unwrap()
        };
        let (quick, verified) = (of(false), of(true));
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let told = quick
            .refuse_touched(&CancelToken::new())
            .unwrap_err()
            .to_string();
        assert!(
            told.contains("the time of modification of the input rays.csv"),
            "{told}"
        );
        verified.refuse_touched(&CancelToken::new()).unwrap();
        verified.refuse_changed(&CancelToken::new()).unwrap();
        std::fs::write(&path, "behind").unwrap();
        let told = verified
            .refuse_touched(&CancelToken::new())
            .unwrap_err()
            .to_string();
        assert!(told.contains("the hash of the input rays.csv"), "{told}");
    }
}
