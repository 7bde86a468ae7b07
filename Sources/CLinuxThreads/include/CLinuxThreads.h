#pragma once

#if defined(__linux__)

#include <stddef.h>

// The calls about threads that glibc shows only under _GNU_SOURCE, which Swift does not set.
// A mask is an array of unsigned long with one bit per CPU, of any size.

/// Reads the affinity mask of the calling thread. Returns 0, or the error number: EINVAL where the mask is
/// smaller than the kernel's own.
int clinux_thread_get_affinity(size_t mask_bytes, unsigned long *mask);

/// Sets the affinity mask of the calling thread. Returns 0, or the error number.
int clinux_thread_set_affinity(size_t mask_bytes, const unsigned long *mask);

/// The CPU that the calling thread runs on, or -1.
int clinux_thread_current_cpu(void);

#endif
