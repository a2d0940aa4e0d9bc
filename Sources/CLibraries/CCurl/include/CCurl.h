// libcurl; its variadic setters, which Swift cannot call, as one typed function per argument type.
#pragma once
#include <curl/curl.h>
