#pragma once

#include <stddef.h>

/// The bytes that the program has taken from the C library's allocator and not given back, in all its
/// threads; 0 with another C library, and under a sanitizer, which brings an allocator of its own.
size_t allocations_bytes(void);
