//! Which question a request asks.

use crate::about;
use crate::accumulations::Accumulations;
use crate::admission::Admission;
use crate::bounds;
use crate::model::Model;
use crate::model_state::{ModelState, Shown};
use crate::page::PAGE;
use crate::query;
use crate::refusal::Refusal;
use crate::render::{self, Rendered};
use crate::renders::Renders;
use crate::request::{
    self, OutlineRequest, PictureRequest, PixelRequest, ProgressRequest, RectangleRequest,
    SectionRequest,
};
use crate::response::{self, Answer};
use bytes::Bytes;
use hyper::body::Body;
use hyper::{Method, Request};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Answers requests.
pub(crate) struct Router {
    admission: Admission,
    state: Arc<ModelState>,
    renders: Arc<Renders>,
    accumulations: Arc<Accumulations>,
}

impl Router {
    pub(crate) fn new(admission: Admission, state: Arc<ModelState>) -> Self {
        Router {
            admission,
            state,
            renders: Renders::new(),
            accumulations: Arc::default(),
        }
    }

    /// Cancels all work.
    pub(crate) fn cancel_all(&self) {
        self.renders.cancel_all();
    }

    /// Answers any request.
    pub(crate) async fn answer<B>(&self, request: Request<B>) -> Answer
    where
        B: Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let answer = self.try_answer(request).await;
        answer.unwrap_or_else(|refusal| response::refused(&refusal))
    }

    async fn try_answer<B>(&self, request: Request<B>) -> Result<Answer, Refusal>
    where
        B: Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        self.admission.check_source(request.headers())?;
        let method = request.method().clone();
        let path = request.uri().path().to_owned();
        if let Some(file) = PAGE.iter().find(|file| file.path == path) {
            return match method {
                Method::GET | Method::HEAD => Ok(response::file(file)),
                _ => Err(Refusal::Method("GET, HEAD")),
            };
        }
        self.admission.check_token(request.headers())?;
        match path.as_str() {
            "/about" => match method {
                Method::GET => Ok(response::object(&about::about(&self.state))),
                _ => Err(Refusal::Method("GET")),
            },
            "/frame" => {
                let asked: PictureRequest = request::read(request).await?;
                let model = self.model(asked.seen.time)?;
                let frame = render::frame(asked, model, &self.renders, &self.accumulations);
                within(bounds::FRAME_TIME, frame).await
            }
            "/picture" => {
                let asked: PictureRequest = request::read(request).await?;
                let model = self.model(asked.seen.time)?;
                let picture = render::picture(asked, model, &self.renders);
                within(bounds::PICTURE_TIME, picture).await
            }
            "/progress" => {
                let asked: ProgressRequest = request::read(request).await?;
                let share = self.renders.share(&render::picture_of(asked.client()?));
                Ok(response::object(&json!({ "share": share })))
            }
            "/pick" => {
                let asked: PixelRequest = request::read(request).await?;
                self.query(asked.seen.time, move |model| query::pick(&asked, model))
                    .await
            }
            "/outline" => {
                let asked: OutlineRequest = request::read(request).await?;
                self.query(asked.seen.time, move |model| query::outline(&asked, model))
                    .await
            }
            "/select" => {
                let asked: RectangleRequest = request::read(request).await?;
                // Its hits take more memory than the answers to other questions.
                let memory = self.renders.reserve(query::bytes_to_select(&asked)?)?;
                self.query(asked.seen.time, move |model| {
                    let found = query::select(&asked, model);
                    drop(memory);
                    found
                })
                .await
            }
            "/section" => {
                let asked: SectionRequest = request::read(request).await?;
                self.query(None, move |model| query::section(&asked, model))
                    .await
            }
            _ => Err(Refusal::NotFound),
        }
    }

    /// Returns the model as it is at a time.
    fn model(&self, time: Option<f64>) -> Result<Rendered, Refusal> {
        let Shown {
            model, generation, ..
        } = self.state.now().shown.ok_or(Refusal::Loading)?;
        let model = match time {
            None => model,
            Some(time) if !time.is_finite() => {
                return Err(Refusal::Value("the time is not finite".into()));
            }
            Some(time) => match model.at_time(time) {
                Some(model) => model,
                None => return Err(Refusal::Value("nothing moves here; leave out time".into())),
            },
        };
        Ok(Rendered { model, generation })
    }

    /// Answers a question in another thread, so that others do not wait for it.
    async fn query(
        &self,
        time: Option<f64>,
        ask: impl FnOnce(&dyn Model) -> Result<Value, Refusal> + Send + 'static,
    ) -> Result<Answer, Refusal> {
        let permit = self.renders.query()?;
        let Rendered { model, .. } = self.model(time)?;
        let work = tokio::task::spawn_blocking(move || {
            let answer = ask(&*model);
            drop(permit);
            answer
        });
        let object = work.await.map_err(|_| Refusal::Failed)??;
        Ok(response::object(&object))
    }
}

/// Answers within a time: what takes longer is dropped, which cancels it.
async fn within(
    time: Duration,
    answer: impl Future<Output = Result<Answer, Refusal>>,
) -> Result<Answer, Refusal> {
    match tokio::time::timeout(time, answer).await {
        Ok(answer) => answer,
        Err(_) => Err(Refusal::Time(time)),
    }
}
