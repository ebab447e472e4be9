//! Every example runs, and its output is correct.

use estoc::demo::DemoSpec;
use estoc::glam::{EulerRot, Quat, Vec3};
use estoc::{Bvh, Mesh, PrimId, Ray, RayQuery};
use std::path::{Path, PathBuf};
use std::process::Command;

/// All examples; each has a test here.
const EXAMPLES: [&str; 17] = [
    "ao_bake",
    "batch",
    "batch_stream",
    "first_hit",
    "forest",
    "inside_test",
    "lidar_sweep",
    "pick_moving",
    "pick_teapot",
    "robot_arm",
    "scan_distance",
    "shadow_rays",
    "slices",
    "voxel_grid",
    "wall_thickness",
    "write_demo",
    "write_rays",
];

#[test]
fn every_example_is_tested_and_says_how_to_run_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let header = text.lines().take_while(|line| line.starts_with("//!"));
        let header: Vec<&str> = header.map(|line| line[3..].trim()).collect();
        let header = header.join(" ");
        assert!(header.contains("cargo run"), "{name}: {header}");
        let says = format!("--features examples -p estoc --example {name}");
        assert!(header.contains(&says), "{name}: {header}");
        found.push(name);
    }
    found.sort();
    assert_eq!(found, EXAMPLES);
}

/// Runs an example in the root of the repository and returns its output.
fn run(name: &str, args: &[&str]) -> String {
    assert!(EXAMPLES.contains(&name));
    // Cargo puts tests into target/PROFILE/deps and examples into target/PROFILE/examples.
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let program = profile.join("examples").join("all");
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        program.exists(),
        "{} is missing: `cargo test -p estoc` and `cargo build -p estoc --examples` build it",
        program.display()
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let ran = Command::new(&program)
        .args(args)
        .env("EXAMPLE", name)
        .current_dir(root)
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    let complaint = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{name}: {said}{complaint}");
    assert_eq!(complaint, "", "{name}");
    said
}

/// Returns the first number of each word of a text that has one.
fn numbers(text: &str) -> Vec<f64> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || "+-.e".contains(c)));
    words
        .filter_map(|word| word.trim_end_matches('.').parse().ok())
        .collect()
}

fn teapot() -> Mesh {
    "teapot?n=20000".parse::<DemoSpec>().unwrap().mesh()
}

fn in_folder(folder: &tempfile::TempDir, name: &str) -> (PathBuf, String) {
    let path = folder.path().join(name);
    let text = path.to_str().unwrap().to_owned();
    (path, text)
}

#[test]
fn first_hit() {
    let said = run("first_hit", &[]);
    let found = numbers(&said);
    let [prim, t, x, y, z] = found[..] else {
        panic!("{said}");
    };
    assert!((x * x + y * y + z * z - 1.0).abs() < 0.01, "{said}");
    assert!((x - (t - 3.0)).abs() < 1e-5, "{said}");
    assert!(prim < 2048.0, "{said}");
    let open = run("first_hit", &["data/terrain.obj"]);
    assert!(
        open == "a miss\n" || open.starts_with("triangle "),
        "{open}"
    );
}

#[test]
fn batch() {
    // About two thirds of such rays hit a soup this dense; neither none nor all do.
    let said = run("batch", &["soup?n=3000"]);
    let mut lines = said.lines();
    let [count, all, triangles, _seconds] = numbers(lines.next().unwrap())[..] else {
        panic!("{said}");
    };
    assert_eq!((all, triangles), (1e6, 3000.0));
    assert!(count > 1e5 && count < 1e6, "{said}");
    // The numbers of the report add up.
    let techniques = lines
        .find(|line| line.starts_with("1000000 rays: "))
        .unwrap();
    assert_eq!(numbers(techniques)[1..].iter().sum::<f64>(), 1e6, "{said}");
    // A soup this dense hides nearly everything below it.
    let covered = lines.next().unwrap();
    assert!(covered.starts_with("seen from above "), "{said}");
    assert!((50.0..100.0).contains(&numbers(covered)[0]), "{said}");
}

#[test]
fn batch_stream() {
    let said = run("batch_stream", &["0.002"]);
    let [share, error, count, exactly] = numbers(&said)[..] else {
        panic!("{said}");
    };
    assert!(error <= 0.002, "{said}");
    assert!((share - exactly).abs() < 5.0 * error, "{said}");
    // As many rays as that error takes, and not many blocks more.
    let needed = share * (1.0 - share) / (0.002 * 0.002);
    assert!(count > 0.9 * needed && count < needed + 10_000.0, "{said}");
}

#[test]
fn write_demo_and_write_rays() {
    let folder = tempfile::tempdir().unwrap();
    let (path, obj) = in_folder(&folder, "pot.obj");
    let said = run("write_demo", &["teapot?n=2000", &obj]);
    let mesh = Mesh::load_obj(&path).unwrap();
    assert!(said.contains(&format!(": {} triangles", mesh.triangle_count())));
    let made = "teapot?n=2000".parse::<DemoSpec>().unwrap().mesh();
    assert_eq!(mesh.positions(), made.positions());
    assert_eq!(mesh.indices(), made.indices());
    let names = mesh.materials().iter().map(|m| m.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["celadon", "bone", "brass"]);
    assert_eq!(mesh.materials(), made.materials());

    let said = run("write_rays", &[&obj, "90", "5"]);
    let mut rows = said.lines();
    assert_eq!(rows.next(), Some("ox,oy,oz,dx,dy,dz,tmin,tmax"));
    let bvh = Bvh::build(&mesh);
    let hits = rows.map(|row| {
        let cells: Vec<f32> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
        let [ox, oy, oz, dx, dy, dz, t_min, t_max] = cells[..] else {
            panic!("{row}");
        };
        bvh.any_hit(
            &Ray::new([ox, oy, oz], [dx, dy, dz])
                .try_with_interval(t_min, t_max)
                .unwrap(),
        )
    });
    let hits: Vec<bool> = hits.collect();
    assert_eq!(hits.len(), 90);
    assert!(hits.contains(&true) && hits.contains(&false));
}

#[test]
fn forest() {
    let said = run("forest", &[]);
    assert!(said.contains(" in 1000 rows"), "{said}");
    // Every other tree of the row is high enough.
    assert!(said.contains("first hit: row 42, tree 1 at t = "), "{said}");
    assert!(said.contains("trees passed through: 500"), "{said}");
}

#[test]
fn pick_moving() {
    let said = run("pick_moving", &[]);
    let names: Vec<&str> = said
        .lines()
        .filter_map(|line| line.split(": ").nth(1))
        .collect();
    assert_eq!(names, ["nothing", "box", "nothing", "teapot"], "{said}");
}

#[test]
fn robot_arm() {
    let said = run("robot_arm", &[]);
    assert_eq!(said.trim(), "link 2 crosses the barrier in frame 47");
}

#[test]
fn voxel_grid() {
    let said = run("voxel_grid", &[]);
    let lines: Vec<&str> = said.lines().collect();
    let picture: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| line.len() == 76)
        .collect();
    assert!(picture.len() > 10, "{said}");
    let told = lines[picture.len()];
    let numbers = told.split(' ').filter_map(|word| word.parse().ok());
    let numbers: Vec<usize> = numbers.collect();
    // Walls are thin: most of the clay is near the surface.
    assert!(numbers[0] > 10 && numbers[1] > 10 * numbers[0], "{told}");
    assert!(numbers[2] > numbers[1], "{told}");
    let middle = picture[picture.len() / 2];
    assert!(
        middle.contains('+') && middle[30..45].contains('.'),
        "{said}"
    );
    let reason = lines[picture.len() + 1];
    assert!(
        reason.starts_with("terrain: the surface is not closed"),
        "{said}"
    );
    let estimate = lines[picture.len() + 2];
    assert!(
        estimate.starts_with("terrain, by the winding estimate: outside"),
        "{said}"
    );
}

#[test]
fn inside_test() {
    let said = run("inside_test", &[]);
    let lines: Vec<&str> = said.lines().collect();
    let picture: Vec<&str> = lines.iter().copied().take(18).collect();
    assert!(picture.iter().all(|line| line.len() == 75), "{said}");
    let clay = picture.join("").matches('#').count();
    assert!(lines[18].starts_with(&format!("{clay} of 1350 ")), "{said}");
    // A wall is thin, and the knob is massive.
    assert!((100..300).contains(&clay), "{said}");
    assert!(picture[0].contains("####"), "{said}");
    // The middle of the pot is hollow, between a wall on either side.
    let middle = picture[11];
    assert!(middle[30..45].chars().all(|c| c == '.'), "{said}");
    assert!(
        middle[..30].contains('#') && middle[45..].contains('#'),
        "{said}"
    );
    assert!(lines[19].starts_with("corner ") && lines[19].ends_with("Some(true)"));
    assert!(lines[20].contains("not closed"), "{said}");
}

#[test]
fn wall_thickness() {
    let said = run("wall_thickness", &[]);
    let mut walls = 0;
    for line in said.lines().skip(1) {
        let [count, thinnest, middle, thickest] = numbers(line)[..] else {
            panic!("{line}");
        };
        assert!(
            0.0 < thinnest && thinnest <= middle && middle <= thickest,
            "{line}"
        );
        walls += count as usize;
        // The characters that the teapot was drawn with.
        if line.starts_with("pot body") {
            assert!((0.03..0.05).contains(&middle), "{line}");
        } else if line.starts_with("pot spout") {
            assert!((0.015..0.035).contains(&middle), "{line}");
        } else if line.starts_with("pot handle") {
            assert!((0.05..0.08).contains(&middle), "{line}");
        }
    }
    // In a solid, there is another side behind each triangle.
    assert_eq!(walls, teapot().triangle_count(), "{said}");
    assert_eq!(said.lines().count(), 8, "{said}");
}

#[test]
fn scan_distance() {
    let folder = tempfile::tempdir().unwrap();
    let (path, text) = in_folder(&folder, "distance.png");
    let said = run("scan_distance", &[&text]);
    let [count, middle, rms, most] = numbers(said.lines().next().unwrap())[..] else {
        panic!("{said}");
    };
    assert!(
        count > 10_000.0 && 0.0 < middle && middle < rms && rms < most,
        "{said}"
    );
    assert!(most < 0.05, "{said}");
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let near = pixels.chunks(3).filter(|pixel| pixel[2] == 255).count();
    let far = pixels.chunks(3).filter(|pixel| pixel[0] == 255).count();
    let none = pixels.chunks(3).filter(|pixel| *pixel == [40; 3]).count();
    assert!(
        near > far && far > 20 && none > 10_000,
        "{near} {far} {none}"
    );
}

#[test]
fn slices() {
    let said = run("slices", &[]);
    assert!(
        said.starts_with("<svg xmlns=") && said.ends_with("</svg>\n"),
        "{said}"
    );
    assert_eq!(said.matches("<path").count(), 24);
    // Every polyline is closed, and the middle of the hollow pot has more than one.
    assert_eq!(said.matches('M').count(), said.matches('Z').count());
    assert!(
        said.lines().any(|line| line.matches('M').count() > 2),
        "{said}"
    );
    let areas = said.lines().filter(|line| line.starts_with("<text"));
    let areas = areas.map(|line| numbers(&line[line.find('>').unwrap() + 1..])[0]);
    let teapot = teapot();
    let size = teapot.bounds().max() - teapot.bounds().min();
    let sliced = areas.sum::<f64>() * f64::from(size.y) / 24.0;
    let volume: f64 = teapot
        .triangles()
        .map(|t| t.p0.as_dvec3().dot(t.p1.as_dvec3().cross(t.p2.as_dvec3())) / 6.0)
        .sum();
    assert!((sliced / volume - 1.0).abs() < 0.05, "{sliced} {volume}");
}

#[test]
fn shadow_rays() {
    let said = run("shadow_rays", &[]);
    let picture: Vec<char> = said.lines().take(22).flat_map(str::chars).collect();
    assert_eq!(picture.len(), 76 * 22);
    let count = |c: char| picture.iter().filter(|&&x| x == c).count();
    let (lit, dark) = (count('.'), count(':'));
    let expected = format!("{lit} of {} points of the floor", lit + dark);
    assert!(
        said.lines().last().unwrap().starts_with(&expected),
        "{said}"
    );
    assert_eq!(
        lit + dark + count('@') + count('o'),
        picture.len(),
        "{said}"
    );
    assert!(
        dark > 100 && lit > 1000 && count('o') > 50 && count('@') > 100,
        "{said}"
    );
    // The shadow points away from the sun: to the right and up.
    let middle = |wanted: &[char]| {
        let places = (0..picture.len()).filter(|&i| wanted.contains(&picture[i]));
        let (mut sum, mut all) = ([0, 0], 0);
        for i in places {
            sum = [sum[0] + i % 76, sum[1] + i / 76];
            all += 1;
        }
        sum.map(|sum| sum as f64 / f64::from(all))
    };
    let (teapot, shadow) = (middle(&['@', 'o']), middle(&[':']));
    assert!(shadow[0] > teapot[0] && shadow[1] < teapot[1], "{said}");
}

#[test]
fn lidar_sweep() {
    let folder = tempfile::tempdir().unwrap();
    let (path, text) = in_folder(&folder, "sweep.png");
    let said = run("lidar_sweep", &[&text]);
    assert!(said.ends_with(&format!("picture: {text}\n")), "{said}");
    let [returns, pulses, farthest] = numbers(said.lines().next().unwrap())[..] else {
        panic!("{said}");
    };
    // Only rays through the windows are lost, and nothing is farther than the length of the hall
    // (28 m, with walls).
    assert_eq!(pulses, (7 * 96 * 1024) as f64);
    assert!(returns > 0.9 * pulses && returns < pulses, "{said}");
    assert!((25.0..32.0).contains(&farthest), "{said}");
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((frame.width, frame.height), (1024, 2 * 96 + 560));
    let background = bytes[bytes.len() - 3..].to_vec();
    let drawn = bytes.chunks(3).filter(|pixel| *pixel != background);
    // The range image, and a good part of the plan.
    assert!(drawn.count() > 192 * 1024 * 9 / 10 + 60_000);
}

#[test]
fn ao_bake() {
    let folder = tempfile::tempdir().unwrap();
    let (path, text) = in_folder(&folder, "teapot.obj");
    let said = run("ao_bake", &[&text]);
    assert!(said.ends_with(&format!("mesh: {text}\n")), "{said}");
    let made = teapot();
    let mesh = Mesh::load_obj(&path).unwrap();
    assert_eq!(mesh.positions(), made.positions());
    assert_eq!(mesh.indices(), made.indices());

    let obj = std::fs::read_to_string(path).unwrap();
    let colours = obj.lines().filter(|line| line.starts_with("v "));
    let light: Vec<f32> = colours
        .map(|line| {
            let cells: Vec<f32> = line
                .split(' ')
                .skip(1)
                .map(|c| c.parse().unwrap())
                .collect();
            let [_, _, _, r, g, b] = cells[..] else {
                panic!("{line}");
            };
            assert!(r == g && g == b && (0.0..=1.0).contains(&r), "{line}");
            r
        })
        .collect();
    assert_eq!(light.len(), made.positions().len());
    let average = light.iter().sum::<f32>() / light.len() as f32;
    assert!(
        said.contains(&format!("{:.0} %", 100.0 * average)),
        "{said}"
    );
    // The top of the knob sees all of its sky, the floor of the pot hardly any.
    let at = |wanted: [f32; 3]| {
        let far = |i: &usize| made.positions()[*i].distance(wanted.into());
        let nearest = (0..light.len()).min_by(|a, b| far(a).total_cmp(&far(b)));
        light[nearest.unwrap()]
    };
    assert!(at([0.0, 1.0, 0.0]) > 0.97, "{}", at([0.0, 1.0, 0.0]));
    assert!(at([0.0, 0.075, 0.0]) < 0.1, "{}", at([0.0, 0.075, 0.0]));
}

#[test]
fn pick_teapot() {
    let said = run("pick_teapot", &[]);
    let lines: Vec<&str> = said.lines().collect();
    let clicks = lines.iter().filter(|line| line.starts_with("frame "));
    assert_eq!(clicks.count(), 12, "{said}");
    let picked: Vec<&&str> = lines
        .iter()
        .filter(|l| l.contains("picked triangle"))
        .collect();
    let missed = lines.iter().filter(|l| l.contains("missed, "));
    let (near, far): (Vec<&str>, Vec<&str>) = missed.partition(|l| l.contains("though"));
    assert_eq!(picked.len() + near.len() + far.len(), 12, "{said}");
    assert!(
        picked.len() > 2 && !near.is_empty() && !far.is_empty(),
        "{said}"
    );
    let last = format!("{} of 12 clicks picked the teapot", picked.len());
    assert_eq!(lines.last(), Some(&last.as_str()));
    // The parts that were aimed at.
    for (frame, part) in [
        (0, "pot body"),
        (1, "pot spout"),
        (2, "lid knob"),
        (4, "pot handle"),
    ] {
        let line = lines[frame];
        assert!(line.contains(part), "{line}");
    }
    let mesh = teapot();
    for line in picked {
        let name = line.split("picked triangle ").nth(1).unwrap();
        let number = name.split(',').next().unwrap().parse().unwrap();
        let prim = PrimId::new(number).unwrap();
        let names = [mesh.object_of(prim), mesh.group_of(prim)].map(Option::unwrap);
        let material = &mesh.material_of(prim).unwrap().name;
        let names = format!(", {} of {material};", names.join(" "));
        assert!(line.contains(&names), "{line}: {names}");
    }
}

/// The reverse method: the mesh transformed to the world, and the ray through the pixel computed by
/// hand.
#[test]
fn pick_teapot_finds_what_a_moved_teapot_shows() {
    let said = run("pick_teapot", &[]);
    let mesh = teapot();
    let slope = f32::to_radians(20.0).tan() / 300.0;
    let eye = Vec3::new(0.0, 1.2, 6.0);
    let forward = (Vec3::new(0.0, 0.4, 0.0) - eye).normalize();
    let right = forward.cross(Vec3::Y).normalize();
    let up = right.cross(forward);
    for (frame, line) in said.lines().take(12).enumerate() {
        let time = frame as f32 / 12.0;
        let turn = Quat::from_euler(EulerRot::YXZ, 4.0 * time, 0.3, 0.2 * (9.0 * time).sin());
        let place = Vec3::new(3.2 * time - 1.6, 0.1 * (12.0 * time).sin(), 0.0);
        let moved = |p: &Vec3| place + turn * ((0.7 + 0.4 * time) * *p);
        let positions = mesh.positions().iter().map(moved);
        let moved = Mesh::try_new(positions, mesh.indices().iter().copied()).unwrap();

        let (_, click) = line.split_once("click at ").unwrap();
        let [x, y, ..] = numbers(click)[..] else {
            panic!("{line}");
        };
        let [across, down] = [x as f32 - 400.0, y as f32 - 300.0].map(|way| slope * way);
        let ray = Ray::new(eye, forward + across * right - down * up);
        let Some(hit) = Bvh::build(&moved).closest_hit(&ray) else {
            assert!(line.contains("missed, "), "{line}");
            continue;
        };
        assert!(
            line.contains(&format!("picked triangle {},", hit.prim)),
            "{line}: {hit:?}"
        );
        let marker = numbers(line.split(['[', ']']).nth(1).unwrap());
        for (found, expected) in marker.into_iter().zip(ray.at(hit.t).to_array()) {
            assert!(
                (found - f64::from(expected)).abs() < 0.001,
                "{line}: {hit:?}"
            );
        }
    }
}
