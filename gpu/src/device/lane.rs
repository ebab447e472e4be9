//! Buffers for the rays of one chunk on their way to a device and back.

use crate::device::{Device, Scope};
use crate::frame::PARAM_WORDS;
use crate::gpu_bvh::Uploaded;
use crate::gpu_engine::RayWords;
use crate::gpu_error::GpuError;
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use wgpu::{BufferUsages, MapMode, PollType};

/// The lanes of a tree that no thread uses. Each thread has one while its chunk is traced, so that chunks overlap.
#[derive(Default)]
pub(crate) struct Lanes(Mutex<Vec<Lane>>);

struct Lane {
    params: wgpu::Buffer,
    rays: wgpu::Buffer,
    answers: wgpu::Buffer,
    read: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl Lanes {
    /// Runs a kernel on rays, and calls `decide` with the words of the answers, `answer_words` of each.
    pub(crate) fn run(
        &self,
        (device, tree): (&Device, &Uploaded),
        rays: &RayWords,
        (params, answer_words, examines): (&[u32; PARAM_WORDS], usize, bool),
        decide: &mut dyn FnMut(&[u32]),
    ) -> Result<(), GpuError> {
        device.check()?;
        let (ray_bytes, answer_bytes) = (
            4 * rays.words.len() as u64,
            4 * (rays.rays() * answer_words) as u64,
        );
        if ray_bytes.max(answer_bytes) > device.most_bytes() {
            return Err(GpuError::NoMemory {
                bytes: ray_bytes.max(answer_bytes),
            });
        }
        let fits =
            |lane: &Lane| lane.rays.size() >= ray_bytes && lane.answers.size() >= answer_bytes;
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (wgpu_device, queue) = device.wgpu();
        let scope = Scope::new(wgpu_device);
        let lane = match kept.filter(fits) {
            Some(lane) => lane,
            None => Lane::new(device, tree, ray_bytes, answer_bytes),
        };
        queue.write_buffer(&lane.params, 0, bytemuck::cast_slice(params));
        queue.write_buffer(&lane.rays, 0, bytemuck::cast_slice(&rays.words));
        let mut encoder =
            wgpu_device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(device.pipeline(examines));
            pass.set_bind_group(0, &lane.group, &[]);
            for _ in 0..device.repeats() {
                pass.dispatch_workgroups((rays.rays() as u32).div_ceil(64), 1, 1);
            }
        }
        encoder.copy_buffer_to_buffer(&lane.answers, 0, &lane.read, 0, answer_bytes);
        let submitted = queue.submit([encoder.finish()]);
        let (tell, told) = mpsc::channel();
        let slice = lane.read.slice(..answer_bytes);
        slice.map_async(MapMode::Read, move |mapped| _ = tell.send(mapped.is_ok()));
        scope.end(ray_bytes + 2 * answer_bytes)?;
        device.check()?;

        let patience = device.patience();
        let wait = PollType::Wait {
            submission_index: Some(submitted),
            timeout: Some(patience),
        };
        let timed_out = || GpuError::TimedOut { waited: patience };
        wgpu_device.poll(wait).map_err(|_| timed_out())?;
        // Another thread may be about to tell it.
        let is_mapped = told.recv_timeout(patience).map_err(|_| timed_out())?;
        device.check()?;
        let failed = |reason: &str| GpuError::Failed {
            reason: reason.to_owned(),
        };
        if !is_mapped {
            return Err(failed("the answers cannot be read"));
        }
        {
            let view = slice
                .get_mapped_range()
                .map_err(|error| failed(&error.to_string()))?;
            let answers =
                bytemuck::try_cast_slice(&view).map_err(|error| failed(&error.to_string()))?;
            decide(answers);
        }
        lane.read.unmap();
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(lane);
        Ok(())
    }
}

impl Lane {
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
            BufferUsages::STORAGE | BufferUsages::COPY_SRC,
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
        Lane {
            params,
            rays,
            answers,
            read,
            group,
        }
    }
}
