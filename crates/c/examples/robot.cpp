// A robot arm whose hand is a sphere of triangles: which part does a ray hit while the arm moves, and where?
#include <estoc.hpp>

#include <cmath>
#include <cstdio>

// Returns a sphere around 0 of triangles.
static estoc::mesh sphere(int rings)
{
    const double pi = std::acos(-1.0);
    std::vector<std::array<float, 3>> corners;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (int i = 0; i <= rings; i++) {
        for (int j = 0; j < 2 * rings; j++) {
            const double a = pi * i / rings, b = pi * j / rings;
            corners.push_back({float(std::sin(a) * std::cos(b)), float(std::sin(a) * std::sin(b)), float(std::cos(a))});
        }
    }
    const auto at = [&](int i, int j) { return std::uint32_t(2 * rings * i + j % (2 * rings)); };
    for (int i = 0; i < rings; i++) {
        for (int j = 0; j < 2 * rings; j++) {
            triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
            triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    }
    return estoc::mesh(corners, triangles);
}

int main()
try {
    const estoc::world hand(sphere(16));
    auto scene = estoc::scene::create();
    const auto number = scene.add(hand, estoc_translation(0, 0, 0));
    const estoc_ray ray = estoc_make_ray(0, 0, 10, 0, 0, -1);
    for (int step = 0; step < 4; step++) {
        scene.move(number, estoc_translation(0.4 * step, 0, 0));
        const estoc::world now = scene.commit();
        if (const auto hit = now.closest_hit(ray)) {
            std::printf("step %d: t = %.3f\n", step, hit->t);
        } else {
            std::printf("step %d: a miss\n", step);
        }
    }
    return 0;
} catch (const estoc::error &error) {
    std::fprintf(stderr, "%s: %s\n", estoc_status_name(error.status()), error.what());
    return 1;
}
