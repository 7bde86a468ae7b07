#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What runs inside of timed loops and jobs, in C so that Swift and C++ contenders run the very same
// instructions.

enum {
    /// Stripes of a tally. Threads beyond this many share stripes, which is slower and still right.
    measuring_stripe_count = 64,
    /// Words from one stripe to the next: two cache lines, since processors fetch lines in pairs.
    measuring_stripe_words = 16,
};

/// The stripe of the calling thread, plus one; 0 before its first job.
extern __thread uint32_t measuring_thread_stripe;

/// Gives the calling thread a stripe and returns it, plus one.
uint32_t measuring_assign_stripe(void);

/// Counts an empty job: adds one to the upper 24 bits of the thread's own stripe, and the job's number, cut
/// to 16 bits, to its lower 40 bits.
static inline void measuring_count(uint64_t *stripes, uint64_t number) {
    uint32_t stripe = measuring_thread_stripe;
    if (__builtin_expect(stripe == 0, 0)) stripe = measuring_assign_stripe();
    uint64_t *word = stripes + (uint64_t)((stripe - 1) % measuring_stripe_count) * measuring_stripe_words;
    __atomic_fetch_add(word, (UINT64_C(1) << 40) + (number & 0xFFFF), __ATOMIC_RELEASE);
}

/// Reads a stripe, and sees what the jobs counted in it have written.
static inline uint64_t measuring_load(const uint64_t *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/// Makes the compiler believe that a value is used.
static inline void measuring_keep(uint64_t value) {
    __asm__ volatile("" : : "r"(value));
}

/// Computes without touching memory: this many multiplications, each waiting for the one before.
static inline void measuring_burn(uint64_t rounds) {
    uint64_t value = rounds | 1;
    for (uint64_t round = 0; round < rounds; round++) {
        value *= UINT64_C(6364136223846793005);
        measuring_keep(value);
    }
}

/// The number by which the system knows the calling thread.
uint64_t measuring_thread_id(void);

/// The bytes that the process has taken from the heap and not given back, allocation headers included.
uint64_t measuring_heap_bytes(void);

/// How often the calling thread has gone to sleep so far; 0 where the system does not count that.
uint64_t measuring_thread_sleeps(void);

/// The version of swift-nio that the package was built with.
const char *measuring_swift_nio_version(void);

#ifdef __cplusplus
}
#endif
