// Finds what each ray may hit: a superset of its hits, and those that it certainly hits. Whatever is found is decided
// exactly by the processor, so that an answer is wrong only if a hit is lost here, or one is called certain that is not.
//
// WHAT IS RELIED ON. WGSL promises of f32: the result of + - * is one of the two neighbours of the exact one, so that its
// error is below one unit in the last place (U = 2^-23 of it); division is off by 2.5 units at most for divisors between
// 2^-126 and 2^126; operations may be reordered and fused; numbers below 2^-126 may become zero; infinities and NaN may not
// be relied on. Integers and comparisons are exact. So no number here is infinite, and each bound is a sum of products
// without differences, times a constant that counts the roundings of any order, plus FLUSHED.
//
// UNITS. Corners are multiplied by a power of two: none has a coordinate above 1, and one has above 1/2. Origins are
// multiplied by the same, and are below 2^10. Directions are multiplied by a power of two so that their greatest coordinate
// is in (1, 2]. A hit has a parameter below 2^11 then, and a product of any three numbers, in any order, is below 2^14.

const U = 0x1p-23f;
// More than all that is lost where numbers below 2^-126 become zero: each by less than 2^-126, times factors below 2^14, in
// less than 2^6 terms.
const FLUSHED = 0x1p-100f;
// The share of a box's size and distance, see `meets_boxes`.
const BOX_ROUNDINGS = 14.0;
// The same of triangles, see `polynomials_of`.
const ROUNDINGS = 10.0;
const ROUNDINGS_OF_LAST = 16.0;
// Directions below 2^-40 move less than 2^-29 on their way of 2^11.
const PARALLEL = 0x1p-40f;
const PARALLEL_SLACK = 0x1p13f;

// Groups of nodes that a ray comes back to: at most one for each level of the tree above it. A ray that needs more is left
// to the processor; a tree of a billion triangles has 10 to 20 levels.
const STACK = 32u;
const NONE = 0xffffffffu;
// The processor has to trace the ray: what a device has not written says so. Ids and numbers are written as one more.
const ASK = 0u;
const MOST_WORDS = 8u;

// What is wanted of each ray.
const FIRST = 0u;
const ANY = 1u;
const COUNT = 2u;
const ALL = 3u;

struct Params {
    low: vec3<f32>,
    rays: u32,
    high: vec3<f32>,
    want: u32,
    // 8, or 9 with a triangle to skip.
    ray_words: u32,
    answer_words: u32,
    // The logarithm of the number of triangles in each buffer.
    part: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> triangles0: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> triangles1: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> triangles2: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> triangles3: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read> rays: array<u32>;
@group(0) @binding(7) var<storage, read_write> answers: array<u32>;

struct Triangle {
    corner: vec3<f32>,
    edge1: vec3<f32>,
    edge2: vec3<f32>,
    prim: u32,
}

fn triangle_at(place: u32) -> Triangle {
    let first = (place & ((1u << params.part) - 1u)) * 3u;
    var a: vec4<u32>;
    var b: vec4<u32>;
    var c: vec4<u32>;
    switch (place >> params.part) {
        case 0u: {
            a = triangles0[first];
            b = triangles0[first + 1u];
            c = triangles0[first + 2u];
        }
        case 1u: {
            a = triangles1[first];
            b = triangles1[first + 1u];
            c = triangles1[first + 2u];
        }
        case 2u: {
            a = triangles2[first];
            b = triangles2[first + 1u];
            c = triangles2[first + 2u];
        }
        default: {
            a = triangles3[first];
            b = triangles3[first + 1u];
            c = triangles3[first + 2u];
        }
    }
    return Triangle(bitcast<vec3<f32>>(a.xyz), bitcast<vec3<f32>>(b.xyz), bitcast<vec3<f32>>(c.xyz), a.w);
}

fn ray_vector(place: u32) -> vec3<f32> {
    return bitcast<vec3<f32>>(vec3<u32>(rays[place], rays[place + 1u], rays[place + 2u]));
}

// The numbers whose signs decide whether a ray hits a triangle, and bounds of their errors.
struct Polynomials {
    u: f32,
    v: f32,
    w: f32,
    det: f32,
    // t times det.
    t: f32,
    u_bound: f32,
    v_bound: f32,
    w_bound: f32,
    det_bound: f32,
    t_bound: f32,
}

fn size_of(v: vec3<f32>) -> f32 {
    return abs(v.x) + abs(v.y) + abs(v.z);
}

fn greatest_of(v: vec3<f32>) -> f32 {
    return max(abs(v.x), max(abs(v.y), abs(v.z)));
}

// Those of Moeller and Trumbore (1997). The edges are differences of corners rounded by the processor, with half a unit of
// error each; the difference of origin and corner has one unit. Each polynomial is a sum of six products of a coordinate of
// three vectors a, b and c, of different axes: the sum of their sizes is at most greatest_of(a) size_of(b) size_of(c). A
// product has two roundings, and takes part in at most five sums, however they are ordered. So each term is off by
// 1 + 1/2 + 1/2 + 2 + 5 = 9 units at most, also where the bound is one of the terms, and 10 are granted, which covers the
// roundings of the bound itself. The last weight is a sum of nine products of a coordinate with a sum of two products:
// 1 + 1/2 + 2 + 1 + 8 units, one more where (edge - s) is factored out, and one more where the bound is added first, are
// 14.5; 16 are granted.
fn polynomials_of(o: vec3<f32>, d: vec3<f32>, triangle: Triangle) -> Polynomials {
    let s = o - triangle.corner;
    let p = cross(d, triangle.edge2);
    let q = cross(s, triangle.edge1);
    let det = dot(triangle.edge1, p);
    let u = dot(s, p);
    let v = dot(d, q);
    let d_size = greatest_of(d);
    let s_size = size_of(s);
    let size1 = size_of(triangle.edge1);
    let size2 = size_of(triangle.edge2);
    let det_size = d_size * size1 * size2;
    let u_size = d_size * s_size * size2;
    let v_size = d_size * s_size * size1;
    return Polynomials(
        u, v, det - u - v, det, dot(triangle.edge2, q),
        ROUNDINGS * U * u_size + FLUSHED,
        ROUNDINGS * U * v_size + FLUSHED,
        ROUNDINGS_OF_LAST * U * (det_size + u_size + v_size) + FLUSHED,
        ROUNDINGS * U * det_size + FLUSHED,
        ROUNDINGS * U * s_size * size1 * size2 + FLUSHED,
    );
}

struct Met {
    // Whether the ray may hit it, and whether it certainly does, but for its ends.
    maybe: bool,
    sure: bool,
    // Between these is t; only if there are bounds.
    bounded: bool,
    low: f32,
    high: f32,
}

fn met(p: Polynomials) -> Met {
    let lows = vec3<f32>(p.u - p.u_bound, p.v - p.v_bound, p.w - p.w_bound);
    let highs = vec3<f32>(p.u + p.u_bound, p.v + p.v_bound, p.w + p.w_bound);
    // A weight that is certainly positive, and one that is certainly negative.
    let is_missed = any(lows > vec3<f32>(0.0)) && any(highs < vec3<f32>(0.0));
    let size = abs(p.det);
    if (is_missed || size <= 2.0 * p.det_bound) {
        return Met(!is_missed, false, false, 0.0, 0.0);
    }
    // t is (p.t + a) / (det + b), with a and b within their bounds: off by (|a| + |t b|) / (|det| - |b|) at most. The sums
    // and quotients here are off by less than the thousandth part; the quotient t by 2.5 units, and t - off and t + off by two
    // more, for which 6 are granted.
    let t = p.t / p.det;
    let off = (p.t_bound + abs(t) * p.det_bound) / (size - p.det_bound) * 1.001 + 6.0 * U * abs(t);
    return Met(true, all(lows > vec3<f32>(0.0)) || all(highs < vec3<f32>(0.0)), true, t - off, t + off);
}

// The ray, and what the tests of boxes need of it.
struct BoxRay {
    origin: vec3<f32>,
    inverse: vec3<f32>,
    slack: vec3<f32>,
    // The axes whose direction is negative have bits.
    negative: u32,
}

// A plane of a box is at p + q 2^e, at the parameter q (2^e / d) + (p - o) / d. With reach = |low - o| + |high - o|, which
// no |p - o|, q 2^e or |p + q 2^e - o| exceeds by more than 2 % on its axis, the roundings are: 2.5 units for 1 / d and 2 for each
// of both products, one for the sum, and one for adding the slack: at most (4.5 + 4.5 + 1 + 1) 1.02 = 11.2 units of
// reach / |d|; 14 are granted. What becomes zero is at most 2^-126 / |d| a number, less than the least slack.
fn box_ray_of(o: vec3<f32>, d: vec3<f32>) -> BoxRay {
    // Along an axis to which it is almost parallel, the ray moves less than 2^-29, and is taken as one at rest: with
    // 1 / d = 2^40 all its parameters between -2^11 and 2^11 are within the slack of a box that it is in, or closer to.
    let parallel = abs(d) < vec3<f32>(PARALLEL);
    let inverse = 1.0 / select(d, vec3<f32>(PARALLEL), parallel);
    let reach = abs(params.low - o) + abs(params.high - o) + vec3<f32>(PARALLEL);
    let slack = BOX_ROUNDINGS * U * reach * abs(inverse);
    let negative = dot(select(vec3<u32>(0u), vec3<u32>(1u, 2u, 4u), inverse < vec3<f32>(0.0)), vec3<u32>(1u));
    return BoxRay(o, inverse, slack + select(vec3<f32>(0.0), vec3<f32>(PARALLEL_SLACK), parallel), negative);
}

fn bytes_of(word: u32) -> vec4<f32> {
    return vec4<f32>((vec4<u32>(word) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u));
}

// Returns a bit for each of four children whose box the ray may meet between two parameters.
fn meets_boxes(step: vec3<f32>, near: vec3<f32>, far: vec3<f32>, x: vec2<u32>, y: vec2<u32>, z: vec2<u32>, from_t: f32, to_t: f32) -> u32 {
    let entry = max(
        max(bytes_of(x.x) * step.x + near.x, bytes_of(y.x) * step.y + near.y),
        max(bytes_of(z.x) * step.z + near.z, vec4<f32>(from_t)),
    );
    let leave = min(
        min(bytes_of(x.y) * step.x + far.x, bytes_of(y.y) * step.y + far.y),
        min(bytes_of(z.y) * step.z + far.z, vec4<f32>(to_t)),
    );
    return dot(select(vec4<u32>(0u), vec4<u32>(1u, 2u, 4u, 8u), entry <= leave), vec4<u32>(1u));
}

// The children of a node that the ray may meet.
struct Children {
    // The first of those that are nodes, and the first triangle of those that are leaves.
    node: u32,
    triangle: u32,
    // The bits of those that are nodes.
    are_nodes: u32,
    // The number of triangles of each leaf, in four bits.
    sizes: u32,
    met: u32,
}

fn children_of(place: u32, ray: BoxRay, from_t: f32, to_t: f32) -> Children {
    let a = nodes[place * 5u];
    let b = nodes[place * 5u + 1u];
    let c = nodes[place * 5u + 2u];
    let d = nodes[place * 5u + 3u];
    let e = nodes[place * 5u + 4u];
    let origin = bitcast<vec3<f32>>(a.xyz);
    let scale = bitcast<vec3<f32>>(((vec3<u32>(a.w) >> vec3<u32>(0u, 8u, 16u)) & vec3<u32>(255u)) << vec3<u32>(23u));
    let step = scale * ray.inverse;
    let start = (origin - ray.origin) * ray.inverse;
    let near = start - ray.slack;
    let far = start + ray.slack;
    // The lower planes of x, y and z, then the upper ones, for children 0 to 3 and 4 to 7.
    let x_low = c.xy;
    let y_low = c.zw;
    let z_low = d.xy;
    let x_high = d.zw;
    let y_high = e.xy;
    let z_high = e.zw;
    let negative = vec3<bool>((vec3<u32>(ray.negative) & vec3<u32>(1u, 2u, 4u)) != vec3<u32>(0u));
    let x_near = select(x_low, x_high, negative.x);
    let x_far = select(x_high, x_low, negative.x);
    let y_near = select(y_low, y_high, negative.y);
    let y_far = select(y_high, y_low, negative.y);
    let z_near = select(z_low, z_high, negative.z);
    let z_far = select(z_high, z_low, negative.z);
    let first = meets_boxes(
        step, near, far,
        vec2<u32>(x_near.x, x_far.x), vec2<u32>(y_near.x, y_far.x), vec2<u32>(z_near.x, z_far.x), from_t, to_t,
    );
    let second = meets_boxes(
        step, near, far,
        vec2<u32>(x_near.y, x_far.y), vec2<u32>(y_near.y, y_far.y), vec2<u32>(z_near.y, z_far.y), from_t, to_t,
    );
    return Children(b.x, b.y, a.w >> 24u, b.z, (first | (second << 4u)) & (b.w & 255u));
}

// Exchanges bits so that the bit of child c is at c ^ order.
fn reordered(bits: u32, order: u32) -> u32 {
    var b = bits;
    if ((order & 1u) != 0u) {
        b = ((b & 0x55u) << 1u) | ((b >> 1u) & 0x55u);
    }
    if ((order & 2u) != 0u) {
        b = ((b & 0x33u) << 2u) | ((b >> 2u) & 0x33u);
    }
    if ((order & 4u) != 0u) {
        b = ((b & 0x0fu) << 4u) | (b >> 4u);
    }
    return b;
}

// Returns the sum of the four-bit numbers below one of eight.
fn sum_below(sizes: u32, child: u32) -> u32 {
    let below = sizes & ((1u << (child * 4u)) - 1u);
    let pairs = (below & 0x0f0f0f0fu) + ((below >> 4u) & 0x0f0f0f0fu);
    return (pairs * 0x01010101u) >> 24u;
}

@compute @workgroup_size(64)
fn trace(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = id.x;
    if (number >= params.rays) {
        return;
    }
    let start = number * params.ray_words;
    let o = ray_vector(start);
    let d = ray_vector(start + 3u);
    let t_min = bitcast<f32>(rays[start + 6u]);
    let t_max = bitcast<f32>(rays[start + 7u]);
    var skip = NONE;
    if (params.ray_words > 8u) {
        skip = rays[start + 8u];
    }
    let answer = number * params.answer_words;
    if (greatest_of(d) < 1.0) {
        // A ray that has no form here.
        answers[answer] = ASK;
        return;
    }
    let ray = box_ray_of(o, d);
    // Towards the greater coordinates the children of lower numbers come first, and the highest bits are taken first.
    let order = ray.negative ^ 7u;

    // Nothing beyond this parameter matters.
    var limit = t_max;
    var certain = 0u;
    var asks = false;
    var found: array<u32, MOST_WORDS>;
    var found_from: array<f32, MOST_WORDS>;
    var count = 0u;
    let reports = params.want == ANY || params.want == COUNT;
    let room = params.answer_words - select(0u, 1u, reports);

    var stack: array<vec2<u32>, STACK>;
    var depth = 0u;
    // A group is the place of the first of some nodes, and bits: the low ones of those that are left, in the order in which
    // they are taken, and eight more of those that are nodes, by their number. The root is one of one.
    var base = 0u;
    var group = 0x80u | (1u << (15u ^ order));
    loop {
        if ((group & 255u) == 0u) {
            if (depth == 0u) {
                break;
            }
            depth -= 1u;
            base = stack[depth].x;
            group = stack[depth].y;
        }
        let bit = firstLeadingBit(group & 255u);
        group ^= 1u << bit;
        let child = bit ^ order;
        let node = base + countOneBits((group >> 8u) & ((1u << child) - 1u));
        if ((group & 255u) != 0u) {
            if (depth == STACK) {
                asks = true;
                break;
            }
            stack[depth] = vec2<u32>(base, group);
            depth += 1u;
        }
        let children = children_of(node, ray, t_min, limit);
        base = children.node;
        group = reordered(children.met & children.are_nodes, order) | (children.are_nodes << 8u);
        var leaves = reordered(children.met & ~children.are_nodes, order);
        while (leaves != 0u) {
            let leaf_bit = firstLeadingBit(leaves);
            leaves ^= 1u << leaf_bit;
            let leaf = leaf_bit ^ order;
            let first = children.triangle + sum_below(children.sizes, leaf);
            let end = first + ((children.sizes >> (leaf * 4u)) & 15u);
            for (var place = first; place < end; place += 1u) {
                let triangle = triangle_at(place);
                var hit = met(polynomials_of(o, d, triangle));
                if (!hit.maybe || triangle.prim == skip) {
                    continue;
                }
                if (!hit.bounded) {
                    hit.low = t_min;
                    hit.high = t_max;
                }
                if (hit.low > limit || hit.high < t_min) {
                    continue;
                }
                if (hit.sure && hit.low > t_min && hit.high < t_max) {
                    certain += 1u;
                    if (params.want == FIRST) {
                        limit = min(limit, hit.high);
                    }
                    if (reports) {
                        continue;
                    }
                }
                if (count == room) {
                    // Makes room by those that turned out to be behind a certain hit.
                    count = 0u;
                    for (var other = 0u; other < room; other += 1u) {
                        if (found_from[other] <= limit) {
                            found[count] = found[other];
                            found_from[count] = found_from[other];
                            count += 1u;
                        }
                    }
                }
                if (count == room) {
                    asks = true;
                } else {
                    found[count] = triangle.prim;
                    found_from[count] = hit.low;
                    count += 1u;
                }
            }
            if ((params.want == ANY && certain > 0u) || (asks && params.want != ANY)) {
                break;
            }
        }
        if ((params.want == ANY && certain > 0u) || (asks && params.want != ANY)) {
            break;
        }
    }
    var next = answer;
    if (asks && !(params.want == ANY && certain > 0u)) {
        answers[next] = ASK;
        return;
    }
    if (reports) {
        answers[next] = certain + 1u;
        next += 1u;
    }
    for (var place = 0u; place < count; place += 1u) {
        if (found_from[place] <= limit) {
            answers[next] = found[place] + 1u;
            next += 1u;
        }
    }
    while (next < answer + params.answer_words) {
        answers[next] = NONE;
        next += 1u;
    }
}

// For tests: what is computed of one triangle for each ray, whose numbers are bitcast, and the triangle of its number.
@compute @workgroup_size(64)
fn examine(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = id.x;
    if (number >= params.rays) {
        return;
    }
    let start = number * params.ray_words;
    let o = ray_vector(start);
    let d = ray_vector(start + 3u);
    let triangle = triangle_at(number);
    let p = polynomials_of(o, d, triangle);
    let m = met(p);
    let answer = number * params.answer_words;
    answers[answer] = bitcast<u32>(p.u);
    answers[answer + 1u] = bitcast<u32>(p.v);
    answers[answer + 2u] = bitcast<u32>(p.w);
    answers[answer + 3u] = bitcast<u32>(p.det);
    answers[answer + 4u] = bitcast<u32>(p.t);
    answers[answer + 5u] = bitcast<u32>(p.u_bound);
    answers[answer + 6u] = bitcast<u32>(p.v_bound);
    answers[answer + 7u] = bitcast<u32>(p.w_bound);
    answers[answer + 8u] = bitcast<u32>(p.det_bound);
    answers[answer + 9u] = bitcast<u32>(p.t_bound);
    answers[answer + 10u] = select(0u, 1u, m.maybe) | select(0u, 2u, m.sure) | select(0u, 4u, m.bounded);
    answers[answer + 11u] = bitcast<u32>(m.low);
    answers[answer + 12u] = bitcast<u32>(m.high);
    answers[answer + 13u] = triangle.prim;
}
