//! Answers with their header fields.

use crate::page::PageFile;
use crate::refusal::Refusal;
use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue,
    REFERRER_POLICY, RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use serde_json::{Value, json};

pub(crate) type Answer = Response<Full<Bytes>>;

/// The page loads nothing but its own files, and no other page shows it in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Returns a file of the page.
pub(crate) fn file(file: &'static PageFile) -> Answer {
    answer(Bytes::from_static(file.text.as_bytes()), file.media_type)
}

/// Returns an object.
pub(crate) fn object(object: &Value) -> Answer {
    answer(object.to_string().into(), "application/json")
}

/// Returns bytes, with fields that tell what they are.
pub(crate) fn bytes(
    bytes: Bytes,
    media_type: &'static str,
    fields: &[(&'static str, String)],
) -> Answer {
    let mut answer = answer(bytes, media_type);
    for (name, value) in fields {
        if let Ok(value) = HeaderValue::from_str(value) {
            answer
                .headers_mut()
                .insert(HeaderName::from_static(name), value);
        }
    }
    answer
}

/// Returns the reason why a request is refused.
pub(crate) fn refused(refusal: &Refusal) -> Answer {
    let status = refusal.status();
    let mut answer = object(&json!({
        "schema": "estoc.error/1",
        "error": { "status": status.as_u16(), "message": refusal.to_string() },
    }));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    match refusal {
        Refusal::Unauthorized => {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        Refusal::Method(allowed) => {
            headers.insert(ALLOW, HeaderValue::from_static(allowed));
        }
        Refusal::Busy | Refusal::Loading => {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        _ => {}
    }
    answer
}

fn answer(bytes: Bytes, media_type: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(bytes));
    let headers = answer.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, media_type),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}
