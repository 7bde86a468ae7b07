#include "CMemoryModel.h"

#if defined(__linux__)

#include <stdlib.h>
#include <string.h>

enum { locations = memory_location_limit, thread_limit = memory_thread_limit, message_limit = 4096 };

/// A number for each location.
typedef struct { uint8_t at[locations]; } stamps;
typedef struct { uint16_t of[thread_limit]; } clocks;
typedef struct { stamps stamps, sequential, fenced; clocks clock; } view;

typedef struct {
    view view;
    /// What operations in S have met that wrote this message, or read it.
    stamps written, read;
    /// What has led to it, in whatever way.
    clocks causes;
    uint64_t value;
    bool is_update;
} message;

typedef struct { view current, acquired, released; clocks causes; bool is_live; } thread;

static message messages[message_limit];
static int message_count;
/// By location, its messages in modification order.
static uint16_t orders[locations][256];
static int counts[locations];
static int location_count;
/// How many stamps are used, rounded up, so that loops take whole vectors.
static int lanes;
static thread threads[thread_limit];
static int thread_count;
/// Whether there was an operation in S. Until then no thread has met any.
static bool is_ordered;
/// What sleepers on a location cannot miss: what its wakers knew.
static stamps kernel;
static struct { view view; clocks causes; } locks[memory_lock_limit];
static int lock_count;

static inline message *at(int location, int stamp) { return &messages[orders[location][stamp]]; }

static inline void join(stamps *restrict to, const stamps *restrict from) {
    for (int lane = 0; lane < lanes; lane++)
        to->at[lane] = to->at[lane] > from->at[lane] ? to->at[lane] : from->at[lane];
}

static inline void join_clocks(clocks *restrict to, const clocks *restrict from) {
    for (int index = 0; index < thread_limit; index++)
        to->of[index] = to->of[index] > from->of[index] ? to->of[index] : from->of[index];
}

static void join_views(view *restrict to, const view *restrict from) {
    join(&to->stamps, &from->stamps);
    if (is_ordered) {
        join(&to->sequential, &from->sequential);
        join(&to->fenced, &from->fenced);
    }
    join_clocks(&to->clock, &from->clock);
}

// MARK: Threads and locations

static void clear_plain(void);

void memory_clear(void) {
    memset(counts, 0, sizeof counts);
    memset(&kernel, 0, sizeof kernel);
    memset(locks, 0, (size_t)lock_count * sizeof *locks);
    message_count = thread_count = lock_count = location_count = lanes = 0;
    is_ordered = false;
    clear_plain();
}

void memory_add_thread(int maker) {
    thread *new = &threads[thread_count++];
    memset(new, 0, sizeof *new);
    new->is_live = true;
    if (maker < 0) return;
    new->current = new->acquired = threads[maker].current;
    new->causes = threads[maker].causes;
}

void memory_end_thread(int index) { threads[index].is_live = false; }

void memory_join_thread(int ended, int index) {
    join_views(&threads[index].current, &threads[ended].current);
    join_views(&threads[index].acquired, &threads[ended].current);
    join_clocks(&threads[index].causes, &threads[ended].causes);
}

int memory_add_location(void) {
    lanes = (location_count + 16) & ~15;
    return location_count++;
}

static message *insert_message(int location, int stamp) {
    if (message_count == message_limit) abort();
    message *new = &messages[message_count];
    memset(new, 0, sizeof *new);
    uint16_t *order = orders[location];
    memmove(order + stamp + 1, order + stamp, (size_t)(counts[location] - stamp) * sizeof *order);
    order[stamp] = (uint16_t)message_count++;
    counts[location]++;
    return new;
}

int memory_count(int location) { return counts[location]; }
void memory_begin(int location, uint64_t value) { insert_message(location, 0)->value = value; }
uint64_t memory_value(int location, int stamp) { return at(location, stamp)->value; }

bool memory_is_update(int location, int stamp) {
    return stamp < counts[location] && at(location, stamp)->is_update;
}

// MARK: All views

static void change_met(void (*change)(stamps *, const void *), const void *with) {
    if (!is_ordered) return;
    for (int index = 0; index < message_count; index++) {
        change(&messages[index].written, with);
        change(&messages[index].read, with);
        change(&messages[index].view.sequential, with);
        change(&messages[index].view.fenced, with);
    }
    for (int index = 0; index < thread_count; index++) {
        view *views[] = {&threads[index].current, &threads[index].acquired, &threads[index].released};
        for (int which = 0; which < 3; which++) {
            change(&views[which]->sequential, with);
            change(&views[which]->fenced, with);
        }
    }
    for (int index = 0; index < lock_count; index++) {
        change(&locks[index].view.sequential, with);
        change(&locks[index].view.fenced, with);
    }
}

struct place { int location, stamp; };

static void make_room(stamps *changed, const void *with) {
    const struct place *place = with;
    if (changed->at[place->location] >= place->stamp) changed->at[place->location]++;
}

struct meeting { int location, stamp; const stamps *met; };

static void meet(stamps *changed, const void *with) {
    const struct meeting *meeting = with;
    if (changed->at[meeting->location] > meeting->stamp) join(changed, meeting->met);
}

static void make_room_everywhere(int location, int stamp) {
    struct place place = {location, stamp};
    change_met(make_room, &place);
    for (int index = 0; index < message_count; index++) make_room(&messages[index].view.stamps, &place);
    for (int index = 0; index < thread_count; index++) {
        make_room(&threads[index].current.stamps, &place);
        make_room(&threads[index].acquired.stamps, &place);
        make_room(&threads[index].released.stamps, &place);
    }
    for (int index = 0; index < lock_count; index++) make_room(&locks[index].view.stamps, &place);
    make_room(&kernel, &place);
}

// MARK: Sequential consistency

/// What the operations in S have met that an access of this message comes after.
static void join_met_before(stamps *met, int location, int stamp, bool is_write) {
    if (!is_ordered) return;
    if (!is_write) join(met, &at(location, stamp)->written);
    for (int older = 0; older < stamp; older++) {
        join(met, &at(location, older)->written);
        join(met, &at(location, older)->read);
    }
}

static void thread_met(thread *thread, const stamps *met, bool is_fence) {
    join(&thread->current.sequential, met);
    join(&thread->acquired.sequential, met);
    if (!is_fence) return;
    join(&thread->current.fenced, met);
    join(&thread->acquired.fenced, met);
}

/// Puts an access into S, or else the fences before it, before all that have met a newer message.
static stamps order(int location, int stamp, bool is_write, int ordering, thread *thread) {
    is_ordered = is_ordered || ordering == memory_sequential;
    if (!is_ordered) return (stamps){0};
    stamps met = thread->current.fenced;
    if (ordering == memory_sequential) {
        met = thread->current.sequential;
        // A load comes after others by happens-before only, for it may read its own thread's store early.
        if (is_write) {
            join_met_before(&met, location, stamp, true);
            met.at[location] = (uint8_t)stamp;
        }
        thread_met(thread, &met, false);
    }
    if (stamp + 1 < counts[location]) {
        struct meeting meeting = {location, stamp, &met};
        change_met(meet, &meeting);
    }
    return met;
}

// MARK: Atomic accesses

static int max(int one, int other) { return one > other ? one : other; }

int memory_oldest(int location, int ordering, int index) {
    view *view = &threads[index].current;
    stamps *met = ordering == memory_sequential ? &view->sequential : &view->fenced;
    return max(view->stamps.at[location], met->at[location]);
}

bool memory_may_read(int location, int stamp, int ordering, int index) {
    if (stamp < memory_oldest(location, ordering, index)) return false;
    // By reading, the access may come after others in S.
    return ordering != memory_sequential || at(location, stamp)->view.sequential.at[location] <= stamp;
}

static void see_stamp(thread *thread, int location, int stamp) {
    thread->current.stamps.at[location] = (uint8_t)stamp;
    thread->acquired.stamps.at[location] = (uint8_t)max(stamp, thread->acquired.stamps.at[location]);
}

static void see(int location, int stamp, int ordering, thread *thread) {
    message *message = at(location, stamp);
    see_stamp(thread, location, stamp);
    join_views(&thread->acquired, &message->view);
    if (ordering & memory_acquires) join_views(&thread->current, &message->view);
    join_clocks(&thread->causes, &message->causes);
}

void memory_read(int location, int stamp, int ordering, int index) {
    see(location, stamp, ordering, &threads[index]);
    stamps met = order(location, stamp, false, ordering, &threads[index]);
    if (is_ordered) join(&at(location, stamp)->read, &met);
}

static void insert(
    uint64_t value, int location, int stamp, bool is_update, int ordering, thread *thread
) {
    if (stamp < counts[location]) make_room_everywhere(location, stamp);
    message *message = insert_message(location, stamp);
    message->value = value;
    message->is_update = is_update;
    see_stamp(thread, location, stamp);
    message->written = order(location, stamp, true, ordering, thread);
    message->view = ordering & memory_releases ? thread->current : thread->released;
    message->view.stamps.at[location] = (uint8_t)stamp;
    if (is_update) join_views(&message->view, &at(location, stamp - 1)->view);
    message->causes = thread->causes;
}

void memory_store(uint64_t value, int location, int stamp, int ordering, int index) {
    insert(value, location, stamp, false, ordering, &threads[index]);
}

void memory_update(uint64_t value, int location, int stamp, int ordering, int index) {
    see(location, stamp, ordering, &threads[index]);
    insert(value, location, stamp + 1, true, ordering, &threads[index]);
}

void memory_fence(int ordering, int index) {
    thread *thread = &threads[index];
    if (ordering & memory_acquires) thread->current = thread->acquired;
    if (ordering == memory_sequential) {
        is_ordered = true;
        stamps met = thread->current.sequential;
        join(&met, &thread->current.stamps);
        for (int location = 0; location < location_count; location++) {
            if (counts[location] > 0)
                join_met_before(&met, location, thread->current.stamps.at[location], false);
        }
        thread_met(thread, &met, true);
    }
    if (ordering & memory_releases) thread->released = thread->current;
}

// MARK: Sleeping, and locks

int memory_oldest_for_sleeper(int location, int index) {
    return max(memory_oldest(location, memory_relaxed, index), kernel.at[location]);
}

void memory_wake(int location, int index) {
    kernel.at[location] = (uint8_t)max(kernel.at[location], threads[index].current.stamps.at[location]);
}

void memory_lock(int lock, int index) {
    join_views(&threads[index].current, &locks[lock].view);
    join_views(&threads[index].acquired, &locks[lock].view);
    join_clocks(&threads[index].causes, &locks[lock].causes);
}

void memory_unlock(int lock, int index) {
    if (lock >= lock_count) lock_count = lock + 1;
    locks[lock].view = threads[index].current;
    locks[lock].causes = threads[index].causes;
}

// MARK: Plain accesses

/// The accesses of eight bytes since they were last written.
typedef struct {
    uintptr_t address;
    /// The thread that wrote last, and the number of that access of it; or -1.
    int writer;
    uint16_t written;
    /// By thread, the number of its last read, or 0; of plain reads, and of atomic loads of data.
    clocks reads, data_reads;
} accesses;

enum { plain_limit = 4096 };
static accesses plain[plain_limit];
static uint16_t plain_slots[4 * plain_limit];
static int plain_count;

static void clear_plain(void) {
    if (plain_count > 0) memset(plain_slots, 0, sizeof plain_slots);
    plain_count = 0;
}

static accesses *find(uintptr_t address, bool adds) {
    uint64_t slot = (uint64_t)(address >> 3) * 0x9E3779B97F4A7C15u >> 50;
    while (plain_slots[slot] != 0) {
        accesses *found = &plain[plain_slots[slot] - 1];
        if (found->address == address) return found;
        slot = (slot + 1) % (4 * plain_limit);
    }
    if (!adds) return NULL;
    if (plain_count == plain_limit) abort();
    plain_slots[slot] = (uint16_t)(plain_count + 1);
    accesses *new = &plain[plain_count++];
    *new = (accesses){.address = address, .writer = -1};
    return new;
}

static uint16_t count_access(int index) {
    thread *thread = &threads[index];
    uint16_t number = ++thread->current.clock.of[index];
    thread->acquired.clock.of[index] = thread->causes.of[index] = number;
    return number;
}

static bool knows_write(const accesses *seen, int index) {
    return seen->writer < 0 || seen->writer == index
        || threads[index].current.clock.of[seen->writer] >= seen->written;
}

bool memory_read_plain(uintptr_t address, int index) {
    accesses *seen = find(address, true);
    seen->reads.of[index] = count_access(index);
    return knows_write(seen, index);
}

bool memory_write_plain(uintptr_t address, int index) {
    accesses *seen = find(address, true);
    bool knows = knows_write(seen, index);
    for (int other = 0; other < thread_count; other++) {
        if (other != index && seen->reads.of[other] > threads[index].current.clock.of[other]) knows = false;
    }
    memset(&seen->reads, 0, sizeof seen->reads);
    seen->writer = index;
    seen->written = count_access(index);
    return knows;
}

bool memory_knows_plain(uintptr_t address, int index) {
    accesses *seen = find(address, false);
    return seen == NULL || knows_write(seen, index);
}

void memory_read_data(uintptr_t address, int index) {
    find(address, true)->data_reads.of[index] = count_access(index);
}

int memory_write_data(uintptr_t address, int index) {
    accesses *seen = find(address, false);
    if (seen == NULL) return -1;
    for (int other = 0; other < thread_count; other++) {
        uint16_t read = seen->data_reads.of[other];
        if (other == index || read == 0) continue;
        if (read <= threads[index].current.clock.of[other]) {
            seen->data_reads.of[other] = 0;
        } else if (read <= threads[index].causes.of[other]) {
            return other;
        }
    }
    return -1;
}

#endif
