//! Finds the imports between the top-level modules of a crate.

use crate::modules::Module;
use crate::tokens::{Kind, Token};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A path in one top-level module that leads into another.
#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
}

/// A path with the line of its last name; groups are expanded.
type Path<'a> = (Vec<&'a str>, usize);

/// Lists all imports between the top-level modules of a crate, whose root must come first.
///
/// A path to a name of the root is an error if the module of that name is ambiguous.
pub(crate) fn between_top_level_modules(modules: &[Module]) -> Result<Vec<Import>, String> {
    let root = Root::of(modules);
    let (mut imports, mut problems) = (Vec::new(), String::new());
    for module in modules {
        let Some(from) = module.path.first() else {
            continue;
        };
        for (path, line) in paths(&module.tokens) {
            let file = &module.file;
            match absolute(&module.path, &path).map(|path| root.find(&path)) {
                None | Some(Found::NoModule) => {}
                Some(Found::Module(to)) if to == from => {}
                Some(Found::Module(to)) => imports.push(Import {
                    from: from.clone(),
                    to: to.to_owned(),
                    file: file.clone(),
                    line,
                }),
                Some(Found::Unknown) => {
                    let (file, path) = (file.display(), path.join("::"));
                    problems += &format!("{file}:{line}: cannot tell the module of {path}\n");
                }
            }
        }
    }
    if problems.is_empty() {
        Ok(imports)
    } else {
        Err(problems)
    }
}

/// The target of a path from the root.
#[derive(Debug, PartialEq)]
enum Found<'a> {
    /// A top-level module.
    Module(&'a str),
    /// Another crate, an item of the root itself, or the root.
    NoModule,
    /// A glob, or a name that the root has from a glob or a macro.
    Unknown,
}

/// The names in the root of a crate.
struct Root<'a> {
    modules: BTreeSet<&'a str>,
    /// Maps a name imported in the root to the path that its `use` line imports.
    imported: BTreeMap<&'a str, Vec<&'a str>>,
    /// Structs, functions and other items defined in the root.
    items: BTreeSet<&'a str>,
    /// Maps the name of a macro with `#[macro_export]` to its module.
    macros: BTreeMap<&'a str, &'a str>,
}

impl<'a> Root<'a> {
    fn of(modules: &'a [Module]) -> Self {
        const ITEMS: [&str; 9] = [
            "struct", "enum", "union", "trait", "fn", "type", "const", "static", "crate",
        ];
        let root = &modules[0];
        let mut imported = BTreeMap::new();
        for (at, token) in root.tokens.iter().enumerate() {
            if token.name() == Some("use") {
                tree(&root.tokens, at + 1, &[], &mut |path, name| {
                    imported.insert(name, path.0);
                });
            }
        }
        let pairs = || root.tokens.iter().zip(root.tokens.iter().skip(1));
        let items = pairs().filter(|(first, _)| first.name().is_some_and(|n| ITEMS.contains(&n)));
        let mut macros = BTreeMap::new();
        for module in modules.iter().filter(|module| !module.path.is_empty()) {
            for at in 0..module.tokens.len().saturating_sub(2) {
                if module.tokens[at].name() == Some("macro_rules")
                    && let Some(name) = module.tokens[at + 2].name()
                {
                    macros.insert(name, module.path[0].as_str());
                }
            }
        }
        Root {
            modules: root.children.iter().map(String::as_str).collect(),
            imported,
            items: items.filter_map(|(_, name)| name.name()).collect(),
            macros,
        }
    }

    /// Finds the top-level module that a path from the root leads to.
    fn find(&self, path: &[&'a str]) -> Found<'a> {
        let path = match path {
            ["crate" | "self", rest @ ..] => rest,
            rest => rest,
        };
        let Some(first) = path.first() else {
            return Found::NoModule;
        };
        if let Some(module) = self.modules.get(first) {
            Found::Module(module)
        } else if let Some(module) = self.macros.get(first) {
            Found::Module(module)
        } else if let Some(whole) = self.imported.get(first) {
            match whole.as_slice() {
                ["crate" | "self", name, ..] | [name, ..] if self.modules.contains(name) => {
                    Found::Module(name)
                }
                _ => Found::NoModule,
            }
        } else if self.items.contains(first) {
            Found::NoModule
        } else {
            Found::Unknown
        }
    }
}

/// Resolves a path in a module to a path from the root; `None` if it stays in the module's
/// top-level module or leads to another crate.
fn absolute<'a>(module: &[String], path: &[&'a str]) -> Option<Vec<&'a str>> {
    if path[0] == "crate" {
        return Some(path[1..].to_vec());
    }
    let ups = path.iter().take_while(|name| **name == "super").count();
    (ups > 0 && ups >= module.len()).then(|| path[ups..].to_vec())
}

/// Lists the paths that begin with `crate` or `super`, with groups expanded.
fn paths(tokens: &[Token]) -> Vec<Path<'_>> {
    let mut found = Vec::new();
    let mut in_use_until = 0;
    for (at, token) in tokens.iter().enumerate() {
        if at < in_use_until {
            continue;
        }
        match token.name() {
            Some("use") => {
                in_use_until = tree(tokens, at + 1, &[], &mut |path, _| {
                    if is_from_crate(path.0[0]) {
                        found.push(path);
                    }
                });
            }
            Some(name) if is_from_crate(name) && begins_path(tokens, at) => {
                let (mut path, mut end) = (vec![name], at);
                while let (Some(Kind::PathSeparator), Some(next)) = (
                    tokens.get(end + 1).map(|token| &token.kind),
                    tokens.get(end + 2).and_then(Token::name),
                ) {
                    path.push(next);
                    end += 2;
                }
                found.push((path, token.line));
            }
            _ => {}
        }
    }
    found
}

fn is_from_crate(name: &str) -> bool {
    name == "crate" || name == "super"
}

/// Returns whether the name at `at` is followed by `::`, and is neither in the middle of a longer
/// path nor in a visibility, `pub(in crate::a)`.
fn begins_path(tokens: &[Token], at: usize) -> bool {
    let before = |steps: usize| at.checked_sub(steps).map(|before| &tokens[before]);
    let follows_separator = before(1).is_some_and(|token| token.kind == Kind::PathSeparator);
    let in_visibility = before(1).and_then(Token::name) == Some("in")
        && before(2).is_some_and(|token| token.is('('));
    tokens.get(at + 1).map(|next| &next.kind) == Some(&Kind::PathSeparator)
        && !follows_separator
        && !in_visibility
}

/// Expands the `use` tree at `at`: calls `each` with each path and the name that it imports, and
/// returns the index after the tree. A glob has the name `*`.
fn tree<'a>(
    tokens: &'a [Token],
    mut at: usize,
    before: &[&'a str],
    each: &mut dyn FnMut(Path<'a>, &'a str),
) -> usize {
    let mut path = before.to_vec();
    while let Some(token) = tokens.get(at) {
        at += 1;
        match &token.kind {
            Kind::PathSeparator => {}
            Kind::Mark('*') => {
                path.push("*");
                each((path, token.line), "*");
                return at;
            }
            Kind::Mark('{') => {
                while tokens.get(at).is_some_and(|token| !token.is('}')) {
                    at = tree(tokens, at, &path, each);
                    at += usize::from(tokens.get(at).is_some_and(|token| token.is(',')));
                }
                return at + 1;
            }
            Kind::Name(name) => {
                if name != "self" || path.is_empty() {
                    path.push(name);
                }
                if tokens.get(at).map(|next| &next.kind) == Some(&Kind::PathSeparator) {
                    continue;
                }
                let renamed = tokens.get(at).and_then(Token::name) == Some("as");
                let known_as = match tokens.get(at + 1).and_then(Token::name) {
                    Some(other) if renamed => other,
                    _ => *path.last().expect("a name was pushed"),
                };
                each((path, token.line), known_as);
                return at + 2 * usize::from(renamed);
            }
            Kind::Mark(_) => return at, // does not compile
        }
    }
    at
}
