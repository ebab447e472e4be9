//! Lists and texts of JSON, whose memory is reserved so that a lack of it is an error.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// What an error says if there is not enough memory.
pub(super) const NO_MEMORY: &str = "not enough memory for the JSON";

/// Reads a list.
pub(super) fn list<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    struct Items<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a sequence")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            while let Some(item) = items.next_element()? {
                list.try_reserve(1)
                    .map_err(|_| A::Error::custom(NO_MEMORY))?;
                list.push(item);
            }
            Ok(list)
        }
    }

    deserializer.deserialize_seq(Items(PhantomData))
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JsonText(Box<str>);

impl Deref for JsonText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Copied;

        impl Visitor<'_> for Copied {
            type Value = JsonText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<JsonText, E> {
                let mut copy = String::new();
                let room = copy.try_reserve_exact(text.len());
                room.map_err(|_| E::custom(NO_MEMORY))?;
                copy.push_str(text);
                Ok(JsonText(copy.into()))
            }
        }

        deserializer.deserialize_str(Copied)
    }
}
