//! Arbitrary bytes as OBJ text and as a material library: the third line of defence, behind
//! the tables and the property tests. Nothing may panic or hang, and every mesh that comes out
//! keeps its promises.

#![no_main]

use estoc_bvh::{Mesh, MeshError, ObjLoader, Policy};
use estoc_core::PrimId;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The text is its own material library.
    let source = |_: &str| Ok(bytes.to_vec());
    let loader = ObjLoader::new().material_source(&source);
    let rejecting = loader.clone().read(bytes, "fuzz.obj");
    let skipping = loader.policy(Policy::Skip).read(bytes, "fuzz.obj");
    match (&rejecting, &skipping) {
        (Ok(strict), Ok(lenient)) => {
            check(strict);
            check(lenient);
            assert_eq!(strict.report().skipped_faces(), 0);
            assert_eq!(strict.indices(), lenient.indices());
            assert_eq!(strict.positions().len(), lenient.positions().len());
        }
        (Err(error), Ok(lenient)) => {
            check(lenient);
            assert!(!lenient.report().warnings().is_empty());
            assert!(!error.to_string().contains('\n'));
            assert!(error.can_skip(), "{error}");
        }
        (Err(MeshError::NotObj { .. }), Err(MeshError::NotObj { .. })) => {}
        (strict, lenient) => panic!("{strict:?}, but skipping {lenient:?}"),
    }
});

fn check(mesh: &Mesh) {
    let report = mesh.report();
    let vertices = mesh.positions().len();
    assert_eq!(report.vertices, vertices as u64);
    assert_eq!(mesh.triangles().len(), mesh.triangle_count());
    let bounds = mesh.bounds();
    let mut last_face = 0;
    let mut last_line = 0;
    let mut degenerate = 0;
    for (index, corners) in mesh.indices().iter().enumerate() {
        assert!(corners.iter().all(|&corner| (corner as usize) < vertices));
        let prim = PrimId::from_index(index).expect("an id for every triangle");
        let triangle = mesh.triangle(prim).expect("in range");
        assert!(triangle.is_finite());
        assert!(triangle.corners().iter().all(|&p| bounds.contains(p)));
        degenerate += u64::from(triangle.is_degenerate());
        let face = mesh.face_of(prim).expect("every triangle has a face");
        let line = mesh.line_of(prim).expect("every face has a line");
        assert!((last_face..report.faces).contains(&face));
        assert!(last_line <= line);
        (last_face, last_line) = (face, line);
        let _ = (
            mesh.object_of(prim),
            mesh.group_of(prim),
            mesh.material_of(prim),
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
