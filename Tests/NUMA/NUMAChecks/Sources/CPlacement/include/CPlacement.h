#pragma once

#include <stddef.h>

// What the kernel itself says of threads and memory: asked without libnuma, so that the checks do not trust
// what they check. Masks are arrays of unsigned long with one bit per CPU, or per node.

/// Where the calling thread runs. Returns 0, or an error number.
int cplacement_current(unsigned int *cpu, unsigned int *node);

/// Reads the calling thread's affinity mask. Returns 0, or an error number.
int cplacement_get_affinity(size_t mask_bytes, unsigned long *mask);

/// Sets the calling thread's affinity mask. Returns 0, or an error number.
int cplacement_set_affinity(size_t mask_bytes, const unsigned long *mask);

/// The node that the page of this address lies on, or a negative error number: -ENOENT or -EFAULT where no
/// memory has been given to the page yet. Asking gives it none.
int cplacement_node_of_page(const void *address);

/// The nodes that the memory policy of this address names (none under the default policy), and whether the
/// policy forbids all others. Returns 0, or an error number.
int cplacement_policy(const void *address, size_t mask_bytes, unsigned long *nodes, int *is_strict);

/// Lets pages of this range, which have no memory yet, have it from these nodes only. Returns 0, or an error
/// number.
int cplacement_bind(void *address, size_t bytes, size_t mask_bytes, const unsigned long *nodes);
