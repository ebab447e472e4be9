/* Depths of a picture: many rays from arrays, with the answers in arrays, and a progress that can end the work. */
#include <estoc.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 64, HEIGHT = 32 };

static int32_t tell(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return 1; /* 0 ends the work. */
}

int main(int count, char **words)
{
    static float dirs[HEIGHT * WIDTH][3];
    static float t[HEIGHT * WIDTH];
    const float eye[3] = {0, 0, 4};
    const char *path = count > 1 ? words[1] : "mesh.obj";
    estoc_mesh *mesh = NULL;
    estoc_world *world = NULL;
    estoc_rays rays = {0};
    estoc_run run = {0};
    estoc_output output = estoc_make_output("t", t, sizeof t[0], ESTOC_F32);
    estoc_mesh_options options = {0};
    int row, column, status = 1;

    for (row = 0; row < HEIGHT; row++) {
        for (column = 0; column < WIDTH; column++) {
            float *dir = dirs[row * WIDTH + column];
            dir[0] = ((float)column - WIDTH / 2.0f) / WIDTH;
            dir[1] = (HEIGHT / 2.0f - (float)row) / HEIGHT;
            dir[2] = -1;
        }
    }
    rays.count = HEIGHT * WIDTH;
    rays.origin = estoc_triples_f32(eye, 0); /* The same for all. */
    rays.dir = estoc_triples_f32(dirs[0], sizeof dirs[0]);
    run.progress = tell;
    options.precision = ESTOC_F32; /* As the outputs are. */
    if (estoc_mesh_load(path, &options, &run, &mesh) == ESTOC_OK
        && estoc_world_build(mesh, NULL, &run, &world) == ESTOC_OK
        && estoc_ask_rays(world, ESTOC_CLOSEST_HIT, &rays, NULL, &run, &output, 1) == ESTOC_OK) {
        for (row = 0; row < HEIGHT; row += 2) {
            for (column = 0; column < WIDTH; column++) {
                putchar(t[row * WIDTH + column] < (float)INFINITY ? '#' : '.');
            }
            putchar('\n');
        }
        status = 0;
    } else {
        fprintf(stderr, "%s\n", estoc_last_error());
    }
    estoc_release(world);
    estoc_release(mesh);
    return status;
}
