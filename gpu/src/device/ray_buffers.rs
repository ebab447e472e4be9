//! Buffers for the rays of one chunk on their way to a device and back.

use crate::device::{Device, Scope};
use crate::frame::PARAM_WORDS;
use crate::gpu_bvh::Uploaded;
use crate::gpu_engine::RayWords;
use crate::gpu_error::GpuError;
use std::sync::mpsc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use wgpu::{BufferUsages, MapMode, PollType};

/// The buffers that no thread uses. Each thread has some while its chunk is traced, so that chunks overlap.
#[derive(Default)]
pub(crate) struct RayBufferPool(Mutex<Vec<RayBuffers>>);

struct RayBuffers {
    params: wgpu::Buffer,
    rays: wgpu::Buffer,
    answers: wgpu::Buffer,
    read: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl RayBufferPool {
    /// Runs a kernel on rays, and calls `decide` with the words of the answers, `answer_words` of each.
    pub(crate) fn run(
        &self,
        (device, tree): (&Device, &Uploaded),
        rays: &RayWords,
        (params, answer_words, examines): (&[u32; PARAM_WORDS], usize, bool),
        decide: &mut dyn FnMut(&[u32]),
    ) -> Result<(), GpuError> {
        let answer_bytes = 4 * (rays.rays() * answer_words) as u64;
        // What `decide` panics with is the caller's.
        let to = (params, answer_bytes, examines);
        let buffers = device.guarded(|| self.sent((device, tree), rays, to))?;
        let failed = |reason: String| GpuError::Failed { reason };
        {
            let slice = buffers.read.slice(..answer_bytes);
            let view = slice
                .get_mapped_range()
                .map_err(|error| failed(error.to_string()))?;
            let answers =
                bytemuck::try_cast_slice(&view).map_err(|error| failed(error.to_string()))?;
            decide(answers);
        }
        // The rays have their answers, so that a fault here is one of the next.
        let unmap = || {
            buffers.read.unmap();
            Ok(())
        };
        if device.guarded(unmap).is_ok() {
            self.lock().push(buffers);
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RayBuffers>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends rays, and returns the buffers once the answers can be read.
    fn sent(
        &self,
        (device, tree): (&Device, &Uploaded),
        rays: &RayWords,
        (params, answer_bytes, examines): (&[u32; PARAM_WORDS], u64, bool),
    ) -> Result<RayBuffers, GpuError> {
        device.check()?;
        let ray_bytes = 4 * rays.words.len() as u64;
        let most = ray_bytes.max(answer_bytes);
        if most > device.most_bytes() {
            return Err(GpuError::NoMemory { bytes: most });
        }
        let fits = |buffers: &RayBuffers| {
            buffers.rays.size() >= ray_bytes && buffers.answers.size() >= answer_bytes
        };
        let kept = self.lock().pop();
        let (wgpu_device, queue) = device.wgpu();
        let scope = Scope::new(wgpu_device);
        let buffers = match kept.filter(fits) {
            Some(buffers) => buffers,
            None => RayBuffers::new(device, tree, ray_bytes, answer_bytes),
        };
        queue.write_buffer(&buffers.params, 0, bytemuck::cast_slice(params));
        queue.write_buffer(&buffers.rays, 0, bytemuck::cast_slice(&rays.words));
        let mut encoder =
            wgpu_device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        // What the kernel does not write is no answer.
        encoder.clear_buffer(&buffers.answers, 0, Some(answer_bytes));
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(device.pipeline(examines));
            pass.set_bind_group(0, &buffers.group, &[]);
            for _ in 0..device.repeats() {
                pass.dispatch_workgroups((rays.rays() as u32).div_ceil(64), 1, 1);
            }
        }
        encoder.copy_buffer_to_buffer(&buffers.answers, 0, &buffers.read, 0, answer_bytes);
        let submitted = queue.submit([encoder.finish()]);
        let (tell, told) = mpsc::channel();
        let slice = buffers.read.slice(..answer_bytes);
        slice.map_async(MapMode::Read, move |mapped| _ = tell.send(mapped.is_ok()));
        scope.end(ray_bytes + 2 * answer_bytes)?;
        device.check()?;

        let (start, patience) = (Instant::now(), device.patience());
        let wait = PollType::Wait {
            submission_index: Some(submitted),
            timeout: Some(patience),
        };
        wgpu_device.poll(wait).map_err(|_| device.hangs(patience))?;
        // Another thread may be about to tell it.
        let left = patience.saturating_sub(start.elapsed());
        let is_mapped = told
            .recv_timeout(left)
            .map_err(|_| device.hangs(patience))?;
        device.check()?;
        match is_mapped {
            true => Ok(buffers),
            false => Err(GpuError::Failed {
                reason: "the answers cannot be read".to_owned(),
            }),
        }
    }
}

impl RayBuffers {
    /// Makes buffers; if there is no memory, the scope around it tells.
    fn new(device: &Device, tree: &Uploaded, ray_bytes: u64, answer_bytes: u64) -> Self {
        let (wgpu_device, _) = device.wgpu();
        let buffer = |label, size: u64, usage| {
            wgpu_device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let params = buffer(
            "params",
            4 * PARAM_WORDS as u64,
            BufferUsages::UNIFORM | BufferUsages::COPY_DST,
        );
        let rays = buffer(
            "rays",
            ray_bytes,
            BufferUsages::STORAGE | BufferUsages::COPY_DST,
        );
        let answers = buffer(
            "answers",
            answer_bytes,
            BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
        );
        let read = buffer(
            "read",
            answer_bytes,
            BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        );
        let mut buffers = vec![&params, &tree.nodes];
        buffers.extend(&tree.triangles);
        buffers.extend([&rays, &answers]);
        let entries = buffers
            .iter()
            .zip(0..)
            .map(|(buffer, binding)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            });
        let group = wgpu_device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("estoc"),
            layout: device.layout(),
            entries: &Vec::from_iter(entries),
        });
        RayBuffers {
            params,
            rays,
            answers,
            read,
            group,
        }
    }
}
