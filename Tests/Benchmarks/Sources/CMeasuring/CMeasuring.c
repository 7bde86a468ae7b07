#if defined(__linux__)
#define _GNU_SOURCE
#include <unistd.h>
#else
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

const char *measuring_swift_nio_version(void) {
    return SWIFT_NIO_VERSION;
}
