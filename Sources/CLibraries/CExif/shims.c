#include "CExif.h"
