#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own main function, which comes with `-sanitize=fuzzer`.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test_one_input)(const uint8_t *bytes, size_t count));
