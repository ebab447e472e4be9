//! The scalar types of binary formats.

/// A scalar type. All values are exact in `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names tell")]
pub enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    /// Returns the type of this name in PLY, in the old or the new naming.
    pub(crate) fn parse(name: &[u8]) -> Option<Scalar> {
        Some(match name {
            b"char" | b"int8" => Scalar::I8,
            b"uchar" | b"uint8" => Scalar::U8,
            b"short" | b"int16" => Scalar::I16,
            b"ushort" | b"uint16" => Scalar::U16,
            b"int" | b"int32" => Scalar::I32,
            b"uint" | b"uint32" => Scalar::U32,
            b"float" | b"float32" => Scalar::F32,
            b"double" | b"float64" => Scalar::F64,
            _ => return None,
        })
    }

    /// Returns the size in bytes.
    pub fn size(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }

    /// Returns the number with these bytes in little-endian order.
    fn number_of(self, bytes: [u8; 8]) -> f64 {
        let [a, b, c, d, ..] = bytes;
        match self {
            Scalar::I8 => f64::from(a as i8),
            Scalar::U8 => f64::from(a),
            Scalar::I16 => f64::from(i16::from_le_bytes([a, b])),
            Scalar::U16 => f64::from(u16::from_le_bytes([a, b])),
            Scalar::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Scalar::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Scalar::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Scalar::F64 => f64::from_le_bytes(bytes),
        }
    }

    /// Decodes a number from as many bytes as [`size`](Scalar::size) returns.
    #[inline]
    pub fn decode(self, bytes: &[u8], highest_first: bool) -> f64 {
        let mut low_first = [0; 8];
        let place = &mut low_first[..bytes.len().min(8)];
        place.copy_from_slice(&bytes[..place.len()]);
        if highest_first {
            place.reverse();
        }
        self.number_of(low_first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_in_both_orders() {
        let table: [(&str, &[u8], f64); 10] = [
            ("char", &[0xfe], -2.0),
            ("uint8", &[0xfe], 254.0),
            ("short", &[0xff, 0xfe], -2.0),
            ("uint16", &[0x01, 0x02], 258.0),
            ("int", &[0xff, 0xff, 0xff, 0xfe], -2.0),
            ("uint", &[0xff, 0xff, 0xff, 0xfe], 4_294_967_294.0),
            ("float", &[0x3f, 0xc0, 0, 0], 1.5),
            ("float32", &[0x7f, 0x80, 0, 0], f64::INFINITY),
            ("double", &[0x3f, 0xf8, 0, 0, 0, 0, 0, 0], 1.5),
            ("float64", &[0, 0, 0, 0, 0, 0, 0, 1], 5e-324),
        ];
        for (name, bytes, value) in table {
            let kind = Scalar::parse(name.as_bytes()).unwrap();
            assert_eq!(kind.size(), bytes.len());
            assert_eq!(kind.decode(bytes, true), value, "{name}");
            let mut turned = bytes.to_vec();
            turned.reverse();
            assert_eq!(kind.decode(&turned, false), value, "{name}");
        }
        assert_eq!(Scalar::parse(b"long"), None);
    }
}
