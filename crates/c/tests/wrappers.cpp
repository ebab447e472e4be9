/* The C++ header: owners, exceptions, callbacks that throw. */
#include <estoc.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                            \
            std::exit(1);                                                                                             \
        }                                                                                                             \
    } while (0)

struct stop {
    int number;
};

/* Returns what a function throws. */
template <class Thrown, class Function>
Thrown thrown(Function function)
{
    try {
        function();
    } catch (const Thrown &thrown) {
        return thrown;
    }
    CHECK(!"nothing was thrown");
    std::abort();
}

int main()
{
    const std::vector<std::array<float, 3>> corners = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
    const std::vector<std::array<std::uint16_t, 3>> faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    estoc::mesh mesh(corners, faces);
    CHECK(mesh.info().triangle_count == 4 && mesh.info().positions.type == ESTOC_F32);
    estoc::world world(mesh);
    const estoc::mesh empty;
    CHECK(!empty && mesh);

    /* Copies, moves, and the end of the first owner. */
    {
        estoc::mesh copy = mesh;
        estoc::mesh moved = std::move(copy);
        copy = moved;
        const auto &itself = copy;
        copy = itself;
        mesh = estoc::mesh();
        CHECK(moved.info().vertex_count == 4 && copy.get() == moved.get());
        mesh = std::move(moved);
    }
    CHECK(mesh.info().vertex_count == 4);
    CHECK(thrown<estoc::error>([&] { estoc::world world(empty); }).status() == ESTOC_NULL);
    const auto missing = thrown<estoc::error>([] { estoc::mesh::load("no/such/file.obj"); });
    CHECK(missing.status() == ESTOC_FILE && std::strstr(missing.what(), "no/such/file.obj") != nullptr);

    const estoc_ray ray = estoc_make_ray(1, 1, 9, 0, 0, -1);
    const auto hit = world.closest_hit(ray);
    CHECK(hit && hit->triangle.prim == 2 && hit->t == 7);
    CHECK(world.any_hit(ray) && world.count_hits(ray) == 2 && world.count_crossings(ray) == 2);
    CHECK(!world.closest_hit(estoc_make_ray(9, 9, 9, 0, 0, -1)));
    CHECK(world.contains({0.5, 0.5, 0.5}) && world.signed_distance({0.5, 0.5, 0.5}) == -0.5);

    /* Filters, and what they throw. */
    const auto second = world.closest_hit_where(ray, [&](const estoc_ray &of, const estoc_hit &found) {
        CHECK(of.dir[2] == -1);
        return found.triangle.prim != 2;
    });
    CHECK(second && second->triangle.prim == 0);
    const auto throws = [](const estoc_ray &, const estoc_hit &) -> bool { throw stop{5}; };
    CHECK(thrown<stop>([&] { world.closest_hit_where(ray, throws); }).number == 5);

    /* Many rays, from lists. */
    const std::vector<std::array<double, 3>> origins(1000, {1, 1, 9});
    const std::vector<std::array<double, 3>> dirs(1000, {0, 0, -1});
    estoc_rays rays{};
    rays.count = origins.size();
    rays.origin = estoc::triples(origins);
    rays.dir = estoc::triples(dirs);
    std::vector<float> t(rays.count);
    std::vector<std::uint32_t> prim(rays.count);
    world.ask(ESTOC_CLOSEST_HIT, rays, {estoc::output("t", t), estoc::output("prim", prim)});
    for (std::size_t i = 0; i < rays.count; i++) {
        CHECK(t[i] == 7 && prim[i] == 2);
    }
    const auto lists = world.list(ESTOC_ALL_HITS, rays);
    CHECK(lists.size() == 1000 && lists.offsets()[1000] == 2000);
    CHECK(lists.column<float>("t")[1] == 9 && lists.column<std::uint32_t>("prim")[1999] == 0);
    thrown<std::invalid_argument>([&] { lists.column<double>("t"); });
    thrown<estoc::error>([&] { lists.column<double>("distance"); });

    /* Progress: told, ended, and thrown out of. */
    int told = 0;
    const auto ask = [&](estoc::progress progress) {
        world.ask(ESTOC_CLOSEST_HIT, rays, {estoc::output("t", t)}, {}, {}, std::move(progress));
    };
    ask([&](std::uint64_t done, std::uint64_t total) { return ++told, done <= total; });
    CHECK(told > 0);
    const auto ended = thrown<estoc::error>([&] { ask([](std::uint64_t, std::uint64_t) { return false; }); });
    CHECK(ended.status() == ESTOC_CANCELLED);
    CHECK(thrown<stop>([&] { ask([](std::uint64_t, std::uint64_t) -> bool { throw stop{6}; }); }).number == 6);

    /* Visits. */
    estoc_region region{};
    region.kind = ESTOC_BOX;
    region.points[1][0] = region.points[1][1] = region.points[1][2] = 0.25;
    std::vector<std::uint32_t> inside;
    world.overlaps(region, [&](std::uint32_t prim) { return inside.push_back(prim), true; });
    CHECK((inside == std::vector<std::uint32_t>{0, 1, 3}));
    CHECK(thrown<stop>([&] { world.overlaps(region, [](std::uint32_t) -> bool { throw stop{7}; }); }).number == 7);
    region.kind = ESTOC_PLANE;
    region.points[0][2] = 1;
    region.points[1][0] = region.points[1][1] = 0;
    double area = 0;
    world.section(region, [&](const estoc_polyline &line) { return area += line.area, true; });
    CHECK(area == 4.5);
    int pairs = 0;
    world.intersections([&](std::uint32_t, std::uint32_t, estoc_common) { return ++pairs, true; });
    CHECK(pairs == 0);
    std::uint32_t below = 0;
    world.nodes([&](const estoc_child *children, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; i++) {
            below += children[i].count;
        }
        return true;
    });
    CHECK(below == world.info().triangles);
    CHECK(world.least_distance(world).distance == 0);
    CHECK(!world.closest_point({0, 0, 9}, 1) && world.closest_point({0, 0, 9})->distance > 1);

    /* Scenes. */
    auto scene = estoc::scene::create();
    const auto number = scene.add(world, estoc_translation(0, 0, 1));
    const auto before = scene.commit();
    scene.move(number, estoc_translation(0, 0, 2));
    const auto after = scene.commit();
    CHECK(before.closest_hit(ray)->t == 6 && after.closest_hit(ray)->t == 5);
    scene.remove(number);
    CHECK(thrown<estoc::error>([&] { scene.remove(number); }).status() == ESTOC_BAD_SCENE);
    CHECK(after.info().depth == 1);
    std::puts("wrappers: passed");
    return 0;
}
