/* The parts of the peer: its loop (peer.c), the WebSocket (websocket.c), rooms (room.c). */
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  MESSAGE_BYTES_MAX = 64 * 1024,
  /* A client's frame header with its mask, and an upgrade's head, are shorter. */
  HEADER_BYTES_MAX = 4096,
  /* Rooms are read and sent at each multiple of this. */
  EDGE_US = 4000,
  POSITION_BYTES = 24,
  ROW_BYTES = 16,
};

struct room;

struct connection {
  int descriptor;
  bool is_open;
  /* Whether the newest row waits for the next tick. */
  bool is_changed;
  uint32_t seat;
  /* Null for the echo work. */
  struct room *room;
  uint8_t row[ROW_BYTES];
  /* The begin of a message whose end has not come. */
  uint8_t *unread;
  size_t unread_count;
  /* Bytes that wait for the kernel. */
  uint8_t *unsent;
  size_t unsent_count;
};

/* What else epoll watches. */
#define LISTENER ((struct connection *)1)
#define INPUT ((struct connection *)2)

/* peer.c */
_Noreturn void fail(const char *what);
void *checked(void *memory);
int64_t now_us(void);
bool send_bytes(struct connection *c, const uint8_t *bytes, size_t count);

/* websocket.c: both take bytes from the front, say how many, and return false when the connection is to end. */
bool upgrade(struct connection *c, const uint8_t *bytes, size_t count, size_t *taken);
bool take_frames(struct connection *c, uint8_t *bytes, size_t count, size_t *taken);
/* Writes a server's header of a binary frame before `payload`, and returns its length. There must be space for 10 bytes. */
size_t put_header(uint8_t *payload, size_t count);

/* room.c */
void enter_room(struct connection *c, unsigned number);
void leave_room(struct connection *c);
void take_position(struct connection *c, const uint8_t *position);
bool has_rooms(void);
void tick_rooms(int64_t now);

#endif
