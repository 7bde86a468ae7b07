#if defined(__linux__)

#define _GNU_SOURCE
#include "CLinuxThreads.h"

#include <errno.h>
#include <sched.h>

int clinux_thread_get_affinity(size_t mask_bytes, unsigned long *mask) {
    return sched_getaffinity(0, mask_bytes, (cpu_set_t *)mask) == 0 ? 0 : errno;
}

int clinux_thread_set_affinity(size_t mask_bytes, const unsigned long *mask) {
    return sched_setaffinity(0, mask_bytes, (const cpu_set_t *)mask) == 0 ? 0 : errno;
}

int clinux_thread_current_cpu(void) {
    return sched_getcpu();
}

#endif
