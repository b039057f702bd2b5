// files/array_path: takes names apart.

#include "weft/files/array_path.hpp"

#include <algorithm>

namespace weft {

namespace {

struct Ending {
  const char* letters;
  FileFormat format;
};
constexpr Ending endings[] = {
    {".h5", FileFormat::hdf5}, {".hdf5", FileFormat::hdf5}, {".zarr", FileFormat::zarr}};

std::string without_slashes(std::string name) {
  name.erase(0, name.find_first_not_of('/'));
  name.erase(name.find_last_not_of('/') + 1);
  return name;
}

}  // namespace

ArrayPath ArrayPath::of(const std::string& text) {
  for (const Ending& ending : endings) {
    const std::string letters = ending.letters;
    const std::string file = text.substr(0, text.find_last_not_of('/') + 1);
    if (file.ends_with(letters)) return {ending.format, file, ""};
    const std::size_t colon = text.rfind(letters + ":");
    if (colon == std::string::npos) continue;
    const std::size_t end = colon + letters.size();
    return {ending.format, text.substr(0, end), without_slashes(text.substr(end + 1))};
  }
  return {FileFormat::npy, text, ""};
}

std::string ArrayPath::text() const { return inner.empty() ? file : file + ":/" + inner; }

}  // namespace weft
