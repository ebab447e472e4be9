//! A progress bar for what takes more than half a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

const DELAY: Duration = Duration::from_millis(500);

/// A bar on stderr, if that is a terminal and the work is not done before half a second.
/// Dropped, it disappears.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Dropped with the bar, so that what waits to show it ends.
    _waiting: Option<Sender<()>>,
}

impl Progress {
    /// `total` in whatever unit [`Progress::set`] is told; without one a spinner.
    pub(crate) fn start(doing: &str, total: Option<u64>, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = match total {
            Some(_) => "{msg:>9} [{bar:40}] {percent:>3}%  {elapsed} elapsed, {eta} left",
            None => "{msg:>9} {spinner} {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(doing.to_owned());
        let shown = !quiet && std::io::stderr().is_terminal();
        Progress {
            _waiting: shown.then(|| show_later(bar.clone())),
            bar,
        }
    }

    /// So much is done.
    pub(crate) fn set(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// Shows how far work of the library has come.
    pub(crate) fn show(&self, progress: estoc::Progress) {
        if let Some(total) = progress
            .total
            .filter(|&total| self.bar.length() != Some(total))
        {
            self.bar.set_length(total);
        }
        self.set(progress.done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn show_later(bar: ProgressBar) -> Sender<()> {
    let (waiting, ended) = mpsc::channel();
    std::thread::spawn(move || {
        if ended.recv_timeout(DELAY) == Err(mpsc::RecvTimeoutError::Timeout) && !bar.is_finished() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(100));
        }
    });
    waiting
}
