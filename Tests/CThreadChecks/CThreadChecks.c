#if defined(__linux__)

#define _GNU_SOURCE
#include "CThreadChecks.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

// A child that runs the body of an exit test ends after ten minutes, or half an hour if it was asked to do
// more, whatever it waits for, by a signal that no test handles: the tests' process waits for its end on
// threads that all its tests share, so that no time limit of theirs would come to act.
__attribute__((constructor)) static void limit_exit_test(void) {
    if (!getenv("SWT_EXIT_TEST_ID")) return;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    const struct itimerspec limit = {.it_value = {.tv_sec = getenv("STRESS_SCALE") ? 1800 : 600}};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &limit, NULL);
}

int cthread_forbid(unsigned calls, int kills) {
    static const struct { unsigned kind, number; } known[] = {
        {cthread_scheduling, SYS_sched_setattr},  {cthread_scheduling, SYS_sched_setscheduler},
        {cthread_scheduling, SYS_sched_setparam}, {cthread_scheduling, SYS_setpriority},
        {cthread_affinity, SYS_sched_setaffinity}, {cthread_memory, SYS_mbind},
    };
    const unsigned answer = kills ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | EPERM;
    struct sock_filter program[2 + 2 * sizeof known / sizeof known[0]];
    unsigned short length = 0;
    program[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t index = 0; index < sizeof known / sizeof known[0]; index++) {
        if (!(known[index].kind & calls)) continue;
        program[length++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, known[index].number, 0, 1);
        program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer);
    }
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {length, program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 ? 0 : errno;
}

int cthread_confine(int thread, size_t mask_bytes, const unsigned long *mask) {
    return sched_setaffinity(thread, mask_bytes, (const cpu_set_t *)mask) == 0 ? 0 : errno;
}

size_t cthread_stack_bytes(void) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    size_t bytes = 0;
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
    return bytes;
}

long long cthread_cpu_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

void cthread_send_signals(void) {
    struct itimerval interval = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_PROF, &interval, NULL);
    setitimer(ITIMER_REAL, &interval, NULL);
}

#endif
