#include "CTurboJPEG.h"
