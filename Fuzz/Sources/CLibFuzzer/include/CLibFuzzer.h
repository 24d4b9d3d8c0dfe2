#ifndef CLIBFUZZER_H
#define CLIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

// Of libclang_rt.fuzzer_no_main, which comes without a header.

/// Fuzzes `test` as the arguments say; returns only if they ask for nothing that ends the process.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *bytes, size_t count));

/// Mutates `bytes` in place as libFuzzer does by itself; returns the new count.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t maximum_count);

#endif
