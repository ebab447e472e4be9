//! The bodies of requests: JSON with a view and what is asked about it.

use crate::bounds;
use crate::refusal::Refusal;
use bytes::Bytes;
use estoc::glam::{Vec2, Vec3};
use estoc_picture::{Shade, Size, View, ViewProjection};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Body;
use hyper::{Method, Request};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A view, and the size and the time of its picture.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct SeenView {
    eye: [f32; 3],
    at: [f32; 3],
    up: [f32; 3],
    fov: f32,
    /// The height of an orthographic view, in which `fov` has no effect.
    #[serde(default)]
    ortho: Option<f32>,
    size: [usize; 2],
    /// In seconds; for scenes whose objects move.
    #[serde(default)]
    pub(crate) time: Option<f64>,
}

impl SeenView {
    pub(crate) fn view(&self) -> View {
        View {
            eye: Vec3::from_array(self.eye),
            at: Vec3::from_array(self.at),
            up: Vec3::from_array(self.up),
            projection: match self.ortho {
                None => ViewProjection::Perspective(self.fov),
                Some(height) => ViewProjection::Orthographic(height),
            },
        }
    }

    /// Returns the size of the picture.
    ///
    /// # Errors
    /// [`Refusal::Value`] if it has no pixels or too many.
    pub(crate) fn size(&self, most_pixels: usize) -> Result<Size, Refusal> {
        let [width, height] = self.size;
        let size =
            Size::try_new(width, height).map_err(|error| Refusal::Value(error.to_string()))?;
        match size.pixel_count() <= most_pixels {
            true => Ok(size),
            false => Err(Refusal::Value(format!(
                "{size} has more than {most_pixels} pixels; ask for a smaller picture"
            ))),
        }
    }
}

/// Asks for a frame, or for a picture to save.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PictureRequest {
    /// The number by which the client names itself.
    pub(crate) client: String,
    #[serde(flatten)]
    pub(crate) seen: SeenView,
    shade: String,
    samples: u32,
    /// Whether frames have a legend.
    #[serde(default)]
    pub(crate) legend: bool,
}

impl PictureRequest {
    /// Returns the size, the view, the shade and the number of samples.
    ///
    /// # Errors
    /// [`Refusal::Value`] if one of them, or the client, is not allowed.
    pub(crate) fn checked(&self, most_pixels: usize) -> Result<(Size, View, Shade, u32), Refusal> {
        check_client(&self.client)?;
        let size = self.seen.size(most_pixels)?;
        let none = || Refusal::Value("there is no such shade".into());
        let shade = Shade::of_name(&self.shade).ok_or_else(none)?;
        if !(1..=bounds::SAMPLES).contains(&self.samples) {
            let problem = format!("samples are from 1 to {}", bounds::SAMPLES);
            return Err(Refusal::Value(problem));
        }
        let view = self.seen.view();
        view.camera(size)?;
        Ok((size, view, shade, self.samples))
    }
}

fn check_client(client: &str) -> Result<(), Refusal> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    match (1..=bounds::CLIENT).contains(&client.len()) && client.bytes().all(is_allowed) {
        true => Ok(()),
        false => Err(Refusal::Value(format!(
            "client is 1 to {} letters, digits and hyphens",
            bounds::CLIENT
        ))),
    }
}

/// Asks how much of the client's picture is painted.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ProgressRequest {
    client: String,
}

impl ProgressRequest {
    pub(crate) fn client(&self) -> Result<&str, Refusal> {
        check_client(&self.client).map(|()| &*self.client)
    }
}

/// Asks what is under a pixel.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct PixelRequest {
    #[serde(flatten)]
    pub(crate) seen: SeenView,
    pub(crate) pixel: [f32; 2],
}

/// Returns a position in the picture.
///
/// # Errors
/// [`Refusal::Value`] if it is outside.
pub(crate) fn within(pixel: [f32; 2], size: Size) -> Result<Vec2, Refusal> {
    let pixel = Vec2::from_array(pixel);
    let corner = Vec2::new(size.width() as f32, size.height() as f32);
    match pixel.cmpge(Vec2::ZERO).all() && pixel.cmple(corner).all() {
        true => Ok(pixel),
        false => Err(Refusal::Value("the pixel is outside the picture".into())),
    }
}

/// Asks for the outline of what is under a pixel, or of a part that is known.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct OutlineRequest {
    #[serde(flatten)]
    pub(crate) seen: SeenView,
    #[serde(default)]
    pub(crate) pixel: Option<[f32; 2]>,
    #[serde(default)]
    pub(crate) part: Option<PartRequest>,
}

/// Names a part: the numbers of its placements, as in answers, and its name.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PartRequest {
    pub(crate) path: String,
    pub(crate) name: Option<String>,
}

/// Asks what is in a rectangle of the picture: left, top, width and height in pixels.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct RectangleRequest {
    #[serde(flatten)]
    pub(crate) seen: SeenView,
    pub(crate) rectangle: [f32; 4],
}

/// Asks for the cut of the mesh with the plane `a x + b y + c z + d = 0`.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct SectionRequest {
    pub(crate) plane: [f32; 4],
}

/// Reads the body of a question and parses it.
///
/// # Errors
/// [`Refusal::Method`], [`Refusal::BodySize`], [`Refusal::BodyTime`], [`Refusal::Body`].
pub(crate) async fn read<T: DeserializeOwned, B>(request: Request<B>) -> Result<T, Refusal>
where
    B: Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    if request.method() != Method::POST {
        return Err(Refusal::Method("POST"));
    }
    let body = request.into_body();
    if body.size_hint().lower() > bounds::BODY as u64 {
        return Err(Refusal::BodySize);
    }
    let all = Limited::new(body, bounds::BODY).collect();
    let bytes = match tokio::time::timeout(bounds::BODY_TIME, all).await {
        Err(_) => return Err(Refusal::BodyTime),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(Refusal::BodySize),
        Ok(Err(error)) => return Err(Refusal::Body(error.to_string())),
        Ok(Ok(all)) => all.to_bytes(),
    };
    serde_json::from_slice(&bytes).map_err(|error| Refusal::Body(error.to_string()))
}
