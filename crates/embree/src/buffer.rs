//! Buffers, and views of them that geometries read.

use crate::abi::format;
use crate::call::{call, exports};
use crate::device::{CountedMemory, Device};
use crate::failure::{Failure, invalid_argument, invalid_operation, out_of_memory};
use crate::handle::Handle;
use crate::host_pointer::Memory;
use std::ffi::c_void;
use std::sync::Arc;

/// Memory that the host fills.
pub(crate) struct Buffer {
    memory: Memory,
    /// That of the host is not counted.
    _counted: Option<CountedMemory>,
}

impl Buffer {
    pub(crate) fn zeroed(device: &Arc<Device>, bytes: usize) -> Result<Arc<Self>, Failure> {
        let counted = CountedMemory::new(device, bytes)?;
        let memory = Memory::zeroed(bytes).ok_or_else(|| {
            out_of_memory(format!("not enough memory for a buffer of {bytes} bytes"))
        })?;
        Ok(Arc::new(Buffer {
            memory,
            _counted: Some(counted),
        }))
    }

    pub(crate) fn shared(start: *const c_void, bytes: usize) -> Result<Arc<Self>, Failure> {
        if start.is_null() && bytes > 0 {
            return Err(invalid_argument(
                "a shared buffer is NULL; pass the address of its data",
            ));
        }
        Ok(Arc::new(Buffer {
            memory: Memory::shared(start.cast_mut(), bytes),
            _counted: None,
        }))
    }
}

/// Items of a buffer, at equal distances.
#[derive(Clone)]
pub(crate) struct View {
    buffer: Arc<Buffer>,
    pub(crate) format: u32,
    offset: usize,
    stride: usize,
    count: usize,
}

impl View {
    /// Returns a view, if all of its items lie within the buffer.
    pub(crate) fn of(
        buffer: Arc<Buffer>,
        format: u32,
        (offset, stride, count): (usize, usize, usize),
    ) -> Result<Self, Failure> {
        let size = item_size(format)?;
        if offset % 4 != 0 || stride % 4 != 0 {
            return Err(invalid_operation(format!(
                "the offset {offset} and the stride {stride} of a buffer must be multiples of 4 bytes"
            )));
        }
        let bytes = buffer.memory.bytes();
        let end = view_bytes((offset, stride, count), size);
        match end.is_some_and(|end| end <= bytes) {
            true => Ok(View {
                buffer,
                format,
                offset,
                stride,
                count,
            }),
            false => Err(invalid_argument(format!(
                "{count} items of {size} bytes at offset {offset}, {stride} bytes apart, are beyond the buffer's \
                 {bytes} bytes"
            ))),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Returns where the first item is.
    pub(crate) fn data(&self) -> *mut c_void {
        self.buffer.memory.start().wrapping_byte_add(self.offset)
    }

    /// Returns numbers of an item, from one of its numbers on; zeros beyond the view.
    #[inline(always)]
    pub(crate) fn item<const N: usize>(&self, index: usize, first: usize) -> [u32; N] {
        let place = self.offset + index * self.stride + 4 * first;
        let within = (index < self.count).then(|| self.buffer.memory.read(place));
        within.flatten().unwrap_or([0; N])
    }

    /// Does the same for numbers of type `f32`.
    #[inline(always)]
    pub(crate) fn floats<const N: usize>(&self, index: usize, first: usize) -> [f32; N] {
        self.item(index, first).map(f32::from_bits)
    }
}

/// Returns how many bytes a view needs from the start of its buffer.
pub(crate) fn view_bytes(
    (offset, stride, count): (usize, usize, usize),
    size: usize,
) -> Option<usize> {
    match count.checked_sub(1) {
        None => Some(0),
        Some(last) => last
            .checked_mul(stride)?
            .checked_add(offset)?
            .checked_add(size),
    }
}

/// Returns the bytes of an item of a format.
pub(crate) fn item_size(of: u32) -> Result<usize, Failure> {
    match of {
        format::UINT..=format::UINT4 => Ok(4 * (of - format::UINT + 1) as usize),
        format::FLOAT..=format::FLOAT16 => Ok(4 * (of - format::FLOAT + 1) as usize),
        format::FLOAT3X4_ROW_MAJOR | format::FLOAT3X4_COLUMN_MAJOR => Ok(48),
        format::FLOAT4X4_ROW_MAJOR | format::FLOAT4X4_COLUMN_MAJOR => Ok(64),
        format::QUATERNION_DECOMPOSITION => Ok(64),
        _ => Err(invalid_argument(format!(
            "buffers of the format {of:#x} are not served; these are: RTC_FORMAT_UINT to UINT4, FLOAT to FLOAT16, \
             matrices of 3 or 4 rows and 4 columns, and QUATERNION_DECOMPOSITION"
        ))),
    }
}

exports! {
    fn rtcNewBuffer(device: Handle<Device>, bytes: usize) -> Handle<Buffer> {
        call(device.get(), Handle::NULL, || Ok(Handle::given(Buffer::zeroed(&device.shared()?, bytes)?)))
    }

    fn rtcNewBufferHostDevice(device: Handle<Device>, bytes: usize) -> Handle<Buffer> { rtcNewBuffer(device, bytes) }

    fn rtcNewSharedBuffer(device: Handle<Device>, start: *mut c_void, bytes: usize) -> Handle<Buffer> {
        call(device.get(), Handle::NULL, || {
            device.object()?;
            Ok(Handle::given(Buffer::shared(start, bytes)?))
        })
    }

    fn rtcNewSharedBufferHostDevice(device: Handle<Device>, start: *mut c_void, bytes: usize) -> Handle<Buffer> {
        rtcNewSharedBuffer(device, start, bytes)
    }

    /// Nothing is to be done, as there is no other device to copy to.
    fn rtcCommitBuffer(buffer: Handle<Buffer>) { call(None, (), || buffer.object().map(|_| ())) }

    fn rtcGetBufferData(buffer: Handle<Buffer>) -> *mut c_void {
        call(None, std::ptr::null_mut(), || Ok(buffer.object()?.memory.start()))
    }

    fn rtcGetBufferDataDevice(buffer: Handle<Buffer>) -> *mut c_void { rtcGetBufferData(buffer) }

    fn rtcRetainBuffer(buffer: Handle<Buffer>) { call(None, (), || buffer.retain()) }

    fn rtcReleaseBuffer(buffer: Handle<Buffer>) { call(None, (), || buffer.release().map(drop)) }
}
