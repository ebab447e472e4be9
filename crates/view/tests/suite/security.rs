//! Who may ask what: hosts, origins, tokens and paths.

use crate::common::{Given, MeshModel, QUESTIONS, Running};
use serde_json::json;

#[test]
fn the_page_is_served_without_a_token_and_with_a_policy() {
    let running = Running::loading();
    let host = format!("127.0.0.1:{}", running.port);
    let mut client = running.client();
    let names = ["/", "/main.js", "/style.css", "/icon.svg", "/frames.js"];
    let types = [
        "text/html",
        "text/javascript",
        "text/css",
        "image/svg+xml",
        "text/javascript",
    ];
    for (path, media_type) in names.into_iter().zip(types) {
        let answer = client
            .send(&Given::new("GET", path).field("Host", &host))
            .ok();
        assert!(
            answer.field("content-type").starts_with(media_type),
            "{path}"
        );
        let policy = answer.field("content-security-policy");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        for part in ["unsafe", "*", "data:", "blob:", "http"] {
            assert!(!policy.contains(part), "{policy}");
        }
        assert_eq!(answer.field("x-content-type-options"), "nosniff");
        assert_eq!(answer.field("referrer-policy"), "no-referrer");
        assert_eq!(answer.field("cross-origin-resource-policy"), "same-origin");
        assert_eq!(answer.field("cache-control"), "no-store");
        assert_eq!(answer.field("access-control-allow-origin"), "");
        assert!(!answer.text().contains(&running.token));
    }
    let answer = client.send(&Given::new("POST", "/").field("Host", &host));
    answer.refusal(405);
    assert_eq!(answer.field("allow"), "GET, HEAD");
}

#[test]
fn everything_about_the_mesh_needs_the_token() {
    let running = Running::showing(MeshModel::new("box"));
    let body = running.seen([8, 6], &json!({}));
    let wrong = [
        String::new(),
        "Bearer".into(),
        "Bearer ".into(),
        running.token.clone(),
        format!("Basic {}", running.token),
        format!("Bearer {}", "0".repeat(32)),
        format!("Bearer {}", &running.token[..31]),
        format!("Bearer {}0", running.token),
        format!("Bearer {}", running.token.to_uppercase() + "A"),
    ];
    for path in std::iter::once("/about").chain(QUESTIONS) {
        let given = match path {
            "/about" => running.given(path, None),
            _ => running.given(path, Some(&body)),
        };
        let bare = running
            .client()
            .send(&given.clone().without("Authorization"));
        assert_eq!(bare.field("www-authenticate"), "Bearer");
        // The same for every path and every wrong token.
        assert_eq!(bare.refusal(401), "unauthorized");
        for wrong in &wrong {
            let answer = running
                .client()
                .send(&given.clone().with("Authorization", wrong));
            assert_eq!(answer.body, bare.body, "{path} {wrong}");
            assert_eq!(answer.status, 401);
        }
    }
    // Also for paths that are not there, which are then not told from others.
    let bare =
        Given::new("GET", "/etc/passwd").field("Host", &format!("localhost:{}", running.port));
    assert_eq!(running.client().send(&bare).refusal(401), "unauthorized");
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let running = Running::showing(MeshModel::new("box"));
    let port = running.port;
    for path in ["/", "/main.js", "/about"] {
        let given = running.given(path, None);
        // A name of another site that leads here: "DNS rebinding".
        for host in [
            format!("rebound.example:{port}"),
            "127.0.0.1".into(),
            "localhost:1".into(),
            format!("127.0.0.1.example:{port}"),
            format!("0.0.0.0:{port}"),
            format!("[::1]:{port}"),
        ] {
            let answer = running.client().send(&given.clone().with("Host", &host));
            assert!(answer.refusal(403).contains("host"), "{host}");
        }
        for origin in [
            "null".to_owned(),
            "https://example.com".into(),
            format!("https://127.0.0.1:{port}"),
            format!("http://127.0.0.1:{}", port ^ 1),
            format!("http://rebound.example:{port}"),
        ] {
            let answer = running
                .client()
                .send(&given.clone().field("Origin", &origin));
            assert!(answer.refusal(403).contains("another page"), "{origin}");
        }
        for host in ["localhost", "127.0.0.1"] {
            let host = format!("{host}:{port}");
            let given = given.clone().with("Host", &host);
            let given = given.field("Origin", &format!("http://{host}"));
            running.client().send(&given).ok();
        }
        let bare = given.clone().without("Host");
        assert!(running.client().send(&bare).refusal(403).contains("host"));
    }
    // A page of another site gets no permission either.
    let preflight = Given::new("OPTIONS", "/frame")
        .field("Host", &format!("127.0.0.1:{port}"))
        .field("Origin", "https://example.com")
        .field("Access-Control-Request-Method", "POST");
    let answer = running.client().send(&preflight);
    assert_eq!(answer.status, 403);
    assert_eq!(answer.field("access-control-allow-origin"), "");
}

#[test]
fn no_path_of_a_request_names_a_file() {
    let running = Running::loading();
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/page/main.js",
        "//etc/passwd",
        "/main.js/..",
        "/main.js%00",
        "/MAIN.JS",
        "/index.html",
        "*",
        "http://127.0.0.1/etc/passwd",
    ] {
        let answer = running.client().send(&running.given(path, None));
        assert_eq!(answer.status, 404, "{path}: {}", answer.text());
    }
}

#[test]
fn every_server_has_a_token_and_a_port_of_its_own() {
    let (a, b) = (Running::loading(), Running::loading());
    assert_ne!(a.port, b.port);
    assert_ne!(a.token, b.token);
    assert_eq!(a.token.len(), 32);
    let given = a
        .given("/about", None)
        .with("Host", &format!("127.0.0.1:{}", b.port));
    assert_eq!(b.client().send(&given).status, 401);
    let taken = estoc_view::Server::bind(a.port, a.state.clone());
    let error = taken.err().unwrap().to_string();
    assert!(
        error.contains("--port") && !error.contains("os error"),
        "{error}"
    );
}
