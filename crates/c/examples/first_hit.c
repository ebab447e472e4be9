/* Which triangle of a square does a ray hit first, and where? */
#include <estoc.h>
#include <stdio.h>

/* Ends the program with what went wrong. */
static int failed(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, estoc_last_error());
    return 1;
}

int main(void)
{
    const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    estoc_mesh_arrays arrays = {0};
    estoc_mesh *mesh;
    estoc_world *square;
    estoc_ray ray;
    estoc_hit hit;
    int64_t touched;
    int64_t crossed;

    arrays.vertex_count = 4;
    arrays.positions = estoc_triples_f32(&corners[0][0], sizeof corners[0]);
    arrays.triangle_count = 2;
    arrays.indices = estoc_make_column(triangles, sizeof triangles[0], ESTOC_U32);
    if (estoc_mesh_from_arrays(&arrays, NULL, &mesh) != ESTOC_OK) {
        return failed("the mesh");
    }
    if (estoc_world_build(mesh, NULL, NULL, &square) != ESTOC_OK) {
        return failed("the tree");
    }

    /* Down the middle of the square, exactly along the edge that its triangles share. */
    ray = estoc_make_ray(0.5, 0.5, 3.0, 0.0, 0.0, -1.0);
    if (estoc_closest_hit(square, &ray, NULL, &hit) != ESTOC_OK) {
        return failed("the ray");
    }
    if (hit.triangle.prim == ESTOC_NONE) {
        printf("a miss\n");
    } else {
        printf("triangle %u at t = %g\n", (unsigned)hit.triangle.prim, hit.t);
    }
    if (estoc_count(square, ESTOC_HIT_COUNT, &ray, NULL, &touched) != ESTOC_OK
        || estoc_count(square, ESTOC_CROSSING_COUNT, &ray, NULL, &crossed) != ESTOC_OK) {
        return failed("the counts");
    }
    printf("%d triangles are touched, and %d surface is crossed\n", (int)touched, (int)crossed);

    estoc_release(square);
    estoc_release(mesh);
    return 0;
}
