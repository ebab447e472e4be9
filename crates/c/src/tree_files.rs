//! Files of trees, on the disk or as bytes.

use crate::call::{Call, call};
use crate::handles::{give, give_both};
use crate::mesh::{Mesh, estoc_mesh};
use crate::run::{Callback, Run, estoc_run};
use crate::status::{Failure, bad, estoc_status, null, room};
use crate::text;
use crate::world::{Tree, World, estoc_world, other_precision, unsupported};
use estoc_bvh::{Bvh, TreeFile, TreeFileError, TreeLoader, TreeWriter};
use estoc_core::Coordinate;
use estoc_core::glam::DVec3;
use std::ffi::{c_char, c_void};
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::path::Path;

/// Takes a number of bytes that follow those before; returns 1 for the next ones, and 0 to end the work, which then fails
/// with `ESTOC_CANCELLED`. It is called from any thread, one call after the other. It must not throw or jump out, nor change
/// a scene.
pub type estoc_write =
    Option<unsafe extern "C" fn(user: *mut c_void, bytes: *const u8, size: usize) -> i32>;

/// A host that takes bytes.
struct Host<'a>(Callback<'a, unsafe extern "C" fn(*mut c_void, *const u8, usize) -> i32>);

impl Write for Host<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Callback {
            call,
            function,
            user,
        } = self.0;
        // SAFETY: the host passed the function with this argument for it.
        match call.back(|| unsafe { function(user, bytes.as_ptr(), bytes.len()) }) {
            0 => Err(io::ErrorKind::ConnectionAborted.into()),
            _ => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where a file is written.
enum Place<'a> {
    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    Path(&'a Path),
    Host(Host<'a>),
}

impl Place<'_> {
    /// Writes the tree of a world.
    fn put(
        mut self,
        call: &Call,
        (handle, mesh): (*const estoc_world, *const estoc_mesh),
        run: Option<&estoc_run>,
    ) -> Result<(), Failure> {
        let world: &World = call.get(handle)?;
        let mesh: Option<&Mesh> = match mesh.is_null() {
            true => None,
            false => Some(call.get(mesh)?),
        };
        let run = Run::of(run, call)?;
        run.in_threads(|| match (world, mesh) {
            (World::Tree(tree), Some(Mesh::F32(mesh))) if mesh.origin() != tree.origin => Err(bad(
                "the mesh has another origin than that of which the tree was built".to_owned(),
            )),
            (World::Tree(tree), None) => self.put_tree(&tree.bvh, (None, tree.origin), &run),
            (World::Tree(tree), Some(Mesh::F32(mesh))) => {
                self.put_tree(&tree.bvh, (Some(mesh), tree.origin), &run)
            }
            (World::Wide(bvh, _), None) => self.put_tree(bvh, (None, DVec3::ZERO), &run),
            (World::Wide(bvh, _), Some(Mesh::F64(mesh))) => {
                self.put_tree(bvh, (Some(mesh), DVec3::ZERO), &run)
            }
            (World::Scene(..), _) => Err(unsupported("a scene is not saved; save its meshes")),
            (_, Some(_)) => Err(other_precision()),
        })
    }

    fn put_tree<C: Coordinate>(
        &mut self,
        bvh: &Bvh<C>,
        (mesh, origin): (Option<&::estoc_mesh::Mesh<C>>, DVec3),
        run: &Run<'_>,
    ) -> Result<(), Failure> {
        let report = run.reporter();
        let mut writer = TreeWriter::new(bvh).origin(origin);
        if let Some(mesh) = mesh {
            writer = writer.mesh(mesh);
        }
        if run.is_watched() {
            writer = writer.progress(&report).cancel(&run.cancel);
        }
        match self {
            Place::Path(path) => writer.save(path)?,
            Place::Host(host) => writer.write_to(host, "tree file").map_err(of_host)?,
        }
        Ok(())
    }
}

/// Returns the error of a host that wants no more bytes.
fn of_host(error: TreeFileError) -> TreeFileError {
    match error {
        TreeFileError::Io { file, .. } => TreeFileError::Cancelled { file },
        other => other,
    }
}

/// Gives what a file has.
fn take(
    call: &Call,
    is_f64: bool,
    run: Option<&estoc_run>,
    (world, mesh): (
        Option<&mut MaybeUninit<*mut estoc_world>>,
        Option<&mut MaybeUninit<*mut estoc_mesh>>,
    ),
    (narrow, wide): (
        impl FnOnce(&TreeLoader<'_>) -> Result<TreeFile, TreeFileError> + Send,
        impl FnOnce(&TreeLoader<'_>) -> Result<TreeFile<f64>, TreeFileError> + Send,
    ),
) -> Result<(), Failure> {
    let (to, run) = (room(world, "world")?, Run::of(run, call)?);
    let report = run.reporter();
    let (made, of) = run.in_threads(|| {
        let mut loader = TreeLoader::new();
        if run.is_watched() {
            loader = loader.progress(&report).cancel(&run.cancel);
        }
        Ok(match is_f64 {
            true => {
                let file = wide(&loader)?;
                let mesh = Mesh::F64(file.mesh()?);
                (World::wide(file.shared_bvh().clone()), mesh)
            }
            false => {
                let file = narrow(&loader)?;
                let mesh = file.mesh()?;
                let tree = Tree::of(file.shared_bvh().clone(), mesh.origin());
                (World::Tree(tree), Mesh::F32(mesh))
            }
        })
    })?;
    match mesh {
        Some(mesh) => give_both((made, of), (to, mesh)),
        None => give(made, to),
    }
}

/// Saves the tree of a mesh to a file, whole or not at all. `mesh`, which may be null, is that of which the tree was
/// built: the file then keeps its names.
///
/// Fails with `ESTOC_UNSUPPORTED` for a scene, with `ESTOC_FILE`, `ESTOC_CANCELLED`, `ESTOC_NO_MEMORY` and
/// `ESTOC_NO_THREADS`, with `ESTOC_BAD_TREE_FILE` for the mesh of another tree, and with `ESTOC_BAD_ARGUMENT` for one in
/// another precision or with another origin. Threads: any.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[unsafe(no_mangle)]
pub extern "C" fn estoc_world_save(
    handle: *const estoc_world,
    mesh: *const estoc_mesh,
    path: *const c_char,
    run: Option<&estoc_run>,
) -> estoc_status {
    call(|call| Place::Path(text::path(call, path)?).put(call, (handle, mesh), run))
}

/// Passes the bytes of such a file to a function, from its start to its end.
///
/// Fails as `estoc_world_save`. Threads: any.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_world_write(
    handle: *const estoc_world,
    mesh: *const estoc_mesh,
    run: Option<&estoc_run>,
    write: estoc_write,
    user: *mut c_void,
) -> estoc_status {
    call(|call| {
        let function = write.ok_or_else(|| null("write"))?;
        let host = Host(Callback {
            call,
            function,
            user,
        });
        Place::Host(host).put(call, (handle, mesh), run)
    })
}

/// Loads a tree from a file that `estoc_world_save` or the command `estoc build` wrote, and its mesh, which is null
/// if it is not wanted. `run` may be null.
///
/// Fails with `ESTOC_FILE` for a file that cannot be read, with `ESTOC_BAD_TREE_FILE` for one that is damaged or of
/// another kind, with `ESTOC_CANCELLED`, `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`. Threads: any.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[unsafe(no_mangle)]
pub extern "C" fn estoc_world_load(
    path: *const c_char,
    run: Option<&estoc_run>,
    world: Option<&mut MaybeUninit<*mut estoc_world>>,
    mesh: Option<&mut MaybeUninit<*mut estoc_mesh>>,
) -> estoc_status {
    call(|call| {
        let path = text::path(call, path)?;
        let is_f64 = TreeFile::is_f64(&start_of(path));
        take(
            call,
            is_f64,
            run,
            (world, mesh),
            (|loader| loader.load(path), |loader| loader.load_f64(path)),
        )
    })
}

/// Loads a tree from the bytes of such a file, which errors call by `name`.
///
/// Fails as `estoc_world_load`. Threads: any.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_world_read(
    bytes: *const u8,
    size: usize,
    name: *const c_char,
    run: Option<&estoc_run>,
    world: Option<&mut MaybeUninit<*mut estoc_world>>,
    mesh: Option<&mut MaybeUninit<*mut estoc_mesh>>,
) -> estoc_status {
    call(|call| {
        let (bytes, name) = (
            text::bytes(call, bytes, size)?,
            text::text(call, name, "name")?,
        );
        let is_f64 = TreeFile::is_f64(bytes);
        let (narrow, wide) = (
            |loader: &TreeLoader<'_>| loader.read(bytes, name),
            |loader: &TreeLoader<'_>| loader.read_f64(bytes, name),
        );
        take(call, is_f64, run, (world, mesh), (narrow, wide))
    })
}

/// Returns the bytes that a file begins with, by which its kind is known; none of what is no file, which is told when
/// it is loaded.
#[cfg_attr(target_family = "wasm", allow(dead_code))]
fn start_of(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    if path.is_file()
        && let Ok(file) = File::open(path)
    {
        // What cannot be read now cannot be loaded either.
        let _read = file.take(16).read_to_end(&mut start);
    }
    start
}
