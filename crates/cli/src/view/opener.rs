//! `--open`: opens the page in the browser of the desktop.

use crate::interrupt;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file that leads a browser to the page. Only the user can read it: the arguments of processes, which
/// all users can see, name the file and not the token. It is removed when this is dropped.
pub(super) struct Opener(PathBuf);

impl Opener {
    /// Writes the file and starts the browser.
    ///
    /// # Errors
    /// The reason why the browser cannot be started.
    pub(super) fn open(address: &str) -> Result<Self, String> {
        let name = format!(
            "estoc-view-{:016x}.html",
            RandomState::new().hash_one(address)
        );
        let path = std::env::temp_dir().join(name);
        let problem = |error: io::Error| format!("{}: {error}", path.display());
        let mut file = create(&path).map_err(problem)?;
        let opener = Opener(path.clone());
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
        let mut browser = browser(&path);
        let started = browser
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match started {
            Ok(_) => Ok(opener),
            Err(error) => Err(format!(
                "{} cannot be started: {error}",
                browser.get_program().display()
            )),
        }
    }
}

impl Drop for Opener {
    fn drop(&mut self) {
        let _ = interrupt::forget(&self.0, || std::fs::remove_file(&self.0));
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
