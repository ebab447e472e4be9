//! A tree on a device.

use crate::device::{Device, PARTS, RayBufferPool, Scope};
use crate::frame::Frame;
use crate::gpu_engine::{GpuEngine, Kernel, RayWords};
use crate::gpu_error::GpuError;
use crate::tree_words::{NODE_WORDS, TRIANGLE_WORDS, TreeWords};
use estoc_bvh::Bvh;
use std::fmt;
use wgpu::BufferUsages;

/// A tree whose nodes and triangles are on a device too, for [`GpuBatch`](crate::GpuBatch).
///
/// The tree itself stays at hand: the processor decides what the device finds. Masks may be set on it before.
pub struct GpuBvh<'a> {
    bvh: &'a Bvh,
    device: Device,
    uploaded: Uploaded,
    pool: RayBufferPool,
}

/// The buffers of a tree, and what the kernel must know of it.
pub(crate) struct Uploaded {
    pub(crate) nodes: wgpu::Buffer,
    pub(crate) triangles: [wgpu::Buffer; PARTS],
    /// The logarithm of the number of triangles in each.
    part: u32,
    frame: Frame,
}

impl fmt::Debug for GpuBvh<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = GpuBvh::bytes(self.bvh);
        f.debug_struct("GpuBvh")
            .field("device", &self.device)
            .field("bytes", &bytes)
            .finish()
    }
}

impl<'a> GpuBvh<'a> {
    /// Returns the bytes that a tree takes on a device: about 52 for each triangle.
    pub fn bytes(bvh: &Bvh) -> u64 {
        TreeWords::bytes(bvh)
    }

    /// Copies a tree to a device.
    ///
    /// # Errors
    /// [`GpuError::TooLarge`] if the device cannot address it, [`GpuError::NoMemory`], and what may go wrong with a device.
    pub fn new(bvh: &'a Bvh, device: &Device) -> Result<Self, GpuError> {
        GpuBvh::within(bvh, device, u64::MAX)
    }

    /// Copies a tree to a device, unless it takes more bytes there than the budget.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`GpuError::TooLarge`] if it does.
    pub fn within(bvh: &'a Bvh, device: &Device, budget: u64) -> Result<Self, GpuError> {
        let bytes = GpuBvh::bytes(bvh);
        if bytes > budget {
            return Err(GpuError::TooLarge {
                bytes,
                limit: budget,
            });
        }
        // A part has a power of two of triangles, and the last one ends before the greatest buffer.
        let part = (device.most_bytes() / (4 * TRIANGLE_WORDS as u64))
            .max(1)
            .ilog2()
            .min(30);
        let node_bytes = 4 * (NODE_WORDS * bvh.nodes().len()) as u64;
        let limit = (4 * TRIANGLE_WORDS * PARTS) as u64 * (1 << part);
        for (bytes, limit) in [
            (bytes - node_bytes, limit),
            (node_bytes, device.most_bytes()),
        ] {
            if bytes > limit {
                return Err(GpuError::TooLarge { bytes, limit });
            }
        }
        let words = TreeWords::of(bvh)?;
        device.guarded(|| GpuBvh::upload(bvh, device, &words, part))
    }

    fn upload(
        bvh: &'a Bvh,
        device: &Device,
        words: &TreeWords,
        part: u32,
    ) -> Result<Self, GpuError> {
        device.check()?;
        let (wgpu_device, queue) = device.wgpu();
        let scope = Scope::new(wgpu_device);
        let upload = |label, words: &[u32]| {
            // A buffer may not be empty.
            let buffer = wgpu_device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: 4 * words.len().max(NODE_WORDS) as u64,
                usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
            buffer
        };
        let nodes = upload("nodes", &words.nodes);
        let mut parts = words.triangles.chunks(TRIANGLE_WORDS << part);
        let triangles = [(); PARTS].map(|()| upload("triangles", parts.next().unwrap_or_default()));
        // What is written is sent now, not with the first rays, so that an error is told here.
        queue.submit([]);
        scope.end(GpuBvh::bytes(bvh))?;
        device.check()?;
        Ok(GpuBvh {
            bvh,
            device: device.clone(),
            uploaded: Uploaded {
                nodes,
                triangles,
                part,
                frame: words.frame,
            },
            pool: RayBufferPool::default(),
        })
    }

    /// Returns the device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Returns the units in which the device has the tree.
    pub fn frame(&self) -> Frame {
        self.uploaded.frame
    }

    /// Returns an engine for the rays of one batch; see [`GpuEngine::new`].
    pub fn engine(&self, falls_back: bool) -> GpuEngine<'_> {
        GpuEngine::new(self.bvh, self.uploaded.frame, self, falls_back)
    }

    /// Runs `examine` on rays and the triangles of their numbers, for tests.
    #[doc(hidden)]
    pub fn examine(
        &self,
        rays: &RayWords,
        words: usize,
        decide: &mut dyn FnMut(&[u32]),
    ) -> Result<(), GpuError> {
        self.dispatch(rays, words, true, decide)
    }

    fn dispatch(
        &self,
        rays: &RayWords,
        answer_words: usize,
        examines: bool,
        decide: &mut dyn FnMut(&[u32]),
    ) -> Result<(), GpuError> {
        let tree = &self.uploaded;
        let params = tree.frame.params(rays, answer_words, tree.part);
        self.pool.run(
            (&self.device, tree),
            rays,
            (&params, answer_words, examines),
            decide,
        )
    }
}

impl Kernel for GpuBvh<'_> {
    fn run(&self, rays: &RayWords, decide: &mut dyn FnMut(&[u32])) -> Result<(), GpuError> {
        self.dispatch(rays, rays.wanted.answer_words(), false, decide)
    }
}
