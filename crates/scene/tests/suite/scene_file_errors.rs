//! Scene files that cannot be used: every message names the line and the value.

use estoc_core::ScenePath;
use estoc_scene::{DemoScene, SceneFile, SceneFileError};
use estoc_testkit::generate::Rng;
use estoc_testkit::name_path;
use std::path::Path;

fn problem(text: &str) -> String {
    SceneFile::parse(text, "bad.toml").unwrap_err().to_string()
}

const OBJECT: &str = "[[object]]\nname = 'a'\nmesh = 'a.obj'\n";

#[test]
fn errors_name_the_line_and_the_value() {
    let placed = |line: &str| problem(&format!("{OBJECT}[[placement]]\nobject = 'a'\n{line}\n"));
    let object = |line: &str| problem(&format!("[[object]]\nname = 'a'\n{line}\n"));
    #[rustfmt::skip]
    let cases = [
        (problem("[[object]\nname = 1"),
         "bad.toml:1: invalid TOML: unclosed array table, expected `]`"),
        (problem("\n[scene]\n"),
         "bad.toml:2: a scene file has no key \"scene\": its keys are [[object]] and [[placement]]"),
        (object("ball = [[0, 0, 0, 1]]"),
         "bad.toml:3: [[object]] has no key \"ball\": its keys are name, mesh, precision, scene, spheres and boxes"),
        (placed("\nb = 1\nmatrx = []"),
         "bad.toml:7: [[placement]] has no key \"b\": its keys are object, matrix, \
             translation, rotation, scale, name, mask and reversed"),
        (problem("[[object]]\nmesh = 'a.obj'"), "bad.toml:1: [[object]] needs the key name"),
        (object(""), "bad.toml:1: [[object]] needs the key mesh, scene, spheres or boxes"),
        (object("mesh = 'a.obj'\nscene = 'b.toml'"),
         "bad.toml:4: the object \"a\" has both a mesh and a scene; remove one of them"),
        (object("scene = 'b.toml'\nboxes = []"),
         "bad.toml:1: the object \"a\" has both a scene and shapes; remove one of them"),
        (object("mesh = 'b.toml'"),
         "bad.toml:3: \"b.toml\" is a scene, not a mesh; write scene = \"b.toml\""),
        (object("mesh = 'demo:city?n=5'"),
         "bad.toml:3: \"demo:city?n=5\" is a scene, not a mesh; write scene = \"demo:city?n=5\""),
        (object("mesh = 'demo:sphere?m=5'"),
         "bad.toml:3: \"demo:sphere?m=5\": the demo scene sphere has no key \"m\": its keys are n and \
             seed"),
        (object("scene = 'demo:town'"),
         "bad.toml:3: \"demo:town\": there is no generated scene \"town\": choose one of city, pick"),
        (object("mesh = 5"), "bad.toml:3: mesh must be a string, not the integer 5"),
        (problem("object = 5"),
         "bad.toml:1: object must be tables, each begun by its name in double brackets, not the \
             integer 5"),
        (problem("[[placement]]\nname = 'x'"), "bad.toml:1: [[placement]] needs the key object"),
        (problem("[[placement]]\n\nobject = 'x'"),
         "bad.toml:3: there is no object \"x\": the file has none; add an [[object]]"),
        (problem(&format!("{OBJECT}[[placement]]\nobject = 'x'")),
         "bad.toml:5: there is no object \"x\": use the name of one of the file's, such as \"a\""),
        (problem(&format!("{OBJECT}{OBJECT}")),
         "bad.toml:4: the object on line 1 has the name \"a\", too; give one another name"),
        (placed("matrix = [1, 2,\n3]"),
         "bad.toml:6: the matrix has 3 numbers, but needs 12: three rows, each of three factors and \
             the translation along one axis"),
        (placed("matrix = 'one'"),
         "bad.toml:6: matrix must be an array of numbers, not the string \"one\""),
        (placed("matrix = [1,\n[2]]"),
         "bad.toml:7: matrix must be an array of numbers, not one with an array"),
        (placed("matrix = [1,0,0,0,\n0,1,nan,0,\n0,0,1,0]"),
         "bad.toml:7: the matrix's entry in row 1, column 2 (from 0) is NaN but must be finite"),
        (placed("matrix = [1,0,0,0, 0,1,0,0, 0,0,1,-1e999]"),
         "bad.toml:6: the matrix's entry in row 2, column 3 (from 0) is -inf but must be finite"),
        (placed("matrix = [1,0,0,0, 0,1,0,0, 0,1,0,0]"),
         "bad.toml:6: the matrix flattens space (its determinant is 0), so it has no inverse: use \
             nonzero scales on all axes"),
        (placed("scale = [2, 2, 2]\nmatrix = [1,0,0,0, 0,1,0,0, 0,0,1,0]"),
         "bad.toml:6: the placement has both matrix and scale; remove one of them: it is placed by matrix, \
             or by translation, rotation and scale"),
        (placed("translation = [1, 2]"),
         "bad.toml:6: translation must be three finite numbers, as in [0, 0, 1.5], not an array of 2"),
        (placed("scale = 2"),
         "bad.toml:6: scale must be three finite numbers, as in [0, 0, 1.5], not the integer 2"),
        (placed("scale = [1,\n'2', 3]"),
         "bad.toml:7: scale must be three finite numbers, as in [0, 0, 1.5], not one with the string \"2\""),
        (placed("rotation = [0, 90, 0]"),
         "bad.toml:6: rotation must be four finite numbers, the quaternion x, y, z, w, as in [0, 0, 0, 1], \
             not an array of 3"),
        (placed("rotation = [0, 0, nan, 1]"),
         "bad.toml:6: rotation must be four finite numbers, the quaternion x, y, z, w, as in [0, 0, 0, 1], \
             not one with the number nan"),
        (placed("translation = [0, 0, 1e999]"),
         "bad.toml:6: translation must be three finite numbers, as in [0, 0, 1.5], not one with the number \
             1e999"),
        (placed("scale = [1, 1, 1]\nrotation = [0, 0, -0.0, 0]"),
         "bad.toml:7: the rotation [0.0, 0.0, -0.0, 0.0] must be a quaternion x, y, z, w of finite numbers \
             that are not all 0; use [0, 0, 0, 1] for none"),
        (placed("rotation = [0, 0, 0, 1]\nscale = [1, 0, 1]"),
         "bad.toml:7: the matrix flattens space (its determinant is 0), so it has no inverse: use \
             nonzero scales on all axes"),
        (placed("mask = -1"),
         "bad.toml:6: mask must be a whole number from 0 to 4294967295, not the integer -1"),
        (placed("mask = 0x1_0000_0000"),
         "bad.toml:6: mask must be a whole number from 0 to 4294967295, not the integer 0x100000000"),
        (placed("reversed = 1"), "bad.toml:6: reversed must be true or false, not the integer 1"),
        (placed("name = 2020-01-02"), "bad.toml:6: name must be a string, not the date 2020-01-02"),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn generated_scenes_have_their_keys() {
    let problem = |line: &str| line.parse::<DemoScene>().unwrap_err().to_string();
    let expected = "the generated scene city has no key \"time\": its keys are n and seed";
    assert_eq!(problem("city?time=1"), expected);
    let expected = "the key \"n\" is given twice; remove one of them";
    assert_eq!(problem("city?n=3&n=4"), expected);
    for bad in ["0", "-1", "1e3", "", "1000001", "99999999999999999999"] {
        let expected = format!("n={bad:?} is not a whole number from 1 to 1000000");
        assert_eq!(problem(&format!("city?n={bad}")), expected);
    }
    for bad in ["inf", "nan", "x", "1e999"] {
        let found = problem(&format!("pick?time={bad}"));
        assert!(
            found.ends_with("is not a finite number of seconds"),
            "{found}"
        );
    }
}

fn load(folder: &Path, name: &str) -> String {
    let file = SceneFile::load(folder.join(name));
    let error = match file {
        Ok(file) => file.build().unwrap_err(),
        Err(error) => error,
    };
    told(&error, folder)
}

/// Returns the text of an error, in which F stands for a folder.
fn told(error: &SceneFileError, folder: &Path) -> String {
    name_path(&error.to_string(), folder, "F")
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    let missing = std::fs::read(folder.join("none.toml")).unwrap_err();
    assert_eq!(load(folder, "none.toml"), format!("F/none.toml: {missing}"));
    put("latin.toml", b"# one\n# two \xe9\n");
    let expected = "F/latin.toml:2: invalid TOML: the text is not UTF-8; save it as UTF-8";
    assert_eq!(load(folder, "latin.toml"), expected);
    put("broken.obj", b"v 0 0 0\nf 1 2 3\n");
    #[rustfmt::skip]
    let cases = [
        ("mesh.toml", "mesh = 'none.obj'", "F/mesh.toml:1: F/none.obj: "),
        ("broken.toml", "mesh = 'broken.obj'", "F/broken.toml:1: F/broken.obj:2: vertex index 2"),
        ("nested.toml", "scene = 'none.toml'", "F/nested.toml:1: \"F/none.toml\": "),
        ("outer.toml", "scene = 'latin.toml'", "F/latin.toml:2: "),
        ("folder.toml", "scene = '.'", "F/folder.toml:1: \"F/.\": "),
    ];
    for (name, source, expected) in cases {
        let text = format!("[[object]]\nname = 'a'\n{source}\n[[placement]]\nobject = 'a'\n");
        put(name, text.as_bytes());
        let found = load(folder, name);
        assert!(found.starts_with(expected), "{found}");
    }
    // Limits of size hold for nested files, too.
    let long = folder.join("outer.toml");
    let length = std::fs::metadata(&long).unwrap().len();
    let too_large = SceneFile::load_at_most(&long, length - 1).unwrap_err();
    let expected = format!(
        "F/outer.toml: has more than {} bytes; nest scene files, or raise the limit with \
         SceneFile::load_at_most",
        length - 1
    );
    assert_eq!(told(&too_large, folder), expected);
    put("latin.toml", " ".repeat(500).as_bytes());
    let file = SceneFile::load_at_most(&long, length).unwrap();
    let nested = file.build().unwrap_err().to_string();
    assert!(nested.contains("latin.toml: has more than"), "{nested}");
}

#[test]
fn cycles_and_depth_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let put = |name: &str, source: &str, factor: &str| {
        let text = format!(
            "[[object]]\nname = 'a'\n{source}\n\n[[placement]]\nobject = 'a'\n\
             matrix = [{factor},0,0,0, 0,{factor},0,0, 0,0,{factor},0]"
        );
        std::fs::write(folder.join(name), text).unwrap();
    };
    put("self.toml", "scene = 'self.toml'", "1");
    assert_eq!(
        load(folder, "self.toml"),
        "F/self.toml:1: the scene contains itself: \"F/self.toml\" > \"F/self.toml\"; remove one of these \
         objects"
    );
    put("start.toml", "scene = 'ping.toml'", "1");
    put("ping.toml", "scene = 'pong.toml'", "1");
    put("pong.toml", "scene = 'ping.toml'", "1");
    assert_eq!(
        load(folder, "start.toml"),
        "F/pong.toml:1: the scene contains itself: \"F/ping.toml\" > \"F/pong.toml\" > \"F/ping.toml\"; remove \
         one of these objects"
    );
    let deepest = ScenePath::MAX_DEPTH;
    put("1.toml", "mesh = 'demo:box'", "1");
    for depth in 2..=deepest + 1 {
        let source = format!("scene = '{}.toml'", depth - 1);
        put(&format!("{depth}.toml"), &source, "1");
    }
    let file = SceneFile::load(folder.join(format!("{deepest}.toml"))).unwrap();
    assert_eq!(file.build().unwrap().snapshot().depth(), deepest);
    assert_eq!(
        load(folder, &format!("{}.toml", deepest + 1)),
        "F/2.toml:1: scenes nest at most 8 deep, and \"F/1.toml\" would be one more; join some levels"
    );
    // Each matrix is fine, but not all composed.
    put("1.toml", "mesh = 'demo:box'", "1e200");
    put("2.toml", "scene = '1.toml'", "1e200");
    let found = load(folder, "2.toml");
    let expected = "F/2.toml:5: the matrices cannot be composed at ScenePath(0)";
    assert!(found.starts_with(expected), "{found}");
}

/// Nothing panics, whatever the text.
#[test]
fn hostile_texts_are_refused() {
    let deep = |open: &str, close: &str| {
        let [open, close] = [open, close].map(|piece| piece.repeat(100_000));
        format!("[[placement]]\nmatrix = {open}{close}")
    };
    let dotted = format!("[[object]]\n{}b = 1", "a.".repeat(100_000));
    let header = format!("[{}b]", "a.".repeat(100_000));
    let matrices = [("[", "]"), ("{a=", "}"), ("[", "")].map(|(open, close)| deep(open, close));
    for text in matrices.into_iter().chain([dotted, header]) {
        let found = problem(&text);
        assert!(found.contains("invalid TOML"), "{found}");
    }
    let good = "[[object]]\nname = 'a'\nmesh = 'demo:box'\n[[object]]\nname = \"b\"\nscene = \
                'demo:pick?time=1.5'\n\n[[placement]]\nobject = 'a'\nmask = 0x1F\nmatrix = [1, 0, 0, \
                0.5,\n 0, 1e0, 0, 0, 0, 0, -1.25, 3_0]\nreversed = true # mirrored\n[[object]]\nname = 'c'\nspheres = [{ center = [0, -1, 2], radius = \
                3 }]\nboxes = [{ min = [0, 0, 0], max = [1, 1, 1] }, { center = [0, 0, 0], half_sizes = \
                [1, 2, 3], axes = [[0, 1, 0], [0, 0, 1], [1, 0, 0]] }]\n[[placement]]\nobject = 'a'\n\
                translation = [1, -2e3, 3]\nrotation = [0, 0.7, 0, 1]\nscale = [2, -1, 0.5]\n";
    let pieces = [
        "[", "]", "[[", "\"", "'", "=", "\n", ",", "nan", "1e9", ".", "{", "}", "#", "\u{e9}",
    ];
    let mut rng = Rng::named(3, "scene files");
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..3_000 {
        let mut text: Vec<char> = good.chars().collect();
        for _ in 0..rng.int(1, 4) {
            let at = rng.int(0, text.len() as i32 - 1) as usize;
            match rng.int(0, 3) {
                0 => drop(text.remove(at)),
                1 => text.swap(at, 0),
                2 => text.truncate(at + 1),
                _ => drop(text.splice(at..at, rng.pick(&pieces).chars())),
            }
        }
        let text: String = text.into_iter().collect();
        match SceneFile::parse(&text, "bad.toml") {
            Ok(file) => {
                right += 1;
                let again = SceneFile::parse(&file.to_string(), "again.toml");
                assert_eq!(again.unwrap(), file);
            }
            Err(error) => {
                wrong += 1;
                let told = error.to_string();
                assert!(told.starts_with("bad.toml:"), "{told}");
                assert!(!told.contains(char::is_control), "{told}");
            }
        }
    }
    assert!(right > 100 && wrong > 1000, "{right} {wrong}");
}
