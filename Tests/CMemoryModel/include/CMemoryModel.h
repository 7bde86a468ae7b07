#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The threads of a model: stacks between which one thread of the process changes.

/// Prepares a stack on which `body` runs when it is first changed to. Returns the stack pointer.
void *cmodel_prepare(void *stack, size_t byte_count, void (*body)(void));

/// Continues on another stack; returns when that one, or a third, changes back.
void cmodel_change(void **from, void *to);

/// A stack of so many bytes, above a page that cannot be accessed.
void *cmodel_stack(size_t byte_count);

/// Changes from the explorer's own stack to another. Returns 0 when a stack has called `cmodel_leave`; or the
/// number of the signal by which the code there failed: a trap, or an access of unmapped memory.
int cmodel_enter(void *to);

/// Changes to the explorer's own stack.
void cmodel_leave(void **from);

/// Memory full of zeros at a multiple of an alignment, that stays.
void *cmodel_memory(size_t byte_count, size_t alignment);

/// Reads and writes a value of 1, 2, 4 or 8 bytes.
uint64_t cmodel_read(uintptr_t address, size_t byte_count);
void cmodel_write(uintptr_t address, size_t byte_count, uint64_t value);

/// Whether an address is one of a variable of the program, which is there in each execution.
bool cmodel_is_static(uintptr_t address);

// MARK: Weak memory

// Memory as C++20 describes it, on whose terms Swift's atomics are defined: what a load may return is not
// only what was stored last.
//
// The model:
//
// An atomic location is a list of *messages*, in modification order; a message's place is its *stamp*. A
// *view* says for each location which message is the oldest that may still be read. A thread has three:
//
// - `current` limits what it reads and where it writes: a load returns any message from there on, and a
//   store goes to any place after it, also before messages that are there already;
// - `acquired` is what relaxed loads have met; an acquiring fence makes it current;
// - `released` is what the last releasing fence found current; relaxed stores release it.
//
// A message carries the view that it releases. An update (a read-modify-write) comes immediately after the
// message that it reads, nothing is ever placed between the two, and it carries that message's view further:
// so a release sequence consists of updates, as in C++20.
//
// *Plain* accesses have no messages. A view's `clock` says how many of each thread's plain accesses happened
// before. A write must know all accesses since the last write and that write itself, a read must know that
// write; otherwise there is a data race, which is a violation. Both orders of two accesses in a race are
// found to be one, so plain accesses need not be interleaved.
//
// S, the order of sequentially consistent operations, is not the order in which they are executed, but any
// total order that [atomics.order] of C++20 allows: of two operations on one location, of which one is
// *coherence-ordered before* the other, those two, or the fences that they happen before or after, stand in
// the same order in S; and S agrees with happens-before. A load comes after others in S by happens-before
// only, as in RC11: C++20 as it is written has it come after each load of an older message, too, though x86
// lets it read what its own thread has stored early. For each operation there is a view of the messages that
// operations up to it in S have met. In a thread's view, `sequential` joins those of all operations that
// happened before, `fenced` those of fences only. The first limits what the thread's next sequentially
// consistent access reads, the second all accesses. An access that reads or precedes an older message than
// others have met is before those in S, and their views are joined with its own.
//
// Sources and limits:
//
// Messages and views are those of the promising semantics (Kang, Hur, Lahav, Vafeiadis, Dreyer: *A promising
// semantics for relaxed-memory concurrency*, 2017) without promises; the same executions are those of RC11
// (Lahav et al.: *Repairing sequential consistency in C/C++11*, 2017). Two things are not modelled, and an
// algorithm that needs them forbidden is not shown to be right:
//
// - No load is performed after a store that follows it in its thread (*load buffering*). Where such a load
//   could do harm, because it is one of *data* (`memory_read_data`), the store that it might read is found:
//   one that the load has led to, by whatever accesses, and that it does not happen before.
// - S contradicts no happens-before. C++20 allows it to, in mixtures of sequentially consistent and weaker
//   accesses of one location, for the sake of POWER; x86 and arm64 do not.
//
// Compare-and-exchange does not fail spuriously. There is no *consume*: addresses order nothing.

enum {
    memory_location_limit = 128,
    memory_thread_limit = 8,
    memory_lock_limit = 32,
};

/// What an ordering promises.
enum memory_ordering { memory_relaxed = 0, memory_acquires = 1, memory_releases = 2, memory_sequential = 7 };

/// Forgets all threads, locations and locks.
void memory_clear(void);

/// Adds a thread that knows what its maker knows; -1 for none.
void memory_add_thread(int maker);
/// The thread makes no further access.
void memory_end_thread(int thread);
/// A thread knows what another knew at its end.
void memory_join_thread(int ended, int thread);

int memory_add_location(void);
/// How many messages a location has; 0 if it was not accessed.
int memory_count(int location);
/// Gives a location its first message.
void memory_begin(int location, uint64_t value);
uint64_t memory_value(int location, int stamp);

/// The oldest message that an access may read, or come after.
int memory_oldest(int location, int ordering, int thread);
bool memory_may_read(int location, int stamp, int ordering, int thread);
bool memory_is_update(int location, int stamp);

void memory_read(int location, int stamp, int ordering, int thread);
/// Stores a message that gets this stamp; an update's comes after the one that it reads.
void memory_store(uint64_t value, int location, int stamp, int ordering, int thread);
void memory_update(uint64_t value, int location, int stamp, int ordering, int thread);
void memory_fence(int ordering, int thread);

/// The oldest message that the kernel may find for a thread that goes to sleep.
int memory_oldest_for_sleeper(int location, int thread);
void memory_wake(int location, int thread);

void memory_lock(int lock, int thread);
void memory_unlock(int lock, int thread);

/// Plain accesses of eight bytes. False if there is a data race.
bool memory_read_plain(uintptr_t address, int thread);
bool memory_write_plain(uintptr_t address, int thread);
/// Whether a thread knows the last plain write.
bool memory_knows_plain(uintptr_t address, int thread);
/// An atomic load of data: a value that later stores must not reach, if it has led to them. A thread that
/// discards the value leads to nothing by it.
void memory_read_data(uintptr_t address, int thread);
/// An atomic store where loads of data may be. Returns the thread that may read this, although it led to it;
/// or -1.
int memory_write_data(uintptr_t address, int thread);
