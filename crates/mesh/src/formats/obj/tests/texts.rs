//! Small random OBJ texts that may contain anything.

use estoc_testkit::tables::Rng;
use std::fmt::Write;

/// Returns the text of this number. About half of the texts are valid.
pub(super) fn text(number: u64) -> Vec<u8> {
    let mut rng = Rng::new(number);
    // The number of wrong statements per thousand.
    let wrong = rng.pick(&[0, 0, 20, 100]);
    let ends: &[&str] = match rng.below(4) {
        0 => &["\n", "\r\n", "\r", "\n\n", " \n", "\t\r\n"],
        1 => &["\r\n"],
        _ => &["\n"],
    };
    let mut writer = Writer {
        text: String::new(),
        wrong,
        defined: [0; 3],
        arities: rng.pick(&[&[3][..], &[3, 4], &[3, 3, 4, 5, 7]]),
        with_attributes: rng.below(2) == 0,
        backwards: rng.below(3) == 0,
        rng,
    };
    for _ in 0..writer.rng.below(40) {
        writer.statement();
        writer.text.push_str(writer.rng.pick(ends));
    }
    let Writer {
        mut text, mut rng, ..
    } = writer;
    if rng.below(3) == 0 {
        text.truncate(text.trim_end().len());
    }
    let mark: &[u8] = match rng.below(50) {
        0 => b"\xef\xbb\xbf",
        1 if wrong > 0 => b"\xff\xfe",
        _ => b"",
    };
    [mark, text.as_bytes()].concat()
}

struct Writer {
    text: String,
    rng: Rng,
    wrong: u64,
    /// The numbers of vertices, texture coordinates and normals so far.
    defined: [i64; 3],
    arities: &'static [usize],
    with_attributes: bool,
    /// Whether most indices are negative.
    backwards: bool,
}

impl Writer {
    fn statement(&mut self) {
        match self.rng.below(20) {
            0..7 => self.values("v", 0, 3),
            7..14 => self.face(),
            14 if self.with_attributes => self.values("vt", 1, 2),
            15 if self.with_attributes => self.values("vn", 2, 3),
            16 => {
                let keyword = self.rng.pick(&["o", "g", "usemtl"]);
                let name = self
                    .rng
                    .pick(&["", " a", " b", " two words", " c#d", " e # f"]);
                self.text.push_str(keyword);
                self.text.push_str(name);
            }
            17 => self.text.push_str(self.rng.pick(&[
                "mtllib a.mtl",
                "mtllib b.mtl",
                "l 1 2",
                "p 1",
                "s off",
                "curv 0 1",
                "# f 1 2 3",
                "# c:\\",
                "",
                "  ",
            ])),
            18 if self.is_wrong() => self
                .text
                .push_str(self.rng.pick(&["nonsense", "vv 1", "f1 2 3"])),
            _ => self.values("v", 0, 3),
        }
    }

    fn is_wrong(&mut self) -> bool {
        self.rng.below(1000) < self.wrong
    }

    /// Appends a definition of the given kind.
    fn values(&mut self, keyword: &str, kind: usize, count: usize) {
        self.defined[kind] += 1;
        self.text.push_str(keyword);
        let more = match (self.rng.below(12), kind) {
            (0, 0) => self.rng.pick(&[1, 3, 4]),
            (0, 1) => 1,
            (1, _) if self.is_wrong() => 2,
            _ => 0,
        };
        let count = if self.is_wrong() { count - 1 } else { count };
        for _ in 0..count + more {
            self.blank();
            self.number();
        }
        self.comment();
    }

    fn number(&mut self) {
        if self.is_wrong() {
            let word = self
                .rng
                .pick(&["x", "1,5", "0x10", "1.2.3", "--1", "1e", "-"]);
            self.text.push_str(word);
            return;
        }
        let written = match self.rng.below(40) {
            0 => write!(self.text, "{:e}", self.rng.any()),
            1 => write!(
                self.text,
                "{}",
                self.rng
                    .pick(&["nan", "inf", "1e39", "-1.#IND", "+1", "1.", ".5"])
            ),
            2 => write!(self.text, "0.12345678901234567{}", self.rng.below(1000)),
            3..8 => write!(self.text, "{}", self.rng.between(-9.0, 9.0)),
            8..11 => write!(self.text, "{:e}", self.rng.between(-9.0, 9.0)),
            // Few different values, so that positions coincide.
            _ => write!(self.text, "{}", self.rng.integer(-2, 2)),
        };
        written.expect("a string takes all");
    }

    fn face(&mut self) {
        self.text.push_str(self.rng.pick(&["f", "f", "f", "fo"]));
        let mut arity = self.rng.pick(self.arities);
        if self.is_wrong() {
            arity = self.rng.below(3) as usize;
        }
        for _ in 0..arity {
            self.blank();
            self.index(0);
            if self.with_attributes {
                let form = self.rng.below(6);
                if form > 0 {
                    self.text.push('/');
                }
                if matches!(form, 2..5) {
                    self.index(1);
                }
                if matches!(form, 3..6) {
                    self.text.push('/');
                    self.index(2);
                }
            }
        }
        self.comment();
    }

    fn index(&mut self, kind: usize) {
        if self.is_wrong() {
            let index = self.rng.pick(&[
                "0",
                "1.5",
                "x",
                "-",
                "99",
                "-99",
                "4294967295",
                "4294967296",
                "-4294967296",
                "18446744073709551619",
                // The start of either could be an index.
                "99x",
                "3/1/77/4",
            ]);
            self.text.push_str(index);
            return;
        }
        let defined = self.defined[kind].max(1);
        let backwards = self.backwards ^ (self.rng.below(10) == 0);
        let index = match backwards {
            true => -1 - self.rng.below(defined as u64) as i64,
            // Most of these exist by now, or will later.
            false => {
                1 + self
                    .rng
                    .below(defined as u64 + 2 * u64::from(self.wrong > 20))
                    as i64
            }
        };
        write!(self.text, "{index}").expect("a string takes all");
    }

    fn blank(&mut self) {
        let blank = self
            .rng
            .pick(&[" ", " ", " ", " ", " ", " ", "  ", "\t", " \\\n", "\\\r\n"]);
        self.text
            .push_str(if self.rng.below(4) == 0 { blank } else { " " });
    }

    fn comment(&mut self) {
        match self.rng.below(30) {
            0 => self.text.push_str(" # a b"),
            1 => self.text.push('#'),
            2 => self.text.push_str(" \\\n"),
            _ => {}
        }
    }
}
