//! Meshes.

use crate::call::call;
use crate::handles::{Held, give};
use crate::numbers::{
    Column, ESTOC_F32, ESTOC_F64, Vectors, estoc_column, estoc_type, estoc_vectors, is_f32,
};
use crate::run::{Run, estoc_run};
use crate::status::{Failure, bad, estoc_status, given, room};
use crate::text;
use ::estoc_mesh::parts::NeededMesh;
use ::estoc_mesh::{BadFaces, LocalFrame, MeshError, MeshLoader, Weld};
use estoc_core::glam::{DVec3, Vec3};
use estoc_system::{Growth, NoMemory};
use std::ffi::c_char;
use std::mem::MaybeUninit;

/// Where the coordinates of a mesh have their origin: one of the constants `ESTOC_FRAME_NONE` to `ESTOC_FRAME_AT`.
pub type estoc_frame = i32;
/// At 0.
pub const ESTOC_FRAME_NONE: estoc_frame = 0;
/// At a point that is chosen near the middle of the mesh.
pub const ESTOC_FRAME_AUTO: estoc_frame = 1;
/// At a point that is given.
pub const ESTOC_FRAME_AT: estoc_frame = 2;

/// Which corners are joined: one of the constants `ESTOC_WELD_NONE` to `ESTOC_WELD_WITHIN`.
pub type estoc_weld = i32;
/// None.
pub const ESTOC_WELD_NONE: estoc_weld = 0;
/// Those within the least distance that closes the mesh; an error if there is none.
pub const ESTOC_WELD_AUTO: estoc_weld = 1;
/// Those within a distance that is given.
pub const ESTOC_WELD_WITHIN: estoc_weld = 2;

/// How a mesh is made. All zeros, or a null pointer in its place, are the usual way.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_mesh_options {
    /// `ESTOC_F32` to round coordinates to `float`s, `ESTOC_F64` to keep `double`s, from which trees answer exactly
    /// and in `double`. 0 as needed: arrays are rounded only where that changes nothing, files where it does not
    /// change the shape. A local frame and a weld need `float`s.
    pub precision: estoc_type,
    /// 1 to leave out faces that cannot be used, 0 to refuse the mesh.
    pub skip_bad_faces: i32,
    /// Where the coordinates have their origin. A mesh with another one than 0 has `float`s, relative to it; its
    /// world is asked in the coordinates that were given.
    pub frame: estoc_frame,
    /// The origin for `ESTOC_FRAME_AT`.
    pub origin: [f64; 3],
    /// Which corners are joined. Such a mesh has `float`s, to which coordinates are rounded.
    pub weld: estoc_weld,
    /// The distance for `ESTOC_WELD_WITHIN`.
    pub weld_distance: f64,
}

/// A mesh as arrays. They are copied.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_mesh_arrays {
    /// The number of corners.
    pub vertex_count: usize,
    /// The corners.
    pub positions: estoc_vectors,
    /// The number of triangles.
    pub triangle_count: usize,
    /// The numbers of each triangle's three corners, which follow each other; of any type of whole numbers. If `data`
    /// is null, triangle `i` has the corners `3 i`, `3 i + 1` and `3 i + 2`.
    pub indices: estoc_column,
}

/// What is known of a mesh. The pointers end with the mesh.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_mesh_info {
    /// The number of corners.
    pub vertex_count: usize,
    /// The corners, relative to the origin. Their type is the precision of the mesh.
    pub positions: estoc_vectors,
    /// The number of triangles.
    pub triangle_count: usize,
    /// The numbers of the corners, three for each triangle.
    pub indices: *const u32,
    /// The origin of the coordinates.
    pub origin: [f64; 3],
    /// The lowest corner of the smallest box around all triangles, relative to the origin; of an empty mesh infinite.
    pub min: [f64; 3],
    /// The highest corner of that box; of an empty mesh negative and infinite.
    pub max: [f64; 3],
}

/// A mesh: corners and triangles, which were checked. It does not change.
pub struct estoc_mesh {
    _opaque: (),
}

impl Held for Mesh {
    type Handle = estoc_mesh;
    const NAME: &str = "a mesh";
}

/// A mesh in `f32` or in `f64`.
pub(crate) enum Mesh {
    F32(::estoc_mesh::Mesh),
    F64(::estoc_mesh::Mesh<f64>),
}

impl estoc_mesh_options {
    const NONE: Self = estoc_mesh_options {
        precision: 0,
        skip_bad_faces: 0,
        frame: ESTOC_FRAME_NONE,
        origin: [0.0; 3],
        weld: ESTOC_WELD_NONE,
        weld_distance: 0.0,
    };

    /// Returns what is given, if it can be.
    fn checked(options: Option<&Self>) -> Result<&Self, Failure> {
        let options = options.unwrap_or(&Self::NONE);
        let (precision, frame, weld) = (options.precision, options.frame, options.weld);
        match (precision, frame, weld) {
            (
                0 | ESTOC_F32,
                ESTOC_FRAME_NONE..=ESTOC_FRAME_AT,
                ESTOC_WELD_NONE..=ESTOC_WELD_WITHIN,
            )
            | (ESTOC_F64, ESTOC_FRAME_NONE, ESTOC_WELD_NONE) => Ok(options),
            _ => Err(bad(format!(
                "a mesh with precision {precision}, frame {frame} and weld {weld} is none: they are constants, and a \
                 mesh in ESTOC_F64 has no local frame and joins no corners"
            ))),
        }
    }

    fn bad_faces(&self) -> BadFaces {
        match self.skip_bad_faces {
            0 => BadFaces::Reject,
            _ => BadFaces::Skip,
        }
    }

    fn frame(&self) -> Option<LocalFrame> {
        match self.frame {
            ESTOC_FRAME_NONE => None,
            ESTOC_FRAME_AUTO => Some(LocalFrame::Auto),
            _ => Some(LocalFrame::At(self.origin.into())),
        }
    }

    fn weld(&self) -> Option<Weld> {
        match self.weld {
            ESTOC_WELD_NONE => None,
            ESTOC_WELD_AUTO => Some(Weld::Auto),
            _ => Some(Weld::Within(self.weld_distance)),
        }
    }

    /// Loads a mesh by a loader.
    fn load(
        &self,
        run: &Run<'_>,
        f32: impl Fn(&MeshLoader<'_>) -> Result<::estoc_mesh::Mesh, MeshError> + Sync,
        f64: impl Fn(&MeshLoader<'_>) -> Result<::estoc_mesh::Mesh<f64>, MeshError> + Sync,
        needed: impl Fn(&MeshLoader<'_>) -> Result<NeededMesh, MeshError> + Sync,
    ) -> Result<Mesh, Failure> {
        let report = run.reporter();
        let mut loader = MeshLoader::new().bad_faces(self.bad_faces());
        if run.is_watched() {
            loader = loader.progress(&report).cancel(&run.cancel);
        }
        if let Some(frame) = self.frame() {
            loader = loader.local_frame(frame);
        }
        if let Some(weld) = self.weld() {
            loader = loader.weld(weld);
        }
        run.in_threads(|| {
            Ok(match self.precision {
                ESTOC_F32 => Mesh::F32(f32(&loader)?),
                ESTOC_F64 => Mesh::F64(f64(&loader)?),
                _ => match needed(&loader)? {
                    NeededMesh::F32(mesh) => Mesh::F32(mesh),
                    NeededMesh::F64 { mesh, .. } => Mesh::F64(mesh),
                },
            })
        })
    }
}

/// Makes a mesh of arrays, which are copied. Its triangles keep their order; with `skip_bad_faces`, those after one
/// that is left out have lower numbers.
///
/// Fails with `ESTOC_BAD_MESH` for an index out of range and for a corner of a triangle that is not finite, with
/// `ESTOC_NULL`, `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for arrays that cannot be, and with `ESTOC_NO_MEMORY`.
/// Threads: any. Release the mesh by `estoc_release`.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_mesh_from_arrays(
    arrays: Option<&estoc_mesh_arrays>,
    options: Option<&estoc_mesh_options>,
    mesh: Option<&mut MaybeUninit<*mut estoc_mesh>>,
) -> estoc_status {
    call(|call| {
        let (arrays, to) = (given(arrays, "arrays")?, room(mesh, "mesh")?);
        let options = estoc_mesh_options::checked(options)?;
        let bad_faces = options.bad_faces();
        Run::of(None, call)?;
        let (vertices, triangles) = (arrays.vertex_count, arrays.triangle_count);
        let positions = Vectors::of(&arrays.positions, vertices, "positions")?;
        let indices = Column::<3>::of_integers(&arrays.indices, triangles, "indices")?;
        let indices = corner_numbers(indices.as_ref(), triangles, bad_faces, vertices)?;
        let places = || (0..vertices).map(|vertex| positions.at(vertex));
        let is_wide = positions.is_f64() && options.precision != ESTOC_F32;
        let needs_f64 = options.frame().is_none()
            && options.weld().is_none()
            && (options.precision == ESTOC_F64 || is_wide && !places().flatten().all(is_f32));
        let wide = || collected(places().map(DVec3::from_array), vertices);
        let made = match options.frame() {
            _ if needs_f64 => {
                let mesh =
                    ::estoc_mesh::Mesh::from_f64_with_bad_faces(wide()?, indices, bad_faces)?;
                return give(Mesh::F64(mesh), to);
            }
            Some(frame) => {
                ::estoc_mesh::Mesh::in_local_frame(&wide()?, &indices, frame, bad_faces)?
            }
            None => {
                let near = places().map(|place| place.map(|x| x as f32));
                ::estoc_mesh::Mesh::with_bad_faces(collected(near, vertices)?, indices, bad_faces)?
            }
        };
        let made = match options.weld() {
            Some(weld) => made.welded(weld)?,
            None => made,
        };
        give(Mesh::F32(made), to)
    })
}

/// Returns the numbers of the corners of all triangles.
fn corner_numbers(
    indices: Option<&Column<3>>,
    triangles: usize,
    bad_faces: BadFaces,
    vertices: usize,
) -> Result<Vec<[u32; 3]>, Failure> {
    let mut wrong = None;
    let numbers = (0..triangles).map(|triangle| {
        let corners = match indices {
            Some(indices) => indices.integers(triangle),
            None => [0, 1, 2].map(|corner| 3 * triangle as i128 + corner),
        };
        corners.map(|number| {
            u32::try_from(number).unwrap_or_else(|_| {
                wrong.get_or_insert((triangle, number));
                u32::MAX
            })
        })
    });
    let numbers = collected(numbers, triangles)?;
    match (wrong, bad_faces) {
        (Some((triangle, number)), BadFaces::Reject) => Err(Failure::new(
            estoc_status::ESTOC_BAD_MESH,
            format!(
                "face {triangle}: vertex index {number} is out of range: there are {vertices} vertices, counted from 0"
            ),
        )),
        _ => Ok(numbers),
    }
}

/// Returns a list of a number of items.
fn collected<T>(items: impl Iterator<Item = T>, count: usize) -> Result<Vec<T>, NoMemory> {
    let mut list = Vec::new();
    list.make_room(count)?;
    list.extend(items.take(count));
    Ok(list)
}

/// Loads a file in OBJ, PLY, STL, OFF or glTF 2.0, as it is or compressed by gzip or zstd; its content tells which.
/// `run` may be null.
///
/// Fails with `ESTOC_FILE` for a file that cannot be read, with `ESTOC_BAD_MESH` for one with faults, of which
/// `estoc_last_error` tells the line and the remedy, with `ESTOC_CANCELLED` and `ESTOC_NO_MEMORY`. Threads: any.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[unsafe(no_mangle)]
pub extern "C" fn estoc_mesh_load(
    path: *const c_char,
    options: Option<&estoc_mesh_options>,
    run: Option<&estoc_run>,
    mesh: Option<&mut MaybeUninit<*mut estoc_mesh>>,
) -> estoc_status {
    call(|call| {
        let (path, to) = (text::path(call, path)?, room(mesh, "mesh")?);
        let (options, run) = (estoc_mesh_options::checked(options)?, Run::of(run, call)?);
        let loaded = options.load(
            &run,
            |loader| loader.load(path),
            |loader| loader.load_f64(path),
            |loader| loader.load_as_needed(path),
        );
        give(loaded?, to)
    })
}

/// Reads the bytes of such a file, which errors call by `name`. A format that refers to other files is read without
/// them.
///
/// Fails as `estoc_mesh_load`. Threads: any.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_mesh_read(
    bytes: *const u8,
    size: usize,
    name: *const c_char,
    options: Option<&estoc_mesh_options>,
    run: Option<&estoc_run>,
    mesh: Option<&mut MaybeUninit<*mut estoc_mesh>>,
) -> estoc_status {
    call(|call| {
        let (bytes, to) = (text::bytes(call, bytes, size)?, room(mesh, "mesh")?);
        let name = text::text(call, name, "name")?;
        let (options, run) = (estoc_mesh_options::checked(options)?, Run::of(run, call)?);
        let read = options.load(
            &run,
            |loader| loader.read(bytes, name),
            |loader| loader.read_f64(bytes, name),
            |loader| loader.read_from_as_needed(bytes, name),
        );
        give(read?, to)
    })
}

/// Returns the value of an expression about a mesh of either precision.
macro_rules! either {
    ($mesh:expr, $found:ident => $value:expr) => {
        match $mesh {
            Mesh::F32($found) => $value,
            Mesh::F64($found) => $value,
        }
    };
}

/// Tells what is known of a mesh, and where its arrays can be read. Threads: any, at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_mesh_get_info(
    mesh: *const estoc_mesh,
    info: Option<&mut MaybeUninit<estoc_mesh_info>>,
) -> estoc_status {
    call(|call| {
        let (mesh, info): (&Mesh, _) = (call.get(mesh)?, room(info, "info")?);
        let (corners, size, kind, [min, max]) = match mesh {
            Mesh::F32(mesh) => {
                let (bounds, corners) = (mesh.bounds(), mesh.positions().as_ptr().cast::<u8>());
                (
                    corners,
                    4,
                    ESTOC_F32,
                    [bounds.min(), bounds.max()].map(Vec3::as_dvec3),
                )
            }
            Mesh::F64(mesh) => (
                mesh.positions().as_ptr().cast::<u8>(),
                8,
                ESTOC_F64,
                mesh.bounds(),
            ),
        };
        let [x, y, z] = [0, 1, 2].map(|axis| corners.wrapping_add(size * axis).cast());
        let stride = 3 * size as isize;
        info.write(estoc_mesh_info {
            vertex_count: either!(mesh, mesh => mesh.positions().len()),
            positions: estoc_vectors {
                x,
                y,
                z,
                stride,
                r#type: kind,
            },
            triangle_count: mesh.triangle_count(),
            indices: either!(mesh, mesh => mesh.indices().as_flattened().as_ptr()),
            origin: either!(mesh, mesh => mesh.origin()).to_array(),
            min: min.to_array(),
            max: max.to_array(),
        });
        Ok(())
    })
}

impl Mesh {
    /// Returns the number of triangles.
    pub(crate) fn triangle_count(&self) -> usize {
        either!(self, mesh => mesh.triangle_count())
    }
}
