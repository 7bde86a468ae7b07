#pragma once

#if defined(__linux__)

#include <stddef.h>

// What tests ask the kernel that Swift cannot: prctl is variadic, pthread_getattr_np is glibc's own.

/// The calls that change how, or where, a thread runs.
enum cthread_calls {
    cthread_scheduling = 1,  // sched_setattr, sched_setscheduler, sched_setparam, setpriority
    cthread_affinity = 2,    // sched_setaffinity
    cthread_memory = 4,      // mbind
};

/// Has the kernel refuse these calls, with EPERM, to the calling thread and to those that it makes, for good;
/// or, if `kills`, end the process at such a call. Returns 0 or an error number.
int cthread_forbid(unsigned calls, int kills);

/// Sets the affinity mask of a thread, by its number; 0 is the calling one. Returns 0 or an error number.
int cthread_confine(int thread, size_t mask_bytes, const unsigned long *mask);

/// How long the calling thread has run, in nanoseconds of processor time.
long long cthread_cpu_nanoseconds(void);

/// Has the kernel send SIGPROF and SIGALRM to the process each millisecond, by processor time and by the
/// clock.
void cthread_send_signals(void);

/// The size of the calling thread's stack, or 0.
size_t cthread_stack_bytes(void);

#endif
