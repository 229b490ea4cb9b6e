// What the driver calls of libFuzzer's runtime, which comes with the toolchain but without a header.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *bytes, size_t count));
