//! The target of rays: a mesh and the tree over it, or a tree file, which holds both.

use crate::common::Session;
use crate::failure::Failure;
use crate::frame::Frame;
use crate::mesh_source::{MeshSource, is_regular};
use crate::tree_args::TreeArgs;
use estoc::glam::Vec3;
use estoc::{
    BruteForce, Bvh, Hit, Mesh, PrimId, Triangle,
    engine::Engine,
    io::{TreeFile, TreeLoader},
    mesh::HitDetails,
    query::Masks,
};
use estoc_mesh::parts::closing_distance;
use estoc_picture::MeshTarget;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

/// A tree, and the details of its triangles.
#[derive(Clone, Copy)]
pub(crate) struct MeshModel<'a> {
    pub(crate) bvh: &'a Bvh,
    known: KnownMesh<'a>,
    /// Whether the triangles are a demo scene, which has no file and so no lines.
    is_generated: bool,
}

#[derive(Clone, Copy)]
enum KnownMesh<'a> {
    Mesh(&'a Mesh),
    File(&'a TreeFile),
}

impl<'a> MeshModel<'a> {
    /// Creates a model from a mesh and the tree over it.
    pub(crate) fn of(mesh: &'a Mesh, bvh: &'a Bvh) -> Self {
        MeshModel {
            bvh,
            known: KnownMesh::Mesh(mesh),
            is_generated: false,
        }
    }

    /// Sets whether the triangles are a demo scene.
    pub(crate) fn generated(self, is_generated: bool) -> Self {
        MeshModel {
            is_generated,
            ..self
        }
    }

    /// Returns the content hash of the mesh, if it is known.
    pub(crate) fn content_hash(self) -> Option<u64> {
        match self.known {
            KnownMesh::Mesh(mesh) => Some(mesh.content_hash()),
            KnownMesh::File(file) => file.facts().mesh_hash,
        }
    }

    pub(crate) fn is_generated(self) -> bool {
        self.is_generated
    }

    /// Returns where the coordinates of the mesh are in its file.
    pub(crate) fn frame(self) -> Frame {
        Frame(match self.known {
            KnownMesh::Mesh(mesh) => mesh.origin(),
            KnownMesh::File(file) => file.facts().origin,
        })
    }

    /// Checks that there is memory to look at all edges.
    pub(crate) fn check_room_for_edges(self, session: &Session) -> Result<(), Failure> {
        // Three edges per triangle, 24 bytes each, in a list that grows to twice its size.
        let bytes = self.bvh.triangle_count() * 3 * 24 * 3;
        session.check_room("checking the edges of the mesh", bytes)
    }

    /// Returns the first triangle with an edge between these ends, and its line in the file.
    pub(crate) fn first_with_edge(self, ends: [Vec3; 2]) -> Option<(PrimId, Option<u64>)> {
        let has_edge = |triangle: Triangle| {
            let [a, b, c] = triangle.corners();
            let edges = [[a, b], [b, c], [c, a]];
            let is_it = |&[from, to]: &[Vec3; 2]| [from, to] == ends || [to, from] == ends;
            triangle.is_finite() && edges.iter().any(is_it)
        };
        let prim = PrimId::from_index(self.triangles().position(has_edge)?)?;
        Some((prim, self.line_of(prim)))
    }

    /// Returns the least distance within which `--weld auto` closes the mesh with this open edge, if
    /// there is one, and the option that does so.
    pub(crate) fn gap(
        self,
        open_edge: [Vec3; 2],
        session: &Session,
    ) -> Option<(f64, &'static str)> {
        let gap = |mesh: &Mesh| closing_distance(mesh, open_edge, &session.cancel).ok()?;
        match self.known {
            _ if self.is_generated => None,
            KnownMesh::Mesh(mesh) => Some((gap(mesh)?, "--weld auto")),
            KnownMesh::File(file) => Some((gap(&file.mesh().ok()?)?, "estoc build --weld auto")),
        }
    }

    /// Returns the line of a triangle in the file that it was read from.
    pub(crate) fn line_of(self, prim: PrimId) -> Option<u64> {
        match self.known {
            _ if self.is_generated => None,
            KnownMesh::Mesh(mesh) => mesh.line_of(prim),
            KnownMesh::File(file) => file.line_of(prim),
        }
    }

    /// Returns what pictures show.
    pub(crate) fn seen(self) -> MeshTarget<'a> {
        match self.known {
            KnownMesh::Mesh(mesh) => MeshTarget::new(mesh, self.bvh),
            KnownMesh::File(file) => MeshTarget::of_file(file),
        }
    }

    pub(crate) fn triangle(self, prim: PrimId) -> Option<Triangle> {
        self.seen().triangle(prim)
    }

    /// Returns all triangles, in the order of their ids.
    pub(crate) fn triangles(self) -> impl Iterator<Item = Triangle> + Clone + 'a {
        self.seen().triangles()
    }

    pub(crate) fn details(self, hit: &Hit) -> Option<HitDetails<'a>> {
        let mut details = match self.known {
            KnownMesh::Mesh(mesh) => mesh.details(hit),
            KnownMesh::File(file) => file.details(hit),
        }?;
        if self.is_generated {
            details.line = None;
        }
        Some(details)
    }
}

/// An opened `MESH` argument.
pub(crate) enum Opened {
    /// A mesh, the tree over it, the time to build the tree, and whether it is a demo scene.
    Mesh(Box<Mesh>, Box<Bvh>, Duration, bool),
    /// A tree file, and the time to read it.
    File(Box<TreeFile>, Duration),
}

impl Opened {
    /// Loads a mesh and builds a tree over it, or reads a tree file and keeps its tree. Rejects a
    /// source without triangles.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        Opened::open_with(source, tree, session, false)
    }

    /// Like [`Opened::open`], but accepts a source without triangles, and surveys the rounding.
    pub(crate) fn open_even_empty(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        Opened::open_with(source, tree, session, true)
    }

    fn open_with(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
        may_be_empty: bool,
    ) -> Result<Self, Failure> {
        let start = Instant::now();
        if let Some(file) = tree_file(source, session)? {
            if !may_be_empty {
                source.refuse_empty(file.facts().triangles, 0)?;
            }
            if tree.is_given() {
                session.note(format_args!(
                    "{source}: the file contains a tree, so --quality and --layout have no effect; \
                     use them with estoc build"
                ));
            }
            if session.has_local_frame() {
                session.note(format_args!(
                    "{source}: --local-frame has no effect on a tree file, which has an origin of its \
                     own; use it with estoc build"
                ));
            }
            if session.welds() {
                session.note(format_args!(
                    "{source}: --weld has no effect on a tree file; use it with estoc build"
                ));
            }
            return Ok(Opened::File(Box::new(file), start.elapsed()));
        }
        let mesh = match may_be_empty {
            true => source.survey_even_empty(session)?,
            false => source.load(session)?,
        };
        let (bvh, seconds) = tree.build(&mesh, session)?;
        let is_demo = matches!(source, MeshSource::Demo(_));
        Ok(Opened::Mesh(
            Box::new(mesh),
            Box::new(bvh),
            seconds,
            is_demo,
        ))
    }

    pub(crate) fn model(&self) -> MeshModel<'_> {
        match self {
            &Opened::Mesh(ref mesh, ref bvh, _, is_generated) => {
                MeshModel::of(mesh, bvh).generated(is_generated)
            }
            Opened::File(file, _) => MeshModel {
                bvh: file.bvh(),
                known: KnownMesh::File(file),
                is_generated: (file.facts().source.as_deref())
                    .is_some_and(|source| source.starts_with("demo:")),
            },
        }
    }

    /// Returns the mesh and the tree; the mesh of a tree file is made from the tree's triangles.
    pub(crate) fn into_mesh(self) -> Result<(Mesh, Bvh), Failure> {
        match self {
            Opened::Mesh(mesh, bvh, ..) => Ok((*mesh, *bvh)),
            Opened::File(file, _) => Ok((file.mesh()?, file.into_bvh())),
        }
    }
}

/// Loads only the mesh, and the masks of a tree file, for verbs that do without its tree.
pub(crate) fn load_mesh(
    source: &MeshSource,
    session: &Session,
) -> Result<(Mesh, Option<Masks>), Failure> {
    match tree_file(source, session)? {
        Some(file) => {
            source.refuse_empty(file.facts().triangles, 0)?;
            Ok((file.mesh()?, file.bvh().masks().cloned()))
        }
        None => Ok((source.load(session)?, None)),
    }
}

/// Returns brute force over the triangles of a mesh, which see the same of it as a tree with these
/// masks.
pub(crate) fn brute_force(
    mesh: &Mesh,
    masks: Option<Masks>,
    session: &Session,
) -> Result<BruteForce, Failure> {
    let bytes = mesh.triangle_count() * size_of::<Triangle>();
    session.check_room("all triangles", bytes)?;
    let triangles: Vec<Triangle> = mesh.triangles().collect();
    let brute = BruteForce::new(triangles);
    Ok(match masks {
        Some(masks) => brute.with_masks(masks),
        None => brute,
    })
}

/// Reads the source as a tree file, if its content begins like one, whatever its name.
///
/// The file is read and not memory-mapped, since the command cannot promise that the file stays
/// unchanged meanwhile.
fn tree_file(source: &MeshSource, session: &Session) -> Result<Option<TreeFile>, Failure> {
    let MeshSource::File(path) = source else {
        return Ok(None);
    };
    if !begins_as_tree_file(path) {
        return Ok(None);
    }
    let bar = session.progress("reading", Some(1));
    let progress = |now| bar.show(now);
    let loader = TreeLoader::new()
        .cancel(&session.cancel)
        .progress(&progress);
    Ok(Some(loader.load(path)?))
}

fn begins_as_tree_file(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = |file: File| file.take(8).read_to_end(&mut start);
    if !is_regular(path) || File::open(path).and_then(read).is_err() {
        return false;
    }
    // The name decides for a file too short to tell: a truncated tree file is not an empty mesh.
    let named = || {
        path.extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("estoc"))
    };
    TreeFile::is_tree_file(&start) || (start.len() < 8 && named())
}
