// memory/processor: which processor this is.
#pragma once

#include <string>

namespace weft {

/// The processor, its number of cores and its caches, as the system tells them: "AMD EPYC, family
/// 26, model 2, 2 cores, level 2 1 MiB, level 3 32 MiB". What the system does not tell is missing.
/// The same for every process on machines of one kind.
const std::string& processor_text();

/// The same with the text of /proc/cpuinfo given.
std::string processor_text(const std::string& cpuinfo);

}  // namespace weft
