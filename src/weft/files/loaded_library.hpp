// files/loaded_library: a library that is looked for when it is needed, and not when weft is built.
// Keeps: who reads no file that needs it does not need it either.
#pragma once

#include <initializer_list>
#include <string>

namespace weft {

/// A library that stays loaded until the process ends.
class LoadedLibrary {
 public:
  /// The first of `files` that the system finds; none if it finds none of them.
  static LoadedLibrary first_of(std::initializer_list<const char*> files);
  /// The library of this path; none if it cannot be loaded.
  explicit LoadedLibrary(const char* file);

  bool is_there() const { return handle_ != nullptr; }
  /// Sets `place` to the address of the function, or the variable, called `name`.
  /// Error::unsupported if the library has none.
  template <class Address>
  void find(Address& place, const char* name) const {
    place = reinterpret_cast<Address>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;

  std::string file_;
  void* handle_ = nullptr;
};

}  // namespace weft
