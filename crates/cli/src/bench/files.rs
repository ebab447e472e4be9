//! The outputs of a result, each in its own form.

use super::report::Report;
use super::style::Style;
use super::{Args, chart, csv, show};
use crate::failure::Failure;
use crate::output::ResultOutput;
use crate::output_name::{self, Form};
use crate::session::Session;
use serde_json::json;
use std::path::Path;

/// Open outputs; each receives its complete text at the end, or nothing.
pub(super) struct ResultFiles {
    /// The output of `--out` and `--json`; `None` if another form goes to stdout.
    main: Option<(ResultOutput, Style)>,
    forms: Vec<(Form, ResultOutput)>,
}

impl ResultFiles {
    /// Opens all outputs before anything is measured, so that a mistyped folder fails at once.
    pub(super) fn open(args: &Args, session: &Session) -> Result<ResultFiles, Failure> {
        let named = [
            ("--csv", Form::Csv, &args.csv),
            ("--markdown", Form::Markdown, &args.markdown),
            ("--svg", Form::Svg, &args.svg),
            ("--save", Form::Json, &args.save),
        ];
        let named: Vec<(&'static str, Form, &Path)> = named
            .into_iter()
            .filter_map(|(option, form, path)| Some((option, form, path.as_deref()?)))
            .collect();
        let is_stdout = |path: &Path| path.as_os_str() == "-";
        let mut for_stdout: Vec<&str> = named
            .iter()
            .filter(|(_, _, path)| is_stdout(path))
            .map(|(option, ..)| *option)
            .collect();
        let is_given_away = !for_stdout.is_empty() && session.named_out().is_none();
        match session.named_out() {
            Some(out) if is_stdout(out) => for_stdout.push("--out"),
            None if session.json() => for_stdout.push("--json"),
            _ => {}
        }
        if let [first, second, ..] = for_stdout[..] {
            return Err(Failure::Usage(format!(
                "{first} and {second} both go to stdout; name a file for one of them"
            )));
        }

        let mut inputs: Vec<&Path> = args.meshes.iter().flat_map(|mesh| mesh.files()).collect();
        inputs.extend(args.compare.as_deref());
        let main = match is_given_away {
            true => None,
            false => {
                let style = match session.out() {
                    None => Style::of_stdout(),
                    Some(_) => Style::PLAIN,
                };
                Some((session.output(Form::Report, &inputs)?, style))
            }
        };
        let out = session.out();
        let mut taken: Vec<&Path> = inputs.into_iter().chain(out.as_deref()).collect();
        let mut forms = Vec::new();
        for (option, form, path) in named {
            let output = match is_stdout(path) {
                true => output_name::open(option, Some(path), form)?,
                false => {
                    let output = session.output_to(option, path, form, &taken)?;
                    taken.push(path);
                    output
                }
            };
            forms.push((form, output));
        }
        Ok(ResultFiles { main, forms })
    }

    /// Writes all outputs, files first: a reader that closes stdout or a pipe early, which is not a
    /// failure, does not affect the files. If one output fails, the others are still written.
    pub(super) fn write(self, report: &Report, session: &Session) -> Result<(), Failure> {
        session.check_interrupt()?;
        let object = || format!("{:#}\n", json!(report));
        let forms = self.forms.into_iter().map(|(form, output)| {
            let text = match form {
                Form::Csv => csv::csv(report),
                Form::Markdown => show::markdown(report),
                Form::Svg => chart::svg(report),
                _ => object(),
            };
            (output, text)
        });
        let main = self.main.map(|(output, style)| {
            let text = match session.json() {
                true => object(),
                false => show::text(report, style),
            };
            (output, text)
        });
        let mut results: Vec<(ResultOutput, String)> = forms.chain(main).collect();
        results.sort_by_key(|(output, _)| !output.is_whole_file());
        let failures = results.into_iter().filter_map(|(mut output, text)| {
            let put = output.put(format_args!("{text}"));
            put.and_then(|()| output.finish()).err()
        });
        let first = failures.min_by_key(|failure| matches!(failure, Failure::BrokenPipe));
        first.map_or(Ok(()), Err)
    }
}
