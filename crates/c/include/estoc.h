/* estoc: exact and fast ray queries on triangle meshes.
 *
 * Which triangle does a ray hit first, and where? estoc answers as exact arithmetic on the given numbers would: no ray
 * slips through an edge that two triangles share, and no answer depends on the tree, the threads or the machine.
 *
 * A mesh (estoc_mesh) is made of arrays or read from a file. The tree of a mesh, and a scene as it was when it was committed,
 * are worlds (estoc_world), which answer questions about rays and points.
 *
 * Statuses. Every function but estoc_status_name and estoc_last_error returns a status; ESTOC_OK is 0. What failed, where, and
 * what to do about it is a sentence, by estoc_last_error. No function ends the program, throws, or jumps out.
 *
 * Structs of options, inputs and outputs are zeroed by the caller, and then set in part: zeros are the usual way.
 *
 * Handles are counted. Functions that make one give a reference, which estoc_release takes back; estoc_retain adds one. A handle
 * that was released, garbage, and the handle of another kind of object are told by a status.
 *
 * What the caller keeps to: a pointer that is not null points to what its type says, and to as many as a count says; nobody
 * writes to that during the call, and where answers are written nobody else reads or writes; and an object is not released
 * for the last time while another thread is in a call with it.
 *
 * Threads. Any thread may call any function at any time.
 *
 * Floating-point modes. The functions work in the default mode, whatever the caller has set (rounding, FTZ, DAZ, exceptions), and
 * their callbacks run in that of the caller. The answers do not depend on it.
 *
 * This file is made by crates/c/header. */

#ifndef ESTOC_H
#define ESTOC_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
/* The version of this header. */
#define ESTOC_VERSION_MAJOR 0
#define ESTOC_VERSION_MINOR 1
#define ESTOC_VERSION_PATCH 0

/**
 * No triangle, or no placement.
 */
#define ESTOC_NONE UINT32_MAX

/**
 * The largest number of placements in a path: scenes nest this deep.
 */
#define ESTOC_MAX_DEPTH 8

/**
 * What a function returns. `estoc_last_error` tells more about what is not `ESTOC_OK`.
 *
 * After a failure, what the function was to write is incomplete, and handles that it was to make are not made.
 */
enum estoc_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * All is well.
     */
    ESTOC_OK = 0,
    /**
     * A pointer is null that the function needs.
     */
    ESTOC_NULL = 1,
    /**
     * What is given as a handle is none, and never was.
     */
    ESTOC_NOT_A_HANDLE = 2,
    /**
     * The object of the handle was released: it is used or released once too often.
     */
    ESTOC_RELEASED = 3,
    /**
     * The handle is that of another kind of object, such as a mesh instead of a world.
     */
    ESTOC_WRONG_KIND = 4,
    /**
     * A number or constant is none that the function takes.
     */
    ESTOC_BAD_ARGUMENT = 5,
    /**
     * A count and a stride reach beyond all memory, or elements of an output overlap.
     */
    ESTOC_BAD_LENGTH = 6,
    /**
     * The world is in `float`, and a number that the question is about is none. Nothing is rounded silently: round it,
     * or make the mesh in `ESTOC_F64`.
     */
    ESTOC_NOT_F32 = 7,
    /**
     * The world does not answer this question, as scenes do not answer all that trees do.
     */
    ESTOC_UNSUPPORTED = 8,
    /**
     * A callback ended the work.
     */
    ESTOC_CANCELLED = 9,
    /**
     * The system has no memory, or not enough address space.
     */
    ESTOC_NO_MEMORY = 10,
    /**
     * The system does not start as many threads.
     */
    ESTOC_NO_THREADS = 11,
    /**
     * A file cannot be opened, read or written.
     */
    ESTOC_FILE = 12,
    /**
     * A mesh has faults, in arrays or in a file.
     */
    ESTOC_BAD_MESH = 13,
    /**
     * A tree file is damaged, or is none.
     */
    ESTOC_BAD_TREE_FILE = 14,
    /**
     * A matrix has no inverse, or a scene no such placement.
     */
    ESTOC_BAD_SCENE = 15,
    /**
     * A ray is to continue after a triangle that it does not hit.
     */
    ESTOC_BAD_QUERY = 16,
    /**
     * The surface is not closed, or not oriented, so that the rule knows no inside.
     */
    ESTOC_OPEN_SURFACE = 17,
    /**
     * There are more answers, triangles or handles than are allowed.
     */
    ESTOC_TOO_MANY = 18,
    /**
     * A fault of estoc. The library goes on; the objects that the call changed may be incomplete.
     */
    ESTOC_FAULT = 19,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum estoc_status estoc_status;
#else
typedef int32_t estoc_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A list of answers for each item of a question.
 */
typedef struct estoc_lists estoc_lists;

/**
 * A mesh: corners and triangles, which were checked. It does not change.
 */
typedef struct estoc_mesh estoc_mesh;

/**
 * A scene that can be changed: worlds that are placed by matrices.
 */
typedef struct estoc_scene estoc_scene;

/**
 * What answers questions: the tree of a mesh, or a scene as it was when it was committed. It does not change.
 */
typedef struct estoc_world estoc_world;

/**
 * The type of numbers in memory: one of the constants `ESTOC_F32` to `ESTOC_U64`.
 */
typedef int32_t estoc_type;

/**
 * One number for each item, in an array, or at equal distances within other things, such as structs.
 */
typedef struct estoc_column {
    /**
     * The number of the first item. Need not be aligned. Null where there are no such numbers.
     */
    const void *data;
    /**
     * The bytes from one number to the next: negative to go backwards, 0 to use one number for all items.
     */
    ptrdiff_t stride;
    /**
     * The type of the numbers.
     */
    estoc_type type;
} estoc_column;

/**
 * Three numbers for each item: three arrays (with the stride 4 or 8), an array of triples (with x, y and z at the first one,
 * and the stride 12 or 24), or triples within other things.
 */
typedef struct estoc_vectors {
    /**
     * The first coordinate of the first item. Need not be aligned.
     */
    const void *x;
    /**
     * The second coordinate of the first item.
     */
    const void *y;
    /**
     * The third coordinate of the first item.
     */
    const void *z;
    /**
     * The bytes from the numbers of one item to those of the next: negative to go backwards, 0 to use one for all items.
     */
    ptrdiff_t stride;
    /**
     * The type of the numbers: `ESTOC_F32` or `ESTOC_F64`.
     */
    estoc_type type;
} estoc_vectors;

/**
 * A mesh as arrays. They are copied.
 */
typedef struct estoc_mesh_arrays {
    /**
     * The number of corners.
     */
    size_t vertex_count;
    /**
     * The corners.
     */
    struct estoc_vectors positions;
    /**
     * The number of triangles.
     */
    size_t triangle_count;
    /**
     * The numbers of each triangle's three corners, which follow each other; of any type of whole numbers. If `data` is null,
     * triangle `i` has the corners `3 i`, `3 i + 1` and `3 i + 2`.
     */
    struct estoc_column indices;
} estoc_mesh_arrays;

/**
 * Where the coordinates of a mesh have their origin: one of the constants `ESTOC_FRAME_NONE` to `ESTOC_FRAME_AT`.
 */
typedef int32_t estoc_frame;

/**
 * Which corners are joined: one of the constants `ESTOC_WELD_NONE` to `ESTOC_WELD_WITHIN`.
 */
typedef int32_t estoc_weld;

/**
 * How a mesh is made. All zeros, or a null pointer in its place, are the usual way.
 */
typedef struct estoc_mesh_options {
    /**
     * `ESTOC_F32` to round coordinates to `float`s, `ESTOC_F64` to keep `double`s, from which trees answer exactly and in `double`.
     * 0 as needed: arrays are rounded only where that changes nothing, files where it does not change the shape.
     */
    estoc_type precision;
    /**
     * 1 to leave out faces that cannot be used, 0 to refuse the mesh.
     */
    int32_t skip_bad_faces;
    /**
     * Where the coordinates have their origin. A mesh with another one than 0 has `float`s, relative to it; its world
     * is asked in the coordinates that were given.
     */
    estoc_frame frame;
    /**
     * The origin for `ESTOC_FRAME_AT`.
     */
    double origin[3];
    /**
     * Which corners are joined; for meshes in `float`.
     */
    estoc_weld weld;
    /**
     * The distance for `ESTOC_WELD_WITHIN`.
     */
    double weld_distance;
} estoc_mesh_options;

/**
 * Called with the number of units that are done, and the number of all, or 0 where it is not known; returns 1 to go on, and 0
 * to end the work, which then fails with `ESTOC_CANCELLED`. It is called from any thread, but never twice at a time.
 * It must not throw or jump out, nor change a scene.
 */
typedef int32_t (*estoc_progress)(void *user, uint64_t done, uint64_t total);

/**
 * How work runs. All zeros, or a null pointer in its place, are the usual way.
 */
typedef struct estoc_run {
    /**
     * The number of threads: 0 for those that the library keeps (`RAYON_NUM_THREADS` in the environment, else one for each
     * core), 1 for the calling thread alone, more for threads that are started for this call. At most 1,024. The answers do
     * not depend on it.
     */
    uint32_t threads;
    /**
     * The largest number of answers in all lists of a call; more are `ESTOC_TOO_MANY`. 0 for no limit.
     */
    uint64_t max_values;
    /**
     * Told the progress; may be null.
     */
    estoc_progress progress;
    /**
     * Passed to `progress`.
     */
    void *user;
} estoc_run;

/**
 * What is known of a mesh.
 */
typedef struct estoc_mesh_info {
    /**
     * The number of corners.
     */
    size_t vertices;
    /**
     * The number of triangles.
     */
    size_t triangles;
    /**
     * `ESTOC_F32` or `ESTOC_F64`.
     */
    estoc_type precision;
    /**
     * The origin of the coordinates.
     */
    double origin[3];
    /**
     * The lowest corner of the smallest box around all triangles, relative to the origin; of an empty mesh infinite.
     */
    double min[3];
    /**
     * The highest corner of that box; of an empty mesh negative and infinite.
     */
    double max[3];
} estoc_mesh_info;

/**
 * A triangle of a world.
 */
typedef struct estoc_triangle {
    /**
     * The number of the triangle in its mesh, from 0; `ESTOC_NONE` for no triangle.
     */
    uint32_t prim;
    /**
     * The number of placements that lead to the mesh; 0 where the world is one mesh.
     */
    uint32_t depth;
    /**
     * The numbers of these placements, from the outermost; those after the last are 0.
     */
    uint32_t path[ESTOC_MAX_DEPTH];
} estoc_triangle;

/**
 * The point of a world that is closest to a point. Numbers of a world in `float` are the nearest `float`s.
 */
typedef struct estoc_closest {
    /**
     * The distance; infinite where there is none.
     */
    double distance;
    /**
     * The closest point.
     */
    double point[3];
    /**
     * The weight of the triangle's second corner.
     */
    double u;
    /**
     * The weight of the triangle's third corner.
     */
    double v;
    /**
     * The triangle. Its `prim` is `ESTOC_NONE` where there is none, and only that tells it.
     */
    struct estoc_triangle triangle;
    /**
     * The part of the triangle: 0 to 2 for a corner, 3 to 5 for an edge, 6 for the face, 255 for none.
     */
    uint32_t feature;
} estoc_closest;

/**
 * What decides whether a point is inside: one of the constants `ESTOC_RULE_PARITY` to `ESTOC_RULE_ESTIMATE`.
 */
typedef int32_t estoc_rule;

/**
 * Many points. A point that is not finite is near nothing.
 */
typedef struct estoc_points {
    /**
     * The number of points.
     */
    size_t count;
    /**
     * The points.
     */
    struct estoc_vectors position;
} estoc_points;

/**
 * Where one number of the answer about each item is written.
 */
typedef struct estoc_output {
    /**
     * Where that of the first item is written. Need not be aligned. Null for numbers that are not wanted.
     */
    void *data;
    /**
     * The bytes from one number to the next; negative to go backwards. At least the size of a number.
     */
    ptrdiff_t stride;
    /**
     * The type of the numbers, which must have all values that an answer may have.
     */
    estoc_type type;
} estoc_output;

/**
 * Where answers are written, number by number. The documentation of a function says which of them are numbers of its answers,
 * and their types; all others must be null. Zero the struct, and set what is wanted.
 */
typedef struct estoc_outputs {
    /**
     * Whether there is a hit, or whether the point is inside: 1 or 0. `ESTOC_U8` or a larger type.
     */
    struct estoc_output found;
    /**
     * A number of hits or crossings. `ESTOC_I64`.
     */
    struct estoc_output count;
    /**
     * The number of the triangle, `ESTOC_NONE` where there is none. `ESTOC_U32`, `ESTOC_U64` or `ESTOC_I64`.
     */
    struct estoc_output prim;
    /**
     * In scenes: the numbers of the placements that lead to the mesh, as many for each item as `estoc_world_info` tells
     * (`depth`), those after the last `ESTOC_NONE`. `ESTOC_U32`.
     */
    struct estoc_output path;
    /**
     * The parameter of a hit, in lengths of the direction. Numbers with a fraction are `float`s, but for a world in `double`;
     * `ESTOC_F64` takes both, `ESTOC_F32` only `float`s.
     */
    struct estoc_output t;
    /**
     * The weight of the triangle's second corner.
     */
    struct estoc_output u;
    /**
     * The weight of the triangle's third corner.
     */
    struct estoc_output v;
    /**
     * The distance of a point, infinite where there is none; negative inside for signed distances.
     */
    struct estoc_output distance;
    /**
     * The part of the triangle that is closest: 0 to 2 for a corner, 3 to 5 for an edge, 6 for the face, 255 for none.
     * `ESTOC_U8` or a larger type.
     */
    struct estoc_output feature;
    /**
     * The first coordinate of the closest point. In scenes `double`s.
     */
    struct estoc_output x;
    /**
     * The second coordinate.
     */
    struct estoc_output y;
    /**
     * The third coordinate.
     */
    struct estoc_output z;
    /**
     * 1 inside and on the surface, 0 outside, 255 without an answer. `ESTOC_U8` or a larger type.
     */
    struct estoc_output inside;
    /**
     * A winding number. `ESTOC_I64`.
     */
    struct estoc_output number;
    /**
     * 1 for a point on the surface, which has no winding number, 0 for others, 255 without an answer. `ESTOC_U8` or a larger
     * type.
     */
    struct estoc_output on_surface;
    /**
     * An estimate of the winding number. `ESTOC_F64`.
     */
    struct estoc_output value;
    /**
     * The bound of its error. `ESTOC_F64`.
     */
    struct estoc_output error;
} estoc_outputs;

/**
 * A ray: the points `origin + t * dir` with `t_min <= t <= t_max`, both ends included. `estoc_make_ray` makes one without an
 * end.
 *
 * A ray that is not defined, such as one with NaN in it, without a direction or with infinite coordinates, hits nothing.
 * Numbers are never rounded: a ray whose numbers are all `float`s is as fast at a world in `float` as a ray there is, and
 * another one gets the exact answer more slowly.
 */
typedef struct estoc_ray {
    /**
     * The point at `t = 0`.
     */
    double origin[3];
    /**
     * The direction, of any length. It is the unit of `t`.
     */
    double dir[3];
    /**
     * The least parameter that counts; may be negative, and infinite.
     */
    double t_min;
    /**
     * The greatest parameter that counts; `INFINITY` for a ray without an end.
     */
    double t_max;
} estoc_ray;

/**
 * Which side of triangles rays do not hit: one of the constants `ESTOC_CULL_NONE` to `ESTOC_CULL_FRONT`.
 */
typedef int32_t estoc_cull;

/**
 * A hit. Numbers of a world in `float` are the nearest `float`s.
 */
typedef struct estoc_hit {
    /**
     * The parameter along the ray, in lengths of the direction; infinite for a miss, and for a hit beyond the numbers.
     */
    double t;
    /**
     * The weight of the triangle's second corner; 0 for a miss.
     */
    double u;
    /**
     * The weight of the triangle's third corner; 0 for a miss.
     */
    double v;
    /**
     * The triangle. For a miss its `prim` is `ESTOC_NONE`, and only that tells a miss.
     */
    struct estoc_triangle triangle;
} estoc_hit;

/**
 * Decides whether a hit counts: 1 if it does, 0 if not. What it returns may depend only on the ray and the hit: it is called
 * in any order, for some of the hits, possibly more than once for one, and from any threads at the same time. It may ask
 * questions. It must not throw or jump out, nor change a scene. The pointers end with the call.
 */
typedef int32_t (*estoc_filter)(void *user, const struct estoc_ray *ray, const struct estoc_hit *hit);

/**
 * Options of rays. All zeros, or a null pointer in its place, restrict nothing.
 */
typedef struct estoc_ray_options {
    /**
     * Which side of triangles is not hit.
     */
    estoc_cull cull;
    /**
     * 1 to leave out hits exactly at `t_min` and at `t_max`, as for the line of sight between two points; else 0.
     */
    int32_t open_ends;
    /**
     * The groups of triangles that rays see: those with which they share a bit; see `estoc_build`. 0 for all.
     */
    uint32_t mask;
    /**
     * A triangle that no ray hits, such as that which it leaves; null for none.
     */
    const struct estoc_triangle *skip;
    /**
     * The triangle behind whose hit every ray continues, without that hit; null for none. A ray that does not hit it is an
     * error (`ESTOC_BAD_QUERY`).
     */
    const struct estoc_triangle *after;
    /**
     * The triangle that each ray skips, in place of `skip`: that of the first ray; null for none.
     */
    const struct estoc_triangle *skip_each;
    /**
     * The bytes from one of them to the next.
     */
    ptrdiff_t skip_stride;
    /**
     * The triangle after which each ray continues, in place of `after`: that of the first ray; null for none.
     */
    const struct estoc_triangle *after_each;
    /**
     * The bytes from one of them to the next.
     */
    ptrdiff_t after_stride;
    /**
     * The mask of each ray, in place of `mask`, `ESTOC_U32`; here a ray with 0 sees nothing.
     */
    struct estoc_column mask_each;
    /**
     * Decides which hits count; null if all do.
     */
    estoc_filter filter;
    /**
     * Passed to `filter`.
     */
    void *user;
} estoc_ray_options;

/**
 * Many rays, number by number; see `estoc_ray`. Rays that follow each other should be close to each other: those of a picture
 * are fastest in tiles of 16 by 16 pixels.
 */
typedef struct estoc_rays {
    /**
     * The number of rays.
     */
    size_t count;
    /**
     * The origins.
     */
    struct estoc_vectors origin;
    /**
     * The directions.
     */
    struct estoc_vectors dir;
    /**
     * The least parameters that count, `ESTOC_F32` or `ESTOC_F64`; 0 where `data` is null.
     */
    struct estoc_column t_min;
    /**
     * The greatest parameters that count; infinite where `data` is null.
     */
    struct estoc_column t_max;
} estoc_rays;

/**
 * An affine map of the coordinates of a mesh (relative to its origin) or of a scene to those of the scene that it is placed in. Any
 * one that has an inverse.
 */
typedef struct estoc_matrix {
    /**
     * For each axis three factors and the movement: `x' = rows[0][0] x + rows[0][1] y + rows[0][2] z + rows[0][3]`.
     */
    double rows[3][4];
} estoc_matrix;

/**
 * How a world is placed in a scene.
 */
typedef struct estoc_placement {
    /**
     * Where it is.
     */
    struct estoc_matrix matrix;
    /**
     * The groups that the placement is in, a bit each: a ray sees it only if they share a bit. 0 for all.
     */
    uint32_t mask;
    /**
     * 1 to exchange the sides of the triangles, else 0.
     */
    int32_t reversed;
} estoc_placement;

/**
 * How long a build may take for faster queries: one of the constants `ESTOC_QUALITY_BALANCED` to `ESTOC_QUALITY_BEST`.
 */
typedef int32_t estoc_quality;

/**
 * How a tree is built. All zeros, or a null pointer in its place, are the usual way.
 */
typedef struct estoc_build {
    /**
     * How long the build may take.
     */
    estoc_quality quality;
    /**
     * The most bytes that the build may take at a time, the tree included; 0 for all that the system has.
     */
    size_t memory_budget;
    /**
     * The groups that each triangle is in, a bit each, `ESTOC_U32`: a ray hits it only if they share a bit. In all groups where
     * `data` is null.
     */
    struct estoc_column masks;
} estoc_build;

/**
 * What is known of a world.
 */
typedef struct estoc_world_info {
    /**
     * The number of triangles; in scenes each is counted as often as it is placed.
     */
    uint64_t triangles;
    /**
     * The type of `t`, `u`, `v` and distances: `ESTOC_F32` or `ESTOC_F64`.
     */
    estoc_type precision;
    /**
     * The numbers in each path: 0 for the tree of a mesh, else the largest depth of the scene, at least 1.
     */
    uint32_t depth;
    /**
     * The origin of the coordinates of a tree. Questions, hits and closest points are in the world's coordinates, whatever it is.
     */
    double origin[3];
} estoc_world_info;

/**
 * At 0.
 */
#define ESTOC_FRAME_NONE 0

/**
 * At a point that is chosen near the middle of the mesh.
 */
#define ESTOC_FRAME_AUTO 1

/**
 * At a point that is given.
 */
#define ESTOC_FRAME_AT 2

/**
 * None.
 */
#define ESTOC_WELD_NONE 0

/**
 * Those within the least distance that closes the mesh; an error if there is none.
 */
#define ESTOC_WELD_AUTO 1

/**
 * Those within a distance that is given.
 */
#define ESTOC_WELD_WITHIN 2

/**
 * `float`.
 */
#define ESTOC_F32 1

/**
 * `double`.
 */
#define ESTOC_F64 2

/**
 * `uint8_t`.
 */
#define ESTOC_U8 3

/**
 * `uint16_t`.
 */
#define ESTOC_U16 4

/**
 * `int32_t`.
 */
#define ESTOC_I32 5

/**
 * `uint32_t`.
 */
#define ESTOC_U32 6

/**
 * `int64_t`.
 */
#define ESTOC_I64 7

/**
 * `uint64_t`.
 */
#define ESTOC_U64 8

/**
 * A ray to the outside crosses the surface an odd number of times, exactly. The mesh must be closed.
 */
#define ESTOC_RULE_PARITY 0

/**
 * The winding number is positive, exactly; shells may overlap. The mesh must be closed, and its triangles oriented alike.
 */
#define ESTOC_RULE_WINDING 1

/**
 * An estimate of the winding number is above one half. For every mesh, but not exact.
 */
#define ESTOC_RULE_ESTIMATE 2

/**
 * Rays hit both sides.
 */
#define ESTOC_CULL_NONE 0

/**
 * Rays do not hit the side from which the corners are seen clockwise.
 */
#define ESTOC_CULL_BACK 1

/**
 * Rays do not hit the side from which the corners are seen counterclockwise.
 */
#define ESTOC_CULL_FRONT 2

/**
 * The usual one.
 */
#define ESTOC_QUALITY_BALANCED 0

/**
 * A build in 0.55 to 0.85 of the time; rays take 4 % longer.
 */
#define ESTOC_QUALITY_FAST 1

/**
 * A build in 2.5 to 4 times the time; rays are up to 30 % faster in buildings.
 */
#define ESTOC_QUALITY_BEST 2

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Adds a reference to an object of any kind, which then has to be released once more. Any thread may call it.
 */
estoc_status estoc_retain(const void *handle);

/**
 * Releases a reference to an object of any kind. With the last one the object is freed, and all pointers into it end; no
 * call that was given it may be running then. Does nothing for null. A handle that was released is told
 * (`ESTOC_RELEASED`), as long as nobody else has a reference to the object. Any thread may call it.
 */
estoc_status estoc_release(const void *handle);

/**
 * Tells the number of items, and where their lists begin: the answers about item `i` are those from `offsets[i]` up to and
 * without `offsets[i + 1]`, in their order. There is one offset more than there are items. `items` and `offsets` may be null.
 * The offsets can be read until the lists are released. Any thread may call it.
 */
estoc_status estoc_lists_offsets(const struct estoc_lists *handle,
                                 size_t *items,
                                 const uint64_t **offsets);

/**
 * Tells where one number of all answers can be read, by the name that it has in `estoc_outputs`, such as "prim": its address,
 * the bytes from one to the next, and its type. It can be read until the lists are released. The numbers of "path" are as
 * many for each answer as the world is deep. Any thread may call it.
 *
 * Fails with `ESTOC_BAD_ARGUMENT` if the answers have no such number.
 */
estoc_status estoc_lists_column(const struct estoc_lists *handle,
                                const char *name,
                                struct estoc_column *column);

/**
 * Makes a mesh of arrays, which are copied. Its triangles keep their order; with `skip_bad_faces`, those after one that is left out
 * have lower numbers.
 *
 * Fails with `ESTOC_BAD_MESH` for an index out of range and for a corner of a triangle that is not finite, with
 * `ESTOC_NULL`, `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for arrays that cannot be, and with `ESTOC_NO_MEMORY`.
 * Any thread may call it. Release the mesh by `estoc_release`.
 */
estoc_status estoc_mesh_from_arrays(const struct estoc_mesh_arrays *arrays,
                                    const struct estoc_mesh_options *options,
                                    struct estoc_mesh **mesh);

/**
 * Loads a file in OBJ, PLY, STL, OFF or glTF 2.0, as it is or compressed by gzip or zstd; its content tells which. `run` may be
 * null.
 *
 * Fails with `ESTOC_FILE` for a file that cannot be read, with `ESTOC_BAD_MESH` for one with faults, of which
 * `estoc_last_error` tells the line and the remedy, with `ESTOC_CANCELLED` and `ESTOC_NO_MEMORY`. Any thread may call it.
 */
estoc_status estoc_mesh_load(const char *path,
                             const struct estoc_mesh_options *options,
                             const struct estoc_run *run,
                             struct estoc_mesh **mesh);

/**
 * Reads the bytes of such a file, which errors call by `name`. A format that refers to other files is read without them.
 *
 * Fails as `estoc_mesh_load`. Any thread may call it.
 */
estoc_status estoc_mesh_read(const uint8_t *bytes,
                             size_t size,
                             const char *name,
                             const struct estoc_mesh_options *options,
                             const struct estoc_run *run,
                             struct estoc_mesh **mesh);

/**
 * Tells what is known of a mesh. Any thread may call it.
 */
estoc_status estoc_mesh_get_info(const struct estoc_mesh *handle, struct estoc_mesh_info *info);

/**
 * Tells where the corners of a mesh can be read, relative to its origin, until it is released. Any thread may call it.
 */
estoc_status estoc_mesh_positions(const struct estoc_mesh *handle,
                                  struct estoc_vectors *positions);

/**
 * Tells where the numbers of the corners of all triangles can be read, three for each triangle, until the mesh is released. Any
 * thread may call it.
 */
estoc_status estoc_mesh_indices(const struct estoc_mesh *handle,
                                const uint32_t **indices);

/**
 * Tells the closest point of a world to one point, if it is at most `max_distance` away (`INFINITY` for any distance; in a world in
 * `float` it is rounded to one). Of triangles that are exactly as far, that with the lowest number.
 *
 * A point that is not finite is near nothing. Any thread may call it, and any number of them at the same time.
 */
estoc_status estoc_closest_point(const struct estoc_world *world,
                                 const double (*point)[3],
                                 double max_distance,
                                 struct estoc_closest *closest);

/**
 * Tells the distance of one point from the surface of a tree, negative inside; infinite where it is not finite. `ESTOC_NOT_F32`
 * for a tree in `float` and a point that is not.
 *
 * Fails with `ESTOC_OPEN_SURFACE` if the mesh has no inside by the rule: the sentence tells where it is open. The first call for
 * a world looks at all its edges. Any thread may call it, and any number of them at the same time.
 */
estoc_status estoc_signed_distance(const struct estoc_world *world,
                                   const double (*point)[3],
                                   estoc_rule rule,
                                   double *distance);

/**
 * Tells whether one point is inside a world, or exactly on its surface: 1 or 0. In scenes it is inside if it is inside at least
 * one closed object, by `ESTOC_RULE_PARITY`. As `estoc_signed_distance` otherwise.
 */
estoc_status estoc_contains(const struct estoc_world *world,
                            const double (*point)[3],
                            estoc_rule rule,
                            int32_t *inside);

/**
 * Tells the closest point to each point, if it is at most `max_distance` away: `distance`, `prim`, `u`, `v`, `feature`, `x`, `y` and
 * `z`, in scenes `path`, too. `run` may be null. The answers are those of `estoc_closest_point`.
 *
 * Fails with `ESTOC_NULL`, `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for arrays that cannot be, with `ESTOC_CANCELLED`,
 * `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`. Any thread may call it, and any number of them at the same time.
 */
estoc_status estoc_closest_points(const struct estoc_world *world,
                                  const struct estoc_points *points,
                                  double max_distance,
                                  const struct estoc_run *run,
                                  const struct estoc_outputs *outputs);

/**
 * Tells the distance of each point: `distance`, infinite where there is none. As `estoc_closest_points` otherwise.
 */
estoc_status estoc_distances(const struct estoc_world *world,
                             const struct estoc_points *points,
                             const struct estoc_run *run,
                             const struct estoc_outputs *outputs);

/**
 * Tells the distance of each point with its sign: `distance`, negative inside, and `inside`. As `estoc_signed_distance` and
 * `estoc_closest_points` otherwise.
 */
estoc_status estoc_signed_distances(const struct estoc_world *world,
                                    const struct estoc_points *points,
                                    estoc_rule rule,
                                    const struct estoc_run *run,
                                    const struct estoc_outputs *outputs);

/**
 * Tells whether each point is inside: `found`. As `estoc_contains` and `estoc_closest_points` otherwise.
 */
estoc_status estoc_contains_each(const struct estoc_world *world,
                                 const struct estoc_points *points,
                                 estoc_rule rule,
                                 const struct estoc_run *run,
                                 const struct estoc_outputs *outputs);

/**
 * Tells how often the surface of a tree winds around each point: `number` and `on_surface`. The mesh must be closed, and its
 * triangles oriented alike. As `estoc_signed_distance` and `estoc_closest_points` otherwise.
 */
estoc_status estoc_winding_numbers(const struct estoc_world *world,
                                   const struct estoc_points *points,
                                   const struct estoc_run *run,
                                   const struct estoc_outputs *outputs);

/**
 * Estimates how often the surface of a tree winds around each point, for any mesh: `value`, and `error`, the bound of its error. As
 * `estoc_signed_distance` and `estoc_closest_points` otherwise.
 */
estoc_status estoc_winding_estimates(const struct estoc_world *world,
                                     const struct estoc_points *points,
                                     const struct estoc_run *run,
                                     const struct estoc_outputs *outputs);

/**
 * Lists the triangles that are at most `radius` away from each point, by number: "prim", in scenes "path", too. As
 * `estoc_closest_points` otherwise; fails with `ESTOC_TOO_MANY` beyond `run->max_values`. Release the lists by `estoc_release`.
 */
estoc_status estoc_within(const struct estoc_world *world,
                          const struct estoc_points *points,
                          double radius,
                          const struct estoc_run *run,
                          struct estoc_lists **lists);

/**
 * Lists the `k` triangles that are closest to each point, the closest first, with the closest point of each: what
 * `estoc_closest_points` tells. As `estoc_within` otherwise.
 */
estoc_status estoc_closest_triangles(const struct estoc_world *world,
                                     const struct estoc_points *points,
                                     size_t k,
                                     const struct estoc_run *run,
                                     struct estoc_lists **lists);

/**
 * Tells the first hit on one ray; of hits at exactly the same place that on the triangle with the lowest number. `options` may be
 * null.
 *
 * `t` is in lengths of the direction. A ray that is not defined, as one with NaN, misses. Fails with `ESTOC_BAD_QUERY` if the
 * ray does not hit the triangle in `options->after`. Any thread may call it, and any number of them at the same time.
 */
estoc_status estoc_closest_hit(const struct estoc_world *world,
                               const struct estoc_ray *ray,
                               const struct estoc_ray_options *options,
                               struct estoc_hit *hit);

/**
 * Tells whether one ray hits anything: 1 or 0. As `estoc_closest_hit` otherwise.
 */
estoc_status estoc_any_hit(const struct estoc_world *world,
                           const struct estoc_ray *ray,
                           const struct estoc_ray_options *options,
                           int32_t *found);

/**
 * Tells how many triangles one ray touches. As `estoc_closest_hit` otherwise.
 */
estoc_status estoc_count_hits(const struct estoc_world *world,
                              const struct estoc_ray *ray,
                              const struct estoc_ray_options *options,
                              int64_t *count);

/**
 * Tells how often one ray crosses the surface: at an edge or corner that triangles share once, and not at all or twice where it
 * only grazes. As `estoc_closest_hit` otherwise.
 */
estoc_status estoc_count_crossings(const struct estoc_world *world,
                                   const struct estoc_ray *ray,
                                   const struct estoc_ray_options *options,
                                   int64_t *count);

/**
 * Tells the first hit on each ray: `t`, `prim`, `u` and `v`, in scenes `path`, too. For a miss `prim` is `ESTOC_NONE`, and only
 * that tells it. `options` and `run` may be null.
 *
 * Rays are traced by all threads of the library, unless `run` has others, and in the fastest way for their order. The answers
 * are those of `estoc_closest_hit`, to the bit, whatever the number of threads.
 *
 * Fails with `ESTOC_NULL`, `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for arrays that cannot be, with `ESTOC_BAD_QUERY` for the
 * first ray that does not hit its triangle in `after`, with `ESTOC_CANCELLED`, `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`. Any
 * thread may call it, and any number of them at the same time.
 */
estoc_status estoc_closest_hits(const struct estoc_world *world,
                                const struct estoc_rays *rays,
                                const struct estoc_ray_options *options,
                                const struct estoc_run *run,
                                const struct estoc_outputs *outputs);

/**
 * Tells whether each ray hits anything: `found`. As `estoc_closest_hits` otherwise.
 */
estoc_status estoc_any_hits(const struct estoc_world *world,
                            const struct estoc_rays *rays,
                            const struct estoc_ray_options *options,
                            const struct estoc_run *run,
                            const struct estoc_outputs *outputs);

/**
 * Tells how many triangles each ray touches: `count`. As `estoc_closest_hits` otherwise.
 */
estoc_status estoc_hit_counts(const struct estoc_world *world,
                              const struct estoc_rays *rays,
                              const struct estoc_ray_options *options,
                              const struct estoc_run *run,
                              const struct estoc_outputs *outputs);

/**
 * Tells how often each ray crosses the surface: `count`. As `estoc_closest_hits` otherwise.
 */
estoc_status estoc_crossing_counts(const struct estoc_world *world,
                                   const struct estoc_rays *rays,
                                   const struct estoc_ray_options *options,
                                   const struct estoc_run *run,
                                   const struct estoc_outputs *outputs);

/**
 * Lists every triangle that each ray touches, in order along the ray: "t", "prim", "u", "v", in scenes "path", too. As
 * `estoc_closest_hits` otherwise; fails with `ESTOC_TOO_MANY` beyond `run->max_values`. Release the lists by `estoc_release`.
 */
estoc_status estoc_all_hits(const struct estoc_world *world,
                            const struct estoc_rays *rays,
                            const struct estoc_ray_options *options,
                            const struct estoc_run *run,
                            struct estoc_lists **lists);

/**
 * Lists the first `k` hits on each ray. As `estoc_all_hits` otherwise.
 */
estoc_status estoc_first_hits(const struct estoc_world *world,
                              size_t k,
                              const struct estoc_rays *rays,
                              const struct estoc_ray_options *options,
                              const struct estoc_run *run,
                              struct estoc_lists **lists);

/**
 * Lists the crossings of the surface on each ray. As `estoc_all_hits` otherwise.
 */
estoc_status estoc_crossings(const struct estoc_world *world,
                             const struct estoc_rays *rays,
                             const struct estoc_ray_options *options,
                             const struct estoc_run *run,
                             struct estoc_lists **lists);

/**
 * Lists the hits on each ray at different parameters: of those at exactly the same one that on the triangle with the lowest number.
 * As `estoc_all_hits` otherwise.
 */
estoc_status estoc_distinct_hits(const struct estoc_world *world,
                                 const struct estoc_rays *rays,
                                 const struct estoc_ray_options *options,
                                 const struct estoc_run *run,
                                 struct estoc_lists **lists);

/**
 * Makes a scene without placements. Any thread may call it. Release the scene by `estoc_release`.
 */
estoc_status estoc_scene_create(struct estoc_scene **scene);

/**
 * Places a world, which may be released afterwards: the tree of a mesh, or a scene as it was when it was committed. Tells the
 * number of the placement, the lowest that is free, which names it in paths.
 *
 * Fails with `ESTOC_BAD_SCENE` for a matrix that is not finite or has no inverse, alone or composed with those in a placed
 * scene, and for more than `ESTOC_MAX_DEPTH` scenes in each other. Any thread may call it, while others ask questions and change
 * the scene; they do so one after the other.
 */
estoc_status estoc_scene_add(const struct estoc_scene *handle,
                             const struct estoc_world *world,
                             const struct estoc_placement *placement,
                             uint32_t *number);

/**
 * Moves a placement: gives it another matrix.
 *
 * Fails with `ESTOC_BAD_SCENE`, and then changes nothing. Any thread may call it, as `estoc_scene_add`.
 */
estoc_status estoc_scene_move(const struct estoc_scene *handle,
                              uint32_t number,
                              const struct estoc_matrix *matrix);

/**
 * Removes a placement. Its number is free then.
 *
 * Fails with `ESTOC_BAD_SCENE` if there is none. Any thread may call it, as `estoc_scene_add`.
 */
estoc_status estoc_scene_remove(const struct estoc_scene *handle, uint32_t number);

/**
 * Makes the world of the scene as it is now, which stays as it is while the scene changes. After moves it takes little time: the
 * boxes of the last world are refitted. `run` may be null; there is no progress.
 *
 * Fails with `ESTOC_NO_MEMORY`. Any thread may call it, as `estoc_scene_add`.
 */
estoc_status estoc_scene_commit(const struct estoc_scene *handle,
                                const struct estoc_run *run,
                                struct estoc_world **world);

/**
 * Returns the name of a status, such as "ESTOC_NULL"; "unknown status" for another number. Never null.
 */
const char *estoc_status_name(int32_t status);

/**
 * Returns the sentence about the last call of this thread that failed: what was wrong, where, and what to do about it. It
 * stays as it is until the next call of this thread that fails; before the first one it is "". Never null.
 */
const char *estoc_last_error(void);

/**
 * Builds the tree of a mesh, which may be released afterwards. `build` and `run` may be null.
 *
 * Fails with `ESTOC_NO_MEMORY`, also beyond the budget, with `ESTOC_CANCELLED` and `ESTOC_NO_THREADS`. Any thread may call it.
 * Release the world by `estoc_release`.
 */
estoc_status estoc_world_build(const struct estoc_mesh *handle,
                               const struct estoc_build *build,
                               const struct estoc_run *run,
                               struct estoc_world **world);

/**
 * Saves the tree of a mesh to a file, whole or not at all. `mesh`, which may be null, is that of which the tree was built: the
 * file then keeps its names.
 *
 * Fails with `ESTOC_UNSUPPORTED` for a scene, with `ESTOC_FILE`, `ESTOC_CANCELLED` and `ESTOC_NO_MEMORY`, and with
 * `ESTOC_BAD_TREE_FILE` for the mesh of another tree. Any thread may call it.
 */
estoc_status estoc_world_save(const struct estoc_world *handle,
                              const struct estoc_mesh *mesh,
                              const char *path,
                              const struct estoc_run *run);

/**
 * Loads a tree from a file that `estoc_world_save` or the command `estoc build` wrote, and its mesh, which is null if it is
 * not wanted. `run` may be null.
 *
 * Fails with `ESTOC_FILE` for a file that cannot be read, with `ESTOC_BAD_TREE_FILE` for one that is damaged or of another
 * kind, with `ESTOC_CANCELLED` and `ESTOC_NO_MEMORY`. Any thread may call it.
 */
estoc_status estoc_world_load(const char *path,
                              const struct estoc_run *run,
                              struct estoc_world **world,
                              struct estoc_mesh **mesh);

/**
 * Tells what is known of a world. Any thread may call it.
 */
estoc_status estoc_world_get_info(const struct estoc_world *handle, struct estoc_world_info *info);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ESTOC_H */

/* Helpers, which are compiled into the program. */

/* Returns a ray that starts at a point and has no end. */
static inline estoc_ray estoc_make_ray(double x, double y, double z, double dx, double dy, double dz)
{
    estoc_ray ray;
    ray.origin[0] = x;
    ray.origin[1] = y;
    ray.origin[2] = z;
    ray.dir[0] = dx;
    ray.dir[1] = dy;
    ray.dir[2] = dz;
    ray.t_min = 0.0;
    ray.t_max = (double)INFINITY;
    return ray;
}

/* Returns the map that moves along the axes. */
static inline estoc_matrix estoc_translation(double x, double y, double z)
{
    estoc_matrix matrix = {{{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};
    matrix.rows[0][3] = x;
    matrix.rows[1][3] = y;
    matrix.rows[2][3] = z;
    return matrix;
}

/* Returns triples of numbers that follow each other; `stride` is the number of bytes from one triple to the next. */
static inline estoc_vectors estoc_triples_f32(const float *first, ptrdiff_t stride)
{
    estoc_vectors vectors;
    vectors.x = first;
    vectors.y = first + 1;
    vectors.z = first + 2;
    vectors.stride = stride;
    vectors.type = ESTOC_F32;
    return vectors;
}

static inline estoc_vectors estoc_triples_f64(const double *first, ptrdiff_t stride)
{
    estoc_vectors vectors;
    vectors.x = first;
    vectors.y = first + 1;
    vectors.z = first + 2;
    vectors.stride = stride;
    vectors.type = ESTOC_F64;
    return vectors;
}

/* Returns a column of numbers in an array. */
static inline estoc_column estoc_make_column(const void *first, ptrdiff_t stride, estoc_type type)
{
    estoc_column column;
    column.data = first;
    column.stride = stride;
    column.type = type;
    return column;
}

/* Returns an output of numbers to an array. */
static inline estoc_output estoc_make_output(void *first, ptrdiff_t stride, estoc_type type)
{
    estoc_output output;
    output.data = first;
    output.stride = stride;
    output.type = type;
    return output;
}
