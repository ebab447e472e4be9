//! Details of a mesh, for hits in a scene.

use crate::common::placed;
use estoc_bvh::Bvh;
use estoc_core::glam::{DAffine3, DVec3, Vec3};
use estoc_core::{Any, Cull, QueryOptions, Ray, RayQuery, Side};
use estoc_mesh::ObjLoader;
use estoc_scene::Scene;

#[test]
fn details_have_the_sides_of_the_scene() {
    let text = b"o sheet\ng left\nvn 0 0 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//1 2//1 3//1\n";
    let mesh = ObjLoader::new().read(text, "sheet.obj").unwrap();
    let mut fronts = 0;
    for (mirror, reversed) in [(1.0, false), (-1.0, false), (1.0, true), (-1.0, true)] {
        let map = DAffine3::from_scale(DVec3::new(mirror, 1.0, 2.0));
        let map = DAffine3::from_translation(DVec3::new(0.0, 0.0, 7.0)) * map;
        let mut scene = Scene::new();
        let placement = placed(Bvh::build(&mesh), &map);
        scene.add(placement.reversed(reversed)).unwrap();
        let world = scene.commit();
        for down in [false, true] {
            let z = if down { 1.0 } else { -1.0 };
            let ray = Ray::new([0.25 * mirror as f32, 0.25, 7.0 + z], [0.0, 0.0, -z]);
            let hit = world.closest_hit(&ray).expect("the sheet");
            let of_mesh = mesh.details(&hit.hit()).expect("a hit of this mesh");
            let of_scene = world.details(&hit).expect("a hit of this scene");
            let details = of_scene.in_world(of_mesh);
            let fronts_only = QueryOptions::default().cull(Cull::Back);
            let is_front = world.ask_with(Any, &ray, &fronts_only).unwrap();
            let side = if is_front { Side::Front } else { Side::Back };
            assert_eq!(details.side(&ray), Some(side), "{mirror} {reversed} {down}");
            assert_eq!(details.normal.dot(ray.dir) < 0.0, is_front);
            assert_eq!(details.point, Vec3::new(0.25 * mirror as f32, 0.25, 7.0));
            assert_eq!(details.triangle, of_scene.triangle());
            // The source's normals are not turned by `reversed`, and a mirror along x leaves z.
            assert_eq!(details.shading_normal, Some(Vec3::Z));
            assert_eq!(
                (details.object, details.group),
                (Some("sheet"), Some("left"))
            );
            fronts += u32::from(is_front);
        }
    }
    assert_eq!(fronts, 4);
}
