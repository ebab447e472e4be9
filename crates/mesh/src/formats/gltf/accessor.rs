//! Reads the elements of an accessor.

use super::byte_sources::{GltfBuffers, ViewBytes};
use super::model::{Accessor, Index, Sparse};
use super::primitive::Fault;
use crate::formats::scalar::Scalar;
use crate::text::{counted, quote};
use estoc_system::collected;

/// Returns the type of a component with this code.
fn component_of(code: u32) -> Option<Scalar> {
    Some(match code {
        5120 => Scalar::I8,
        5121 => Scalar::U8,
        5122 => Scalar::I16,
        5123 => Scalar::U16,
        5125 => Scalar::U32,
        5126 => Scalar::F32,
        _ => return None,
    })
}

/// Returns the largest value of an integer type.
fn largest(component: Scalar) -> f64 {
    match component {
        Scalar::I8 => i8::MAX.into(),
        Scalar::U8 => u8::MAX.into(),
        Scalar::I16 => i16::MAX.into(),
        Scalar::U16 => u16::MAX.into(),
        Scalar::U32 => u32::MAX.into(),
        _ => 1.0,
    }
}

/// Elements of `N` numbers at a constant stride, all of them within the view.
struct Strided<'a, const N: usize> {
    view: ViewBytes<'a>,
    start: u64,
    stride: u64,
    component: Scalar,
}

impl<'a, const N: usize> Strided<'a, N> {
    fn new(
        view: ViewBytes<'a>,
        start: u64,
        count: u64,
        component: Scalar,
    ) -> Result<Strided<'a, N>, String> {
        let size = (N * component.size()) as u64;
        let stride = view.stride.unwrap_or(size);
        if stride < size {
            return Err(format!(
                "the stride is {stride}, but an element has {}",
                counted(size, "byte")
            ));
        }
        let end = match count {
            0 => Some(0),
            _ => (count - 1)
                .checked_mul(stride)
                .and_then(|n| n.checked_add(start)?.checked_add(size)),
        };
        if end.is_none_or(|end| end > view.length) {
            return Err(format!(
                "a view of {} is too short for {} of {} from byte {start} on",
                counted(view.length, "byte"),
                counted(count, "element"),
                counted(size, "byte")
            ));
        }
        Ok(Strided {
            view,
            start,
            stride,
            component,
        })
    }

    #[inline]
    fn get(&self, index: u64) -> [f64; N] {
        let place = self.start + index * self.stride;
        let size = self.component.size();
        core::array::from_fn(|i| {
            let bytes = self.view.at(place + (i * size) as u64, size);
            self.component.decode(bytes, false)
        })
    }
}

/// The elements of an accessor, of `N` numbers each.
pub(super) struct Elements<'a, const N: usize> {
    pub(super) count: u64,
    /// The dense elements; `None` if all are 0.
    base: Option<Strided<'a, N>>,
    /// The indices of the sparse elements, in ascending order; their values are in `changes`.
    changed: Vec<u64>,
    changes: Option<Strided<'a, N>>,
    /// The divisor of normalised integers.
    scale: f64,
    component: Scalar,
}

/// The largest number of elements of an accessor without a buffer view, whose count no bytes
/// confirm.
const MOST_FROM_NOTHING: u64 = 1 << 20;

impl<'a, const N: usize> Elements<'a, N> {
    /// The type of such an accessor.
    const SHAPE: &'static str = match N {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    };

    /// Opens the accessor of this index and of one of the allowed types; errors are about `what`.
    pub(super) fn open(
        buffers: &mut GltfBuffers<'a>,
        what: &str,
        index: Index,
        allowed: &[Scalar],
    ) -> Result<Elements<'a, N>, Fault> {
        let accessor = buffers.accessor(index)?;
        Self::of(buffers, accessor, allowed).map_err(|fault| fault.about(what))
    }

    /// Opens an accessor that has an element for each vertex of a primitive.
    pub(super) fn of_vertices(
        buffers: &mut GltfBuffers<'a>,
        what: &str,
        index: Index,
        allowed: &[Scalar],
        vertices: u64,
    ) -> Result<Elements<'a, N>, Fault> {
        let found = Self::open(buffers, what, index, allowed)?;
        if found.count == vertices {
            return Ok(found);
        }
        let (found, vertices) = (counted(found.count, "element"), counted(vertices, "vertex"));
        Err(format!("{what}: {found} for {vertices}").into())
    }

    fn of(
        buffers: &mut GltfBuffers<'a>,
        accessor: &Accessor,
        allowed: &[Scalar],
    ) -> Result<Elements<'a, N>, Fault> {
        let Accessor {
            count,
            component_type,
            ..
        } = *accessor;
        let component = component_of(component_type).filter(|found| allowed.contains(found));
        let component = match component {
            Some(component) if &*accessor.shape == Self::SHAPE => component,
            _ => {
                let found = quote(accessor.shape.as_bytes());
                return Err(Fault::Malformed(format!(
                    "type {found} with component type {component_type} is not allowed here"
                )));
            }
        };
        let base = match accessor.buffer_view {
            Some(view) => {
                let view = buffers.view(view)?;
                Some(Strided::new(view, accessor.byte_offset, count, component)?)
            }
            None if count > MOST_FROM_NOTHING => {
                return Err(format!("{count} elements without a buffer view").into());
            }
            None => None,
        };
        let (changed, changes) = match &accessor.sparse {
            Some(sparse) => {
                let (changed, changes) = open_sparse(buffers, sparse, count, component)?;
                (changed, Some(changes))
            }
            None => (Vec::new(), None),
        };
        // Single numbers are indices, which are never normalised.
        let scale = if accessor.normalized && N > 1 {
            largest(component)
        } else {
            1.0
        };
        Ok(Elements {
            count,
            base,
            changed,
            changes,
            scale,
            component,
        })
    }

    /// Returns the largest value of the component type.
    pub(super) fn largest(&self) -> f64 {
        largest(self.component)
    }

    /// Returns the element at `index`, which must be in range.
    #[inline]
    pub(super) fn get(&self, index: u64) -> [f64; N] {
        let changed = match self.changed.is_empty() {
            true => None,
            false => self.changed.binary_search(&index).ok(),
        };
        let element = match (changed, &self.changes, &self.base) {
            (Some(place), Some(changes), _) => changes.get(place as u64),
            (_, _, Some(base)) => base.get(index),
            _ => [0.0; N],
        };
        match self.scale {
            1.0 => element,
            // The most negative integer would otherwise be slightly below -1.
            scale => element.map(|x| (x / scale).max(-1.0)),
        }
    }
}

fn open_sparse<'a, const N: usize>(
    buffers: &mut GltfBuffers<'a>,
    sparse: &Sparse,
    count: u64,
    component: Scalar,
) -> Result<(Vec<u64>, Strided<'a, N>), Fault> {
    let code = sparse.indices.component_type;
    let integers = [Scalar::U8, Scalar::U16, Scalar::U32];
    let Some(kind) = component_of(code).filter(|kind| integers.contains(kind)) else {
        return Err(format!("sparse indices cannot have component type {code}").into());
    };
    let view = buffers.view(sparse.indices.buffer_view)?;
    let indices = Strided::<1>::new(view, sparse.indices.byte_offset, sparse.count, kind)?;
    let view = buffers.view(sparse.values.buffer_view)?;
    let values = Strided::new(view, sparse.values.byte_offset, sparse.count, component)?;
    // Each index has at least one byte in the view, so the allocation is bounded by the file.
    let changed = collected((0..sparse.count).map(|i| indices.get(i)[0] as u64))?;
    let is_ascending = changed.windows(2).all(|pair| pair[0] < pair[1]);
    if !is_ascending || changed.last().is_some_and(|&last| last >= count) {
        let problem = format!("sparse indices are not ascending, or not less than {count}");
        return Err(problem.into());
    }
    Ok((changed, values))
}
