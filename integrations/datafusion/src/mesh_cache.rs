//! The trees of a process.

use crate::mesh_reference::{path_of, split_hash};
use crate::{MeshNumbers, MeshReference, RaycastError};
use estoc::glam::DVec3;
use estoc::io::TreeFile;
use estoc::{Bvh, MeshLoader};
use estoc_mesh::parts::NeededMesh;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

/// How many trees are kept when no query uses them.
const KEPT: usize = 8;

/// A tree and the hash of its mesh and masks.
#[derive(Debug)]
pub struct LoadedMesh {
    /// The tree.
    pub tree: LoadedTree,
    /// The hash of its mesh and of its masks, if it has any.
    pub hash: u64,
    /// Of its file, before it was read.
    stamp: Option<Stamp>,
}

/// A tree over a mesh in either numbers.
#[derive(Debug)]
pub enum LoadedTree {
    /// In `f32`.
    F32(Bvh),
    /// In `f64`.
    F64(Bvh<f64>),
}

impl LoadedMesh {
    /// Returns the numbers of the mesh.
    pub fn numbers(&self) -> MeshNumbers {
        match self.tree {
            LoadedTree::F32(_) => MeshNumbers::F32,
            LoadedTree::F64(_) => MeshNumbers::F64,
        }
    }
}

/// What changes when a file is written again: its length, and the time of its last modification.
type Stamp = (u64, SystemTime);

type Load = Arc<Mutex<Option<Arc<LoadedMesh>>>>;

struct Entry {
    path: PathBuf,
    /// The hash that is wanted; `None` takes the file as it is when it is read.
    hash: Option<u64>,
    load: Load,
}

/// The trees that the queries of a process share. Each is loaded once, with all checks.
///
/// Files are read and not mapped: nobody can promise that a file stays as it is while a server runs. The last eight
/// trees stay in memory when no query uses them.
#[derive(Default)]
pub struct MeshCache {
    /// The least recently used first.
    entries: Mutex<Vec<Entry>>,
    folder: OnceLock<PathBuf>,
    loads: AtomicUsize,
}

impl MeshCache {
    /// Returns the cache of this process.
    pub fn of_process() -> &'static MeshCache {
        static CACHE: OnceLock<MeshCache> = OnceLock::new();
        CACHE.get_or_init(MeshCache::default)
    }

    /// Sets the folder that relative paths start at, once for the process; the current folder by default. Returns
    /// whether it was set.
    pub fn set_folder(&self, folder: PathBuf) -> bool {
        self.folder.set(folder).is_ok()
    }

    /// Returns how many files have been read.
    pub fn loads(&self) -> usize {
        self.loads.load(Relaxed)
    }

    /// Returns the reference to a mesh that a query names, such as `terrain.estoc`. The file is read, unless the
    /// text ends with its hash, such as `terrain.estoc#0123456789abcdef`, or it was read before and is as long and as
    /// old as then.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn reference(&self, text: &str) -> Result<MeshReference, RaycastError> {
        let (uri, hash) = split_hash(text);
        let path = self.path(uri)?;
        let (hash, numbers) = match hash.or_else(|| self.known_hash(&path)) {
            Some(known) => known,
            None => {
                let load = self.entry(&path, None);
                let mesh = self.get(&path, &load, None)?;
                // Under its hash, so that a file that changes is read again.
                self.rename(&path, &load, mesh.hash);
                (mesh.hash, mesh.numbers())
            }
        };
        Ok(MeshReference {
            uri: uri.to_owned(),
            hash,
            numbers,
        })
    }

    /// As [`reference`](Self::reference), without keeping other tasks of the runtime from its threads, if it has
    /// several.
    pub(crate) fn reference_beside(&self, text: &str) -> Result<MeshReference, RaycastError> {
        use tokio::runtime::{Handle, RuntimeFlavor};
        match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
            Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(|| self.reference(text)),
            _ => self.reference(text),
        }
    }

    /// Returns the tree of a mesh. Blocks while the file is read, or, for a mesh that is no tree file, the tree is
    /// built; runs in the caller's rayon pool.
    ///
    /// # Errors
    /// [`RaycastError`] when the file cannot be read or used, and [`RaycastError::OtherMesh`] when its hash is
    /// another one. Errors are not kept: the next query tries again.
    pub fn load(&self, mesh: &MeshReference) -> Result<Arc<LoadedMesh>, RaycastError> {
        let path = self.path(&mesh.uri)?;
        let entry = self.entry(&path, Some(mesh.hash));
        let loaded = self.get(&path, &entry, Some(mesh.numbers))?;
        if loaded.hash == mesh.hash {
            return Ok(loaded);
        }
        self.remove(&entry);
        Err(RaycastError::OtherMesh {
            path: path.display().to_string(),
            expected: mesh.hash,
            found: loaded.hash,
        })
    }

    fn path(&self, uri: &str) -> Result<PathBuf, RaycastError> {
        let path = path_of(uri)?;
        Ok(self
            .folder
            .get()
            .map_or(path.clone(), |folder| folder.join(path)))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        lock(&self.entries)
    }

    /// Returns the place of a tree, made most recently used.
    fn entry(&self, path: &Path, hash: Option<u64>) -> Load {
        let mut entries = self.lock();
        let found = entries
            .iter()
            .position(|entry| entry.path == path && entry.hash == hash);
        let entry = match found {
            Some(place) => entries.remove(place),
            None => Entry {
                path: path.to_owned(),
                hash,
                load: Load::default(),
            },
        };
        let load = Arc::clone(&entry.load);
        entries.push(entry);
        while entries.len() > KEPT {
            // Whoever loads or uses a tree holds its place or the tree.
            let is_idle = |entry: &Entry| {
                Arc::strong_count(&entry.load) == 1
                    && lock(&entry.load)
                        .as_ref()
                        .is_none_or(|mesh| Arc::strong_count(mesh) == 1)
            };
            let Some(place) = entries.iter().position(is_idle) else {
                break;
            };
            entries.remove(place);
        }
        load
    }

    /// Returns the hash of a tree of a file that has not changed since it was read, by its length and the time of its
    /// last modification.
    fn known_hash(&self, path: &Path) -> Option<(u64, MeshNumbers)> {
        let stamp = stamp(path).ok()?;
        let loads: Vec<Load> = {
            let entries = self.lock();
            let of_path = entries.iter().filter(|entry| entry.path == path);
            of_path.map(|entry| Arc::clone(&entry.load)).collect()
        };
        let mut trees = loads.into_iter().filter_map(|load| lock(&load).clone());
        trees
            .find(|tree| tree.stamp == Some(stamp))
            .map(|tree| (tree.hash, tree.numbers()))
    }

    /// Files a tree that was read as it is under its hash, in the place of one that was read before.
    fn rename(&self, path: &Path, load: &Load, hash: u64) {
        let mut entries = self.lock();
        let is_own = |entry: &Entry| Arc::ptr_eq(&entry.load, load);
        // Others who waited for the same tree may have filed it, or have replaced it.
        let Some(place) = entries.iter().position(is_own) else {
            return;
        };
        entries[place].hash = Some(hash);
        entries.retain(|entry| is_own(entry) || entry.path != path || entry.hash != Some(hash));
    }

    fn remove(&self, load: &Load) {
        self.lock().retain(|entry| !Arc::ptr_eq(&entry.load, load));
    }

    /// Returns the tree of a place, reading the file if nobody has; others who ask meanwhile wait. Without `numbers`,
    /// the mesh is read in those that it needs.
    fn get(
        &self,
        path: &Path,
        load: &Load,
        numbers: Option<MeshNumbers>,
    ) -> Result<Arc<LoadedMesh>, RaycastError> {
        let mut place = lock(load);
        if let Some(mesh) = &*place {
            return Ok(Arc::clone(mesh));
        }
        self.loads.fetch_add(1, Relaxed);
        let mesh = Arc::new(read(path, numbers)?);
        *place = Some(Arc::clone(&mesh));
        Ok(mesh)
    }
}

/// Locks, also after a panic: nothing is ever left half done under a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stamp(path: &Path) -> std::io::Result<Stamp> {
    let metadata = path.metadata()?;
    Ok((metadata.len(), metadata.modified()?))
}

fn read(path: &Path, numbers: Option<MeshNumbers>) -> Result<LoadedMesh, RaycastError> {
    let name = path.display().to_string();
    let unread = |error: std::io::Error| RaycastError::Read {
        path: name.clone(),
        reason: reason(&error),
    };
    // Not opened if it is a pipe, which would wait for a writer.
    if !path.metadata().map_err(unread)?.is_file() {
        return Err(RaycastError::Read {
            path: name,
            reason: "it is no file".to_owned(),
        });
    }
    let stamp = stamp(path).ok();
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(16).read_to_end(&mut start))
        .map_err(unread)?;
    if start.len() >= 8 && TreeFile::is_tree_file(&start) {
        let read = match TreeFile::is_f64(&start) {
            true => TreeFile::load_f64(path).map(|file| {
                let hash = file.facts().mesh_hash;
                let bvh = file.into_bvh();
                let hash = hash.map(|hash| bvh.hash_with_masks(hash));
                (LoadedTree::F64(bvh), hash, DVec3::ZERO)
            }),
            false => TreeFile::load(path).map(|file| {
                let (hash, origin) = (file.facts().mesh_hash, file.facts().origin);
                let bvh = file.into_bvh();
                let hash = hash.map(|hash| bvh.hash_with_masks(hash));
                (LoadedTree::F32(bvh), hash, origin)
            }),
        };
        let (tree, hash, origin) = read.map_err(|source| RaycastError::Tree {
            path: name.clone(),
            source: Box::new(source),
        })?;
        refuse_origin(&name, origin)?;
        let hash = hash.ok_or(RaycastError::NoHash { path: name })?;
        return Ok(LoadedMesh { tree, hash, stamp });
    }
    let loader = MeshLoader::new();
    let loaded = match numbers {
        Some(MeshNumbers::F32) => loader.load(path).map(NeededMesh::F32),
        Some(MeshNumbers::F64) => loader.load_f64(path).map(NeededMesh::from),
        None => loader.load_as_needed(path),
    };
    let loaded = loaded.map_err(|source| RaycastError::Mesh {
        path: name.clone(),
        source: Box::new(source),
    })?;
    let built = match &loaded {
        NeededMesh::F32(mesh) => {
            refuse_origin(&name, mesh.origin())?;
            let bvh = Bvh::builder().build(mesh);
            bvh.map(|bvh| (LoadedTree::F32(bvh), mesh.content_hash()))
        }
        NeededMesh::F64 { mesh, .. } => {
            let bvh = Bvh::builder().build(mesh);
            bvh.map(|bvh| (LoadedTree::F64(bvh), mesh.content_hash()))
        }
    };
    let (tree, hash) = built.map_err(|source| RaycastError::Build { path: name, source })?;
    Ok(LoadedMesh { tree, hash, stamp })
}

fn refuse_origin(path: &str, origin: DVec3) -> Result<(), RaycastError> {
    if origin == DVec3::ZERO {
        return Ok(());
    }
    let DVec3 { x, y, z } = origin;
    Err(RaycastError::LocalFrame {
        path: path.to_owned(),
        x,
        y,
        z,
    })
}

/// Returns the message of the system, without its number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or_default()
        .to_owned()
}
