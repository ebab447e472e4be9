//! Details of many hits equal the details of each.

use estoc_core::glam::Vec3;
use estoc_core::{Hit, PrimId};
use estoc_mesh::{Mesh, ObjLoader};

/// Faces with and without names, normals and texture coordinates, the last without area.
const TEXT: &str = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n\
                    vn 0 1 1\nf 1 2 3\no first\ng a\nusemtl red\nf 1/1 2/2 4/3\no second\n\
                    usemtl blue\nf 1//1 3//2 4//1\ng b\nusemtl red\nf 2/1/1 3/2/2 4/3/1\nf 1 2 2\n";

fn mesh() -> Mesh {
    ObjLoader::new().read(TEXT.as_bytes(), "t.obj").unwrap()
}

#[test]
fn columns_say_what_single_details_say() {
    let mesh = mesh();
    // More hits than a thread takes at a time; some of no triangle, or outside theirs.
    let hits: Vec<Option<Hit>> = (0..10_000u32)
        .map(|i| {
            let (u, v) = ((i % 7) as f32 / 10.0, (i % 5) as f32 / 10.0);
            let prim = PrimId::new(i % 7)?;
            (i % 11 != 0).then_some(Hit { t: 1.0, u, v, prim })
        })
        .collect();
    for hits in [&hits[..], &hits[..100], &[]] {
        let columns = mesh.details_of_many(hits);
        let found = (columns.len(), columns.is_empty());
        assert_eq!(found, (hits.len(), hits.is_empty()));
        let mut found = 0;
        for (i, hit) in hits.iter().enumerate() {
            let name = |place: u32, names: &[String]| names.get(place as usize).cloned();
            let object = name(columns.object[i], mesh.objects());
            let group = name(columns.group[i], mesh.groups());
            let material = mesh.materials().get(columns.material[i] as usize);
            let Some(details) = hit.and_then(|hit| mesh.details(&hit)) else {
                assert_eq!((columns.prim[i], columns.face[i]), (u32::MAX, u64::MAX));
                let zeros = [
                    columns.point[i],
                    columns.normal[i],
                    columns.shading_normal[i],
                ];
                assert_eq!(zeros, [[0.0; 3]; 3]);
                assert!(columns.texcoord[i].iter().all(|x| x.is_nan()));
                assert!(object.is_none() && group.is_none() && material.is_none());
                continue;
            };
            found += 1;
            assert_eq!(columns.prim[i], details.prim.get());
            assert_eq!(columns.face[i], details.face);
            assert_eq!(columns.point[i], details.point.to_array());
            assert_eq!(columns.normal[i], details.normal.to_array());
            let shading = details.shading_normal.unwrap_or(Vec3::ZERO);
            assert_eq!(columns.shading_normal[i], shading.to_array());
            match details.texcoord {
                Some(texcoord) => assert_eq!(columns.texcoord[i], texcoord.to_array()),
                None => assert!(columns.texcoord[i].iter().all(|x| x.is_nan())),
            }
            assert_eq!(object.as_deref(), details.object);
            assert_eq!(group.as_deref(), details.group);
            assert_eq!(material, details.material);
        }
        assert!(found * 2 > hits.len() || hits.is_empty(), "{found}");
    }
}
