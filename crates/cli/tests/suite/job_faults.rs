//! Jobs that are refused, and faults in the middle of them.

use crate::common::Jobs;
#[cfg(unix)]
use std::process::{Command, Stdio};

const PARTS: [&str; 2] = ["--part-rows", "30"];

#[test]
fn another_job_in_the_folder_is_refused() {
    let jobs = Jobs::new(100);
    jobs.run("job", &PARTS).ok();
    let before = jobs.files("job");
    let told = |rest: &[&str]| jobs.run("job", &[&["--resume"], rest].concat()).fails(2);
    let other = |what: &str, there: &str, here: &str| {
        format!(
            "estoc: F/job: the job in this folder is another one: {what} is {there} there, but {here} now; \
             name another folder\n"
        )
    };
    assert_eq!(told(&[]), other("--part-rows", "30", "4194304"));
    let with = |rest: &[&str]| told(&[&PARTS[..], rest].concat());
    assert_eq!(
        with(&["--query", "any"]),
        other("--query", "closest", "any")
    );
    assert_eq!(
        with(&["--query", "first", "--k", "2"]),
        other("--query", "closest", "first")
    );
    assert_eq!(with(&["--cull", "back"]), other("--cull", "none", "back"));
    assert_eq!(
        with(&["--columns", "ray,t"]),
        other("--columns", "not given", "ray,t")
    );
    assert_eq!(with(&["--format", "npy"]), other("--format", "csv", "npy"));
    assert_eq!(
        with(&["--shard", "1/2"]),
        other("--shard", "not given", "1/2")
    );
    let verified = with(&["--verify-input"]);
    let expected = "there, but not compared (--verify-input) now; name another folder\n";
    assert!(verified.ends_with(expected), "{verified}");
    // Another mesh.
    let out = jobs.path("job");
    let mesh = ["cast", "demo:soup?n=9", "--rays", "F/rays.csv", "--resume"];
    let mesh = [&mesh[..], &PARTS, &["--out-dir", out.to_str().unwrap()]].concat();
    let told = jobs.estoc(&mesh).fails(2);
    assert!(
        told.contains("another one: the hash of the mesh and its masks is "),
        "{told}"
    );
    assert_eq!(
        jobs.run("job", &PARTS).fails(2),
        "estoc: F/job: a job was begun in this folder; add --resume to go on with it, or name another \
         folder\n"
    );
    assert_eq!(jobs.files("job"), before);
    // Another version of estoc.
    let manifest = String::from_utf8(before["_manifest.json"].clone()).unwrap();
    let place = manifest.find("\"estoc\": \"").unwrap() + 10;
    let mut older = manifest.clone();
    older.replace_range(place..place + 1, "#");
    jobs.put("job/_manifest.json", &older);
    let told = with(&[]);
    assert!(
        told.contains("another one: the version of estoc is #.1.0"),
        "{told}"
    );
    jobs.put("job/_manifest.json", &manifest);
    // Another input.
    let rays = std::fs::read_to_string(jobs.path("rays.csv")).unwrap();
    jobs.put("rays.csv", &rays.replace("r1,", "r01,"));
    let told = with(&[]);
    assert!(
        told.contains("another one: the length of the input rays.csv is "),
        "{told}"
    );
    let file = std::fs::File::options()
        .write(true)
        .open(jobs.path("rays.csv"))
        .unwrap();
    jobs.put("rays.csv", &rays);
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    let told = with(&[]);
    assert!(
        told.contains("the time of modification of the input rays.csv is "),
        "{told}"
    );
}

#[test]
fn verified_input_may_be_copied() {
    let jobs = Jobs::new(100);
    let args = [&PARTS[..], &["--verify-input"]].concat();
    jobs.run("job", &args).ok();
    let before = jobs.files("job");
    let file = std::fs::File::options()
        .write(true)
        .open(jobs.path("rays.csv"))
        .unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    std::fs::remove_file(jobs.path("job/part-00000001.csv")).unwrap();
    let resumed = jobs.run("job", &[&args[..], &["--resume"]].concat());
    assert_eq!(
        (resumed.status, &*resumed.stderr),
        (
            0,
            "estoc: F/job/part-00000001.csv: it is missing; the part is made again\n"
        )
    );
    assert_eq!(jobs.files("job"), before);
    let rays = std::fs::read_to_string(jobs.path("rays.csv")).unwrap();
    jobs.put("rays.csv", &rays.replace("r1,", "r2,"));
    let told = jobs
        .run("job", &[&args[..], &["--resume"]].concat())
        .fails(2);
    assert!(
        told.contains("another one: the hash of the input rays.csv is "),
        "{told}"
    );
}

#[test]
fn options_that_contradict_are_refused() {
    let jobs = Jobs::new(10);
    jobs.put("file", "");
    let told = |rest: &[&str]| jobs.run("job", rest).fails(2);
    assert_eq!(
        told(&["--out", "hits.csv"]),
        "estoc: --out-dir and --out contradict each other: the result is a folder of parts, or one file\n"
    );
    for (wrong, expected) in [
        (
            ["--shard", "0/2"],
            "\"0/2\" is not a shard K/N with K from 1 to N, such as 2/4",
        ),
        (["--shard", "3/2"], "\"3/2\" is not a shard"),
        (["--part-rows", "0"], "0 is not in 1.."),
        (["--explain", "--resume"], "cannot be used with"),
    ] {
        let told = told(&wrong);
        assert!(told.contains(expected), "{told}");
    }
    let cast = ["cast", jobs.mesh, "--rays", "F/rays.csv"];
    for option in [
        ["--resume"].as_slice(),
        &["--shard", "1/2"],
        &["--verify-input"],
    ] {
        let told = jobs.estoc(&[&cast[..], option].concat()).fails(2);
        assert!(told.contains("--out-dir <DIR>"), "{told}");
    }
    let told = jobs.run("file", &[]).fails(3);
    assert_eq!(told, "estoc: cannot create F/file: not a directory\n");
    std::fs::create_dir(jobs.path("full")).unwrap();
    jobs.put("full/mine.txt", "");
    let told = jobs.run("full", &["--resume"]).fails(2);
    let expected = "estoc: F/full: the folder holds \"mine.txt\", but no job; name an empty folder, or one \
                    that does not exist\n";
    assert_eq!(told, expected);
    let told = jobs.run("none/job", &[]).fails(3);
    assert!(
        told.starts_with("estoc: cannot create F/none/job: No such file"),
        "{told}"
    );
}

#[test]
fn merges_that_do_not_fit_are_refused() {
    let jobs = Jobs::new(100);
    jobs.run("one", &[&PARTS[..], &["--shard", "1/2"]].concat())
        .ok();
    jobs.run(
        "other",
        &[&PARTS[..], &["--shard", "2/2", "--query", "any"]].concat(),
    )
    .ok();
    let told = |args: &[&str]| jobs.estoc(&[&["merge"], args].concat());
    assert_eq!(
        told(&["F/one", "--out", "F/x.csv"]).fails(2),
        "estoc: part 1 is in none of the folders; name the folder of shard 2/2, too\n"
    );
    assert_eq!(
        told(&["F/one", "F/other", "--out", "F/x.csv"]).fails(2),
        "estoc: F/one and F/other hold parts of different jobs: --query is closest in the first of them, but \
         any in the second\n"
    );
    assert_eq!(
        told(&["F/none", "--out", "F/x.csv"]).fails(3),
        "estoc: F/none: there is no such folder; name folders that estoc cast --out-dir wrote\n"
    );
    assert_eq!(
        told(&["F/", "--out", "F/x.csv"]).fails(3),
        "estoc: F/: there is no _manifest.json in this folder; name folders that estoc cast --out-dir \
         wrote\n"
    );
    jobs.run("two", &[&PARTS[..], &["--shard", "2/2"]].concat())
        .ok();
    let both = ["F/one", "F/two"];
    assert_eq!(
        told(&[&both[..], &["--out", "F/x.csv", "--out-dir", "F/x"]].concat()).fails(2),
        "estoc: --out-dir and --out contradict each other: name one folder, or one file\n"
    );
    assert_eq!(
        told(&[&both[..], &["--out", "F/x.csv", "--json"]].concat()).status,
        2
    );
    let part = jobs.path("two/part-00000001.csv");
    std::fs::write(
        &part,
        std::fs::read_to_string(&part)
            .unwrap()
            .replace("31,", "32,"),
    )
    .unwrap();
    for out in [["--out", "F/x.csv"], ["--out-dir", "F/x"]] {
        let told = told(&[&both[..], &out].concat()).fails(3);
        assert!(
            told.starts_with("estoc: F/two/part-00000001.csv: its hash is "),
            "{told}"
        );
        assert!(
            told.ends_with("; run the command of its folder again with --resume\n"),
            "{told}"
        );
    }
    assert!(!jobs.path("x.csv").exists());
    // Stdout is the default.
    jobs.run(
        "two",
        &[&PARTS[..], &["--shard", "2/2", "--resume"]].concat(),
    );
    let text = told(&both).ok();
    assert_eq!(text.lines().count(), 101);
}

#[test]
fn a_line_that_cannot_be_read_leaves_the_parts_before_it() {
    let jobs = Jobs::new(100);
    jobs.run("whole", &PARTS).ok();
    let rays = std::fs::read_to_string(jobs.path("rays.csv")).unwrap();
    let line = rays.lines().nth(76).unwrap();
    jobs.put("rays.csv", &rays.replace(line, "r75,0,0,3,0,0,down"));
    for _ in 0..2 {
        let told = jobs
            .run("job", &[&PARTS[..], &["--resume"]].concat())
            .fails(3);
        assert_eq!(
            told,
            "estoc: F/rays.csv:77: dz is \"down\", which is not a number such as -1.5, 2e-3 or inf\n"
        );
        let (files, whole) = (jobs.files("job"), jobs.files("whole"));
        let names: Vec<&String> = files.keys().collect();
        let expected = [
            ".estoc-lock",
            "_journal.jsonl",
            "_manifest.json",
            "part-00000000.csv",
            "part-00000001.csv",
        ];
        assert_eq!(names, expected);
        for part in &expected[3..] {
            assert_eq!(files[*part], whole[*part]);
        }
    }
    let told = jobs.estoc(&["merge", "F/job", "--out", "F/x.csv"]).fails(3);
    assert_eq!(
        told,
        "estoc: F/job: its job is not complete; run its command again with --resume\n"
    );
}

/// The limit on the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_parts_before_it() {
    let jobs = Jobs::new(0);
    // Rows of misses are short; the second part has hits, and is more than 4 KiB long.
    let misses = "r,0,0,3,0,0,1\n".repeat(100);
    let hits = "r,0.1,0.2,3,0,0,-1\n".repeat(100);
    jobs.put(
        "rays.csv",
        &format!("id,ox,oy,oz,dx,dy,dz\n{misses}{hits}{misses}"),
    );
    let args = ["--part-rows", "100", "--resume"];
    jobs.run("whole", &args).ok();
    // Blocks of 512 bytes or of 1024: shells differ.
    let limited = |args: &[String]| {
        let script = "ulimit -f 4; exec \"$@\"";
        let mut command = Command::new("sh");
        command
            .args(["-c", script, "sh", env!("CARGO_BIN_EXE_estoc")])
            .args(args);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        (
            output.status.code(),
            told.replace(jobs.path("").to_str().unwrap(), "F/"),
        )
    };
    for _ in 0..2 {
        let (status, told) = limited(&jobs.args("job", &args));
        assert_eq!(status, Some(3), "{told}");
        assert_eq!(
            told,
            "estoc: cannot write F/job/part-00000001.csv, the part of rows 100 to 199: File too large\n"
        );
        let files = jobs.files("job");
        assert_eq!(
            files["part-00000000.csv"],
            jobs.files("whole")["part-00000000.csv"]
        );
        assert_eq!(files.len(), 4, "{:?}", files.keys());
    }
    jobs.run("job", &args).ok();
    assert_eq!(jobs.files("job"), jobs.files("whole"));
    // Merging likewise.
    let path = |name: &str| jobs.path(name).to_str().unwrap().to_owned();
    let merge = [
        "merge".to_owned(),
        path("job"),
        "--out-dir".to_owned(),
        path("merged"),
    ];
    let (status, told) = limited(&merge);
    assert_eq!(status, Some(3), "{told}");
    assert_eq!(
        told,
        "estoc: cannot write F/merged/part-00000001.csv, the part of rows 100 to 199: File too large\n"
    );
    let file = [
        "merge".to_owned(),
        path("job"),
        "--out".to_owned(),
        path("x.csv"),
    ];
    let (status, told) = limited(&file);
    assert_eq!(
        (status, &*told),
        (Some(3), "estoc: cannot write F/x.csv: File too large\n")
    );
    assert!(!jobs.path("x.csv").exists());
    jobs.estoc(&["merge", "F/job", "--out-dir", "F/merged", "--resume"])
        .ok();
    assert_eq!(jobs.files("merged"), jobs.files("whole"));
}

#[test]
fn results_do_not_replace_the_files_of_a_job() {
    let jobs = Jobs::new(100);
    jobs.run("job", &PARTS).ok();
    let before = jobs.files("job");
    for name in [
        ".estoc-lock",
        "_journal.jsonl",
        "part-00000001.csv",
        "part-00000099.csv",
    ] {
        let out = format!("F/job/../job/{name}");
        let told = jobs.estoc(&["merge", "F/job", "--out", &out]).fails(2);
        assert!(
            told.starts_with("estoc: --out ") && told.ends_with("; name another file\n"),
            "{told}"
        );
        let told = jobs.estoc(&["info", jobs.mesh, "--out", &out]).status;
        assert_eq!(told, 2);
    }
    let args = ["info", jobs.mesh, "--json", "--out", "F/job/_manifest.json"];
    let told = jobs.estoc(&args).stderr;
    assert_eq!(
        told,
        "estoc: --out F/job/_manifest.json: this is a file of the job in F/job; name another file\n"
    );
    assert_eq!(jobs.files("job"), before);
    jobs.estoc(&["merge", "F/job", "--out", "F/job/hits.csv"])
        .ok();
}

/// Opening a pipe would wait for a writer.
#[cfg(unix)]
#[test]
fn files_of_a_job_that_are_pipes_are_told() {
    let jobs = Jobs::new(100);
    for name in [
        ".estoc-lock",
        "_manifest.json",
        "_journal.jsonl",
        "part-00000001.csv",
    ] {
        jobs.run("job", &PARTS).ok();
        let path = jobs.path("job").join(name);
        let _ = std::fs::remove_file(&path);
        assert!(
            Command::new("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
        let told = jobs
            .run("job", &[&PARTS[..], &["--resume"]].concat())
            .fails(3);
        let problem = format!(
            "F/job/{name}: it is a named pipe; remove it, or put an ordinary file in its place\n"
        );
        assert!(told.ends_with(&problem), "{told}");
        let merged = jobs.estoc(&["merge", "F/job", "--out", "F/x.csv"]);
        // A complete job has no journal.
        if name != "_journal.jsonl" {
            let told = merged.fails(3);
            assert!(told.ends_with(&problem), "{told}");
        }
        std::fs::remove_dir_all(jobs.path("job")).unwrap();
    }
}
