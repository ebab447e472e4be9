//! Origins of meshes in tree files.

use crate::common::tree_bytes::{parts, put, seal, section, u32_at};
use estoc_bvh::{Bvh, Layout, TreeFile, TreeFileError, TreeLoader, TreeSection, TreeWriter};
use estoc_core::glam::DVec3;
use estoc_core::{Engine, Masks, Ray, RayQuery};
use estoc_mesh::{LocalFrame, Mesh, MeshLoader};

const MASKS: u32 = 11;
const ORIGIN: u32 = 12;
/// The offset of the version in a header.
const VERSION: usize = 12;

const CENTRE: DVec3 = DVec3::new(500_000.1, 5_200_000.0, -0.5);

fn square(origin: DVec3) -> Mesh {
    let text = b"v 500000.1 5200000 0\nv 500002.1 5200000 0\nv 500002.1 5200002 0\n\
        v 500000.1 5200002 0\nf 1 2 3 4\n";
    let loader = MeshLoader::new().local_frame(LocalFrame::At(origin));
    loader.read(text, "square.obj").unwrap()
}

fn bytes_of(bvh: &Bvh, mesh: &Mesh) -> Vec<u8> {
    let mut bytes = Vec::new();
    let writer = TreeWriter::new(bvh).mesh(mesh);
    writer.write_to(&mut bytes, "memory").unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Result<TreeFile, TreeFileError> {
    TreeLoader::new().read(bytes, "square.estoc")
}

#[test]
fn origins_come_back() {
    let mesh = square(CENTRE);
    for layout in Layout::ALL {
        let bvh = Bvh::builder().layout(layout).build(&mesh).unwrap();
        let masked = bvh.clone().with_masks(Masks::from_runs([(1, 5), (1, 1)]));
        for bvh in [bvh, masked] {
            let bytes = bytes_of(&bvh, &mesh);
            let file = read(&bytes).unwrap();
            assert_eq!(file.bvh().masks(), bvh.masks());
            let facts = file.facts();
            assert_eq!((facts.version, facts.origin), (3, CENTRE));
            assert_eq!(facts.mesh_hash, Some(mesh.content_hash()));
            let again = file.mesh().unwrap();
            assert_eq!(again.origin(), CENTRE);
            let ray = Ray::new([0.5, 0.25, 9.0], [0.0, 0.0, -1.0]);
            let hit = bvh.closest_hit(&ray).unwrap();
            let expected = mesh.details(&hit).unwrap().world_point;
            assert_eq!(expected, CENTRE + DVec3::new(0.5, 0.25, 0.5));
            assert_eq!(file.details(&hit).unwrap().world_point, expected);
            assert_eq!(again.details(&hit).unwrap().world_point, expected);
            assert!(bytes_of(file.bvh(), &again) == bytes || layout == Layout::Fast);
        }
    }
}

/// Files that need only version 1 stay readable for readers of version 1.
#[test]
fn a_file_without_an_origin_is_as_it_was() {
    let mesh = square(DVec3::ZERO);
    let bytes = bytes_of(&Bvh::build(&mesh), &mesh);
    assert_eq!(u32_at(&bytes, VERSION), 1);
    assert!(parts(&bytes).iter().all(|part| part.kind != ORIGIN));
    assert_eq!(read(&bytes).unwrap().facts().origin, DVec3::ZERO);
}

#[test]
fn version_and_origin_go_together() {
    let mesh = square(CENTRE);
    let bvh = Bvh::build(&mesh);
    for version in [1u32, 2] {
        let mut bytes = bytes_of(&bvh, &mesh);
        put(&mut bytes, VERSION, &version.to_le_bytes());
        seal(&mut bytes);
        let told = read(&bytes).unwrap_err().to_string();
        let expected = format!("invalid version {version} at byte 12: files with origin must have");
        assert!(told.contains(&expected), "{told}");
    }
    let plain = square(DVec3::ZERO);
    let bvh = Bvh::build(&plain);
    for bvh in [bvh.clone().with_masks(Masks::from_runs([(1, 5)])), bvh] {
        let mut bytes = bytes_of(&bvh, &plain);
        put(&mut bytes, VERSION, &3_u32.to_le_bytes());
        seal(&mut bytes);
        let error = read(&bytes).unwrap_err();
        let section = TreeSection::Origin;
        let is_missing =
            matches!(&error, TreeFileError::Missing { section: found, .. } if *found == section);
        assert!(is_missing, "{error}");
    }
    let masked = bytes_of(
        &Bvh::build(&mesh).with_masks(Masks::from_runs([(1, 5)])),
        &mesh,
    );
    assert_eq!(
        (u32_at(&masked, VERSION), section(&masked, MASKS).len()),
        (3, 16)
    );
}

/// Whatever checks the loader skips, origins are finite.
#[test]
fn origins_that_are_not_finite_are_refused() {
    let mesh = square(CENTRE);
    let sound = bytes_of(&Bvh::build(&mesh), &mesh);
    let place = section(&sound, ORIGIN);
    assert_eq!(place.len(), 24);
    for loader in [TreeLoader::new(), TreeLoader::new().checksums(false)] {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut bytes = sound.clone();
            put(&mut bytes, place.start + 8, &number.to_le_bytes());
            seal(&mut bytes);
            let told = loader.read(&bytes, "square.estoc").unwrap_err().to_string();
            assert!(told.contains("is not finite"), "{told}");
        }
    }
}
