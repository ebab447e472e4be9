//! Reads the files of a crate, starting at its root and following `mod` lines.

use crate::tokens::{Kind, Token, tokens, without_tests};
use std::path::{Path, PathBuf};

/// A module, in its own file or inline.
#[derive(Debug)]
pub(crate) struct Module {
    /// The names from the root of the crate; empty for the root.
    pub(crate) path: Vec<String>,
    /// The file that contains the module.
    pub(crate) file: PathBuf,
    /// The tokens of the module, without inline modules and code for tests only.
    pub(crate) tokens: Vec<Token>,
    /// The names of its child modules.
    pub(crate) children: Vec<String>,
}

/// Reads a crate; the root comes first.
pub(crate) fn read_crate(
    root: &Path,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Result<Vec<Module>, String> {
    let folder = root.parent().unwrap_or(Path::new(""));
    let mut reader = Reader {
        read,
        found: Vec::new(),
    };
    reader.file(Vec::new(), root.to_owned(), folder)?;
    Ok(reader.found)
}

struct Reader<'a> {
    read: &'a dyn Fn(&Path) -> Option<String>,
    found: Vec<Module>,
}

impl Reader<'_> {
    /// Reads a file whose child modules have their files in `folder`.
    fn file(&mut self, path: Vec<String>, file: PathBuf, folder: &Path) -> Result<(), String> {
        let source =
            (self.read)(&file).ok_or_else(|| format!("cannot read {}\n", file.display()))?;
        self.module(path, file, folder, &without_tests(tokens(&source)))
    }

    /// Reads a module with these tokens, and all modules in it.
    fn module(
        &mut self,
        path: Vec<String>,
        file: PathBuf,
        folder: &Path,
        tokens: &[Token],
    ) -> Result<(), String> {
        let place = self.found.len();
        self.found.push(Module {
            path: path.clone(),
            file: file.clone(),
            tokens: Vec::new(),
            children: Vec::new(),
        });
        let mut at = 0;
        while at < tokens.len() {
            let (Some("mod"), Some(name), Some(open)) = (
                tokens[at].name(),
                tokens.get(at + 1).and_then(Token::name),
                tokens.get(at + 2),
            ) else {
                self.found[place].tokens.push(tokens[at].clone());
                at += 1;
                continue;
            };
            self.found[place].children.push(name.to_owned());
            let mut inner = path.clone();
            inner.push(name.to_owned());
            if open.is('{') {
                let end = closing_brace(tokens, at + 2);
                let body = &tokens[at + 3..end];
                self.module(inner, file.clone(), &folder.join(name), body)?;
                at = end + 1;
            } else {
                self.child(inner, folder, &file)?;
                at += 3;
            }
        }
        Ok(())
    }

    /// Reads the file of `mod name;`.
    fn child(&mut self, path: Vec<String>, folder: &Path, parent: &Path) -> Result<(), String> {
        let name = path.last().expect("a child has a name");
        let below = folder.join(name);
        let candidates = [folder.join(format!("{name}.rs")), below.join("mod.rs")];
        let Some(file) = candidates
            .into_iter()
            .find(|file| (self.read)(file).is_some())
        else {
            return Err(format!("{}: no file for mod {name}\n", parent.display()));
        };
        self.file(path, file, &below)
    }
}

/// Returns the index of the brace that closes the one at `at`.
fn closing_brace(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate().skip(at) {
        match token.kind {
            Kind::Mark('{') => depth += 1,
            Kind::Mark('}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place;
        }
    }
    tokens.len()
}
