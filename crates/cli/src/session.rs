//! One run of the command.

use crate::common_options::CommonOptions;
use crate::devices::Devices;
use crate::failure::Failure;
use crate::interrupt;
use crate::local_frame;
use crate::number;
use crate::output::ResultOutput;
use crate::output_name::{self, Form, place};
use crate::precision::Precision;
use crate::progress::{Listener, ShownProgress};
use crate::stderr_line::stderr_line;
use crate::thread_start;
use crate::weld;
use estoc::io::{BadFaces, LocalFrame};
use estoc::{Batch, Bvh, BvhBuilder, CancelToken, MeshLoader, engine::SimdLevel};
use estoc_mesh::parts::without_error_numbers;
use estoc_rays_io::{Input, InputOptions, Item, TableFormat};
use estoc_system::has_room;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// One run of the command.
pub(crate) struct Session {
    common: CommonOptions,
    /// The files for results, each with the option that names it.
    outputs: Mutex<Vec<(&'static str, PathBuf)>>,
    pub(crate) cancel: CancelToken,
    listener: OnceLock<Listener>,
    /// The devices of the machine, in a build of the command that has any.
    pub(crate) devices: Option<&'static dyn Devices>,
}

impl Session {
    pub(crate) fn start(
        common: CommonOptions,
        devices: Option<&'static dyn Devices>,
    ) -> Result<Self, Failure> {
        // The library may ignore an invalid value; the user of the command should see the error.
        SimdLevel::from_env()
            .map_err(|error| Failure::Usage(format!("{}: {error}", SimdLevel::VARIABLE)))?;
        start_threads(common.threads)?;
        let cancel = interrupt::token(common.out_file());
        Ok(Session {
            common,
            outputs: Mutex::default(),
            cancel,
            listener: OnceLock::new(),
            devices,
        })
    }

    pub(crate) fn json(&self) -> bool {
        self.common.json
    }

    /// Rejects `--json` for a verb whose result has no JSON form.
    #[cfg(feature = "shell")]
    pub(crate) fn without_json(&self, verb: &str) -> Result<(), Failure> {
        match self.json() {
            false => Ok(()),
            true => Err(Failure::Usage(format!(
                "estoc {verb} does not support --json"
            ))),
        }
    }

    pub(crate) fn bad_faces(&self) -> BadFaces {
        if self.common.skip_bad_faces {
            BadFaces::Skip
        } else {
            BadFaces::Reject
        }
    }

    /// Returns a loader for meshes with the options of this run.
    pub(crate) fn mesh_loader(&self) -> MeshLoader<'_> {
        let mut loader = MeshLoader::new()
            .bad_faces(self.bad_faces())
            .cancel(&self.cancel);
        if let Some(bytes) = self.common.max_input {
            loader = loader.max_input(bytes);
        }
        if let Some(weld) = self.common.weld {
            loader = loader.weld(weld);
        }
        match self.common.local_frame {
            Some(frame) => loader.local_frame(frame),
            None => loader,
        }
    }

    /// Returns the numbers that the corners of meshes are kept in.
    pub(crate) fn precision(&self) -> Precision {
        self.common.precision
    }

    /// Returns an error if corners are to be kept in `f64`; `what` has or takes corners in `f32` only.
    pub(crate) fn refuse_f64(&self, what: &str) -> Result<(), Failure> {
        match self.precision() {
            Precision::F64 => Err(Failure::Usage(format!(
                "{what} in f32 only; leave out --precision f64"
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the largest number of bytes of an input file, if the user limits it.
    pub(crate) fn max_input(&self) -> Option<u64> {
        self.common.max_input
    }

    /// Returns whether mesh files are loaded in a local frame.
    pub(crate) fn has_local_frame(&self) -> bool {
        self.common.local_frame.is_some()
    }

    /// Returns whether mesh files are welded.
    pub(crate) fn welds(&self) -> bool {
        self.common.weld.is_some()
    }

    /// Returns a builder for trees with the options of this run.
    pub(crate) fn tree_builder(&self) -> BvhBuilder<'_> {
        let builder = Bvh::builder().cancel(&self.cancel);
        match self.common.memory {
            Some(bytes) => builder.memory_budget(usize::try_from(bytes).unwrap_or(usize::MAX)),
            None => builder,
        }
    }

    /// Returns the bytes that rays or points of a file and their answers may take at a time.
    pub(crate) fn rows_memory(&self) -> u64 {
        self.common.memory.unwrap_or(1 << 30)
    }

    /// Opens a file of rays or points, or stdin for `-`. Prints a note about columns whose names are nearly
    /// those that are read.
    pub(crate) fn open_items<T: Item>(&self, path: &Path) -> Result<Input<T>, Failure> {
        let input = Input::open(path, &InputOptions::memory(self.rows_memory()))?;
        for (name, known) in input.lookalikes() {
            self.note(format_args!(
                "{}: the column {name:?} is ignored; rename it to {known} to use it",
                path.display()
            ));
        }
        Ok(input)
    }

    /// Returns the format of a result of rows: that of the extension of `--out`, else CSV.
    pub(crate) fn rows_format(&self) -> Result<TableFormat, Failure> {
        let out = self.common.out_file();
        let format = out.as_deref().and_then(TableFormat::of_name);
        let format = format.filter(|_| !self.json()).unwrap_or(TableFormat::Csv);
        match (format.is_built_in(), out) {
            (false, Some(out)) => Err(Failure::Usage(format!(
                "--out {}: this build of estoc does not write {format}; install it with --features \
                 parquet, or name a .csv or .npy file",
                out.display()
            ))),
            _ => Ok(format),
        }
    }

    /// Returns an error unless the system has memory for `bytes` more; `what` names their use.
    pub(crate) fn check_room(&self, what: &str, bytes: usize) -> Result<(), Failure> {
        match has_room(bytes) {
            true => Ok(()),
            false => Err(Failure::Memory(format!(
                "not enough memory for {what}, which may take {}; free some, or request less",
                number::bytes(bytes)
            ))),
        }
    }

    /// Returns the value of `--local-frame`, if it is given.
    pub(crate) fn local_frame_text(&self) -> Option<String> {
        Some(match self.common.local_frame? {
            LocalFrame::At(origin) => local_frame::coordinates(origin),
            _ => "auto".to_owned(),
        })
    }

    /// Returns the options that make a printed command load meshes as this run does.
    pub(crate) fn mesh_flags(&self) -> String {
        let mut flags = String::new();
        if self.common.skip_bad_faces {
            flags += " --skip-bad-faces";
        }
        if let Some(weld) = self.common.weld {
            flags += &format!(" --weld {}", weld::text(weld));
        }
        match self.precision() {
            Precision::Auto => {}
            Precision::F32 => flags += " --precision f32",
            Precision::F64 => flags += " --precision f64",
        }
        if let Some(frame) = self.local_frame_text() {
            flags += &format!(" --local-frame {frame}");
        }
        flags
    }

    /// Opens the output for the result. Call it before the work, so that a mistyped folder fails at
    /// once. `form` is the form without `--json`, and `inputs` are files that the result must not
    /// replace.
    pub(crate) fn output(&self, form: Form, inputs: &[&Path]) -> Result<ResultOutput, Failure> {
        let form = form.with_json(self.json());
        match self.common.out_file() {
            Some(out) => self.output_to("--out", &out, form, inputs),
            None => output_name::open("--out", self.named_out(), form),
        }
    }

    /// Opens the output of a binary result, which `--out` must name: `what` it is. `inputs` are files that it
    /// must not replace.
    pub(crate) fn binary_output(
        &self,
        what: &str,
        form: Form,
        inputs: &[&Path],
    ) -> Result<ResultOutput, Failure> {
        let problem = match self.named_out() {
            None => format!(
                "no output file for the {what}; use --out FILE.{}, or --out - for stdout",
                form.extension()
            ),
            Some(out) if self.json() && out.as_os_str() == "-" => format!(
                "--json writes to stdout, so the {what} needs --out FILE.{}",
                form.extension()
            ),
            Some(_) => return self.output(form, inputs),
        };
        Err(Failure::Usage(problem))
    }

    /// Opens stdout for the object of `--json` beside another output, if it is wanted.
    pub(crate) fn object_output(&self) -> Result<Option<ResultOutput>, Failure> {
        self.json().then(|| ResultOutput::open(None)).transpose()
    }

    /// Opens the output that another option names, written as `form`.
    pub(crate) fn output_to(
        &self,
        option: &'static str,
        path: &Path,
        form: Form,
        inputs: &[&Path],
    ) -> Result<ResultOutput, Failure> {
        refuse_to_replace(option, path, inputs)?;
        self.outputs().push((option, path.to_owned()));
        output_name::open(option, Some(path), form)
    }

    /// Returns an error if a result would replace one of these files, which turned out to be
    /// inputs. Must be called before any result gets its final name.
    pub(crate) fn check_outputs(&self, inputs: &[PathBuf]) -> Result<(), Failure> {
        let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        for (option, path) in &*self.outputs() {
            refuse_to_replace(option, path, &inputs)?;
        }
        Ok(())
    }

    fn outputs(&self) -> MutexGuard<'_, Vec<(&'static str, PathBuf)>> {
        self.outputs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the file for the result; `None` for stdout.
    pub(crate) fn out(&self) -> Option<PathBuf> {
        self.common.out_file()
    }

    /// Returns the value of `--out`, `-` included.
    pub(crate) fn named_out(&self) -> Option<&Path> {
        self.common.out.as_deref()
    }

    /// Prints a note for the user on stderr, unless `--quiet` is given.
    pub(crate) fn note(&self, line: impl std::fmt::Display) {
        self.notes()(&line.to_string());
    }

    /// Returns what prints notes like [`Session::note`], for threads that may outlive the session.
    pub(crate) fn notes(&self) -> impl Fn(&str) + Send + 'static {
        let quiet = self.common.quiet;
        move |line| {
            if !quiet {
                stderr_line(without_error_numbers(line));
            }
        }
    }

    /// Shows a progress bar on stderr; see [`ShownProgress`].
    pub(crate) fn progress(&self, doing: &str, total: Option<u64>) -> ShownProgress {
        ShownProgress::start(doing, total, self.common.quiet).listener(self.listener.get().cloned())
    }

    /// Sets what else is told all progress from now on; only the first call has an effect.
    #[cfg(feature = "view")]
    pub(crate) fn listen(&self, listener: Listener) {
        let _ = self.listener.set(listener);
    }

    /// Returns a batch in the command's threads that an interruption cancels.
    pub(crate) fn batch<I: Copy>(&self) -> Batch<'_, I> {
        Batch::new().cancel(&self.cancel)
    }

    /// Returns [`Failure::Interrupted`] if the run was interrupted.
    pub(crate) fn check_interrupt(&self) -> Result<(), Failure> {
        if self.cancel.is_cancelled() {
            Err(Failure::Interrupted)
        } else {
            Ok(())
        }
    }

    /// Writes a complete result: the text, or the object with `--json`.
    pub(crate) fn print(
        &self,
        output: ResultOutput,
        text: &str,
        object: &Value,
    ) -> Result<(), Failure> {
        self.check_interrupt()?;
        self.print_done(output, text, object)
    }

    /// Like [`Session::print`], but ignores interruptions, for work that is already done.
    pub(crate) fn print_done(
        &self,
        mut output: ResultOutput,
        text: &str,
        object: &Value,
    ) -> Result<(), Failure> {
        if self.json() {
            output.put(format_args!("{object:#}\n"))?;
        } else {
            output.put(format_args!("{text}"))?;
        }
        output.finish()
    }
}

/// Starts the threads that work is divided among, while there is memory for them: when rayon starts
/// them at the first use and cannot, it panics.
fn start_threads(count: Option<u16>) -> Result<(), Failure> {
    // 0 stands for one per core.
    let threads = rayon::ThreadPoolBuilder::new().num_threads(count.unwrap_or(0).into());
    let threads = threads.spawn_handler(|thread| thread_start::start("worker", || thread.run()));
    threads.build_global().map_err(|error| {
        let threads = count.map_or("threads".into(), |count| {
            number::counted(count.into(), "thread")
        });
        let way_out = match count {
            Some(1) => "",
            _ => "; try --threads 1",
        };
        Failure::Memory(format!("cannot start {threads}: {error}{way_out}"))
    })
}

/// Returns an error if the option's file is one that the run needs otherwise.
fn refuse_to_replace(option: &str, file: &Path, needed: &[&Path]) -> Result<(), Failure> {
    match needed.iter().find(|other| is_same_file(file, other)) {
        None => Ok(()),
        Some(other) => Err(Failure::Usage(format!(
            "{option} would replace {}, which this run needs; name another file",
            other.display()
        ))),
    }
}

/// Returns whether both names lead to the same ordinary file, or would once it exists.
fn is_same_file(a: &Path, b: &Path) -> bool {
    match (place(a), place(b)) {
        (Ok(a), Ok(b)) => a == b && (a.is_file() || !a.exists()),
        _ => false,
    }
}
