// files/loaded_library: asks the dynamic linker.

#include "weft/files/loaded_library.hpp"

#include <dlfcn.h>

#include "weft/base/ensure.hpp"

namespace weft {

LoadedLibrary::LoadedLibrary(const char* file)
    : file_(file), handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {}

LoadedLibrary LoadedLibrary::first_of(std::initializer_list<const char*> files) {
  LoadedLibrary library(*files.begin());
  for (const char* const file : files)
    if (!library.is_there()) library = LoadedLibrary(file);
  return library;
}

void* LoadedLibrary::address_of(const char* name) const {
  if (void* const address = dlsym(handle_, name)) return address;
  throw Error(Error::unsupported, fmt::format("the library {} has no {}", file_, name),
              "install a version of it that weft knows");
}

}  // namespace weft
