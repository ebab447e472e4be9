/* Eight threads ask one world and worlds of a scene, while another thread moves, adds, removes and commits. Each world answers
 * as it was when it was committed, whatever happens meanwhile. */
#include "check.h"
#include <pthread.h>

#define ROUNDS 200
#define THREADS 8

static estoc_world *cube;
static estoc_scene *scene;
static uint32_t moving;
/* The world that threads take from here, with a reference of its own; behind a lock of the program. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static estoc_world *current;
static double height;
static int ended;

static void *ask(void *of)
{
    uint64_t state = *(int *)of + 1u;
    long asked = 0;
    int done = 0;
    while (!done) {
        estoc_world *world;
        estoc_hit hit;
        estoc_ray ray = estoc_make_ray(0, 0, 1000, 0, 0, -1);
        estoc_rays rays = estoc_one_ray(&ray);
        estoc_output output;
        uint8_t found[64];
        double wanted;
        int32_t any;
        int i;
        pthread_mutex_lock(&lock);
        world = current;
        wanted = 1000 - (height + 1);
        OK(estoc_retain(world));
        done = ended;
        pthread_mutex_unlock(&lock);

        OK(estoc_closest_hit(world, &ray, NULL, &hit));
        CHECK(hit.t == wanted && hit.triangle.path[0] == moving);
        OK(estoc_any_hit(cube, &ray, NULL, &any));
        CHECK(any == 1);
        rays.count = 64;
        output = estoc_make_output("found", found, 1, ESTOC_U8);
        OK(estoc_ask_rays(world, ESTOC_ANY_HIT, &rays, NULL, NULL, &output, 1));
        for (i = 0; i < 64; i++) {
            CHECK(found[i] == 1);
        }
        ray.origin[0] = 50 + next_float(&state);
        ray.dir[0] = NAN;
        GIVES(ESTOC_NULL, estoc_closest_hit(world, NULL, NULL, &hit));
        CHECK(strstr(estoc_last_error(), "ray") != NULL);
        OK(estoc_closest_hit(cube, &ray, NULL, &hit));
        CHECK(hit.triangle.prim == ESTOC_NONE);
        OK(estoc_release(world));
        asked++;
    }
    return asked > 0 ? of : NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    estoc_placement placement;
    estoc_world *world = NULL;
    uint32_t id;
    int i;

    use_all();
    cube = world_of(cube_mesh(0));
    OK(estoc_scene_create(&scene));
    memset(&placement, 0, sizeof placement);
    placement.matrix = estoc_translation(0, 0, 0);
    OK(estoc_scene_add(scene, cube, &placement, &moving));
    OK(estoc_scene_commit(scene, NULL, &current));
    for (i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, ask, &numbers[i]) == 0);
    }
    for (i = 1; i <= ROUNDS; i++) {
        estoc_world *last;
        const estoc_matrix matrix = estoc_translation(0, 0, i);
        OK(estoc_scene_move(scene, moving, &matrix));
        placement.matrix = estoc_translation(0, 0, -1.0 * i);
        OK(estoc_scene_add(scene, i % 3 == 0 ? current : cube, &placement, &id));
        if (i % 2 == 0 || i % 3 == 0) {
            OK(estoc_scene_remove(scene, id));
        }
        OK(estoc_scene_commit(scene, NULL, &world));
        pthread_mutex_lock(&lock);
        last = current;
        current = world;
        height = i;
        ended = i == ROUNDS;
        pthread_mutex_unlock(&lock);
        /* Threads that use it have a reference. */
        OK(estoc_release(last));
    }
    for (i = 0; i < THREADS; i++) {
        void *asked = NULL;
        CHECK(pthread_join(threads[i], &asked) == 0 && asked != NULL);
    }
    OK(estoc_release(current));
    OK(estoc_release(scene));
    OK(estoc_release(cube));
    puts("threads: passed");
    return 0;
}
