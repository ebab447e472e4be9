//! The files of the page, as they stand in the folder `page`.

/// A file of the page.
pub(crate) struct PageFile {
    pub(crate) path: &'static str,
    pub(crate) media_type: &'static str,
    pub(crate) text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! page_files {
    ($($path:literal $file:literal $media_type:ident;)*) => {
        &[$(PageFile {
            path: $path,
            media_type: $media_type,
            text: include_str!(concat!("../page/", $file)),
        }),*]
    };
}

/// All files. A request names one of these paths or gets nothing.
pub(crate) static PAGE: &[PageFile] = page_files! {
    "/" "index.html" HTML;
    "/icon.svg" "icon.svg" SVG;
    "/style.css" "style.css" CSS;
    "/main.js" "main.js" JS;
    "/ask.js" "ask.js" JS;
    "/vector.js" "vector.js" JS;
    "/view.js" "view.js" JS;
    "/frames.js" "frames.js" JS;
    "/orbit.js" "orbit.js" JS;
    "/walk.js" "walk.js" JS;
    "/marks.js" "marks.js" JS;
    "/hover.js" "hover.js" JS;
    "/pick.js" "pick.js" JS;
    "/snap.js" "snap.js" JS;
    "/measure.js" "measure.js" JS;
    "/rectangle.js" "rectangle.js" JS;
    "/section.js" "section.js" JS;
    "/clock.js" "clock.js" JS;
    "/link.js" "link.js" JS;
    "/save.js" "save.js" JS;
    "/loading.js" "loading.js" JS;
    "/keys.js" "keys.js" JS;
    "/panel.js" "panel.js" JS;
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The page uses nothing from elsewhere, and every module that it imports is served.
    #[test]
    fn pages_name_only_their_own_files() {
        for file in PAGE {
            let elsewhere = ["https://", "url(", "eval(", "innerHTML", "@import"];
            for word in elsewhere {
                assert!(!file.text.contains(word), "{}: {word}", file.path);
            }
            for line in file.text.lines() {
                let Some((_, from)) = line.split_once(" from \"./") else {
                    continue;
                };
                let name = from.split('"').next().unwrap();
                let is_it = |other: &PageFile| other.path[1..] == *name;
                assert!(PAGE.iter().any(is_it), "{} imports {name}", file.path);
            }
        }
    }
}
