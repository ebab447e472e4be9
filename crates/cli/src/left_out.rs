//! Verbs that this build of the command was made without.

use crate::failure::Failure;
use std::ffi::OsString;

/// Not in this build of the command; says how to get it
#[derive(clap::Args)]
pub(crate) struct Args {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _words: Vec<OsString>,
}

/// Refuses a verb, and names the way to it.
pub(crate) fn refuse(verb: &str) -> Result<(), Failure> {
    Err(Failure::Usage(format!(
        "this build of estoc was made without the verb {verb}: `cargo run --release -p estoc-cli -- {verb}` \
         builds it, and `cargo install --locked --path crates/cli` installs it"
    )))
}

/// Stands for the module of a verb whose feature is off.
#[cfg(not(all(feature = "shell", feature = "view")))]
macro_rules! left_out {
    ($verb:ident) => {
        mod $verb {
            pub(crate) use crate::left_out::Args;

            pub(crate) fn run(
                _: &Args,
                _: &crate::session::Session,
            ) -> Result<(), crate::failure::Failure> {
                crate::left_out::refuse(stringify!($verb))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Page {
        #[command(flatten)]
        words: Args,
    }

    #[test]
    fn any_words_lead_to_the_way_out() {
        let line = ["view", "a.obj", "--port", "3", "--json"];
        let page = Page::try_parse_from(line).unwrap();
        assert_eq!(page.words._words, line[1..]);
        let Err(Failure::Usage(told)) = refuse("view") else {
            panic!("it is refused as wrong usage");
        };
        assert!(told.contains("the verb view: `cargo run --release -p estoc-cli -- view`"));
    }
}
