#include "CCurl.h"

CURLcode CCurl_setLong(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode CCurl_setOffset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode CCurl_setText(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode CCurl_setPointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode CCurl_setReadFunction(CURL *easy, curl_read_callback function) {
  return curl_easy_setopt(easy, CURLOPT_READFUNCTION, function);
}

CURLcode CCurl_setSeekFunction(CURL *easy, curl_seek_callback function) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

CURLcode CCurl_setWriteFunction(CURL *easy, curl_write_callback function) {
  return curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
}

CURLcode CCurl_setHeaderFunction(CURL *easy, curl_write_callback function) {
  return curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
}

CURLcode CCurl_setProgressFunction(CURL *easy, curl_xferinfo_callback function) {
  return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
}

CURLcode CCurl_setDebugFunction(CURL *easy, curl_debug_callback function) {
  return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, function);
}

CURLcode CCurl_setSocketOptionFunction(CURL *easy, curl_sockopt_callback function) {
  return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, function);
}

CURLcode CCurl_setCloseSocketFunction(CURL *easy, curl_closesocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

long CCurl_getLong(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

CURLMcode CCurl_setMultiLong(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

CURL *CCurl_nextFinished(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}
