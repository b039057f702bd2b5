// faces/movement_shares: what a rank has of a grid that is only moved, in elements.
#pragma once

#include "weft/share.hpp"

namespace weft {

class AnyHalo;
class AnyReshape;

/// This rank's share of the input or the output of a reshape of a grid of `axes` axes. It tells no
/// type of elements.
Share share_of(const AnyReshape& reshape, int axes, bool is_input);
/// This rank's share of a grid of `extents` with ghost points.
Share share_of(const AnyHalo& halo, const Extents& extents);

}  // namespace weft
