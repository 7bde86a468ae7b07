#if defined(__linux__)

// The package's assumptions about Swift's runtime, which that does not promise: the first word of a closure's
// context, and the memory that unowned references keep. A process tries them before it relies on them
// (`ClosureContexts`, `LayerReference`).

#include "CQueuePoolsThreads.h"

#include <malloc.h>

void *swift_unownedRetain(void *object);
void swift_unownedRelease(void *object);
void *swift_tryRetain(void *object);
bool swift_isDeallocating(void *object);

bool cqp_context_keep(uintptr_t context) {
    // The first word of the metadata of a box of captures. Other objects may be large, and need not be the
    // allocator's.
    const uintptr_t kind_of_box = 0x400;
    void *object = (void *)context;
    if (**(uintptr_t **)object != kind_of_box || malloc_usable_size(object) > 128) return false;
    swift_unownedRetain(object);
    return true;
}

void cqp_context_release(uintptr_t context) {
    swift_unownedRelease((void *)context);
}

void cqp_reference_keep(void *object) {
    swift_unownedRetain(object);
}

void cqp_reference_release(void *object) {
    swift_unownedRelease(object);
}

bool cqp_reference_try_retain(void *object) {
    return swift_tryRetain(object) != NULL;
}

bool cqp_reference_is_gone(void *object) {
    return swift_isDeallocating(object);
}

#endif
