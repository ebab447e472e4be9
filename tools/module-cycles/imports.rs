//! Finds the imports between the top-level modules of a crate.

use crate::cycles::Graph;
use crate::modules::Module;
use std::collections::{BTreeMap, BTreeSet};

/// Maps the modules of a folder, whose root comes first, to those that they import, each with the file
/// and line of the first path that leads there. `folder` has the names from the root of the crate to the
/// folder; it is empty for the crate itself.
///
/// A path to a name of the root is an error if the module of that name is ambiguous; and in a folder if the
/// crate's root has it from elsewhere, as the type in `crate::Type`.
pub(crate) fn between_modules<'a>(
    modules: &'a [Module],
    folder: &[&str],
) -> Result<Graph<'a>, String> {
    let children = modules[0].children.iter().map(|(name, ..)| name.as_str());
    let top_level: BTreeSet<&str> = children.collect();
    let names = modules.iter().flat_map(|module| &module.names);
    let names = names.map(|(name, first)| (name.as_str(), first.as_str()));
    let names = names.chain(top_level.iter().map(|name| (*name, *name)));
    let names: BTreeMap<&str, &str> = names.collect();
    let (mut graph, mut problems) = (Graph::new(), String::new());
    for Module {
        path: module,
        file,
        paths,
        ..
    } in modules
    {
        for (path, line) in paths {
            let is_of_crate = matches!(&path[..], [root, name, ..] if root == "crate"
                && name.starts_with(char::is_uppercase));
            if !folder.is_empty() && is_of_crate {
                let place = format!("{}:{line}", file.display());
                problems += &format!("{place}: cannot tell the folder of {}\n", path.join("::"));
            }
            let (Some(from), Some(name)) = (module.first(), name_in_root(module, path, folder))
            else {
                continue;
            };
            let place = format!("{}:{line}", file.display());
            let Some(to) = names.get(name) else {
                problems += &format!("{place}: cannot tell the module of {}\n", path.join("::"));
                continue;
            };
            if to != from && top_level.contains(to) {
                graph
                    .entry(from.as_str())
                    .or_default()
                    .entry(to)
                    .or_insert(place);
            }
        }
    }
    if problems.is_empty() {
        Ok(graph)
    } else {
        Err(problems)
    }
}

/// Returns the name of the root that a path in a module begins with; `None` if it stays in the
/// module's own module of the root, or leads out of the folder.
fn name_in_root<'a>(module: &[String], path: &'a [String], folder: &[&str]) -> Option<&'a str> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    let place = match path.first()?.as_str() {
        "crate" if *path.get(1..=folder.len())? == *folder => 1 + folder.len(),
        "super" if ups == module.len() => ups,
        _ => return None,
    };
    path.get(place).map(String::as_str)
}
