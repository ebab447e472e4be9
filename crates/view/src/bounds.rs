//! The bounds of what clients may ask for.

use std::time::Duration;

/// The longest body of a request in bytes.
pub(crate) const BODY: usize = 64 << 10;
/// The longest head of a request in bytes, and the largest number of its header fields.
pub(crate) const HEAD: usize = 16 << 10;
pub(crate) const FIELDS: usize = 64;
/// The time within which a head must arrive, also on a connection that waits for one, and a body.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(10);
pub(crate) const BODY_TIME: Duration = Duration::from_secs(10);
/// The time within which a client must take some bytes of an answer.
pub(crate) const WRITE_TIME: Duration = Duration::from_secs(20);
/// The connections open at a time.
pub(crate) const CONNECTIONS: usize = 256;
/// The pixels of a frame, and of a picture that is saved.
pub(crate) const FRAME_PIXELS: usize = 1 << 23;
pub(crate) const PICTURE_PIXELS: usize = 1 << 25;
/// The samples of a picture that is saved. A frame has at most as many.
pub(crate) const SAMPLES: u32 = 256;
/// The frames and pictures under way of all clients, waiting ones included.
pub(crate) const RENDERS: usize = 32;
/// The frames painted at a time, each by all threads, and the pictures, by threads of their own.
pub(crate) const PAINTED: usize = 2;
pub(crate) const PICTURED: usize = 1;
/// The time that a frame and a picture may take, with the wait for those before. A client that vanishes
/// ends its work at once only where nothing of its next request has arrived.
pub(crate) const FRAME_TIME: Duration = Duration::from_secs(60);
pub(crate) const PICTURE_TIME: Duration = Duration::from_secs(1800);
/// The KiB of frames and pictures that are painted or sent.
pub(crate) const SENT_KIB: usize = 512 << 10;
/// The other questions under way of all clients.
pub(crate) const QUERIES: usize = 64;
/// The pixels of frames whose light is kept to be added to, and the number of these frames.
pub(crate) const KEPT_PIXELS: usize = 1 << 24;
pub(crate) const KEPT: usize = 8;
/// The points of a section that are sent.
pub(crate) const SECTION_POINTS: usize = 200_000;
/// The pixels of a picture in which a rectangle is selected.
pub(crate) const SELECT_PIXELS: usize = 1 << 20;
/// The longest side of the grid of rays that finds an outline.
pub(crate) const OUTLINE_SIDE: usize = 320;
/// The characters of the number by which a client names itself.
pub(crate) const CLIENT: usize = 36;
