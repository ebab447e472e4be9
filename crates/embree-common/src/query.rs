//! Rays.

use crate::abi::{
    Aligned, Callback, FilterArguments, Hits, InstanceIds, RayHits, Rays, UserArguments,
};
use crate::call::query;
use crate::handle::Handle;
use crate::host_mode::{callback, with_callbacks_in};
use crate::host_pointer::read;
use crate::scene::Scene;
use crate::scene::geometry::{Callbacks, Geometry};
use crate::scene::surface::Surface;
use crate::scene::user_shape::{Asked, Goal, Running, report_of, running};
use crate::scene::world::{Engine, Instance, Object, Part, Placed, World};
use estoc_bvh::Bvh;
use estoc_core::{Any, Closest, Hit, HitOf, QueryOptions, Question, Ray, RayEngine, RayQuery};
use std::ffi::c_int;

impl<const N: usize> Rays<N> {
    /// Returns a ray.
    #[inline(always)]
    fn ray(&self, lane: usize) -> Ray {
        let at = |v: &[[f32; N]; 3]| [v[0][lane], v[1][lane], v[2][lane]];
        Ray::new(at(&self.origin), at(&self.dir)).with_interval(self.tnear[lane], self.tfar[lane])
    }

    /// Returns a ray as a packet of its own.
    fn lane(&self, lane: usize) -> Rays<1> {
        let at = |v: &[[f32; N]; 3]| [[v[0][lane]], [v[1][lane]], [v[2][lane]]];
        Rays {
            origin: at(&self.origin),
            tnear: [self.tnear[lane]],
            dir: at(&self.dir),
            time: [self.time[lane]],
            tfar: [self.tfar[lane]],
            mask: [self.mask[lane]],
            id: [self.id[lane]],
            flags: [self.flags[lane]],
        }
    }
}

impl<const N: usize, const P: usize> RayHits<N, P> {
    /// Writes a hit.
    #[inline(always)]
    fn put(&mut self, lane: usize, t: f32, hit: &Hits<1>) {
        self.ray.tfar[lane] = t;
        let to = &mut self.hit;
        for axis in 0..3 {
            to.normal[axis][lane] = hit.normal[axis][0];
        }
        to.u[lane] = hit.u[0];
        to.v[lane] = hit.v[0];
        to.prim[lane] = hit.prim[0];
        to.geometry[lane] = hit.geometry[0];
        to.instance[lane] = hit.instance[0];
        for to in &mut to.instance_prim {
            to[lane] = hit.instance_prim[0][0];
        }
    }
}

impl Asked {
    /// Returns the filters of a geometry, in the order in which they are called.
    fn filters(&self, callbacks: &Callbacks) -> [Option<Callback<FilterArguments>>; 2] {
        let own = match self.goal {
            Goal::Intersect(_) => callbacks.intersect_filter,
            Goal::Occluded(_) => callbacks.occluded_filter,
        };
        let given = self
            .filter
            .filter(|&(_, for_all)| for_all || callbacks.takes_argument_filter);
        [own, given.map(|(filter, _)| filter)]
    }
}

/// A hit that a filter accepted, as it left it.
struct Accepted {
    id: (usize, u32),
    t: f32,
    hit: Hits<1>,
}

/// Decides whether a hit counts, by masks and filters. A filter gets the host's own ray where it passed a single one, with
/// `tfar` set to the hit's parameter.
struct Filtering<'a> {
    asked: Asked,
    /// Whether a hit is in the ray's interval by its rounded parameter.
    by_rounded: bool,
    parts: &'a [Part],
    ray: &'a mut Rays<1>,
    accepted: Vec<Accepted>,
}

impl Filtering<'_> {
    fn accepts(&mut self, placed: (usize, Hit)) -> bool {
        let (number, hit) = placed;
        let part = &self.parts[number];
        if self.by_rounded && !(self.ray.tnear[0] <= hit.t && hit.t <= self.ray.tfar[0]) {
            return false;
        }
        if part
            .instance
            .is_some_and(|instance| instance.mask & self.ray.mask[0] == 0)
        {
            return false;
        }
        let Object::Mesh(surface) = &part.object else {
            // Callbacks of user geometry have filters called where they want.
            return true;
        };
        let of = surface.place(hit.prim).0;
        let filters = self.asked.filters(&of.callbacks);
        if filters == [None, None] {
            return true;
        }
        let context = Instance::context(part.instance.as_ref(), self.asked.context.ids());
        let mut found = Aligned(surface.hit(&hit, None, context));
        let outer = *self.ray;
        if let Some(inverse) = part
            .instance
            .and_then(|instance| instance.transform.inverse())
        {
            let wide = |v: [[f32; 1]; 3]| v.map(|[x]| f64::from(x));
            let narrow = |v: [f64; 3]| v.map(|x| [x as f32]);
            self.ray.origin = narrow(inverse.apply(wide(outer.origin), true));
            self.ray.dir = narrow(inverse.apply(wide(outer.dir), false));
        }
        self.ray.tfar = [hit.t];
        let is_accepted = self.run(filters, &of.geometry, context, found.lent());
        let t = self.ray.tfar[0];
        *self.ray = outer;
        if is_accepted {
            let id = (number, hit.prim.get());
            self.accepted.push(Accepted {
                id,
                t,
                hit: found.0,
            });
        }
        is_accepted
    }

    fn run(
        &mut self,
        filters: [Option<Callback<FilterArguments>>; 2],
        geometry: &Geometry,
        ids: InstanceIds,
        hit: *mut Hits<1>,
    ) -> bool {
        let context = self.asked.context;
        let outer = context.exchange(ids);
        let mut valid: c_int = -1;
        let arguments = FilterArguments {
            valid: &raw mut valid,
            user: geometry.user(),
            context: context.lent,
            ray: &raw mut *self.ray,
            hit,
            n: 1,
        };
        for filter in filters.into_iter().flatten() {
            if read(arguments.valid.cast_const()) != Some(0) {
                callback(|| filter(&raw const arguments));
            }
        }
        let is_valid = read(arguments.valid.cast_const()) != Some(0);
        context.exchange(outer);
        is_valid
    }
}

/// Returns the next number towards an infinity of a sign, but for 0, which rounds nothing of note.
fn wider(t: f32, sign: f32) -> f32 {
    match (t == 0.0, sign > 0.0) {
        (true, _) => t,
        (false, true) => t.next_up(),
        (false, false) => t.next_down(),
    }
}

/// Answers a question about a ray where hits have to be looked at. Returns the answer and what filters left.
fn look<E, Q>(
    engine: &E,
    question: Q,
    (world, asked): (&World, Asked),
    ray: &mut Rays<1>,
) -> (Q::Answer, Vec<Accepted>)
where
    E: RayEngine<Ray>,
    HitOf<E>: Placed,
    Q: Question<E, Ray>,
{
    let mut in_world = ray.ray(0);
    // Filters that gather the next hits go on from the parameter of the last, as they got it, to find what is beside it again.
    let by_rounded = asked.filter.is_some() || world.has_filters;
    if by_rounded && ray.tnear[0] <= ray.tfar[0] {
        in_world = in_world.with_interval(wider(ray.tnear[0], -1.0), wider(ray.tfar[0], 1.0));
    }
    let options = QueryOptions::default().mask(ray.mask[0]);
    let mut filtering = Filtering {
        asked,
        by_rounded,
        parts: &world.parts,
        ray,
        accepted: Vec::new(),
    };
    let mut accept = |_: &Ray, hit: &HitOf<E>| filtering.accepts(hit.placed());
    let answer = engine.ask_where(question, &in_world, &options, &mut accept);
    let answer = answer.unwrap_or_else(|_| unreachable!("only the option `after` can fail"));
    (answer, filtering.accepted)
}

/// Finds the first hit of a ray where hits have to be looked at.
fn closest_checked(world: &World, asked: Asked, ray: &mut Rays<1>) -> Option<(f32, Hits<1>)> {
    let query = Running { ray: *ray, asked };
    running(query, || {
        let (placed, accepted) = match &world.engine {
            Engine::Mesh(surface) if surface.is_seen(ray.mask[0]) == Some(false) => return None,
            Engine::Mesh(surface) => {
                let (hit, accepted) = look(&*surface.bvh, Closest, (world, asked), ray);
                (hit?.placed(), accepted)
            }
            Engine::Placed(scene) => {
                let (hit, accepted) = look(&**scene, Closest, (world, asked), ray);
                (hit?.placed(), accepted)
            }
        };
        let (number, hit) = placed;
        let part = &world.parts[number];
        let context = Instance::context(part.instance.as_ref(), asked.context.ids());
        Some(match &part.object {
            Object::Mesh(surface) => {
                let id = (number, hit.prim.get());
                let left = accepted.iter().rfind(|accepted| accepted.id == id);
                left.map_or_else(
                    || (hit.t, surface.hit(&hit, None, context)),
                    |left| (left.t, left.hit),
                )
            }
            Object::User(shape) => {
                // With the instance that the callback chose, which is not that of the context where it forwards rays.
                let found = report_of(shape.id, hit.prim.get(), context);
                let found = found.map_or(Hits::NONE, |found| found.hit);
                (hit.t, found)
            }
        })
    })
}

/// Returns whether a ray hits anything where hits have to be looked at.
fn any_checked(world: &World, asked: Asked, ray: &mut Rays<1>) -> bool {
    let query = Running { ray: *ray, asked };
    running(query, || match &world.engine {
        Engine::Mesh(surface) if surface.is_seen(ray.mask[0]) == Some(false) => false,
        Engine::Mesh(surface) => look(&*surface.bvh, Any, (world, asked), ray).0,
        Engine::Placed(scene) => look(&**scene, Any, (world, asked), ray).0,
    })
}

/// Returns whether a lane is active: all are, for single rays.
#[inline(always)]
fn is_active<const N: usize>(valid: Option<&[c_int; N]>, lane: usize) -> bool {
    valid.is_none_or(|valid| valid[lane] != 0)
}

/// What a version passes with rays, whose callback for user geometry takes `A`.
pub trait Arguments<A>: Copy {
    /// Returns the ids that the context has, if no filter is passed: all that matters where no hit has to be looked at.
    fn ids(self) -> Option<InstanceIds>;

    /// Runs what looks at hits.
    fn run(self, goal: fn(Option<Callback<A>>) -> Goal, work: impl FnOnce(Asked));
}

/// Runs a query about each active ray of a packet: where no hit has to be looked at by `plain`, else by `checked`.
#[inline(always)]
fn each<const N: usize, R, A>(
    (valid, scene): (Option<&[c_int; N]>, Handle<Scene>),
    rays: Option<&mut R>,
    arguments: impl Arguments<A>,
    goal: fn(Option<Callback<A>>) -> Goal,
    (plain, checked): (
        impl Fn(&Surface, InstanceIds, &mut R, usize),
        impl Fn(&World, Asked, &mut R, usize),
    ),
) {
    query(
        || scene.get().map(Scene::device),
        (),
        |host| {
            let (Some(world), Some(rays)) = (scene.object()?.world(), rays) else {
                return Ok(());
            };
            // One by one: to trace sixteen together took a tenth more time.
            let lanes = (0..N).filter(|&lane| is_active(valid, lane));
            if let Some(surface) = world.plain()
                && let Some(ids) = arguments.ids()
            {
                lanes.for_each(|lane| plain(surface, ids, rays, lane));
                return Ok(());
            }
            arguments.run(goal, |asked| {
                let ask = |lane| checked(world, asked, rays, lane);
                with_callbacks_in(host, || lanes.for_each(ask))
            });
            Ok(())
        },
    );
}

/// Returns a packet of one ray as such.
fn single<const N: usize>(rays: &mut Rays<N>) -> Option<&mut Rays<1>> {
    (rays as &mut dyn std::any::Any).downcast_mut()
}

/// Finds the first hits of rays.
#[inline(always)]
pub fn intersect<const N: usize, const P: usize>(
    valid: Option<&[c_int; N]>,
    scene: Handle<Scene>,
    rays: Option<&mut RayHits<N, P>>,
    arguments: impl Arguments<UserArguments<RayHits<1>>>,
) {
    let plain = |surface: &Surface, ids: InstanceIds, rays: &mut RayHits<N, P>, lane: usize| {
        if surface.is_seen(rays.ray.mask[lane]) == Some(true)
            && let Some((hit, of)) = surface.bvh.closest_hit_with_triangle(&rays.ray.ray(lane))
        {
            rays.put(lane, hit.t, &surface.hit(&hit, of, ids));
        }
    };
    let checked = |world: &World, asked: Asked, rays: &mut RayHits<N, P>, lane: usize| {
        let found = match single(&mut rays.ray) {
            Some(ray) => closest_checked(world, asked, ray),
            None => closest_checked(world, asked, &mut Aligned(rays.ray.lane(lane)).0),
        };
        if let Some((t, hit)) = found {
            rays.put(lane, t, &hit);
        }
    };
    let how = (plain, checked);
    each((valid, scene), rays, arguments, Goal::Intersect, how);
}

/// Finds out which rays hit anything, and sets their `tfar` to -inf.
#[inline(always)]
pub fn occluded<const N: usize>(
    valid: Option<&[c_int; N]>,
    scene: Handle<Scene>,
    rays: Option<&mut Rays<N>>,
    arguments: impl Arguments<UserArguments<Rays<1>>>,
) {
    let plain = |surface: &Surface, _: InstanceIds, rays: &mut Rays<N>, lane: usize| {
        if surface.is_seen(rays.mask[lane]) == Some(true)
            && Bvh::any_hit(&surface.bvh, &rays.ray(lane))
        {
            rays.tfar[lane] = f32::NEG_INFINITY;
        }
    };
    let checked = |world: &World, asked: Asked, rays: &mut Rays<N>, lane: usize| {
        let is_hit = match single(rays) {
            Some(ray) => any_checked(world, asked, ray),
            None => any_checked(world, asked, &mut Aligned(rays.lane(lane)).0),
        };
        if is_hit {
            rays.tfar[lane] = f32::NEG_INFINITY;
        }
    };
    let how = (plain, checked);
    each((valid, scene), rays, arguments, Goal::Occluded, how);
}
