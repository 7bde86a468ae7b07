#pragma once
#include <numa.h>

/// Whether the kernel shows this node. libnuma keeps the set in a mutable global, which Swift cannot read
/// safely.
static inline int clibnuma_node_exists(unsigned int node) {
    return numa_bitmask_isbitset(numa_nodes_ptr, node);
}
