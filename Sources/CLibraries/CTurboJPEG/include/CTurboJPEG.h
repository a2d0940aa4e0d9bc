// libjpeg-turbo's TurboJPEG: encode and decode.
#pragma once
#include <turbojpeg.h>
