/* Known answers, and that every way to ask a question has the same: one or many, float or double, any layout, any threads. */
#include "check.h"

#define MANY 5000

/* Rays at the cube and past it, in floats: eight numbers each. */
static float (*some_rays(void))[8]
{
    static float rays[MANY][8];
    uint64_t state = 7;
    int i, j;
    for (i = 0; i < MANY; i++) {
        for (j = 0; j < 6; j++) {
            rays[i][j] = next_float(&state) * (j < 3 ? 2.0f : 1.0f);
        }
        rays[i][6] = i % 5 == 0 ? 0.25f : 0.0f;
        rays[i][7] = i % 7 == 0 ? 1.5f : INFINITY;
    }
    rays[3][1] = NAN;
    rays[4][3] = rays[4][4] = rays[4][5] = 0;
    return rays;
}

static estoc_ray ray_of(const float *numbers)
{
    estoc_ray ray = estoc_make_ray(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    ray.t_min = numbers[6];
    ray.t_max = numbers[7];
    return ray;
}

static estoc_rays rays_in_rows(float (*rows)[8])
{
    estoc_rays rays;
    rays.count = MANY;
    rays.origin = estoc_triples_f32(&rows[0][0], sizeof rows[0]);
    rays.dir = estoc_triples_f32(&rows[0][3], sizeof rows[0]);
    rays.t_min = estoc_make_column(&rows[0][6], sizeof rows[0], ESTOC_F32);
    rays.t_max = estoc_make_column(&rows[0][7], sizeof rows[0], ESTOC_F32);
    return rays;
}

/* Asks for the first hits, and checks that they are those that are known, if any. */
static hit_columns same_hits(const estoc_world *world, const estoc_rays *rays, const estoc_run *run,
                             const hit_columns *known)
{
    hit_columns found = hit_columns_of(rays->count);
    memset(found.t, 0x77, rays->count * 8);
    OK(estoc_ask_rays(world, ESTOC_CLOSEST_HIT, rays, NULL, run, found.outputs, 4));
    if (known != NULL) {
        CHECK(memcmp(found.t, known->t, rays->count * 8) == 0);
        CHECK(memcmp(found.u, known->u, rays->count * 8) == 0);
        CHECK(memcmp(found.v, known->v, rays->count * 8) == 0);
        CHECK(memcmp(found.prim, known->prim, rays->count * 4) == 0);
    }
    return found;
}

static void check_same(const estoc_world *world, const estoc_rays *rays, const estoc_run *run, const hit_columns *known)
{
    hit_columns found = same_hits(world, rays, run, known);
    free_hit_columns(&found);
}

/* One ray after the other, and arrays in many layouts. */
static void layouts(int is_f64)
{
    estoc_world *cube = world_of(cube_mesh(is_f64));
    float(*rows)[8] = some_rays();
    estoc_rays rays = rays_in_rows(rows);
    hit_columns known = same_hits(cube, &rays, NULL, NULL);
    static double columns[8][MANY];
    static double wide[MANY][8];
    static unsigned char unaligned[MANY * 33 + 1];
    static estoc_hit hits[MANY];
    estoc_output outputs[4];
    estoc_run run;
    estoc_hit hit;
    int32_t found;
    int hit_count = 0;
    int i, j;

    for (i = 0; i < MANY; i++) {
        const estoc_ray ray = ray_of(rows[i]);
        OK(estoc_closest_hit(cube, &ray, NULL, &hit));
        CHECK(hit.triangle.prim == known.prim[i] && hit.triangle.depth == 0);
        CHECK(hit.t == known.t[i] && hit.u == known.u[i] && hit.v == known.v[i]);
        OK(estoc_any_hit(cube, &ray, NULL, &found));
        CHECK(found == (hit.triangle.prim != ESTOC_NONE));
        CHECK(found || (isinf(hit.t) && hit.u == 0 && hit.v == 0));
        hit_count += found;
        for (j = 0; j < 8; j++) {
            columns[j][i] = wide[i][j] = rows[i][j];
        }
        memcpy(unaligned + 33 * i + 1, rows[i], 32);
    }
    CHECK(hit_count > MANY / 4 && hit_count < MANY);
    CHECK(known.prim[3] == ESTOC_NONE && known.prim[4] == ESTOC_NONE);

    /* Threads. */
    memset(&run, 0, sizeof run);
    run.threads = 1;
    check_same(cube, &rays, &run, &known);
    run.threads = 3;
    check_same(cube, &rays, &run, &known);
    /* An array for each number, in double. */
    rays.origin.x = columns[0];
    rays.origin.y = columns[1];
    rays.origin.z = columns[2];
    rays.dir.x = columns[3];
    rays.dir.y = columns[4];
    rays.dir.z = columns[5];
    rays.origin.stride = rays.dir.stride = sizeof(double);
    rays.origin.type = rays.dir.type = ESTOC_F64;
    check_same(cube, &rays, NULL, &known);
    /* Rows in double, beside bounds in float. */
    rays.origin = estoc_triples_f64(&wide[0][0], sizeof wide[0]);
    check_same(cube, &rays, NULL, &known);
    /* Rows that are not aligned. */
    rays.origin = estoc_triples_f32((const float *)(const void *)(unaligned + 1), 33);
    rays.origin.y = unaligned + 5;
    rays.origin.z = unaligned + 9;
    check_same(cube, &rays, NULL, &known);
    /* Answers in structs. */
    outputs[0] = estoc_make_output("t", &hits[0].t, sizeof hits[0], ESTOC_F64);
    outputs[1] = estoc_make_output("u", &hits[0].u, sizeof hits[0], ESTOC_F64);
    outputs[2] = estoc_make_output("v", &hits[0].v, sizeof hits[0], ESTOC_F64);
    outputs[3] = estoc_make_output("prim", &hits[0].triangle.prim, sizeof hits[0], ESTOC_U32);
    memset(hits, 0x11, sizeof hits);
    OK(estoc_ask_rays(cube, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, outputs, 4));
    for (i = 0; i < MANY; i++) {
        CHECK(hits[i].t == known.t[i] && hits[i].u == known.u[i] && hits[i].v == known.v[i]);
        CHECK(hits[i].triangle.prim == known.prim[i] && hits[i].triangle.depth == 0x11111111);
    }
    /* Backwards, from the last ray to the first. */
    {
        static uint64_t prims[MANY];
        rays.origin = estoc_triples_f32(&rows[MANY - 1][0], -(ptrdiff_t)sizeof rows[0]);
        rays.dir = estoc_triples_f32(&rows[MANY - 1][3], -(ptrdiff_t)sizeof rows[0]);
        rays.t_min = estoc_make_column(&rows[MANY - 1][6], -(ptrdiff_t)sizeof rows[0], ESTOC_F32);
        rays.t_max = estoc_make_column(&rows[MANY - 1][7], -(ptrdiff_t)sizeof rows[0], ESTOC_F32);
        outputs[0] = estoc_make_output("prim", &prims[MANY - 1], -8, ESTOC_U64);
        OK(estoc_ask_rays(cube, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, outputs, 1));
        for (i = 0; i < MANY; i++) {
            CHECK(prims[i] == known.prim[i]);
        }
    }
    /* One origin for all, and no bounds. */
    {
        static int64_t counts[MANY];
        static const double origin[3] = {0, 0, 0};
        rays = rays_in_rows(rows);
        rays.origin = estoc_triples_f64(origin, 0);
        rays.t_min.data = rays.t_max.data = NULL;
        outputs[0] = estoc_make_output("count", counts, 8, ESTOC_I64);
        OK(estoc_ask_rays(cube, ESTOC_CROSSING_COUNT, &rays, NULL, NULL, outputs, 1));
        for (i = 0; i < MANY; i++) {
            CHECK(counts[i] == (i != 4));
        }
    }
    /* In float, what a world in float answers fits; what one in double does, does not. */
    {
        static float t[MANY];
        rays = rays_in_rows(rows);
        outputs[0] = estoc_make_output("t", t, 4, ESTOC_F32);
        GIVES(is_f64 ? ESTOC_BAD_ARGUMENT : ESTOC_OK,
              estoc_ask_rays(cube, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, outputs, 1));
        for (i = 0; i < MANY && !is_f64; i++) {
            CHECK(t[i] == known.t[i]);
        }
    }
    free_hit_columns(&known);
    OK(estoc_release(cube));
}

/* No ray from inside slips out of a closed box, through whatever edge or corner it goes. */
static void no_leaks(void)
{
    enum { N = 24 };
    estoc_world *box = box_world(N);
    size_t triangles, i, j, count = 0;
    float *corners = box_corners(N, &triangles);
    float(*dirs)[3] = malloc(6 * triangles * sizeof *dirs);
    uint8_t *found = malloc(6 * triangles);
    int64_t *crossed = malloc(6 * triangles * sizeof *crossed);
    estoc_rays rays;
    estoc_output output;
    static const float origin[3] = {0.125f, -0.25f, 0.3f};

    CHECK(dirs != NULL && found != NULL && crossed != NULL);
    for (i = 0; i < triangles; i++) {
        for (j = 0; j < 6; j++, count++) {
            int axis;
            for (axis = 0; axis < 3; axis++) {
                const float *a = corners + 9 * i + 3 * (j % 3);
                const float *b = corners + 9 * i + 3 * ((j + (j < 3 ? 0 : 1)) % 3);
                dirs[count][axis] = (a[axis] + b[axis]) / 2 - origin[axis];
            }
        }
    }
    memset(&rays, 0, sizeof rays);
    rays.count = count;
    rays.origin = estoc_triples_f32(origin, 0);
    rays.dir = estoc_triples_f32(dirs[0], sizeof *dirs);
    output = estoc_make_output("found", found, 1, ESTOC_U8);
    OK(estoc_ask_rays(box, ESTOC_ANY_HIT, &rays, NULL, NULL, &output, 1));
    output = estoc_make_output("count", crossed, 8, ESTOC_I64);
    OK(estoc_ask_rays(box, ESTOC_CROSSING_COUNT, &rays, NULL, NULL, &output, 1));
    for (i = 0; i < count; i++) {
        CHECK(found[i] == 1 && crossed[i] == 1);
    }
    free(corners);
    free(dirs);
    free(found);
    free(crossed);
    OK(estoc_release(box));
}

static int32_t odd_only(void *user, const estoc_ray *ray, const estoc_hit *hit)
{
    CHECK(ray->dir[2] == -1 && *(int *)user == 42);
    return hit->triangle.prim % 2 == 1;
}

/* Options, on a pile of sheets: the triangles 2 i and 2 i + 1 make a square at the height i. */
static void options(void)
{
    enum { SHEETS = 5 };
    float corners[SHEETS * 4][3];
    uint32_t faces[SHEETS * 2][3];
    uint32_t masks[SHEETS * 2];
    estoc_mesh *mesh;
    estoc_world *pile = NULL;
    estoc_build build;
    estoc_ray_options options;
    estoc_ray ray = estoc_make_ray(0.75, 0.25, 9, 0, 0, -1);
    estoc_rays rays;
    estoc_hit hit, next;
    estoc_lists *lists = NULL;
    estoc_column column;
    estoc_triangle each[3];
    estoc_output outputs[2];
    const uint64_t *offsets;
    size_t items;
    int64_t count;
    int32_t found;
    uint32_t prims[3];
    const uint32_t ray_masks[3] = {1, 2, 0};
    int mark = 42;
    int i;

    for (i = 0; i < SHEETS; i++) {
        const float square[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
        const uint32_t k = 4 * (uint32_t)i;
        const uint32_t two[2][3] = {{k, k + 1, k + 2}, {k, k + 2, k + 3}};
        memcpy(corners[4 * i], square, sizeof square);
        memcpy(faces[2 * i], two, sizeof two);
        corners[4 * i][2] = corners[4 * i + 1][2] = corners[4 * i + 2][2] = corners[4 * i + 3][2] = (float)i;
        masks[2 * i] = masks[2 * i + 1] = i == 4 ? 1 : 2;
    }
    mesh = mesh_of(corners[0], NULL, SHEETS * 4, faces[0], SHEETS * 2);
    memset(&build, 0, sizeof build);
    build.quality = ESTOC_QUALITY_BEST;
    build.masks = estoc_make_column(masks, 4, ESTOC_U32);
    OK(estoc_world_build(mesh, &build, NULL, &pile));
    OK(estoc_release(mesh));

    OK(estoc_closest_hit(pile, &ray, NULL, &hit));
    CHECK(hit.t == 5 && hit.triangle.prim == 8 && hit.u == 0.5 && hit.v == 0.25);
    OK(estoc_count(pile, ESTOC_HIT_COUNT, &ray, NULL, &count));
    CHECK(count == SHEETS);
    memset(&options, 0, sizeof options);
    /* The sheets face upwards, so the ray comes from the front. */
    options.cull = ESTOC_CULL_FRONT;
    OK(estoc_any_hit(pile, &ray, &options, &found));
    CHECK(found == 0);
    options.cull = ESTOC_CULL_BACK;
    OK(estoc_any_hit(pile, &ray, &options, &found));
    CHECK(found == 1);
    options.cull = 0;
    options.mask = 2;
    OK(estoc_closest_hit(pile, &ray, &options, &next));
    CHECK(next.t == 6 && next.triangle.prim == 6);
    options.mask = 0;
    options.skip = &hit.triangle;
    OK(estoc_closest_hit(pile, &ray, &options, &next));
    CHECK(next.triangle.prim == 6);
    options.skip = NULL;
    options.after = &next.triangle;
    OK(estoc_closest_hit(pile, &ray, &options, &hit));
    CHECK(hit.triangle.prim == 4 && hit.t == 7);
    options.after = NULL;
    options.filter = odd_only;
    options.user = &mark;
    OK(estoc_closest_hit(pile, &ray, &options, &hit));
    CHECK(hit.triangle.prim == ESTOC_NONE && isinf(hit.t));
    OK(estoc_any_hit(pile, &ray, &options, &found));
    CHECK(found == 0);
    /* On the diagonal both triangles of each sheet are touched. */
    ray.origin[0] = 0.25;
    OK(estoc_closest_hit(pile, &ray, &options, &hit));
    CHECK(hit.triangle.prim == 9);
    OK(estoc_count(pile, ESTOC_HIT_COUNT, &ray, &options, &count));
    CHECK(count == SHEETS);
    options.filter = NULL;
    OK(estoc_count(pile, ESTOC_HIT_COUNT, &ray, &options, &count));
    CHECK(count == 2 * SHEETS);
    OK(estoc_count(pile, ESTOC_CROSSING_COUNT, &ray, &options, &count));
    CHECK(count == SHEETS);
    /* Ends. */
    ray.t_min = 5;
    ray.t_max = 8;
    OK(estoc_count(pile, ESTOC_CROSSING_COUNT, &ray, &options, &count));
    CHECK(count == 4);
    options.open_ends = 1;
    OK(estoc_count(pile, ESTOC_CROSSING_COUNT, &ray, &options, &count));
    CHECK(count == 2);
    options.open_ends = 0;

    /* Options of each ray. */
    ray = estoc_make_ray(0.75, 0.25, 9, 0, 0, -1);
    rays = estoc_one_ray(&ray);
    rays.count = 3;
    memset(each, 0, sizeof each);
    each[0].prim = ESTOC_NONE;
    each[1].prim = 8;
    each[2].prim = 4;
    outputs[0] = estoc_make_output("prim", prims, 4, ESTOC_U32);
    options.skip_each = each;
    options.skip_stride = sizeof each[0];
    OK(estoc_ask_rays(pile, ESTOC_CLOSEST_HIT, &rays, &options, NULL, outputs, 1));
    CHECK(prims[0] == 8 && prims[1] == 6 && prims[2] == 8);
    options.after_each = each;
    options.after_stride = sizeof each[0];
    options.skip_each = NULL;
    OK(estoc_ask_rays(pile, ESTOC_CLOSEST_HIT, &rays, &options, NULL, outputs, 1));
    CHECK(prims[0] == 8 && prims[1] == 6 && prims[2] == 2);
    options.after_each = NULL;
    options.mask_each = estoc_make_column(ray_masks, 4, ESTOC_U32);
    OK(estoc_ask_rays(pile, ESTOC_CLOSEST_HIT, &rays, &options, NULL, outputs, 1));
    CHECK(prims[0] == 8 && prims[1] == 6 && prims[2] == ESTOC_NONE);
    OK(estoc_list_rays(pile, ESTOC_ALL_HITS, &rays, &options, NULL, &lists));
    OK(estoc_lists_offsets(lists, &items, &offsets));
    CHECK(items == 3 && offsets[0] == 0 && offsets[1] == 1 && offsets[2] == 5 && offsets[3] == 5);
    OK(estoc_release(lists));
    options.mask_each.data = NULL;

    /* Lists. */
    ray.origin[0] = 0.25;
    rays = estoc_one_ray(&ray);
    rays.count = 2;
    OK(estoc_list_rays(pile, ESTOC_ALL_HITS, &rays, NULL, NULL, &lists));
    OK(estoc_lists_offsets(lists, &items, &offsets));
    CHECK(items == 2 && offsets[1] == 10 && offsets[2] == 20);
    OK(estoc_lists_column(lists, "prim", &column));
    CHECK(column.type == ESTOC_U32 && column.stride == 4);
    for (i = 0; i < 10; i++) {
        const uint32_t prim = ((const uint32_t *)column.data)[10 + i];
        CHECK(prim == 8 - 2 * (uint32_t)(i / 2) + (uint32_t)(i % 2));
    }
    OK(estoc_lists_column(lists, "t", &column));
    CHECK(column.type == ESTOC_F32 && ((const float *)column.data)[19] == 9);
    OK(estoc_release(lists));
    options.max_hits = 3;
    OK(estoc_list_rays(pile, ESTOC_ALL_HITS, &rays, &options, NULL, &lists));
    OK(estoc_lists_offsets(lists, &items, &offsets));
    CHECK(items == 2 && offsets[2] == 6);
    OK(estoc_release(lists));
    OK(estoc_list_rays(pile, ESTOC_DISTINCT_HITS, &rays, NULL, NULL, &lists));
    OK(estoc_lists_offsets(lists, &items, &offsets));
    CHECK(offsets[1] == 5);
    OK(estoc_release(lists));
    rays.count = 0;
    OK(estoc_list_rays(pile, ESTOC_CROSSINGS, &rays, NULL, NULL, &lists));
    OK(estoc_lists_offsets(lists, &items, &offsets));
    CHECK(items == 0 && offsets[0] == 0);
    OK(estoc_release(lists));
    OK(estoc_release(pile));
}

/* Rays and points that are no floats, at a mesh in float, have the exact answers. */
static void nothing_is_rounded(void)
{
    const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t face[3] = {0, 1, 2};
    estoc_world *narrow = world_of(mesh_of(corners[0], NULL, 3, face, 1));
    estoc_hit hit;
    /* As floats these are on the edge y = 0; they are not. */
    estoc_ray ray = estoc_make_ray(0.5, -1e-60, 1, 0, 0, -1);
    estoc_closest closest;
    const double simple[3] = {0.25, 0.25, 1};
    float floats[3], x;
    estoc_points points;
    estoc_point_options options = {0, NULL, 0};
    estoc_output output;
    estoc_lists *lists = NULL;
    estoc_column column;
    int i;

    OK(estoc_closest_hit(narrow, &ray, NULL, &hit));
    CHECK(hit.triangle.prim == ESTOC_NONE);
    ray.origin[1] = 1e-60;
    OK(estoc_closest_hit(narrow, &ray, NULL, &hit));
    CHECK(hit.triangle.prim == 0 && hit.triangle.depth == 0 && hit.t == 1);
    ray.t_max = 1 - 1e-15;
    OK(estoc_closest_hit(narrow, &ray, NULL, &hit));
    CHECK(hit.triangle.prim == ESTOC_NONE);
    OK(estoc_closest_point(narrow, 0.1, 0.2, 3, INFINITY, &closest));
    CHECK(closest.distance == 3 && closest.point[0] == 0.1 && closest.point[1] == 0.2 && closest.point[2] == 0);
    CHECK(closest.triangle.prim == 0 && closest.triangle.depth == 0 && closest.feature == 6);
    OK(estoc_closest_point(narrow, 0.1, 0.2, 3, 2, &closest));
    CHECK(closest.triangle.prim == ESTOC_NONE && closest.distance == INFINITY);
    GIVES(ESTOC_NULL, estoc_closest_point(narrow, 0.1, 0.2, 3, 2, NULL));
    /* For points in double, closest points are in double, also if the values are floats. */
    points = estoc_one_point(simple);
    output = estoc_make_output("x", &x, sizeof x, ESTOC_F32);
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_points(narrow, ESTOC_CLOSEST_POINT, &points, NULL, NULL, &output, 1));
    options.max_triangles = 1;
    OK(estoc_list_points(narrow, ESTOC_CLOSEST_TRIANGLES, &points, &options, NULL, &lists));
    OK(estoc_lists_column(lists, "x", &column));
    CHECK(column.type == ESTOC_F64 && *(const double *)column.data == 0.25);
    OK(estoc_release(lists));
    for (i = 0; i < 3; i++) {
        floats[i] = (float)simple[i];
    }
    points.position = estoc_triples_f32(floats, 0);
    OK(estoc_ask_points(narrow, ESTOC_CLOSEST_POINT, &points, NULL, NULL, &output, 1));
    CHECK(x == 0.25f);
    OK(estoc_list_points(narrow, ESTOC_CLOSEST_TRIANGLES, &points, &options, NULL, &lists));
    OK(estoc_lists_column(lists, "x", &column));
    CHECK(column.type == ESTOC_F32 && *(const float *)column.data == 0.25f);
    OK(estoc_release(lists));
    OK(estoc_release(narrow));
}

static void points(int is_f64)
{
    estoc_world *cube = world_of(cube_mesh(is_f64));
    const double at[4][3] = {{0, 0, 3}, {0.5, 0.25, 0.75}, {5, 5, 1}, {NAN, 0, 0}};
    estoc_points points;
    estoc_point_options options;
    estoc_output outputs[8];
    estoc_lists *lists = NULL;
    estoc_column column;
    double distance[4], x[4], y[4], z[4], value[4], error[4];
    uint32_t prim[4];
    uint8_t feature[4], inside[4];
    int64_t number[4];
    const double most = 0.5;
    const uint64_t *offsets;
    double one;
    int32_t is_inside;

    points.count = 4;
    points.position = estoc_triples_f64(at[0], sizeof at[0]);
    outputs[0] = estoc_make_output("distance", distance, 8, ESTOC_F64);
    outputs[1] = estoc_make_output("prim", prim, 4, ESTOC_U32);
    outputs[2] = estoc_make_output("feature", feature, 1, ESTOC_U8);
    outputs[3] = estoc_make_output("x", x, 8, ESTOC_F64);
    outputs[4] = estoc_make_output("y", y, 8, ESTOC_F64);
    outputs[5] = estoc_make_output("z", z, 8, ESTOC_F64);
    OK(estoc_ask_points(cube, ESTOC_CLOSEST_POINT, &points, NULL, NULL, outputs, 6));
    CHECK(distance[0] == 2 && x[0] == 0 && y[0] == 0 && z[0] == 1 && prim[0] == 10);
    CHECK(distance[1] == 0.25 && x[1] == 0.5 && y[1] == 0.25 && z[1] == 1 && feature[1] == 6);
    CHECK(x[2] == 1 && y[2] == 1 && z[2] == 1 && feature[2] < 3);
    CHECK(prim[3] == ESTOC_NONE && isinf(distance[3]) && feature[3] == 255);
    memset(&options, 0, sizeof options);
    options.max_distance = &most;
    OK(estoc_ask_points(cube, ESTOC_CLOSEST_POINT, &points, &options, NULL, outputs, 2));
    CHECK(prim[0] == ESTOC_NONE && prim[1] != ESTOC_NONE && prim[2] == ESTOC_NONE);
    OK(estoc_ask_points(cube, ESTOC_DISTANCE, &points, NULL, NULL, outputs, 1));
    CHECK(distance[0] == 2 && distance[1] == 0.25 && isinf(distance[3]));

    outputs[0] = estoc_make_output("found", inside, 1, ESTOC_U8);
    OK(estoc_ask_points(cube, ESTOC_CONTAINS, &points, NULL, NULL, outputs, 1));
    CHECK(inside[0] == 0 && inside[1] == 1 && inside[2] == 0 && inside[3] == 0);
    options.max_distance = NULL;
    options.rule = ESTOC_RULE_WINDING;
    OK(estoc_ask_points(cube, ESTOC_CONTAINS, &points, &options, NULL, outputs, 1));
    CHECK(inside[0] == 0 && inside[1] == 1);
    outputs[0] = estoc_make_output("signed", distance, 8, ESTOC_F64);
    outputs[1] = estoc_make_output("inside", inside, 1, ESTOC_U8);
    OK(estoc_ask_points(cube, ESTOC_SIGNED_DISTANCE, &points, NULL, NULL, outputs, 2));
    CHECK(distance[0] == 2 && distance[1] == -0.25 && inside[1] == 1 && inside[3] == 255);
    outputs[0] = estoc_make_output("number", number, 8, ESTOC_I64);
    OK(estoc_ask_points(cube, ESTOC_WINDING_NUMBER, &points, NULL, NULL, outputs, 1));
    CHECK(number[0] == 0 && number[1] == 1);
    outputs[0] = estoc_make_output("value", value, 8, ESTOC_F64);
    outputs[1] = estoc_make_output("error", error, 8, ESTOC_F64);
    OK(estoc_ask_points(cube, ESTOC_WINDING_ESTIMATE, &points, NULL, NULL, outputs, 2));
    CHECK(fabs(value[1] - 1) <= error[1] && fabs(value[0]) <= error[0]);
    OK(estoc_signed_distance(cube, at[1], ESTOC_RULE_PARITY, &one));
    CHECK(one == -0.25);
    OK(estoc_contains(cube, at[1], ESTOC_RULE_ESTIMATE, &is_inside));
    CHECK(is_inside == 1);

    options.max_distance = &most;
    OK(estoc_list_points(cube, ESTOC_WITHIN, &points, &options, NULL, &lists));
    OK(estoc_lists_offsets(lists, NULL, &offsets));
    CHECK(offsets[1] == 0 && offsets[2] >= 2 && offsets[3] == offsets[2] && offsets[4] == offsets[2]);
    OK(estoc_release(lists));
    options.max_distance = NULL;
    options.max_triangles = 3;
    OK(estoc_list_points(cube, ESTOC_CLOSEST_TRIANGLES, &points, &options, NULL, &lists));
    OK(estoc_lists_offsets(lists, NULL, &offsets));
    CHECK(offsets[1] == 3 && offsets[4] == 9);
    OK(estoc_lists_column(lists, "distance", &column));
    CHECK(column.type == (is_f64 ? ESTOC_F64 : ESTOC_F32));
    OK(estoc_release(lists));
    OK(estoc_release(cube));
}

static void open_surface(void)
{
    estoc_mesh *mesh = mesh_of(&CUBE[0][0], NULL, 8, &CUBE_FACES[0][0], 11);
    estoc_world *open = world_of(mesh);
    const double point[3] = {0, 0, 0};
    double distance;
    int32_t inside;
    GIVES(ESTOC_OPEN_SURFACE, estoc_signed_distance(open, point, ESTOC_RULE_PARITY, &distance));
    GIVES(ESTOC_OPEN_SURFACE, estoc_contains(open, point, ESTOC_RULE_WINDING, &inside));
    OK(estoc_contains(open, point, ESTOC_RULE_ESTIMATE, &inside));
    CHECK(inside == 1);
    OK(estoc_release(open));
}

static int32_t add_prim(void *user, uint32_t prim)
{
    *(uint32_t *)user |= UINT32_C(1) << prim;
    return 1;
}

static int32_t first_only(void *user, uint32_t prim)
{
    (void)prim;
    ++*(int *)user;
    return 0;
}

static int32_t see_line(void *user, const estoc_polyline *line)
{
    double *area = user;
    size_t i;
    CHECK(line->is_closed == 1 && line->is_hole == 0 && line->count >= 4);
    for (i = 0; i < line->count; i++) {
        CHECK(line->points[3 * i + 2] == 0.5 && line->prims[i] < 8);
    }
    *area += line->area;
    return 1;
}

static int32_t count_pairs(void *user, uint32_t first, uint32_t second, estoc_common common)
{
    int *counts = user;
    (void)first;
    (void)second;
    CHECK(common >= ESTOC_CROSSING && common <= ESTOC_TOUCHING);
    ++counts[common];
    return 1;
}

struct seen {
    uint32_t nodes, prims;
};

static int32_t see_node(void *user, const estoc_child *children, uint32_t count)
{
    struct seen *seen = user;
    uint32_t i, j;
    int axis;

    CHECK(count >= 1 && count <= 8);
    for (i = 0; i < count; i++) {
        for (axis = 0; axis < 3; axis++) {
            CHECK(children[i].min[axis] >= -1.001 && children[i].max[axis] <= 1.001);
        }
        CHECK((children[i].node == ESTOC_NONE) == (children[i].count > 0));
        CHECK(children[i].node == ESTOC_NONE || children[i].node > seen->nodes);
        for (j = 0; j < children[i].count; j++) {
            seen->prims |= 1u << children[i].prims[j];
        }
    }
    ++seen->nodes;
    return seen->nodes < 100;
}

static void regions(int is_f64)
{
    estoc_world *cube = world_of(cube_mesh(is_f64));
    estoc_world *tall = NULL;
    estoc_region region;
    uint32_t prims = 0;
    int told = 0;
    int pairs[4] = {0, 0, 0, 0};
    double area = 0;
    float stretched[8][3];
    struct seen seen = {0, 0};
    estoc_least_distance least;
    int i;

    memset(&region, 0, sizeof region);
    region.kind = ESTOC_BOX;
    region.points[0][0] = region.points[0][1] = region.points[0][2] = 0.9;
    region.points[1][0] = region.points[1][1] = region.points[1][2] = 2;
    OK(estoc_overlaps(cube, &region, add_prim, &prims));
    CHECK(prims == ((1u << 2) | (1u << 3) | (1u << 6) | (1u << 7) | (1u << 10) | (1u << 11)));
    OK(estoc_overlaps(cube, &region, first_only, &told));
    CHECK(told == 1);
    region.kind = ESTOC_BALL;
    region.points[0][0] = region.points[0][1] = region.points[0][2] = 0;
    region.radius = 0.5;
    prims = 0;
    OK(estoc_overlaps(cube, &region, add_prim, &prims));
    CHECK(prims == 0);
    region.radius = 1;
    OK(estoc_overlaps(cube, &region, add_prim, &prims));
    CHECK(prims == 0xfff);
    region.kind = ESTOC_PLANE;
    region.points[0][2] = 0.5;
    region.points[1][0] = region.points[1][1] = 0;
    prims = 0;
    OK(estoc_overlaps(cube, &region, add_prim, &prims));
    CHECK(prims == 0xff);
    OK(estoc_section(cube, &region, see_line, &area));
    CHECK(area == 4);
    OK(estoc_intersections(cube, NULL, NULL, count_pairs, pairs));
    CHECK(pairs[1] + pairs[2] + pairs[3] == 0);
    for (i = 0; i < 24; i++) {
        stretched[i / 3][i % 3] = CUBE[i / 3][i % 3] * (i % 3 == 2 ? 2.0f : 0.5f);
    }
    tall = world_of(mesh_of(stretched[0], NULL, 8, &CUBE_FACES[0][0], 12));
    OK(estoc_intersections(cube, tall, NULL, count_pairs, pairs));
    CHECK(pairs[ESTOC_CROSSING] > 0 && pairs[ESTOC_OVERLAP] == 0);
    if (is_f64) {
        GIVES(ESTOC_BAD_ARGUMENT, estoc_find_least_distance(cube, tall, NULL, &least));
    } else {
        OK(estoc_find_least_distance(cube, tall, NULL, &least));
        CHECK(least.distance == 0 && least.prims[0] < 12 && least.prims[1] < 12);
    }
    OK(estoc_nodes(cube, see_node, &seen));
    CHECK(seen.nodes >= 1 && seen.prims == 0xfff);
    OK(estoc_release(tall));
    for (i = 0; i < 24; i++) {
        stretched[i / 3][i % 3] = CUBE[i / 3][i % 3] + (i % 3 == 2 ? 3.5f : 0);
    }
    OK(estoc_release(cube));
    cube = world_of(cube_mesh(0));
    tall = world_of(mesh_of(stretched[0], NULL, 8, &CUBE_FACES[0][0], 12));
    OK(estoc_find_least_distance(cube, tall, NULL, &least));
    CHECK(least.distance == 1.5 && least.points[0][2] == 1 && least.points[1][2] == 2.5);
    CHECK(least.features[0] <= 6 && least.features[1] <= 6);
    OK(estoc_release(tall));
    OK(estoc_release(cube));
}

static void scenes(void)
{
    estoc_world *cube = world_of(cube_mesh(0));
    estoc_world *before = NULL, *after = NULL, *outer = NULL;
    estoc_scene *scene = NULL, *outer_scene = NULL;
    estoc_placement placement;
    estoc_world_info info;
    estoc_matrix matrix;
    estoc_ray ray = estoc_make_ray(0, 0, 20, 0, 0, -1);
    estoc_ray_options options;
    estoc_rays rays;
    estoc_points points;
    estoc_output outputs[3];
    estoc_hit hit, next;
    uint32_t ids[3], id, prim, path[8];
    const double point[3] = {0, 0, 9.5};
    int32_t inside;
    int64_t count;
    int i;

    OK(estoc_scene_create(&scene));
    memset(&placement, 0, sizeof placement);
    for (i = 0; i < 3; i++) {
        placement.matrix = estoc_translation(0, 0, 5.0 * i);
        placement.mask = i == 2 ? 4 : 0;
        OK(estoc_scene_add(scene, cube, &placement, &ids[i]));
        CHECK(ids[i] == (uint32_t)i);
    }
    OK(estoc_release(cube));
    OK(estoc_scene_commit(scene, NULL, &before));
    OK(estoc_world_get_info(before, &info));
    CHECK(info.triangles == 36 && info.depth == 1 && info.precision == ESTOC_F32);
    OK(estoc_closest_hit(before, &ray, NULL, &hit));
    CHECK(hit.t == 9 && hit.triangle.depth == 1 && hit.triangle.path[0] == 2);
    memset(&options, 0, sizeof options);
    options.mask = 1;
    OK(estoc_closest_hit(before, &ray, &options, &next));
    CHECK(next.t == 14 && next.triangle.path[0] == 1);
    options.mask = 0;
    options.after = &hit.triangle;
    OK(estoc_closest_hit(before, &ray, &options, &next));
    /* The ray goes along the edge of both triangles of the upper side. */
    CHECK(next.t == 9 && next.triangle.path[0] == 2 && next.triangle.prim != hit.triangle.prim);
    OK(estoc_count(before, ESTOC_CROSSING_COUNT, &ray, NULL, &count));
    CHECK(count == 6);

    matrix = estoc_translation(0, 0, -50);
    OK(estoc_scene_move(scene, ids[2], &matrix));
    OK(estoc_scene_commit(scene, NULL, &after));
    OK(estoc_closest_hit(after, &ray, NULL, &hit));
    CHECK(hit.t == 14 && hit.triangle.path[0] == 1);
    OK(estoc_closest_hit(before, &ray, NULL, &hit));
    CHECK(hit.t == 9);
    OK(estoc_contains(before, point, ESTOC_RULE_PARITY, &inside));
    CHECK(inside == 1);
    OK(estoc_contains(after, point, ESTOC_RULE_PARITY, &inside));
    CHECK(inside == 0);

    /* A scene in a scene, with paths of two. */
    OK(estoc_scene_create(&outer_scene));
    placement.mask = 0;
    placement.matrix = estoc_translation(100, 0, 0);
    OK(estoc_scene_add(outer_scene, before, &placement, &id));
    placement.matrix = estoc_translation(200, 0, 0);
    OK(estoc_scene_add(outer_scene, after, &placement, &id));
    OK(estoc_scene_commit(outer_scene, NULL, &outer));
    OK(estoc_world_get_info(outer, &info));
    CHECK(info.depth == 2 && info.triangles == 72);
    ray.origin[0] = 200;
    rays = estoc_one_ray(&ray);
    outputs[0] = estoc_make_output("prim", &prim, 4, ESTOC_U32);
    outputs[1] = estoc_make_output("path", path, 8, ESTOC_U32);
    OK(estoc_ask_rays(outer, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, outputs, 2));
    CHECK(prim != ESTOC_NONE && path[0] == 1 && path[1] == 1);
    OK(estoc_closest_hit(outer, &ray, NULL, &hit));
    CHECK(hit.triangle.depth == 2 && hit.triangle.path[0] == 1 && hit.triangle.path[1] == 1);
    options.skip = &hit.triangle;
    options.after = NULL;
    OK(estoc_closest_hit(outer, &ray, &options, &next));
    CHECK(next.t == 14 && next.triangle.prim != hit.triangle.prim);
    ray.origin[0] = 0;
    OK(estoc_ask_rays(outer, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, outputs, 2));
    CHECK(prim == ESTOC_NONE && path[0] == ESTOC_NONE && path[1] == ESTOC_NONE);
    points = estoc_one_point(point);
    OK(estoc_ask_points(outer, ESTOC_CLOSEST_POINT, &points, NULL, NULL, outputs, 2));
    CHECK(prim != ESTOC_NONE && path[0] == 0 && path[1] == 2);

    OK(estoc_scene_remove(scene, ids[0]));
    placement.matrix = estoc_translation(7, 7, 7);
    OK(estoc_scene_add(scene, after, &placement, &id));
    CHECK(id == ids[0]);
    OK(estoc_release(outer));
    OK(estoc_release(outer_scene));
    OK(estoc_release(after));
    OK(estoc_release(before));
    OK(estoc_release(scene));
}

static int32_t count_reports(void *user, uint64_t done, uint64_t total)
{
    CHECK(total == 0 || done <= total);
    ++*(int *)user;
    return 1;
}

/* Bytes that are written piece by piece, up to a number of pieces. */
typedef struct memory_file {
    uint8_t bytes[16384];
    size_t size;
    int pieces;
} memory_file;

static int32_t append(void *user, const uint8_t *bytes, size_t size)
{
    memory_file *file = user;
    CHECK(file->size + size <= sizeof file->bytes);
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
    return --file->pieces != 0;
}

/* A tree as bytes answers as it did; half of the bytes are refused. */
static void bytes(const estoc_world *world, const estoc_mesh *mesh, const estoc_ray *ray)
{
    static memory_file file;
    estoc_world *read = NULL;
    estoc_mesh *again = NULL;
    estoc_hit first, second;
    file.size = 0;
    file.pieces = -1;
    OK(estoc_world_write(world, mesh, NULL, append, &file));
    OK(estoc_world_read(file.bytes, file.size, "bytes", NULL, &read, &again));
    OK(estoc_closest_hit(world, ray, NULL, &first));
    OK(estoc_closest_hit(read, ray, NULL, &second));
    CHECK(memcmp(&first, &second, sizeof first) == 0 && first.triangle.prim != ESTOC_NONE);
    OK(estoc_release(again));
    OK(estoc_release(read));
    GIVES(ESTOC_BAD_TREE_FILE, estoc_world_read(file.bytes, file.size / 2, "bytes", NULL, &read, NULL));
    GIVES(ESTOC_NULL, estoc_world_read(NULL, 8, "bytes", NULL, &read, NULL));
    GIVES(ESTOC_NULL, estoc_world_write(world, mesh, NULL, NULL, &file));
    file.size = 0;
    file.pieces = 1;
    GIVES(ESTOC_CANCELLED, estoc_world_write(world, mesh, NULL, append, &file));
}

/* A tree of the mesh three times as large, and of meshes that do not fit. */
static void refits(int is_f64)
{
    estoc_mesh *mesh = cube_mesh(is_f64), *larger, *other = cube_mesh(!is_f64);
    estoc_world *world = NULL, *moved = NULL;
    estoc_ray ray = estoc_make_ray(0.25, 0.5, 9, 0, 0, -1);
    estoc_hit hit;
    int32_t rebuild = 7;
    double wide[8][3];
    float narrow[8][3];
    int i;
    for (i = 0; i < 24; i++) {
        wide[i / 3][i % 3] = narrow[i / 3][i % 3] = 3 * CUBE[i / 3][i % 3];
    }
    larger = mesh_of(&narrow[0][0], is_f64 ? &wide[0][0] : NULL, 8, &CUBE_FACES[0][0], 12);
    OK(estoc_world_build(mesh, NULL, NULL, &world));
    OK(estoc_world_refit(world, larger, NULL, &moved, &rebuild));
    CHECK(rebuild == 0);
    OK(estoc_closest_hit(moved, &ray, NULL, &hit));
    CHECK(hit.t == 6);
    OK(estoc_closest_hit(world, &ray, NULL, &hit));
    CHECK(hit.t == 8);
    OK(estoc_release(moved));
    GIVES(ESTOC_BAD_ARGUMENT, estoc_world_refit(world, other, NULL, &moved, NULL));
    OK(estoc_release(larger));
    larger = mesh_of(&narrow[0][0], is_f64 ? &wide[0][0] : NULL, 8, &CUBE_FACES[0][0], 11);
    GIVES(ESTOC_BAD_MESH, estoc_world_refit(world, larger, NULL, &moved, NULL));
    OK(estoc_release(larger));
    OK(estoc_release(other));
    OK(estoc_release(mesh));
    OK(estoc_release(world));
}

/* Spheres that fall on a cube, beside it, and from within. */
static void spheres(int is_f64)
{
    estoc_world *world = world_of(cube_mesh(is_f64));
    static const double centers[4][3] = {{0.25, 0.5, 4}, {0.25, 0.5, 4}, {3, 0, 4}, {0.25, 0.5, 0.5}};
    static const double velocity[3] = {0, 0, -2};
    static const float radii[4] = {0.5f, 0.5f, 0.5f, 1.0f};
    static const double t_max[4] = {9, 1, 9, 9};
    double t[4], z[4];
    uint32_t prims[4];
    uint8_t at_start[4];
    estoc_output outputs[4];
    estoc_spheres given;
    memset(&given, 0, sizeof given);
    given.count = 4;
    given.center = estoc_triples_f64(&centers[0][0], 24);
    given.velocity = estoc_triples_f64(velocity, 0);
    given.radius = estoc_make_column(radii, 4, ESTOC_F32);
    given.t_max = estoc_make_column(t_max, 8, ESTOC_F64);
    outputs[0] = estoc_make_output("t", t, 8, ESTOC_F64);
    outputs[1] = estoc_make_output("z", z, 8, ESTOC_F64);
    outputs[2] = estoc_make_output("prim", prims, 4, ESTOC_U32);
    outputs[3] = estoc_make_output("is_touching_at_start", at_start, 1, ESTOC_U8);
    OK(estoc_ask_spheres(world, &given, NULL, outputs, 4));
    CHECK(t[0] == 1.25 && z[0] == 1 && prims[0] != ESTOC_NONE && at_start[0] == 0);
    CHECK(prims[1] == ESTOC_NONE && prims[2] == ESTOC_NONE);
    CHECK(t[3] == 0 && at_start[3] == 1);
    given.radius.data = NULL;
    GIVES(ESTOC_NULL, estoc_ask_spheres(world, &given, NULL, outputs, 4));
    OK(estoc_release(world));
}

/* What takes the caller's thread alone leaves the library's threads to later calls. */
static void one_thread_first(void)
{
    estoc_run run;
    estoc_mesh *mesh = cube_mesh(0);
    estoc_world *world = NULL;
    estoc_hit hit;
    uint8_t found[64];
    const estoc_output output = estoc_make_output("found", found, 1, ESTOC_U8);
    /* In doubles, so that the scene of the tree alone answers. */
    const estoc_ray ray = estoc_make_ray(0.1, 0.2, 3, 0, 0, -1);
    estoc_rays rays = estoc_one_ray(&ray);
    memset(&run, 0, sizeof run);
    run.threads = 1;
    OK(estoc_world_build(mesh, NULL, &run, &world));
    OK(estoc_closest_hit(world, &ray, NULL, &hit));
    CHECK(hit.t == 2);
    rays.count = sizeof found;
    OK(estoc_ask_rays(world, ESTOC_ANY_HIT, &rays, NULL, NULL, &output, 1));
    CHECK(found[0] == 1 && found[63] == 1);
    OK(estoc_release(world));
    OK(estoc_release(mesh));
}

/* Limits and outputs that would be ignored are refused; a limit is that of all rays, also where each has options. */
static void limits(void)
{
    enum { RAYS = (1 << 18) + 9 };
    const uint32_t no_mask = 0;
    estoc_hit hit;
    estoc_world *world = world_of(cube_mesh(0));
    const estoc_ray ray = estoc_make_ray(0.25, 0.5, 3, 0, 0, -1);
    estoc_rays rays = estoc_one_ray(&ray);
    const double point[3] = {0, 0, 9}, most = 1;
    const estoc_points points = estoc_one_point(point);
    estoc_ray_options options;
    estoc_point_options near;
    estoc_triangle none;
    estoc_lists *lists = NULL;
    estoc_run run;
    double t[2];
    estoc_output outputs[2];
    memset(&options, 0, sizeof options);
    memset(&near, 0, sizeof near);
    memset(&none, 0, sizeof none);
    memset(&run, 0, sizeof run);
    none.prim = ESTOC_NONE;
    options.skip_each = &none;
    rays.count = RAYS;
    run.max_values = 2 * RAYS - 1;
    GIVES(ESTOC_TOO_MANY, estoc_list_rays(world, ESTOC_ALL_HITS, &rays, &options, &run, &lists));
    run.max_values = 2 * RAYS;
    OK(estoc_list_rays(world, ESTOC_ALL_HITS, &rays, &options, &run, &lists));
    OK(estoc_release(lists));
    /* They are those of a ray alone, too. */
    options.mask_each = estoc_make_column(&no_mask, 0, ESTOC_U32);
    OK(estoc_closest_hit(world, &ray, &options, &hit));
    CHECK(hit.triangle.prim == ESTOC_NONE);
    options.mask_each.data = NULL;
    none.prim = 11;
    OK(estoc_closest_hit(world, &ray, &options, &hit));
    CHECK(hit.t == 4);
    outputs[0] = outputs[1] = estoc_make_output("t", &t[0], 8, ESTOC_F64);
    outputs[1].data = &t[1];
    rays.count = 1;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, outputs, 2));
    outputs[0].name = "distance";
    near.max_distance = &most;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_points(world, ESTOC_DISTANCE, &points, &near, NULL, outputs, 1));
    OK(estoc_ask_points(world, ESTOC_DISTANCE, &points, NULL, NULL, outputs, 1));
    CHECK(t[0] == 8);
    OK(estoc_release(world));
}

static void files(const char *folder)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    static const char far_away[] = "v 5000000.125 0 0\nv 5000001.125 0 0\nv 5000000.125 1 0\nf 1 2 3\n";
    char path[4096];
    FILE *file;
    estoc_mesh *mesh = NULL, *again = NULL;
    estoc_world *world = NULL, *loaded = NULL;
    estoc_mesh_options options;
    estoc_mesh_info info;
    estoc_world_info of_world;
    estoc_run run;
    estoc_hit hit;
    int reports = 0;
    int precision;
    estoc_ray ray = estoc_make_ray(0.25, 0.25, 3, 0, 0, -1);

    memset(&run, 0, sizeof run);
    run.progress = count_reports;
    run.user = &reports;
    run.threads = 2;
    CHECK(strlen(folder) < 4000);
    sprintf(path, "%s/tetrahedron.obj", folder);
    file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(obj, sizeof obj - 1, 1, file) == 1 && fclose(file) == 0);
    for (precision = 0; precision <= 2; precision++) {
        memset(&options, 0, sizeof options);
        options.precision = precision;
        sprintf(path, "%s/tetrahedron.obj", folder);
        OK(estoc_mesh_load(path, &options, &run, &mesh));
        OK(estoc_mesh_get_info(mesh, &info));
        CHECK(info.vertex_count == 4 && info.triangle_count == 4 && info.indices[2] == 1);
        CHECK(info.positions.type == (precision == ESTOC_F64 ? ESTOC_F64 : ESTOC_F32));
        CHECK(info.min[0] == 0 && info.max[2] == 1);
        OK(estoc_world_build(mesh, NULL, &run, &world));
        sprintf(path, "%s/tetrahedron.estoc", folder);
        OK(estoc_world_save(world, precision == 0 ? NULL : mesh, path, &run));
        OK(estoc_world_load(path, &run, &loaded, &again));
        OK(estoc_mesh_get_info(again, &info));
        CHECK(info.triangle_count == 4);
        bytes(world, mesh, &ray);
        OK(estoc_world_get_info(loaded, &of_world));
        CHECK(of_world.triangles == 4 && of_world.depth == 0);
        CHECK(of_world.precision == (precision == ESTOC_F64 ? ESTOC_F64 : ESTOC_F32));
        OK(estoc_closest_hit(loaded, &ray, NULL, &hit));
        CHECK(hit.triangle.prim == 2 && hit.t == 2.5);
        OK(estoc_release(again));
        OK(estoc_release(loaded));
        OK(estoc_release(world));
        OK(estoc_release(mesh));
    }
    sprintf(path, "%s/tetrahedron.obj", folder);
    GIVES(ESTOC_BAD_TREE_FILE, estoc_world_load(path, NULL, &loaded, NULL));
    CHECK(reports > 0);

    /* A mesh whose coordinates are relative to an origin is asked in the coordinates that were given. */
    memset(&options, 0, sizeof options);
    options.frame = ESTOC_FRAME_AT;
    options.origin[0] = 5000000;
    OK(estoc_mesh_read((const uint8_t *)far_away, sizeof far_away - 1, "far.obj", &options, NULL, &mesh));
    OK(estoc_mesh_get_info(mesh, &info));
    CHECK(info.origin[0] == 5000000 && ((const float *)info.positions.x)[0] == 0.125f);
    world = world_of(mesh);
    ray = estoc_make_ray(5000000.25, 0.25, 3, 0, 0, -1);
    OK(estoc_closest_hit(world, &ray, NULL, &hit));
    CHECK(hit.t == 3 && hit.triangle.prim == 0 && hit.triangle.depth == 0 && hit.u == 0.125);
    /* The origin is in the file, also without the mesh; a mesh with another one is that of another tree. */
    sprintf(path, "%s/far.estoc", folder);
    OK(estoc_world_save(world, NULL, path, NULL));
    OK(estoc_world_load(path, NULL, &loaded, NULL));
    OK(estoc_closest_hit(loaded, &ray, NULL, &hit));
    CHECK(hit.t == 3 && hit.u == 0.125);
    OK(estoc_release(loaded));
    mesh = mesh_of(&CUBE[0][0], NULL, 8, &CUBE_FACES[0][0], 1);
    GIVES(ESTOC_BAD_ARGUMENT, estoc_world_save(world, mesh, path, NULL));
    OK(estoc_release(mesh));
    OK(estoc_release(world));
    /* As needed, it is one of doubles. */
    OK(estoc_mesh_read((const uint8_t *)far_away, sizeof far_away - 1, "far.obj", NULL, NULL, &mesh));
    OK(estoc_mesh_get_info(mesh, &info));
    CHECK(info.positions.type == ESTOC_F64 && ((const double *)info.positions.x)[0] == 5000000.125);
    world = world_of(mesh);
    OK(estoc_closest_hit(world, &ray, NULL, &hit));
    CHECK(hit.t == 3 && hit.u == 0.125);
    OK(estoc_release(world));
}

int main(int count, char **words)
{
    use_all();
    one_thread_first();
    layouts(0);
    limits();
    layouts(1);
    no_leaks();
    options();
    nothing_is_rounded();
    points(0);
    points(1);
    open_surface();
    regions(0);
    regions(1);
    scenes();
    refits(0);
    refits(1);
    spheres(0);
    spheres(1);
    files(count > 1 ? words[1] : ".");
    puts("answers: passed");
    return 0;
}
