//! `estoc man`: prints manual pages.
//!
//! The program itself generates them: a build script would have to compile the whole command line a
//! second time, before the program.

use crate::Cli;
use crate::failure::Failure;
use crate::output_name::Form;
use crate::session::Session;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

/// Print the manual page of estoc, or of one of its verbs, for man(1).
///
/// Example: estoc man > estoc.1
///
/// Example: estoc man cast > estoc-cast.1
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The verb whose page to print
    verb: Option<String>,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    session.without_json("man")?;
    let mut estoc = Cli::command();
    // Adds the options of every verb to each verb.
    estoc.build();
    let page = match &args.verb {
        None => estoc,
        Some(verb) => of_verb(&estoc, verb)?,
    };
    let mut output = session.output(Form::ManPage, &[])?;
    let mut text = Vec::new();
    Man::new(page)
        .render(&mut text)
        .map_err(|error| output.failure(error))?;
    output.put_bytes(&text)?;
    output.finish()
}

fn of_verb(estoc: &Command, verb: &str) -> Result<Command, Failure> {
    let found = estoc.find_subcommand(verb).cloned().ok_or_else(|| {
        let names: Vec<&str> = estoc.get_subcommands().map(Command::get_name).collect();
        Failure::Usage(format!(
            "estoc has no verb {verb:?}; use one of {}",
            names.join(", ")
        ))
    })?;
    let version = estoc.get_version().map(str::to_owned);
    let page = found.name(format!("estoc-{verb}"));
    Ok(match version {
        Some(_) => page.version(crate::version::text()),
        None => page,
    })
}
