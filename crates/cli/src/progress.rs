//! A progress bar for work that takes more than half a second.

use crate::number::grouped;
use crate::thread_start;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

const DELAY: Duration = Duration::from_millis(500);
const BAR: &str = "{msg:>9} [{bar:40}] {percent:>3}%  {elapsed} elapsed{left}{prefix}";
const SPINNER: &str = "{msg:>9} {spinner} {elapsed}{prefix}";

/// Is told what is done, and how much of it where that is known.
pub(crate) type Listener = Arc<dyn Fn(&str, Option<estoc::Progress>) + Send + Sync>;

/// A bar on stderr, shown if stderr is a terminal and the work takes more than half a second. It
/// disappears when it is dropped.
pub(crate) struct ShownProgress {
    bar: ProgressBar,
    doing: String,
    listener: Option<Listener>,
    /// Dropped with the bar, which ends the thread that waits to show it.
    _waiting: Option<Sender<()>>,
}

impl ShownProgress {
    /// Starts a bar with a total in the unit of [`ShownProgress::set`], or a spinner without a total.
    pub(crate) fn start(doing: &str, total: Option<u64>, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = match total {
            Some(_) => BAR,
            None => SPINNER,
        };
        set_style(&bar, template);
        bar.set_message(doing.to_owned());
        let shown = !quiet && std::io::stderr().is_terminal();
        ShownProgress {
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
        match (progress.total, self.bar.length()) {
            (Some(total), length) if length != Some(total) => self.bar.set_length(total),
            // A pipe does not tell how much there is.
            (None, Some(_)) => {
                self.bar.unset_length();
                set_style(&self.bar, SPINNER);
            }
            _ => {}
        }
        self.set(progress.done);
        if let Some(listener) = &self.listener {
            listener(&self.doing, Some(progress));
        }
    }
}

impl Drop for ShownProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn set_style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> ").with_key("left", write_left));
    }
}

/// Writes the time left, as far as something was done from which it can be estimated.
fn write_left(state: &ProgressState, text: &mut dyn fmt::Write) {
    if state.pos() > 0 && state.per_sec() > 0.0 {
        // A string takes everything.
        let _ = write!(text, ", {:#} left", HumanDuration(state.eta()));
    }
}

fn show_later(bar: ProgressBar) -> Sender<()> {
    let (waiting, ended) = mpsc::channel();
    // Without a thread, no bar is shown.
    let _ = thread_start::start("progress", move || {
        if ended.recv_timeout(DELAY) == Err(mpsc::RecvTimeoutError::Timeout) && !bar.is_finished() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(100));
        }
    });
    waiting
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::{Mutex, PoisonError};

    /// A terminal that keeps the last line.
    #[derive(Clone, Debug, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl Screen {
        fn put(&self, line: &str) -> io::Result<()> {
            let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !line.trim().is_empty() {
                line.clone_into(&mut last);
            }
            Ok(())
        }

        /// Draws a bar and returns its line.
        fn drawn(&self, progress: &ShownProgress) -> String {
            progress.bar.tick();
            self.0.lock().unwrap().clone()
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            120
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> io::Result<()> {
            self.put(line)
        }
        fn write_str(&self, line: &str) -> io::Result<()> {
            self.put(line)
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn started(total: Option<u64>) -> (ShownProgress, Screen) {
        let screen = Screen::default();
        let progress = ShownProgress::start("reading", total, true);
        let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
        progress.bar.set_draw_target(target);
        (progress, screen)
    }

    #[test]
    fn the_time_left_is_told_once_something_is_done() {
        let (progress, screen) = started(Some(100));
        let line = screen.drawn(&progress);
        assert!(line.contains("  0%  "), "{line}");
        assert!(!line.contains("left"), "{line}");
        progress.set(50);
        let line = screen.drawn(&progress);
        assert!(
            line.contains(" 50%  ") && line.trim_end().ends_with(" left"),
            "{line}"
        );
    }

    #[test]
    fn work_of_unknown_size_has_no_share_and_no_time_left() {
        let (progress, screen) = started(Some(1));
        progress.show(estoc::Progress::new(4096, None));
        let line = screen.drawn(&progress);
        assert!(line.contains("reading"), "{line}");
        assert!(!line.contains('%') && !line.contains("left"), "{line}");
    }
}
