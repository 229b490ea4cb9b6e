// libcurl, and its calls with a variable number of arguments in forms with a fixed one, which Swift can call.
#pragma once
#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87 or later is needed"
#endif

typedef size_t (*curl_taker)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*curl_socket_opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

// The parentheses call the functions and not the macros of the same names, which check types of constant options.
static inline CURLcode curl_set_number(CURL *transfer, CURLoption option, long value) {
  return (curl_easy_setopt)(transfer, option, value);
}

static inline CURLcode curl_set_size(CURL *transfer, CURLoption option, curl_off_t value) {
  return (curl_easy_setopt)(transfer, option, value);
}

// libcurl copies the text.
static inline CURLcode curl_set_text(CURL *transfer, CURLoption option, const char *value) {
  return (curl_easy_setopt)(transfer, option, value);
}

// libcurl keeps the pointer.
static inline CURLcode curl_set_pointer(CURL *transfer, CURLoption option, void *value) {
  return (curl_easy_setopt)(transfer, option, value);
}

static inline CURLcode curl_set_taker(CURL *transfer, CURLoption option, curl_taker value) {
  return (curl_easy_setopt)(transfer, option, value);
}

static inline CURLcode curl_set_socket_opener(CURL *transfer, curl_socket_opener value) {
  return (curl_easy_setopt)(transfer, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode curl_read_number(CURL *transfer, CURLINFO kind, long *value) {
  return (curl_easy_getinfo)(transfer, kind, value);
}

// The text is libcurl's, until the transfer goes on.
static inline CURLcode curl_read_text(CURL *transfer, CURLINFO kind, char **value) {
  return (curl_easy_getinfo)(transfer, kind, value);
}

static inline CURLcode curl_read_socket(CURL *transfer, curl_socket_t *value) {
  return (curl_easy_getinfo)(transfer, CURLINFO_ACTIVESOCKET, value);
}

// The lists are libcurl's, until the transfer ends.
static inline CURLcode curl_read_certificates(CURL *transfer, struct curl_certinfo **value) {
  return (curl_easy_getinfo)(transfer, CURLINFO_CERTINFO, value);
}

static inline CURLMcode curl_multi_set_number(CURLM *transfers, CURLMoption option, long value) {
  return (curl_multi_setopt)(transfers, option, value);
}
