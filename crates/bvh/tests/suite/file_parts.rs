//! Parts of the tree file code, each on its own.

mod body {
    use estoc_bvh::internals::file::progress::FileWork;
    use estoc_bvh::internals::file::section_bytes::in_blocks;
    use estoc_bvh::{TreeFileError, TreeSection as Kind};
    use estoc_core::CancelToken;
    use rayon::prelude::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const BLOCKS: usize = 1000;

    /// Returns the result of blocks some of which fail, and the number of blocks processed.
    fn run(
        threads: usize,
        token: &CancelToken,
        each: impl Fn(usize) -> Result<(), TreeFileError> + Sync,
    ) -> (Result<(), TreeFileError>, usize) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let looked_at = AtomicUsize::new(0);
        let work = FileWork::new("file", Some(token), None, 0);
        let result = pool.build().unwrap().install(|| {
            in_blocks(&work, (0..BLOCKS).into_par_iter(), |number, block| {
                assert_eq!(number, block);
                looked_at.fetch_add(1, Ordering::Relaxed);
                each(number)
            })
        });
        (result, looked_at.into_inner())
    }

    fn damaged(from: usize) -> Result<(), TreeFileError> {
        Err(TreeFileError::Damaged {
            file: "file".into(),
            section: Kind::Nodes,
            from: from as u64,
            to: BLOCKS as u64,
        })
    }

    #[test]
    fn the_first_damage_is_told_and_what_follows_it_is_left() {
        for threads in [1, 2, 3] {
            let (result, looked_at) = run(threads, &CancelToken::new(), |number| match number {
                7 | 400 | 990 => damaged(number),
                _ => Ok(()),
            });
            let error = result.unwrap_err();
            let first = matches!(error, TreeFileError::Damaged { from: 7, .. });
            assert!(first, "{error}");
            // A single thread takes them in order.
            assert!(looked_at >= 8 && (threads > 1 || looked_at == 8));
        }
    }

    #[test]
    fn after_the_token_is_raised_no_block_is_looked_at() {
        let token = CancelToken::new();
        let (result, looked_at) = run(1, &token, |number| {
            if number == 20 {
                token.cancel();
            }
            Ok(())
        });
        assert!(matches!(result, Err(TreeFileError::Cancelled { .. })));
        assert_eq!(looked_at, 21);
        let (result, looked_at) = run(2, &CancelToken::new(), |_| Ok(()));
        assert!(result.is_ok() && looked_at == BLOCKS);
    }
}

mod names {
    use estoc_bvh::TreeSection as Kind;
    use estoc_bvh::internals::file::triangle_origin::Names;
    use estoc_system::Arena;

    #[test]
    fn stretches_of_faces_that_do_not_go_up_are_refused() {
        let check = |faces: &[[u64; 3]]| {
            let faces = Arena::of(faces.to_vec());
            let names = Names {
                faces,
                ..Names::default()
            };
            names.check(4, Some(9)).map_err(|(kind, at, _)| (kind, at))
        };
        let second = Err((Kind::Faces, 1));
        assert_eq!(check(&[[0, 3, 1], [1, 4, 2], [3, 8, 1]]), Ok(()));
        // The same face twice, one within the stretch before, and one that is too high.
        assert_eq!(check(&[[0, 3, 1], [1, 3, 1]]), second);
        assert_eq!(check(&[[0, 3, 1], [2, 4, 2]]), second);
        assert_eq!(check(&[[0, 3, 1], [1, 7, 1]]), second);
    }
}

mod text {
    use estoc_bvh::internals::file::encoded_names::Text;
    use estoc_mesh::Material;

    fn example() -> Text {
        let mut material = Material::default();
        material.name = "Marmor \u{2764}".into();
        material.defined = true;
        material.diffuse = Some([0.5, -0.0, 1e-40]);
        material.shininess = Some(3.0);
        material.illumination_model = Some(7);
        material.normal_texture = Some("-bm 2 rough.png".into());
        Text {
            writer: "estoc".into(),
            source: Some("a/b.obj".into()),
            objects: vec!["".into(), "wall".into()],
            groups: vec![],
            materials: vec![Material::default(), material],
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in [Text::default(), example()] {
            assert_eq!(Text::read(&text.to_bytes()), Ok(text));
        }
    }

    #[test]
    fn no_name_talks_to_a_terminal() {
        let rude = "a\x1b[2Jb\nc\u{9b}d";
        let mut material = Material::default();
        material.name = rude.into();
        material.diffuse_texture = Some(rude.into());
        let text = Text {
            writer: rude.into(),
            source: Some(rude.into()),
            objects: vec![rude.into()],
            groups: vec![rude.into()],
            materials: vec![material],
        };
        let read = Text::read(&text.to_bytes()).unwrap();
        assert_eq!(read.source.as_deref(), Some("a [2Jb c d"));
        let told = [&read.writer, &read.objects[0], &read.groups[0]];
        assert_eq!(told, ["a [2Jb c d"; 3]);
        assert_eq!(read.materials[0].name, "a [2Jb c d");
        let texture = read.materials[0].diffuse_texture.as_deref();
        assert_eq!(texture, Some("a [2Jb c d"));
    }

    #[test]
    fn what_is_cut_off_or_goes_on_is_refused() {
        let bytes = example().to_bytes();
        for len in 0..bytes.len() {
            assert!(Text::read(&bytes[..len]).is_err(), "{len}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(
            Text::read(&longer),
            Err((bytes.len(), "1 byte after the last list".into()))
        );
    }

    #[test]
    fn lengths_are_believed_only_as_far_as_there_are_bytes() {
        let mut bytes = Text::default().to_bytes();
        bytes[..8].copy_from_slice(&u64::MAX.to_le_bytes());
        let (at, problem) = Text::read(&bytes).unwrap_err();
        assert_eq!(at, 8);
        assert!(problem.starts_with("a length of 18446744073709551615, with "));
    }
}
