// libcurl; its variadic setters, which Swift cannot call, as one typed function per argument type.
//
// libcurl reads exactly a `long`, a `curl_off_t` or a pointer from the variable arguments, so a
// shim of the right type is also what keeps a call from passing an `int`.
#pragma once
#include <curl/curl.h>

/// curl_easy_setopt for an option that takes a `long`.
CURLcode CCurl_setLong(CURL *easy, CURLoption option, long value);
/// curl_easy_setopt for an option that takes a `curl_off_t`.
CURLcode CCurl_setOffset(CURL *easy, CURLoption option, curl_off_t value);
/// curl_easy_setopt for an option that takes a string; libcurl keeps a copy.
CURLcode CCurl_setText(CURL *easy, CURLoption option, const char *value);
/// curl_easy_setopt for an option that takes an object: callback data, a list, an error buffer.
CURLcode CCurl_setPointer(CURL *easy, CURLoption option, void *value);

/// CURLOPT_READFUNCTION
CURLcode CCurl_setReadFunction(CURL *easy, curl_read_callback function);
/// CURLOPT_SEEKFUNCTION
CURLcode CCurl_setSeekFunction(CURL *easy, curl_seek_callback function);
/// CURLOPT_WRITEFUNCTION
CURLcode CCurl_setWriteFunction(CURL *easy, curl_write_callback function);
/// CURLOPT_HEADERFUNCTION, which has the shape of a write callback.
CURLcode CCurl_setHeaderFunction(CURL *easy, curl_write_callback function);
/// CURLOPT_XFERINFOFUNCTION
CURLcode CCurl_setProgressFunction(CURL *easy, curl_xferinfo_callback function);
/// CURLOPT_DEBUGFUNCTION
CURLcode CCurl_setDebugFunction(CURL *easy, curl_debug_callback function);
/// CURLOPT_SOCKOPTFUNCTION
CURLcode CCurl_setSocketOptionFunction(CURL *easy, curl_sockopt_callback function);
/// CURLOPT_CLOSESOCKETFUNCTION
CURLcode CCurl_setCloseSocketFunction(CURL *easy, curl_closesocket_callback function);

/// curl_easy_getinfo for a value that is a `long`; 0 when there is none.
long CCurl_getLong(CURL *easy, CURLINFO info);

/// curl_multi_setopt for an option that takes a `long`.
CURLMcode CCurl_setMultiLong(CURLM *multi, CURLMoption option, long value);

/// The next transfer that has ended, or null. The message of libcurl holds its result in a union
/// whose member Swift would read without knowing which one is set, so it is taken apart here.
CURL *CCurl_nextFinished(CURLM *multi, CURLcode *result);
