//! `--at`: a link that the page copied.

use estoc_picture::Shade;

/// The parts of a link that the page reads.
const PARTS: &str =
    "eye, at, up, fov, ortho, shade, time, mode, pick, rectangle, section, walk and measure";

/// Returns what a link says after its `#`, without a token. The whole link may be given, or only that.
pub(super) fn parse(link: &str) -> Result<String, String> {
    let (_, fragment) = link.split_once('#').unwrap_or(("", link));
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~=&,;:+%/".contains(c);
    if link.contains("://") && !link.contains('#') || !fragment.chars().all(is_allowed) {
        return Err(
            "a link is what the page copies, as in http://127.0.0.1:8000/#eye=0,0,5".into(),
        );
    }
    let parts = fragment
        .split('&')
        .filter(|part| !part.is_empty() && !part.starts_with("token="));
    let parts: Vec<&str> = parts.collect();
    parts.iter().try_for_each(|part| check(part))?;
    Ok(parts.join("&"))
}

/// Returns what is wrong with a part, if the page could not read it.
fn check(part: &str) -> Result<(), String> {
    let (name, value) = part.split_once('=').unwrap_or((part, ""));
    let value = value.replace("%2C", ",").replace("%3B", ";");
    let value = match name {
        // The height of an orthographic view is in the place of the field of view.
        "pick" | "rectangle" => value.replacen(",ortho", ",", 1),
        _ => value,
    };
    let has_numbers = |counts: &[usize]| {
        let is_number = |word: &str| word.parse().is_ok_and(f64::is_finite);
        value.split(',').all(is_number) && counts.contains(&value.split(',').count())
    };
    let is_point = |point: &str| {
        let words: Vec<&str> = point.split(',').collect();
        let is_number = |word: &&str| word.parse().is_ok_and(f64::is_finite);
        words.len() == 4 && words[..3].iter().all(is_number)
    };
    let (is_right, form) = match name {
        "eye" | "at" | "up" => (has_numbers(&[3]), "three numbers"),
        "fov" => (
            has_numbers(&[1]) && value.parse().is_ok_and(|fov| 0.0 < fov && fov < 180.0),
            "an angle above 0 and below 180 degrees",
        ),
        "ortho" => (
            has_numbers(&[1]) && value.parse().is_ok_and(|height| 0.0 < height),
            "a height above 0",
        ),
        "shade" => (Shade::of_name(&value).is_some(), "the name of a shade"),
        "time" => (has_numbers(&[1]), "a number of seconds"),
        "mode" => (
            ["pick", "measure", "rectangle"].contains(&&*value),
            "pick, measure or rectangle",
        ),
        "pick" => (has_numbers(&[14, 15]), "14 numbers, or 15 with a time"),
        "rectangle" => (has_numbers(&[16, 17]), "16 numbers, or 17 with a time"),
        "section" => (
            (value.strip_prefix(['x', 'y', 'z']))
                .is_some_and(|place| place.parse().is_ok_and(|place: u16| place <= 1000)),
            "an axis and a place from 0 to 1000, as in y500",
        ),
        "walk" => (value == "1", "1"),
        "measure" => (
            value.split(';').count() <= 3 && value.split(';').all(is_point),
            "up to three points X,Y,Z,KIND with ; between them",
        ),
        _ => {
            return Err(format!(
                "{part}: no part of a link; it has {PARTS}, each with = and a value"
            ));
        }
    };
    match is_right {
        true => Ok(()),
        false => Err(format!("{part}: {name} must be {form}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lose_their_token() {
        for (link, expected) in [
            ("http://127.0.0.1:81/#eye=0,0,5&fov=40", "eye=0,0,5&fov=40"),
            ("#eye=1e-5,-2,3", "eye=1e-5,-2,3"),
            ("eye=1,2,3&token=abc&at=0,0,0", "eye=1,2,3&at=0,0,0"),
            ("http://localhost:81/#token=abc", ""),
            ("", ""),
            (
                "#shade=facing&time=-2.5&mode=measure&section=z70&walk=1",
                "shade=facing&time=-2.5&mode=measure&section=z70&walk=1",
            ),
            (
                "#measure=1%2C2%2C3%2Ccorner;0,0,1e-7,face",
                "measure=1%2C2%2C3%2Ccorner;0,0,1e-7,face",
            ),
            (
                "#pick=0,0,5,0,0,0,0,1,0,40,640,480,320,240.5",
                "pick=0,0,5,0,0,0,0,1,0,40,640,480,320,240.5",
            ),
            (
                "#ortho=2.5&pick=0,0,5,0,0,0,0,1,0,ortho2.5,640,480,320,240.5",
                "ortho=2.5&pick=0,0,5,0,0,0,0,1,0,ortho2.5,640,480,320,240.5",
            ),
        ] {
            assert_eq!(parse(link).as_deref(), Ok(expected), "{link}");
        }
        for link in ["http://127.0.0.1:81/", "#a=\"b", "#<script>", "#a b", "#é"] {
            assert!(parse(link).is_err(), "{link}");
        }
    }

    #[test]
    fn parts_that_the_page_cannot_read_are_named() {
        for (link, words) in [
            ("garbage", "garbage: no part of a link; it has eye, at,"),
            ("#eye=0,0,5&zoom=3", "zoom=3: no part of a link"),
            ("#eye=0,0", "eye=0,0: eye must be three numbers"),
            ("#up=0,nan,1", "up=0,nan,1: up must be three numbers"),
            ("#fov=180", "fov=180: fov must be an angle above 0"),
            (
                "#shade=pink",
                "shade=pink: shade must be the name of a shade",
            ),
            ("#time=soon", "time=soon: time must be a number of seconds"),
            (
                "#mode=fly",
                "mode=fly: mode must be pick, measure or rectangle",
            ),
            ("#ortho=0", "ortho=0: ortho must be a height above 0"),
            ("#ortho=inf", "ortho=inf: ortho must be a height above 0"),
            (
                "#pick=0,0,5,0,0,0,0,1,0,orto2.5,640,480,320,240.5",
                "pick=0,0,5,0,0,0,0,1,0,orto2.5,640,480,320,240.5: pick must be",
            ),
            ("#pick=1,2", "pick=1,2: pick must be 14 numbers"),
            ("#rectangle=", "rectangle=: rectangle must be 16 numbers"),
            ("#section=z1001", "section=z1001: section must be an axis"),
            ("#section=w3", "section=w3: section must be an axis"),
            ("#walk=2", "walk=2: walk must be 1"),
            (
                "#measure=1,2,3",
                "measure=1,2,3: measure must be up to three points",
            ),
        ] {
            let told = parse(link).unwrap_err();
            assert!(told.starts_with(words), "{link}: {told}");
        }
    }
}
