// PCRE2: patterns whose groups have names, and whose work on a text can be bounded.
#pragma once
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
