//! The buffers that contain the elements of accessors.

use estoc_system::{Growth, NoMemory};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::rc::Rc;

use super::model::{Accessor, Buffer, Document, Index};
use super::primitive::Fault;
use crate::text::{counted, quote};

pub(super) use crate::formats::OpenSibling as Open;

/// The buffers of a document, each read on first use and only once.
pub(super) struct GltfBuffers<'a> {
    document: &'a Document,
    /// The buffer in the same file, if any.
    inner: Option<&'a [u8]>,
    open: &'a Open<'a>,
    /// By address, which several buffers may share; by index for buffers without one.
    read: HashMap<Result<&'a str, Index>, SharedBytes<'a>>,
    /// The number of bytes of the document and of what was read so far.
    bytes: u64,
}

/// The bytes of a buffer.
type SharedBytes<'a> = Rc<Cow<'a, [u8]>>;

/// The bytes of a buffer view.
pub(super) struct ViewBytes<'a> {
    buffer: SharedBytes<'a>,
    start: usize,
    pub(super) length: u64,
    pub(super) stride: Option<u64>,
}

impl ViewBytes<'_> {
    /// Returns `count` bytes at an offset in the view; they must be in range.
    #[inline]
    pub(super) fn at(&self, place: u64, count: usize) -> &[u8] {
        let start = self.start + place as usize;
        &self.buffer[start..start + count]
    }
}

impl<'a> GltfBuffers<'a> {
    /// `bytes` is the size of the file.
    pub(super) fn new(
        document: &'a Document,
        inner: Option<&'a [u8]>,
        open: &'a Open<'a>,
        bytes: u64,
    ) -> Self {
        GltfBuffers {
            document,
            inner,
            open,
            read: HashMap::new(),
            bytes,
        }
    }

    /// Returns an error if something takes more bytes than a file of this size should need. A small
    /// file can refer to the same arrays repeatedly, or to arrays of zeros that take no space in it.
    pub(super) fn check_times(&self, taken: u64, what: &str) -> Result<(), Fault> {
        const MOST_TIMES: u64 = 256;
        const ALWAYS: u64 = 1 << 28;
        match taken > ALWAYS.max(self.bytes.saturating_mul(MOST_TIMES)) {
            false => Ok(()),
            true => Err(Fault::Unsupported(format!(
                "its {what} take more than {MOST_TIMES} times the size of the file; split it"
            ))),
        }
    }

    pub(super) fn accessor(&self, index: Index) -> Result<&'a Accessor, Fault> {
        let found = self.document.accessors.get(index as usize);
        found.ok_or_else(|| Fault::Malformed(format!("accessors[{index}] does not exist")))
    }

    /// Returns a buffer view, all of whose bytes exist.
    pub(super) fn view(&mut self, index: Index) -> Result<ViewBytes<'a>, Fault> {
        let view = self.document.buffer_views.get(index as usize);
        let view = view.ok_or_else(|| format!("bufferViews[{index}] does not exist"))?;
        let buffer = self.buffer(view.buffer)?;
        let end = view.byte_offset.checked_add(view.byte_length);
        if end.is_none_or(|end| end > buffer.len() as u64) {
            return Err(format!(
                "bufferViews[{index}] has {} from byte {} on, but its buffer has {}",
                counted(view.byte_length, "byte"),
                view.byte_offset,
                counted(buffer.len() as u64, "byte")
            )
            .into());
        }
        Ok(ViewBytes {
            start: view.byte_offset as usize,
            buffer,
            length: view.byte_length,
            stride: view.byte_stride,
        })
    }

    fn buffer(&mut self, index: Index) -> Result<SharedBytes<'a>, Fault> {
        let buffer = self.document.buffers.get(index as usize);
        let buffer = buffer.ok_or_else(|| format!("buffers[{index}] does not exist"))?;
        let key = buffer.uri.as_deref().ok_or(index);
        let bytes = match self.read.get(&key) {
            Some(bytes) => bytes.clone(),
            None => {
                let bytes = Rc::new(self.fetch(index, buffer)?);
                self.bytes += bytes.len() as u64;
                self.read.insert(key, bytes.clone());
                bytes
            }
        };
        let (found, wanted) = (bytes.len() as u64, buffer.byte_length);
        if found < wanted {
            let problem = format!("buffers[{index}] is truncated: {found} of {wanted} bytes");
            return Err(problem.into());
        }
        Ok(bytes)
    }

    fn fetch(&self, index: Index, buffer: &Buffer) -> Result<Cow<'a, [u8]>, Fault> {
        let Some(address) = &buffer.uri else {
            let inner = self.inner.filter(|_| index == 0);
            return inner
                .map(Cow::Borrowed)
                .ok_or_else(|| format!("buffers[{index}] has no bytes").into());
        };
        if let Some(data) = address.strip_prefix("data:") {
            let (_, text) = data
                .split_once(";base64,")
                .ok_or_else(|| format!("buffers[{index}] has data that is not base64"))?;
            let bytes = base64(text.as_bytes())?
                .ok_or_else(|| format!("buffers[{index}] has damaged base64 data"))?;
            return Ok(Cow::Owned(bytes));
        }
        let shown = quote(address.as_bytes());
        let name = percent_decoded(address)
            .ok_or_else(|| format!("buffers[{index}] has the unsupported address {shown}"))?;
        // Buffers of the same file share its bytes, so the longest decides.
        let sharing = self.document.buffers.iter();
        let sharing = sharing.filter(|other| other.uri.as_deref() == Some(address));
        let most = sharing.map(|other| other.byte_length).max().unwrap_or(0);
        (self.open)(&name, most)
            .map(Cow::Owned)
            .map_err(|error| match error.kind() {
                io::ErrorKind::OutOfMemory => NoMemory.into(),
                _ => format!("buffers[{index}]: cannot read {shown}: {error}").into(),
            })
    }
}

/// Decodes base64, with or without `=` at its end; `None` if it is damaged.
fn base64(text: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
    let digit = |byte: u8| {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        })
    };
    let mut end = text.len();
    while end > 0 && text.len() - end < 2 && text[end - 1] == b'=' {
        end -= 1;
    }
    let mut bytes = Vec::new();
    bytes.make_room(end / 4 * 3 + 2)?;
    for quantum in text[..end].chunks(4) {
        let mut bits = 0u32;
        for (place, &byte) in quantum.iter().enumerate() {
            let Some(digit) = digit(byte) else {
                return Ok(None);
            };
            bits |= u32::from(digit) << (26 - 6 * place);
        }
        if quantum.len() == 1 {
            return Ok(None);
        }
        bytes.extend_from_slice(&bits.to_be_bytes()[..quantum.len() * 3 / 4]);
    }
    Ok(Some(bytes))
}

/// Returns the file that an address refers to; `None` if the address contains the bytes itself.
pub(super) fn file_name(address: &str) -> Option<String> {
    match address.starts_with("data:") {
        true => None,
        false => percent_decoded(address),
    }
}

/// Decodes a relative address to a path: `%20` is a blank. Returns `None` for an address with a
/// scheme.
fn percent_decoded(address: &str) -> Option<String> {
    let scheme = address.split_once(':').map(|(scheme, _)| scheme);
    if scheme.is_some_and(|scheme| !scheme.contains('/')) || address.is_empty() {
        return None;
    }
    let mut bytes = Vec::new();
    let mut rest = address.as_bytes();
    while let [first, later @ ..] = rest {
        let hex = |byte: u8| char::from(byte).to_digit(16);
        rest = later;
        if let (b'%', [high, low, behind @ ..]) = (first, later)
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            bytes.push((16 * high + low) as u8);
            rest = behind;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|name| !name.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length() {
        for (text, bytes) in [
            ("", Some(&b""[..])),
            ("AQ==", Some(&[1])),
            ("AQ", Some(&[1])),
            ("AQI=", Some(&[1, 2])),
            ("AQID", Some(&[1, 2, 3])),
            ("AQIDBA", Some(&[1, 2, 3, 4])),
            ("+/-_", Some(&[0xfb, 0xff, 0xbf])),
            ("A", None),
            ("AQ=A", None),
            ("A Q=", None),
            ("====", None),
        ] {
            let found = base64(text.as_bytes()).unwrap_or_default();
            assert_eq!(found.as_deref(), bytes, "{text}");
        }
    }

    #[test]
    fn addresses_are_paths() {
        for (address, path) in [
            ("a.bin", Some("a.bin")),
            ("b/my%20a.bin", Some("b/my a.bin")),
            ("gr%C3%B6%C3%9Fe", Some("größe")),
            ("100%", Some("100%")),
            ("%zz", Some("%zz")),
            ("%00", None),
            ("%ff", None),
            ("", None),
            ("https://host/a.bin", None),
            ("./c:d", Some("./c:d")),
        ] {
            assert_eq!(percent_decoded(address).as_deref(), path, "{address}");
        }
    }
}
