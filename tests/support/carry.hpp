// support/carry: advances an exchange until it has completed, as a plan does while it waits.
#pragma once

#include "weft/exchange/exchange.hpp"

namespace weft::test {

/// Until `is_so`.
template <class Is>
void carry_until(Exchange& exchange, const Is& is_so) {
  while (!is_so()) {
    exchange.progress();
    if (!is_so()) exchange.wait();
  }
}

inline void carry_until_open(Exchange& exchange) {
  carry_until(exchange, [&] { return exchange.is_open(); });
}

/// Until all has arrived.
inline void carry_in(Exchange& exchange) {
  carry_until(exchange, [&] {
    return static_cast<int>(exchange.arrivals().size()) == exchange.incoming_messages();
  });
}

/// From all that arrived having been loaded to the end.
inline void carry_to_end(Exchange& exchange) {
  exchange.loaded();
  carry_until(exchange, [&] { return exchange.has_finished(); });
}

}  // namespace weft::test
