#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// oneTBB, a C++ library, behind functions that Swift can call. Without the library at build time there is no
// version, and no pool can be made.

/// Numbers of jobs, and where they are counted.
struct onetbb_jobs {
    uint64_t *stripes;
    int64_t first;
    int64_t end;
    /// The tier of a job is `tiers[number & tier_mask]`.
    const uint8_t *tiers;
    int64_t tier_mask;
};

struct onetbb_pool;

/// Names the library's version, or returns NULL where the program was built without it.
const char *onetbb_version(void);

/// Makes a pool with the same number of worker threads for each of five tiers, 0 the least urgent, 2 normal.
/// Returns NULL without the library.
struct onetbb_pool *onetbb_pool_create(int workers_per_tier);

/// Submits one empty job for each number, in their order.
void onetbb_pool_count(struct onetbb_pool *pool, struct onetbb_jobs jobs);

/// Submits a job that calls a function.
void onetbb_pool_run(struct onetbb_pool *pool, int tier, void (*function)(void *), void *context);

/// Runs `count` iterations by `parallel_for`, on the caller and the library's own threads, and returns when
/// all have ended. An iteration computes for so many rounds, or is a loop of `nested_count` of these, unless
/// 0.
void onetbb_parallel_for(int64_t count, int64_t nested_count, uint64_t rounds);

/// Destroys a pool. All of its jobs must have run.
void onetbb_pool_destroy(struct onetbb_pool *pool);

#ifdef __cplusplus
}
#endif
