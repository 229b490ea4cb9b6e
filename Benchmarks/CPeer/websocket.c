/* The upgrade of RFC 6455, and its frames: one frame a message, as the benchmark's clients send. */
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

enum { BINARY = 2, CLOSE = 8, PING = 9, FIN = 0x80, MASKED = 0x80 };

static const char GUID[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
static const char KEY_NAME[] = "\r\nSec-WebSocket-Key: ";

bool upgrade(struct connection *c, const uint8_t *bytes, size_t count, size_t *taken) {
  if (count >= HEADER_BYTES_MAX) return false;
  char head[HEADER_BYTES_MAX];
  memcpy(head, bytes, count);
  head[count] = 0;
  char *head_end = strstr(head, "\r\n\r\n");
  if (!head_end) return true;
  *taken = (size_t)(head_end - head) + 4;

  unsigned number;
  bool is_echo = strncmp(head, "GET /echo ", 10) == 0;
  if (!is_echo && sscanf(head, "GET /room?room=%u ", &number) != 1) return false;
  char *key = strcasestr(head, KEY_NAME);
  if (!key) return false;
  key += strlen(KEY_NAME);
  size_t key_count = strcspn(key, "\r");
  char text[128];
  if (key_count + sizeof GUID > sizeof text) return false;
  memcpy(text, key, key_count);
  memcpy(text + key_count, GUID, sizeof GUID);

  uint8_t digest[EVP_MAX_MD_SIZE], accept[64];
  unsigned digest_count;
  if (!EVP_Digest(text, key_count + sizeof GUID - 1, digest, &digest_count, EVP_sha1(), NULL)) return false;
  EVP_EncodeBlock(accept, digest, (int)digest_count);
  char answer[256];
  int length = snprintf(
    answer, sizeof answer,
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n",
    (char *)accept
  );
  c->is_open = true;
  if (!is_echo) enter_room(c, number);
  return send_bytes(c, (uint8_t *)answer, (size_t)length);
}

size_t put_header(uint8_t *payload, size_t count) {
  if (count <= 125) {
    payload[-2] = FIN | BINARY;
    payload[-1] = (uint8_t)count;
    return 2;
  }
  if (count <= UINT16_MAX) {
    payload[-4] = FIN | BINARY;
    payload[-3] = 126;
    payload[-2] = (uint8_t)(count >> 8);
    payload[-1] = (uint8_t)count;
    return 4;
  }
  payload[-10] = FIN | BINARY;
  payload[-9] = 127;
  for (int i = 0; i < 8; i++) payload[-8 + i] = (uint8_t)(count >> (56 - 8 * i));
  return 10;
}

static void unmask(uint8_t *bytes, size_t count, const uint8_t *mask) {
  uint64_t word, wide;
  memcpy(&word, mask, 4);
  word = (word & UINT32_MAX) | word << 32;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    memcpy(&wide, bytes + i, 8);
    wide ^= word;
    memcpy(bytes + i, &wide, 8);
  }
  for (; i < count; i++) bytes[i] ^= mask[i % 4];
}

bool take_frames(struct connection *c, uint8_t *bytes, size_t count, size_t *taken) {
  /* Echoes are made in place, before the bytes that they answer, and sent at once for the whole read. */
  size_t echoed_from = *taken, echoed_to = *taken;
  while (count - *taken >= 6) {
    uint8_t *frame = bytes + *taken;
    size_t header = 6, length = frame[1] & 0x7F;
    if (!(frame[0] & FIN) || !(frame[1] & MASKED)) return false;
    if (length == 126) {
      header = 8;
      if (count - *taken < header) break;
      length = (size_t)frame[2] << 8 | frame[3];
    } else if (length == 127) {
      header = 14;
      if (count - *taken < header) break;
      length = 0;
      for (int i = 0; i < 8; i++) length = length << 8 | frame[2 + i];
    }
    if (length > MESSAGE_BYTES_MAX) return false;
    if (count - *taken < header + length) break;
    uint8_t *payload = frame + header, mask[4];
    memcpy(mask, payload - 4, 4);
    unmask(payload, length, mask);
    *taken += header + length;
    int opcode = frame[0] & 0x0F;
    if (opcode == CLOSE) return false;
    if (opcode >= CLOSE) continue;
    if (c->room) {
      if (length != POSITION_BYTES) return false;
      take_position(c, payload);
      continue;
    }
    size_t server_header = put_header(payload, length);
    payload[-(ptrdiff_t)server_header] = (uint8_t)(FIN | opcode);
    memmove(bytes + echoed_to, payload - server_header, server_header + length);
    echoed_to += server_header + length;
  }
  return echoed_to == echoed_from || send_bytes(c, bytes + echoed_from, echoed_to - echoed_from);
}
