//! Point clouds as points: PLY, and text without names of columns.

use crate::common::{assert_array, file, points, points_csv, read_all};
use crate::mutations::read_mutants;
use estoc_core::Ray;
use estoc_core::glam::Vec3;
use estoc_rays_io::{Block, Input, InputError, InputProblem, Passed};
use std::fmt::Write;

/// Returns the bits of points.
fn bits(points: &[Vec3]) -> Vec<[u32; 3]> {
    let bits = |point: &Vec3| point.to_array().map(f32::to_bits);
    points.iter().map(bits).collect()
}

fn read(name: &str, text: &str) -> (Vec<Vec3>, Option<String>) {
    let input = Input::<Vec3>::of_bytes(name, text.as_bytes().to_vec());
    let (points, error) = read_all(input, 3);
    (points, error.map(|error| error.to_string()))
}

/// Returns a PLY file of points with a normal before and a colour after their coordinates, and a face.
fn ply(points: &[[f64; 3]], encoding: &str, kind: &str) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat {encoding} 1.0\ncomment by hand\nelement vertex {}\nproperty float nx\n\
         property {kind} x\nproperty {kind} y\nproperty {kind} z\nproperty uchar red\n\
         element face 1\nproperty list uchar int vertex_indices\nend_header\n",
        points.len()
    )
    .into_bytes();
    for point in points {
        if encoding == "ascii" {
            let [x, y, z] = point;
            bytes.extend_from_slice(format!("0.5 {x} {y} {z} 200\n").as_bytes());
            continue;
        }
        let is_big = encoding == "binary_big_endian";
        let mut put = |number: &[u8]| match is_big {
            true => bytes.extend(number.iter().rev()),
            false => bytes.extend_from_slice(number),
        };
        put(&0.5_f32.to_le_bytes());
        for &number in point {
            match kind {
                "double" => put(&number.to_le_bytes()),
                _ => put(&(number as f32).to_le_bytes()),
            }
        }
        put(&[200]);
    }
    match encoding {
        "ascii" => bytes.extend_from_slice(b"3 0 1 2\n"),
        _ => bytes.extend_from_slice(&[3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]),
    }
    bytes
}

#[test]
fn vertices_of_ply_are_the_points_of_csv() {
    let folder = tempfile::tempdir().unwrap();
    let points = points(1_000, 3);
    let (expected, _) = read("p.csv", &points_csv(&points));
    for encoding in ["ascii", "binary_little_endian", "binary_big_endian"] {
        for kind in ["float", "double"] {
            let path = file(&folder, "p.ply", &ply(&points, encoding, kind));
            let case = format!("{encoding} {kind}");
            let input = assert_array(&path, (&expected, 995), bits, &case);
            let is_rounded = encoding != "ascii" && kind == "double";
            assert_eq!(input.rounded() > 0, is_rounded);
        }
    }
}

#[test]
fn columns_of_text_are_passed() {
    let passed = |name: &str, bytes: &[u8], columns: &[usize]| {
        let mut input = Input::<Vec3>::of_bytes(name, bytes.to_vec()).unwrap();
        let names = input.columns().join(" ");
        input.pass_through(columns.to_vec());
        let mut block = Block::<Vec3>::default();
        input.read(&mut block, 1).unwrap();
        let cells = |passed: &Passed| {
            let cell = |column| passed.text(0, column).unwrap();
            (0..columns.len()).map(cell).collect::<Vec<String>>()
        };
        (names, cells(&block.passed).join(" "))
    };
    let of_ply = ply(&[[1.0, 2.0, 3.5]], "ascii", "float");
    let (names, cells) = passed("p.ply", &of_ply, &[4, 3]);
    assert_eq!((&*names, &*cells), ("nx x y z red", "200 3.5"));
    let (names, cells) = passed("p.xyz", b"1 2 3 0.25 wall\n", &[4, 3]);
    assert_eq!((&*names, &*cells), ("x y z column4 column5", "wall 0.25"));
}

#[test]
fn a_ply_file_without_points_says_why() {
    let told = |text: &str| read("p.ply", text).1.unwrap();
    let head = "ply\nformat ascii 1.0\n";
    let xyz = "property float x\nproperty float y\nproperty float z\n";
    for (body, problem) in [
        (
            "element face 0\nend_header\n".to_owned(),
            "p.ply: points are the elements \"vertex\", which the header must declare once",
        ),
        (
            "element vertex 1\nproperty float x\nproperty float y\nend_header\n1 2\n".to_owned(),
            "p.ply: missing column z; the columns must name x,y,z, but names \"x,y\"",
        ),
        (
            format!("element camera 1\nproperty int id\nelement vertex 1\n{xyz}end_header\n"),
            "p.ply: points are read only where the vertices are the first elements; save them first",
        ),
        (
            format!("element vertex 1\n{xyz}property list uchar int faces\nend_header\n"),
            "p.ply: the vertices have lists, so that they are not read as points; leave the lists out",
        ),
        (
            format!("element vertices {xyz}"),
            "p.ply:3: invalid PLY: cannot parse the header line \"element vertices property float x\"",
        ),
        (
            format!("element vertex 3\n{xyz}end_header\n1 2 3\n"),
            "p.ply: row 1: the file ends here, but should have 3 rows; it is truncated, so copy or write it again",
        ),
        (
            format!("element vertex 2\n{xyz}end_header\n1 2 3\n1 2 a\n"),
            "p.ply:9: z is \"a\", which is not a number such as -1.5, 2e-3 or inf",
        ),
        (
            format!("element vertex 1\n{xyz}end_header\n1 2\n"),
            "p.ply:8: this line has 2 cells, but there are 3 columns; give each column one cell",
        ),
    ] {
        assert_eq!(told(&format!("{head}{body}")), problem);
    }
    let binary = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex 2\n{xyz}end_header\n{}",
        "\0".repeat(13)
    );
    assert_eq!(
        told(&binary),
        "p.ply: row 1: the file ends here, but should have 2 rows; it is truncated, so copy or write it again"
    );
}

#[test]
fn numbers_without_names_are_points() {
    let points = points(300, 8);
    let (expected, _) = read("p.csv", &points_csv(&points));
    let text = |separator: &str, more: &str| -> String {
        points.iter().fold(String::new(), |mut text, [x, y, z]| {
            let _ = writeln!(text, "{x}{separator}{y}{separator}{z}{more}");
            text
        })
    };
    let plain = text(" ", "");
    let texts = [
        plain.clone(),
        text("\t", ""),
        text(";", ""),
        text(" ; ", ";7;wall"),
        text("   ", " \t0.5 255 0 0"),
        plain.replace('\n', "\r\n"),
        format!("\u{feff}{plain}"),
        format!("300\n{plain}"),
        format!("# of a scanner\n//X Y Z\n\n300\n{plain}\n// the end\n"),
        plain.replace("\n", "\n# between\n"),
    ];
    for text in texts {
        let (found, error) = read("p.xyz", &text);
        assert_eq!(error, None);
        assert_eq!(bits(&found), bits(&expected));
    }
}

#[test]
fn what_is_wrong_with_numbers_without_names_is_told() {
    for (text, count, expected) in [
        (
            "# two\n1 2 3 4\n5 6 7\n",
            1,
            ":3: this line has 3 cells, but there are 4 columns; give each column one cell",
        ),
        (
            "1 2 3\n\n4 five 6\n",
            1,
            ":3: y is \"five\", which is not a number such as -1.5, 2e-3 or inf",
        ),
        (
            "3\n1 2 3\n4 5 6\n",
            2,
            ": row 2: the file ends here, but should have 3 rows; it is truncated, so copy or write it again",
        ),
        (
            "2\n1 2 3\n4 5 6\n\n7 8 9\n1 1 1\n",
            2,
            ":5: the file goes on after the 2 points that it declares; correct that number",
        ),
        (
            "1\n1 2 3\n1\n1 2 3\n",
            1,
            ":3: the file goes on after the 1 point that it declares; correct that number",
        ),
        // Names, and commas, belong to CSV.
        (
            "x y z\n1 2 3\n",
            0,
            ":1: the cells are separated by spaces; use commas",
        ),
    ] {
        let (points, error) = read("p.xyz", text);
        let told = (points.len(), error.unwrap());
        assert_eq!(told, (count, format!("p.xyz{expected}")), "{text:?}");
    }
    let told = read("p.xyz", "1,2,3\n").1.unwrap();
    let expected = "put a line above it that names the columns x,y,z";
    assert!(told.contains(expected), "{told}");
    // Rays have more than one order of columns.
    let rays = Input::<Ray>::of_bytes("r.xyz", b"0 0 0 0 0 1\n".to_vec());
    let told = rays.err().unwrap().to_string();
    assert_eq!(
        told,
        "r.xyz:1: the cells are separated by spaces; use commas"
    );
}

#[test]
fn no_mutant_of_a_point_cloud_panics() {
    let points = points(12, 10);
    let text = points.iter().fold("12\n".to_owned(), |text, [x, y, z]| {
        format!("{text}{x} {y} {z}\n")
    });
    let sound = [
        text.into_bytes(),
        ply(&points, "ascii", "float"),
        ply(&points, "binary_little_endian", "double"),
    ];
    let read = |bytes| match read_all(Input::<Vec3>::of_bytes("m.file", bytes), 5) {
        (_, None) => Ok(()),
        (_, Some(error)) => {
            let error = error.to_string();
            assert!(error.contains("m.file"), "{error}");
            Err(error)
        }
    };
    for (seed, sound) in (0xc10d..).zip(sound) {
        read_mutants(&sound, seed, read, [100, 100]);
    }
}

#[test]
fn what_is_something_else_says_what_it_is() {
    fn told<T: estoc_rays_io::Item>(bytes: &[u8]) -> String {
        let error = Input::<T>::of_bytes("f", bytes.to_vec()).err();
        let error = error.expect("an error");
        let InputError::Unusable { problem, .. } = &error else {
            panic!("{error}");
        };
        let is_foreign = matches!(problem, InputProblem::Foreign { .. });
        assert!(is_foreign, "{error}");
        error.to_string()
    }
    let mut stl = vec![b'-'; 80];
    stl.extend_from_slice(&1_u32.to_le_bytes());
    stl.extend_from_slice(&[0; 50]);
    let files: [(&[u8], &str); 15] = [
        (b"# .PCD v0.7\nVERSION 0.7\n", "a PCD point cloud"),
        (b"LASF\0\0\0\0\x01\x04", "a LAS point cloud"),
        (b"\x7fELF\x02\x01\x01\0", "an ELF program"),
        (b"o cube\nv 0 0 0\nv 1 0 0\nf 1 2 1\n", "an OBJ mesh"),
        (b"OFF\n3 1 0\n0 0 0\n", "an OFF mesh"),
        (b"solid a\nfacet normal 0 0 1\n", "an STL mesh"),
        (&stl, "an STL mesh"),
        (b"glTF\x02\0\0\0", "a glTF mesh"),
        (b"{\"asset\": {\"version\": \"2.0\"}}", "a glTF mesh"),
        (b"{\"points\": [[0, 0, 0]]}", "JSON"),
        (b"\xff\xfex\0,\0y\0,\0z\0\n\0", "text in UTF-16"),
        (b"\x01\x02\x03\x04\n\xee", "binary data of no known format"),
        (b"BZh91AY&SY\0\0", "bz2"),
        // The first line is as short as what is read to tell the format.
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG picture"),
        (b"solid\nfacet normal 0 0 1\n", "an STL mesh"),
    ];
    for (bytes, what) in files {
        let points = "not points; points are read from CSV, NPY, NPZ with one array, Parquet, PLY and \
                      text with three numbers or more a line";
        assert_eq!(told::<Vec3>(bytes), format!("f: is {what}, {points}"));
        let rays = "not rays; rays are read from CSV, NPY, NPZ with one array and Parquet";
        assert_eq!(told::<Ray>(bytes), format!("f: is {what}, {rays}"));
    }
    let told = told::<Ray>(&ply(&[], "ascii", "float"));
    assert!(
        told.starts_with("f: is a PLY mesh or point cloud, not rays; "),
        "{told}"
    );
}
