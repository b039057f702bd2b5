// measuring/time_limit: compares clocks.

#include "weft/measuring/time_limit.hpp"

#include <algorithm>
#include <utility>

namespace weft {

TimeLimit::TimeLimit(double begin, double aim, double end, Clock clock)
    : clock_(std::move(clock)), begin_(begin), aim_(aim), end_(end) {}

TimeLimit::TimeLimit(double seconds, double most, Clock clock)
    : clock_(std::move(clock)), begin_(clock_()), aim_(begin_ + seconds), end_(begin_ + most) {}

TimeLimit TimeLimit::part(double seconds) const {
  return {begin_, std::min(aim_, clock_() + seconds), end_, clock_};
}

TimeLimit TimeLimit::part(double seconds, double most) const {
  const double end = std::min(end_, begin_ + most);
  return {begin_, std::min(end, clock_() + seconds), end, clock_};
}

double TimeLimit::left() const { return std::max(0.0, std::min(aim_, end_) - clock_()); }

bool TimeLimit::allows(int done, int least, int most) const {
  if (done < 1) return true;
  if (done < least) return !is_over();
  return done < most && !is_reached();
}

bool TimeLimit::allows(const Communicator& comm, int done, int least, int most) const {
  if (done < 1) return true;
  return done < most && comm.min(std::int64_t{allows(done, least, most)}) != 0;
}

bool TimeLimit::is_over(const Communicator& comm) const {
  return comm.max(std::int64_t{is_over()}) != 0;
}

double TimeLimit::left(const Communicator& comm) const { return -comm.max(-left()); }

}  // namespace weft
