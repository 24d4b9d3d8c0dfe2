#ifndef CLIBFUZZER_H
#define CLIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

// Functions of libclang_rt.fuzzer_no_main, which has no header.

/// Fuzzes `test` as the arguments specify; returns only if the arguments request nothing that ends the process.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *bytes, size_t count));

/// Mutates `bytes` in place like libFuzzer itself; returns the new count.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t maximum_count);

#endif
