//! Encodes names and materials: numbers are little endian, texts are preceded by their length.

use estoc_mesh::Material;
use estoc_mesh::parts::{counted, shown};

/// The text section of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// The program that wrote the file.
    pub writer: String,
    /// The source of the mesh.
    pub source: Option<String>,
    pub objects: Vec<String>,
    pub groups: Vec<String>,
    pub materials: Vec<Material>,
}

impl Text {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut to = Encoder(Vec::new());
        to.text(&self.writer);
        to.option(self.source.as_ref(), |to, source| to.text(source));
        for names in [&self.objects, &self.groups] {
            to.list(names, |to, name| to.text(name));
        }
        to.list(&self.materials, Encoder::material);
        to.0
    }

    /// Decodes the section. An error is the offset in the bytes, and the problem there.
    pub fn read(bytes: &[u8]) -> Result<Self, (usize, String)> {
        let mut from = Decoder { bytes, at: 0 };
        let text = Text::take(&mut from).map_err(|problem| (from.at, problem))?;
        match bytes.len() - from.at {
            0 => Ok(text),
            more => {
                let more = counted(more as u64, "byte");
                Err((from.at, format!("{more} after the last list")))
            }
        }
    }

    fn take(from: &mut Decoder<'_>) -> Result<Self, String> {
        Ok(Text {
            writer: from.text()?,
            source: from.option(Decoder::text)?,
            objects: from.list(Decoder::text)?,
            groups: from.list(Decoder::text)?,
            materials: from.list(Decoder::material)?,
        })
    }
}

struct Encoder(Vec<u8>);

impl Encoder {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn option<T>(&mut self, value: Option<T>, put: impl FnOnce(&mut Self, T)) {
        self.0.push(value.is_some().into());
        if let Some(value) = value {
            put(self, value);
        }
    }

    fn list<T>(&mut self, items: &[T], put: impl Fn(&mut Self, &T)) {
        self.number(items.len() as u64);
        for item in items {
            put(self, item);
        }
    }

    fn float(&mut self, number: f32) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn material(&mut self, material: &Material) {
        let Material {
            name,
            defined,
            ambient,
            diffuse,
            specular,
            emissive,
            shininess,
            dissolve,
            optical_density,
            illumination_model,
            ambient_texture,
            diffuse_texture,
            specular_texture,
            normal_texture,
            shininess_texture,
            dissolve_texture,
            // Exhaustive: `estoc_mesh::parts` fails to compile when a field is added.
            ..
        } = material;
        self.text(name);
        self.0.push((*defined).into());
        for colour in [ambient, diffuse, specular, emissive] {
            self.option(*colour, |to, [r, g, b]| {
                [r, g, b].into_iter().for_each(|x| to.float(x));
            });
        }
        for number in [shininess, dissolve, optical_density] {
            self.option(*number, Encoder::float);
        }
        self.option(*illumination_model, |to, model| to.0.push(model));
        for texture in [
            ambient_texture,
            diffuse_texture,
            specular_texture,
            normal_texture,
            shininess_texture,
            dissolve_texture,
        ] {
            self.option(texture.as_ref(), |to, texture| to.text(texture));
        }
    }
}

struct Decoder<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Decoder<'_> {
    fn bytes(&mut self, len: usize) -> Result<&[u8], String> {
        let left = self.bytes.len() - self.at;
        if len > left {
            let [len, left] = [len, left].map(|n| counted(n as u64, "byte"));
            return Err(format!("{len} needed, {left} left"));
        }
        self.at += len;
        Ok(&self.bytes[self.at - len..self.at])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let bytes = self.bytes(N)?;
        Ok(std::array::from_fn(|i| bytes[i]))
    }

    /// Reads a length. Each item takes at least one byte, so a length beyond the rest is an error.
    fn length(&mut self) -> Result<usize, String> {
        let number = u64::from_le_bytes(self.array()?);
        let left = self.bytes.len() - self.at;
        usize::try_from(number)
            .ok()
            .filter(|number| *number <= left)
            .ok_or_else(|| {
                let left = counted(left as u64, "byte");
                format!("a length of {number}, with {left} left")
            })
    }

    fn flag(&mut self) -> Result<bool, String> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => Err(format!("a flag is {other} instead of 0 or 1")),
        }
    }

    fn text(&mut self) -> Result<String, String> {
        let len = self.length()?;
        let bytes = self.bytes(len)?;
        let text = std::str::from_utf8(bytes);
        let text = text.map_err(|error| format!("a name is not valid UTF-8: {error}"))?;
        Ok(shown(text).into_owned())
    }

    fn option<T>(
        &mut self,
        take: impl FnOnce(&mut Self) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        match self.flag()? {
            true => take(self).map(Some),
            false => Ok(None),
        }
    }

    fn list<T>(&mut self, take: impl Fn(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        let len = self.length()?;
        // Not reserved up front: an item takes more memory than the one byte it may have in the
        // file.
        let mut items = Vec::new();
        for _ in 0..len {
            items.push(take(self)?);
        }
        Ok(items)
    }

    fn float(&mut self) -> Result<f32, String> {
        let number = f32::from_le_bytes(self.array()?);
        match number.is_finite() {
            true => Ok(number),
            false => Err(format!("a material contains {number}")),
        }
    }

    fn colour(&mut self) -> Result<[f32; 3], String> {
        Ok([self.float()?, self.float()?, self.float()?])
    }

    fn material(&mut self) -> Result<Material, String> {
        let mut material = Material::default();
        material.name = self.text()?;
        material.defined = self.flag()?;
        material.ambient = self.option(Self::colour)?;
        material.diffuse = self.option(Self::colour)?;
        material.specular = self.option(Self::colour)?;
        material.emissive = self.option(Self::colour)?;
        material.shininess = self.option(Self::float)?;
        material.dissolve = self.option(Self::float)?;
        material.optical_density = self.option(Self::float)?;
        material.illumination_model = self.option(|from| Ok(from.array::<1>()?[0]))?;
        material.ambient_texture = self.option(Self::text)?;
        material.diffuse_texture = self.option(Self::text)?;
        material.specular_texture = self.option(Self::text)?;
        material.normal_texture = self.option(Self::text)?;
        material.shininess_texture = self.option(Self::text)?;
        material.dissolve_texture = self.option(Self::text)?;
        Ok(material)
    }
}
