//! The model that is shown, or the progress of loading it.

use crate::model::Model;
use estoc::Progress;
use estoc_picture::View;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The model that a page shows, with the progress of loading it and the problem of the last attempt. The
/// thread that loads writes it, and the server reads it.
pub struct ModelState {
    name: String,
    is_watched: bool,
    now: Mutex<Now>,
}

#[derive(Clone, Default)]
pub(crate) struct Now {
    pub(crate) shown: Option<Shown>,
    pub(crate) loading: Option<Loading>,
    pub(crate) problem: Option<String>,
}

/// A model, with the view that was chosen for it.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) view: View,
    /// Counts the models from 1.
    pub(crate) generation: u64,
}

/// A step of loading.
#[derive(Clone)]
pub(crate) struct Loading {
    /// What is done, such as "reading".
    pub(crate) doing: String,
    /// How much of it, from 0 to 1; `None` where it is not known.
    pub(crate) share: Option<f64>,
}

impl ModelState {
    /// Creates a state without a model. `name` is what the page calls it, such as the name of the file.
    pub fn new(name: impl Into<String>) -> Self {
        let loading = Loading {
            doing: "starting".into(),
            share: None,
        };
        ModelState {
            name: name.into(),
            is_watched: false,
            now: Mutex::new(Now {
                loading: Some(loading),
                ..Now::default()
            }),
        }
    }

    /// Sets whether the model may be replaced later; the page then asks for it once a second.
    pub fn watched(self, is_watched: bool) -> Self {
        ModelState { is_watched, ..self }
    }

    /// Tells what is done to load a model, such as "reading", and how much of it.
    pub fn loading(&self, doing: &str, progress: Option<Progress>) {
        let share = progress.and_then(|progress| {
            let total = progress.total.filter(|&total| total > 0)?;
            Some((progress.done as f64 / total as f64).min(1.0))
        });
        let doing = doing.to_owned();
        self.lock().loading = Some(Loading { doing, share });
    }

    /// Shows a model, with the view that was chosen for it.
    pub fn show(&self, model: Arc<dyn Model>, view: View) {
        let mut now = self.lock();
        let generation = now.shown.as_ref().map_or(0, |shown| shown.generation) + 1;
        *now = Now {
            shown: Some(Shown {
                model,
                view,
                generation,
            }),
            ..Now::default()
        };
    }

    /// Tells why a model was not loaded. The one that is shown stays.
    pub fn fail(&self, problem: impl Into<String>) {
        let mut now = self.lock();
        now.loading = None;
        now.problem = Some(problem.into());
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.is_watched
    }

    pub(crate) fn now(&self) -> Now {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
