// compat/p3dfft3/types: the ids of one-dimensional transforms, by both of their names, and the
// timers.
#include "p3dfft.h"

namespace {

// Numbered from 0 in the order of the list.
enum Number : int {
#define WEFT_NUMBER(NAME) number_##NAME,
  WEFT_P3DFFT3_TYPES(WEFT_NUMBER)
#undef WEFT_NUMBER
};

}  // namespace

#define WEFT_IN_C(NAME) int P3DFFT_##NAME = number_##NAME;
WEFT_P3DFFT3_TYPES(WEFT_IN_C)

namespace p3dfft {

#define WEFT_IN_CPP(NAME) int NAME = number_##NAME;
WEFT_P3DFFT3_TYPES(WEFT_IN_CPP)

timer timers;

}  // namespace p3dfft
