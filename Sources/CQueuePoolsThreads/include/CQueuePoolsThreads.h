#pragma once

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The calls about threads that Swift cannot make: those that glibc shows only under _GNU_SOURCE, those that
// it does not wrap, and a thread-local variable. Functions that return int return 0 or the error number,
// unless they say otherwise.

// MARK: CPUs
// A mask is an array of unsigned long with one bit per CPU, of any size.

/// Reads the affinity mask of a thread, by its number; 0 is the calling one. EINVAL where the mask is smaller
/// than the kernel's own.
int cqp_thread_get_affinity(int thread, size_t mask_bytes, unsigned long *mask);

/// Sets the affinity mask of the calling thread.
int cqp_thread_set_affinity(size_t mask_bytes, const unsigned long *mask);

/// The CPU that the calling thread runs on, or -1.
int cqp_thread_current_cpu(void);

// MARK: Threads

/// Starts a thread, which is detached unless it is to be joined. It blocks the signals that its maker blocks.
/// `stack_bytes` is the size of its stack, 0 the default.
int cqp_thread_start(void (*main)(void *), void *argument, size_t stack_bytes, bool is_joined);

/// Unblocks all signals on the calling thread, if it blocks all that a worker of Dispatch blocks for itself,
/// and so has inherited them: a process that it starts would inherit them, too.
void cqp_thread_unblock_like_dispatch(void);

/// The smallest stack that a thread can have.
size_t cqp_minimum_stack_bytes(void);

/// The calling thread, for those that join or detach it; not 0.
uintptr_t cqp_thread_handle(void);

/// Waits until a thread has ended, with the destructors of its thread-specific values.
void cqp_thread_join(uintptr_t thread);

/// Detaches a thread: the system frees it when it has ended.
void cqp_thread_detach(uintptr_t thread);

/// Calls a function once on the calling thread when that ends, after the destructors of its thread-specific
/// values: also after those that are due because a destructor set a value, except for a third time.
/// Immediately if the system has no key left. A thread can do this once.
void cqp_thread_at_end(void (*body)(void *), void *argument);

/// If the calling thread is ending, the argument with which the function will be called; else NULL.
void *cqp_thread_end_argument(void);

/// Names the calling thread, with at most 15 bytes.
int cqp_thread_set_name(const char *name);

/// The number and the name of a thread, as the system's tools show them.
struct cqp_thread_identity {
    uint64_t number;
    /// At most 15 bytes, and a NUL.
    char name[16];
};

/// The calling thread's. Read once; the name again after `cqp_thread_set_name`.
const struct cqp_thread_identity *cqp_current_thread_identity(void);

/// The engine's values of the calling thread. Zero at first.
struct cqp_thread {
    /// The innermost queue that the thread runs, as a frame on its stack.
    void *frame;
    /// The worker thread that it is.
    void *worker;
    /// The innermost object that says whether the job that the thread runs was cancelled.
    void *scope;
    /// The hash value of the task that stands in for none, while the thread runs a closure outside of tasks.
    intptr_t stand_in;
    /// Counts the thread's unordered jobs, to deal them out.
    uint32_t turn;
    /// Whether it is the supervisor's.
    _Bool supervises;
    /// The capacity that takes the thread's job as ended, before the thread has come to its end.
    const void *ended_capacity;
};

/// The values of the calling thread.
static inline struct cqp_thread *cqp_current_thread(void) {
    extern _Thread_local struct cqp_thread cqp_thread;
    return &cqp_thread;
}

/// Marks all processes that this one forks from now on.
void cqp_mark_children(void);

/// Whether the process was forked from one that marks its children. Written before `fork` returns.
static inline bool cqp_is_marked_child(void) {
    extern bool cqp_forked;
    return cqp_forked;
}

// MARK: Scheduling

/// The kernel's numbers for SCHED_OTHER, SCHED_BATCH and SCHED_IDLE.
static const uint32_t cqp_policy_normal = 0, cqp_policy_batch = 3, cqp_policy_idle = 5;

struct cqp_scheduling {
    uint32_t policy;
    int32_t nice;
    /// How long the thread may run before others get a turn; 0 for the kernel's default. Linux 6.12 and
    /// later.
    uint64_t slice_nanoseconds;
};

/// Reads the scheduling of a thread, by its number; 0 is the calling one.
int cqp_thread_get_scheduling(int thread, struct cqp_scheduling *scheduling);

/// Sets the scheduling of the calling thread.
int cqp_thread_set_scheduling(const struct cqp_scheduling *scheduling);

/// The nice value of the process's first thread.
int cqp_process_nice(void);

/// The number of the process's first thread.
int cqp_first_thread(void);

/// Whether the calling thread is the process's first one.
bool cqp_is_first_thread(void);

/// Suspends the calling thread, at most until a signal handler has run.
void cqp_sleep(uint32_t microseconds);

/// Yields the processor to another thread.
void cqp_thread_yield(void);

// MARK: Memory

/// Registers mapped memory with LeakSanitizer, in a program that was built with it, which then looks for
/// references there as in the allocator's memory.
void cqp_leak_checker_add(const void *memory, size_t byte_count);

/// Takes that back, before the memory is unmapped.
void cqp_leak_checker_remove(const void *memory, size_t byte_count);

/// Takes an unowned reference to a Swift object, which keeps its memory.
void cqp_reference_keep(void *object);

/// Releases an unowned reference.
void cqp_reference_release(void *object);

/// Retains a Swift object to which there is an unowned reference; false if its last strong reference is gone.
bool cqp_reference_try_retain(void *object);

/// Whether the last strong reference to such an object is gone.
bool cqp_reference_is_gone(void *object);

/// Keeps the block of memory of a closure's context beyond the context's end, until `cqp_context_release`.
/// Returns false for other objects than boxes of captures, and for blocks of more than 128 bytes.
bool cqp_context_keep(uintptr_t context);

/// Frees the block, if the context has ended; otherwise its end does.
void cqp_context_release(uintptr_t context);

/// Prefetches a cache line that will be read and then written, in one step.
static inline void cqp_prefetch_for_writing(const void *memory) {
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)memory));
#else
    __builtin_prefetch(memory, 1);
#endif
}

// MARK: Futexes

/// Waits until another thread wakes the word, unless it no longer holds the expected value. `deadline` is in
/// nanoseconds of CLOCK_MONOTONIC; UINT64_MAX waits without limit. May return early.
void cqp_futex_wait(const void *word, uint32_t expected, uint64_t deadline);

/// Wakes a thread that waits at the word.
void cqp_futex_wake(const void *word);

/// The time of CLOCK_MONOTONIC in nanoseconds.
uint64_t cqp_monotonic_nanoseconds(void);

/// The same, at the last tick of the kernel: some milliseconds late, but it costs a fifth.
uint64_t cqp_coarse_nanoseconds(void);

/// The processor's counter, which the calling thread reads without waiting for its own computations to end.
/// How fast it counts must be measured; on other processors it counts nanoseconds.
static inline uint64_t cqp_ticks(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return cqp_monotonic_nanoseconds();
#endif
}

#endif
