#define _GNU_SOURCE
#include "CPlacement.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

int cplacement_current(unsigned int *cpu, unsigned int *node) {
    // Not through the library's getcpu: that answers from a register, which is no system call's word.
    return syscall(SYS_getcpu, cpu, node, NULL) == 0 ? 0 : errno;
}

int cplacement_get_affinity(size_t mask_bytes, unsigned long *mask) {
    return sched_getaffinity(0, mask_bytes, (cpu_set_t *)mask) == 0 ? 0 : errno;
}

int cplacement_set_affinity(size_t mask_bytes, const unsigned long *mask) {
    return sched_setaffinity(0, mask_bytes, (const cpu_set_t *)mask) == 0 ? 0 : errno;
}

int cplacement_node_of_page(const void *address) {
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)((uintptr_t)address & ~(page_size - 1));
    int node = -1;
    // Without target nodes, move_pages moves nothing and tells where the pages are.
    if (syscall(SYS_move_pages, 0, 1UL, &page, NULL, &node, 0) != 0) return -errno;
    return node;
}

int cplacement_policy(const void *address, size_t mask_bytes, unsigned long *nodes, int *is_strict) {
    int mode = 0;
    if (syscall(SYS_get_mempolicy, &mode, nodes, mask_bytes * 8, address, MPOL_F_ADDR) != 0) return errno;
    *is_strict = (mode & ~MPOL_MODE_FLAGS) == MPOL_BIND;
    return 0;
}

int cplacement_bind(void *address, size_t bytes, size_t mask_bytes, const unsigned long *nodes) {
    return syscall(SYS_mbind, address, bytes, MPOL_BIND, nodes, mask_bytes * 8, 0) == 0 ? 0 : errno;
}
