/* Calls of all but the functions about files, in any order, with any arguments that a host may pass: no call takes the process
 * down or writes where it is not told to, every failure has a status and a sentence, and a ray alone has the hit of one of many.
 *
 * By itself it makes its bytes up: `fuzz ROUNDS [FIRST]`. With -DESTOC_LIBFUZZER and -fsanitize=fuzzer they come from
 * libFuzzer. */
#include "check.h"
#include <float.h>

/* The bytes that decide what is done. */
static const uint8_t *bytes, *bytes_end;

static unsigned pick(unsigned below)
{
    return (bytes < bytes_end ? *bytes++ : 0u) % below;
}

/* Whether the operation has arguments that are wrong or odd. */
static int wild;

static int odd(unsigned among)
{
    return wild && pick(among) == 0;
}

/* The handles that were ever given, with what is known of them. */
enum { HANDLES = 24, NOTHING = 0, MESH, WORLD, SCENE, LISTS };
static struct {
    const void *handle;
    int kind;
    int references;
} known[HANDLES];

/* Returns the place of a handle, most often of one of this kind that is valid, or -1 for what never was a handle. */
static int place_of(int kind)
{
    int i, from = (int)pick(HANDLES);
    if (odd(8)) {
        return (int)pick(HANDLES + 1) - 1;
    }
    for (i = 0; i < HANDLES; i++) {
        int place = (from + i) % HANDLES;
        if (known[place].kind == kind && known[place].references > 0) {
            return place;
        }
    }
    return from;
}

static const void *handle_at(int place)
{
    static const char garbage[16] = "no handle";
    return place >= 0 ? known[place].handle : pick(2) != 0 ? (const void *)garbage : (const void *)(uintptr_t)5;
}

static int is_valid(int place, int kind)
{
    return place >= 0 && known[place].references > 0 && (kind == NOTHING || known[place].kind == kind);
}

/* How often calls gave an answer, and rays a hit. */
static unsigned long answers, hits;

/* Checks a status, and that there is no success without a valid handle. */
static estoc_status told(estoc_status status, int valid)
{
    answers += status == ESTOC_OK;
    CHECK(status >= ESTOC_OK && status < ESTOC_FAULT);
    CHECK(status == ESTOC_OK || strlen(estoc_last_error()) >= 10);
    CHECK(status != ESTOC_OK || valid);
    return status;
}

/* Keeps a new handle, if there is one, in the place of another. */
static void keep(estoc_status status, const void *handle, int kind)
{
    int place = (int)pick(HANDLES);
    if (status != ESTOC_OK) {
        CHECK(handle == NULL);
        return;
    }
    CHECK(handle != NULL);
    while (known[place].references > 0) {
        known[place].references--;
        OK(estoc_release(known[place].handle));
    }
    known[place].handle = handle;
    known[place].kind = kind;
    known[place].references = 1;
}

/* Makes a call that gives a handle. */
#define KEEP(call, valid, handle, kind)                                                                               \
    do {                                                                                                              \
        const estoc_status status_ = told((call), (valid));                                                           \
        keep(status_, (handle), (kind));                                                                              \
    } while (0)

static double number(void)
{
    static const double strange[] = {-0.0,     1e-300,  1e300,    FLT_MAX, -FLT_MAX, 1e-45, 0.1,
                                 16777217, INFINITY, -INFINITY, NAN,     1e-38,    1e19,  -1e-12};
    const unsigned choice = odd(4) ? pick(sizeof strange / sizeof strange[0]) : 99;
    return choice < 99 ? strange[choice] : (double)(int)pick(17) / 4.0 - 2.0;
}

/* The host's memory that is read. */
enum { MOST = 24, ROOM = 4096 };
static union {
    unsigned char bytes[ROOM];
    float f32[ROOM / 4];
    double f64[ROOM / 8];
    uint32_t u32[ROOM / 4];
} room;

static void fill(estoc_type type)
{
    int i;
    /* A period of 61 numbers, so that a few bytes fill it all. */
    for (i = 0; i < ROOM / (type == ESTOC_F32 ? 4 : 8); i++) {
        if (type == ESTOC_F32) {
            room.f32[i] = i < 61 ? (float)number() : room.f32[i - 61];
        } else {
            room.f64[i] = i < 61 ? number() : room.f64[i - 61];
        }
    }
}

/* A stride whose items stay in `room` from its middle on, or one that cannot be with any count. */
static ptrdiff_t stride(size_t count)
{
    static const ptrdiff_t strides[] = {12, 24, 32, -24, 60, 72, 4, 8, -12, 13, 1, 0};
    return count > MOST ? PTRDIFF_MAX : strides[pick(wild ? 12 : 6)];
}

static size_t count_of(void)
{
    return odd(30) ? SIZE_MAX >> pick(3) : pick(MOST);
}

static estoc_type number_type(void)
{
    return odd(20) ? (estoc_type)pick(12) - 1 : pick(2) != 0 ? ESTOC_F32 : ESTOC_F64;
}

static estoc_vectors vectors(size_t count, estoc_type type)
{
    estoc_vectors found;
    const int size = type == ESTOC_F32 ? 4 : 8;
    const unsigned char *first = room.bytes + ROOM / 2 + pick(64);
    found.x = odd(32) ? NULL : first;
    found.y = first + size;
    found.z = first + 2 * size;
    found.stride = stride(count);
    found.type = type;
    return found;
}

static estoc_column column(size_t count, estoc_type type)
{
    return estoc_make_column(pick(2) != 0 ? NULL : room.bytes + ROOM / 2 + pick(64), stride(count), type);
}

static int32_t decide(void *user)
{
    CHECK(user == &room);
    return pick(4) != 0;
}

static int32_t progress(void *user, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return decide(user);
}

static int32_t filter(void *user, const estoc_ray *ray, const estoc_hit *hit)
{
    CHECK(ray != NULL && hit->triangle.prim != ESTOC_NONE);
    return decide(user);
}

static int32_t visit_triangle(void *user, uint32_t prim)
{
    CHECK(prim != ESTOC_NONE);
    return decide(user);
}

static int32_t visit_polyline(void *user, const estoc_polyline *line)
{
    CHECK(line->count > 0 && line->points[0] == line->points[0]);
    return decide(user);
}

static int32_t visit_node(void *user, const estoc_child *children, uint32_t count)
{
    CHECK(count >= 1 && count <= 8 && children[count - 1].count <= 8);
    return decide(user);
}

static int32_t visit_pair(void *user, uint32_t first, uint32_t second, estoc_common common)
{
    CHECK(first != ESTOC_NONE && second != ESTOC_NONE && common >= ESTOC_CROSSING && common <= ESTOC_TOUCHING);
    return decide(user);
}

/* How a call runs: in this thread, as the bytes are read by one. */
static const estoc_run *run_of(estoc_run *run)
{
    memset(run, 0, sizeof *run);
    run->threads = 1;
    run->max_values = odd(4) ? pick(40) : 0;
    run->progress = odd(4) ? progress : NULL;
    run->user = &room;
    return run;
}

static void make_mesh(void)
{
    static const char *const texts[] = {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "f 1 2 3\n", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
                                        "ply\nformat ascii 1.0\nelement vertex 9\n", "solid\n", ""};
    estoc_mesh_arrays arrays;
    estoc_mesh_options options;
    estoc_run run;
    estoc_mesh *mesh = NULL;
    const estoc_type type = number_type();
    int i;
    memset(&arrays, 0, sizeof arrays);
    memset(&options, 0, sizeof options);
    options.precision = odd(3) ? number_type() : 0;
    options.skip_bad_faces = pick(4) != 0;
    options.frame = odd(4) ? (estoc_frame)pick(5) - 1 : ESTOC_FRAME_NONE;
    options.weld = odd(4) ? (estoc_weld)pick(5) - 1 : ESTOC_WELD_NONE;
    options.weld_distance = number();
    for (i = 0; i < 3; i++) {
        options.origin[i] = number();
    }
    if (pick(6) == 0) {
        const char *text = texts[pick(6)];
        const size_t cut = strlen(text) - pick(3) % (strlen(text) + 1);
        const char *name = pick(4) == 0 ? NULL : pick(2) ? "a.obj" : "a.ply";
        KEEP(estoc_mesh_read((const uint8_t *)text, cut, name, pick(2) ? &options : NULL, run_of(&run), &mesh), 1, mesh, MESH);
        return;
    }
    arrays.vertex_count = count_of();
    arrays.triangle_count = count_of();
    fill(type);
    arrays.positions = vectors(arrays.vertex_count, type);
    if (pick(4) != 0) {
        /* The lower half has the corners of faces. */
        static const estoc_type types[] = {ESTOC_U32, ESTOC_I64, ESTOC_U8, ESTOC_U16};
        const estoc_type of = types[pick(4)];
        const size_t triangles = arrays.triangle_count;
        for (i = 0; i < ROOM / 8; i++) {
            room.u32[i] = i < 40 ? (of == ESTOC_I64 && i % 2 != 0 ? 0 : pick(odd(9) ? 255 : 4)) : room.u32[i - 40];
        }
        arrays.indices = estoc_make_column(room.bytes + pick(64), triangles > MOST ? PTRDIFF_MAX : 8 * (ptrdiff_t)pick(9), of);
    }
    KEEP(estoc_mesh_from_arrays(&arrays, pick(2) ? &options : NULL, &mesh), 1, mesh, MESH);
}

static void build_world(void)
{
    estoc_build build;
    estoc_run run;
    estoc_world *world = NULL;
    const int mesh = place_of(MESH);
    memset(&build, 0, sizeof build);
    build.quality = (estoc_quality)pick(3) - odd(4);
    build.memory_budget = odd(4) ? (size_t)pick(200) * 64 : 0;
    build.masks = estoc_make_column(pick(2) ? room.bytes : NULL, 4, ESTOC_U32);
    KEEP(estoc_world_build(handle_at(mesh), pick(2) ? &build : NULL, run_of(&run), &world), is_valid(mesh, MESH), world, WORLD);
}

static estoc_triangle triangle(void)
{
    estoc_triangle found;
    memset(&found, 0, sizeof found);
    found.prim = pick(3) == 0 ? ESTOC_NONE : pick(MOST);
    found.depth = odd(10) ? pick(12) : 0;
    found.path[0] = pick(4);
    return found;
}

/* What is written: each output has a part with unused bytes around its items, which have to stay. */
enum { OUTPUTS = 3, PART = 4096, UNUSED = 0xa7 };
static unsigned char parts[OUTPUTS][PART];

static estoc_output output(estoc_question question, int place)
{
    /* The names of a question's numbers, and a type that has them. */
    static const struct {
        const char *names[8];
        estoc_type types[8];
    } numbers[] = {
        {{"t", "prim", "u", "v", "path"}, {ESTOC_F64, ESTOC_U32, ESTOC_F64, ESTOC_F64, ESTOC_U32}},
        {{"found"}, {ESTOC_U8}},
        {{"count"}, {ESTOC_I64}},
        {{"distance", "prim", "u", "v", "x", "feature"},
         {ESTOC_F64, ESTOC_I64, ESTOC_F64, ESTOC_F64, ESTOC_F64, ESTOC_U8}},
        {{"signed", "inside"}, {ESTOC_F64, ESTOC_I32}},
        {{"number", "on_surface"}, {ESTOC_I64, ESTOC_U8}},
        {{"value", "error"}, {ESTOC_F64, ESTOC_F64}},
        {{"no such", ""}, {ESTOC_F32, 77}},
    };
    static const int of_question[20] = {7, 0, 1, 2, 2, 0, 0, 0, 7, 7, 7, 3, 3, 1, 4, 5, 6, 3, 3, 7};
    static const ptrdiff_t strides[] = {8, 32, -8, -36, 72, 4, 0, 1, 2};
    const int row = odd(12) ? (int)pick(8) : of_question[question];
    int name = (int)pick(8);
    estoc_output found;
    while (numbers[row].names[name] == NULL) {
        name = name / 2;
    }
    found.name = odd(20) ? NULL : numbers[row].names[name];
    found.data = odd(30) ? NULL : parts[place] + PART / 2 + pick(8);
    found.stride = strides[pick(wild ? 9 : 5)];
    found.type = odd(8) ? (estoc_type)pick(9) : numbers[row].types[name];
    return found;
}

static size_t size_of(estoc_type type)
{
    return type == ESTOC_U8 ? 1 : type == ESTOC_U32 || type == ESTOC_I32 || type == ESTOC_F32 ? 4 : 8;
}

/* Checks that nothing but items of an output was written. */
static void check_part(const estoc_output *of, int place, size_t count)
{
    unsigned char *item = of->data;
    size_t i;
    /* Of "path" each item has several. */
    if (item == NULL || of->name == NULL || strcmp(of->name, "path") == 0) {
        return;
    }
    for (i = 0; i < count && count <= MOST; i++, item += of->stride) {
        memset(item, UNUSED, size_of(of->type));
    }
    for (i = 0; i < PART; i++) {
        CHECK(parts[place][i] == UNUSED);
    }
}

static void ask(int about_rays)
{
    const estoc_type type = number_type();
    const int world = place_of(WORLD), valid = is_valid(world, WORLD), lists_asked = pick(3) == 0;
    const size_t count = count_of(), outputs_count = lists_asked ? 0 : 1 + pick(OUTPUTS) - (unsigned)odd(9);
    const estoc_question question = (estoc_question)(odd(8)        ? pick(20)
                                                     : about_rays  ? 1 + (lists_asked ? 4 + pick(3) : pick(4))
                                                     : lists_asked ? 17 + pick(2)
                                                                   : 11 + pick(6));
    const void *handle = handle_at(world);
    estoc_output outputs[OUTPUTS];
    estoc_status status;
    estoc_run run;
    estoc_lists *lists = NULL;
    size_t i;
    fill(type);
    memset(parts, UNUSED, sizeof parts);
    for (i = 0; i < outputs_count; i++) {
        outputs[i] = output(question, (int)i);
    }
    if (about_rays) {
        const estoc_triangle skip = triangle(), after = triangle();
        estoc_ray_options options;
        estoc_rays rays;
        memset(&options, 0, sizeof options);
        options.cull = (estoc_cull)pick(3) - odd(8);
        options.open_ends = pick(2) != 0;
        options.mask = pick(4);
        options.max_hits = pick(4);
        options.skip = pick(2) ? &skip : NULL;
        options.after = odd(6) ? &after : NULL;
        options.skip_each = pick(6) == 0 ? &skip : NULL;
        options.filter = pick(4) == 0 ? filter : NULL;
        options.user = &room;
        rays.count = count;
        rays.origin = vectors(count, type);
        rays.dir = vectors(count, type);
        rays.t_min = column(count, type);
        rays.t_max = column(count, type);
        status = lists_asked
                     ? estoc_list_rays(handle, question, &rays, pick(2) ? &options : NULL, run_of(&run), &lists)
                     : estoc_ask_rays(handle, question, &rays, pick(2) ? &options : NULL, run_of(&run), outputs, outputs_count);
    } else {
        estoc_points points;
        estoc_point_options options;
        const double most = number();
        points.count = count;
        points.position = vectors(count, type);
        memset(&options, 0, sizeof options);
        options.rule = (estoc_rule)pick(3) - odd(8);
        options.max_distance = odd(4) || question == ESTOC_CLOSEST_POINT || question == ESTOC_WITHIN ? &most : NULL;
        options.max_triangles = pick(5);
        status = lists_asked
                     ? estoc_list_points(handle, question, &points, pick(2) ? &options : NULL, run_of(&run), &lists)
                     : estoc_ask_points(handle, question, &points, pick(2) ? &options : NULL, run_of(&run), outputs,
                                        outputs_count);
    }
    told(status, valid);
    for (i = 0; i < outputs_count; i++) {
        check_part(&outputs[i], (int)i, count);
    }
    if (lists_asked) {
        keep(status, lists, LISTS);
    }
}

/* One point alone and as one of many has the same answer. */
static void ask_one_point(void)
{
    const int world = place_of(WORLD), valid = is_valid(world, WORLD);
    const void *handle = handle_at(world);
    const double point[3] = {number(), number(), number()}, most = number();
    const estoc_points points = estoc_one_point(point);
    estoc_point_options options;
    estoc_closest closest;
    double x = 0, distance = 0;
    uint32_t prim = 0;
    const estoc_output outputs[3] = {estoc_make_output("x", &x, 8, ESTOC_F64), estoc_make_output("prim", &prim, 4, ESTOC_U32),
                                     estoc_make_output("distance", &distance, 8, ESTOC_F64)};
    memset(&options, 0, sizeof options);
    options.max_distance = &most;
    if (told(estoc_closest_point(handle, point[0], point[1], point[2], most, &closest), valid) == ESTOC_OK) {
        OK(estoc_ask_points(handle, ESTOC_CLOSEST_POINT, &points, &options, NULL, outputs, 3));
        CHECK(closest.triangle.prim == prim && memcmp(&closest.distance, &distance, 8) == 0 && closest.point[0] == x);
    }
}

/* One ray alone and as one of many has the same hit. */
static void ask_one(void)
{
    const int world = place_of(WORLD), valid = is_valid(world, WORLD);
    const void *handle = handle_at(world);
    estoc_ray ray;
    estoc_hit hit;
    estoc_run run;
    int32_t found = 7, i;
    ray.t_min = pick(2) ? 0.0 : number();
    ray.t_max = pick(2) ? (double)INFINITY : number();
    for (i = 0; i < 3; i++) {
        ray.origin[i] = number();
        ray.dir[i] = number();
    }
    if (told(estoc_closest_hit(handle, &ray, NULL, &hit), valid) == ESTOC_OK) {
        hit_columns many = hit_columns_of(1);
        const estoc_rays rays = estoc_one_ray(&ray);
        memset(&run, 0, sizeof run);
        run.threads = 1;
        OK(estoc_ask_rays(handle, ESTOC_CLOSEST_HIT, &rays, NULL, &run, many.outputs, 4));
        CHECK(*many.prim == hit.triangle.prim && memcmp(many.t, &hit.t, 8) == 0);
        CHECK(memcmp(many.u, &hit.u, 8) == 0 && memcmp(many.v, &hit.v, 8) == 0);
        free_hit_columns(&many);
        OK(estoc_any_hit(handle, &ray, NULL, &found));
        CHECK(found == (hit.triangle.prim != ESTOC_NONE));
        hits += found != 0;
    }
}

static void ask_region(void)
{
    const int world = place_of(WORLD), other = place_of(WORLD);
    estoc_region region;
    estoc_run run;
    estoc_least_distance least;
    const unsigned call = pick(5);
    int i;
    memset(&region, 0, sizeof region);
    region.kind = odd(4) ? (estoc_region_kind)pick(6) : call == 1 ? ESTOC_PLANE : 1 + (estoc_region_kind)pick(4);
    region.radius = number();
    for (i = 0; i < 9; i++) {
        region.points[i / 3][i % 3] = number();
    }
    switch (call) {
    case 0:
        told(estoc_overlaps(handle_at(world), &region, pick(20) ? visit_triangle : NULL, &room), is_valid(world, WORLD));
        break;
    case 1:
        told(estoc_section(handle_at(world), &region, pick(20) ? visit_polyline : NULL, &room), is_valid(world, WORLD));
        break;
    case 2:
        told(estoc_nodes(handle_at(world), pick(20) ? visit_node : NULL, &room), is_valid(world, WORLD));
        break;
    case 3:
        told(estoc_find_least_distance(handle_at(world), handle_at(other), run_of(&run), &least),
             is_valid(world, WORLD) && is_valid(other, WORLD));
        break;
    default:
        told(estoc_intersections(handle_at(world), pick(2) ? handle_at(other) : NULL, run_of(&run), visit_pair, &room),
             is_valid(world, WORLD));
    }
}

static void change_scene(void)
{
    const int scene = place_of(SCENE), world = place_of(WORLD), valid = is_valid(scene, SCENE);
    estoc_placement placement;
    estoc_run run;
    estoc_scene *made = NULL;
    estoc_world *committed = NULL;
    uint32_t added = 0;
    int i;
    placement.matrix = estoc_translation(number(), number(), number());
    for (i = odd(2) ? (int)pick(12) : 12; i < 12; i++) {
        placement.matrix.rows[i / 4][i % 4] = number();
    }
    placement.mask = pick(4);
    placement.reversed = (int32_t)pick(3);
    switch (pick(6)) {
    case 0:
        KEEP(estoc_scene_create(&made), 1, made, SCENE);
        break;
    case 1:
        told(estoc_scene_move(handle_at(scene), pick(3), &placement.matrix), valid);
        break;
    case 2:
        told(estoc_scene_remove(handle_at(scene), pick(4)), valid);
        break;
    case 3:
        KEEP(estoc_scene_commit(handle_at(scene), run_of(&run), &committed), valid, committed, WORLD);
        break;
    default:
        told(estoc_scene_add(handle_at(scene), handle_at(world), pick(8) ? &placement : NULL, &added),
             valid && is_valid(world, WORLD));
    }
}

static void look(void)
{
    const int lists = place_of(LISTS), mesh = place_of(MESH), world = place_of(WORLD);
    estoc_mesh_info mesh_info;
    estoc_world_info world_info;
    const uint64_t *offsets = NULL;
    estoc_column prims;
    size_t items = 0, i;
    told(estoc_mesh_get_info(handle_at(mesh), &mesh_info), is_valid(mesh, MESH));
    told(estoc_world_get_info(handle_at(world), &world_info), is_valid(world, WORLD));
    if (told(estoc_lists_offsets(handle_at(lists), &items, &offsets), is_valid(lists, LISTS)) != ESTOC_OK) {
        return;
    }
    for (i = 0; i < items; i++) {
        CHECK(offsets[i] <= offsets[i + 1]);
    }
    if (told(estoc_lists_column(handle_at(lists), odd(4) ? "no such" : "prim", &prims), 1) == ESTOC_OK) {
        for (i = 0; i < offsets[items]; i++) {
            uint32_t prim;
            memcpy(&prim, (const char *)prims.data + prims.stride * (ptrdiff_t)i, sizeof prim);
            CHECK(prim != ESTOC_NONE);
        }
    }
}

/* Trees as bytes, whole, cut or with a byte changed; refitted; and asked about moving spheres. */
static uint8_t file[1 << 16];
static size_t file_size;

static int32_t append(void *user, const uint8_t *more, size_t size)
{
    CHECK(user == &room);
    if (size > sizeof file - file_size) {
        return 0;
    }
    memcpy(file + file_size, more, size);
    file_size += size;
    return 1;
}

static void move_trees(void)
{
    const int world = place_of(WORLD), mesh = place_of(MESH), valid = is_valid(world, WORLD);
    const void *of = handle_at(world), *with = odd(2) ? handle_at(mesh) : NULL;
    estoc_world *made = NULL;
    estoc_run run;
    const unsigned call = pick(3);
    if (call == 0) {
        int32_t rebuild;
        with = handle_at(mesh);
        KEEP(estoc_world_refit(of, with, run_of(&run), &made, &rebuild), valid && is_valid(mesh, MESH), made, WORLD);
    } else if (call == 1) {
        file_size = 0;
        if (told(estoc_world_write(of, with, run_of(&run), append, &room), valid) == ESTOC_OK) {
            if (odd(3)) {
                file[(pick(256) * 256 + pick(256)) % file_size] ^= (uint8_t)(1 + pick(255));
            }
            file_size -= odd(4) ? pick(256) % file_size : 0;
            KEEP(estoc_world_read(file, file_size, "bytes", run_of(&run), &made, NULL), 1, made, WORLD);
        }
    } else {
        const estoc_type type = number_type();
        estoc_spheres spheres;
        estoc_output to = estoc_make_output(odd(9) ? "no such" : "t", parts[0] + PART / 2, 8, ESTOC_F64);
        estoc_status status;
        fill(type);
        spheres.count = count_of();
        spheres.center = vectors(spheres.count, type);
        spheres.velocity = vectors(spheres.count, type);
        spheres.radius = column(spheres.count, type);
        spheres.t_max = column(spheres.count, type);
        memset(parts, UNUSED, sizeof parts);
        status = estoc_ask_spheres(of, &spheres, run_of(&run), &to, 1);
        told(status, valid);
        check_part(&to, 0, spheres.count);
    }
}

static void count_references(void)
{
    const int place = place_of(NOTHING), valid = is_valid(place, NOTHING);
    if (pick(3) == 0) {
        if (told(estoc_retain(handle_at(place)), valid) == ESTOC_OK) {
            known[place].references++;
        }
    } else if (place < 0 || known[place].handle != NULL) {
        if (told(estoc_release(handle_at(place)), valid) == ESTOC_OK) {
            known[place].references--;
        }
    }
}

static int attack(const uint8_t *data, size_t size)
{
    int i;
    bytes = data;
    bytes_end = data + size;
    while (bytes < bytes_end) {
        wild = (int)pick(2);
        switch (pick(10)) {
        case 0:
            make_mesh();
            break;
        case 1:
            build_world();
            break;
        case 2:
        case 3:
            ask(1);
            break;
        case 4:
            ask(0);
            break;
        case 5:
            pick(2) ? ask_one() : ask_one_point();
            break;
        case 6:
            ask_region();
            break;
        case 7:
            change_scene();
            break;
        case 8:
            move_trees();
            break;
        default:
            look();
            count_references();
        }
    }
    for (i = 0; i < HANDLES; i++) {
        while (known[i].references > 0) {
            known[i].references--;
            OK(estoc_release(known[i].handle));
        }
        memset(&known[i], 0, sizeof known[i]);
    }
    return 0;
}

#ifdef ESTOC_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    use_all();
    return attack(data, size);
}
#else
int main(int count, char **words)
{
    const long rounds = count > 1 ? atol(words[1]) : 1000;
    const long first = count > 2 ? atol(words[2]) : 0;
    long round;
    use_all();
    for (round = first; round < first + rounds; round++) {
        uint8_t data[4096];
        uint64_t state = (uint64_t)round;
        size_t i;
        for (i = 0; i < sizeof data; i++) {
            data[i] = (uint8_t)(next_bits(&state) >> 32);
        }
        attack(data, sizeof data);
    }
    printf("fuzz: %ld rounds passed, %lu answers, %lu hits\n", rounds, answers, hits);
    CHECK(answers > 20 * (unsigned long)rounds && (rounds < 100 || hits > 0));
    return 0;
}
#endif
