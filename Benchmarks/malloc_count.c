/* Counts allocations of a program that it is preloaded into, and writes their number to the file that
 * MALLOC_COUNT_FILE names when the program ends. Built and used by scripts/bench; glibc only. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_ulong count;
#define COUNTED(call) (atomic_fetch_add_explicit(&count, 1, memory_order_relaxed), call)

void *malloc(size_t size) { return COUNTED(__libc_malloc(size)); }
void *calloc(size_t items, size_t size) { return COUNTED(__libc_calloc(items, size)); }
void *realloc(void *old, size_t size) { return COUNTED(__libc_realloc(old, size)); }
void *memalign(size_t alignment, size_t size) { return COUNTED(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return COUNTED(__libc_memalign(alignment, size)); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *made = COUNTED(__libc_memalign(alignment, size));
  if (made == NULL) return ENOMEM;
  *result = made;
  return 0;
}

__attribute__((destructor)) static void report(void) {
  unsigned long counted = atomic_load(&count);
  const char *path = getenv("MALLOC_COUNT_FILE");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (file == NULL) return;
  fprintf(file, "%lu\n", counted);
  fclose(file);
}
