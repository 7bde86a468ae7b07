#define _GNU_SOURCE

#include "CQueuePoolsEvents.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int cqp_event_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cqp_event_signal(int event) {
    const int saved = errno;
    const uint64_t one = 1;
    // It can fail in one way, with EAGAIN, when 2^64 - 2 signals have not been taken; then it is readable.
    ssize_t written = write(event, &one, sizeof one);
    (void)written;
    errno = saved;
}

int cqp_timer_make(uint64_t interval_nanoseconds) {
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (timer < 0) return -1;
    const struct timespec interval = {
        .tv_sec = (time_t)(interval_nanoseconds / 1000000000),
        .tv_nsec = (long)(interval_nanoseconds % 1000000000)};
    const struct itimerspec times = {.it_interval = interval, .it_value = interval};
    if (timerfd_settime(timer, 0, &times, NULL) == 0) return timer;
    const int saved = errno;
    close(timer);
    errno = saved;
    return -1;
}

int cqp_alarm_make(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

void cqp_alarm_set(int alarm, uint64_t nanoseconds) {
    const struct itimerspec times = {
        .it_value = {
            .tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)}};
    timerfd_settime(alarm, 0, &times, NULL);
}

bool cqp_event_take(int event) {
    uint64_t count;
    return read(event, &count, sizeof count) == sizeof count;
}

int cqp_set_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

int cqp_set_add(int set, int descriptor, bool once) {
    struct epoll_event event = {.events = EPOLLIN | (once ? EPOLLONESHOT : 0), .data.fd = descriptor};
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

void cqp_set_watch_again(int set, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.fd = descriptor};
    epoll_ctl(set, EPOLL_CTL_MOD, descriptor, &event);
}

int cqp_set_wait(int set) {
    struct epoll_event event;
    int count;
    do {
        count = epoll_wait(set, &event, 1, -1);
    } while (count < 0 && errno == EINTR);
    return count == 1 ? event.data.fd : -1;
}

int cqp_set_add_token(int set, int descriptor, bool reads, bool writes, uint64_t token) {
    struct epoll_event event = {
        .events = (reads ? EPOLLIN : 0) | (writes ? EPOLLOUT : 0), .data.u64 = token};
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : errno;
}

void cqp_set_remove(int set, int descriptor) {
    const int saved = errno;
    epoll_ctl(set, EPOLL_CTL_DEL, descriptor, NULL);
    errno = saved;
}

int cqp_set_wait_all(int set, struct cqp_ready *ready, int capacity, bool waits) {
    struct epoll_event events[64];
    const int limit = capacity < 64 ? capacity : 64;
    int count;
    do {
        count = epoll_wait(set, events, limit, waits ? -1 : 0);
    } while (count < 0 && errno == EINTR);
    for (int i = 0; i < count; i++) {
        const bool ended = events[i].events & (EPOLLERR | EPOLLHUP);
        ready[i] = (struct cqp_ready){
            .token = events[i].data.u64,
            .readable = ended || (events[i].events & EPOLLIN),
            .writable = ended || (events[i].events & EPOLLOUT)};
    }
    return count;
}

bool cqp_is_main_thread(void) {
    // Only "yes" is kept: the first thread remains the first, also of a child that it forks, while another
    // thread becomes the first of a child that it forks.
    static _Thread_local bool is_first;
    if (!is_first) is_first = syscall(SYS_gettid) == getpid();
    return is_first;
}

// libdispatch exports these for CoreFoundation's run loop, and promises them to no other library. They are
// weak: in a program whose libdispatch lacks them they are null, whether it is linked statically or not.
// (dlsym would find them in shared libraries only.)
extern int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));
extern void _dispatch_main_queue_callback_4CF(void *ignored) __attribute__((weak));

int cqp_main_queue_descriptor(void) {
    if (!_dispatch_get_main_queue_handle_4CF || !_dispatch_main_queue_callback_4CF) return -1;
    const int descriptor = _dispatch_get_main_queue_handle_4CF();
    // A read that waits would hang the loop: then it is not the known descriptor.
    const int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && (flags & O_NONBLOCK) ? descriptor : -1;
}

void cqp_main_queue_drain(void) { _dispatch_main_queue_callback_4CF(NULL); }

#endif
