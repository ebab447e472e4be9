//! Generated scenes, by a line of text.

use super::{SceneFile, city, moving_shapes};
use std::fmt;
use std::str::FromStr;

/// A generated scene. Parsed from a line of text; `Display` prints the full form.
///
/// | scene | what it is | keys |
/// |---|---|---|
/// | `city` | towers, courts and houses on a ground, turned and scaled: `n` placements in all | `n`, `seed` |
/// | `pick` | a teapot, a sphere and a box that move above a ground: where they are at `time` | `time` |
///
/// The same line gives the same bits on every machine.
///
/// ```
/// # mod estoc { pub mod scene { pub use {estoc_scene::*}; } }
/// use estoc::scene::DemoScene;
/// let city: DemoScene = "city?n=50".parse()?;
/// assert_eq!(city.file().placements().len(), 50);
/// assert_eq!(city.to_string(), "city?n=50&seed=0");
/// # Ok::<(), estoc_scene::DemoSceneError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum DemoScene {
    /// Buildings on a ground, y up.
    City {
        /// The number of placements: the ground and the buildings; from 1 to
        /// [`MAX_N`](DemoScene::MAX_N).
        n: usize,
        /// Of the random numbers.
        seed: u64,
    },
    /// Three moving objects above a ground, y up.
    Pick {
        /// The time in seconds, finite.
        time: f64,
    },
}

impl DemoScene {
    /// The largest number of placements.
    pub const MAX_N: usize = 1_000_000;

    const NAMES: [&str; 2] = ["city", "pick"];
    const CITY: DemoScene = DemoScene::City { n: 400, seed: 0 };
    const PICK: DemoScene = DemoScene::Pick { time: 0.0 };

    /// Returns whether a line of text names a generated scene, with whatever keys.
    pub fn is_named(line: &str) -> bool {
        let name = line.split_once('?').map_or(line, |(name, _)| name);
        Self::NAMES.contains(&name)
    }

    /// Returns how many bytes the placements take at a time while a scene is made of them, at most.
    pub(crate) fn bytes_to_make(&self) -> usize {
        // In the file, in the scene, and in the tree while it is built.
        let a_placement = 1024;
        match *self {
            DemoScene::City { n, .. } => n.clamp(1, Self::MAX_N) * a_placement,
            DemoScene::Pick { .. } => 8 * a_placement,
        }
    }

    /// Generates the scene. Numbers that are out of range are replaced by the nearest that are not, and
    /// a time that is not finite by 0.
    pub fn file(&self) -> SceneFile {
        let name = format!("demo:{self}");
        match *self {
            DemoScene::City { n, seed } => city::city(&name, n.clamp(1, Self::MAX_N), seed),
            DemoScene::Pick { time } => {
                moving_shapes::moving_shapes(&name, if time.is_finite() { time } else { 0.0 })
            }
        }
    }

    const fn name(&self) -> &'static str {
        match self {
            DemoScene::City { .. } => "city",
            DemoScene::Pick { .. } => "pick",
        }
    }

    /// Returns a phrase with the keys of the scene.
    const fn keys(&self) -> &'static str {
        match self {
            DemoScene::City { .. } => "its keys are n and seed",
            DemoScene::Pick { .. } => "its only key is time",
        }
    }
}

impl fmt::Display for DemoScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DemoScene::City { n, seed } => write!(f, "city?n={n}&seed={seed}"),
            DemoScene::Pick { time } => write!(f, "pick?time={time}"),
        }
    }
}

/// Why a line of text is not a generated scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DemoSceneError {
    /// No scene has this name.
    #[error("there is no generated scene {name:?}: choose one of {}", DemoScene::NAMES.join(", "))]
    UnknownScene {
        /// The name given.
        name: String,
    },
    /// The scene has no such key.
    #[error("the generated scene {scene} has no key {key:?}: {keys}")]
    UnknownKey {
        /// The scene.
        scene: &'static str,
        /// The key given.
        key: String,
        /// A phrase with the keys of the scene.
        keys: &'static str,
    },
    /// A key occurs twice.
    #[error("the key {key:?} is given twice; remove one of them")]
    RepeatedKey {
        /// The key.
        key: String,
    },
    /// The value of a key is out of range.
    #[error("{key}={value:?} is not {expected}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// The value given.
        value: String,
        /// What is expected.
        expected: &'static str,
    },
}

impl FromStr for DemoScene {
    type Err = DemoSceneError;

    fn from_str(text: &str) -> Result<Self, DemoSceneError> {
        let (name, settings) = text.split_once('?').unwrap_or((text, ""));
        let mut scene = [Self::CITY, Self::PICK]
            .into_iter()
            .find(|scene| scene.name() == name)
            .ok_or_else(|| DemoSceneError::UnknownScene { name: name.into() })?;
        let mut given = Vec::new();
        for setting in settings.split('&').filter(|setting| !setting.is_empty()) {
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            if given.contains(&key) {
                return Err(DemoSceneError::RepeatedKey { key: key.into() });
            }
            scene.set(key, value)?;
            given.push(key);
        }
        Ok(scene)
    }
}

impl DemoScene {
    fn set(&mut self, key: &str, text: &str) -> Result<(), DemoSceneError> {
        let (scene, keys) = (self.name(), self.keys());
        let bad = |key, expected| DemoSceneError::BadValue {
            key,
            value: text.into(),
            expected,
        };
        match (self, key) {
            (DemoScene::City { n, .. }, "n") => {
                let number = text.parse().ok();
                let number = number.filter(|n| (1..=DemoScene::MAX_N).contains(n));
                *n = number.ok_or_else(|| bad("n", "a whole number from 1 to 1000000"))?;
            }
            (DemoScene::City { seed, .. }, "seed") => {
                let number = text.parse().ok();
                *seed = number.ok_or_else(|| bad("seed", "a whole number from 0 to 2^64 - 1"))?;
            }
            (DemoScene::Pick { time }, "time") => {
                let number = text.parse().ok().filter(|time: &f64| time.is_finite());
                *time = number.ok_or_else(|| bad("time", "a finite number of seconds"))?;
            }
            (_, key) => {
                let key = key.into();
                return Err(DemoSceneError::UnknownKey { scene, key, keys });
            }
        }
        Ok(())
    }
}
