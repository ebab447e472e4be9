//! `--open`: opens the page in the browser of the desktop.

use crate::{interrupt, thread_start};
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A file that leads a browser to the page. Only the user can read it: the arguments of processes, which
/// all users can see, name the file and not the token. It is removed when this is dropped.
pub(super) struct Opener(Option<PathBuf>);

impl Opener {
    /// Writes the file and starts the browser. `tell` is called, perhaps later and in another thread,
    /// with the reason if nothing opens.
    pub(super) fn open(address: &str, tell: impl FnOnce(String) + Send + 'static) -> Self {
        let mut opener = Opener(None);
        match opener.start(address) {
            Ok((program, mut browser)) => {
                // The program may end before the browser does.
                let wait = move || match browser.wait() {
                    Ok(ended) if !ended.success() => tell(format!("{program} failed ({ended})")),
                    _ => {}
                };
                // Without a thread, nothing can be told.
                let _ = thread_start::start("browser", wait);
            }
            Err(problem) => tell(problem),
        }
        opener
    }

    /// Returns the program that opens the page, and its name.
    fn start(&mut self, address: &str) -> Result<(String, Child), String> {
        let name = format!(
            "estoc-view-{:016x}.html",
            RandomState::new().hash_one(address)
        );
        let path = std::env::temp_dir().join(name);
        let problem = |error: io::Error| format!("{}: {error}", path.display());
        let mut file = create(&path).map_err(problem)?;
        self.0 = Some(path.clone());
        interrupt::watch(&path);
        // An address has no character that would need quoting: `link` allows none.
        let page = format!(
            "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" \
             content=\"no-referrer\">\n<title>estoc view</title>\n\
             <script>location.replace(\"{address}\")</script>\n<a href=\"{address}\">Open the \
             page</a>\n"
        );
        file.write_all(page.as_bytes()).map_err(problem)?;
        drop(file);
        let mut command = browser(&path);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let program = command.get_program().display().to_string();
        match command.spawn() {
            Ok(browser) => Ok((program, browser)),
            Err(error) => Err(format!("{program} cannot be started: {error}")),
        }
    }
}

impl Drop for Opener {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = interrupt::forget(path, || std::fs::remove_file(path));
        }
    }
}

/// Creates a file that only the user can read.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

/// Returns the command that opens a file in the browser.
fn browser(path: &Path) -> Command {
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]).arg(path);
        return command;
    }
    let program = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(program);
    command.arg(path);
    command
}
