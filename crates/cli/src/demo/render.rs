//! The picture: every light in it is the answer to a ray query.
//!
//! Each pixel looks out four times. Where a look ends, one ray asks whether the sun is seen
//! from there, one looks around for light that other walls and the sky give (and one more
//! asks whether the sun shines where that one ends), one follows what is mirrored, and one
//! asks whether sunlight crosses the dust in the air on the way. What the random rays leave grainy is smoothed within
//! surfaces.

use super::denoise::{Guide, same_depth, same_surface, smooth};
use super::image::Size;
use super::light::{SUN_LIGHT, about, developed, sky, towards_sun};
use super::surface::{Spot, Surface};
use super::view::View;
use crate::common::Session;
use crate::failure::Failure;
use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use estoc::{Bvh, Mesh, Ray};
use std::f32::consts::PI;

/// Rows of pixels that are worked on at a time.
const BAND: usize = 8;
/// Looks at each pixel, in a square of this side.
const GRID: usize = 2;
const LOOKS: usize = GRID * GRID;
/// Light that dust sends into the eye for each metre of sunlit air, as a share.
const DUST: f32 = 0.0011;
/// Light of bounces that are not followed any further.
const AMBIENT: Vec3 = Vec3::new(0.15, 0.145, 0.14);

/// The sky seen from inside, as a share of the light that it gives: as an eye that is used to
/// the hall would have it.
const SKY_SEEN: f32 = 0.3;
/// Brighter than white: what a look beyond it counts as, so that edges stay smooth.
const BRIGHTEST: f32 = 2.2;
/// How far the air reaches where nothing is hit.
const FAR: f32 = 40.0;
/// How far mirrored rays stray.
const ROUGHNESS: f32 = 0.006;

/// Sums over a pixel's looks.
#[derive(Clone, Copy, Default)]
struct Pixel {
    /// Light that needs no smoothing: the sun on surfaces, and what they mirror.
    sharp: Vec3,
    /// The share of looks that end outside, and the light there.
    open: f32,
    outside: Vec3,
    colour: Vec3,
    guide: Guide,
}

/// The pixels, and how many rays they took.
pub(super) fn render(
    mesh: &Mesh,
    bvh: &Bvh,
    size: Size,
    session: &Session,
) -> Result<(Vec<[u8; 3]>, usize), Failure> {
    let pixels = size.width * size.height;
    let mut painter = Painter {
        bvh,
        session,
        surface: Surface::new(mesh),
        view: View::of_hall(size),
        size,
        pixels: Vec::with_capacity(pixels),
        around: Vec::with_capacity(pixels),
        dust: Vec::with_capacity(pixels),
        rays: 0,
    };
    let bar = session.progress("painting", Some(size.height as u64));
    for top in (0..size.height).step_by(BAND) {
        painter.band(top, (top + BAND).min(size.height))?;
        bar.set(top as u64);
    }
    let rays = painter.rays;
    Ok((painter.developed(), rays))
}

struct Painter<'a> {
    bvh: &'a Bvh,
    session: &'a Session,
    surface: Surface<'a>,
    view: View,
    size: Size,
    pixels: Vec<Pixel>,
    /// Light on each pixel's surface from walls and sky, to be smoothed.
    around: Vec<Vec3>,
    /// Sunlight from the air before it, to be smoothed.
    dust: Vec<Vec3>,
    rays: usize,
}

impl Painter<'_> {
    fn band(&mut self, top: usize, bottom: usize) -> Result<(), Failure> {
        let width = self.size.width;
        let looks: Vec<(usize, Ray)> = (top * width..bottom * width)
            .flat_map(|pixel| (0..LOOKS).map(move |look| (pixel, look)))
            .map(|(pixel, look)| {
                let mut rng = SplitMix64::new((pixel * LOOKS + look) as u64 ^ 0x5eed);
                let inside =
                    |cell: usize, rng: &mut SplitMix64| (cell as f64 + rng.unit()) / GRID as f64;
                let x = (pixel % width) as f64 + inside(look % GRID, &mut rng);
                let y = (pixel / width) as f64 + inside(look / GRID, &mut rng);
                (pixel, self.view.ray(x as f32, y as f32))
            })
            .collect();
        let rays: Vec<Ray> = looks.iter().map(|(_, ray)| *ray).collect();
        let spots = self.spots(&rays)?;
        let mut rngs: Vec<SplitMix64> = (0..looks.len())
            .map(|i| SplitMix64::new((top * width * LOOKS + i) as u64))
            .collect();

        let sun = self.sunlight(&spots, &mut rngs)?;
        let around = self.light_around(&spots, &mut rngs)?;
        let mirrored = self.mirrored(&rays, &spots, &mut rngs)?;
        let dust = self.dust(&rays, &spots, &mut rngs)?;

        let first = self.pixels.len();
        self.pixels.resize(bottom * width, Pixel::default());
        self.around.resize(bottom * width, Vec3::ZERO);
        self.dust.resize(bottom * width, Vec3::ZERO);
        debug_assert_eq!(first, top * width);
        let share = 1.0 / LOOKS as f32;
        for (i, (index, ray)) in looks.iter().enumerate() {
            let pixel = &mut self.pixels[*index];
            self.dust[*index] += share * dust[i];
            let Some(spot) = &spots[i] else {
                pixel.open += share;
                pixel.outside += share * sky(ray.dir) * SKY_SEEN;
                pixel.guide.depth = FAR;
                continue;
            };
            let lit = spot.colour * sun[i] + mirrored[i];
            pixel.sharp += share * lit.min(Vec3::splat(BRIGHTEST));
            pixel.colour += share * spot.colour;
            pixel.guide = Guide {
                normal: spot.normal,
                place: spot.place,
                depth: (spot.place - ray.origin).length(),
            };
            self.around[*index] += share * around[i];
        }
        self.session.check_interrupt()
    }

    /// What rays see first.
    fn spots(&mut self, rays: &[Ray]) -> Result<Vec<Option<Spot>>, Failure> {
        self.rays += rays.len();
        let hits = self.session.batch().closest_hits(self.bvh, rays)?;
        let spot =
            |(ray, hit): (&Ray, &Option<_>)| hit.as_ref().map(|hit| self.surface.spot(ray, hit));
        Ok(rays.iter().zip(&hits).map(spot).collect())
    }

    /// The sun's light on each spot, not yet coloured by it.
    fn sunlight(
        &mut self,
        spots: &[Option<Spot>],
        rngs: &mut [SplitMix64],
    ) -> Result<Vec<Vec3>, Failure> {
        let mut light = vec![Vec3::ZERO; spots.len()];
        let mut rays = Vec::new();
        let mut asked = Vec::new();
        for (i, spot) in spots.iter().enumerate() {
            let Some(spot) = spot else { continue };
            let towards = towards_sun(&mut rngs[i]);
            let slope = spot.normal.dot(towards);
            if slope > 0.0 {
                rays.push(leaving(spot, towards));
                asked.push((i, slope));
            }
        }
        self.rays += rays.len();
        let blocked = self.session.batch().any_hits(self.bvh, &rays)?;
        for ((i, slope), blocked) in asked.into_iter().zip(blocked) {
            if !blocked {
                light[i] = SUN_LIGHT * slope / PI;
            }
        }
        Ok(light)
    }

    /// Light that reaches each spot by way of one other surface, or from the sky.
    fn light_around(
        &mut self,
        spots: &[Option<Spot>],
        rngs: &mut [SplitMix64],
    ) -> Result<Vec<Vec3>, Failure> {
        let mut light = vec![Vec3::ZERO; spots.len()];
        let mut rays = Vec::new();
        let mut asked = Vec::new();
        for (i, spot) in spots.iter().enumerate() {
            let Some(spot) = spot else { continue };
            rays.push(leaving(spot, about(spot.normal, &mut rngs[i])));
            asked.push(i);
        }
        let seen = self.spots(&rays)?;
        let mut their_rngs: Vec<SplitMix64> = asked.iter().map(|&i| rngs[i].clone()).collect();
        let sun = self.sunlight(&seen, &mut their_rngs)?;
        for (j, i) in asked.into_iter().enumerate() {
            light[i] = match &seen[j] {
                None => sky(rays[j].dir),
                Some(other) => other.colour * (sun[j] + AMBIENT),
            };
        }
        Ok(light)
    }

    /// What shiny spots mirror.
    fn mirrored(
        &mut self,
        from: &[Ray],
        spots: &[Option<Spot>],
        rngs: &mut [SplitMix64],
    ) -> Result<Vec<Vec3>, Failure> {
        let mut light = vec![Vec3::ZERO; spots.len()];
        let mut rays = Vec::new();
        let mut asked = Vec::new();
        for (i, spot) in spots.iter().enumerate() {
            let Some(spot) = spot.filter(|spot| spot.mirror != Vec3::ZERO) else {
                continue;
            };
            let slope = -from[i].dir.dot(spot.normal);
            let straight = from[i].dir + 2.0 * slope * spot.normal;
            let rough = Vec3::from_array(rngs[i].direction().map(|x| x as f32)) * ROUGHNESS;
            rays.push(leaving(&spot, straight + rough));
            // Schlick 1994: everything mirrors at a grazing angle.
            let share = spot.mirror + (1.0 - spot.mirror) * (1.0 - slope.clamp(0.0, 1.0)).powi(5);
            asked.push((i, share));
        }
        let seen = self.spots(&rays)?;
        let mut their_rngs: Vec<SplitMix64> = asked.iter().map(|&(i, _)| rngs[i].clone()).collect();
        let sun = self.sunlight(&seen, &mut their_rngs)?;
        for (j, (i, share)) in asked.into_iter().enumerate() {
            light[i] = share
                * match &seen[j] {
                    None => sky(rays[j].dir) * SKY_SEEN,
                    Some(other) => other.colour * (sun[j] + 3.0 * AMBIENT),
                };
        }
        Ok(light)
    }

    /// Sunlight on the way of each ray, asked for at one random place of it.
    fn dust(
        &mut self,
        rays: &[Ray],
        spots: &[Option<Spot>],
        rngs: &mut [SplitMix64],
    ) -> Result<Vec<Vec3>, Failure> {
        let lengths: Vec<f32> = rays
            .iter()
            .zip(spots)
            .map(|(ray, spot)| spot.map_or(FAR, |spot| (spot.place - ray.origin).length()))
            .collect();
        let asked: Vec<Ray> = (0..rays.len())
            .map(|i| {
                let at = rays[i].at(lengths[i] * rngs[i].unit() as f32);
                Ray::new(at, towards_sun(&mut rngs[i]))
            })
            .collect();
        self.rays += asked.len();
        let blocked = self.session.batch().any_hits(self.bvh, &asked)?;
        let lit = lengths.iter().zip(blocked);
        Ok(lit
            .map(|(length, blocked)| {
                if blocked {
                    Vec3::ZERO
                } else {
                    SUN_LIGHT * (DUST * length)
                }
            })
            .collect())
    }

    fn developed(self) -> Vec<[u8; 3]> {
        let Painter {
            pixels,
            mut around,
            mut dust,
            size,
            ..
        } = self;
        let guides: Vec<Guide> = pixels.iter().map(|pixel| pixel.guide).collect();
        smooth(&mut around, &guides, size, 5, same_surface);
        smooth(&mut dust, &guides, size, 4, same_depth);
        let lit = pixels.iter().zip(around).zip(dust);
        lit.map(|((pixel, around), dust)| pixel.developed(around, dust))
            .collect()
    }
}

impl Pixel {
    /// Inside and outside are developed apart and mixed then: one is so much brighter that
    /// edges between them would be steps again.
    fn developed(&self, around: Vec3, dust: Vec3) -> [u8; 3] {
        let part = |light: Vec3, share: f32| {
            if share > 0.0 {
                share * developed(light / share + dust)
            } else {
                Vec3::ZERO
            }
        };
        let inside = part(self.sharp + self.colour * around, 1.0 - self.open);
        let shown = inside + part(self.outside, self.open);
        shown.to_array().map(|x| (x * 255.0 + 0.5) as u8)
    }
}

/// A ray from a spot; it starts a little off the surface, because the place is rounded.
fn leaving(spot: &Spot, dir: Vec3) -> Ray {
    Ray::new(spot.place + spot.normal * 1e-3, dir)
}
