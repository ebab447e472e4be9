//! `--local-frame`, and what rounding does to a mesh without it.

use crate::number::{grouped, short};
use estoc::glam::{DVec3, Vec3};
use estoc::io::LocalFrame;
use estoc::{Aabb, Mesh};
use estoc_mesh::RoundingLoss;
use estoc_mesh::parts::median_edge;

/// Parses `auto`, or three coordinates.
pub(crate) fn parse(text: &str) -> Result<LocalFrame, String> {
    if text == "auto" {
        return Ok(LocalFrame::Auto);
    }
    let number = |word: &str| word.trim().parse().ok().filter(|x: &f64| x.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) => Ok(LocalFrame::At(DVec3::new(x, y, z))),
        _ => {
            Err("a local frame is auto, or the three finite coordinates X,Y,Z of its origin".into())
        }
    }
}

/// Formats an origin as `--local-frame` takes it.
pub(crate) fn coordinates(origin: DVec3) -> String {
    let [x, y, z] = origin.to_array();
    format!("{x},{y},{z}")
}

/// Returns whether a frame nearer the mesh would have a finer rounding: the condition of
/// [`LocalFrame::Auto`].
fn is_far(bounds: &Aabb) -> bool {
    let size = (bounds.max().as_dvec3() - bounds.min().as_dvec3()).max_element();
    let farthest = bounds.min().abs().max(bounds.max().abs()).max_element();
    f64::from(farthest) > 2.0 * size
}

/// Returns whether two vertices have the same position.
fn has_equal_positions(mesh: &Mesh) -> bool {
    let bits = |p: &Vec3| (*p + Vec3::ZERO).to_array().map(f32::to_bits);
    let mut all: Vec<[u32; 3]> = mesh.positions().iter().map(bits).collect();
    all.sort_unstable();
    all.windows(2).any(|pair| pair[0] == pair[1])
}

/// Returns a warning if rounding to `f32` made different corners equal in a mesh that a nearer origin
/// would keep, or moved a corner by more than a quarter of the median edge. `survey` returns the loss
/// with the number of corners that became equal, and is called only if there may be some.
pub(crate) fn warning(
    mesh: &Mesh,
    survey: impl FnOnce() -> Option<RoundingLoss>,
) -> Option<String> {
    let loss = mesh.report().rounding;
    if loss.largest_movement == 0.0 || mesh.triangle_count() == 0 {
        return None;
    }
    let median = median_edge(mesh)?;
    let is_far = is_far(&mesh.bounds());
    let moves_much = loss.largest_movement > 0.25 * median;
    let mut merged = 0;
    if is_far && has_equal_positions(mesh) {
        merged = { loss.merged_corners }
            .or_else(|| survey()?.merged_corners)
            .unwrap_or(0);
    }
    if !moves_much && merged == 0 {
        return None;
    }
    let moved = short_f64(loss.largest_movement);
    let median = short_f64(median);
    let made_equal = match merged {
        0 => String::new(),
        1 => " and made a corner equal to another one".into(),
        n => format!(" and made {} corners equal to others", grouped(n as usize)),
    };
    let way_out = match is_far {
        true => {
            "--local-frame auto keeps more digits, or --local-frame X,Y,Z for files that share borders"
        }
        false => "the mesh is too large for its details, and a local frame would not help",
    };
    Some(format!(
        "rounding to f32 moved a vertex by {moved} (the median edge is {median}){made_equal}; {way_out}"
    ))
}

/// Returns why a mesh is kept in `f64`; `None` if rounding to `f32` would lose nothing.
pub(crate) fn needs_f64(loss: &RoundingLoss, median_edge: f64) -> Option<String> {
    let what = match loss.largest_movement {
        0.0 => return None,
        f64::INFINITY => "a number of it is too large for f32".to_owned(),
        _ => format!(
            "rounding to f32 {} (the median edge is {})",
            loss_in_words(loss),
            short_f64(median_edge)
        ),
    };
    Some(format!(
        "kept in f64, since {what}; --precision f32 rounds it all the same"
    ))
}

/// Returns the loss in words.
pub(crate) fn loss_in_words(loss: &RoundingLoss) -> String {
    let moved = match loss.largest_movement {
        0.0 => "no vertex moved".to_owned(),
        moved => format!("moved a vertex by {}", short_f64(moved)),
    };
    match loss.merged_corners {
        None | Some(0) => moved,
        Some(1) => format!("{moved}, 1 corner became equal to another one"),
        Some(n) => format!(
            "{moved}, {} corners became equal to others",
            grouped(n as usize)
        ),
    }
}

fn short_f64(x: f64) -> String {
    short(x as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_auto_or_three_numbers() {
        assert_eq!(parse("auto"), Ok(LocalFrame::Auto));
        let origin = DVec3::new(-500_000.5, 5.2e6, 0.0);
        for text in ["-500000.5,5200000,0", "-500000.5, 5.2e6, -0"] {
            assert_eq!(parse(text), Ok(LocalFrame::At(origin)), "{text}");
        }
        assert_eq!(parse(&coordinates(origin)), Ok(LocalFrame::At(origin)));
        for text in [
            "",
            "Auto",
            "1,2",
            "1,2,3,4",
            "1,2,nan",
            "1,inf,3",
            "1,2,1e999",
            "1,,3",
        ] {
            assert!(parse(text).unwrap_err().contains("X,Y,Z"), "{text}");
        }
    }
}
