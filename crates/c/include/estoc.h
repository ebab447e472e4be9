/* estoc: exact and fast ray queries on triangle meshes.
 *
 * Which triangle does a ray hit first, and where? estoc answers as exact arithmetic on the given numbers would: no
 * ray slips through an edge that two triangles share, and no answer depends on the tree, the threads or the machine.
 *
 * A mesh (estoc_mesh) is made of arrays or read from a file. The tree of a mesh, and a scene as it was when it was
 * committed, are worlds (estoc_world), which answer questions about rays and points.
 *
 * Statuses. Every function but estoc_status_name and estoc_last_error returns a status; ESTOC_OK is 0. What failed,
 * where, and what to do about it is a sentence, by estoc_last_error. No function ends the program, throws, or jumps
 * out.
 *
 * Structs of options, inputs and outputs are zeroed by the caller, and then set in part: zeros are the usual way.
 *
 * Handles are counted. Functions that make one give a reference, which estoc_release takes back; estoc_retain adds
 * one. A handle that was released, garbage, and the handle of another kind of object are told by a status.
 *
 * What the caller keeps to: a pointer that is not null points to what its type says, and to as many as a count says;
 * nobody writes to that during the call, and where answers are written nobody else reads or writes; and an object is
 * not released for the last time while another thread is in a call with it.
 *
 * Threads. Any thread may call any function at any time.
 *
 * Floating-point modes. The functions work in the default mode, whatever the caller has set (rounding, FTZ, DAZ,
 * exceptions), and their callbacks run in that of the caller. The answers do not depend on it.
 *
 * This file is made by crates/c/header. */

#ifndef ESTOC_H
#define ESTOC_H

/* Generated with cbindgen:0.29.4 */

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
     * The world is in `float`, and a number that the question is about is none. Nothing is rounded silently: round
     * it, or make the mesh in `ESTOC_F64`.
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
 * The closest point of a surface. Numbers of a world in `float` are the nearest `float`s, but for the point where the world
 * is a scene, and where the given point is no `float`s.
 */
typedef struct estoc_closest {
    /**
     * The distance from the given point; infinite where there is none, and where it is beyond the numbers.
     */
    double distance;
    /**
     * The closest point, each coordinate the nearest to the exact one.
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
     * The triangle. Where there is none its `prim` is `ESTOC_NONE`, and only that tells it.
     */
    struct estoc_triangle triangle;
    /**
     * The part of the triangle: 0 to 2 for a corner, 3 to 5 for an edge, 6 for the face, 255 for none.
     */
    uint32_t feature;
} estoc_closest;

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
 * Three numbers for each item: three arrays (with the stride 4 or 8), an array of triples (with x, y and z at the
 * first one, and the stride 12 or 24), or triples within other things.
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
     * The bytes from the numbers of one item to those of the next: negative to go backwards, 0 to use one for all
     * items.
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
     * The numbers of each triangle's three corners, which follow each other; of any type of whole numbers. If `data`
     * is null, triangle `i` has the corners `3 i`, `3 i + 1` and `3 i + 2`.
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
     * `ESTOC_F32` to round coordinates to `float`s, `ESTOC_F64` to keep `double`s, from which trees answer exactly
     * and in `double`. 0 as needed: arrays are rounded only where that changes nothing, files where it does not
     * change the shape. A local frame and a weld need `float`s.
     */
    estoc_type precision;
    /**
     * 1 to leave out faces that cannot be used, 0 to refuse the mesh.
     */
    int32_t skip_bad_faces;
    /**
     * Where the coordinates have their origin. A mesh with another one than 0 has `float`s, relative to it; its
     * world is asked in the coordinates that were given.
     */
    estoc_frame frame;
    /**
     * The origin for `ESTOC_FRAME_AT`.
     */
    double origin[3];
    /**
     * Which corners are joined. Such a mesh has `float`s, to which coordinates are rounded.
     */
    estoc_weld weld;
    /**
     * The distance for `ESTOC_WELD_WITHIN`.
     */
    double weld_distance;
} estoc_mesh_options;

/**
 * Called with the number of units that are done, and the number of all, or 0 where it is not known; returns 1 to go
 * on, and 0 to end the work, which then fails with `ESTOC_CANCELLED`. It is called from any thread, but never twice
 * at a time. It must not throw or jump out, nor change a scene.
 */
typedef int32_t (*estoc_progress)(void *user, uint64_t done, uint64_t total);

/**
 * How work runs. All zeros, or a null pointer in its place, are the usual way.
 */
typedef struct estoc_run {
    /**
     * The number of threads: 0 for those that the library keeps (`RAYON_NUM_THREADS` in the environment, else one
     * for each core), else as many that are started for this call, at most 1,024; 1 for questions is the calling
     * thread alone. The answers do not depend on it.
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
 * What is known of a mesh. The pointers end with the mesh.
 */
typedef struct estoc_mesh_info {
    /**
     * The number of corners.
     */
    size_t vertex_count;
    /**
     * The corners, relative to the origin. Their type is the precision of the mesh.
     */
    struct estoc_vectors positions;
    /**
     * The number of triangles.
     */
    size_t triangle_count;
    /**
     * The numbers of the corners, three for each triangle.
     */
    const uint32_t *indices;
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
 * A child of a node.
 */
typedef struct estoc_child {
    /**
     * The lowest corner of a box that contains all triangles below the child.
     */
    double min[3];
    /**
     * Its highest corner.
     */
    double max[3];
    /**
     * The number of the node that the child is; `ESTOC_NONE` for a leaf, which has triangles.
     */
    uint32_t node;
    /**
     * The number of triangles, at most 8; 0 for a node.
     */
    uint32_t count;
    /**
     * The numbers of the triangles.
     */
    uint32_t prims[8];
} estoc_child;

/**
 * Called with the children of a node, at most 8, which end with the call; returns 1 for the next node, and 0 for no more.
 * Called in the thread of the caller. It must not throw or jump out.
 */
typedef int32_t (*estoc_visit_node)(void *user, const struct estoc_child *children, uint32_t count);

/**
 * A question about many rays or points: one of the constants `ESTOC_CLOSEST_HIT` to `ESTOC_CLOSEST_TRIANGLES`.
 *
 * Numbers with a fraction are the nearest `float`s, at a world in `double` the nearest `double`s. `prim` is the
 * number of the triangle in its mesh, and `path` those of the placements that lead to the mesh, in worlds with a
 * depth.
 */
typedef int32_t estoc_question;

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
 * What decides whether a point is inside: one of the constants `ESTOC_RULE_PARITY` to `ESTOC_RULE_ESTIMATE`.
 */
typedef int32_t estoc_rule;

/**
 * Options of questions about points. All zeros, or a null pointer in its place, are the usual way.
 */
typedef struct estoc_point_options {
    /**
     * What decides whether a point is inside.
     */
    estoc_rule rule;
    /**
     * For `ESTOC_CLOSEST_POINT` and `ESTOC_WITHIN`: the largest distance that counts, rounded to `float` but for worlds in
     * `double`; null or infinite for any distance, as other questions need it.
     */
    const double *max_distance;
    /**
     * For `ESTOC_CLOSEST_TRIANGLES`: the number of triangles for each point.
     */
    size_t max_triangles;
} estoc_point_options;

/**
 * Where one number of the answers is written, by its name; see `estoc_question`.
 */
typedef struct estoc_output {
    /**
     * The name of the number, such as "prim".
     */
    const char *name;
    /**
     * Where that of the first item is written. Need not be aligned.
     */
    void *data;
    /**
     * The bytes from the number of one item to that of the next; negative to go backwards. At least the size of a
     * number.
     */
    ptrdiff_t stride;
    /**
     * The type of the numbers. One that has all values: for numbers with a fraction `ESTOC_F64`, and `ESTOC_F32` for
     * `float`s; for "prim" `ESTOC_U32`, `ESTOC_U64` or `ESTOC_I64`; for "path" `ESTOC_U32`, as many for each item as
     * the world is deep, those behind the last placement `ESTOC_NONE`; for "count" and "number" `ESTOC_I64`; for
     * others `ESTOC_U8`, `ESTOC_I32` or `ESTOC_U32`.
     */
    estoc_type type;
} estoc_output;

/**
 * A ray: the points `origin + t * dir` with `t_min <= t <= t_max`, both ends included. `estoc_make_ray` makes one
 * without an end.
 *
 * A ray that is not defined, such as one with NaN in it, without a direction or with infinite coordinates, hits
 * nothing. Numbers are never rounded: a ray whose numbers are all `float`s is as fast at a world in `float` as a ray
 * there is, and another one gets the exact answer more slowly.
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
     * The parameter along the ray, in lengths of the direction; infinite for a miss, and for a hit beyond the
     * numbers.
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
 * Decides whether a hit counts: 1 if it does, 0 if not. What it returns may depend only on the ray and the hit: it
 * is called in any order, for some of the hits, possibly more than once for one, and from any threads at the same
 * time. It may ask questions. It must not throw or jump out, nor change a scene. The pointers end with the call.
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
     * For `ESTOC_ALL_HITS`: the most hits of each ray; 0 for all.
     */
    size_t max_hits;
    /**
     * A triangle that no ray hits, such as that which it leaves; null for none.
     */
    const struct estoc_triangle *skip;
    /**
     * The triangle behind whose hit every ray continues, without that hit; null for none. A ray that does not hit it
     * is an error (`ESTOC_BAD_QUERY`).
     */
    const struct estoc_triangle *after;
    /**
     * The triangle that each ray skips, or with none `skip`: that of the first ray; null if rays have none of their
     * own.
     */
    const struct estoc_triangle *skip_each;
    /**
     * The bytes from one of them to the next.
     */
    ptrdiff_t skip_stride;
    /**
     * The triangle after which each ray continues, or with none `after`: that of the first ray; null as above.
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
 * Many rays, number by number; see `estoc_ray`. Rays that follow each other should be close to each other: those of
 * a picture are fastest in tiles of 16 by 16 pixels.
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
 * The kind of a region: one of the constants `ESTOC_BOX` to `ESTOC_TRIANGLE`.
 */
typedef int32_t estoc_region_kind;

/**
 * A closed set of points.
 */
typedef struct estoc_region {
    /**
     * Which kind of region it is.
     */
    estoc_region_kind kind;
    /**
     * Its points; how many there are depends on the kind.
     */
    double points[3][3];
    /**
     * The radius of a ball.
     */
    double radius;
} estoc_region;

/**
 * Called with a triangle in a region; returns 1 for the next one, and 0 for no more. Called in the thread of the
 * caller. It must not throw or jump out.
 */
typedef int32_t (*estoc_visit_triangle)(void *user, uint32_t prim);

/**
 * One line of a section.
 */
typedef struct estoc_polyline {
    /**
     * Three coordinates of each point, the nearest to the exact ones.
     */
    const double *points;
    /**
     * The triangle that is cut from each point to the next.
     */
    const uint32_t *prims;
    /**
     * The number of points.
     */
    size_t count;
    /**
     * 1 if the last point is connected to the first, else 0.
     */
    int32_t is_closed;
    /**
     * 1 if the line is the edge of a hole, else 0.
     */
    int32_t is_hole;
    /**
     * The area that a closed line encloses: positive if it runs counterclockwise as seen from where the normal
     * points. NaN for an open line.
     */
    double area;
} estoc_polyline;

/**
 * Called with a line of a section, whose pointers end with the call; returns 1 for the next one, and 0 for no more.
 * Called in the thread of the caller. It must not throw or jump out.
 */
typedef int32_t (*estoc_visit_polyline)(void *user, const struct estoc_polyline *line);

/**
 * What two triangles have in common: one of the constants `ESTOC_CROSSING` to `ESTOC_TOUCHING`.
 */
typedef int32_t estoc_common;

/**
 * Called with two triangles that intersect; returns 1 for the next pair, and 0 for no more. Called in the thread of
 * the caller, in order. It must not throw or jump out.
 */
typedef int32_t (*estoc_visit_pair)(void *user, uint32_t first, uint32_t second, estoc_common common);

/**
 * The least distance between the triangles of two trees, and where they are that near.
 */
typedef struct estoc_least_distance {
    /**
     * The nearest number of the precision of the meshes to the exact distance; 0 only where triangles have a common
     * point, or where it rounds to 0. Infinite where there is none.
     */
    double distance;
    /**
     * The point of each triangle, each coordinate the nearest to the exact one.
     */
    double points[2][3];
    /**
     * The triangle of each mesh; `ESTOC_NONE` if one of them has no triangle with area.
     */
    uint32_t prims[2];
    /**
     * The part of each triangle that its point lies on, as in "feature" of `ESTOC_CLOSEST_POINT`.
     */
    uint32_t features[2];
} estoc_least_distance;

/**
 * An affine map of the coordinates of a mesh (relative to its origin) or of a scene to those of the scene that it is
 * placed in. Any one that has an inverse.
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
 * Many spheres, each of which moves along a line. One with a number that is not finite, but for the radius and the
 * greatest time, or with a radius that is negative or NaN touches nothing.
 */
typedef struct estoc_spheres {
    /**
     * The number of spheres.
     */
    size_t count;
    /**
     * The centres at the time 0.
     */
    struct estoc_vectors center;
    /**
     * What the centres move by in one unit of time.
     */
    struct estoc_vectors velocity;
    /**
     * The radii, `ESTOC_F32` or `ESTOC_F64`.
     */
    struct estoc_column radius;
    /**
     * The greatest times that count, `ESTOC_F32` or `ESTOC_F64`; infinite where `data` is null.
     */
    struct estoc_column t_max;
} estoc_spheres;

/**
 * Takes a number of bytes that follow those before; returns 1 for the next ones, and 0 to end the work, which then fails
 * with `ESTOC_CANCELLED`. It is called from any thread, one call after the other. It must not throw or jump out, nor change
 * a scene.
 */
typedef int32_t (*estoc_write)(void *user, const uint8_t *bytes, size_t size);

/**
 * How long a build may take for faster queries: one of the constants `ESTOC_QUALITY_BALANCED` to
 * `ESTOC_QUALITY_BEST`.
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
     * The groups that each triangle is in, a bit each, `ESTOC_U32`: a ray hits it only if they share a bit. In all
     * groups where `data` is null.
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
     * The origin of the coordinates of a tree. Questions, hits and closest points are in the world's coordinates,
     * whatever it is.
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
 * The winding number is positive, exactly; shells may overlap. The mesh must be closed, and its triangles oriented
 * alike.
 */
#define ESTOC_RULE_WINDING 1

/**
 * An estimate of the winding number is above one half. For every mesh, but not exact.
 */
#define ESTOC_RULE_ESTIMATE 2

/**
 * Of rays: the first hit, of those at exactly the same place that on the triangle with the lowest number. "t" in
 * lengths of the direction, "prim", "u" and "v" (the weights of the second and third corner), "path". For a miss
 * "prim" is `ESTOC_NONE`, and only that tells it; "t" is infinite.
 */
#define ESTOC_CLOSEST_HIT 1

/**
 * Of rays: "found", 1 if there is a hit, else 0.
 */
#define ESTOC_ANY_HIT 2

/**
 * Of rays: "count", the number of triangles that are touched.
 */
#define ESTOC_HIT_COUNT 3

/**
 * Of rays: "count", how often the surface is crossed: at an edge that triangles share once, and not at all or twice
 * where the ray only grazes.
 */
#define ESTOC_CROSSING_COUNT 4

/**
 * Of rays, in lists: every triangle that is touched, or the first `max_hits`, in order along the ray: as
 * `ESTOC_CLOSEST_HIT`.
 */
#define ESTOC_ALL_HITS 5

/**
 * Of rays, in lists: the crossings of the surface.
 */
#define ESTOC_CROSSINGS 6

/**
 * Of rays, in lists: the hits at different places: of those at exactly the same one that on the triangle with the
 * lowest number.
 */
#define ESTOC_DISTINCT_HITS 7

/**
 * Of points: the closest point of the surface that is not farther than `max_distance`. "distance", "prim", "u", "v",
 * "x", "y", "z" (`double`s in scenes, in local frames, and for points in `double`), "path", and "feature", the part
 * of the triangle: 0 to 2 for a corner, 3 to 5 for an edge, 6 for the face, 255 for none. Where there is none "prim"
 * is `ESTOC_NONE`, and only that tells it; "distance" is infinite.
 */
#define ESTOC_CLOSEST_POINT 11

/**
 * Of points: "distance", that of the surface; infinite where there is none.
 */
#define ESTOC_DISTANCE 12

/**
 * Of points: "found", 1 for a point inside or on the surface by the `rule`, else 0. In scenes by `ESTOC_RULE_PARITY`
 * only: inside at least one closed object.
 */
#define ESTOC_CONTAINS 13

/**
 * Of points, at trees: "signed", the distance, negative inside by the `rule`; and "inside", 1 or 0, 255 for a point
 * that is not finite.
 */
#define ESTOC_SIGNED_DISTANCE 14

/**
 * Of points, at trees whose mesh is closed and oriented: "number", how often the surface winds around the point, and
 * "on_surface", 1 for a point on it, which has no number; 255 for a point that is not finite.
 */
#define ESTOC_WINDING_NUMBER 15

/**
 * Of points, at trees of any mesh: "value", an estimate of the same, and "error", the bound of its error. `double`s.
 */
#define ESTOC_WINDING_ESTIMATE 16

/**
 * Of points, in lists: the triangles that are not farther than `max_distance`, by number: "prim", "path".
 */
#define ESTOC_WITHIN 17

/**
 * Of points, in lists: the `max_triangles` closest triangles, the closest first: as `ESTOC_CLOSEST_POINT`.
 */
#define ESTOC_CLOSEST_TRIANGLES 18

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
 * The box with the lowest corner `points[0]` and the highest corner `points[1]`.
 */
#define ESTOC_BOX 1

/**
 * The ball around `points[0]` with this `radius`. Its numbers are `float`s (else `ESTOC_NOT_F32`).
 */
#define ESTOC_BALL 2

/**
 * The plane through `points[0]` with the normal `points[1]`, of any length.
 */
#define ESTOC_PLANE 3

/**
 * The triangle of the three points.
 */
#define ESTOC_TRIANGLE 4

/**
 * A point inside both, and they have different planes.
 */
#define ESTOC_CROSSING 1

/**
 * An area of one plane.
 */
#define ESTOC_OVERLAP 2

/**
 * Points, but none inside both.
 */
#define ESTOC_TOUCHING 3

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
 * Tells the closest point of the surface that is not farther from a point than `max_distance`, which is rounded
 * to `float` but for worlds in `double`; infinite for any distance. The answer is that of `estoc_ask_points`.
 *
 * Nothing is closest to a point that is not finite, nor within a distance that is negative or NaN. Fails with `ESTOC_NULL`, `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`.
 * Threads: any, at the same time.
 */
estoc_status estoc_closest_point(const struct estoc_world *world,
                                 double x,
                                 double y,
                                 double z,
                                 double max_distance,
                                 struct estoc_closest *closest);

/**
 * Tells the number of items, and where their lists begin: the answers about item `i` are those from `offsets[i]` up
 * to and without `offsets[i + 1]`, in their order. There is one offset more than there are items. `items` and
 * `offsets` may be null. The offsets can be read until the lists are released. Threads: any, at the same time.
 */
estoc_status estoc_lists_offsets(const struct estoc_lists *lists,
                                 size_t *items,
                                 const uint64_t **offsets);

/**
 * Tells where one number of all answers can be read, by its name, such as "prim": its address, the bytes from one to
 * the next, and its type. It can be read until the lists are released. The numbers of "path" are as many for each
 * answer as the world is deep. Fails with `ESTOC_BAD_ARGUMENT` if the answers have no such number. Threads: any, at
 * the same time.
 */
estoc_status estoc_lists_column(const struct estoc_lists *lists,
                                const char *name,
                                struct estoc_column *column);

/**
 * Makes a mesh of arrays, which are copied. Its triangles keep their order; with `skip_bad_faces`, those after one
 * that is left out have lower numbers.
 *
 * Fails with `ESTOC_BAD_MESH` for an index out of range and for a corner of a triangle that is not finite, with
 * `ESTOC_NULL`, `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for arrays that cannot be, and with `ESTOC_NO_MEMORY`.
 * Threads: any. Release the mesh by `estoc_release`.
 */
estoc_status estoc_mesh_from_arrays(const struct estoc_mesh_arrays *arrays,
                                    const struct estoc_mesh_options *options,
                                    struct estoc_mesh **mesh);

/**
 * Loads a file in OBJ, PLY, STL, OFF or glTF 2.0, as it is or compressed by gzip or zstd; its content tells which.
 * `run` may be null.
 *
 * Fails with `ESTOC_FILE` for a file that cannot be read, with `ESTOC_BAD_MESH` for one with faults, of which
 * `estoc_last_error` tells the line and the remedy, with `ESTOC_CANCELLED` and `ESTOC_NO_MEMORY`. Threads: any.
 */
estoc_status estoc_mesh_load(const char *path,
                             const struct estoc_mesh_options *options,
                             const struct estoc_run *run,
                             struct estoc_mesh **mesh);

/**
 * Reads the bytes of such a file, which errors call by `name`. A format that refers to other files is read without
 * them.
 *
 * Fails as `estoc_mesh_load`. Threads: any.
 */
estoc_status estoc_mesh_read(const uint8_t *bytes,
                             size_t size,
                             const char *name,
                             const struct estoc_mesh_options *options,
                             const struct estoc_run *run,
                             struct estoc_mesh **mesh);

/**
 * Tells what is known of a mesh, and where its arrays can be read. Threads: any, at the same time.
 */
estoc_status estoc_mesh_get_info(const struct estoc_mesh *mesh, struct estoc_mesh_info *info);

/**
 * Visits the nodes of a tree, to traverse it in other ways or to draw it: by number from 0, the root, each before those
 * below it. There are none if there are no triangles. How a tree is split may change with any version of the library.
 *
 * Fails with `ESTOC_UNSUPPORTED` for a scene and for a mesh in a local frame. Threads: any, at the same time.
 */
estoc_status estoc_nodes(const struct estoc_world *world,
                         estoc_visit_node visit,
                         void *user);

/**
 * Answers a question about many points, and writes the answers where `outputs` say, of which there are
 * `output_count`. `options` and `run` may be null. A point that is not finite is near nothing, and not inside.
 *
 * Fails with `ESTOC_NULL`, `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for arrays that cannot be; with
 * `ESTOC_OPEN_SURFACE` for questions about an inside that the mesh does not have, with the place where it is open;
 * with `ESTOC_UNSUPPORTED` for questions that scenes do not answer; with `ESTOC_NOT_F32` if those about the inside
 * are asked of a tree in `float` about points that are no `float`s; with `ESTOC_CANCELLED`, `ESTOC_NO_MEMORY` and
 * `ESTOC_NO_THREADS`. Threads: any, at the same time.
 */
estoc_status estoc_ask_points(const struct estoc_world *world,
                              estoc_question question,
                              const struct estoc_points *points,
                              const struct estoc_point_options *options,
                              const struct estoc_run *run,
                              const struct estoc_output *outputs,
                              size_t output_count);

/**
 * Answers a question about many points with a list for each. As `estoc_ask_points` otherwise; fails with
 * `ESTOC_TOO_MANY` beyond `run->max_values`. Release the lists by `estoc_release`.
 */
estoc_status estoc_list_points(const struct estoc_world *world,
                               estoc_question question,
                               const struct estoc_points *points,
                               const struct estoc_point_options *options,
                               const struct estoc_run *run,
                               struct estoc_lists **lists);

/**
 * Tells the first hit on one ray; of hits at exactly the same place that on the triangle with the lowest number.
 * `options` may be null.
 *
 * `t` is in lengths of the direction. A ray that is not defined, as one with NaN, misses. Fails with
 * `ESTOC_BAD_QUERY` if the ray does not hit the triangle in `options->after`. Threads: any, at the same time.
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
 * Answers a question about many rays, and writes the answers where `outputs` say, of which there are `output_count`.
 * `options` and `run` may be null.
 *
 * Rays are traced in the fastest way for their order, by the threads in `run`. The answers are those of one ray at a
 * time, to the bit, whatever the number of threads.
 *
 * Fails with `ESTOC_NULL`, `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for arrays that cannot be, with
 * `ESTOC_BAD_QUERY` for the first ray that does not hit its triangle in `after`, with `ESTOC_CANCELLED`,
 * `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`. Threads: any, at the same time.
 */
estoc_status estoc_ask_rays(const struct estoc_world *world,
                            estoc_question question,
                            const struct estoc_rays *rays,
                            const struct estoc_ray_options *options,
                            const struct estoc_run *run,
                            const struct estoc_output *outputs,
                            size_t output_count);

/**
 * Answers a question about many rays with a list for each. As `estoc_ask_rays` otherwise; fails with
 * `ESTOC_TOO_MANY` beyond `run->max_values`. Release the lists by `estoc_release`.
 */
estoc_status estoc_list_rays(const struct estoc_world *world,
                             estoc_question question,
                             const struct estoc_rays *rays,
                             const struct estoc_ray_options *options,
                             const struct estoc_run *run,
                             struct estoc_lists **lists);

/**
 * Adds a reference to an object of any kind, which then has to be released once more. Threads: any.
 */
estoc_status estoc_retain(const void *handle);

/**
 * Releases a reference to an object of any kind. With the last one the object is freed, and all pointers into it
 * end; no call that was given it may be running then. Does nothing for null. A handle that was released is told
 * (`ESTOC_RELEASED`), as long as nobody else has a reference to the object. Threads: any.
 */
estoc_status estoc_release(const void *handle);

/**
 * Visits the triangles of a tree that have a point in a region, by number, decided exactly.
 *
 * Fails with `ESTOC_UNSUPPORTED` for a scene and for a mesh in a local frame, and with `ESTOC_BAD_ARGUMENT` and
 * `ESTOC_NOT_F32` for a region that cannot be. Threads: any, at the same time.
 */
estoc_status estoc_overlaps(const struct estoc_world *world,
                            const struct estoc_region *region,
                            estoc_visit_triangle visit,
                            void *user);

/**
 * Visits the lines in which a plane, a region of the kind `ESTOC_PLANE`, cuts the mesh of a tree.
 *
 * Fails as `estoc_overlaps`, with `ESTOC_NOT_F32` for a tree in `float` and a plane that is not. Threads: any, at
 * the same time.
 */
estoc_status estoc_section(const struct estoc_world *world,
                           const struct estoc_region *plane,
                           estoc_visit_polyline visit,
                           void *user);

/**
 * Visits the pairs of triangles that intersect: of one tree, beyond the corners and edges that they share, if
 * `other` is null; else of the tree and the other one. `run` may be null.
 *
 * Fails as `estoc_overlaps`, and with `ESTOC_CANCELLED` and `ESTOC_NO_THREADS`. Threads: any, at the same time.
 */
estoc_status estoc_intersections(const struct estoc_world *world,
                                 const struct estoc_world *other,
                                 const struct estoc_run *run,
                                 estoc_visit_pair visit,
                                 void *user);

/**
 * Finds the least distance between the triangles of two trees, which are no solids: of a mesh inside another one it is
 * that of the surfaces. Of pairs that are equally near it is the one with the lowest triangle of `world`, then of
 * `other`. `run`, which may be null, has no effect but its threads.
 *
 * Fails as `estoc_overlaps`, with `ESTOC_BAD_ARGUMENT` for trees in different precisions, and with `ESTOC_NO_THREADS`.
 * Threads: any, at the same time.
 */
estoc_status estoc_find_least_distance(const struct estoc_world *world,
                                       const struct estoc_world *other,
                                       const struct estoc_run *run,
                                       struct estoc_least_distance *least);

/**
 * Makes a scene without placements. Threads: any. Release the scene by `estoc_release`.
 */
estoc_status estoc_scene_create(struct estoc_scene **scene);

/**
 * Places a world, which may be released afterwards: the tree of a mesh, or a scene as it was when it was committed.
 * Tells the number of the placement, the lowest that is free, which names it in paths.
 *
 * Fails with `ESTOC_BAD_SCENE` for a matrix that is not finite or has no inverse, alone or composed with those in a
 * placed scene, and for more than `ESTOC_MAX_DEPTH` scenes in each other. Threads: any, while others ask questions
 * and change the scene, one after the other.
 */
estoc_status estoc_scene_add(const struct estoc_scene *handle,
                             const struct estoc_world *world,
                             const struct estoc_placement *placement,
                             uint32_t *number);

/**
 * Moves a placement: gives it another matrix.
 *
 * Fails with `ESTOC_BAD_SCENE`, and then changes nothing. Threads: as `estoc_scene_add`.
 */
estoc_status estoc_scene_move(const struct estoc_scene *handle,
                              uint32_t number,
                              const struct estoc_matrix *matrix);

/**
 * Removes a placement. Its number is free then.
 *
 * Fails with `ESTOC_BAD_SCENE` if there is none. Threads: as `estoc_scene_add`.
 */
estoc_status estoc_scene_remove(const struct estoc_scene *handle, uint32_t number);

/**
 * Makes the world of the scene as it is now, which stays as it is while the scene changes. After moves it takes
 * little time: the boxes of the last world are refitted. `run` may be null; there is no progress.
 *
 * Fails with `ESTOC_NO_MEMORY`. Threads: as `estoc_scene_add`.
 */
estoc_status estoc_scene_commit(const struct estoc_scene *handle,
                                const struct estoc_run *run,
                                struct estoc_world **world);

/**
 * Tells the first contacts of moving spheres with the mesh of a tree, exactly: "t", the time; "prim"; "x", "y", "z",
 * the point that is touched then; "feature" of the triangle as in `ESTOC_CLOSEST_POINT`; "is_touching_at_start", 1 or 0.
 * Where there is no contact "prim" is `ESTOC_NONE`, and only that tells it. `run` may be null.
 *
 * Fails with `ESTOC_UNSUPPORTED` for a scene and for a mesh in a local frame, else as `estoc_ask_rays`. Threads: any, at
 * the same time.
 */
estoc_status estoc_ask_spheres(const struct estoc_world *world,
                               const struct estoc_spheres *spheres,
                               const struct estoc_run *run,
                               const struct estoc_output *outputs,
                               size_t output_count);

/**
 * Returns the name of a status, such as "ESTOC_NULL"; "unknown status" for another number. Never null.
 */
const char *estoc_status_name(int32_t status);

/**
 * Returns the sentence about the last call of this thread that failed: what was wrong, where, and what to do about
 * it. It stays as it is until the next call of this thread that fails; before the first one it is "". Never null.
 */
const char *estoc_last_error(void);

/**
 * Saves the tree of a mesh to a file, whole or not at all. `mesh`, which may be null, is that of which the tree was
 * built: the file then keeps its names.
 *
 * Fails with `ESTOC_UNSUPPORTED` for a scene, with `ESTOC_FILE`, `ESTOC_CANCELLED`, `ESTOC_NO_MEMORY` and
 * `ESTOC_NO_THREADS`, with `ESTOC_BAD_TREE_FILE` for the mesh of another tree, and with `ESTOC_BAD_ARGUMENT` for one in
 * another precision or with another origin. Threads: any.
 */
estoc_status estoc_world_save(const struct estoc_world *handle,
                              const struct estoc_mesh *mesh,
                              const char *path,
                              const struct estoc_run *run);

/**
 * Passes the bytes of such a file to a function, from its start to its end.
 *
 * Fails as `estoc_world_save`. Threads: any.
 */
estoc_status estoc_world_write(const struct estoc_world *handle,
                               const struct estoc_mesh *mesh,
                               const struct estoc_run *run,
                               estoc_write write,
                               void *user);

/**
 * Loads a tree from a file that `estoc_world_save` or the command `estoc build` wrote, and its mesh, which is null
 * if it is not wanted. `run` may be null.
 *
 * Fails with `ESTOC_FILE` for a file that cannot be read, with `ESTOC_BAD_TREE_FILE` for one that is damaged or of
 * another kind, with `ESTOC_CANCELLED`, `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`. Threads: any.
 */
estoc_status estoc_world_load(const char *path,
                              const struct estoc_run *run,
                              struct estoc_world **world,
                              struct estoc_mesh **mesh);

/**
 * Loads a tree from the bytes of such a file, which errors call by `name`.
 *
 * Fails as `estoc_world_load`. Threads: any.
 */
estoc_status estoc_world_read(const uint8_t *bytes,
                              size_t size,
                              const char *name,
                              const struct estoc_run *run,
                              struct estoc_world **world,
                              struct estoc_mesh **mesh);

/**
 * Builds the tree of a mesh, which may be released afterwards. `build` and `run` may be null.
 *
 * Fails with `ESTOC_NO_MEMORY`, also beyond the budget, with `ESTOC_TOO_MANY`, `ESTOC_CANCELLED` and `ESTOC_NO_THREADS`,
 * and with `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for options and masks that cannot be. Threads: any.
 * Release the world by `estoc_release`.
 */
estoc_status estoc_world_build(const struct estoc_mesh *handle,
                               const struct estoc_build *build,
                               const struct estoc_run *run,
                               struct estoc_world **world);

/**
 * Returns the tree of a mesh that has the triangles of another one moved, in the structure of a tree of that, which does
 * not change: in a fraction of the time of a build. `rebuild`, which may be null, is set to 1 if a new tree would answer
 * much faster, else to 0. `run` may be null; there is no progress.
 *
 * Fails with `ESTOC_UNSUPPORTED` for a scene, with `ESTOC_BAD_MESH` for a mesh with another number of triangles, with
 * `ESTOC_BAD_ARGUMENT` for one in another precision, with `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`. Threads: any.
 */
estoc_status estoc_world_refit(const struct estoc_world *handle,
                               const struct estoc_mesh *mesh,
                               const struct estoc_run *run,
                               struct estoc_world **world,
                               int32_t *rebuild);

/**
 * Tells what is known of a world. Threads: any.
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

/* Returns a column of numbers. */
static inline estoc_column estoc_make_column(const void *first, ptrdiff_t stride, estoc_type type)
{
    estoc_column column;
    column.data = first;
    column.stride = stride;
    column.type = type;
    return column;
}

/* Returns an output of numbers by their name; see estoc_question. */
static inline estoc_output estoc_make_output(const char *name, void *first, ptrdiff_t stride, estoc_type type)
{
    estoc_output output;
    output.name = name;
    output.data = first;
    output.stride = stride;
    output.type = type;
    return output;
}

/* Returns one ray for functions that take many. */
static inline estoc_rays estoc_one_ray(const estoc_ray *ray)
{
    estoc_rays rays;
    rays.count = 1;
    rays.origin = estoc_triples_f64(ray->origin, 0);
    rays.dir = estoc_triples_f64(ray->dir, 0);
    rays.t_min = estoc_make_column(&ray->t_min, 0, ESTOC_F64);
    rays.t_max = estoc_make_column(&ray->t_max, 0, ESTOC_F64);
    return rays;
}

/* Returns one point for functions that take many. */
static inline estoc_points estoc_one_point(const double point[3])
{
    estoc_points points;
    points.count = 1;
    points.position = estoc_triples_f64(point, 0);
    return points;
}

/* Tells how many triangles one ray touches (ESTOC_HIT_COUNT), or how often it crosses the surface
 * (ESTOC_CROSSING_COUNT). */
static inline estoc_status estoc_count(const estoc_world *world, estoc_question question, const estoc_ray *ray,
                                       const estoc_ray_options *options, int64_t *count)
{
    const estoc_rays rays = estoc_one_ray(ray);
    const estoc_output output = estoc_make_output("count", count, 8, ESTOC_I64);
    return estoc_ask_rays(world, question, &rays, options, NULL, &output, 1);
}

/* Tells whether one point is inside by a rule: 1 or 0. */
static inline estoc_status estoc_contains(const estoc_world *world, const double point[3], estoc_rule rule,
                                          int32_t *inside)
{
    const estoc_points points = estoc_one_point(point);
    const estoc_output output = estoc_make_output("found", inside, 4, ESTOC_I32);
    estoc_point_options options;
    options.rule = rule;
    options.max_distance = NULL;
    options.max_triangles = 0;
    return estoc_ask_points(world, ESTOC_CONTAINS, &points, &options, NULL, &output, 1);
}

/* Tells the distance of one point from the surface, negative inside by a rule. */
static inline estoc_status estoc_signed_distance(const estoc_world *world, const double point[3], estoc_rule rule,
                                                 double *distance)
{
    const estoc_points points = estoc_one_point(point);
    const estoc_output output = estoc_make_output("signed", distance, 8, ESTOC_F64);
    estoc_point_options options;
    options.rule = rule;
    options.max_distance = NULL;
    options.max_triangles = 0;
    return estoc_ask_points(world, ESTOC_SIGNED_DISTANCE, &points, &options, NULL, &output, 1);
}
