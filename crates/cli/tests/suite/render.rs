//! `estoc render`.

use crate::common::{Folder, assert_has, command, run};
use std::path::Path;

const SHADES: [&str; 9] = [
    "depth",
    "normal",
    "facing",
    "id",
    "material",
    "ao",
    "heat",
    "thickness",
    "sphere-thickness",
];

/// Two small scenes, and the hashes of their pictures in the order of [`SHADES`]. After an intended
/// change of a shade, look at the pictures and update these.
const SCENES: [(&str, [u64; 9]); 2] = [
    (
        "demo:hall?n=3000",
        [
            0xbf50_fce7_ae6d_cbfd,
            0x67f3_ea6d_ffae_c042,
            0x6b15_a00e_a04f_b320,
            0x08fc_ea98_af7d_6442,
            0x6da8_6973_0f31_ee1e,
            0x7c09_d9fa_cc2c_df2a,
            0x9e6b_f6c7_7382_f337,
            0x7899_b690_65f8_9eb7,
            0xf6ab_44a2_c6bd_17f9,
        ],
    ),
    (
        "demo:solids?n=600",
        [
            0xc9e7_8990_5f71_4eff,
            0xe59e_e206_b313_3ce8,
            0x1f41_522b_6fa1_e024,
            0xa502_64a4_b23c_6ff1,
            0xa723_b6a4_a700_48b8,
            0xd527_6b67_8fe5_cc12,
            0x8fa2_50db_94bf_6e3c,
            0xc939_954d_2e6b_c27f,
            0x0ed3_df1c_8b66_9588,
        ],
    ),
];

fn pixels(file: &Path) -> (u32, u32, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(file).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels)
}

/// Returns the FNV-1a hash of the pixels of a picture, after checking its size.
fn hash(file: &str, size: (u32, u32)) -> u64 {
    let (width, height, pixels) = pixels(Path::new(file));
    assert_eq!((width, height), size);
    pixels.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn every_shade_of_two_scenes_is_the_same_picture_for_any_number_of_threads() {
    let folder = Folder::new();
    let painted = |scene: &str, shade: &str, threads: u32| {
        let options = format!("--size 80x50 --samples 3 --shade {shade} --threads {threads}");
        let line = format!("render {scene} --quiet {options} --out F/picture.png");
        folder.run(&line).ok();
        hash(&folder.path("picture.png"), (80, 50))
    };
    let found = SCENES.map(|(scene, _)| {
        let hashes = SHADES.map(|shade| {
            let [one, five] = [1, 5].map(|threads| painted(scene, shade, threads));
            assert_eq!(one, five, "{scene} {shade}: threads 1 and 5");
            one
        });
        (scene, hashes)
    });
    assert_eq!(found, SCENES, "found {found:#018x?}");
}

#[test]
fn distances_from_another_mesh_are_painted() {
    let folder = Folder::new();
    let render = |more: &str| {
        let line = format!("render demo:sphere?n=600 --quiet --size 60x60 --samples 1 {more}");
        folder.run(&line)
    };
    // From itself, where the distance is 0 or a rounding, and from another mesh.
    let hashes = ["sphere", "solids"].map(|to| {
        let options = format!("--shade distance --to demo:{to}?n=600 --out F/{to}.png");
        render(&options).ok();
        hash(&folder.path(&format!("{to}.png")), (60, 60))
    });
    let pinned = [0x9efd_52e2_6c25_6c08, 0xfa11_00ee_7c7c_1198];
    assert_eq!(hashes, pinned, "{hashes:#018x?}");
    render("--shade distance --out F/none.png").fails_with(2, "--to <MESH>");
    let ao = render("--shade ao --to demo:sphere --out F/none.png");
    ao.fails_with(2, "--shade distance");
}

/// The camera rays of a tile are traced some at a time, by pixels and by their numbers: these sizes
/// and numbers leave rests of both. The hashes are of pictures whose rays were traced one by one.
#[test]
fn rests_of_tiles_and_of_samples_are_painted_like_the_others() {
    let folder = Folder::new();
    for (shade, samples, expected) in [
        ("ao", "5", 0x89e4_19a5_e421_f95f),
        ("normal", "37", 0xaa86_e62c_9ab6_dca4),
        ("facing", "16", 0xe40f_67ff_91e8_0dbc),
        ("heat", "33", 0x32e4_4f9e_4f39_1f39),
    ] {
        for threads in ["1", "3"] {
            let options = format!("--shade {shade} --samples {samples} --threads {threads}");
            let line = format!("render demo:hall?n=3000 --quiet --size 70x41 {options}");
            folder.run(&format!("{line} --out F/picture.png")).ok();
            let found = hash(&folder.path("picture.png"), (70, 41));
            assert_eq!(found, expected, "{shade}, {threads} threads: {found:#018x}");
        }
    }
}

#[test]
fn the_chosen_view_is_told_and_gives_the_same_picture_again() {
    let folder = Folder::new();
    let render = "render demo:terrain?n=900 --size 60x40 --samples 2";
    let ran = folder.run(&format!("{render} --up=0,1,0.25 --out F/first.png"));
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let told = ran.stderr.lines().last().unwrap();
    // estoc: 'demo:terrain?n=900' --eye ... --fov ...: N rays in ...
    let options = told
        .split_once(" --eye")
        .unwrap()
        .1
        .split_once(": ")
        .unwrap()
        .0;
    let options = format!("--eye{options}");
    let names: Vec<&str> = options.split(' ').step_by(2).take(3).collect();
    assert_eq!(names, ["--eye", "--at", "--up"]);
    let rest = "--quiet --out F/again.png --compare F/first.png";
    folder.run(&format!("{render} {options} {rest}")).ok();
    assert_eq!(folder.bytes("first.png"), folder.bytes("again.png"));
}

#[test]
fn orthographic_pictures_are_told_and_made_again() {
    let folder = Folder::new();
    for mesh in ["demo:terrain?n=900", "demo:hall?n=400", "demo:pick"] {
        let render = format!("render {mesh} --size 60x40 --samples 2 --shade facing");
        let ran = folder.run(&format!("{render} --ortho=7.25 --out F/first.png"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let told = ran.stderr.lines().last().unwrap();
        let options = told
            .split_once(" --")
            .unwrap()
            .1
            .split_once(": ")
            .unwrap()
            .0;
        assert!(options.ends_with(" --ortho 7.25"), "{told}");
        let rest = "--quiet --json --out F/again.png --compare F/first.png";
        let object = folder
            .run(&format!("{render} --{options} {rest}"))
            .ok_json();
        assert_eq!(
            (&object["fov"], &object["ortho"]),
            (&serde_json::Value::Null, &7.25.into())
        );
        assert_eq!(folder.bytes("first.png"), folder.bytes("again.png"));
    }
}

#[test]
fn a_reference_turns_a_picture_into_a_check() {
    let folder = Folder::new();
    let run = |rest: &str| {
        let line = format!("render demo:sphere?n=300 --samples 2 {rest}");
        folder.run(&line)
    };
    let small = |rest: &str| run(&format!("--size 40x30 {rest}"));
    small("--quiet --shade normal --out F/reference.png").ok();

    small("--quiet --shade normal --compare F/reference.png").ok();
    let failed = small("--quiet --shade facing --compare F/reference.png").fails(1);
    assert_has(&failed, "the check failed: ");
    assert_has(&failed, "the picture differs from ");
    assert_has(&failed, ", at pixel ");
    let loose = "--shade facing --threshold 255 --json --quiet --compare F/reference.png";
    let object = small(loose).ok_json();
    assert_eq!(object["schema"], "estoc.render/1");
    assert_eq!(object["compared"]["ok"], true);
    assert!(object["compared"]["rms"].as_f64().unwrap() > 10.0);
    assert!(object["file"].is_null());

    let failed = small("--compare F/reference.png --size 40x31").status;
    assert_eq!(failed, 2); // --size is given twice
    let wide = run("--size 41x30 --compare F/reference.png");
    wide.fails_with(2, "add --size 40x30");
    small("--compare Cargo.toml").fails_with(3, "cannot be read as a PNG");
    small("--compare no.png").fails_with(3, "no.png");
    assert_eq!(folder.names(), ["reference.png"]);
}

#[test]
fn what_cannot_be_painted_is_told_before_the_work() {
    let both = run("render demo:sphere?n=50 --json --out -");
    assert_eq!(both.status, 2);
    assert_has(&both.stderr, "--out FILE.png");
    for (options, told) in [
        ("", "--out FILE.png"),
        ("--out - --eye 1,2", "three finite numbers"),
        ("--out - --eye 1,2,nan", "three finite numbers"),
        ("--out - --fov 180", "below 180 degrees"),
        ("--out - --fov 0", "below 180 degrees"),
        ("--out - --fov -20", "below 180 degrees"),
        ("--out - --fov nan", "below 180 degrees"),
        ("--out - --fov inf", "below 180 degrees"),
        ("--out - --fov wide", "below 180 degrees"),
        ("--out - --ortho 0", "a height must be above 0 and finite"),
        ("--out - --ortho -1", "a height must be above 0 and finite"),
        ("--out - --ortho inf", "a height must be above 0 and finite"),
        ("--out - --ortho nan", "a height must be above 0 and finite"),
        ("--out - --ortho 2 --fov 40", "cannot be used with"),
        ("--out - --up 0,0,0", "0,0,0 is not a direction"),
        ("--out - --eye=1,1,1 --at=1,1,1", "eye"),
        ("--out - --shade pink", "depth, normal, facing"),
        ("--out - --samples 0", "1..=4096"),
        ("--out - --threshold 1", "--compare"),
    ] {
        let message = run(&format!("render demo:sphere?n=50 {options}")).fails(2);
        assert!(message.contains(told), "{options}: {message}");
    }
    let out = run("render data/sphere.obj --out data/sphere.obj");
    out.fails_with(2, "would replace");
}

#[test]
fn stdout_takes_a_picture_and_any_mesh_has_one() {
    let folder = Folder::new();
    for (name, text) in [
        ("point.obj", "v 1 2 3\nf 1 1 1\n"),
        ("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n"),
        ("huge.obj", "v 0 0 0\nv 3e38 0 0\nv 0 3e38 0\nf 1 2 3\n"),
        ("wide.obj", "v -3e38 0 0\nv 3e38 0 0\nv 0 3e38 0\nf 1 2 3\n"),
        ("tiny.obj", "v 0 0 0\nv 1e-40 0 0\nv 0 1e-40 0\nf 1 2 3\n"),
    ] {
        folder.put(name, text);
        for shade in SHADES {
            let options = format!("--size=24x16 --samples=1 --out=- --shade {shade}");
            let output = command()
                .args(folder.words(&format!("render --quiet {options} F/{name}")))
                .output()
                .unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{name} {shade}: {message}");
            assert_eq!(&output.stdout[1..4], b"PNG", "{name} {shade}");
        }
    }
}

/// As `head` does.
#[cfg(unix)]
#[test]
fn a_reader_that_has_enough_is_no_error() {
    let mut child = command()
        .args(["render", "demo:sphere?n=500", "--quiet", "--out=-"])
        .args(["--size=800x600", "--samples=1", "--shade=id"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
    assert_eq!(ended.status.code(), Some(0));
}
