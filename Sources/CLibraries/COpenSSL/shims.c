#include "COpenSSL.h"

const uint64_t COpenSSL_ignoreUnexpectedEnd = SSL_OP_IGNORE_UNEXPECTED_EOF;
const uint64_t COpenSSL_noRenegotiation = SSL_OP_NO_RENEGOTIATION;

EVP_PKEY *COpenSSL_makeKey(const char *curve) { return EVP_EC_gen(curve); }

int COpenSSL_setOldestVersion(SSL_CTX *context, int version) {
  return SSL_CTX_set_min_proto_version(context, version) == 1;
}

void COpenSSL_setModes(SSL_CTX *context, long modes) { SSL_CTX_set_mode(context, modes); }

void COpenSSL_keepNoSessions(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static int chooseHTTP11(SSL *connection, const unsigned char **chosen, unsigned char *length,
                        const unsigned char *offered, unsigned int count, void *context) {
  (void)connection;
  (void)context;
  static const unsigned char own[] = "\x08http/1.1";
  unsigned char *found;
  if (SSL_select_next_proto(&found, length, own, sizeof own - 1, offered, count) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

void COpenSSL_speakHTTP11(SSL_CTX *context) {
  SSL_CTX_set_alpn_select_cb(context, chooseHTTP11, NULL);
}

long COpenSSL_memory(BIO *memory, char **start) { return BIO_get_mem_data(memory, start); }

const char *COpenSSL_takeReason(void) {
  const char *reason = ERR_reason_error_string(ERR_peek_error());
  ERR_clear_error();
  return reason;
}
