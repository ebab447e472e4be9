//! Names of result files: rejected if they contradict the form of the result.

use crate::failure::Failure;
use crate::output::ResultOutput;
use estoc_rays_io::TableFormat;
use estoc_rays_io::job::folder_of_job_file;
use std::path::{Path, PathBuf};

/// The form of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Csv,
    Npy,
    Parquet,
    Json,
    /// Text for people.
    Text,
    /// The same of `estoc bench`, which has an option for each other form.
    Report,
    #[cfg_attr(not(feature = "shell"), allow(dead_code))]
    Script,
    #[cfg_attr(not(feature = "shell"), allow(dead_code))]
    ManPage,
    Png,
    Tree,
    Markdown,
    Svg,
}

impl Form {
    /// Returns the form with or without `--json`, which turns CSV and text into JSON.
    pub(crate) fn with_json(self, json: bool) -> Self {
        match self {
            Form::Csv | Form::Npy | Form::Parquet | Form::Text | Form::Report if json => Form::Json,
            form => form,
        }
    }

    /// Returns the form of rows in a format.
    pub(crate) fn of_rows(format: TableFormat) -> Self {
        match format {
            TableFormat::Npy => Form::Npy,
            TableFormat::Parquet => Form::Parquet,
            _ => Form::Csv,
        }
    }

    /// Returns what a result of this form is.
    fn words(self) -> &'static str {
        self.words_and_extension().0
    }

    /// Returns the usual file extension.
    pub(crate) fn extension(self) -> &'static str {
        self.words_and_extension().1
    }

    fn words_and_extension(self) -> (&'static str, &'static str) {
        match self {
            Form::Csv => ("CSV", "csv"),
            Form::Npy => ("an NPY array", "npy"),
            Form::Parquet => ("Parquet", "parquet"),
            Form::Json => ("JSON", "json"),
            Form::Text | Form::Report => ("text", "txt"),
            Form::Script => ("a script", "sh"),
            Form::ManPage => ("a manual page", "1"),
            Form::Png => ("a PNG picture", "png"),
            Form::Tree => ("a tree file", "estoc"),
            Form::Markdown => ("Markdown", "md"),
            Form::Svg => ("an SVG picture", "svg"),
        }
    }

    /// Returns whether the form is binary, so that a terminal cannot show it.
    fn is_binary(self) -> bool {
        matches!(self, Form::Png | Form::Tree | Form::Npy | Form::Parquet)
    }
}

/// File extensions that state a format.
const KNOWN: [(&str, &str); 34] = [
    ("3mf", "3MF meshes"),
    ("bmp", "BMP pictures"),
    ("bz2", "bzip2-compressed files"),
    ("csv", "CSV"),
    ("dae", "COLLADA meshes"),
    ("estoc", "tree files"),
    ("exr", "EXR pictures"),
    ("fbx", "FBX meshes"),
    ("gif", "GIF pictures"),
    ("glb", "glTF meshes"),
    ("gltf", "glTF meshes"),
    ("gz", "gzip-compressed files"),
    ("html", "HTML"),
    ("jpeg", "JPEG pictures"),
    ("jpg", "JPEG pictures"),
    ("json", "JSON"),
    ("md", "Markdown"),
    ("npy", "NPY arrays"),
    ("obj", "OBJ meshes"),
    ("off", "OFF meshes"),
    ("parquet", "Parquet"),
    ("pdf", "PDF"),
    ("ply", "PLY meshes"),
    ("png", "PNG pictures"),
    ("ppm", "PPM pictures"),
    ("stl", "STL meshes"),
    ("svg", "SVG pictures"),
    ("tif", "TIFF pictures"),
    ("tiff", "TIFF pictures"),
    ("tsv", "tab-separated values"),
    ("webp", "WebP pictures"),
    ("xz", "xz-compressed files"),
    ("zip", "ZIP archives"),
    ("zst", "zstd-compressed files"),
];

/// Rejects a name whose extension states another format than the form's. Other extensions are
/// accepted.
pub(crate) fn check(option: &str, path: &Path, form: Form) -> Result<(), Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    let known = KNOWN.iter().find(|(known, _)| *known == extension);
    let Some((_, other)) = known.filter(|_| extension != form.extension()) else {
        return Ok(());
    };
    let way_out = match (form, extension.as_str()) {
        (Form::Csv | Form::Text | Form::Report, "json") => "add --json for JSON".to_owned(),
        (Form::Report, "csv") => "use --csv for CSV".to_owned(),
        (Form::Report, "md") => "use --markdown for Markdown".to_owned(),
        (Form::Report, "svg") => "use --svg for an SVG picture".to_owned(),
        _ => format!(
            "name it {}",
            path.with_extension(form.extension()).display()
        ),
    };
    Err(Failure::Usage(format!(
        "{option} {}: the result is {}, but the extension .{extension} is for {other}; {way_out}",
        path.display(),
        form.words(),
    )))
}

/// Returns the path that a name leads to, or would once a file exists there.
pub(crate) fn place(path: &Path) -> std::io::Result<PathBuf> {
    path.canonicalize().or_else(|_| {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize()?;
        Ok(folder.join(path.file_name().unwrap_or_default()))
    })
}

/// Rejects a file of a job, which other runs rely on.
fn refuse_job_file(option: &str, path: &Path) -> Result<(), Failure> {
    let place = place(path).unwrap_or_default();
    match folder_of_job_file(&place) {
        None => Ok(()),
        Some(folder) => Err(Failure::Usage(format!(
            "{option} {}: this is a file of the job in {}; name another file",
            path.display(),
            folder.display()
        ))),
    }
}

/// Opens a file for a result, or stdout for `None` and `-`. Rejects a name that contradicts the
/// form, and a terminal if the form is binary.
pub(crate) fn open(option: &str, path: Option<&Path>, form: Form) -> Result<ResultOutput, Failure> {
    if let Some(path) = path.filter(|path| path.as_os_str() != "-") {
        check(option, path, form)?;
        refuse_job_file(option, path)?;
    }
    let output = ResultOutput::open(path)?;
    if form.is_binary() && output.is_terminal() {
        return Err(Failure::Usage(format!(
            "{} cannot be shown on a terminal; name a file, as in {option} FILE.{}, or redirect \
             the output",
            form.words(),
            form.extension()
        )));
    }
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_contradict_are_refused() {
        let told = |name: &str, form| {
            let checked = check("--out", Path::new(name), form);
            checked.err().map(|failure| failure.to_string())
        };
        for (name, form) in [
            ("a.csv", Form::Csv),
            ("A.CSV", Form::Csv),
            ("a.txt", Form::Csv),
            ("a.part1", Form::Png),
            ("a", Form::Tree),
            ("a.json", Form::Json),
        ] {
            assert_eq!(told(name, form), None, "{name}");
        }
        assert_eq!(
            told("a.b/x.JPG", Form::Png).unwrap(),
            "--out a.b/x.JPG: the result is a PNG picture, but the extension .jpg is for JPEG \
             pictures; name it a.b/x.png"
        );
        let json = told("x.json", Form::Text).unwrap();
        assert!(json.ends_with("add --json for JSON"), "{json}");
        for (form, name, way_out) in [
            (Form::Report, "x.csv", "use --csv for CSV"),
            (Form::Report, "x.json", "add --json for JSON"),
            (Form::Script, "x.json", "name it x.sh"),
            (Form::ManPage, "x.png", "name it x.1"),
        ] {
            let told = told(name, form).unwrap();
            assert!(told.ends_with(way_out), "{told}");
        }
        let compressed = told("x.csv.gz", Form::Csv).unwrap();
        assert!(
            compressed.contains("for gzip-compressed files"),
            "{compressed}"
        );
    }
}
