//! Splits Rust source into tokens, without comments, literals and code for tests only.

/// A token and its line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) line: usize,
}

/// The kind of a token. Literals produce no tokens.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// An identifier or a keyword.
    Name(String),
    /// `::`.
    PathSeparator,
    /// Any other character.
    Mark(char),
}

impl Token {
    /// Returns the identifier or keyword, if it is one.
    pub(crate) fn name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Returns whether the token is this character.
    pub(crate) fn is(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }
}

/// Splits source into tokens.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    while at < chars.len() {
        let start = at;
        let kind = next(&chars, &mut at);
        if let Some(kind) = kind {
            found.push(Token { kind, line });
        }
        line += chars[start..at].iter().filter(|c| **c == '\n').count();
    }
    found
}

/// Reads the token at `at` and advances `at` past it. White space, comments and literals give
/// `None`.
fn next(chars: &[char], at: &mut usize) -> Option<Kind> {
    let first = chars[*at];
    let second = chars.get(*at + 1).copied();
    match (first, second) {
        ('/', Some('/')) => skip_while(chars, at, |c| c != '\n'),
        ('/', Some('*')) => skip_block_comment(chars, at),
        ('"', _) => skip_string(chars, at),
        ('\'', _) => skip_character_or_lifetime(chars, at),
        (':', Some(':')) => {
            *at += 2;
            return Some(Kind::PathSeparator);
        }
        _ if first.is_alphabetic() || first == '_' => return name_or_literal(chars, at),
        _ if first.is_ascii_digit() => skip_while(chars, at, |c| c.is_alphanumeric() || c == '_'),
        _ => {
            *at += 1;
            return (!first.is_whitespace()).then_some(Kind::Mark(first));
        }
    }
    None
}

/// Reads an identifier, or a literal that begins like one: `r"..."`, `b'x'`, `br#"..."#`.
fn name_or_literal(chars: &[char], at: &mut usize) -> Option<Kind> {
    let start = *at;
    skip_while(chars, at, |c| c.is_alphanumeric() || c == '_');
    let name: String = chars[start..*at].iter().collect();
    match (name.as_str(), chars.get(*at)) {
        ("b" | "c", Some('"')) => skip_string(chars, at),
        ("b", Some('\'')) => skip_character_or_lifetime(chars, at),
        ("r" | "br" | "cr", Some('"' | '#')) => {
            if !skip_raw_string(chars, at) {
                // `r#name`, a raw identifier.
                *at += 1;
                let start = *at;
                skip_while(chars, at, |c| c.is_alphanumeric() || c == '_');
                return Some(Kind::Name(chars[start..*at].iter().collect()));
            }
        }
        _ => return Some(Kind::Name(name)),
    }
    None
}

fn skip_while(chars: &[char], at: &mut usize, keep: impl Fn(char) -> bool) {
    while chars.get(*at).is_some_and(|c| keep(*c)) {
        *at += 1;
    }
}

/// Skips a block comment, which may be nested.
fn skip_block_comment(chars: &[char], at: &mut usize) {
    let mut depth = 0;
    while *at < chars.len() {
        match (chars[*at], chars.get(*at + 1)) {
            ('/', Some('*')) => depth += 1,
            ('*', Some('/')) => depth -= 1,
            _ => {
                *at += 1;
                continue;
            }
        }
        *at += 2;
        if depth == 0 {
            return;
        }
    }
}

fn skip_string(chars: &[char], at: &mut usize) {
    *at += 1;
    while let Some(c) = chars.get(*at) {
        *at += if *c == '\\' { 2 } else { 1 };
        if *c == '"' {
            break;
        }
    }
    *at = (*at).min(chars.len());
}

/// Skips `#"..."#` with any number of `#`, at the first of them; returns whether there was one.
fn skip_raw_string(chars: &[char], at: &mut usize) -> bool {
    let mut end = *at;
    skip_while(chars, &mut end, |c| c == '#');
    let hashes = end - *at;
    if chars.get(end) != Some(&'"') {
        return false;
    }
    end += 1;
    while end < chars.len() {
        let closing = chars[end + 1..].iter().take(hashes);
        let closes = chars[end] == '"' && closing.filter(|c| **c == '#').count() == hashes;
        end += 1;
        if closes {
            end += hashes;
            break;
        }
    }
    *at = end;
    true
}

/// Skips `'x'`, `'\n'` or `'name`.
fn skip_character_or_lifetime(chars: &[char], at: &mut usize) {
    *at += 1;
    if chars.get(*at) == Some(&'\\') {
        *at += 2;
        skip_while(chars, at, |c| c != '\'');
        *at += 1;
    } else if chars.get(*at + 1) == Some(&'\'') {
        *at += 2;
    } else {
        skip_while(chars, at, |c| c.is_alphanumeric() || c == '_');
    }
    *at = (*at).min(chars.len());
}

/// Removes every item, statement or field under `#[cfg(test)]` or `#[cfg(all(test, ...))]`;
/// everything, if the file itself is under it.
pub(crate) fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let inner = tokens.get(at + 1).is_some_and(|token| token.is('!'));
        let bracket = at + 1 + usize::from(inner);
        let is_attribute =
            tokens[at].is('#') && tokens.get(bracket).is_some_and(|token| token.is('['));
        if !is_attribute {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let end = behind_brackets(&tokens, bracket);
        if !is_for_tests(&tokens[bracket..end]) {
            kept.extend_from_slice(&tokens[at..end]);
            at = end;
        } else if inner {
            return Vec::new();
        } else {
            at = behind_item(&tokens, end);
        }
    }
    kept
}

fn is_for_tests(attribute: &[Token]) -> bool {
    let names: Vec<&str> = attribute.iter().filter_map(Token::name).collect();
    matches!(names.as_slice(), ["cfg", "test"])
        || (names.starts_with(&["cfg", "all"])
            && names.contains(&"test")
            && !names.contains(&"not")
            && !names.contains(&"any"))
}

/// Returns the index after the bracket that closes the one at `at`.
fn behind_brackets(tokens: &[Token], mut at: usize) -> usize {
    let mut depth = 0;
    while at < tokens.len() {
        match tokens[at].kind {
            Kind::Mark('(' | '[' | '{') => depth += 1,
            Kind::Mark(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the index after the item, statement, field or arm at `at`.
fn behind_item(tokens: &[Token], mut at: usize) -> usize {
    const ITEMS: [&str; 17] = [
        "pub",
        "mod",
        "use",
        "fn",
        "impl",
        "struct",
        "enum",
        "union",
        "trait",
        "const",
        "static",
        "type",
        "extern",
        "unsafe",
        "async",
        "let",
        "macro_rules",
    ];
    while tokens.get(at).is_some_and(|token| token.is('#')) {
        at = behind_brackets(tokens, at + 1);
    }
    let name = |at: usize| tokens.get(at).and_then(Token::name);
    let is_item = name(at).is_some_and(|name| ITEMS.contains(&name));
    if name(at) == Some("pub") {
        at += 1;
        if tokens.get(at).is_some_and(|token| token.is('(')) {
            at = behind_brackets(tokens, at);
        }
    }
    let is_use = name(at) == Some("use");
    while let Some(token) = tokens.get(at) {
        match token.kind {
            Kind::Mark(';') => return at + 1,
            Kind::Mark(',') if !is_item => return at + 1,
            // The end of the enclosing block: the last field or arm needs no comma.
            Kind::Mark('}' | ')' | ']') => return at,
            Kind::Mark('{') if !is_use => return behind_brackets(tokens, at),
            Kind::Mark('{' | '(' | '[') => at = behind_brackets(tokens, at),
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(source: &str) -> Vec<String> {
        let kept = without_tests(tokens(source));
        kept.iter()
            .filter_map(Token::name)
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn comments_and_literals_are_no_code() {
        let source = r####"
            // a
            /* b /* c */ d */ e "f \" g" 'h' '\'' 'i j r"k" r#"l " m"# b'n' b"o" 0x1p r#q
        "####;
        assert_eq!(names(source), ["e", "j", "q"]);
    }

    #[test]
    fn lines_are_counted_in_comments_and_strings() {
        let found = tokens("a /*\n*/ b \"\n\n\" c");
        let lines: Vec<usize> = found.iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 2, 4]);
    }

    #[test]
    fn what_is_for_tests_only_is_left_out() {
        assert_eq!(names("#[cfg(test)] mod tests { fn f() {} } x"), ["x"]);
        assert_eq!(names("#[cfg(test)] mod tests; x"), ["x"]);
        assert_eq!(names("#[cfg(test)] use a::{b, c}; x"), ["x"]);
        assert_eq!(
            names("#[cfg(test)] #[allow(q)] fn f<A, B>(a: [A; 2]) { b; } x"),
            ["x"]
        );
        assert_eq!(
            names("#[cfg(all(test, unix))] pub(crate) mod a {} x"),
            ["x"]
        );
        assert_eq!(names("#[cfg(test)] pub(in a) use b::{c}; x"), ["x"]);
        assert_eq!(names("#[cfg(test)] fn f() { use a; } x"), ["x"]);
        assert_eq!(names("s { #[cfg(test)] a: b, c }"), ["s", "c"]);
        assert_eq!(names("s { #[cfg(test)] a: b }"), ["s"]);
        assert_eq!(names("#![cfg(test)] x"), [""; 0]);
        assert_eq!(names("#[cfg(not(test))] x"), ["cfg", "not", "test", "x"]);
    }
}
