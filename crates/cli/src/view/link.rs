//! `--at`: a link that the page copied.

/// Returns what a link says after its `#`, without a token. The whole link may be given, or only that.
pub(super) fn parse(link: &str) -> Result<String, String> {
    let (_, fragment) = link.split_once('#').unwrap_or(("", link));
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~=&,;:+%/".contains(c);
    if link.contains("://") && !link.contains('#') || !fragment.chars().all(is_allowed) {
        return Err(
            "a link is what the page copies, as in http://127.0.0.1:8000/#eye=0,0,5".into(),
        );
    }
    let parts = fragment
        .split('&')
        .filter(|part| !part.is_empty() && !part.starts_with("token="));
    Ok(parts.collect::<Vec<_>>().join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lose_their_token() {
        for (link, expected) in [
            ("http://127.0.0.1:81/#eye=0,0,5&fov=40", "eye=0,0,5&fov=40"),
            ("#eye=1e-5,-2,3", "eye=1e-5,-2,3"),
            ("eye=1,2,3&token=abc&at=0,0,0", "eye=1,2,3&at=0,0,0"),
            ("http://localhost:81/#token=abc", ""),
            ("", ""),
        ] {
            assert_eq!(parse(link).as_deref(), Ok(expected), "{link}");
        }
        for link in ["http://127.0.0.1:81/", "#a=\"b", "#<script>", "#a b", "#é"] {
            assert!(parse(link).is_err(), "{link}");
        }
    }
}
