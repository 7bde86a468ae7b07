#pragma once

#if defined(__linux__)

#include <stdbool.h>
#include <stdint.h>

// The event sources of a main loop, by calls that Swift's Glibc module does not show: eventfd, timerfd,
// epoll, and libdispatch's functions for loops that serve the main queue. Functions that return a descriptor
// return -1 and set errno if the system has none available. All descriptors are closed on exec, and no read
// waits.

// MARK: Events and timers

/// A descriptor that is readable from a signal until it is taken.
int cqp_event_make(void);

/// Makes an event readable. Signals that have not been taken yet are one.
void cqp_event_signal(int event);

/// A descriptor that becomes readable periodically.
int cqp_timer_make(uint64_t interval_nanoseconds);

/// A timer that becomes readable once, after it is set. It counts the time for which the system is suspended,
/// as Swift's ContinuousClock does.
int cqp_alarm_make(void);

/// Makes an alarm readable in `nanoseconds` from now, and not before; 0 means never.
void cqp_alarm_set(int alarm, uint64_t nanoseconds);

/// Resets an event or a timer, so that it is no longer readable. Returns false if it was not.
bool cqp_event_take(int event);

// MARK: Sets of descriptors

/// A set of descriptors that is readable while one of them is.
int cqp_set_make(void);

/// Adds a descriptor. One that is watched `once` counts from now, or from when it is watched again, until the
/// set's `wait` has returned it. Returns 0 or the error number.
int cqp_set_add(int set, int descriptor, bool once);

/// Watches a descriptor again that was added to be watched once. If it is readable already, that counts.
void cqp_set_watch_again(int set, int descriptor);

/// Waits until a descriptor of the set is readable, and returns it.
int cqp_set_wait(int set);

/// A descriptor that is ready, by the token with which it was added. An error, or a hang-up of the other end,
/// makes it readable and writable, because a call that reads or writes reports it.
struct cqp_ready {
    uint64_t token;
    bool readable;
    bool writable;
};

/// Adds a descriptor to be waited for by `cqp_set_wait_all`, which a set is used with alone. Returns 0 or the
/// error number.
int cqp_set_add_token(int set, int descriptor, bool reads, bool writes, uint64_t token);

/// Removes a descriptor. If it is closed or was never added, nothing happens.
void cqp_set_remove(int set, int descriptor);

/// Writes the descriptors that are ready to `ready`, at most `capacity` of them and at most 64, and returns
/// their number. With `waits` it waits until there is one. Returns -1 if the set cannot be waited for.
int cqp_set_wait_all(int set, struct cqp_ready *ready, int capacity, bool waits);

// MARK: The main thread and the main queue

/// Whether the calling thread is the one that the process began with. Makes a system call on that thread only
/// the first time.
bool cqp_is_main_thread(void);

/// The descriptor that is readable while blocks wait on the main queue, or -1 if this libdispatch has none.
int cqp_main_queue_descriptor(void);

/// Runs the blocks that wait on the main queue now. Blocks that they enqueue make the descriptor readable
/// again. Within a block of the main queue it does nothing. Must be called on the main thread, if the
/// descriptor is not -1.
void cqp_main_queue_drain(void);

#endif
