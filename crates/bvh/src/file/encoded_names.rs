//! Names and materials as bytes: numbers little endian, texts with their length before them.

use estoc_mesh::Material;
use estoc_mesh::parts::shown;

/// The text of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Text {
    /// The program that wrote it.
    pub(super) writer: String,
    /// What the mesh came from.
    pub(super) source: Option<String>,
    pub(super) objects: Vec<String>,
    pub(super) groups: Vec<String>,
    pub(super) materials: Vec<Material>,
}

impl Text {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut to = Encoder(Vec::new());
        to.text(&self.writer);
        to.option(self.source.as_ref(), |to, source| to.text(source));
        for names in [&self.objects, &self.groups] {
            to.list(names, |to, name| to.text(name));
        }
        to.list(&self.materials, Encoder::material);
        to.0
    }

    /// Fails with the place in the bytes, and what is wrong there.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, (usize, String)> {
        let mut from = Decoder { bytes, at: 0 };
        let text = Text::take(&mut from).map_err(|problem| (from.at, problem))?;
        match bytes.len() - from.at {
            0 => Ok(text),
            more => Err((from.at, format!("{more} bytes more than its lists have"))),
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
            // All of them: `estoc_mesh::parts` fails to compile when there are more.
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
            return Err(format!("{len} bytes where {left} are left"));
        }
        self.at += len;
        Ok(&self.bytes[self.at - len..self.at])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let bytes = self.bytes(N)?;
        Ok(std::array::from_fn(|i| bytes[i]))
    }

    /// How many there are of something, each of which takes a byte or more.
    fn length(&mut self) -> Result<usize, String> {
        let number = u64::from_le_bytes(self.array()?);
        let left = self.bytes.len() - self.at;
        usize::try_from(number)
            .ok()
            .filter(|number| *number <= left)
            .ok_or_else(|| format!("a length of {number} where {left} bytes are left"))
    }

    fn flag(&mut self) -> Result<bool, String> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => Err(format!("{other} for yes or no")),
        }
    }

    fn text(&mut self) -> Result<String, String> {
        let len = self.length()?;
        let bytes = self.bytes(len)?;
        let text = std::str::from_utf8(bytes);
        let text = text.map_err(|error| format!("a name that is no UTF-8: {error}"))?;
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
        // Grown as they come: an item takes more memory than the byte that it may be.
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
            false => Err(format!("{number} in a material")),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Text {
        let mut material = Material::default();
        material.name = "Marmor \u{2764}".into();
        material.defined = true;
        material.diffuse = Some([0.5, -0.0, 1e-40]);
        material.shininess = Some(3.0);
        material.illumination_model = Some(7);
        material.normal_texture = Some("-bm 2 rough.png".into());
        Text {
            writer: "estoc".into(),
            source: Some("a/b.obj".into()),
            objects: vec!["".into(), "wall".into()],
            groups: vec![],
            materials: vec![Material::default(), material],
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in [Text::default(), example()] {
            assert_eq!(Text::read(&text.to_bytes()), Ok(text));
        }
    }

    #[test]
    fn no_name_talks_to_a_terminal() {
        let rude = "a\x1b[2Jb\nc\u{9b}d";
        let mut material = Material::default();
        material.name = rude.into();
        material.diffuse_texture = Some(rude.into());
        let text = Text {
            writer: rude.into(),
            source: Some(rude.into()),
            objects: vec![rude.into()],
            groups: vec![rude.into()],
            materials: vec![material],
        };
        let read = Text::read(&text.to_bytes()).unwrap();
        assert_eq!(read.source.as_deref(), Some("a [2Jb c d"));
        let told = [&read.writer, &read.objects[0], &read.groups[0]];
        assert_eq!(told, ["a [2Jb c d"; 3]);
        assert_eq!(read.materials[0].name, "a [2Jb c d");
        let texture = read.materials[0].diffuse_texture.as_deref();
        assert_eq!(texture, Some("a [2Jb c d"));
    }

    #[test]
    fn what_is_cut_off_or_goes_on_is_refused() {
        let bytes = example().to_bytes();
        for len in 0..bytes.len() {
            assert!(Text::read(&bytes[..len]).is_err(), "{len}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(
            Text::read(&longer),
            Err((bytes.len(), "1 bytes more than its lists have".into()))
        );
    }

    #[test]
    fn lengths_are_believed_only_as_far_as_there_are_bytes() {
        let mut bytes = Text::default().to_bytes();
        bytes[..8].copy_from_slice(&u64::MAX.to_le_bytes());
        let (at, problem) = Text::read(&bytes).unwrap_err();
        assert_eq!(at, 8);
        assert!(problem.starts_with("a length of 18446744073709551615 where "));
    }
}
