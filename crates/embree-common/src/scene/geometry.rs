//! Geometries as the host describes them. What it sets is read when a scene that they are attached to is committed.

use crate::abi::{
    BoundsArguments, Callback, FilterArguments, PointQueryFunction, RayHits, Rays, UserArguments,
    buffer_type, format, geometry_type,
};
use crate::buffer::View;
use crate::device::{Device, unique_number};
use crate::failure::{Failure, invalid_argument, invalid_operation};
use crate::scene::Scene;
use crate::swap_cell::Copied;
use crate::transform::Transform;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The kinds of geometries that are served.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Triangles,
    Quads,
    User,
    Instance,
    InstanceArray,
}

/// A geometry.
pub struct Geometry {
    pub device: Arc<Device>,
    pub kind: Kind,
    /// Its number in this process.
    pub number: u64,
    /// The host may set it at any time.
    user: AtomicPtr<std::ffi::c_void>,
    /// How often it was committed.
    version: AtomicU64,
    settings: Mutex<Settings>,
    /// The buffers, since the last commit.
    committed: Copied<Buffers>,
}

/// Buffers by type and slot.
#[derive(Clone, Default)]
pub struct Buffers(Vec<((u32, u32), View)>);

impl Buffers {
    pub fn get(&self, kind: u32, slot: u32) -> Option<&View> {
        let found = self.0.iter().find(|(key, _)| *key == (kind, slot));
        found.map(|(_, view)| view)
    }
}

/// What the host has set.
#[derive(Clone)]
pub struct Settings {
    pub is_enabled: bool,
    pub mask: u32,
    pub callbacks: Callbacks,
    buffers: Buffers,
    /// The number of primitives of user geometry.
    pub user_count: u32,
    pub bounds: Option<Callback<BoundsArguments>>,
    /// The scenes that are instanced.
    pub scenes: Vec<Arc<Scene>>,
    pub transform: Transform,
}

/// What of the host is called.
#[derive(Clone, Copy)]
pub struct Callbacks {
    pub intersect_filter: Option<Callback<FilterArguments>>,
    pub occluded_filter: Option<Callback<FilterArguments>>,
    /// Whether the filter among the arguments of a query is called, too.
    pub takes_argument_filter: bool,
    pub intersect: Option<Callback<UserArguments<RayHits<1>>>>,
    pub occluded: Option<Callback<UserArguments<Rays<1>>>>,
    pub point_query: Option<PointQueryFunction>,
}

impl Default for Callbacks {
    fn default() -> Self {
        Callbacks::NONE
    }
}

impl Callbacks {
    pub const NONE: Self = Callbacks {
        intersect_filter: None,
        occluded_filter: None,
        takes_argument_filter: false,
        intersect: None,
        occluded: None,
        point_query: None,
    };

    /// Returns whether a query may have to call a filter for a hit, without one among its arguments.
    pub fn has_filter(&self) -> bool {
        self.intersect_filter.is_some() || self.occluded_filter.is_some()
    }
}

impl Geometry {
    pub fn new(device: Arc<Device>, kind: u32) -> Result<Self, Failure> {
        let kind = match kind {
            geometry_type::TRIANGLE => Kind::Triangles,
            geometry_type::QUAD => Kind::Quads,
            geometry_type::USER => Kind::User,
            geometry_type::INSTANCE => Kind::Instance,
            geometry_type::INSTANCE_ARRAY => Kind::InstanceArray,
            _ => {
                return Err(invalid_operation(format!(
                    "geometries of type {kind} are not served; these are: RTC_GEOMETRY_TYPE_TRIANGLE, QUAD, USER, \
                     INSTANCE and INSTANCE_ARRAY"
                )));
            }
        };
        let mask = device.version.mask;
        Ok(Geometry {
            device,
            kind,
            number: unique_number(),
            user: AtomicPtr::default(),
            version: AtomicU64::new(0),
            settings: Mutex::new(Settings {
                is_enabled: true,
                mask,
                callbacks: Callbacks::NONE,
                buffers: Buffers::default(),
                user_count: 0,
                bounds: None,
                scenes: Vec::new(),
                transform: Transform::IDENTITY,
            }),
            committed: Copied::default(),
        })
    }

    pub fn user(&self) -> *mut std::ffi::c_void {
        self.user.load(Ordering::Acquire)
    }

    pub fn set_user(&self, user: *mut std::ffi::c_void) {
        self.user.store(user, Ordering::Release);
    }

    /// Returns a number that changes when the geometry is committed; 0 before.
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Commits what was set.
    pub fn commit(&self) {
        let settings = self.settings();
        let outdated = self.committed.renew(|| settings.buffers.clone());
        drop(settings);
        // After the lock, since that calls the memory monitor.
        drop(outdated);
        self.version.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns what `get` returns of the buffers, without a lock if none was set since the last commit; then none may be
    /// meanwhile.
    pub fn of_buffers<T>(&self, get: impl FnOnce(&Buffers) -> T) -> T {
        match self.committed.get() {
            Some(buffers) => get(buffers),
            None => get(&self.settings().buffers),
        }
    }

    pub fn settings(&self) -> MutexGuard<'_, Settings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the settings, if this is a geometry of one of these kinds.
    pub fn settings_of(&self, kinds: &[Kind]) -> Result<MutexGuard<'_, Settings>, Failure> {
        self.check_kind(kinds)?;
        Ok(self.settings())
    }

    /// Returns an error if this is not a geometry of one of these kinds.
    pub fn check_kind(&self, kinds: &[Kind]) -> Result<(), Failure> {
        match kinds.contains(&self.kind) {
            true => Ok(()),
            false => Err(invalid_operation(
                "the operation is not allowed for geometries of this type",
            )),
        }
    }

    /// Sets a buffer.
    pub fn set_buffer(&self, kind: u32, slot: u32, view: View) -> Result<(), Failure> {
        let fits = match (self.kind, kind) {
            (Kind::Triangles, buffer_type::INDEX) => view.format == format::UINT3,
            (Kind::Quads, buffer_type::INDEX) => view.format == format::UINT4,
            (Kind::Triangles | Kind::Quads, buffer_type::VERTEX) => view.format == format::FLOAT3,
            (Kind::Triangles | Kind::Quads, buffer_type::VERTEX_ATTRIBUTE) => {
                (format::FLOAT..=format::FLOAT16).contains(&view.format)
            }
            (Kind::InstanceArray, buffer_type::INDEX) => view.format == format::UINT,
            (Kind::InstanceArray, buffer_type::TRANSFORM) => {
                view.format >= format::FLOAT3X4_ROW_MAJOR
            }
            _ => {
                return Err(invalid_argument(format!(
                    "geometries of this type have no buffers of type {kind}"
                )));
            }
        };
        if !fits {
            return Err(invalid_argument(format!(
                "a buffer of type {kind} of this geometry cannot have the format {:#x}",
                view.format
            )));
        }
        if kind != buffer_type::VERTEX_ATTRIBUTE && slot > 0 {
            return Err(invalid_operation(
                "more than one time step is not served: there is no motion blur; use slot 0",
            ));
        }
        // What is replaced is dropped after the lock, since that calls the memory monitor.
        let mut settings = self.settings();
        self.committed.outdate();
        let replaced = settings.replace((kind, slot), view);
        drop(settings);
        drop(replaced);
        Ok(())
    }
}

impl Settings {
    /// Sets a buffer, and returns the one that was there.
    fn replace(&mut self, key: (u32, u32), view: View) -> Option<View> {
        match self.buffers.0.iter_mut().find(|(of, _)| *of == key) {
            Some((_, old)) => Some(std::mem::replace(old, view)),
            None => {
                self.buffers.0.push((key, view));
                None
            }
        }
    }

    /// Returns a buffer.
    pub fn buffer(&self, kind: u32, slot: u32) -> Option<&View> {
        self.buffers.get(kind, slot)
    }

    /// Returns the buffers of the corners' indices and of the vertices; `None` if there are no triangles yet.
    pub fn mesh(&self) -> Option<(&View, &View)> {
        Some((
            self.buffer(buffer_type::INDEX, 0)?,
            self.buffer(buffer_type::VERTEX, 0)?,
        ))
    }

    /// Returns how many instances there are.
    pub fn instance_count(&self, kind: Kind) -> usize {
        match kind {
            Kind::Instance => 1,
            _ => self.buffer(buffer_type::TRANSFORM, 0).map_or(0, View::len),
        }
    }

    /// Returns the scene and the transformation of an instance.
    pub fn instance(
        &self,
        kind: Kind,
        index: usize,
    ) -> Result<(Option<&Arc<Scene>>, Transform), Failure> {
        if kind == Kind::Instance {
            return Ok((self.scenes.first(), self.transform));
        }
        let Some(transforms) = self
            .buffer(buffer_type::TRANSFORM, 0)
            .filter(|all| index < all.len())
        else {
            return Err(invalid_argument(format!("there is no instance {index}")));
        };
        let scene = match self.buffer(buffer_type::INDEX, 0) {
            None => self.scenes.first(),
            // All bits set: no scene.
            Some(indices) if index >= indices.len() => {
                return Err(invalid_argument(format!(
                    "instance {index} has no scene: there are {} indices",
                    indices.len()
                )));
            }
            Some(indices) => match indices.item::<1>(index, 0)[0] {
                u32::MAX => None,
                number => Some(self.scenes.get(number as usize).ok_or_else(|| {
                    invalid_argument(format!(
                        "instance {index} is of scene {number}, but there are {}",
                        self.scenes.len()
                    ))
                })?),
            },
        };
        Ok((scene, Transform::of_view(transforms, index)?))
    }
}
