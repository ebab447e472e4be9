//! Jobs that are refused, and faults in the middle of them.

use crate::common::{Jobs, assert_has};
#[cfg(unix)]
use std::process::{Command, Stdio};

const PARTS: &str = "--part-rows 30";

#[test]
fn another_job_in_the_folder_is_refused() {
    let jobs = Jobs::new(100);
    jobs.run("job", PARTS).ok();
    let before = jobs.files("job");
    let told = |rest: &str| jobs.run("job", &format!("--resume {rest}")).fails(2);
    let with = |rest: &str| told(&format!("{PARTS} {rest}"));
    let other = |what: &str, there: &str, here: &str| {
        format!(
            "estoc: F/job: the job in this folder is another one: {what} is {there} there, but {here} now; \
             name another folder\n"
        )
    };
    assert_eq!(told(""), other("--part-rows", "30", "4194304"));
    for (rest, what, there, here) in [
        ("--query any", "--query", "closest", "any"),
        ("--query first --k 2", "--query", "closest", "first"),
        ("--cull back", "--cull", "none", "back"),
        ("--columns ray,t", "--columns", "not given", "ray,t"),
        ("--format npy", "--format", "csv", "npy"),
        ("--shard 1/2", "--shard", "not given", "1/2"),
    ] {
        assert_eq!(with(rest), other(what, there, here));
    }
    let verified = with("--verify-input");
    let expected = "there, but not compared (--verify-input) now; name another folder\n";
    assert!(verified.ends_with(expected), "{verified}");
    // Another mesh.
    let line = format!("cast demo:soup?n=9 --rays F/rays.csv --resume {PARTS} --out-dir F/job");
    let told = "another one: the hash of the mesh and its masks is ";
    jobs.estoc(&line).fails_with(2, told);
    assert_eq!(
        jobs.run("job", PARTS).fails(2),
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
    let told = format!(
        "another one: the version of estoc is #{}",
        &env!("CARGO_PKG_VERSION")[1..]
    );
    assert_has(&with(""), &told);
    jobs.put("job/_manifest.json", &manifest);
    // Another input.
    let rays = jobs.folder.read("rays.csv");
    jobs.put("rays.csv", &rays.replace("r1,", "r01,"));
    assert_has(
        &with(""),
        "another one: the length of the input rays.csv is ",
    );
    jobs.put("rays.csv", &rays);
    touch(&jobs);
    assert_has(
        &with(""),
        "the time of modification of the input rays.csv is ",
    );
}

/// Gives the file of rays another time of modification.
fn touch(jobs: &Jobs) {
    let mut options = std::fs::File::options();
    let file = options.write(true).open(jobs.path("rays.csv")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
}

#[test]
fn verified_input_may_be_copied() {
    let jobs = Jobs::new(100);
    let args = format!("{PARTS} --verify-input");
    jobs.run("job", &args).ok();
    let before = jobs.files("job");
    touch(&jobs);
    std::fs::remove_file(jobs.path("job/part-00000001.csv")).unwrap();
    let resume = || jobs.run("job", &format!("{args} --resume"));
    let resumed = resume();
    let told = "estoc: F/job/part-00000001.csv: it is missing; the part is made again\n";
    assert_eq!((resumed.status, &*resumed.stderr), (0, told));
    assert_eq!(jobs.files("job"), before);
    let rays = jobs.folder.read("rays.csv");
    jobs.put("rays.csv", &rays.replace("r1,", "r2,"));
    resume().fails_with(2, "another one: the hash of the input rays.csv is ");
}

#[test]
fn options_that_contradict_are_refused() {
    let jobs = Jobs::new(10);
    jobs.put("file", "");
    let told = |rest: &str| jobs.run("job", rest).fails(2);
    assert_eq!(
        told("--out hits.csv"),
        "estoc: --out-dir and --out contradict each other: the result is a folder of parts, or one file\n"
    );
    for (wrong, expected) in [
        (
            "--shard 0/2",
            "\"0/2\" is not a shard K/N with K from 1 to N, such as 2/4",
        ),
        ("--shard 3/2", "\"3/2\" is not a shard"),
        ("--part-rows 0", "0 is not in 1.."),
        ("--explain --resume", "cannot be used with"),
    ] {
        assert_has(&told(wrong), expected);
    }
    for option in ["--resume", "--shard 1/2", "--verify-input"] {
        let line = format!("cast {} --rays F/rays.csv {option}", jobs.mesh);
        jobs.estoc(&line).fails_with(2, "--out-dir <DIR>");
    }
    let told = jobs.run("file", "").fails(3);
    assert_eq!(told, "estoc: cannot create F/file: not a directory\n");
    jobs.put("full/mine.txt", "");
    let told = jobs.run("full", "--resume").fails(2);
    let expected = "estoc: F/full: the folder holds \"mine.txt\", but no job; name an empty folder, or one \
                    that does not exist\n";
    assert_eq!(told, expected);
    let told = jobs.run("none/job", "").fails(3);
    let start = "estoc: cannot create F/none/job: ";
    assert!(told.starts_with(start), "{told}");
}

#[test]
fn merges_that_do_not_fit_are_refused() {
    let jobs = Jobs::new(100);
    let shard = |name: &str, rest: &str| jobs.run(name, &format!("{PARTS} --shard {rest}"));
    shard("one", "1/2").ok();
    shard("other", "2/2 --query any").ok();
    let merge = |rest: &str| jobs.estoc(&format!("merge {rest}"));
    for (line, status, expected) in [
        (
            "F/one --out F/x.csv",
            2,
            "estoc: part 1 is in none of the folders; name the folder of shard 2/2, too\n",
        ),
        (
            "F/one F/other --out F/x.csv",
            2,
            "estoc: F/one and F/other hold parts of different jobs: --query is closest in the first of \
             them, but any in the second\n",
        ),
        (
            "F/none --out F/x.csv",
            3,
            "estoc: F/none: there is no such folder; name folders that estoc cast --out-dir wrote\n",
        ),
        (
            "F/ --out F/x.csv",
            3,
            "estoc: F/: there is no _manifest.json in this folder; name folders that estoc cast \
             --out-dir wrote\n",
        ),
    ] {
        assert_eq!(merge(line).fails(status), expected);
    }
    shard("two", "2/2").ok();
    assert_eq!(
        merge("F/one F/two --out F/x.csv --out-dir F/x").fails(2),
        "estoc: --out-dir and --out contradict each other: name one folder, or one file\n"
    );
    assert_eq!(merge("F/one F/two --out F/x.csv --json").status, 2);
    let part = "two/part-00000001.csv";
    jobs.put(part, &jobs.folder.read(part).replace("31,", "32,"));
    for out in ["--out F/x.csv", "--out-dir F/x"] {
        let told = merge(&format!("F/one F/two {out}")).fails(3);
        let start = "estoc: F/two/part-00000001.csv: its hash is ";
        assert!(told.starts_with(start), "{told}");
        let end = "; run the command of its folder again with --resume\n";
        assert!(told.ends_with(end), "{told}");
    }
    assert!(!jobs.path("x.csv").exists());
    // Stdout is the default.
    shard("two", "2/2 --resume");
    let text = merge("F/one F/two").ok();
    assert_eq!(text.lines().count(), 101);
}

#[test]
fn a_line_that_cannot_be_read_leaves_the_parts_before_it() {
    let jobs = Jobs::new(100);
    jobs.run("whole", PARTS).ok();
    let rays = jobs.folder.read("rays.csv");
    let line = rays.lines().nth(76).unwrap();
    jobs.put("rays.csv", &rays.replace(line, "r75,0,0,3,0,0,down"));
    for _ in 0..2 {
        let told = jobs.run("job", &format!("{PARTS} --resume")).fails(3);
        let expected = "estoc: F/rays.csv:77: dz is \"down\", which is not a number such as -1.5, 2e-3 or inf\n";
        assert_eq!(told, expected);
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
    let told = jobs.estoc("merge F/job --out F/x.csv").fails(3);
    let expected = "estoc: F/job: its job is not complete; run its command again with --resume\n";
    assert_eq!(told, expected);
}

/// The limit on the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_parts_before_it() {
    let jobs = Jobs::new(0);
    // Rows of misses are short; the second part has hits, and is more than 4 KiB long.
    let misses = "r,0,0,3,0,0,1\n".repeat(100);
    let hits = "r,0.1,0.2,3,0,0,-1\n".repeat(100);
    let text = format!("id,ox,oy,oz,dx,dy,dz\n{misses}{hits}{misses}");
    jobs.put("rays.csv", &text);
    let args = "--part-rows 100 --resume";
    jobs.run("whole", args).ok();
    // Blocks of 512 bytes or of 1024: shells differ.
    let limited = |line: &str| {
        let script = "ulimit -f 4; exec \"$@\"";
        let output = Command::new("sh")
            .args(["-c", script, "sh", env!("CARGO_BIN_EXE_estoc")])
            .args(jobs.folder.words(line))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{told}");
        told.replace(&jobs.folder.path(""), "F/")
    };
    let too_large = |folder: &str| {
        format!(
            "estoc: cannot write F/{folder}/part-00000001.csv, the part of rows 100 to 199: File too \
             large\n"
        )
    };
    let first = "part-00000000.csv";
    for _ in 0..2 {
        assert_eq!(limited(&jobs.line("job", args)), too_large("job"));
        let files = jobs.files("job");
        assert_eq!(files[first], jobs.files("whole")[first]);
        assert_eq!(files.len(), 4, "{:?}", files.keys());
    }
    jobs.run("job", args).ok();
    assert_eq!(jobs.files("job"), jobs.files("whole"));
    // Merging likewise.
    let told = limited("merge F/job --out-dir F/merged");
    assert_eq!(told, too_large("merged"));
    let told = limited("merge F/job --out F/x.csv");
    assert_eq!(told, "estoc: cannot write F/x.csv: File too large\n");
    assert!(!jobs.path("x.csv").exists());
    jobs.estoc("merge F/job --out-dir F/merged --resume").ok();
    assert_eq!(jobs.files("merged"), jobs.files("whole"));
}

#[test]
fn results_do_not_replace_the_files_of_a_job() {
    let jobs = Jobs::new(100);
    jobs.run("job", PARTS).ok();
    let before = jobs.files("job");
    for name in [
        ".estoc-lock",
        "_journal.jsonl",
        "part-00000001.csv",
        "part-00000099.csv",
    ] {
        let out = format!("F/job/../job/{name}");
        let told = jobs.estoc(&format!("merge F/job --out {out}")).fails(2);
        assert!(told.starts_with("estoc: --out "), "{told}");
        assert!(told.ends_with("; name another file\n"), "{told}");
        let info = jobs.estoc(&format!("info {} --out {out}", jobs.mesh));
        assert_eq!(info.status, 2);
    }
    let info = format!("info {} --json --out F/job/_manifest.json", jobs.mesh);
    assert_eq!(
        jobs.estoc(&info).stderr,
        "estoc: --out F/job/_manifest.json: this is a file of the job in F/job; name another file\n"
    );
    assert_eq!(jobs.files("job"), before);
    jobs.estoc("merge F/job --out F/job/hits.csv").ok();
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
        jobs.run("job", PARTS).ok();
        let path = jobs.path("job").join(name);
        let _ = std::fs::remove_file(&path);
        crate::common::make_pipe(&path);
        let told = jobs.run("job", &format!("{PARTS} --resume")).fails(3);
        let problem = format!(
            "F/job/{name}: it is a named pipe; remove it, or put an ordinary file in its place\n"
        );
        assert!(told.ends_with(&problem), "{told}");
        let merged = jobs.estoc("merge F/job --out F/x.csv");
        // A complete job has no journal.
        if name != "_journal.jsonl" {
            let told = merged.fails(3);
            assert!(told.ends_with(&problem), "{told}");
        }
        std::fs::remove_dir_all(jobs.path("job")).unwrap();
    }
}
