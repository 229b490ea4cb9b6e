// Preloaded into the server that scripts/abuse attacks: gives free memory back to the kernel at each SIGRTMIN+5, on a thread
// of its own. The server's memory is then the memory that it keeps, without malloc's free memory.
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

static sem_t asked;

static void ask(int number) {
  (void)number;
  sem_post(&asked);
}

static void *serve(void *unused) {
  for (;;) {
    if (sem_wait(&asked) == 0) malloc_trim(0);
  }
  return unused;
}

__attribute__((constructor)) static void begin(void) {
  struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART};
  pthread_t thread;
  unsetenv("LD_PRELOAD");
  sem_init(&asked, 0, 0);
  sigaction(SIGRTMIN + 5, &action, NULL);
  pthread_create(&thread, NULL, serve, NULL);
}
