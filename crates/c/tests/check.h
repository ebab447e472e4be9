/* What the tests in C share: checks that end the program, and meshes. */
#ifndef CHECK_H
#define CHECK_H

#include <estoc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            fprintf(stderr, "%s:%d: not true: %s\nlast error: %s\n", __FILE__, __LINE__, #condition,                  \
                    estoc_last_error());                                                                              \
            exit(1);                                                                                                  \
        }                                                                                                             \
    } while (0)

/* Checks the status of a call. */
#define GIVES(status, call) check_status(__FILE__, __LINE__, #call, (status), (call))
#define OK(call) GIVES(ESTOC_OK, call)

static void check_status(const char *file, int line, const char *what, estoc_status wanted, estoc_status found)
{
    if (found != wanted) {
        fprintf(stderr, "%s:%d: %s is %s instead of %s: %s\n", file, line, what, estoc_status_name(found),
                estoc_status_name(wanted), estoc_last_error());
        exit(1);
    }
    /* A failure has a sentence. */
    if (wanted != ESTOC_OK && strlen(estoc_last_error()) < 10) {
        fprintf(stderr, "%s:%d: no sentence tells why %s fails\n", file, line, what);
        exit(1);
    }
}

/* Returns the mesh of arrays of floats, or of doubles if they are not null. */
static estoc_mesh *mesh_of(const float *narrow, const double *wide, size_t vertices, const uint32_t *indices,
                           size_t triangles)
{
    estoc_mesh_arrays arrays;
    estoc_mesh_options options;
    estoc_mesh *mesh = NULL;
    memset(&arrays, 0, sizeof arrays);
    memset(&options, 0, sizeof options);
    options.precision = wide != NULL ? ESTOC_F64 : ESTOC_F32;
    arrays.vertex_count = vertices;
    arrays.positions = wide != NULL ? estoc_triples_f64(wide, 3 * sizeof *wide)
                                    : estoc_triples_f32(narrow, 3 * sizeof *narrow);
    arrays.triangle_count = triangles;
    arrays.indices = estoc_make_column(indices, 3 * sizeof *indices, ESTOC_U32);
    OK(estoc_mesh_from_arrays(&arrays, &options, &mesh));
    return mesh;
}

static estoc_world *world_of(estoc_mesh *mesh)
{
    estoc_world *world = NULL;
    OK(estoc_world_build(mesh, NULL, NULL, &world));
    OK(estoc_release(mesh));
    return world;
}

/* The corners and faces of the cube from -1 to 1, which faces outward. */
static const float CUBE[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                 {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const uint32_t CUBE_FACES[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                                           {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};

static estoc_mesh *cube_mesh(int is_f64)
{
    double wide[8][3];
    int i;
    for (i = 0; i < 24; i++) {
        wide[i / 3][i % 3] = CUBE[i / 3][i % 3];
    }
    return mesh_of(&CUBE[0][0], is_f64 ? &wide[0][0] : NULL, 8, &CUBE_FACES[0][0], 12);
}

/* Numbers that look random, the same on every machine: SplitMix64. */
static uint64_t next_bits(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Returns a number from -1 to 1 that is a float. */
static float next_float(uint64_t *state)
{
    return (float)(int32_t)(next_bits(state) >> 40) / 8388608.0f - 1.0f;
}

/* Returns the surface of a box as a grid of `n` by `n` squares on each side, each of two triangles, with corners that are not
 * shared by index: triangle `i` has the corners `3 i` to `3 i + 2`. */
static float *box_corners(int n, size_t *triangles)
{
    const size_t count = (size_t)6 * n * n * 2;
    float *corners = malloc(count * 9 * sizeof *corners);
    float *next = corners;
    int side, i, j, k, axis;
    CHECK(corners != NULL);
    for (side = 0; side < 6; side++) {
        for (i = 0; i < n; i++) {
            for (j = 0; j < n; j++) {
                static const int squares[2][6][2] = {{{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}},
                                                     {{0, 0}, {1, 1}, {1, 0}, {0, 0}, {0, 1}, {1, 1}}};
                for (k = 0; k < 6; k++) {
                    /* Steps that are no binary fractions, so that coordinates are rounded, alike on both sides. */
                    const int *square = squares[side % 2][k];
                    const float a = -1.0f + 2.0f * (float)(i + square[0]) / (float)n;
                    const float b = -1.0f + 2.0f * (float)(j + square[1]) / (float)n;
                    axis = side / 2;
                    next[axis] = side % 2 != 0 ? -1.0f : 1.0f;
                    next[(axis + 1) % 3] = a;
                    next[(axis + 2) % 3] = b;
                    next += 3;
                }
            }
        }
    }
    *triangles = count;
    return corners;
}

static estoc_world *box_world(int n)
{
    estoc_mesh_arrays arrays;
    estoc_mesh *mesh = NULL;
    size_t triangles;
    float *corners = box_corners(n, &triangles);
    memset(&arrays, 0, sizeof arrays);
    arrays.vertex_count = 3 * triangles;
    arrays.positions = estoc_triples_f32(corners, 3 * sizeof *corners);
    arrays.triangle_count = triangles;
    OK(estoc_mesh_from_arrays(&arrays, NULL, &mesh));
    free(corners);
    return world_of(mesh);
}

/* The usual outputs of hits. */
typedef struct hit_columns {
    double *t, *u, *v;
    uint32_t *prim;
    estoc_output outputs[4];
} hit_columns;

static hit_columns hit_columns_of(size_t count)
{
    hit_columns found;
    found.t = malloc(count * sizeof(double));
    found.u = malloc(count * sizeof(double));
    found.v = malloc(count * sizeof(double));
    found.prim = malloc(count * sizeof(uint32_t));
    CHECK(found.t != NULL && found.u != NULL && found.v != NULL && found.prim != NULL);
    found.outputs[0] = estoc_make_output("t", found.t, 8, ESTOC_F64);
    found.outputs[1] = estoc_make_output("u", found.u, 8, ESTOC_F64);
    found.outputs[2] = estoc_make_output("v", found.v, 8, ESTOC_F64);
    found.outputs[3] = estoc_make_output("prim", found.prim, 4, ESTOC_U32);
    return found;
}

static void free_hit_columns(hit_columns *found)
{
    free(found->t);
    free(found->u);
    free(found->v);
    free(found->prim);
}

/* Checks that all these are used, so that no compiler warns about one that a test does not need. */
static void use_all(void)
{
    (void)cube_mesh;
    (void)box_world;
    (void)next_float;
    (void)hit_columns_of;
    (void)free_hit_columns;
    (void)use_all;
}

#endif
