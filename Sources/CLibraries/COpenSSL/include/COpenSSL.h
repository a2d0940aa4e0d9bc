// OpenSSL: digests, TLS and the certificate for it.
#pragma once
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Macros around calls with variable arguments or void pointers, which Swift does not show.

// SSL_OP_..., defined by a macro with an argument.
extern const uint64_t COpenSSL_ignoreUnexpectedEnd;
extern const uint64_t COpenSSL_noRenegotiation;

// A key on a named curve; NULL without memory or for an unknown curve.
EVP_PKEY *COpenSSL_makeKey(const char *curve);
// 1 when the context speaks no version before this one.
int COpenSSL_setOldestVersion(SSL_CTX *context, int version);
// Bits of SSL_MODE_...
void COpenSSL_setModes(SSL_CTX *context, long modes);
// Keeps no session at the server.
void COpenSSL_keepNoSessions(SSL_CTX *context);
// Of the protocols that a client offers (ALPN, RFC 7301) chooses http/1.1; a handshake without it
// among them fails with the alert for that. A callback of pointers to pointers stays in C.
void COpenSSL_speakHTTP11(SSL_CTX *context);
// What is in a BIO_s_mem.
long COpenSSL_memory(BIO *memory, char **start);

// The reason of the oldest error of this thread, in OpenSSL's words; NULL when there is none.
// Takes all of them away, as has to be done before the next call (SSL_get_error(3)).
const char *COpenSSL_takeReason(void);
