/* Lack of memory is a status, and the library goes on: under a limit on the address space, as `ulimit -v` sets it. */
#include "check.h"
#include <sys/resource.h>

/* Limits the address space to what is used now and so many bytes more. */
static void leave(size_t bytes)
{
    struct rlimit limit;
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%lu", &pages) == 1 && fclose(file) == 0);
    CHECK(getrlimit(RLIMIT_AS, &limit) == 0);
    limit.rlim_cur = bytes == SIZE_MAX ? limit.rlim_max : (rlim_t)pages * 4096 + bytes;
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

int main(void)
{
    enum { RAYS = 1000000 };
    estoc_world *box = box_world(400);
    estoc_world *world = NULL;
    estoc_mesh_arrays arrays;
    estoc_mesh *mesh = NULL;
    estoc_lists *lists = NULL;
    estoc_ray ray = estoc_make_ray(0.1f, 0.2f, 5, 0, 0, -1);
    estoc_rays rays = estoc_one_ray(&ray);
    estoc_ray_options options;
    estoc_triangle none;
    estoc_output output;
    uint8_t *found = malloc(RAYS);
    const float corner[3] = {0, 0, 0};
    const double point[3] = {0, 0, 0};
    const uint32_t index[3] = {0, 1, 2};
    int32_t inside;

    use_all();
    CHECK(found != NULL);
    /* The library's threads are started. */
    output = estoc_make_output("found", found, 1, ESTOC_U8);
    rays.count = RAYS;
    OK(estoc_ask_rays(box, ESTOC_ANY_HIT, &rays, NULL, NULL, &output, 1));

    leave((size_t)24 << 20);
    memset(&arrays, 0, sizeof arrays);
    arrays.vertex_count = 50000000;
    arrays.positions = estoc_triples_f32(corner, 0);
    GIVES(ESTOC_NO_MEMORY, estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    arrays.vertex_count = 3;
    arrays.triangle_count = 50000000;
    arrays.indices = estoc_make_column(index, 0, ESTOC_U32);
    GIVES(ESTOC_NO_MEMORY, estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    GIVES(ESTOC_NO_MEMORY, estoc_list_rays(box, ESTOC_ALL_HITS, &rays, NULL, NULL, &lists));
    /* Options of each ray are held. */
    memset(&options, 0, sizeof options);
    memset(&none, 0, sizeof none);
    none.prim = ESTOC_NONE;
    options.skip_each = &none;
    GIVES(ESTOC_OK, estoc_ask_rays(box, ESTOC_ANY_HIT, &rays, &options, NULL, &output, 1));
    /* The edges of the mesh take more than is left. */
    GIVES(ESTOC_NO_MEMORY, estoc_contains(box, point, ESTOC_RULE_PARITY, &inside));
    GIVES(ESTOC_NO_MEMORY, estoc_contains(box, point, ESTOC_RULE_ESTIMATE, &inside));

    leave(SIZE_MAX);
    OK(estoc_list_rays(box, ESTOC_ALL_HITS, &rays, NULL, NULL, &lists));
    OK(estoc_release(lists));
    OK(estoc_contains(box, point, ESTOC_RULE_PARITY, &inside));
    CHECK(inside == 1);
    leave((size_t)16 << 20);
    /* What was found out once needs no more memory. */
    OK(estoc_contains(box, point, ESTOC_RULE_PARITY, &inside));
    OK(estoc_release(box));
    leave(SIZE_MAX);
    (void)world;
    free(found);
    puts("memory: passed");
    return 0;
}
