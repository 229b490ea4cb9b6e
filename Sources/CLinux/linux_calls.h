// System calls of Linux that Swift's Glibc module leaves out, and an instruction that Swift has no name for.
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Declared by their headers only under _GNU_SOURCE, which a header of a module can't set for another.
extern int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
extern int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
extern int pthread_setname_np(pthread_t thread, const char *name);

// Asks the processor for the cache line of an address. A wrong address does no harm.
static inline void prefetch_line(uintptr_t address) { __builtin_prefetch((const void *)address); }
