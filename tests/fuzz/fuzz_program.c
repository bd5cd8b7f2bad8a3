/* Fuzzer: bytes as a program, every statement parsed and run with limits. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_statements((const char *)data, size, 0.5);
    return 0;
}
