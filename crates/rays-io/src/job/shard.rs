//! One of several runs that share the parts of a job.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Every n-th part of a job: shard K of N has the parts K - 1, K - 1 + N, and so on, counted from 0.
/// Written as `K/N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    number: u32,
    of: u32,
}

/// Text that names no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a shard K/N with K from 1 to N, such as 2/4")]
pub struct ShardError {
    text: String,
}

impl Shard {
    /// Returns the number of the shard, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the number of shards.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Returns the first part of the shard, and how much the number of the next one is greater.
    pub(super) fn first_and_step(shard: Option<Shard>) -> (u64, u64) {
        match shard {
            Some(Shard { number, of }) => (u64::from(number) - 1, of.into()),
            None => (0, 1),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let wrong = || ShardError { text: text.into() };
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let parse = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
        let (number, of) = (parse(number)?, parse(of)?);
        match (1..=of).contains(&number) {
            true => Ok(Shard { number, of }),
            false => Err(wrong()),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_has_every_nth_part() {
        let parts = |text: &str| Shard::first_and_step(Some(text.parse().unwrap()));
        assert_eq!(parts("1/3"), (0, 3));
        assert_eq!(parts("3/3"), (2, 3));
        assert_eq!(parts("1/1"), Shard::first_and_step(None));
        let shard: Shard = " 2 / 5".parse().unwrap();
        assert_eq!((shard.number(), shard.of()), (2, 5));
        assert_eq!(shard.to_string(), "2/5");
    }

    #[test]
    fn other_text_is_refused() {
        for wrong in [
            "",
            "1",
            "0/3",
            "4/3",
            "1/0",
            "-1/3",
            "1/2/3",
            "a/b",
            "1/4294967296",
        ] {
            let told = wrong.parse::<Shard>().unwrap_err().to_string();
            let expected = format!("{wrong:?} is not a shard K/N with K from 1 to N, such as 2/4");
            assert_eq!(told, expected);
        }
    }
}
