//! The secret that requests about the mesh need.

use crate::error::ViewError;
use std::fmt;

/// 128 bits, written as 32 hexadecimal digits.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    /// Returns a new one from the random numbers of the system.
    ///
    /// # Errors
    /// [`ViewError::Random`].
    pub(crate) fn new() -> Result<Self, ViewError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| ViewError::Random(error.to_string()))?;
        Ok(Token(format!("{:032x}", u128::from_be_bytes(bytes))))
    }

    /// Returns whether this is the value of an `Authorization` header with the token. The time does not
    /// tell how many characters are right.
    pub(crate) fn is_in(&self, header: &[u8]) -> bool {
        let Some(given) = header.strip_prefix(b"Bearer ") else {
            return false;
        };
        let expected = self.0.as_bytes();
        let differences = given.iter().zip(expected).map(|(a, b)| a ^ b);
        given.len() == expected.len() && differences.fold(0, |all, bits| all | bits) == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_32_digits_and_compared_as_a_whole() {
        let token = Token::new().unwrap();
        let text = token.to_string();
        assert_eq!(text.len(), 32);
        assert!(text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert_ne!(text, Token::new().unwrap().to_string());
        assert!(token.is_in(format!("Bearer {text}").as_bytes()));
        let other = Token("0".repeat(32));
        for wrong in [
            String::new(),
            text.clone(),
            "Bearer ".into(),
            format!("Bearer {}", &text[1..]),
            format!("Bearer {text}0"),
            format!("bearer {text}"),
            format!("Bearer {other}"),
        ] {
            assert!(!token.is_in(wrong.as_bytes()), "{wrong}");
        }
    }
}
