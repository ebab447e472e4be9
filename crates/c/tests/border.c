/* What goes wrong at the border: each mistake that can be told is told by a status, and nothing else happens. */
#include "check.h"

static void handles(void)
{
    estoc_mesh *mesh = cube_mesh(0);
    estoc_mesh *other = NULL;
    estoc_world *world = NULL;
    estoc_mesh_info info;
    estoc_hit hit;
    int32_t found;
    const estoc_ray ray = estoc_make_ray(0, 0, 3, 0, 0, -1);
    char garbage[64];
    int i;

    /* Null. */
    GIVES(ESTOC_NULL, estoc_world_build(NULL, NULL, NULL, &world));
    GIVES(ESTOC_NULL, estoc_world_build(mesh, NULL, NULL, NULL));
    GIVES(ESTOC_NULL, estoc_mesh_get_info(mesh, NULL));
    GIVES(ESTOC_NULL, estoc_retain(NULL));
    OK(estoc_release(NULL));
    OK(estoc_world_build(mesh, NULL, NULL, &world));
    GIVES(ESTOC_NULL, estoc_closest_hit(NULL, &ray, NULL, &hit));
    GIVES(ESTOC_NULL, estoc_closest_hit(world, NULL, NULL, &hit));
    GIVES(ESTOC_NULL, estoc_closest_hit(world, &ray, NULL, NULL));
    GIVES(ESTOC_NULL, estoc_any_hit(world, &ray, NULL, NULL));
    GIVES(ESTOC_NULL, estoc_scene_create(NULL));

    /* Another kind. */
    GIVES(ESTOC_WRONG_KIND, estoc_closest_hit((estoc_world *)mesh, &ray, NULL, &hit));
    GIVES(ESTOC_WRONG_KIND, estoc_mesh_get_info((estoc_mesh *)world, &info));
    GIVES(ESTOC_WRONG_KIND, estoc_scene_commit((estoc_scene *)world, NULL, &world));

    /* Garbage. */
    memset(garbage, 0x5a, sizeof garbage);
    GIVES(ESTOC_NOT_A_HANDLE, estoc_closest_hit((estoc_world *)(void *)garbage, &ray, NULL, &hit));
    GIVES(ESTOC_NOT_A_HANDLE, estoc_release(garbage));
    GIVES(ESTOC_NOT_A_HANDLE, estoc_retain((void *)1));
    GIVES(ESTOC_NOT_A_HANDLE, estoc_release((char *)world + 1));
    GIVES(ESTOC_NOT_A_HANDLE, estoc_release((void *)UINTPTR_MAX));

    /* References, and what happens without one. */
    OK(estoc_retain(mesh));
    OK(estoc_release(mesh));
    OK(estoc_mesh_get_info(mesh, &info));
    OK(estoc_release(mesh));
    GIVES(ESTOC_RELEASED, estoc_release(mesh));
    GIVES(ESTOC_RELEASED, estoc_retain(mesh));
    GIVES(ESTOC_RELEASED, estoc_mesh_get_info(mesh, &info));
    /* Its place is used again; its handle is not. */
    for (i = 0; i < 100; i++) {
        other = cube_mesh(0);
        CHECK(other != mesh);
        GIVES(ESTOC_RELEASED, estoc_mesh_get_info(mesh, &info));
        OK(estoc_release(other));
    }
    OK(estoc_any_hit(world, &ray, NULL, &found));
    CHECK(found == 1);
    OK(estoc_release(world));
    GIVES(ESTOC_RELEASED, estoc_any_hit(world, &ray, NULL, &found));
}

static void meshes(void)
{
    estoc_mesh_arrays arrays;
    estoc_mesh_options options;
    estoc_mesh *mesh = NULL;
    float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    uint32_t faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
    int64_t large[3] = {0, 1, -1};

    memset(&arrays, 0, sizeof arrays);
    memset(&options, 0, sizeof options);
    GIVES(ESTOC_NULL, estoc_mesh_from_arrays(NULL, NULL, &mesh));
    GIVES(ESTOC_NULL, estoc_mesh_from_arrays(&arrays, NULL, NULL));
    /* No corners and no triangles are a mesh. */
    OK(estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    OK(estoc_release(mesh));
    arrays.vertex_count = 4;
    GIVES(ESTOC_NULL, estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    arrays.positions = estoc_triples_f32(&corners[0][0], sizeof corners[0]);
    arrays.positions.type = 77;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    arrays.positions.type = ESTOC_U32;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    arrays.positions.type = ESTOC_F32;
    arrays.vertex_count = SIZE_MAX;
    GIVES(ESTOC_BAD_LENGTH, estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    arrays.positions.stride = PTRDIFF_MIN;
    GIVES(ESTOC_BAD_LENGTH, estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    arrays.vertex_count = SIZE_MAX / 2;
    arrays.positions.stride = 0;
    GIVES(ESTOC_NO_MEMORY, estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    arrays.vertex_count = 4;
    arrays.positions.stride = sizeof corners[0];
    arrays.triangle_count = 2;
    arrays.indices = estoc_make_column(faces, sizeof faces[0], ESTOC_F32);
    GIVES(ESTOC_BAD_ARGUMENT, estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    arrays.indices.type = ESTOC_U32;
    faces[1][2] = 4;
    GIVES(ESTOC_BAD_MESH, estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    CHECK(strstr(estoc_last_error(), "4") != NULL);
    options.skip_bad_faces = 1;
    OK(estoc_mesh_from_arrays(&arrays, &options, &mesh));
    OK(estoc_release(mesh));
    options.skip_bad_faces = 0;
    faces[1][2] = 3;
    corners[3][2] = NAN;
    GIVES(ESTOC_BAD_MESH, estoc_mesh_from_arrays(&arrays, &options, &mesh));
    corners[3][2] = 1;
    options.precision = 9;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_mesh_from_arrays(&arrays, &options, &mesh));
    options.precision = 0;
    options.frame = -1;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_mesh_from_arrays(&arrays, &options, &mesh));
    options.frame = ESTOC_FRAME_AT;
    options.origin[1] = INFINITY;
    GIVES(ESTOC_BAD_MESH, estoc_mesh_from_arrays(&arrays, &options, &mesh));
    options.frame = 0;
    options.weld = 3;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_mesh_from_arrays(&arrays, &options, &mesh));
    options.weld = ESTOC_WELD_WITHIN;
    options.weld_distance = -1;
    GIVES(ESTOC_BAD_MESH, estoc_mesh_from_arrays(&arrays, &options, &mesh));
    options.weld = 0;
    arrays.triangle_count = 1;
    arrays.indices = estoc_make_column(large, sizeof large, ESTOC_I64);
    GIVES(ESTOC_BAD_MESH, estoc_mesh_from_arrays(&arrays, &options, &mesh));
    CHECK(strstr(estoc_last_error(), "-1") != NULL);

    /* Files. */
    GIVES(ESTOC_FILE, estoc_mesh_load("no/such/file.obj", NULL, NULL, &mesh));
    GIVES(ESTOC_NULL, estoc_mesh_load(NULL, NULL, NULL, &mesh));
    GIVES(ESTOC_BAD_MESH, estoc_mesh_read((const uint8_t *)"v 0 0 x\n", 8, "a.obj", NULL, NULL, &mesh));
    CHECK(strstr(estoc_last_error(), "a.obj") != NULL);
    GIVES(ESTOC_BAD_ARGUMENT, estoc_mesh_read((const uint8_t *)"v", 1, "\xff", NULL, NULL, &mesh));
    GIVES(ESTOC_NULL, estoc_mesh_read(NULL, 8, "a.obj", NULL, NULL, &mesh));
    GIVES(ESTOC_BAD_ARGUMENT, estoc_mesh_read((const uint8_t *)"v", SIZE_MAX, "a.obj", NULL, NULL, &mesh));
}

static int32_t stop(void *user, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    ++*(int *)user;
    return 0;
}

static void questions(void)
{
    estoc_world *world = world_of(cube_mesh(0));
    estoc_world *loaded = NULL;
    estoc_lists *lists = NULL;
    estoc_ray ray[2];
    estoc_rays rays;
    estoc_ray_options options;
    estoc_point_options point_options;
    estoc_points points;
    estoc_output output;
    estoc_run run;
    estoc_hit hit;
    estoc_triangle triangle;
    estoc_region region;
    estoc_column column;
    uint32_t prim[2];
    double number[4];
    const double outside[3] = {5, 0.1, 0};
    int told = 0;

    ray[0] = estoc_make_ray(0, 0, 3, 0, 0, -1);
    ray[1] = ray[0];
    rays = estoc_one_ray(&ray[0]);
    output = estoc_make_output("prim", prim, 4, ESTOC_U32);
    OK(estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    GIVES(ESTOC_NULL, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, NULL, NULL, NULL, &output, 1));
    GIVES(ESTOC_NULL, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, NULL, 1));
    GIVES(ESTOC_NULL, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 0));
    GIVES(ESTOC_BAD_LENGTH, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, SIZE_MAX));
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_rays(world, ESTOC_ALL_HITS, &rays, NULL, NULL, &output, 1));
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_rays(world, 99, &rays, NULL, NULL, &output, 1));
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_rays(world, ESTOC_DISTANCE, &rays, NULL, NULL, &output, 1));
    GIVES(ESTOC_BAD_ARGUMENT, estoc_list_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &lists));
    GIVES(ESTOC_NULL, estoc_list_rays(world, ESTOC_ALL_HITS, &rays, NULL, NULL, NULL));

    /* Outputs. */
    output.name = "distance";
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    CHECK(strstr(estoc_last_error(), "prim") != NULL);
    output.name = "path";
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    output.name = "\xff";
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    output.name = NULL;
    GIVES(ESTOC_NULL, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    output = estoc_make_output("prim", NULL, 4, ESTOC_U32);
    GIVES(ESTOC_NULL, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    output = estoc_make_output("prim", prim, 4, ESTOC_I32);
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    output = estoc_make_output("prim", prim, 4, 0);
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    rays.count = 2;
    output = estoc_make_output("prim", prim, 3, ESTOC_U32);
    GIVES(ESTOC_BAD_LENGTH, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    output.stride = 0;
    GIVES(ESTOC_BAD_LENGTH, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    output.stride = PTRDIFF_MAX;
    GIVES(ESTOC_BAD_LENGTH, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    output.stride = 4;

    /* Inputs. */
    rays.count = SIZE_MAX;
    GIVES(ESTOC_BAD_LENGTH, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    rays.count = 2;
    rays.dir.y = NULL;
    GIVES(ESTOC_NULL, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    rays = estoc_one_ray(&ray[0]);
    rays.t_max.type = ESTOC_U8;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, NULL, &output, 1));
    rays = estoc_one_ray(&ray[0]);

    /* Options. */
    memset(&options, 0, sizeof options);
    options.cull = 7;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_closest_hit(world, &ray[0], &options, &hit));
    options.cull = 0;
    memset(&triangle, 0, sizeof triangle);
    triangle.prim = 4;
    options.after = &triangle;
    GIVES(ESTOC_BAD_QUERY, estoc_closest_hit(world, &ray[0], &options, &hit));
    GIVES(ESTOC_BAD_QUERY, estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, &options, NULL, &output, 1));
    triangle.prim = 12;
    GIVES(ESTOC_BAD_QUERY, estoc_closest_hit(world, &ray[0], &options, &hit));
    triangle.prim = ESTOC_NONE;
    OK(estoc_closest_hit(world, &ray[0], &options, &hit));
    triangle.prim = 10;
    triangle.depth = 1;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_closest_hit(world, &ray[0], &options, &hit));
    triangle.depth = 9;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_closest_hit(world, &ray[0], &options, &hit));
    options.after = NULL;
    options.mask_each = estoc_make_column(number, 8, ESTOC_F64);
    GIVES(ESTOC_BAD_ARGUMENT, estoc_closest_hit(world, &ray[0], &options, &hit));
    memset(&run, 0, sizeof run);
    run.progress = stop;
    run.user = &told;
    rays.count = 100000;
    rays.t_max.stride = 0;
    output = estoc_make_output("count", number, 8, ESTOC_I64);
    output.data = malloc(rays.count * 8);
    CHECK(output.data != NULL);
    GIVES(ESTOC_CANCELLED, estoc_ask_rays(world, ESTOC_HIT_COUNT, &rays, NULL, &run, &output, 1));
    CHECK(told == 1);
    free(output.data);
    rays.count = 1;
    run.progress = NULL;
    run.threads = 2000;
    output = estoc_make_output("count", number, 8, ESTOC_I64);
    rays.count = 0;
    OK(estoc_ask_rays(world, ESTOC_HIT_COUNT, &rays, NULL, NULL, &output, 1));
    rays.count = 1;
    run.threads = 0;
    run.max_values = 1;
    OK(estoc_list_rays(world, ESTOC_CROSSINGS, &rays, NULL, NULL, &lists));
    GIVES(ESTOC_BAD_ARGUMENT, estoc_lists_column(lists, "distance", &column));
    GIVES(ESTOC_NULL, estoc_lists_column(lists, NULL, &column));
    GIVES(ESTOC_NULL, estoc_lists_column(lists, "t", NULL));
    GIVES(ESTOC_NULL, estoc_lists_offsets(NULL, NULL, NULL));
    OK(estoc_lists_offsets(lists, NULL, NULL));
    OK(estoc_release(lists));
    GIVES(ESTOC_RELEASED, estoc_lists_column(lists, "t", &column));
    GIVES(ESTOC_TOO_MANY, estoc_list_rays(world, ESTOC_CROSSINGS, &rays, NULL, &run, &lists));

    /* Points. */
    points = estoc_one_point(outside);
    memset(&point_options, 0, sizeof point_options);
    point_options.rule = 8;
    output = estoc_make_output("distance", number, 8, ESTOC_F64);
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_points(world, ESTOC_DISTANCE, &points, &point_options, NULL, &output, 1));
    GIVES(ESTOC_NULL, estoc_ask_points(world, ESTOC_DISTANCE, NULL, NULL, NULL, &output, 1));
    GIVES(ESTOC_BAD_ARGUMENT, estoc_ask_points(world, ESTOC_CLOSEST_HIT, &points, NULL, NULL, &output, 1));
    GIVES(ESTOC_BAD_ARGUMENT, estoc_list_points(world, ESTOC_DISTANCE, &points, NULL, NULL, &lists));
    output.type = ESTOC_F32;
    OK(estoc_ask_points(world, ESTOC_DISTANCE, &points, NULL, NULL, &output, 1));
    /* 0.1 is no float, and the sign of a distance at a tree in float is that of a point in float. */
    output = estoc_make_output("signed", number, 8, ESTOC_F64);
    GIVES(ESTOC_NOT_F32, estoc_ask_points(world, ESTOC_SIGNED_DISTANCE, &points, NULL, NULL, &output, 1));

    /* Regions. */
    memset(&region, 0, sizeof region);
    GIVES(ESTOC_NULL, estoc_overlaps(world, NULL, NULL, NULL));
    GIVES(ESTOC_BAD_ARGUMENT, estoc_overlaps(world, &region, NULL, NULL));
    region.kind = ESTOC_BOX;
    GIVES(ESTOC_NULL, estoc_overlaps(world, &region, NULL, NULL));
    region.kind = ESTOC_BALL;
    region.radius = 0.1;
    GIVES(ESTOC_NOT_F32, estoc_overlaps(world, &region, NULL, NULL));
    region.radius = -1;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_overlaps(world, &region, NULL, NULL));
    region.kind = ESTOC_PLANE;
    GIVES(ESTOC_BAD_ARGUMENT, estoc_overlaps(world, &region, NULL, NULL));
    GIVES(ESTOC_NULL, estoc_section(world, NULL, NULL, NULL));
    GIVES(ESTOC_NULL, estoc_intersections(world, NULL, NULL, NULL, NULL));

    /* Files of trees. */
    GIVES(ESTOC_FILE, estoc_world_load("no/such/file", NULL, &loaded, NULL));
    GIVES(ESTOC_FILE, estoc_world_save(world, NULL, "no/such/folder/file", NULL));
    GIVES(ESTOC_NULL, estoc_world_load(NULL, NULL, &loaded, NULL));
    OK(estoc_release(world));
}

static int32_t visit_none(void *user, uint32_t first, uint32_t second, estoc_common common)
{
    (void)user;
    (void)first;
    (void)second;
    (void)common;
    return 1;
}

static int32_t visit_no_node(void *user, const estoc_child *children, uint32_t count)
{
    (void)user;
    (void)children;
    (void)count;
    return 1;
}

static void scenes(void)
{
    estoc_least_distance least;
    estoc_scene *scene = NULL;
    estoc_world *cube = world_of(cube_mesh(0));
    estoc_world *world = NULL;
    estoc_placement placement;
    estoc_output output;
    estoc_points points;
    double number;
    const double point[3] = {0, 0, 0};
    uint32_t id = 0;

    OK(estoc_scene_create(&scene));
    memset(&placement, 0, sizeof placement);
    GIVES(ESTOC_BAD_SCENE, estoc_scene_add(scene, cube, &placement, &id));
    placement.matrix = estoc_translation(NAN, 0, 0);
    GIVES(ESTOC_BAD_SCENE, estoc_scene_add(scene, cube, &placement, &id));
    placement.matrix = estoc_translation(1, 0, 0);
    GIVES(ESTOC_NULL, estoc_scene_add(scene, cube, NULL, &id));
    GIVES(ESTOC_NULL, estoc_scene_add(scene, cube, &placement, NULL));
    GIVES(ESTOC_NULL, estoc_scene_add(scene, NULL, &placement, &id));
    GIVES(ESTOC_WRONG_KIND, estoc_scene_add(scene, (estoc_world *)scene, &placement, &id));
    OK(estoc_scene_add(scene, cube, &placement, &id));
    GIVES(ESTOC_NULL, estoc_scene_move(scene, id, NULL));
    GIVES(ESTOC_BAD_SCENE, estoc_scene_move(scene, id + 1, &placement.matrix));
    memset(&placement.matrix, 0, sizeof placement.matrix);
    GIVES(ESTOC_BAD_SCENE, estoc_scene_move(scene, id, &placement.matrix));
    OK(estoc_scene_commit(scene, NULL, &world));
    OK(estoc_scene_remove(scene, id));
    GIVES(ESTOC_BAD_SCENE, estoc_scene_remove(scene, id));
    GIVES(ESTOC_NULL, estoc_scene_commit(scene, NULL, NULL));
    points = estoc_one_point(point);
    output = estoc_make_output("signed", &number, 8, ESTOC_F64);
    GIVES(ESTOC_UNSUPPORTED, estoc_ask_points(world, ESTOC_SIGNED_DISTANCE, &points, NULL, NULL, &output, 1));
    GIVES(ESTOC_UNSUPPORTED, estoc_world_save(world, NULL, "scene.estoc", NULL));
    GIVES(ESTOC_UNSUPPORTED, estoc_intersections(world, NULL, NULL, visit_none, NULL));
    GIVES(ESTOC_UNSUPPORTED, estoc_find_least_distance(world, cube, NULL, &least));
    GIVES(ESTOC_NULL, estoc_find_least_distance(cube, cube, NULL, NULL));
    GIVES(ESTOC_UNSUPPORTED, estoc_nodes(world, visit_no_node, NULL));
    GIVES(ESTOC_NULL, estoc_nodes(cube, NULL, NULL));
    OK(estoc_release(world));
    OK(estoc_release(cube));
    OK(estoc_release(scene));
}

int main(void)
{
    CHECK(strcmp(estoc_last_error(), "") == 0);
    CHECK(strcmp(estoc_status_name(ESTOC_RELEASED), "ESTOC_RELEASED") == 0);
    CHECK(strcmp(estoc_status_name(-1), "unknown status") == 0);
    CHECK(strcmp(estoc_status_name(20), "unknown status") == 0);
    use_all();
    handles();
    meshes();
    questions();
    scenes();
    puts("border: passed");
    return 0;
}
