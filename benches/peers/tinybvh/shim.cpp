// A C interface to tinybvh, which the harness opens at run time. `tinybvh/build` compiles it together
// with tinybvh's header, which is not part of this repository.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
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

struct Mesh {
    const float *positions;
    const uint32_t *corners;
    size_t triangles;
};

// Fills the fields that a query reads. tinybvh's constructor would normalise the direction, which
// rounds it and changes the unit of the parameter; its queries do not need length 1.
tinybvh::Ray theirs(const CommonRay &ray) {
    tinybvh::Ray theirs;
    theirs.O = tinybvh::bvhvec3(ray.origin[0], ray.origin[1], ray.origin[2]);
    theirs.D = tinybvh::bvhvec3(ray.dir[0], ray.dir[1], ray.dir[2]);
    theirs.rD = tinybvh::tinybvh_rcp(theirs.D);
    // Empty places of wide nodes have boxes from 1e30 on, which only shorter rays miss.
    theirs.hit.t = std::min(ray.t_max, BVH_FAR);
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

// A tree in one of the layouts.
struct Tree {
    virtual ~Tree() = default;
    virtual size_t bytes() const = 0;
    virtual void closest_hits(const CommonRay *rays, CommonHit *hits, size_t count) const = 0;
    virtual void any_hits(const CommonRay *rays, bool *hits, size_t count) const = 0;
};

namespace {

template <class Layout> class TreeOf final : public Tree {
    // tinybvh reads 16 bytes for each corner, and three corners in a row for each triangle.
    std::vector<tinybvh::bvhvec4> corners;
    Layout layout;

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

} // namespace

extern "C" {

// Returns major, minor and patch version of the header in bits 16 to 23, 8 to 15 and 0 to 7.
uint32_t estoc_tinybvh_version() {
    return TINY_BVH_VERSION_MAJOR << 16 | TINY_BVH_VERSION_MINOR << 8 | TINY_BVH_VERSION_SUB;
}

// Returns a tree of the triangles, of which there is at least one; null if there is no such layout
// or no memory. `positions` has three numbers for each vertex, `corners` three vertices for each
// triangle; neither is read after the call.
Tree *estoc_tinybvh_build(uint32_t layout, bool high_quality, bool threaded, const float *positions,
                          const uint32_t *corners, size_t triangles) {
    fewest_for_threads = threaded ? THREADED : SERIAL;
    try {
        return built(layout, high_quality, Mesh{positions, corners, triangles}).release();
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

} // extern "C"
