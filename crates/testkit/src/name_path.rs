//! Texts that tests compare, whatever folder they ran in.

use std::path::Path;

/// Returns a text in which `name` stands for a path, with `/` between names on Windows, too.
pub fn name_path(text: &str, path: &Path, name: &str) -> String {
    let path = path.display().to_string();
    if !cfg!(windows) {
        return text.replace(&path, name);
    }
    // Quotes in quotes stay as they are.
    let quote = "\\\"";
    let slashes = |text: &str| {
        let pieces: Vec<_> = (text.split(quote))
            .map(|piece| piece.replace('\\', "/"))
            .collect();
        pieces.join(quote)
    };
    // Quoted texts have two for one, and paths that the system has completed begin with `\\?\`.
    let plain = text.replace(r"\\?\", "").replace(r"\\", r"\");
    slashes(&plain).replace(&slashes(&path), name)
}
