//! The verb `view`: its page answers what `render` and `pick` do, and it ends as other verbs do.

use crate::common::{Folder, assert_has, command, estoc, run as run_line};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Stdio};

/// A running `estoc view`, which is killed when it is dropped.
struct Viewing {
    child: Child,
    address: String,
    port: u16,
    token: String,
}

impl Viewing {
    fn start(args: &[&str]) -> Self {
        let mut child = command()
            .args(["view", "--quiet"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut address).unwrap();
        let address = address.trim_end().to_owned();
        let (start, fragment) = address.split_once("/#token=").expect("an address");
        let port = start.strip_prefix("http://127.0.0.1:").unwrap();
        let port = port.parse().unwrap();
        let token = fragment.split('&').next().unwrap().to_owned();
        Viewing {
            child,
            port,
            token,
            address,
        }
    }

    /// Asks, and returns the head and the body of the answer.
    fn ask(&self, path: &str, body: Option<&Value>) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        let method = if body.is_some() { "POST" } else { "GET" };
        let body = body.map_or_else(String::new, Value::to_string);
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            self.token,
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let mut fours = answer.windows(4);
        let end = fours.position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        (head, answer.split_off(end + 4))
    }

    fn object(&self, path: &str, body: Option<&Value>) -> Value {
        let (head, body) = self.ask(path, body);
        let text = String::from_utf8_lossy(&body);
        assert!(head.starts_with("HTTP/1.1 200"), "{text}");
        serde_json::from_slice(&body).unwrap()
    }

    /// Waits until the page is told about something that `is_wanted`.
    fn about(&self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let about = self.object("/about", None);
            if is_wanted(&about) {
                return about;
            }
            std::thread::yield_now();
        }
    }

    /// Waits until a mesh of this generation is shown, and returns what is told about it.
    fn shown(&self, generation: u64) -> Value {
        self.about(|about| about["shown"]["generation"].as_u64() >= Some(generation))
    }

    /// Waits until a problem is told.
    fn problem(&self) -> String {
        let about = self.about(|about| !about["problem"].is_null());
        about["problem"].as_str().unwrap().to_owned()
    }
    /// Returns a body with the view that was chosen.
    fn seen(&self, more: Value) -> Value {
        let mut body = self.shown(1)["shown"]["view"].clone();
        body["size"] = json!([60, 40]);
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    }
}

impl Drop for Viewing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command that the page shows, which needs no quoting, with more arguments.
fn run(shown: &str, more: &[&str]) -> String {
    let words = shown.strip_prefix("estoc ").unwrap().split(' ');
    let words: Vec<&str> = words
        .map(|word| word.trim_matches(['\'', '"']))
        .chain(more.iter().copied())
        .collect();
    estoc(words).ok()
}

#[test]
fn clicks_and_pictures_are_those_of_pick_and_render() {
    let folder = Folder::new();
    folder.put("two.toml", "[[object]]\nname = \"ball\"\nmesh = \"demo:sphere?n=300\"\n\n\
        [[placement]]\nobject = \"ball\"\nname = \"left\"\nmatrix = [1,0,0,-1, 0,1,0,0, 0,0,1,0]\n\n\
        [[placement]]\nobject = \"ball\"\nmatrix = [1,0,0,1, 0,1,0,0, 0,0,1,0]\n");
    folder.put("house.obj", crate::precision::HOUSE);
    let [scene, house] = ["two.toml", "house.obj"].map(|name| folder.path(name));
    for (mesh, time) in [
        ("demo:teapot?n=2000", None),
        ("demo:pick", Some(2.5)),
        (scene.as_str(), None),
        (house.as_str(), None),
    ] {
        let viewing = Viewing::start(&[mesh, "--quality", "best"]);
        let mut asked = viewing.seen(json!({}));
        if let Some(time) = time {
            asked["time"] = json!(time);
        }
        let mut hits = 0;
        for pixel in [[30.0, 20.0], [22.5, 24.25], [1.0, 1.0]] {
            asked["pixel"] = json!(pixel);
            let found = viewing.object("/pick", Some(&asked));
            let again = run(found["command"].as_str().unwrap(), &["--json", "--quiet"]);
            let again: Value = serde_json::from_str(&again).unwrap();
            assert_eq!(again["hit"], found["hit"], "{mesh}");
            hits += usize::from(!again["hit"].is_null());
        }
        assert!(hits > 0, "{mesh}");
        let mut picture = viewing.seen(json!({ "client": "a", "shade": "facing", "samples": 2 }));
        picture["time"] = asked["time"].clone();
        let (head, bytes) = viewing.ask("/picture", Some(&picture));
        let mut lines = head.lines();
        let command = lines.find_map(|line| line.strip_prefix("estoc-command: "));
        let command = command.unwrap();
        let file = folder.path("picture.png");
        let command = command.strip_suffix(" --out picture.png").unwrap();
        run(command, &["--out", &file, "--quiet"]);
        assert!(std::fs::read(file).unwrap() == bytes, "{mesh}");
    }
}

#[test]
fn links_and_ports_are_taken_up() {
    let viewing = Viewing::start(&["demo:box", "--at", "http://127.0.0.1:1/#eye=0,0,5&token=x"]);
    let address = &viewing.address;
    assert!(address.ends_with("&eye=0,0,5"), "{address}");
    let port = viewing.port.to_string();
    // Between them the system says what is wrong.
    let start = format!("estoc: cannot listen on 127.0.0.1:{port}: ");
    let end = "; choose another --port, or none for a free one\n";
    let taken = run_line(&format!("view demo:box --port {port}")).fails(3);
    assert!(taken.starts_with(&start) && taken.ends_with(end), "{taken}");
    drop(viewing);
    let again = Viewing::start(&["demo:box", "--port", &port]);
    assert_eq!(again.port.to_string(), port);
    for (link, words) in [
        ("#<script>", "a link is what the page copies"),
        ("garbage", "garbage: no part of a link; it has eye,"),
        (
            "http://127.0.0.1:1/#eye=0,0",
            "eye=0,0: eye must be three numbers",
        ),
    ] {
        let refused = run_line(&format!("view demo:box --at {link}"));
        assert_eq!(refused.status, 2, "{link}");
        assert_has(&refused.stderr, words);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_browser_that_does_not_open_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let browser = folder.path("xdg-open");
    let bin = std::path::Path::new(&browser).parent().unwrap();
    let told = || {
        let mut child = command()
            .args(["view", "demo:box", "--open"])
            .env("PATH", bin)
            .env("TMPDIR", bin)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let mut lines = stderr.lines().map(Result::unwrap);
        let told = lines.find(|line| line.contains("by hand"));
        child.kill().unwrap();
        child.wait().unwrap();
        told
    };
    let expected =
        "estoc: xdg-open cannot be started: No such file or directory; open the address by hand";
    assert_eq!(told().as_deref(), Some(expected));
    folder.put("xdg-open", "#!/bin/sh\nexit 3\n");
    std::fs::set_permissions(&browser, PermissionsExt::from_mode(0o700)).unwrap();
    let expected = "estoc: xdg-open failed (exit status: 3); open the address by hand";
    assert_eq!(told().as_deref(), Some(expected));
}

#[test]
fn what_cannot_be_shown_ends_the_command() {
    let folder = Folder::with(&[("broken.obj", "v 0 0 0\nf 1 2 3\n")]);
    for (args, status, words) in [
        ("no-such.obj", 3, "no-such.obj"),
        ("F/broken.obj", 3, "broken.obj"),
        ("demo:none", 2, "none"),
        ("demo:box --watch", 2, "no file to watch"),
        ("demo:box --port 70000", 2, "70000"),
        ("no-such.toml", 3, "no-such.toml"),
    ] {
        let ran = folder.run(&format!("view {args}"));
        assert_eq!(ran.status, status, "{args}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{args}: {}", ran.stderr);
    }
}

#[test]
fn files_that_change_are_loaded_again() {
    let folder = Folder::new();
    let square = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3\n";
    folder.put("watched.obj", square);
    let mesh = folder.path("watched.obj");
    let viewing = Viewing::start(&[&mesh, "--watch"]);
    assert_eq!(viewing.shown(1)["shown"]["primitives"], 1);
    std::fs::write(&mesh, format!("{square}f 1 3 4\n")).unwrap();
    assert_eq!(viewing.shown(2)["shown"]["primitives"], 2);
    // Half of a file leaves the mesh, and is told.
    std::fs::write(&mesh, format!("{square}f 1 3 9")).unwrap();
    assert_has(&viewing.problem(), "watched.obj");
    assert_eq!(viewing.shown(2)["shown"]["primitives"], 2);
    std::fs::write(&mesh, square).unwrap();
    let about = viewing.shown(3);
    assert_eq!(about["shown"]["primitives"], 1);
    assert_eq!(about["problem"], Value::Null);
    // A line that was cut off is no error, but told. Material libraries are watched, too.
    std::fs::write(&mesh, format!("{square}mtllib a.mtl\nf 1 3")).unwrap();
    viewing.shown(4);
    assert_has(&viewing.problem(), "fewer than three corners");
    folder.put("a.mtl", "newmtl red\n");
    viewing.shown(5);
}

/// Opening a pipe would wait for a writer.
#[cfg(unix)]
#[test]
fn a_file_that_was_something_else_is_loaded_again() {
    let folder = Folder::new();
    let triangle = "v 0 0 0\nv 2 0 0\nv 2 2 0\nf 1 2 3\n";
    folder.put("watched.obj", triangle);
    let mesh = folder.path("watched.obj");
    let viewing = Viewing::start(&[&mesh, "--watch"]);
    viewing.shown(1);
    let make = |program: &str| {
        let made = std::process::Command::new(program).arg(&mesh).status();
        assert!(made.unwrap().success());
    };
    type Step<'a> = &'a dyn Fn();
    let steps: [(Step<'_>, Step<'_>, &str); 3] = [
        (
            &|| make("mkfifo"),
            &|| std::fs::remove_file(&mesh).unwrap(),
            "it is a named pipe",
        ),
        (
            &|| make("mkdir"),
            &|| std::fs::remove_dir(&mesh).unwrap(),
            "it is a directory",
        ),
        (&|| {}, &|| {}, "No such file"),
    ];
    for (generation, (make, remove, problem)) in (2..).zip(steps) {
        std::fs::remove_file(&mesh).unwrap();
        make();
        assert_has(&viewing.problem(), problem);
        remove();
        std::fs::write(&mesh, triangle).unwrap();
        assert_eq!(viewing.shown(generation)["problem"], Value::Null);
    }
    crate::common::make_pipe(folder.path("pipe"));
    let told = folder.run("view F/pipe --watch").fails(2);
    let expected = "estoc: --watch F/pipe: it is a named pipe; remove it, or put an ordinary file in its \
                    place\n";
    assert_eq!(told, expected);
}

/// The browser gets the name of a file that only the user can read, and not the token.
#[cfg(target_os = "linux")]
#[test]
fn browsers_are_started_without_the_token() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let told = folder.path("told");
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >{told}.part; mv {told}.part {told}\n");
    folder.put("xdg-open", &script);
    let browser = folder.path("xdg-open");
    let bin = std::path::Path::new(&browser).parent().unwrap();
    std::fs::set_permissions(&browser, PermissionsExt::from_mode(0o700)).unwrap();
    let mut child = command()
        .args(["view", "demo:box", "--open", "--quiet"])
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
        .env("TMPDIR", bin)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut address)
        .unwrap();
    let (_, token) = address.trim_end().split_once("#token=").unwrap();
    let arguments = loop {
        if let Ok(text) = std::fs::read_to_string(&told) {
            break text;
        }
        std::thread::yield_now();
    };
    assert!(!arguments.contains(token), "{arguments}");
    let page = std::path::Path::new(arguments.trim_end());
    assert_eq!(page.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_has(&std::fs::read_to_string(page).unwrap(), address.trim_end());
    // The end removes the file.
    crate::common::send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(!page.exists());
}
