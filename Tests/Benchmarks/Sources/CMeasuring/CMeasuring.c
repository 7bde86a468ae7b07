#if defined(__linux__)
#define _GNU_SOURCE
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>
#else
#include <malloc/malloc.h>
#include <pthread.h>
#endif

#include "CMeasuring.h"

__thread uint32_t measuring_thread_stripe;

static uint32_t assigned_stripes;

uint32_t measuring_assign_stripe(void) {
    measuring_thread_stripe = __atomic_add_fetch(&assigned_stripes, 1, __ATOMIC_RELAXED);
    return measuring_thread_stripe;
}

uint64_t measuring_thread_id(void) {
#if defined(__linux__)
    return (uint64_t)gettid();
#else
    uint64_t identifier = 0;
    pthread_threadid_np(NULL, &identifier);
    return identifier;
#endif
}

uint64_t measuring_heap_bytes(void) {
#if defined(__linux__)
    // All arenas together; large allocations, which are mappings of their own, are counted apart.
    struct mallinfo2 info = mallinfo2();
    return (uint64_t)info.uordblks + (uint64_t)info.hblkhd;
#else
    struct malloc_statistics_t statistics;
    malloc_zone_statistics(NULL, &statistics);
    return (uint64_t)statistics.size_in_use;
#endif
}

uint64_t measuring_thread_sleeps(void) {
#if defined(__linux__)
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint64_t)usage.ru_nvcsw : 0;
#else
    return 0;
#endif
}

const char *measuring_swift_nio_version(void) {
    return SWIFT_NIO_VERSION;
}
