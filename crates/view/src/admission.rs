//! Which requests are admitted: by their host, their origin and their token.
//!
//! A page of another site could reach the loopback address by a name of its own that resolves to it
//! ("DNS rebinding"): its requests name that host, so that they are refused whatever else they hold.

use crate::refusal::Refusal;
use crate::token::Token;
use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};

/// What admitted requests hold.
pub(crate) struct Admission {
    hosts: [String; 2],
    origins: [String; 2],
    token: Token,
}

impl Admission {
    pub(crate) fn new(port: u16, token: Token) -> Self {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        Admission {
            origins: hosts.clone().map(|host| format!("http://{host}")),
            hosts,
            token,
        }
    }

    /// Checks what all requests need: the host, and no foreign origin.
    pub(crate) fn check_source(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        match the_only(headers, &HOST) {
            Some(Some(host)) if is_one_of(host, &self.hosts) => {}
            _ => return Err(Refusal::Host),
        }
        match the_only(headers, &ORIGIN) {
            None => Ok(()),
            Some(Some(origin)) if is_one_of(origin, &self.origins) => Ok(()),
            Some(_) => Err(Refusal::Origin),
        }
    }

    /// Checks the token, which requests about the mesh need.
    pub(crate) fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        match the_only(headers, &AUTHORIZATION) {
            Some(Some(value)) if self.token.is_in(value) => Ok(()),
            _ => Err(Refusal::Unauthorized),
        }
    }
}

/// Returns the value of a field: `None` if there is none, and `Some(None)` if there are several.
fn the_only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<Option<&'a [u8]>> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    Some(values.next().is_none().then(|| first.as_bytes()))
}

fn is_one_of(value: &[u8], allowed: &[String]) -> bool {
    allowed
        .iter()
        .any(|one| value.eq_ignore_ascii_case(one.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn headers(fields: &[(HeaderName, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn only_this_server_is_a_host() {
        let admission = Admission::new(8123, Token::new().unwrap());
        let check = |fields: &[_]| admission.check_source(&headers(fields));
        for host in ["127.0.0.1:8123", "localhost:8123", "LOCALHOST:8123"] {
            assert!(check(&[(HOST, host)]).is_ok(), "{host}");
        }
        for host in [
            "",
            "127.0.0.1",
            "127.0.0.1:8124",
            "127.0.0.1:81230",
            "localhost",
            "rebound.example:8123",
            "rebound.example",
            "localhost.:8123",
            "user@localhost:8123",
            "[::1]:8123",
        ] {
            assert!(
                matches!(check(&[(HOST, host)]), Err(Refusal::Host)),
                "{host}"
            );
        }
        assert!(matches!(check(&[]), Err(Refusal::Host)));
        let two = [(HOST, "localhost:8123"), (HOST, "localhost:8123")];
        assert!(matches!(check(&two), Err(Refusal::Host)));
    }

    #[test]
    fn only_this_page_is_an_origin() {
        let admission = Admission::new(8123, Token::new().unwrap());
        let check = |origin: &str| {
            admission.check_source(&headers(&[(HOST, "localhost:8123"), (ORIGIN, origin)]))
        };
        assert!(check("http://127.0.0.1:8123").is_ok());
        assert!(check("http://localhost:8123").is_ok());
        for origin in [
            "null",
            "",
            "https://localhost:8123",
            "http://localhost:8124",
            "http://localhost",
            "http://example.com",
            "http://localhost:8123.example.com",
            "file://",
        ] {
            assert!(matches!(check(origin), Err(Refusal::Origin)), "{origin}");
        }
    }

    #[test]
    fn tokens_are_needed_once() {
        let token = Token::new().unwrap();
        let bearer = format!("Bearer {token}");
        let admission = Admission::new(1, token);
        let check = |fields: &[_]| admission.check_token(&headers(fields));
        assert!(check(&[(AUTHORIZATION, &bearer)]).is_ok());
        assert!(check(&[]).is_err());
        assert!(check(&[(AUTHORIZATION, "Bearer x")]).is_err());
        assert!(check(&[(AUTHORIZATION, &bearer), (AUTHORIZATION, &bearer)]).is_err());
    }
}
