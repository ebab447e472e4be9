//! `estoc completions`: prints completion scripts for shells.

use crate::Cli;
use crate::failure::Failure;
use crate::output_name::Form;
use crate::session::Session;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

/// Print a script that completes the verbs and options of estoc in a shell.
///
/// Example: estoc completions bash > ~/.local/share/bash-completion/completions/estoc
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell that reads the script
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    session.without_json("completions")?;
    let mut output = session.output(Form::Script, &[])?;
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "estoc", &mut script);
    output.put_bytes(&script)?;
    output.finish()
}
