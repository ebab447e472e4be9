//! A progress bar for work that takes more than half a second.

use crate::number::grouped;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

const DELAY: Duration = Duration::from_millis(500);

/// Is told what is done, and how much of it where that is known.
pub(crate) type Listener = Arc<dyn Fn(&str, Option<estoc::Progress>) + Send + Sync>;

/// A bar on stderr, shown if stderr is a terminal and the work takes more than half a second. It
/// disappears when it is dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    doing: String,
    listener: Option<Listener>,
    /// Dropped with the bar, which ends the thread that waits to show it.
    _waiting: Option<Sender<()>>,
}

impl Progress {
    /// Starts a bar with a total in the unit of [`Progress::set`], or a spinner without a total.
    pub(crate) fn start(doing: &str, total: Option<u64>, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = match total {
            Some(_) => "{msg:>9} [{bar:40}] {percent:>3}%  {elapsed} elapsed, {eta} left{prefix}",
            None => "{msg:>9} {spinner} {elapsed}{prefix}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(doing.to_owned());
        let shown = !quiet && std::io::stderr().is_terminal();
        Progress {
            _waiting: shown.then(|| show_later(bar.clone())),
            bar,
            doing: doing.to_owned(),
            listener: None,
        }
    }

    /// Sets what else is told the progress, and tells it that the work begins.
    pub(crate) fn listener(mut self, listener: Option<Listener>) -> Self {
        if let Some(listener) = &listener {
            listener(&self.doing, None);
        }
        self.listener = listener;
        self
    }

    /// Sets the amount of work done.
    pub(crate) fn set(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// Shows how many items are answered a second, given the number of all so far.
    pub(crate) fn set_items(&self, items: u64, plural: &str) {
        let seconds = self.bar.elapsed().as_secs_f64();
        if seconds > 0.1 {
            let rate = (items as f64 / seconds) as usize;
            let rate = grouped(rate);
            self.bar.set_prefix(format!(", {rate} {plural}/s"));
        }
    }

    /// Shows the progress of the library.
    pub(crate) fn show(&self, progress: estoc::Progress) {
        if let Some(total) = progress
            .total
            .filter(|&total| self.bar.length() != Some(total))
        {
            self.bar.set_length(total);
        }
        self.set(progress.done);
        if let Some(listener) = &self.listener {
            listener(&self.doing, Some(progress));
        }
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
