// The functions of libFuzzer's runtime that the driver calls. The toolchain has the runtime, but no header of it.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *bytes, size_t count));
