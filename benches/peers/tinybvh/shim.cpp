// A C interface to tinybvh, which the harness opens at run time. `tinybvh/build` compiles it together
// with tinybvh's header, which is not part of this repository.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

// tinybvh builds with one thread below this number of triangles, and with all of the machine above.
// Asking a variable leaves the choice to each build; the thread that starts a build reads it.
static thread_local uint32_t fewest_for_threads;
#define MT_BUILD_THRESHOLD fewest_for_threads
#define TINYBVH_IMPLEMENTATION
#include "tiny_bvh.h"

namespace {

// The numbers of tinybvh's own threshold, and of one that no mesh reaches.
constexpr uint32_t THREADED = 50000;
constexpr uint32_t SERIAL = std::numeric_limits<uint32_t>::max();

constexpr uint32_t MISS = std::numeric_limits<uint32_t>::max();

// The end of rays that have none. Empty places of wide nodes have boxes from 1e30 to 1.00001e30, before
// which a ray has to end. With tinybvh's own infinity, 1e30, a ray along the diagonal of the axes meets
// them if its direction is long, as in the space of a mesh that is placed smaller than it is: the query
// reads a node that does not exist.
constexpr float FAR_AWAY = 1e20f;

// The layouts of `src/ray.rs`.
struct alignas(32) CommonRay {
    float origin[3];
    float t_max;
    float dir[3];
};
struct CommonHit {
    float t;
    uint32_t prim;
};
static_assert(sizeof(CommonRay) == 32 && sizeof(CommonHit) == 8);

struct alignas(32) CommonRay64 {
    double origin[3];
    double t_max;
    double dir[3];
};
struct CommonHit64 {
    double t;
    uint32_t prim;
};
static_assert(sizeof(CommonRay64) == 64 && sizeof(CommonHit64) == 16);

// The layouts of `src/peers/tinybvh/library.rs` and `src/worlds/world.rs`.
struct Mesh {
    const float *positions;
    const uint32_t *corners;
    size_t triangles;
};
struct Placing {
    uint32_t mesh;
    float matrix[12];
};
static_assert(sizeof(Mesh) == 24 && sizeof(Placing) == 52);

// Fills the fields that a query reads. tinybvh's constructor would normalise the direction, which
// rounds it and changes the unit of the parameter; its queries do not need length 1.
tinybvh::Ray theirs(const CommonRay &ray) {
    tinybvh::Ray theirs;
    theirs.O = tinybvh::bvhvec3(ray.origin[0], ray.origin[1], ray.origin[2]);
    theirs.D = tinybvh::bvhvec3(ray.dir[0], ray.dir[1], ray.dir[2]);
    theirs.rD = tinybvh::tinybvh_rcp(theirs.D);
    theirs.hit.t = std::min(ray.t_max, FAR_AWAY);
    theirs.hit.prim = MISS;
    return theirs;
}

tinybvh::RayEx theirs(const CommonRay64 &ray) {
    tinybvh::RayEx theirs;
    theirs.O = tinybvh::bvhdbl3(ray.origin[0], ray.origin[1], ray.origin[2]);
    theirs.D = tinybvh::bvhdbl3(ray.dir[0], ray.dir[1], ray.dir[2]);
    theirs.rD = tinybvh::bvhdbl3(1.0 / ray.dir[0], 1.0 / ray.dir[1], 1.0 / ray.dir[2]);
    theirs.hit.t = std::min(ray.t_max, BVH_DBL_FAR);
    theirs.hit.prim = MISS;
    return theirs;
}

// What a layout reads in a query, in bytes, and whether that includes the corners of the mesh.
struct Held {
    size_t bytes;
    bool corners;
};
Held held(const tinybvh::BVH &tree) {
    return {tree.usedNodes * sizeof(tinybvh::BVH::BVHNode) + tree.idxCount * sizeof(uint32_t), true};
}
Held held(const tinybvh::BVH_SoA &tree) {
    const size_t indices = tree.bvh.idxCount * sizeof(uint32_t);
    return {tree.usedNodes * sizeof(tinybvh::BVH_SoA::BVHNode) + indices, true};
}
Held held(const tinybvh::BVH4_CPU &tree) {
    return {tree.usedBlocks * sizeof(tinybvh::BVH4_CPU::CacheLine), false};
}
Held held(const tinybvh::BVH8_CPU &tree) {
    return {tree.usedBlocks * sizeof(tinybvh::BVH8_CPU::CacheLine), false};
}

} // namespace

// A tree in one of the layouts, or of placed ones.
struct Tree {
    virtual ~Tree() = default;
    // What is placed.
    virtual tinybvh::BVHBase *base() = 0;
    virtual size_t bytes() const = 0;
    virtual void closest_hits(const CommonRay *rays, CommonHit *hits, size_t count) const = 0;
    virtual void any_hits(const CommonRay *rays, bool *hits, size_t count) const = 0;
};

namespace {

template <class Layout> class Queried : public Tree {
protected:
    Layout layout;

public:
    tinybvh::BVHBase *base() override { return &layout; }

    void closest_hits(const CommonRay *rays, CommonHit *hits, size_t count) const override {
        for (size_t i = 0; i < count; i++) {
            tinybvh::Ray ray = theirs(rays[i]);
            layout.Intersect(ray);
            const bool is_hit = ray.hit.prim != MISS;
            hits[i].t = is_hit ? ray.hit.t : std::numeric_limits<float>::infinity();
            hits[i].prim = ray.hit.prim;
        }
    }

    void any_hits(const CommonRay *rays, bool *hits, size_t count) const override {
        for (size_t i = 0; i < count; i++) {
            hits[i] = layout.IsOccluded(theirs(rays[i]));
        }
    }
};

template <class Layout> class TreeOf final : public Queried<Layout> {
    // tinybvh reads 16 bytes for each corner, and three corners in a row for each triangle.
    std::vector<tinybvh::bvhvec4> corners;
    using Queried<Layout>::layout;

public:
    TreeOf(const Mesh &mesh, bool high_quality) {
        corners.reserve(3 * mesh.triangles);
        for (size_t corner = 0; corner < 3 * mesh.triangles; corner++) {
            const float *at = mesh.positions + 3 * size_t{mesh.corners[corner]};
            corners.emplace_back(at[0], at[1], at[2], 0.0f);
        }
        const auto triangles = static_cast<uint32_t>(mesh.triangles);
        if (high_quality) {
            layout.BuildHQ(corners.data(), triangles);
        } else {
            build(layout, triangles);
        }
        if (!held(layout).corners) {
            corners = {}; // The leaves have copies.
        }
    }

    size_t bytes() const override {
        return held(layout).bytes + corners.size() * sizeof(tinybvh::bvhvec4);
    }

private:
    template <class Other> void build(Other &other, uint32_t triangles) {
        other.Build(corners.data(), triangles);
    }
    // The other layouts start from this builder, which is faster than `Build` and makes the same tree.
    void build(tinybvh::BVH &tree, uint32_t triangles) { tree.BuildAVX(corners.data(), triangles); }
};

std::unique_ptr<Tree> built(uint32_t layout, bool high_quality, const Mesh &mesh) {
    switch (layout) {
    case 0:
        return std::make_unique<TreeOf<tinybvh::BVH>>(mesh, high_quality);
    case 1:
        return std::make_unique<TreeOf<tinybvh::BVH_SoA>>(mesh, high_quality);
    case 2:
        return std::make_unique<TreeOf<tinybvh::BVH4_CPU>>(mesh, high_quality);
    case 3:
        return std::make_unique<TreeOf<tinybvh::BVH8_CPU>>(mesh, high_quality);
    default:
        return nullptr;
    }
}

// Trees that are placed, in tinybvh's two levels.
class World final : public Queried<tinybvh::BVH> {
    std::vector<std::unique_ptr<Tree>> trees;
    // tinybvh keeps pointers to both.
    std::vector<tinybvh::BVHBase *> bases;
    std::vector<tinybvh::BLASInstance> instances;

public:
    World(std::vector<std::unique_ptr<Tree>> given, const Placing *placings, size_t count)
        : trees(std::move(given)) {
        for (const auto &tree : trees) {
            bases.push_back(tree->base());
        }
        instances.reserve(count);
        for (size_t i = 0; i < count; i++) {
            std::copy_n(placings[i].matrix, 12, instances.emplace_back(placings[i].mesh).transform.cell);
        }
        layout.Build(instances.data(), static_cast<uint32_t>(count), bases.data(),
                     static_cast<uint32_t>(bases.size()));
    }

    size_t bytes() const override {
        size_t sum = held(layout).bytes + instances.size() * sizeof(tinybvh::BLASInstance);
        for (const auto &tree : trees) {
            sum += tree->bytes();
        }
        return sum;
    }
};

std::unique_ptr<Tree> world(uint32_t layout, bool high_quality, const Mesh *meshes, size_t mesh_count,
                            const Placing *placings, size_t count) {
    std::vector<std::unique_ptr<Tree>> trees;
    for (size_t i = 0; i < mesh_count; i++) {
        trees.push_back(built(layout, high_quality, meshes[i]));
        if (!trees.back()) {
            return nullptr;
        }
    }
    return std::make_unique<World>(std::move(trees), placings, count);
}

} // namespace

// The only tree of tinybvh in double precision.
struct DoubleTree {
    // tinybvh keeps a pointer to them.
    std::vector<tinybvh::bvhdbl3> corners;
    tinybvh::BVH_Double layout;

    explicit DoubleTree(std::vector<tinybvh::bvhdbl3> given) : corners(std::move(given)) {
        layout.Build(corners.data(), corners.size() / 3);
    }
};

extern "C" {

// Returns major, minor and patch version of the header in bits 16 to 23, 8 to 15 and 0 to 7.
uint32_t estoc_tinybvh_version() {
    return TINY_BVH_VERSION_MAJOR << 16 | TINY_BVH_VERSION_MINOR << 8 | TINY_BVH_VERSION_SUB;
}

// Returns a tree of a mesh with at least one triangle; null if there is no such layout or no memory.
// `positions` has three numbers for each vertex, `corners` three vertices for each triangle; neither
// is read after the call.
Tree *estoc_tinybvh_build_mesh(uint32_t layout, bool high_quality, bool threaded, const Mesh *mesh) {
    fewest_for_threads = threaded ? THREADED : SERIAL;
    try {
        return built(layout, high_quality, *mesh).release();
    } catch (...) {
        return nullptr;
    }
}

// Returns a tree of placed meshes, as above, that one thread builds. There is at least one placing;
// each has the number of a mesh, and a matrix as three rows of four numbers, which has an inverse and makes
// no mesh smaller than a billionth.
Tree *estoc_tinybvh_build_world(uint32_t layout, bool high_quality, const Mesh *meshes, size_t mesh_count,
                                const Placing *placings, size_t count) {
    fewest_for_threads = SERIAL;
    try {
        return world(layout, high_quality, meshes, mesh_count, placings, count).release();
    } catch (...) {
        return nullptr;
    }
}

void estoc_tinybvh_release(Tree *tree) { delete tree; }

// Returns the bytes of nodes, indices and triangles that queries read.
size_t estoc_tinybvh_bytes(const Tree *tree) { return tree->bytes(); }

void estoc_tinybvh_closest_hits(const Tree *tree, const CommonRay *rays, CommonHit *hits, size_t count) {
    tree->closest_hits(rays, hits, count);
}

void estoc_tinybvh_any_hits(const Tree *tree, const CommonRay *rays, bool *hits, size_t count) {
    tree->any_hits(rays, hits, count);
}

// Returns a tree in double precision of at least one triangle, each three corners in a row, which are not
// read after the call; null if there is no memory.
DoubleTree *estoc_tinybvh_build_doubles(bool threaded, const double *corners, size_t triangles) {
    fewest_for_threads = threaded ? THREADED : SERIAL;
    try {
        std::vector<tinybvh::bvhdbl3> copy;
        copy.reserve(3 * triangles);
        for (size_t at = 0; at < 9 * triangles; at += 3) {
            copy.emplace_back(corners[at], corners[at + 1], corners[at + 2]);
        }
        return new DoubleTree(std::move(copy));
    } catch (...) {
        return nullptr;
    }
}

void estoc_tinybvh_release_doubles(DoubleTree *tree) { delete tree; }

// Returns the bytes of nodes, indices and corners, all of which queries read.
size_t estoc_tinybvh_bytes_of_doubles(const DoubleTree *tree) {
    return tree->layout.usedNodes * sizeof(tinybvh::BVH_Double::BVHNode) +
           tree->layout.idxCount * sizeof(uint64_t) + tree->corners.size() * sizeof(tinybvh::bvhdbl3);
}

void estoc_tinybvh_closest_hits_of_doubles(const DoubleTree *tree, const CommonRay64 *rays, CommonHit64 *hits,
                                           size_t count) {
    for (size_t i = 0; i < count; i++) {
        tinybvh::RayEx ray = theirs(rays[i]);
        tree->layout.Intersect(ray);
        const bool is_hit = ray.hit.prim != MISS;
        hits[i].t = is_hit ? ray.hit.t : std::numeric_limits<double>::infinity();
        hits[i].prim = static_cast<uint32_t>(ray.hit.prim);
    }
}

void estoc_tinybvh_any_hits_of_doubles(const DoubleTree *tree, const CommonRay64 *rays, bool *hits, size_t count) {
    for (size_t i = 0; i < count; i++) {
        hits[i] = tree->layout.IsOccluded(theirs(rays[i]));
    }
}

} // extern "C"
