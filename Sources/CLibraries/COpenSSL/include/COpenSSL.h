// OpenSSL: digests.
#pragma once
#include <openssl/evp.h>
