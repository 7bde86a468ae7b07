#include "COneTBB.h"

#if defined(HAVE_ONETBB)

#include <CMeasuring.h>
#include <array>
#include <memory>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>

// One arena a tier. `task_arena::enqueue` is the library's only fire-and-forget: any thread may call it, jobs
// begin though no thread waits for them, and in about the order they came. `task_group::run` is made for a
// thread that waits for its jobs: it puts them on the caller's own deque, newest first, and the caller works
// on them while it waits.
struct onetbb_pool {
    explicit onetbb_pool(int workers)
        // The library counts the main thread in, and shares its threads among all arenas. This many let each
        // arena have the workers that each of a pool's tiers has.
        : parallelism(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(workers) * tiers + 1) {
        for (int tier = 0; tier < tiers; tier++) {
            // No slot is kept for a caller: callers submit and continue.
            arenas[tier] = std::make_unique<tbb::task_arena>(workers, 0, priority(tier));
            arenas[tier]->initialize();
        }
    }

    static constexpr int tiers = 5;
    tbb::global_control parallelism;
    std::array<std::unique_ptr<tbb::task_arena>, tiers> arenas;

private:
    static tbb::task_arena::priority priority(int tier) {
        if (tier < 2) return tbb::task_arena::priority::low;
        return tier == 2 ? tbb::task_arena::priority::normal : tbb::task_arena::priority::high;
    }
};

const char *onetbb_version(void) {
    return TBB_runtime_version();
}

struct onetbb_pool *onetbb_pool_create(int workers_per_tier) {
    return new onetbb_pool(workers_per_tier);
}

void onetbb_pool_count(struct onetbb_pool *pool, struct onetbb_jobs jobs) {
    for (int64_t number = jobs.first; number < jobs.end; number++) {
        tbb::task_arena &arena = *pool->arenas[jobs.tiers[number & jobs.tier_mask]];
        arena.enqueue([stripes = jobs.stripes, number] {
            measuring_count(stripes, static_cast<uint64_t>(number));
        });
    }
}

void onetbb_pool_run(struct onetbb_pool *pool, int tier, void (*function)(void *), void *context) {
    pool->arenas[static_cast<size_t>(tier)]->enqueue([=] { function(context); });
}

void onetbb_parallel_for(int64_t count, int64_t nested_count, uint64_t rounds) {
    if (nested_count == 0) {
        tbb::parallel_for(int64_t(0), count, [=](int64_t) { measuring_burn(rounds); });
        return;
    }
    tbb::parallel_for(int64_t(0), count, [=](int64_t) {
        tbb::parallel_for(int64_t(0), nested_count, [=](int64_t) { measuring_burn(rounds); });
    });
}

void onetbb_pool_destroy(struct onetbb_pool *pool) {
    delete pool;
}

#else

const char *onetbb_version(void) {
    return nullptr;
}

struct onetbb_pool *onetbb_pool_create(int) {
    return nullptr;
}

void onetbb_pool_count(struct onetbb_pool *, struct onetbb_jobs) {}

void onetbb_pool_run(struct onetbb_pool *, int, void (*)(void *), void *) {}

void onetbb_parallel_for(int64_t, int64_t, uint64_t) {}

void onetbb_pool_destroy(struct onetbb_pool *) {}

#endif
