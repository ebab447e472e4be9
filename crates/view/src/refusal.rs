//! Requests that are not answered as asked.

use crate::bounds;
use estoc::camera::CameraError;
use estoc_picture::PictureError;
use hyper::StatusCode;
use std::time::Duration;

/// The reason why a request is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// Without details: they would help whoever guesses.
    #[error("unauthorized")]
    Unauthorized,
    #[error("the host of the request is not this server")]
    Host,
    #[error("the request comes from another page")]
    Origin,
    #[error("there is no such file or question")]
    NotFound,
    #[error("the method is not allowed here; use {0}")]
    Method(&'static str),
    #[error("the body has more than {} bytes", bounds::BODY)]
    BodySize,
    #[error("the body did not arrive within {} s", bounds::BODY_TIME.as_secs())]
    BodyTime,
    #[error("the body is not the expected JSON: {0}")]
    Body(String),
    #[error("{0}")]
    Value(String),
    #[error("too much is asked at a time; ask again later")]
    Busy,
    #[error("the mesh is not loaded yet")]
    Loading,
    #[error("a later request of the same client cancelled this one")]
    Cancelled,
    #[error("the picture takes longer than {} s; ask for fewer samples or pixels", .0.as_secs())]
    Time(Duration),
    #[error("{0}")]
    Memory(String),
    #[error("the answer could not be computed")]
    Failed,
}

impl Refusal {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Refusal::Unauthorized => StatusCode::UNAUTHORIZED,
            Refusal::Host | Refusal::Origin => StatusCode::FORBIDDEN,
            Refusal::NotFound => StatusCode::NOT_FOUND,
            Refusal::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            Refusal::BodySize => StatusCode::PAYLOAD_TOO_LARGE,
            Refusal::BodyTime => StatusCode::REQUEST_TIMEOUT,
            Refusal::Body(_) | Refusal::Value(_) => StatusCode::BAD_REQUEST,
            Refusal::Busy | Refusal::Loading | Refusal::Memory(_) | Refusal::Time(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Refusal::Cancelled => StatusCode::CONFLICT,
            Refusal::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl From<PictureError> for Refusal {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::Cancelled => Refusal::Cancelled,
            PictureError::NoMemory(_) => Refusal::Memory(error.to_string()),
            error => Refusal::Value(error.to_string()),
        }
    }
}

impl From<CameraError> for Refusal {
    fn from(error: CameraError) -> Self {
        PictureError::from(error).into()
    }
}
