//! Places in scene files.

use std::fmt;
use std::sync::Arc;

/// A place in a scene file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SceneLocation {
    /// The path of the file, the name that the caller gave, or `demo:` and the line of text of a
    /// generated scene.
    pub file: Arc<str>,
    /// The line, from 1; `None` for the file as a whole, and in a generated scene.
    pub line: Option<u64>,
}

/// The file, and the line after a colon.
impl fmt::Display for SceneLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.line {
            Some(line) => write!(f, ":{line}"),
            None => Ok(()),
        }
    }
}
