//! The folder `data`.

use crate::common::{estoc, root};
use estoc::{Hit, Mesh, PrimId, Ray};
use estoc_testkit::oracle::Oracle;

const MESHES: [&str; 4] = ["hall", "sphere", "solids", "terrain"];

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn answers_are_what_cast_prints() {
    for name in MESHES {
        let (mesh, rays) = (format!("data/{name}.obj"), format!("data/{name}.rays.csv"));
        for (query, answers) in [("closest", "hits"), ("crossings", "crossings")] {
            let printed = estoc(["cast", &mesh, "--rays", &rays, "--query", query]).ok();
            assert!(
                printed == read(&format!("data/{name}.{answers}.csv")),
                "{name}.{answers}"
            );
        }
    }
}

/// The oracle shares no code with the engines that produced these answers.
#[test]
fn answers_are_what_the_oracle_says() {
    for name in MESHES {
        let mesh = Mesh::load_obj(root().join(format!("data/{name}.obj"))).unwrap();
        let oracle = Oracle::new(mesh.triangles().collect());
        let rays = read(&format!("data/{name}.rays.csv"));
        let hits = read(&format!("data/{name}.hits.csv"));
        let crossings = read(&format!("data/{name}.crossings.csv"));
        let rows = rays.lines().zip(hits.lines()).zip(crossings.lines());
        let mut checked = 0;
        for ((ray, hit), crossing) in rows.skip(1) {
            let answers = oracle.ask(&parse_ray(ray));
            assert_eq!(
                parse_hit(hit),
                answers.closest_hit(&Default::default()).unwrap(),
                "{name} {ray}"
            );
            let count = answers.count_crossings(&Default::default()).unwrap();
            assert_eq!(
                crossing.rsplit(',').next(),
                Some(count.to_string().as_str()),
                "{name} {ray}"
            );
            checked += 1;
        }
        assert_eq!(checked, 180);
    }
}

fn parse_ray(row: &str) -> Ray {
    let cells: Vec<f32> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
    let [ox, oy, oz, dx, dy, dz, t_min, t_max] = cells[..] else {
        panic!("{row}");
    };
    Ray::new([ox, oy, oz], [dx, dy, dz]).with_interval(t_min, t_max)
}

fn parse_hit(row: &str) -> Option<Hit> {
    let cells: Vec<&str> = row.split(',').collect();
    let [_, "1", t, prim, u, v] = cells[..] else {
        assert!(row.ends_with(",0,inf,-1,,"), "{row}");
        return None;
    };
    let [t, u, v] = [t, u, v].map(|cell| cell.parse().unwrap());
    let prim = PrimId::new(prim.parse().unwrap()).unwrap();
    Some(Hit { t, u, v, prim })
}
