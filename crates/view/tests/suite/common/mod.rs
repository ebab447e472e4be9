//! A server in the test program, and a plain client.

mod client;
mod models;

pub(crate) use client::{Answer, Client, Given};
pub(crate) use models::{MeshModel, MovingModel};

use estoc::CancelToken;
use estoc_picture::{Size, ViewOptions};
use estoc_view::{Model, ModelState, Server, ViewError};
use serde_json::{Value, json};
use std::sync::Arc;
use std::thread::JoinHandle;

/// The paths of the questions that have a body.
pub(crate) const QUESTIONS: [&str; 7] = [
    "/frame",
    "/picture",
    "/progress",
    "/pick",
    "/outline",
    "/select",
    "/section",
];

/// A server that ends when it is dropped.
pub(crate) struct Running {
    pub(crate) port: u16,
    pub(crate) token: String,
    pub(crate) state: Arc<ModelState>,
    cancel: CancelToken,
    thread: Option<JoinHandle<Result<(), ViewError>>>,
}

impl Running {
    /// Starts a server that has nothing to show yet.
    pub(crate) fn loading() -> Self {
        let state = Arc::new(ModelState::new("test mesh"));
        let server = Server::bind(0, state.clone()).unwrap();
        let address = server.address("");
        let (_, token) = address.split_once("#token=").unwrap();
        let (port, token) = (server.port(), token.to_owned());
        let cancel = CancelToken::new();
        let ended = cancel.clone();
        let thread = std::thread::spawn(move || server.run(&ended));
        Running {
            port,
            token,
            state,
            cancel,
            thread: Some(thread),
        }
    }

    /// Starts a server that shows a model.
    pub(crate) fn showing(model: impl Model + 'static) -> Self {
        let running = Running::loading();
        running.show(model);
        running
    }

    pub(crate) fn show(&self, model: impl Model + 'static) {
        let size = Size::try_new(64, 48).unwrap();
        let view = ViewOptions::new().view(model.target(), size).unwrap();
        self.state.show(Arc::new(model), view);
    }

    /// Returns a connection.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.port)
    }

    /// Asks with the token and a body, or without a body.
    pub(crate) fn ask(&self, path: &str, body: Option<&Value>) -> Answer {
        self.client().send(&self.given(path, body))
    }

    /// Returns a request as the page sends it.
    pub(crate) fn given(&self, path: &str, body: Option<&Value>) -> Given {
        let method = if body.is_some() { "POST" } else { "GET" };
        let given = Given::new(method, path)
            .field("Host", &format!("127.0.0.1:{}", self.port))
            .field("Authorization", &format!("Bearer {}", self.token));
        match body {
            None => given,
            Some(body) => given
                .field("Content-Type", "application/json")
                .body(body.to_string()),
        }
    }

    /// Returns the body of a request with the view that was chosen.
    pub(crate) fn seen(&self, size: [usize; 2], more: &Value) -> Value {
        let about = self.ask("/about", None).object();
        let mut body = about["shown"]["view"].clone();
        body["size"] = json!(size);
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.cancel.cancel();
        let ended = self.thread.take().unwrap().join();
        if !std::thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}
