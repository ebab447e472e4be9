//! Frames of the page, and pictures to save.

use crate::accumulations::{Accumulations, FrameKey};
use crate::bounds;
use crate::model::Model;
use crate::refusal::Refusal;
use crate::renders::{Renders, SentPermit};
use crate::request::PictureRequest;
use crate::response::{self, Answer};
use bytes::Bytes;
use estoc_picture::{Paint, PngError};
use rayon::ThreadPoolBuilder;
use std::sync::Arc;

/// A model, and the count of models up to it.
pub(crate) struct Rendered {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) generation: u64,
}

/// Bytes that are sent, with the reservation of their memory.
struct Sent {
    bytes: Vec<u8>,
    _permit: SentPermit,
}

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Paints a frame: four bytes for each pixel, row by row from the top. If the client had a frame of the
/// same view with fewer samples, only the others are traced.
pub(crate) async fn frame(
    asked: PictureRequest,
    rendered: Rendered,
    renders: &Arc<Renders>,
    accumulations: &Arc<Accumulations>,
) -> Result<Answer, Refusal> {
    let (size, view, shade, samples) = asked.checked(bounds::FRAME_PIXELS)?;
    let render = renders.begin(&asked.client)?;
    let memory = renders.reserve(4 * size.pixel_count())?;
    let permit = renders.wait(&render).await?;
    let (cancel, kept) = (render.cancel.clone(), accumulations.clone());
    let Rendered { model, generation } = rendered;
    let work = tokio::task::spawn_blocking(move || {
        let key = FrameKey {
            client: asked.client.clone(),
            generation,
            time: asked.seen.time,
            view,
            size,
            shade,
        };
        let mut light = kept.take(&key);
        let paint = Paint::new(model.target())
            .shade(shade)
            .samples(samples)
            .legend(asked.legend)
            .cancel(&cancel);
        let painted = paint.accumulate(&view, size, &mut light)?;
        if samples < bounds::SAMPLES {
            kept.keep(key, light);
        }
        let bytes = painted
            .picture
            .rgba()
            .map_err(estoc_picture::PictureError::from)?;
        drop(permit);
        let sent = Sent {
            bytes,
            _permit: memory,
        };
        Ok::<_, Refusal>(sent)
    });
    // Dropped with this future if the client vanishes, which cancels the work.
    let sent = work.await.map_err(|_| Refusal::Failed)??;
    drop(render);
    let fields = [
        ("estoc-size", size.to_string()),
        ("estoc-samples", samples.to_string()),
        ("estoc-generation", generation.to_string()),
    ];
    let bytes = Bytes::from_owner(sent);
    Ok(response::bytes(bytes, "application/octet-stream", &fields))
}

/// Paints the picture that `estoc render` makes of the same view, shade and number of samples, as the
/// same PNG file.
pub(crate) async fn picture(
    asked: PictureRequest,
    rendered: Rendered,
    renders: &Arc<Renders>,
) -> Result<Answer, Refusal> {
    let (size, view, shade, samples) = asked.checked(bounds::PICTURE_PIXELS)?;
    let render = renders.begin(&picture_of(&asked.client))?;
    let memory = renders.reserve(size.bytes_to_paint())?;
    let permit = renders.wait_to_save(&render).await?;
    let (cancel, share) = (render.cancel.clone(), render.share.clone());
    let model = rendered.model;
    let command = format!(
        "estoc render {} --size {size} {} --shade {shade} --samples {samples} --out picture.png",
        model.arguments(),
        model.view_options(&view)
    );
    let work = tokio::task::spawn_blocking(move || {
        let progress = |now| share.set(now);
        let paint = Paint::new(model.target())
            .shade(shade)
            .samples(samples)
            .progress(&progress)
            .cancel(&cancel);
        // Threads of its own: others finish a picture before they begin a frame.
        let threads = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads());
        let threads = threads.build().map_err(|_| Refusal::Busy)?;
        let painted = threads.install(|| paint.paint(&view, size))?;
        drop(permit);
        let mut bytes = Vec::new();
        painted
            .picture
            .write_png(&mut bytes)
            .map_err(|error| match error {
                PngError::NoMemory { .. } => Refusal::Memory(error.to_string()),
                _ => Refusal::Failed,
            })?;
        let sent = Sent {
            bytes,
            _permit: memory,
        };
        Ok::<_, Refusal>(sent)
    });
    let sent = work.await.map_err(|_| Refusal::Failed)??;
    drop(render);
    let fields = [("estoc-command", header_text(&command))];
    Ok(response::bytes(
        Bytes::from_owner(sent),
        "image/png",
        &fields,
    ))
}

/// Returns the name of a client's picture: another one than that of its frames, which go on meanwhile.
pub(crate) fn picture_of(client: &str) -> String {
    format!("{client} picture")
}

/// Returns text as a header field holds it: percent-encoded where it is not plain ASCII.
fn header_text(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'%' | 0..0x20 | 0x7f.. => encoded += &format!("%{byte:02X}"),
            _ => encoded.push(byte.into()),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_fit_in_header_fields() {
        assert_eq!(header_text("a b'ü'\n100%"), "a b'%C3%BC'%0A100%25");
    }
}
