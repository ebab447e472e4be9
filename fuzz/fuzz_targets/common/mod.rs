//! Checks of what the readers of all formats promise.

use estoc_bvh::Bvh;
use estoc_core::glam::DVec3;
use estoc_core::{All, Closest, Contains, PointQuery, PrimId, Ray64, RayQuery};
use estoc_mesh::parts::NeededMesh;
use estoc_mesh::{BadFaces, Format, LocalFrame, Mesh, MeshError, MeshLoader};

/// Reads bytes under both policies, in a given format or in the one detected.
pub fn read(bytes: &[u8], format: Option<Format>) {
    // Every file that a mesh names has the same bytes.
    let source = |_: &str| Ok(bytes.to_vec());
    let loader = MeshLoader::new().file_source(&source);
    let loader = match format {
        Some(format) => loader.format(format),
        None => loader,
    };
    let rejecting = loader.clone().read(bytes, "fuzz");
    for frame in [
        LocalFrame::Auto,
        LocalFrame::At(DVec3::new(5e5 + 0.1, -1e30, 1e-40)),
    ] {
        if let Ok(mesh) = loader.clone().local_frame(frame).read(bytes, "fuzz") {
            assert!(mesh.origin().is_finite());
            check(&mesh);
        }
    }
    let in_f64 = loader.clone().read_f64(bytes, "fuzz");
    match loader.clone().read_from_as_needed(bytes, "fuzz") {
        Ok(NeededMesh::F32(mesh)) => {
            let same = rejecting.as_ref().map(Mesh::content_hash);
            assert_eq!(same.ok(), Some(mesh.content_hash()));
        }
        Ok(NeededMesh::F64 { mesh, .. }) => {
            let same = in_f64.as_ref().map(Mesh::content_hash);
            assert_eq!(same.ok(), Some(mesh.content_hash()));
        }
        Err(_) => assert!(rejecting.is_err()),
    }
    if let Ok(mesh) = in_f64 {
        check_f64(&mesh);
    }
    let skipping = loader.bad_faces(BadFaces::Skip).read(bytes, "fuzz");
    for outcome in [&rejecting, &skipping] {
        match outcome {
            Ok(mesh) => check(mesh),
            Err(error) => assert!(!error.to_string().contains(char::is_control), "{error}"),
        }
    }
    match (&rejecting, &skipping) {
        (Ok(strict), Ok(lenient)) => {
            assert_eq!(strict.report().skipped_faces(), 0);
            assert_eq!(strict.indices(), lenient.indices());
            assert_eq!(strict.positions().len(), lenient.positions().len());
        }
        (Err(error), Ok(lenient)) => {
            assert!(!lenient.report().warnings().is_empty());
            assert!(error.can_skip(), "{error}");
        }
        // An error that cannot be skipped may follow one that can.
        (Err(_), Err(error)) => assert!(!error.can_skip(), "{error}"),
        (Ok(_), Err(error)) => panic!("only when skipping: {error}"),
    }
    if let Err(MeshError::Io { .. }) = rejecting {
        panic!("memory cannot fail");
    }
}

/// Checks the invariants of a mesh in `f64`, and that questions about it have answers.
fn check_f64(mesh: &Mesh<f64>) {
    let [low, high] = mesh.bounds();
    let is_inside = |p: DVec3| p.cmpge(low).all() && p.cmple(high).all();
    let mut degenerate = 0;
    for triangle in mesh.triangles() {
        assert!(triangle.is_finite());
        assert!(triangle.corners().into_iter().all(is_inside));
        degenerate += u64::from(triangle.is_degenerate());
    }
    assert_eq!(mesh.report().degenerate.count(), degenerate);
    // Larger ones take too long.
    if mesh.triangle_count() > 200 {
        return;
    }
    let tree = Bvh::build(mesh);
    for triangle in mesh.triangles().take(4) {
        let [a, b, c] = triangle.corners();
        for (origin, dir) in [(a, b - a), (b, DVec3::X), (c, DVec3::new(0.3, 0.4, -0.5))] {
            let ray = Ray64::new(origin, dir);
            let all = tree.ask(All, &ray);
            assert_eq!(tree.ask(Closest, &ray), all.first().copied());
        }
        let has_area = !triangle.is_degenerate();
        if has_area {
            assert_eq!(tree.distance(a), Some(0.0));
        }
        if let Some(inside) = tree.ask(Contains, &a) {
            assert!(inside || !has_area);
        }
    }
}

/// Checks the invariants of a mesh.
pub fn check(mesh: &Mesh) {
    let report = mesh.report();
    let vertices = mesh.positions().len();
    assert_eq!(report.vertices, vertices as u64);
    assert_eq!(mesh.triangles().len(), mesh.triangle_count());
    let bounds = mesh.bounds();
    let mut last_face = 0;
    let mut last_line = None;
    let mut degenerate = 0;
    for (index, corners) in mesh.indices().iter().enumerate() {
        assert!(corners.iter().all(|&corner| (corner as usize) < vertices));
        let prim = PrimId::from_index(index).expect("an id for every triangle");
        let triangle = mesh.triangle(prim).expect("in range");
        assert!(triangle.is_finite());
        assert!(triangle.corners().iter().all(|&p| bounds.contains(p)));
        degenerate += u64::from(triangle.is_degenerate());
        let face = mesh.face_of(prim).expect("every triangle has a face");
        assert!((last_face..report.faces).contains(&face));
        let line = mesh.line_of(prim);
        assert!(last_line <= line);
        (last_face, last_line) = (face, line);
        let _ = (
            mesh.object_of(prim),
            mesh.group_of(prim),
            mesh.material_of(prim),
            mesh.corner_normals(prim),
            mesh.corner_texcoords(prim),
        );
    }
    assert_eq!(report.degenerate.count(), degenerate);
    assert!(report.duplicate.count() <= mesh.triangle_count() as u64);
    let left_out = report.skipped_faces() + report.short_faces.count();
    assert!(left_out <= report.faces);
    // Each face that is not left out has at least one triangle.
    assert!(mesh.triangle_count() as u64 >= report.faces - left_out);
    for warning in report.warnings() {
        let told = warning.to_string();
        assert!(
            !told.is_empty() && !told.contains(char::is_control),
            "{told:?}"
        );
    }
}
