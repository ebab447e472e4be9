//! Reads what the modules of a crate name, without code for tests only.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use std::path::{Path, PathBuf};
use std::slice;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _, discouraged::Speculative as _};
use syn::{Stmt, Token, UseTree};

/// A module, in its own file or inline.
#[derive(Default)]
pub(crate) struct Module {
    /// The names from the root of the crate; empty for the root.
    pub(crate) path: Vec<String>,
    pub(crate) file: PathBuf,
    /// The child modules with their lines, and with their code if it is inline.
    pub(crate) children: Vec<(String, usize, Option<TokenStream>)>,
    /// The paths of `use` lines with the lines of their last names, and all paths that begin with
    /// `crate` or `super` with those of their first.
    pub(crate) paths: Vec<(Vec<String>, usize)>,
    /// The items and imports of the root, or the macros of another module, with the first name of
    /// what they lead to; empty for an item.
    pub(crate) names: Vec<(String, String)>,
}

/// Reads the crate with this root file; the root comes first.
pub(crate) fn read_crate(
    root: &Path,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Result<Vec<Module>, String> {
    let source = read(root).ok_or_else(|| format!("cannot read {}\n", root.display()))?;
    let folder = root.parent().unwrap_or(Path::new("")).to_owned();
    let mut waiting = vec![(Vec::new(), root.to_owned(), folder, syn::parse_str(&source))];
    let mut modules = Vec::new();
    while let Some((path, file, folder, tokens)) = waiting.pop() {
        let shown = file.display().to_string();
        let mut module = Module::default();
        (module.path, module.file) = (path, file);
        let added = tokens.and_then(|tokens| module.add(tokens));
        added.map_err(|error| format!("{shown}:{}: {error}\n", error.span().start().line))?;
        let next = waiting.len();
        for (name, line, body) in &mut module.children {
            let below = folder.join(&*name);
            let files = [folder.join(format!("{name}.rs")), below.join("mod.rs")];
            let inline = body.take().map(|tokens| (module.file.clone(), Ok(tokens)));
            let parse = |file: PathBuf| read(&file).map(|source| (file, syn::parse_str(&source)));
            let found = inline.or_else(|| files.into_iter().find_map(parse));
            let no_file = || format!("{shown}:{line}: no file for mod {name}\n");
            let (file, tokens) = found.ok_or_else(no_file)?;
            let path = [&module.path[..], slice::from_ref(name)].concat();
            waiting.push((path, file, below, tokens));
        }
        waiting[next..].reverse(); // the first is read next
        modules.push(module);
    }
    Ok(modules)
}

impl Module {
    /// Adds what these tokens name.
    fn add(&mut self, tokens: TokenStream) -> syn::Result<()> {
        (|input: ParseStream<'_>| self.add_from(input)).parse2(tokens)
    }

    fn add_from(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        while !input.is_empty() {
            let line = input.span().start().line;
            if input.peek(Token![#]) {
                skip_what_is_for_tests(input)?;
            } else if input.peek(Token![use]) {
                input.parse::<Token![use]>()?;
                taken::<Token![::]>(input);
                if let Some(tree) = taken(input) {
                    self.add_use(&tree, &[]);
                }
            } else if input.peek(Ident::peek_any) {
                let mut path = vec![text(&input.call(Ident::parse_any)?)];
                while input.peek(Token![::]) {
                    input.parse::<Token![::]>()?;
                    path.extend(input.call(Ident::parse_any).map(|name| text(&name)));
                }
                self.add_declared(&path[0], line, input);
                if path[0] == "crate" || path[0] == "super" {
                    self.paths.push((path, line));
                }
            } else if let TokenTree::Group(group) = input.parse()? {
                self.add(group.stream())?;
            }
        }
        Ok(())
    }

    /// Adds the module, macro or item whose declaration begins with `word`.
    fn add_declared(&mut self, word: &str, line: usize, input: ParseStream<'_>) {
        const ITEMS: &str = "struct enum union trait fn type const static crate";
        let ahead = input.fork();
        taken::<Token![!]>(&ahead);
        let Ok(name) = ahead.call(Ident::parse_any) else {
            return;
        };
        let words = self.path.first().map_or(ITEMS, |_| "macro_rules");
        if word == "mod" {
            let body = taken(&ahead).map(|body: Group| body.stream());
            self.children.push((text(&name), line, body));
            input.advance_to(&ahead);
        } else if words.split(' ').any(|declares| declares == word) {
            let top = self.path.first().cloned().unwrap_or_default();
            self.names.push((text(&name), top));
        }
    }

    /// Adds the paths of a `use` tree that follows the names `before`.
    fn add_use(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: String| [before, &[name]].concat();
        let (mut path, renamed, end) = match tree {
            UseTree::Path(path) => return self.add_use(&path.tree, &with(text(&path.ident))),
            UseTree::Group(group) => {
                return group
                    .items
                    .iter()
                    .for_each(|tree| self.add_use(tree, before));
            }
            UseTree::Name(leaf) => (with(text(&leaf.ident)), None, leaf.ident.span()),
            UseTree::Rename(leaf) => (
                with(text(&leaf.ident)),
                Some(text(&leaf.rename)),
                leaf.ident.span(),
            ),
            UseTree::Glob(leaf) => (with("*".to_owned()), None, leaf.star_token.span),
        };
        path.retain(|name| name != "self");
        if self.path.is_empty() {
            let first = path.iter().find(|name| *name != "crate");
            let known_as = renamed.as_ref().or(path.last());
            self.names.extend(known_as.cloned().zip(first.cloned()));
        }
        self.paths.push((path, end.start().line));
    }
}

fn text(name: &Ident) -> String {
    name.unraw().to_string()
}

/// Reads a `T` if there is one.
fn taken<T: Parse>(input: ParseStream<'_>) -> Option<T> {
    let ahead = input.fork();
    let found = ahead.parse().ok()?;
    input.advance_to(&ahead);
    Some(found)
}

/// Skips the `#` of an attribute; and the rest, and what it is for, if that is for tests only.
fn skip_what_is_for_tests(input: ParseStream<'_>) -> syn::Result<()> {
    input.parse::<Token![#]>()?;
    let is_inner = taken::<Token![!]>(input).is_some();
    if !input.fork().parse().is_ok_and(is_for_tests) {
        return Ok(());
    }
    if is_inner {
        return input.parse::<TokenStream>().map(drop);
    }
    input.parse::<Group>()?;
    if taken::<Stmt>(input).is_none() {
        // A field, a variant, an arm, or what only a macro understands.
        let is_last = |tree: TokenTree| tree.to_string().starts_with([',', ';', '{']);
        while taken(input).is_some_and(|tree| !is_last(tree)) {}
    }
    Ok(())
}

/// Returns whether an attribute is `cfg(test)`, or `cfg(all(..., test, ...))` without `not` and `any`.
fn is_for_tests(attribute: Group) -> bool {
    let text = attribute.to_string().replace(' ', "");
    let has = |name| text.split(['(', ',', ')']).any(|word| word == name);
    text == "[cfg(test)]"
        || text.starts_with("[cfg(all(") && has("test") && !has("not") && !has("any")
}
