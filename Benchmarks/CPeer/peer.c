/* A peer that is as fast as they come: the two works of the benchmark on epoll, without rules, limits or TLS.
 *
 * It must do what Madang/BenchService.swift does, no less and no more. One thread. `/echo` wakes for each message;
 * rooms are read and sent at edges of 4 ms, as a loaded shard's are. It serves until its standard input ends, so that it
 * never outlives the driver that started it. Little-endian machines only. */
#include "peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS_MAX = 1024, READ_BYTES = 256 * 1024, BACKLOG = 4096 };

static int poller;
static int listener;
static uint8_t buffer[READ_BYTES];

_Noreturn void fail(const char *what) {
  perror(what);
  exit(1);
}

void *checked(void *memory) {
  if (!memory) fail("memory");
  return memory;
}

int64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static void watch(struct connection *c, uint32_t events, int operation) {
  struct epoll_event event = {.events = events, .data.ptr = c};
  if (epoll_ctl(poller, operation, c->descriptor, &event) != 0) fail("epoll_ctl");
}

/* Sends what the kernel takes; the rest waits. Returns false when the connection is lost. */
bool send_bytes(struct connection *c, const uint8_t *bytes, size_t count) {
  size_t sent = 0;
  if (c->unsent_count == 0) {
    ssize_t taken = send(c->descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (taken < 0 && errno != EAGAIN) return false;
    if (taken > 0) sent = (size_t)taken;
    if (sent == count) return true;
    watch(c, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
  }
  c->unsent = checked(realloc(c->unsent, c->unsent_count + count - sent));
  memcpy(c->unsent + c->unsent_count, bytes + sent, count - sent);
  c->unsent_count += count - sent;
  return true;
}

static bool send_rest(struct connection *c) {
  ssize_t taken = send(c->descriptor, c->unsent, c->unsent_count, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (taken < 0) return errno == EAGAIN;
  c->unsent_count -= (size_t)taken;
  memmove(c->unsent, c->unsent + taken, c->unsent_count);
  if (c->unsent_count == 0) watch(c, EPOLLIN, EPOLL_CTL_MOD);
  return true;
}

static void end(struct connection *c) {
  if (c->room) leave_room(c);
  close(c->descriptor);
  free(c->unread);
  free(c->unsent);
  free(c);
}

/* Reads once, and takes all whole messages. Returns false when the connection is to end. */
static bool read_once(struct connection *c) {
  memcpy(buffer, c->unread, c->unread_count);
  size_t space = sizeof buffer - c->unread_count;
  ssize_t got = recv(c->descriptor, buffer + c->unread_count, space, MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN;
  if (got == 0) return false;
  size_t count = c->unread_count + (size_t)got, taken = 0;
  if (!c->is_open && !upgrade(c, buffer, count, &taken)) return false;
  if (c->is_open && !take_frames(c, buffer, count, &taken)) return false;
  c->unread_count = count - taken;
  if (c->unread_count > MESSAGE_BYTES_MAX + HEADER_BYTES_MAX) return false;
  if (c->unread_count > 0) {
    c->unread = checked(realloc(c->unread, c->unread_count));
    memcpy(c->unread, buffer + taken, c->unread_count);
  }
  return true;
}

static void accept_all(void) {
  int descriptor;
  while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct connection *c = checked(calloc(1, sizeof *c));
    c->descriptor = descriptor;
    watch(c, EPOLLIN, EPOLL_CTL_ADD);
  }
}

static uint16_t listen_on(uint16_t port) {
  int yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  socklen_t size = sizeof address;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
  if (listen(listener, BACKLOG) != 0) fail("listen");
  if (getsockname(listener, (struct sockaddr *)&address, &size) != 0) fail("getsockname");
  return ntohs(address.sin_port);
}

static void sleep_until(int64_t time_us) {
  struct timespec time = {.tv_sec = time_us / 1000000, .tv_nsec = time_us % 1000000 * 1000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

/* Serves the events that are there. Returns false when the standard input has ended. */
static bool serve_events(int timeout_ms) {
  static struct epoll_event events[EVENTS_MAX];
  int count;
  do {
    count = epoll_wait(poller, events, EVENTS_MAX, timeout_ms);
    for (int i = 0; i < count; i++) {
      struct connection *c = events[i].data.ptr;
      if (c == INPUT) {
        if (read(STDIN_FILENO, buffer, sizeof buffer) <= 0) return false;
      } else if (c == LISTENER) {
        accept_all();
      } else if (((events[i].events & EPOLLOUT) && !send_rest(c)) || ((events[i].events & ~EPOLLOUT) && !read_once(c))) {
        end(c);
      }
    }
    timeout_ms = 0;
  } while (count == EVENTS_MAX);
  return true;
}

int main(int count, char **arguments) {
  uint16_t port = 0;
  if (count == 3 && strcmp(arguments[1], "--port") == 0) port = (uint16_t)atoi(arguments[2]);
  poller = epoll_create1(EPOLL_CLOEXEC);
  port = listen_on(port);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = LISTENER};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event) != 0) fail("epoll_ctl");
  event.data.ptr = INPUT;
  if (epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &event) != 0) fail("epoll_ctl");
  printf("ready 127.0.0.1:%u\n", port);
  fflush(stdout);
  int64_t edge = 0;
  while (serve_events(has_rooms() ? 0 : -1)) {
    if (!has_rooms()) continue;
    int64_t now = now_us();
    edge = (now / EDGE_US + 1) * EDGE_US;
    sleep_until(edge);
    tick_rooms(now_us());
  }
  return 0;
}
