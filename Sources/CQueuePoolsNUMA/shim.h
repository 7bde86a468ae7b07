#pragma once
#include <numa.h>
#include <numaif.h>

/// Whether the kernel shows this node. libnuma keeps the set in a mutable global, which Swift cannot read
/// safely.
static inline int cqp_numa_node_exists(unsigned int node) {
    return numa_bitmask_isbitset(numa_nodes_ptr, node);
}

/// Makes the kernel take pages that do not exist yet from a node while it has some. Returns 0 or -1.
static inline int cqp_numa_prefer_node(void *memory, size_t byte_count, int node) {
    unsigned long mask[16] = {0};
    const unsigned bits = 8 * sizeof mask[0];
    if (node < 0 || (unsigned)node >= 8 * sizeof mask - 1) return -1;
    mask[node / bits] |= 1UL << (node % bits);
    return (int)mbind(memory, byte_count, MPOL_PREFERRED, mask, 8 * sizeof mask, 0);
}
