//! Malformed, oversized and slow requests.

use crate::common::{Given, MeshModel, QUESTIONS, Running};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};

#[test]
fn bodies_are_bounded() {
    let running = Running::showing(MeshModel::new("box"));
    let given = running.given("/pick", Some(&json!({})));
    // A declared length is refused before the bytes come.
    for length in ["65537", "1000000000000"] {
        let declared = given.clone().body("").with("Content-Length", length);
        let answer = running.client().send(&declared);
        assert!(answer.refusal(413).contains("65536 bytes"), "{length}");
    }
    // Chunks without a declared length.
    let chunked = given
        .body("")
        .without("Content-Length")
        .field("Transfer-Encoding", "chunked");
    let mut client = running.client();
    client.write(&chunked.bytes());
    let chunk = format!("4000\r\n{}\r\n", " ".repeat(0x4000));
    let mut sent = 0;
    while client.write(chunk.as_bytes()) && sent < 6 {
        sent += 1;
    }
    // The connection may be reset before the answer is read, since some bytes were not.
    if let Ok(Some(answer)) = client.read() {
        answer.refusal(413);
    }
    running.ask("/about", None).ok();
}

#[test]
fn bodies_that_are_no_questions_are_refused() {
    let running = Running::showing(MeshModel::new("box"));
    let seen = |more: Value| running.seen([8, 6], &more);
    let with = |name: &str, value: Value| {
        let mut body = seen(json!({ "pixel": [1, 1] }));
        body[name] = value;
        body
    };
    for body in [
        json!(null),
        json!([]),
        json!({}),
        json!("eye"),
        seen(json!({})),
        with("pixel", json!([1])),
        with("pixel", json!([9, 1])),
        with("pixel", json!([-1, 1])),
        with("pixel", json!(["a", 1])),
        with("eye", json!([0, 0, 1e300])),
        with("eye", json!([0, 0])),
        with("at", json!(null)),
        with("up", json!([0, 0, 0])),
        with("fov", json!(0)),
        with("fov", json!(180)),
        with("fov", json!(-1e30)),
        with("size", json!([0, 5])),
        with("size", json!([8193, 5])),
        with("size", json!([-1, 5])),
        with("size", json!([1e9, 1e9])),
        with("size", json!([u64::MAX, u64::MAX])),
        with("time", json!(0)),
    ] {
        let answer = running.ask("/pick", Some(&body));
        assert!(!answer.refusal(400).is_empty(), "{body}");
    }
    running
        .ask("/pick", Some(&seen(json!({ "pixel": [1, 1] }))))
        .ok();
    for text in ["", "{", "{\"eye\":[0,0,NaN]}", "\u{0}", &"[".repeat(20_000)] {
        let given = running.given("/pick", Some(&json!({}))).body(text);
        running.client().send(&given).refusal(400);
    }
    let frame = |more: Value| {
        let mut body = seen(json!({ "client": "a", "shade": "depth", "samples": 1 }));
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    for more in [
        json!({ "client": "" }),
        json!({ "client": "a".repeat(37) }),
        json!({ "client": "a b" }),
        json!({ "shade": "none" }),
        json!({ "shade": "instance" }),
        json!({ "samples": 0 }),
        json!({ "samples": 257 }),
        json!({ "samples": -1 }),
        json!({ "size": [8192, 8192] }),
        json!({ "fov": 200 }),
    ] {
        for path in ["/frame", "/picture"] {
            let message = running.ask(path, Some(&frame(more.clone()))).refusal(400);
            assert!(!message.is_empty(), "{path} {more}");
        }
    }
    running.ask("/frame", Some(&frame(json!({})))).ok();
    for (path, body) in [
        ("/select", seen(json!({ "rectangle": [0, 0, 0, 0] }))),
        ("/select", seen(json!({ "rectangle": [0, 0, 1e300, 1] }))),
        ("/section", json!({ "plane": [0, 0, 0, 1] })),
        ("/section", json!({ "plane": [1e300, 0, 0, 1] })),
        ("/outline", seen(json!({ "pixel": [100, 0] }))),
    ] {
        running.ask(path, Some(&body)).refusal(400);
    }
}

#[test]
fn methods_and_paths_are_checked() {
    let running = Running::showing(MeshModel::new("box"));
    let about = running.given("/about", Some(&json!({})));
    let answer = running.client().send(&about);
    answer.refusal(405);
    assert_eq!(answer.field("allow"), "GET");
    for path in QUESTIONS {
        let answer = running.ask(path, None);
        answer.refusal(405);
        assert_eq!(answer.field("allow"), "POST");
    }
    running.ask("/other", None).refusal(404);
}

#[test]
fn malformed_heads_get_an_answer_or_an_end() {
    let running = Running::showing(MeshModel::new("box"));
    let host = format!("Host: 127.0.0.1:{}\r\n", running.port);
    let many: String = (0..200).map(|i| format!("X-{i}: 1\r\n")).collect();
    let long = format!("X: {}\r\n", "x".repeat(64 << 10));
    for head in [
        "\r\n\r\n\r\n".to_owned(),
        "GET\r\n\r\n".into(),
        "GET / HTTP/9.9\r\n\r\n".into(),
        "GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n".into(),
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}".into(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".into(),
        format!("GET / HTTP/1.1\r\n{host}{many}\r\n"),
        format!("GET / HTTP/1.1\r\n{host}{long}\r\n"),
        format!("GET /{} HTTP/1.1\r\n{host}\r\n", "x".repeat(64 << 10)),
        format!("POST /pick HTTP/1.1\r\n{host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        format!("POST /pick HTTP/1.1\r\n{host}Content-Length: -1\r\n\r\n"),
        format!("POST /pick HTTP/1.1\r\n{host}Transfer-Encoding: x\r\n\r\n"),
    ] {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, running.port)).unwrap();
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        // A reset also ends it.
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        let status = text.split(' ').nth(1).unwrap_or("4");
        assert!(status.starts_with('4'), "{head:.60}: {text}");
    }
    running.ask("/about", None).ok();
}

#[test]
fn slow_heads_and_bodies_are_ended() {
    let running = Running::showing(MeshModel::new("box"));
    // Some of a head, and some of a body, and nothing at all; others are answered meanwhile.
    let mut head = running.client();
    head.write(b"GET / HTTP/1.1\r\nHost: ");
    let mut body = running.client();
    let given = running
        .given("/pick", Some(&json!({})))
        .with("Content-Length", "10");
    body.write(&given.bytes());
    let mut idle = running.client();
    running.ask("/about", None).ok();
    let answer = body.read().unwrap().unwrap();
    assert!(answer.refusal(408).contains("10 s"));
    for client in [&mut head, &mut idle] {
        let ended = client.read();
        let status = ended.ok().flatten().map(|answer| answer.status);
        assert!(matches!(status, None | Some(408)), "{status:?}");
    }
}

#[test]
fn nothing_is_answered_before_the_mesh_is_loaded() {
    let running = Running::loading();
    let about = running.ask("/about", None).object();
    assert_eq!(about["schema"], "estoc.view/1");
    assert_eq!(about["loading"]["doing"], "starting");
    assert_eq!(about["shown"], Value::Null);
    running
        .state
        .loading("reading", Some(estoc::Progress::new(1, 4)));
    let about = running.ask("/about", None).object();
    assert_eq!(
        about["loading"],
        json!({ "doing": "reading", "share": 0.25 })
    );
    let view = json!({ "eye": [0, 0, 5], "at": [0, 0, 0], "up": [0, 1, 0], "fov": 40, "size": [4, 3],
                       "pixel": [1, 1] });
    let answer = running.ask("/pick", Some(&view));
    assert!(answer.refusal(503).contains("not loaded"));
    assert_eq!(answer.field("retry-after"), "1");

    // A problem leaves what is shown.
    running.show(MeshModel::new("box"));
    running.ask("/pick", Some(&view)).ok();
    running.state.loading("reading", None);
    running.state.fail("the file is half written");
    let about = running.ask("/about", None).object();
    assert_eq!(about["problem"], "the file is half written");
    assert_eq!(about["shown"]["generation"], 1);
    running.ask("/pick", Some(&view)).ok();
    running.show(MeshModel::new("sphere?n=100"));
    let about = running.ask("/about", None).object();
    assert_eq!(
        (&about["problem"], &about["shown"]["generation"]),
        (&Value::Null, &json!(2))
    );
    let host = Given::new("HEAD", "/").field("Host", &format!("127.0.0.1:{}", running.port));
    running.client().write(&host.bytes());
}
