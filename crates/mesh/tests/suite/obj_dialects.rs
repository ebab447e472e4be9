//! Text in different dialects, and bytes that are not text.

use crate::common::model::{Model, corners_of, model, plain, runner};
use estoc_core::PrimId;
use estoc_mesh::{BadFaces, ObjLoader};
use proptest::prelude::*;

/// Returns the model in the dialect that the bytes of `choices` select.
fn in_dialect(model: &Model, choices: &[u8]) -> Vec<u8> {
    let mut choices = choices.iter().cycle();
    let mut choose = |n: usize| usize::from(*choices.next().unwrap()) % n;
    let mut text = Vec::new();
    let blanks = [" ", "\t", "  ", "\x0b", " \\\n", "\\ \t\r\n ", "\x0c"];
    let ends = [
        "\n",
        "\r\n",
        "\r",
        " \n",
        "# end\n",
        " # f 9 9\r\n",
        "\n\n",
        "\t\r",
    ];
    let others = [
        "",
        "",
        "",
        "# v 1 2 3\n",
        "g a b\n",
        "o caf\u{e9}\r",
        "usemtl m # 2\n",
        "s 1\n",
        "l 1 2\n",
        "vt 0 0\n",
        "vn 0 0 1\n",
        "p 1\n",
        "f 1 2\n",
        "# folder\\\n",
        "vp 1\n",
        "\n",
    ];
    if choose(4) == 0 {
        text.extend(b"\xef\xbb\xbf");
    }
    text.extend(model.definitions().bytes());
    let line = |text: &mut Vec<u8>, choose: &mut dyn FnMut(usize) -> usize, words: &[String]| {
        for (i, word) in words.iter().enumerate() {
            if i > 0 {
                text.extend(blanks[choose(blanks.len())].bytes());
            }
            text.extend(word.bytes());
        }
        text.extend(ends[choose(ends.len())].bytes());
        text.extend(others[choose(others.len())].bytes());
    };
    // Faces may precede or alternate with the vertices they refer to.
    let mut faces = model.faces.iter().enumerate();
    let mut write_face =
        |text: &mut Vec<u8>, choose: &mut dyn FnMut(usize) -> usize, seen: usize| {
            let Some((number, face)) = faces.next() else {
                return;
            };
            let mut words = vec!["f".to_owned()];
            for (place, &corner) in face.iter().enumerate() {
                let index = match choose(2) {
                    0 if corner < seen => format!("{}", corner as i64 - seen as i64),
                    _ => format!("{}", corner + 1),
                };
                let mut attributes = model.attributes(number, place);
                // Slashes without an index after them have no meaning.
                let more = 2 - attributes.matches('/').count();
                attributes.push_str(&"//"[..choose(more + 1)]);
                words.push(index + &attributes);
            }
            line(text, choose, &words);
        };
    for (seen, position) in model.positions.iter().enumerate() {
        if choose(5) == 0 {
            write_face(&mut text, &mut choose, seen);
        }
        let mut words = vec!["v".to_owned()];
        words.extend(position.iter().cloned());
        let extra = ["", "", "1", "0.5 0.5 nan", "1 0 0 1"][choose(5)];
        words.extend(extra.split_whitespace().map(str::to_owned));
        line(&mut text, &mut choose, &words);
    }
    for _ in &model.faces {
        write_face(&mut text, &mut choose, model.positions.len());
    }
    while text.last().is_some_and(|&byte| byte == b'\n') && choose(2) == 0 {
        text.pop();
    }
    text
}

#[test]
fn dialects_say_the_same() {
    let choices = proptest::collection::vec(any::<u8>(), 1..400);
    runner(3000, 2)
        .run(&(model(), choices), |(model, choices)| {
            let expected = ObjLoader::new()
                .read(plain(&model).as_bytes(), "plain")
                .unwrap();
            let text = in_dialect(&model, &choices);
            let shown = || String::from_utf8_lossy(&text).into_owned();
            let mesh = match ObjLoader::new().read(&text, "dialect") {
                Ok(mesh) => mesh,
                Err(error) => return Err(TestCaseError::fail(format!("{error}: {:?}", shown()))),
            };
            prop_assert_eq!(mesh.positions(), expected.positions(), "{:?}", shown());
            prop_assert_eq!(mesh.indices(), expected.indices(), "{:?}", shown());
            for index in 0..mesh.triangle_count() {
                let prim = PrimId::from_index(index).unwrap();
                let corners = corners_of(&mesh, prim);
                prop_assert_eq!(corners, corners_of(&expected, prim), "{:?}", shown());
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn arbitrary_bytes_never_panic() {
    let byte = prop_oneof![
        any::<u8>(),
        proptest::sample::select(b"vf 1230-./#\\\n\r\tgout".to_vec()),
    ];
    runner(20_000, 3)
        .run(&proptest::collection::vec(byte, 0..200), |text| {
            for policy in [BadFaces::Reject, BadFaces::Skip] {
                if let Ok(mesh) = ObjLoader::new().bad_faces(policy).read(&text, "bytes") {
                    let vertices = mesh.positions().len() as u32;
                    prop_assert!(mesh.indices().iter().flatten().all(|&i| i < vertices));
                    prop_assert!(mesh.triangles().all(|triangle| triangle.is_finite()));
                }
            }
            Ok(())
        })
        .unwrap();
}
