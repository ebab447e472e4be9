//! Many clients, clients that vanish, and requests that cancel each other.

use crate::common::{Answer, Client, MeshModel, Running};
use serde_json::{Value, json};

/// Returns a picture that takes hours.
fn endless(running: &Running, client: &str) -> Value {
    let more = json!({ "client": client, "shade": "ao", "samples": 256 });
    running.seen([1024, 1024], &more)
}

fn begin(running: &Running, path: &str, body: &Value) -> Client {
    let mut client = running.client();
    client.write(&running.given(path, Some(body)).bytes());
    client
}

/// Asks until there is another answer than that too much is asked at a time.
fn ask_again(running: &Running, path: &str, body: &Value) -> Answer {
    loop {
        let answer = running.ask(path, Some(body));
        if answer.status != 503 {
            return answer;
        }
        std::thread::yield_now();
    }
}

#[test]
fn the_next_frame_cancels_the_one_before() {
    let running = Running::showing(MeshModel::new("hall?n=2000"));
    let mut small = endless(&running, "one");
    small["size"] = json!([8, 6]);
    small["samples"] = json!(1);
    for path in ["/frame", "/picture"] {
        let mut before = begin(&running, path, &endless(&running, "one"));
        let (cancelled, told) = std::sync::mpsc::channel();
        let waiting = std::thread::spawn(move || {
            cancelled.send(before.read().unwrap().unwrap()).unwrap();
        });
        // The small one may come first; then the next one cancels.
        let answer = loop {
            running.ask(path, Some(&small)).ok();
            if let Ok(answer) = told.try_recv() {
                break answer;
            }
        };
        waiting.join().unwrap();
        assert!(answer.refusal(409).contains("later request"), "{path}");
    }
}

#[test]
fn the_progress_of_a_picture_is_told_while_it_is_painted() {
    let running = Running::showing(MeshModel::new("hall?n=2000"));
    let share = |client: &str| {
        let body = json!({ "client": client });
        running.ask("/progress", Some(&body)).object()["share"].clone()
    };
    assert_eq!(share("one"), Value::Null);
    let picture = begin(&running, "/picture", &endless(&running, "one"));
    let share_of_one = loop {
        match share("one").as_f64() {
            Some(share) if share > 0.0 => break share,
            _ => std::thread::yield_now(),
        }
    };
    assert!(share_of_one < 1.0, "{share_of_one}");
    // A frame has no progress, and other clients have no part in this one.
    assert_eq!(share("two"), Value::Null);
    drop(picture);
    while share("one") != Value::Null {
        std::thread::yield_now();
    }
    let told = running.ask("/progress", Some(&json!({ "client": "a b" })));
    assert!(told.refusal(400).contains("client is 1 to 36"));
}

#[test]
fn work_of_clients_that_vanish_ends() {
    let running = Running::showing(MeshModel::new("hall?n=2000"));
    // More than are answered at a time.
    for number in 0..40 {
        let path = ["/frame", "/picture"][number % 2];
        let body = endless(&running, &number.to_string());
        drop(begin(&running, path, &body));
    }
    let mut small = endless(&running, "small");
    small["size"] = json!([8, 6]);
    small["samples"] = json!(1);
    ask_again(&running, "/frame", &small).ok();
}

#[test]
fn too_much_at_a_time_is_refused() {
    let running = Running::showing(MeshModel::new("hall?n=2000"));
    let most = 32;
    let mut clients: Vec<Client> = (0..most + 8)
        .map(|number| begin(&running, "/frame", &endless(&running, &number.to_string())))
        .collect();
    // Those beyond the bound are answered, in whatever order they came.
    let (tell, told) = std::sync::mpsc::channel();
    let threads: Vec<_> = clients
        .drain(..)
        .map(|mut client| {
            let tell = tell.clone();
            std::thread::spawn(move || {
                if let Ok(Some(answer)) = client.read() {
                    let _ = tell.send(answer);
                }
            })
        })
        .collect();
    for _ in 0..8 {
        let answer = told.recv().unwrap();
        assert!(answer.refusal(503).contains("later"));
        assert_eq!(answer.field("retry-after"), "1");
    }
    // Other questions are answered meanwhile.
    let body = running.seen([64, 48], &json!({ "pixel": [32, 24] }));
    running.ask("/pick", Some(&body)).ok();
    // The end of the server ends the rest.
    drop(running);
    for thread in threads {
        thread.join().unwrap();
    }
}

/// Returns the bytes of memory that this process holds, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[test]
fn a_hundred_clients_are_answered_with_the_same_memory() {
    let running = Running::showing(MeshModel::new("hall?n=2000"));
    let frame = |client: usize| {
        let more = json!({ "client": client.to_string(), "shade": "depth", "samples": 1 });
        running.seen([80, 60], &more)
    };
    let expected = running.ask("/frame", Some(&frame(1000))).ok().body;
    let round = || {
        std::thread::scope(|scope| {
            for number in 0..100 {
                let (running, expected, body) = (&running, &expected, frame(number));
                scope.spawn(move || {
                    for _ in 0..3 {
                        let answer = ask_again(running, "/frame", &body).ok();
                        assert!(answer.body == *expected);
                    }
                });
            }
        });
    };
    round();
    let before = resident();
    for _ in 0..3 {
        round();
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        println!("memory: {before} bytes before, {after} after");
        assert!(after < before + (96 << 20), "{before} {after}");
    }
}
