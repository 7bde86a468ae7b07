#if defined(__linux__)

#define _GNU_SOURCE
#include "CQueuePoolsThreads.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: CPUs

int cqp_thread_get_affinity(int thread, size_t mask_bytes, unsigned long *mask) {
    return sched_getaffinity(thread, mask_bytes, (cpu_set_t *)mask) == 0 ? 0 : errno;
}

int cqp_thread_set_affinity(size_t mask_bytes, const unsigned long *mask) {
    return sched_setaffinity(0, mask_bytes, (const cpu_set_t *)mask) == 0 ? 0 : errno;
}

int cqp_thread_current_cpu(void) {
    return sched_getcpu();
}

// MARK: Threads

struct thread_start {
    void (*main)(void *);
    void *argument;
};

static void *run_thread(void *pointer) {
    struct thread_start start = *(struct thread_start *)pointer;
    free(pointer);
    start.main(start.argument);
    return NULL;
}

void cqp_thread_unblock_like_dispatch(void) {
    // Dispatch leaves those that a fault of the thread raises and those for profilers and pipes.
    const uint32_t left = 1u << SIGILL | 1u << SIGTRAP | 1u << SIGBUS | 1u << SIGFPE | 1u << SIGSEGV |
        1u << SIGSYS | 1u << SIGPROF | 1u << SIGPIPE | 1u << SIGKILL | 1u << SIGSTOP;
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    // A program that blocks all signals blocks this one, too.
    if (sigismember(&mask, SIGSEGV)) return;
    for (int signal = 1; signal < 32; signal++)
        if (!(left >> signal & 1) && !sigismember(&mask, signal)) return;
    pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
}

size_t cqp_minimum_stack_bytes(void) {
    return (size_t)PTHREAD_STACK_MIN;
}

int cqp_thread_start(void (*main)(void *), void *argument, size_t stack_bytes, bool is_joined) {
    struct thread_start *start = malloc(sizeof *start);
    if (start == NULL) return ENOMEM;
    *start = (struct thread_start){main, argument};

    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error == 0) {
        if (!is_joined) pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        if (stack_bytes > 0) pthread_attr_setstacksize(&attributes, stack_bytes);

        pthread_t thread;
        error = pthread_create(&thread, &attributes, run_thread, start);
        pthread_attr_destroy(&attributes);
    }
    if (error != 0) free(start);
    return error;
}

uintptr_t cqp_thread_handle(void) {
    return (uintptr_t)pthread_self();
}

void cqp_thread_join(uintptr_t thread) {
    pthread_join((pthread_t)thread, NULL);
}

void cqp_thread_detach(uintptr_t thread) {
    pthread_detach((pthread_t)thread);
}

/// The function that the calling thread calls at its end. It has no destructor, so it outlives other values.
static _Thread_local struct {
    void (*body)(void *);
    void *argument;
    int rounds;
} thread_end;

static pthread_key_t end_key;
static bool has_end_key;

// The system calls the destructors of all values in rounds, as long as some are set again, up to a limit. The
// last round is left to sanitizers, which release their records of the thread there.
static void end_round(void *value) {
    const bool is_last = ++thread_end.rounds >= PTHREAD_DESTRUCTOR_ITERATIONS - 1;
    if (!is_last && pthread_setspecific(end_key, value) == 0) return;
    void *argument = thread_end.argument;
    thread_end.argument = NULL;
    thread_end.body(argument);
}

static void make_end_key(void) {
    has_end_key = pthread_key_create(&end_key, end_round) == 0;
}

void cqp_thread_at_end(void (*body)(void *), void *argument) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_end_key);
    thread_end.body = body;
    thread_end.argument = argument;
    if (!has_end_key || pthread_setspecific(end_key, &thread_end) != 0) {
        thread_end.rounds = PTHREAD_DESTRUCTOR_ITERATIONS;
        end_round(NULL);
    }
}

void *cqp_thread_end_argument(void) {
    return thread_end.argument;
}

static _Thread_local struct cqp_thread_identity identity;

const struct cqp_thread_identity *cqp_current_thread_identity(void) {
    if (identity.number == 0) {
        identity.number = (uint64_t)syscall(SYS_gettid);
        prctl(PR_GET_NAME, identity.name);
    }
    return &identity;
}

int cqp_thread_set_name(const char *name) {
    identity.number = 0;
    return pthread_setname_np(pthread_self(), name);
}

_Thread_local struct cqp_thread cqp_thread;

bool cqp_forked;

static void note_fork(void) {
    cqp_forked = true;
    identity.number = 0;
}

static void watch_forks(void) {
    pthread_atfork(NULL, NULL, note_fork);
}

void cqp_mark_children(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
}

// MARK: Scheduling

// The kernel's struct sched_attr in its first version; glibc before 2.41 declares none.
struct scheduling_attributes {
    uint32_t size;
    uint32_t sched_policy;
    uint64_t sched_flags;
    int32_t sched_nice;
    uint32_t sched_priority;
    uint64_t sched_runtime;
    uint64_t sched_deadline;
    uint64_t sched_period;
};

int cqp_thread_get_scheduling(int thread, struct cqp_scheduling *scheduling) {
    struct scheduling_attributes attributes = {0};
    if (syscall(SYS_sched_getattr, thread, &attributes, sizeof attributes, 0) != 0) return errno;
    scheduling->policy = attributes.sched_policy;
    scheduling->nice = attributes.sched_nice;
    scheduling->slice_nanoseconds = attributes.sched_runtime;
    return 0;
}

int cqp_thread_set_scheduling(const struct cqp_scheduling *scheduling) {
    struct scheduling_attributes attributes = {
        .size = sizeof attributes,
        .sched_policy = scheduling->policy,
        .sched_nice = scheduling->nice,
        .sched_runtime = scheduling->slice_nanoseconds,
    };
    return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0 ? 0 : errno;
}

int cqp_process_nice(void) {
    return getpriority(PRIO_PROCESS, (id_t)getpid());
}

int cqp_first_thread(void) {
    return getpid();
}

bool cqp_is_first_thread(void) {
    return syscall(SYS_gettid) == getpid();
}

void cqp_sleep(uint32_t microseconds) {
    const struct timespec time = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};
    nanosleep(&time, NULL);
}

void cqp_thread_yield(void) {
    sched_yield();
}

// MARK: Memory

// The sanitizer's runtime defines these; elsewhere they are null.
void __lsan_register_root_region(const void *, size_t) __attribute__((weak));
void __lsan_unregister_root_region(const void *, size_t) __attribute__((weak));

void cqp_leak_checker_add(const void *memory, size_t byte_count) {
    if (__lsan_register_root_region) __lsan_register_root_region(memory, byte_count);
}

void cqp_leak_checker_remove(const void *memory, size_t byte_count) {
    if (__lsan_unregister_root_region) __lsan_unregister_root_region(memory, byte_count);
}

// MARK: Futexes

void cqp_futex_wait(const void *word, uint32_t expected, uint64_t deadline) {
    const uint64_t second = 1000000000;
    // Deadlines that signed nanoseconds cannot express are no deadlines.
    const struct timespec limit = {
        .tv_sec = (time_t)(deadline / second), .tv_nsec = (long)(deadline % second)};
    const struct timespec *timeout = deadline > INT64_MAX ? NULL : &limit;
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected, timeout, NULL, FUTEX_BITSET_MATCH_ANY);
}

void cqp_futex_wake(const void *word) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

uint64_t cqp_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t cqp_coarse_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
