/* The tick work: each member's newest row, and ten times a second one frame of the changed rows for all members. */
#include <stdlib.h>
#include <string.h>

#include "peer.h"

enum { ROOMS_MAX = 1 << 16, PERIOD_US = 100000, PHASE_US = 61803, EDGES = PERIOD_US / EDGE_US, FRAME_HEADER_BYTES = 10 };

struct room {
  struct connection **members;
  uint32_t count, capacity;
  bool is_changed;
  int64_t due;
  /* The next room whose tick comes at the same edge. */
  struct room *next;
};

static struct room *rooms[ROOMS_MAX];
static unsigned room_count;
/* Rooms by the edge of the period at which they tick. */
static struct room *rooms_by_edge[EDGES];
static int64_t last_edge;
static uint8_t *frame;
static size_t frame_capacity;

bool has_rooms(void) { return room_count > 0; }

static struct room *make_room(unsigned number) {
  struct room *room = checked(calloc(1, sizeof *room));
  int64_t phase = (int64_t)number * PHASE_US % PERIOD_US;
  room->due = ((now_us() - phase) / PERIOD_US + 1) * PERIOD_US + phase;
  unsigned edge = (unsigned)((room->due + EDGE_US - 1) / EDGE_US % EDGES);
  room->next = rooms_by_edge[edge];
  rooms_by_edge[edge] = room;
  room_count++;
  return room;
}

void enter_room(struct connection *c, unsigned number) {
  if (number >= ROOMS_MAX) exit(1);
  if (!rooms[number]) rooms[number] = make_room(number);
  struct room *room = rooms[number];
  if (room->count == room->capacity) {
    room->capacity = room->capacity * 2 + 4;
    room->members = checked(realloc(room->members, room->capacity * sizeof *room->members));
  }
  c->room = room;
  c->seat = room->count;
  room->members[room->count++] = c;
}

void leave_room(struct connection *c) {
  struct room *room = c->room;
  struct connection *last = room->members[--room->count];
  room->members[c->seat] = last;
  last->seat = c->seat;
  c->room = NULL;
}

void take_position(struct connection *c, const uint8_t *position) {
  memcpy(c->row, position + POSITION_BYTES - ROW_BYTES, ROW_BYTES);
  c->is_changed = true;
  c->room->is_changed = true;
}

static void tick(struct room *room) {
  size_t capacity = FRAME_HEADER_BYTES + 8 + (size_t)room->count * ROW_BYTES;
  if (capacity > frame_capacity) {
    frame = checked(realloc(frame, capacity));
    frame_capacity = capacity;
  }
  uint8_t *payload = frame + FRAME_HEADER_BYTES, *end = payload;
  uint32_t head[2] = {(uint32_t)(room->due / PERIOD_US), (uint32_t)room->due};
  memcpy(end, head, sizeof head);
  end += sizeof head;
  for (uint32_t i = 0; i < room->count; i++) {
    struct connection *member = room->members[i];
    if (!member->is_changed) continue;
    member->is_changed = false;
    memcpy(end, member->row, ROW_BYTES);
    end += ROW_BYTES;
  }
  room->is_changed = false;
  size_t header = put_header(payload, (size_t)(end - payload));
  /* A member that is behind gets none; a lost one is found by its read. */
  for (uint32_t i = 0; i < room->count; i++) {
    struct connection *member = room->members[i];
    if (member->unsent_count == 0) send_bytes(member, payload - header, (size_t)(end - payload) + header);
  }
}

void tick_rooms(int64_t now) {
  int64_t edge = now / EDGE_US;
  /* A late edge is made up for, but not one of an earlier period. */
  if (last_edge < edge - EDGES) last_edge = edge - EDGES;
  while (last_edge < edge) {
    last_edge++;
    for (struct room *room = rooms_by_edge[last_edge % EDGES]; room; room = room->next) {
      if (room->due > now) continue;
      if (room->is_changed) tick(room);
      while (room->due <= now) room->due += PERIOD_US;
    }
  }
}
