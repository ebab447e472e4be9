/* estoc for C++17: owners of handles, failures as exceptions, and callbacks as functions, over estoc.h.
 *
 * An object holds one reference; copies share it. Failures are thrown as estoc::error by what is here, in the program;
 * nothing is thrown across the border of the library: what a callback throws ends the work, and is thrown again to the
 * caller.
 *
 * What is not here is in estoc.h: get() returns the handle for it. */
#ifndef ESTOC_HPP
#define ESTOC_HPP

#include "estoc.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace estoc {

/* What a call failed with. */
class error : public std::runtime_error {
public:
    explicit error(estoc_status status) : std::runtime_error(estoc_last_error()), status_(status) {}
    estoc_status status() const noexcept { return status_; }

private:
    estoc_status status_;
};

inline void check(estoc_status status)
{
    if (status != ESTOC_OK) {
        throw error(status);
    }
}

namespace detail {

/* One reference to an object. */
template <class Handle>
class owner {
public:
    owner() noexcept = default;
    explicit owner(Handle *handle) noexcept : handle_(handle) {}
    owner(const owner &other) : handle_(other.handle_)
    {
        if (handle_ != nullptr) {
            check(estoc_retain(handle_));
        }
    }
    owner(owner &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    owner &operator=(owner other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~owner() { estoc_release(handle_); }

    /* The handle, whose reference stays here. */
    Handle *get() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    Handle *handle_ = nullptr;
};

/* A function of the program that the library calls, and what it has thrown. Calls may come from many threads. */
template <class Function>
class callback {
public:
    explicit callback(Function &function) : function_(function) {}

    /* Calls the function; returns `otherwise` if it throws. */
    template <class Result, class... Arguments>
    Result call(Result otherwise, Arguments... arguments) noexcept
    {
        try {
            return static_cast<Result>(function_(arguments...));
        } catch (...) {
            const std::lock_guard<std::mutex> lock(mutex_);
            if (!thrown_) {
                thrown_ = std::current_exception();
            }
            return otherwise;
        }
    }

    /* Throws what the function has thrown, else what the call has failed with. */
    void finish(estoc_status status) const
    {
        if (thrown_) {
            std::rethrow_exception(thrown_);
        }
        check(status);
    }

private:
    Function &function_;
    std::mutex mutex_;
    std::exception_ptr thrown_;
};

template <class T>
constexpr estoc_type type_of()
{
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_integral_v<T>, "no estoc_type");
    static_assert(std::is_floating_point_v<T> || std::is_unsigned_v<T> || sizeof(T) >= 4, "no estoc_type: widen it");
    if constexpr (std::is_same_v<T, float>) {
        return ESTOC_F32;
    } else if constexpr (std::is_same_v<T, double>) {
        return ESTOC_F64;
    } else if constexpr (sizeof(T) == 1) {
        return ESTOC_U8;
    } else if constexpr (sizeof(T) == 2) {
        return ESTOC_U16;
    } else if constexpr (sizeof(T) == 4) {
        return std::is_signed_v<T> ? ESTOC_I32 : ESTOC_U32;
    } else {
        return std::is_signed_v<T> ? ESTOC_I64 : ESTOC_U64;
    }
}

} // namespace detail

/* Returns the progress as a function gets it: (done, total), returning whether to go on. */
using progress = std::function<bool(std::uint64_t, std::uint64_t)>;

/* Calls `work` with a run that tells the progress to a function, if there is one. */
template <class Work>
void with_progress(estoc_run run, progress told, Work work)
{
    detail::callback<progress> back(told);
    if (told) {
        run.user = &back;
        run.progress = [](void *user, std::uint64_t done, std::uint64_t total) -> std::int32_t {
            return static_cast<detail::callback<progress> *>(user)->call<std::int32_t>(0, done, total);
        };
    }
    back.finish(work(&run));
}

/* Returns triples of numbers in a list of arrays of three, of which the list stays the owner. */
template <class T>
estoc_vectors triples(const std::vector<std::array<T, 3>> &list)
{
    const T *first = list.empty() ? nullptr : list[0].data();
    return {first, first + (first ? 1 : 0), first + (first ? 2 : 0), sizeof(std::array<T, 3>), detail::type_of<T>()};
}

/* Returns the output of numbers to a list, of which the list stays the owner. */
template <class T>
estoc_output output(const char *name, std::vector<T> &list)
{
    return {name, list.data(), sizeof(T), detail::type_of<T>()};
}

class mesh : public detail::owner<estoc_mesh> {
public:
    using detail::owner<estoc_mesh>::owner;

    /* Copies corners and the numbers of the corners of each triangle. */
    template <class T, class Index>
    mesh(const std::vector<std::array<T, 3>> &corners, const std::vector<std::array<Index, 3>> &triangles,
         const estoc_mesh_options &options = {})
    {
        estoc_mesh_arrays arrays{};
        arrays.vertex_count = corners.size();
        arrays.positions = triples(corners);
        arrays.triangle_count = triangles.size();
        const void *first = triangles.empty() ? nullptr : triangles[0].data();
        arrays.indices = {first, sizeof(std::array<Index, 3>), detail::type_of<Index>()};
        estoc_mesh *made = nullptr;
        check(estoc_mesh_from_arrays(&arrays, &options, &made));
        *this = mesh(made);
    }

    static mesh load(const std::string &path, const estoc_mesh_options &options = {}, const estoc_run &run = {},
                     progress told = nullptr)
    {
        estoc_mesh *made = nullptr;
        with_progress(run, std::move(told),
                      [&](estoc_run *run) { return estoc_mesh_load(path.c_str(), &options, run, &made); });
        return mesh(made);
    }

    estoc_mesh_info info() const
    {
        estoc_mesh_info info;
        check(estoc_mesh_get_info(get(), &info));
        return info;
    }
};

/* A list of answers for each item. */
class lists : public detail::owner<estoc_lists> {
public:
    using detail::owner<estoc_lists>::owner;

    std::size_t size() const
    {
        std::size_t items = 0;
        check(estoc_lists_offsets(get(), &items, nullptr));
        return items;
    }

    /* Where the answers about each item begin; one more than there are items. */
    const std::uint64_t *offsets() const
    {
        const std::uint64_t *offsets = nullptr;
        check(estoc_lists_offsets(get(), nullptr, &offsets));
        return offsets;
    }

    /* The numbers of all answers with this name, of their own type. */
    template <class T>
    const T *column(const char *name) const
    {
        estoc_column column;
        check(estoc_lists_column(get(), name, &column));
        if (column.type != detail::type_of<T>()) {
            throw std::invalid_argument(std::string(name) + " is of another type");
        }
        return static_cast<const T *>(column.data);
    }
};

/* What answers questions. */
class world : public detail::owner<estoc_world> {
public:
    using detail::owner<estoc_world>::owner;

    explicit world(const mesh &mesh, const estoc_build &build = {}, const estoc_run &run = {}, progress told = nullptr)
    {
        estoc_world *made = nullptr;
        with_progress(run, std::move(told),
                      [&](estoc_run *run) { return estoc_world_build(mesh.get(), &build, run, &made); });
        *this = world(made);
    }

    static world load(const std::string &path, const estoc_run &run = {})
    {
        estoc_world *made = nullptr;
        check(estoc_world_load(path.c_str(), &run, &made, nullptr));
        return world(made);
    }

    /* Saves the tree, with the names of its mesh if that is given. */
    void save(const std::string &path, const mesh &mesh = {}) const
    {
        check(estoc_world_save(get(), mesh.get(), path.c_str(), nullptr));
    }

    estoc_world_info info() const
    {
        estoc_world_info info;
        check(estoc_world_get_info(get(), &info));
        return info;
    }

    /* The first hit on a ray. */
    std::optional<estoc_hit> closest_hit(const estoc_ray &ray, const estoc_ray_options &options = {}) const
    {
        estoc_hit hit;
        check(estoc_closest_hit(get(), &ray, &options, &hit));
        return hit.triangle.prim == ESTOC_NONE ? std::nullopt : std::optional<estoc_hit>(hit);
    }

    /* The first hit that a filter (ray, hit), called from any thread, accepts. */
    template <class Filter>
    std::optional<estoc_hit> closest_hit_where(const estoc_ray &ray, Filter filter,
                                               estoc_ray_options options = {}) const
    {
        detail::callback<Filter> back(filter);
        estoc_hit hit;
        set_filter(options, back);
        back.finish(estoc_closest_hit(get(), &ray, &options, &hit));
        return hit.triangle.prim == ESTOC_NONE ? std::nullopt : std::optional<estoc_hit>(hit);
    }

    /* The closest point of the surface that is not farther. */
    std::optional<estoc_closest> closest_point(const std::array<double, 3> &point, double max_distance = INFINITY) const
    {
        estoc_closest closest;
        check(estoc_closest_point(get(), point[0], point[1], point[2], max_distance, &closest));
        return closest.triangle.prim == ESTOC_NONE ? std::nullopt : std::optional<estoc_closest>(closest);
    }

    bool any_hit(const estoc_ray &ray, const estoc_ray_options &options = {}) const
    {
        std::int32_t found = 0;
        check(estoc_any_hit(get(), &ray, &options, &found));
        return found != 0;
    }

    std::int64_t count_hits(const estoc_ray &ray, const estoc_ray_options &options = {}) const
    {
        std::int64_t count = 0;
        check(estoc_count(get(), ESTOC_HIT_COUNT, &ray, &options, &count));
        return count;
    }

    std::int64_t count_crossings(const estoc_ray &ray, const estoc_ray_options &options = {}) const
    {
        std::int64_t count = 0;
        check(estoc_count(get(), ESTOC_CROSSING_COUNT, &ray, &options, &count));
        return count;
    }

    /* Answers a question about many rays; the options may have a filter (ray, hit). */
    void ask(estoc_question question, const estoc_rays &rays, const std::vector<estoc_output> &outputs,
             const estoc_ray_options &options = {}, const estoc_run &run = {}, progress told = nullptr) const
    {
        with_progress(run, std::move(told), [&](estoc_run *run) {
            return estoc_ask_rays(get(), question, &rays, &options, run, outputs.data(), outputs.size());
        });
    }

    lists list(estoc_question question, const estoc_rays &rays, const estoc_ray_options &options = {},
               const estoc_run &run = {}) const
    {
        estoc_lists *made = nullptr;
        check(estoc_list_rays(get(), question, &rays, &options, &run, &made));
        return lists(made);
    }

    /* Answers a question about many points. */
    void ask(estoc_question question, const estoc_points &points, const std::vector<estoc_output> &outputs,
             const estoc_point_options &options = {}, const estoc_run &run = {}, progress told = nullptr) const
    {
        with_progress(run, std::move(told), [&](estoc_run *run) {
            return estoc_ask_points(get(), question, &points, &options, run, outputs.data(), outputs.size());
        });
    }

    lists list(estoc_question question, const estoc_points &points, const estoc_point_options &options = {},
               const estoc_run &run = {}) const
    {
        estoc_lists *made = nullptr;
        check(estoc_list_points(get(), question, &points, &options, &run, &made));
        return lists(made);
    }

    bool contains(const std::array<double, 3> &point, estoc_rule rule = ESTOC_RULE_PARITY) const
    {
        std::int32_t inside = 0;
        check(estoc_contains(get(), point.data(), rule, &inside));
        return inside != 0;
    }

    double signed_distance(const std::array<double, 3> &point, estoc_rule rule = ESTOC_RULE_PARITY) const
    {
        double distance = 0;
        check(estoc_signed_distance(get(), point.data(), rule, &distance));
        return distance;
    }

    /* Visits the triangles in a region; the visitor (prim) returns whether to go on. */
    template <class Visit>
    void overlaps(const estoc_region &region, Visit visit) const
    {
        detail::callback<Visit> back(visit);
        back.finish(estoc_overlaps(
            get(), &region,
            [](void *user, std::uint32_t prim) -> std::int32_t {
                return static_cast<detail::callback<Visit> *>(user)->template call<std::int32_t>(0, prim);
            },
            &back));
    }

    /* Visits the lines in which a plane cuts; the visitor (const estoc_polyline &) returns whether to go on. */
    template <class Visit>
    void section(const estoc_region &plane, Visit visit) const
    {
        detail::callback<Visit> back(visit);
        back.finish(estoc_section(
            get(), &plane,
            [](void *user, const estoc_polyline *line) -> std::int32_t {
                return static_cast<detail::callback<Visit> *>(user)->template call<std::int32_t>(0, std::cref(*line));
            },
            &back));
    }

    /* Visits the pairs of triangles that intersect, of this world or of this and another one; the visitor
     * (first, second, common) returns whether to go on. */
    template <class Visit>
    void intersections(Visit visit, const world &other = {}) const
    {
        detail::callback<Visit> back(visit);
        back.finish(estoc_intersections(
            get(), other.get(), nullptr,
            [](void *user, std::uint32_t first, std::uint32_t second, estoc_common common) -> std::int32_t {
                auto &back = *static_cast<detail::callback<Visit> *>(user);
                return back.template call<std::int32_t>(0, first, second, common);
            },
            &back));
    }

    /* Visits the nodes of the tree; the visitor (const estoc_child *, count) returns whether to go on. */
    template <class Visit>
    void nodes(Visit visit) const
    {
        detail::callback<Visit> back(visit);
        back.finish(estoc_nodes(
            get(),
            [](void *user, const estoc_child *children, std::uint32_t count) -> std::int32_t {
                return static_cast<detail::callback<Visit> *>(user)->template call<std::int32_t>(0, children, count);
            },
            &back));
    }

    /* Returns the least distance between the triangles of this world and of another one. */
    estoc_least_distance least_distance(const world &other) const
    {
        estoc_least_distance least;
        check(estoc_find_least_distance(get(), other.get(), nullptr, &least));
        return least;
    }

private:
    template <class Filter>
    static void set_filter(estoc_ray_options &options, detail::callback<Filter> &back)
    {
        options.user = &back;
        options.filter = [](void *user, const estoc_ray *ray, const estoc_hit *hit) -> std::int32_t {
            auto &back = *static_cast<detail::callback<Filter> *>(user);
            return back.template call<std::int32_t>(0, std::cref(*ray), std::cref(*hit));
        };
    }
};

/* Worlds that are placed by matrices, and moved. */
class scene : public detail::owner<estoc_scene> {
public:
    using detail::owner<estoc_scene>::owner;

    static scene create()
    {
        estoc_scene *made = nullptr;
        check(estoc_scene_create(&made));
        return scene(made);
    }

    std::uint32_t add(const world &world, const estoc_matrix &matrix, std::uint32_t mask = 0, bool reversed = false)
    {
        const estoc_placement placement{matrix, mask, reversed};
        std::uint32_t number = 0;
        check(estoc_scene_add(get(), world.get(), &placement, &number));
        return number;
    }

    void move(std::uint32_t number, const estoc_matrix &matrix) { check(estoc_scene_move(get(), number, &matrix)); }
    void remove(std::uint32_t number) { check(estoc_scene_remove(get(), number)); }

    world commit(const estoc_run &run = {})
    {
        estoc_world *made = nullptr;
        check(estoc_scene_commit(get(), &run, &made));
        return world(made);
    }
};

} // namespace estoc

#endif
