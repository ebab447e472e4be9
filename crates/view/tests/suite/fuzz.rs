//! Random requests: the server answers each one or ends the connection, and goes on.
//! `ESTOC_LONG=1` tries a million of them.

use crate::common::{Given, MeshModel, MovingModel, QUESTIONS, Running};
use estoc_demo::SplitMix64;
use estoc_testkit::conformance::Effort;
use serde_json::{Map, Value, json};

fn count() -> u64 {
    if Effort::is_long() { 500_000 } else { 1_000 }
}

/// Returns a number of any size, or something else.
fn value(random: &mut SplitMix64, depth: u32) -> Value {
    match random.below(16) {
        0 => json!(null),
        1 => json!(random.bits()),
        2 => json!(random.bits() as i64),
        3 => json!(f64::from_bits(random.bits())),
        4 => json!(f32::from_bits(random.bits() as u32)),
        5 => json!("depth"),
        6 => json!(true),
        7 if depth > 0 => json!([value(random, depth - 1), value(random, depth - 1)]),
        8 => json!({ "path": "1", "name": "box" }),
        9 => json!([1, 0, 0, 0.5]),
        10 => json!([0.0, 1.0, 0.0]),
        n => json!((n as f64 - 12.0) * (random.bits() % 7) as f64),
    }
}

/// Changes some fields of a body.
fn changed(random: &mut SplitMix64, body: &Value) -> Value {
    let mut fields: Map<String, Value> = body.as_object().unwrap().clone();
    for _ in 0..1 + random.below(3) {
        let names: Vec<String> = fields.keys().cloned().collect();
        let name = &names[random.below(names.len())];
        match random.below(4) {
            0 => drop(fields.remove(name)),
            1 => {
                let field = fields.get_mut(name).unwrap();
                match field.as_array_mut() {
                    Some(list) if !list.is_empty() => {
                        let place = random.below(list.len());
                        list[place] = value(random, 1);
                    }
                    _ => *field = value(random, 2),
                }
            }
            _ => drop(fields.insert(name.clone(), value(random, 2))),
        }
        if fields.is_empty() {
            break;
        }
    }
    // Pictures stay small enough for a million.
    if let Some(size) = fields.get_mut("size").and_then(Value::as_array_mut) {
        for side in size {
            if side
                .as_f64()
                .is_some_and(|side| (40.0..=8192.0).contains(&side))
            {
                *side = json!(40);
            }
        }
    }
    if fields
        .get("samples")
        .and_then(Value::as_f64)
        .is_some_and(|n| n > 2.0 && n <= 256.0)
    {
        fields.insert("samples".into(), json!(2));
    }
    Value::Object(fields)
}

#[test]
fn random_bodies_are_answered() {
    for (seed, running) in [
        (1, Running::showing(MeshModel::new("solids?n=60"))),
        (2, Running::showing(MovingModel::new(0.0))),
    ] {
        let body = running.seen(
            [20, 15],
            &json!({ "client": "a", "shade": "depth", "samples": 1, "legend": true, "pixel": [9, 7],
                     "rectangle": [2, 2, 9, 9], "plane": [0, 1, 0, -0.2], "part": null }),
        );
        let mut random = SplitMix64::new(seed);
        let mut client = running.client();
        let mut statuses = std::collections::BTreeMap::<u16, u64>::new();
        for number in 0..count() / 2 {
            let path = QUESTIONS[random.below(QUESTIONS.len())];
            let body = changed(&mut random, &body);
            let answer = client.send(&running.given(path, Some(&body)));
            assert!(
                matches!(answer.status, 200 | 400),
                "{number}: {path} {body} {}",
                answer.text()
            );
            *statuses.entry(answer.status).or_default() += 1;
        }
        assert!(statuses[&200] > 0 && statuses[&400] > 0, "{statuses:?}");
    }
}

#[test]
fn random_bytes_end_only_their_connection() {
    let running = Running::showing(MeshModel::new("box"));
    let body = running.seen(
        [20, 15],
        &json!({ "client": "a", "shade": "depth", "samples": 1, "pixel": [9, 7] }),
    );
    let whole = [
        running.given("/pick", Some(&body)).bytes(),
        running.given("/about", None).bytes(),
        Given::new("GET", "/").field("Host", "localhost").bytes(),
    ];
    let mut random = SplitMix64::new(3);
    for number in 0..count() {
        let mut bytes = whole[random.below(whole.len())].clone();
        for _ in 0..1 + random.below(8) {
            let place = random.below(bytes.len());
            match random.below(5) {
                0 => bytes.truncate(place + 1),
                1 => bytes[place] = random.bits() as u8,
                2 => bytes.insert(place, b"\r\n: \0"[random.below(5)]),
                3 => drop(bytes.remove(place)),
                _ => {
                    let part = bytes[place..].to_vec();
                    bytes.extend(part);
                }
            }
            if bytes.is_empty() {
                bytes.push(b'G');
            }
        }
        let mut client = running.client();
        client.write(&bytes);
        client.end();
        // Whatever comes is an answer; a reset ends the connection as well.
        while let Ok(Some(answer)) = client.read() {
            assert!(
                matches!(answer.status, 200 | 400..=499),
                "{number}: {answer:?}"
            );
        }
    }
    running.ask("/about", None).ok();
}
