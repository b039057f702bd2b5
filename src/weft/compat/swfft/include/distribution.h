/* distribution.h: the other name of distribution_c.h. */
#include "distribution_c.h"
