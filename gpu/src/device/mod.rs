//! Devices that run the kernel, by wgpu.

mod ray_buffers;
mod scope;
mod self_test;

pub(crate) use ray_buffers::RayBufferPool;
pub(crate) use scope::Scope;

use crate::KERNEL;
use crate::gpu_error::GpuError;
use std::borrow::Cow;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// The number of buffers that hold triangles.
pub(crate) const PARTS: usize = 4;
/// How long an answer is waited for. Drivers end what takes longer than a few seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// A device that there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// Its name, such as "NVIDIA H200".
    pub name: String,
    /// The driver with its version, and what it is asked by, such as Vulkan.
    pub driver: String,
    /// Whether it is a processor that computes as a graphics processor would, which is slower than asking the processor.
    pub is_software: bool,
}

impl fmt::Display for DeviceInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let software = if self.is_software { ", software" } else { "" };
        write!(f, "{} ({}{software})", self.name, self.driver)
    }
}

impl DeviceInfo {
    fn of(adapter: &wgpu::Adapter) -> Self {
        let info = adapter.get_info();
        let driver = [&info.driver, &info.driver_info].map(|text| text.trim());
        DeviceInfo {
            driver: format!("{:?} {} {}", info.backend, driver[0], driver[1])
                .trim_end()
                .replace("  ", " "),
            name: info.name,
            is_software: info.device_type == wgpu::DeviceType::Cpu,
        }
    }
}

/// A device that has been started, and computes as WGSL promises. Clones share it.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

struct Inner {
    info: DeviceInfo,
    device: wgpu::Device,
    queue: wgpu::Queue,
    layout: wgpu::BindGroupLayout,
    trace: wgpu::ComputePipeline,
    examine: wgpu::ComputePipeline,
    /// Why it cannot be used any more.
    fault: Arc<OnceLock<GpuError>>,
    patience: Mutex<Duration>,
    most_bytes: AtomicU64,
    repeats: AtomicU32,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(&self.0.info).finish()
    }
}

fn adapters() -> Vec<wgpu::Adapter> {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        flags: wgpu::InstanceFlags::empty(),
        memory_budget_thresholds: wgpu::MemoryBudgetThresholds {
            for_resource_creation: Some(90),
            for_device_loss: None,
        },
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let mut adapters = pollster::block_on(instance.enumerate_adapters(backends));
    adapters.retain(|adapter| {
        let limits = adapter.limits();
        let can_compute = adapter
            .get_downlevel_capabilities()
            .flags
            .contains(wgpu::DownlevelFlags::COMPUTE_SHADERS);
        can_compute && limits.max_storage_buffers_per_shader_stage >= 7
    });
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    adapters
}

fn guarded<T>(
    fault: &OnceLock<GpuError>,
    work: impl FnOnce() -> Result<T, GpuError>,
) -> Result<T, GpuError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let reason = text.unwrap_or("the driver failed").to_owned();
        Err(fault.get_or_init(|| GpuError::Lost { reason }).clone())
    })
}

impl Device {
    /// Returns all devices that can run the kernel, the fastest kinds first. None is started.
    pub fn all() -> Vec<DeviceInfo> {
        adapters().iter().map(DeviceInfo::of).collect()
    }

    /// Starts the first device, or the first of those whose name contains `name`, in letters of any case. Without a name
    /// none is started that is [software](DeviceInfo::is_software).
    ///
    /// # Errors
    /// [`GpuError::NoDevice`], [`GpuError::NotStarted`], or [`GpuError::Refused`] if it computes wrongly.
    pub fn open(name: &str) -> Result<Self, GpuError> {
        let device = Device::open_with(name, KERNEL)?;
        device.self_test()?;
        Ok(device)
    }

    /// Starts a device without a test, with another kernel, for tests of what such a kernel gets wrong.
    #[doc(hidden)]
    pub fn open_with(name: &str, kernel: &str) -> Result<Self, GpuError> {
        let adapters = adapters();
        let fits = |info: &DeviceInfo| match name.is_empty() {
            true => !info.is_software,
            false => info.name.to_lowercase().contains(&name.to_lowercase()),
        };
        let Some(adapter) = adapters
            .iter()
            .find(|adapter| fits(&DeviceInfo::of(adapter)))
        else {
            return Err(GpuError::NoDevice {
                name: name.to_owned(),
                found: adapters
                    .iter()
                    .map(|adapter| DeviceInfo::of(adapter).to_string())
                    .collect(),
            });
        };
        guarded(&OnceLock::new(), || Device::start(adapter, kernel))
    }

    /// Does what [`open`](Self::open) does before it returns a device.
    #[doc(hidden)]
    pub fn self_test(&self) -> Result<(), GpuError> {
        self_test::check(self)
    }

    fn start(adapter: &wgpu::Adapter, kernel: &str) -> Result<Self, GpuError> {
        let info = DeviceInfo::of(adapter);
        let not_started = |reason: String| GpuError::NotStarted {
            device: info.name.clone(),
            reason,
        };
        let most = adapter.limits();
        let limits = wgpu::Limits {
            max_buffer_size: most.max_buffer_size,
            max_storage_buffer_binding_size: most.max_storage_buffer_binding_size,
            ..wgpu::Limits::downlevel_defaults()
        };
        let limits = wgpu::Limits {
            max_storage_buffers_per_shader_stage: 7,
            ..limits
        };
        let most_bytes = limits
            .max_buffer_size
            .min(limits.max_storage_buffer_binding_size);
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("estoc"),
            required_limits: limits,
            ..wgpu::DeviceDescriptor::default()
        }))
        .map_err(|error| not_started(error.to_string()))?;
        let fault = Arc::new(OnceLock::new());
        let lost = fault.clone();
        device.set_device_lost_callback(move |reason, message| {
            let reason = format!("{reason:?} {message}").trim_end().to_owned();
            lost.get_or_init(|| GpuError::Lost { reason });
        });
        let failed = fault.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            failed.get_or_init(|| GpuError::Failed {
                reason: error.to_string(),
            });
        }));

        let scope = Scope::new(&device);
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("estoc"),
            source: wgpu::ShaderSource::Wgsl(Cow::Borrowed(kernel)),
        });
        let entry = |binding: u32, ty: wgpu::BufferBindingType| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let storage = |read_only| wgpu::BufferBindingType::Storage { read_only };
        let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform)];
        entries.extend((1..=6).map(|binding| entry(binding, storage(true))));
        entries.push(entry(7, storage(false)));
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("estoc"),
            entries: &entries,
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("estoc"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = |entry_point| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry_point),
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some(entry_point),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        };
        let (trace, examine) = (pipeline("trace"), pipeline("examine"));
        scope
            .end(0)
            .map_err(|error| not_started(error.to_string()))?;
        Ok(Device(Arc::new(Inner {
            info,
            device,
            queue,
            layout,
            trace,
            examine,
            fault,
            patience: Mutex::new(PATIENCE),
            most_bytes: AtomicU64::new(most_bytes),
            repeats: AtomicU32::new(1),
        })))
    }

    /// Returns what it is.
    pub fn info(&self) -> &DeviceInfo {
        &self.0.info
    }

    /// Sets how long the answers of a chunk are waited for, a minute by default.
    pub fn set_patience(&self, patience: Duration) {
        *self
            .0
            .patience
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = patience;
    }

    pub(crate) fn patience(&self) -> Duration {
        *self
            .0
            .patience
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Ends the device, as a crash of its driver would: whatever uses it fails with [`GpuError::Lost`].
    pub fn destroy(&self) {
        self.0.fault.get_or_init(|| GpuError::Lost {
            reason: "it was destroyed".to_owned(),
        });
        self.0.device.destroy();
    }

    pub(crate) fn check(&self) -> Result<(), GpuError> {
        self.0
            .fault
            .get()
            .map_or(Ok(()), |fault| Err(fault.clone()))
    }

    /// Does something with the driver. Where that says in the middle of a wait that the device is lost, wgpu panics.
    pub(crate) fn guarded<T>(
        &self,
        work: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<T, GpuError> {
        guarded(&self.0.fault, work)
    }

    /// Notes that the device does not answer. It is never dropped: that would wait for it, without an end.
    pub(crate) fn hangs(&self, waited: Duration) -> GpuError {
        std::mem::forget(self.0.clone());
        let fault = self.0.fault.get_or_init(|| GpuError::TimedOut { waited });
        fault.clone()
    }

    pub(crate) fn wgpu(&self) -> (&wgpu::Device, &wgpu::Queue) {
        (&self.0.device, &self.0.queue)
    }

    pub(crate) fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.0.layout
    }

    pub(crate) fn pipeline(&self, examines: bool) -> &wgpu::ComputePipeline {
        match examines {
            false => &self.0.trace,
            true => &self.0.examine,
        }
    }

    /// Returns the greatest size of a buffer that a kernel may read.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.0.most_bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn repeats(&self) -> u32 {
        self.0.repeats.load(Ordering::Relaxed)
    }

    /// Sets how often the kernel runs on the same rays, for measurements: none shows what the copies take.
    #[doc(hidden)]
    pub fn set_repeats(&self, repeats: u32) {
        self.0.repeats.store(repeats, Ordering::Relaxed);
    }

    /// Does as if the greatest size were this, for tests.
    #[doc(hidden)]
    pub fn set_most_bytes(&self, bytes: u64) {
        self.0.most_bytes.store(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_driver_panics_with_is_told() {
        let fault = OnceLock::new();
        assert_eq!(guarded(&fault, || Ok(7)), Ok(7));
        let lost = || -> Result<(), GpuError> { panic!("device {} is lost", 1) };
        let reason = "device 1 is lost".to_owned();
        assert_eq!(guarded(&fault, lost), Err(GpuError::Lost { reason }));
        // The first reason stays.
        let again = guarded(&fault, || -> Result<(), GpuError> { panic!("later") });
        assert_eq!(again.err(), fault.get().cloned());
    }
}
