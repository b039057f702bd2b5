// heffte_trace: the calls with which programs ask for a log of times. Nothing is logged: as in a
// heFFTe without Heffte_ENABLE_TRACING. weft's own log is WEFT_LOG=debug.
#ifndef HEFFTE_TRACE_H
#define HEFFTE_TRACE_H

#include "heffte_utils.h"

namespace heffte {

/// Stands for the time until its end; nothing is noted.
struct add_trace {
  add_trace(std::string const&) {}  // NOLINT: a name is a trace
};
/// Begins and ends a log; no file is written.
inline void init_tracing(std::string const&) {}
inline void finalize_tracing() {}

}  // namespace heffte

#endif
