//! Walks structures of Thrift's compact protocol, in which Parquet declares sizes, without
//! allocating anything.

/// Structures in structures, at most.
const DEEPEST: usize = 24;

/// The types of fields.
const STOP: u8 = 0;
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

/// Why bytes are not a structure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Broken {
    /// They end too early.
    End,
    /// They hold something else.
    Content,
}

/// Bytes that are not walked yet.
pub(super) struct ThriftWalk<'a> {
    rest: &'a [u8],
    /// Structures seen.
    pub(super) structs: usize,
}

/// What the header of a page declares.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PageHeader {
    /// 0 for data, 1 for an index, 2 for a dictionary, 3 for data of version 2.
    pub(super) kind: i64,
    pub(super) unpacked: i64,
    pub(super) packed: i64,
    pub(super) values: i64,
    /// That of the values of a page of data.
    pub(super) encoding: i64,
    /// The number of bytes of the header.
    pub(super) length: usize,
}

impl<'a> ThriftWalk<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        ThriftWalk {
            rest: bytes,
            structs: 0,
        }
    }

    /// Walks one structure.
    pub(super) fn structure(&mut self) -> Result<(), Broken> {
        self.fields(DEEPEST, &mut |_, _| None)
    }

    /// Walks the fields of a structure. `wanted` is told the path and value of each whole number
    /// of this structure, as it is read.
    fn fields(
        &mut self,
        deep: usize,
        wanted: &mut dyn FnMut(i64, Option<i64>) -> Option<()>,
    ) -> Result<(), Broken> {
        self.structs += 1;
        let deep = deep.checked_sub(1).ok_or(Broken::Content)?;
        let mut id = 0_i64;
        loop {
            let head = self.byte()?;
            let kind = head & 15;
            if kind == STOP {
                return Ok(());
            }
            id = match head >> 4 {
                0 => unzigzag(self.number()?),
                step => id + i64::from(step),
            };
            match kind {
                4..=6 => {
                    let value = unzigzag(self.number()?);
                    wanted(id, Some(value));
                }
                // The caller may want what is in the structure, too.
                STRUCT if wanted(id, None).is_some() => {
                    self.fields(deep, &mut |inner, value| wanted((id << 16) + inner, value))?;
                }
                kind => self.value(kind, deep, true)?,
            }
        }
    }

    /// Walks a value; truths of fields stand in the type.
    fn value(&mut self, kind: u8, deep: usize, is_field: bool) -> Result<(), Broken> {
        match kind {
            TRUE | FALSE if is_field => Ok(()),
            TRUE | FALSE | BYTE => self.byte().map(drop),
            4..=6 => self.number().map(drop),
            DOUBLE => self.skip(8),
            UUID => self.skip(16),
            BINARY => {
                let length = self.number()?;
                self.skip(length)
            }
            LIST | SET => {
                let head = self.byte()?;
                let count = match head >> 4 {
                    15 => self.number()?,
                    count => count.into(),
                };
                // Each takes a byte or more.
                if count > self.rest.len() as u64 {
                    return Err(Broken::End);
                }
                let deep = deep.checked_sub(1).ok_or(Broken::Content)?;
                (0..count).try_for_each(|_| self.value(head & 15, deep, false))
            }
            MAP => {
                let count = self.number()?;
                if count == 0 {
                    return Ok(());
                }
                if count > self.rest.len() as u64 {
                    return Err(Broken::End);
                }
                let kinds = self.byte()?;
                let deep = deep.checked_sub(1).ok_or(Broken::Content)?;
                (0..count).try_for_each(|_| {
                    self.value(kinds >> 4, deep, false)?;
                    self.value(kinds & 15, deep, false)
                })
            }
            STRUCT => self.fields(deep, &mut |_, _| None),
            _ => Err(Broken::Content),
        }
    }

    fn byte(&mut self) -> Result<u8, Broken> {
        let (&first, rest) = self.rest.split_first().ok_or(Broken::End)?;
        self.rest = rest;
        Ok(first)
    }

    fn skip(&mut self, count: u64) -> Result<(), Broken> {
        let count = usize::try_from(count).map_err(|_| Broken::End)?;
        self.rest = self.rest.get(count..).ok_or(Broken::End)?;
        Ok(())
    }

    /// Takes a number of seven bits a byte.
    fn number(&mut self) -> Result<u64, Broken> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Broken::Content)
    }
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Reads the header of a page at the start of some bytes.
pub(super) fn page_header(bytes: &[u8]) -> Result<PageHeader, Broken> {
    /// The headers of the kinds of pages, all of which start with a number of values.
    const VALUES: [i64; 3] = [5, 7, 8];
    /// The encoding in the header of data, and in that of version 2.
    const ENCODING: i64 = (5 << 16) + 2;
    const ENCODING_2: i64 = (8 << 16) + 4;
    let mut header = PageHeader::default();
    let mut walk = ThriftWalk::of(bytes);
    walk.fields(DEEPEST, &mut |id, value| {
        match (id, value) {
            (1, Some(kind)) => header.kind = kind,
            (2, Some(size)) => header.unpacked = size,
            (3, Some(size)) => header.packed = size,
            (id, None) => return VALUES.contains(&id).then_some(()),
            (id, Some(count)) if id & 0xffff == 1 && VALUES.contains(&(id >> 16)) => {
                header.values = count;
            }
            (ENCODING | ENCODING_2, Some(encoding)) => header.encoding = encoding,
            _ => {}
        }
        Some(())
    })?;
    header.length = bytes.len() - walk.rest.len();
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_header_is_read() {
        // Type 0, sizes 100 and 50, and a header of data with 7 values in encoding 3.
        let bytes = [
            0x15, 0, 0x15, 200, 1, 0x15, 100, 0x2c, 0x15, 14, 0x15, 6, 0, 0, 99,
        ];
        let header = page_header(&bytes).unwrap();
        let expected = PageHeader {
            kind: 0,
            unpacked: 100,
            packed: 50,
            values: 7,
            encoding: 3,
            length: 14,
        };
        assert_eq!(header, expected);
        for end in 0..14 {
            assert_eq!(page_header(&bytes[..end]), Err(Broken::End), "{end}");
        }
    }

    #[test]
    fn sizes_beyond_the_bytes_are_refused() {
        // A list that declares 2^31 structures, and a binary of 2^40 bytes.
        let list = [0x19, 0xfc, 0x80, 0x80, 0x80, 0x80, 0x08, 0];
        assert_eq!(ThriftWalk::of(&list).structure(), Err(Broken::End));
        let binary = [0x18, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 0];
        assert_eq!(ThriftWalk::of(&binary).structure(), Err(Broken::End));
        let deep = [0x1c; 99];
        assert_eq!(ThriftWalk::of(&deep).structure(), Err(Broken::Content));
    }
}
