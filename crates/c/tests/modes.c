/* Answers do not depend on the floating-point mode of the program, nor on that in which the library's threads were started;
 * the mode of the program is what it was after a call, and in its callbacks. */
#include "check.h"
#include <fenv.h>
#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#define HAS_MXCSR 1
#else
#define HAS_MXCSR 0
#endif

#define MANY 4000

/* Sets a mode: of each of four ways to round, with subnormal numbers or without. */
static void set_mode(int mode)
{
    static const int ways[4] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
    CHECK(fesetround(ways[mode % 4]) == 0);
#if HAS_MXCSR
    /* Results and operands that are subnormal are flushed to 0. */
    _mm_setcsr((_mm_getcsr() & ~0x8040u) | (mode < 4 ? 0x8040u : 0u));
#endif
}

/* Returns what tells the mode. */
static unsigned mode_now(void)
{
#if HAS_MXCSR
    /* Without the flags of exceptions that were raised. The other unit of x86, for long double, is the thread's own. */
    return _mm_getcsr() & 0xffc0u;
#else
    return (unsigned)fegetround();
#endif
}

static unsigned expected_in_filter;

static int32_t every_second(void *user, const estoc_ray *ray, const estoc_hit *hit)
{
    (void)user;
    (void)ray;
    CHECK(mode_now() == expected_in_filter);
    return hit->triangle.prim % 2 == 0;
}

static int32_t in_mode(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    CHECK(mode_now() == expected_in_filter);
    return 1;
}

typedef struct answers {
    double hits[3][MANY];
    uint32_t prims[MANY];
    double distances[MANY];
    double far_hits[3][MANY];
    int64_t counts[MANY];
} answers;

/* The mesh: so small that products of its numbers are subnormal. It is made in the default mode. */
static float *corners;
static size_t triangles;

/* Asks all in the mode of the caller. */
static void ask_all(answers *found, uint32_t threads, float (*rows)[6])
{
    const unsigned mode = mode_now();
    size_t i;
    estoc_mesh_arrays arrays;
    estoc_mesh *mesh = NULL;
    estoc_world *world = NULL, *placed = NULL;
    estoc_scene *scene = NULL;
    estoc_placement placement;
    estoc_rays rays;
    estoc_points points;
    estoc_ray_options options;
    estoc_output outputs[4];
    estoc_run run;
    uint32_t id;

    memset(&run, 0, sizeof run);
    run.threads = threads;
    run.progress = in_mode;
    expected_in_filter = mode;
    memset(&arrays, 0, sizeof arrays);
    arrays.vertex_count = 3 * triangles;
    arrays.positions = estoc_triples_f32(corners, 3 * sizeof *corners);
    arrays.triangle_count = triangles;
    OK(estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    OK(estoc_world_build(mesh, NULL, &run, &world));
    memset(&rays, 0, sizeof rays);
    rays.count = MANY;
    rays.origin = estoc_triples_f32(&rows[0][0], sizeof rows[0]);
    rays.dir = estoc_triples_f32(&rows[0][3], sizeof rows[0]);
    outputs[0] = estoc_make_output("t", found->hits[0], 8, ESTOC_F64);
    outputs[1] = estoc_make_output("u", found->hits[1], 8, ESTOC_F64);
    outputs[2] = estoc_make_output("v", found->hits[2], 8, ESTOC_F64);
    outputs[3] = estoc_make_output("prim", found->prims, 4, ESTOC_U32);
    OK(estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, &run, outputs, 4));
    CHECK(mode_now() == mode);
    points.count = MANY;
    points.position = rays.origin;
    outputs[0] = estoc_make_output("distance", found->distances, 8, ESTOC_F64);
    OK(estoc_ask_points(world, ESTOC_DISTANCE, &points, NULL, &run, outputs, 1));
    memset(&options, 0, sizeof options);
    options.filter = every_second;
    outputs[0] = estoc_make_output("count", found->counts, 8, ESTOC_I64);
    OK(estoc_ask_rays(world, ESTOC_HIT_COUNT, &rays, &options, &run, outputs, 1));
    CHECK(mode_now() == mode);
    OK(estoc_scene_create(&scene));
    memset(&placement, 0, sizeof placement);
    placement.matrix = estoc_translation(1e-31, -2e-32, 3e-33);
    placement.matrix.rows[0][1] = 0.25;
    OK(estoc_scene_add(scene, world, &placement, &id));
    OK(estoc_scene_commit(scene, &run, &placed));
    outputs[0] = estoc_make_output("t", found->far_hits[0], 8, ESTOC_F64);
    outputs[1] = estoc_make_output("u", found->far_hits[1], 8, ESTOC_F64);
    outputs[2] = estoc_make_output("v", found->far_hits[2], 8, ESTOC_F64);
    OK(estoc_ask_rays(placed, ESTOC_CLOSEST_HIT, &rays, NULL, &run, outputs, 3));
    for (i = 0; i < MANY; i += 97) {
        estoc_hit hit;
        estoc_ray ray = estoc_make_ray(rows[i][0], rows[i][1], rows[i][2], rows[i][3], rows[i][4], rows[i][5]);
        OK(estoc_closest_hit(world, &ray, NULL, &hit));
        CHECK(hit.triangle.prim == found->prims[i] && memcmp(&hit.t, &found->hits[0][i], 8) == 0);
        CHECK(mode_now() == mode);
    }
    OK(estoc_release(placed));
    OK(estoc_release(scene));
    OK(estoc_release(world));
    OK(estoc_release(mesh));
}

int main(void)
{
    static answers known, found;
    static float rows[MANY][6];
    uint64_t state = 11;
    int i, j, mode;
    int hits = 0;

    use_all();
    corners = box_corners(20, &triangles);
    for (i = 0; i < (int)(9 * triangles); i++) {
        corners[i] *= 0x1.0p-100f;
    }
    for (i = 0; i < MANY; i++) {
        for (j = 0; j < 6; j++) {
            rows[i][j] = next_float(&state) * (j < 3 ? 2.0f : 1.0f) * 0x1.0p-100f;
        }
    }
    /* The first call starts the library's threads, in this mode. */
    set_mode(0);
    ask_all(&found, 0, rows);
    set_mode(7);
    ask_all(&known, 1, rows);
    for (i = 0; i < MANY; i++) {
        hits += known.prims[i] != ESTOC_NONE;
    }
    CHECK(hits > MANY / 4);
    CHECK(memcmp(&found, &known, sizeof known) == 0);
    for (mode = 0; mode < 8; mode++) {
        for (i = 0; i < 2; i++) {
            set_mode(mode);
            ask_all(&found, (uint32_t)(3 * i), rows);
            set_mode(7);
            CHECK(memcmp(&found, &known, sizeof known) == 0);
        }
    }
    free(corners);
    puts("modes: passed");
    return 0;
}
