// System calls of Linux that Swift's Glibc module leaves out.
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// Declared by <sys/socket.h> only under _GNU_SOURCE, which a header of a module can't set for another.
extern int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
