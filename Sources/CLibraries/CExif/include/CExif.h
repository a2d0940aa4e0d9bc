// libexif: the facts that a camera wrote into a photo.
#pragma once
#include <libexif/exif-data.h>
