// files/hdf5: asks HDF5's library about datasets.

#include "weft/files/hdf5.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "weft/base/ensure.hpp"
#include "weft/files/hdf5_library.hpp"
#include "weft/files/npy.hpp"
#include "weft/problem/limits.hpp"

namespace weft {

namespace {

// Numbers of HDF5's headers.
constexpr HdfId usual = 0;
constexpr unsigned to_read = 0, to_change = 1, to_replace = 2;
constexpr int by_name = 0, ascending = 0;
constexpr int is_group = 2, is_dataset = 5;
constexpr int number_class = 1, compound_class = 6, complex_class = 11;
constexpr std::uint64_t no_offset = ~std::uint64_t{0};

[[noreturn]] void refuse(const ArrayPath& path, const std::string& why, const std::string& hint) {
  throw Error(Error::io, fmt::format("'{}' {}", path.text(), why), hint);
}

HdfObject opened(const std::string& file) {
  return {hdf5_library().open_file(file.c_str(), to_read, usual), fmt::format("open '{}'", file)};
}

// The name of a link in a group, by its number; none if there are not so many.
std::optional<std::string> link_name(HdfId group, HdfSize number) {
  const auto ask = [&](char* name, std::size_t bytes) {
    return hdf5_library().name_by_number(group, ".", by_name, ascending, number, name, bytes,
                                         usual);
  };
  const auto letters = ask(nullptr, 0);
  if (letters < 0) return std::nullopt;
  std::string name(static_cast<std::size_t>(letters) + 1, '\0');
  ask(name.data(), name.size());
  name.pop_back();
  return name;
}

// Adds the names of the datasets in a group. Links may lead round in a circle, so there are limits.
void list_datasets(HdfId group, const std::string& before, std::vector<std::string>& names) {
  constexpr std::ptrdiff_t most_levels = 16;
  constexpr std::size_t most_names = 1000;
  const Hdf5Library& hdf5 = hdf5_library();
  for (HdfSize i = 0; names.size() < most_names; ++i) {
    const std::optional<std::string> found = link_name(group, i);
    if (!found) return;
    const std::string& name = *found;
    const HdfId id = hdf5.open_object(group, name.c_str(), usual);
    if (id < 0) continue;  // a link that leads nowhere
    const HdfObject object(id, name);
    const int kind = hdf5.kind_of(id);
    if (kind == is_dataset) names.push_back(before + name);
    if (kind == is_group && std::count(before.begin(), before.end(), '/') < most_levels)
      list_datasets(id, before + name + "/", names);
  }
}

std::string shown(const std::vector<std::string>& names) {
  constexpr std::size_t most_shown = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_shown); ++i)
    text += (i == 0 ? "/" : ", /") + names[i];
  return names.empty() ? "none" : names.size() > most_shown ? text + ", ..." : text;
}

// The dataset of the path, in an open file.
HdfObject dataset_of(HdfId file, const ArrayPath& path) {
  const Hdf5Library& hdf5 = hdf5_library();
  std::string name = path.inner;
  std::vector<std::string> names;
  if (name.empty()) {
    list_datasets(file, "", names);
    if (names.size() != 1)
      refuse(path, fmt::format("has {} datasets: {}", names.size(), shown(names)),
             fmt::format("name one, as in {}:/{}", path.file, names.empty() ? "data" : names[0]));
    name = names[0];
  }
  const HdfId id = hdf5.open_object(file, name.c_str(), usual);
  if (id >= 0 && hdf5.kind_of(id) == is_dataset) return {id, name};
  if (id >= 0) hdf5.close_object(id);
  list_datasets(file, "", names);
  refuse(path, id < 0 ? "is not there" : "is no dataset",
         fmt::format("the datasets of {}: {}", path.file, shown(names)));
}

// Whether the type is one of a number that weft takes; sets the precision and the order of bytes.
bool is_number(HdfId type, ArrayHeader& header) {
  const Hdf5Library& hdf5 = hdf5_library();
  for (int i = 0; i < 4; ++i) {
    if (hdf5.are_equal(type, hdf5.number_types[i]) <= 0) continue;
    header.scalar.precision =
        i % 2 == 0 ? Precision::single_precision : Precision::double_precision;
    header.is_big_endian = i >= 2;
    return true;
  }
  return false;
}

// Whether the name of a member of a compound begins with the letter, small or large.
bool begins_with(HdfId type, unsigned member, char letter) {
  char* const name = hdf5_library().member_name_of(type, member);
  const bool begins = name != nullptr && (name[0] | ' ') == letter;
  hdf5_library().free_memory(name);
  return begins;
}

// The type of the member of a compound; h5py has complex numbers as compounds of r and i.
bool is_complex(HdfId type, ArrayHeader& header) {
  const Hdf5Library& hdf5 = hdf5_library();
  const int what = hdf5.class_of(type);
  HdfObject part;
  if (what == complex_class) part = HdfObject(hdf5.base_type_of(type), "read a type");
  if (what == compound_class && hdf5.members_of(type) == 2) {
    const HdfObject second(hdf5.member_type_of(type, 1), "read a type");
    part = HdfObject(hdf5.member_type_of(type, 0), "read a type");
    if (!begins_with(type, 0, 'r') || !begins_with(type, 1, 'i') ||
        hdf5.member_offset_of(type, 0) != 0 || hdf5.are_equal(part.id(), second.id()) <= 0)
      return false;
  }
  return part.id() >= 0 && is_number(part.id(), header) &&
         static_cast<std::int64_t>(hdf5.bytes_of(type)) == header.scalar.bytes();
}

void set_type(ArrayHeader& header, HdfId dataset, const ArrayPath& path) {
  static const char* const kinds[] = {"integers",
                                      "floating-point numbers of another size",
                                      "times",
                                      "texts",
                                      "bit fields",
                                      "bytes without a type",
                                      "compounds that are no complex numbers r and i",
                                      "references",
                                      "enumerations",
                                      "lists",
                                      "arrays",
                                      "complex numbers of another size"};
  const Hdf5Library& hdf5 = hdf5_library();
  const HdfObject type(hdf5.type_of(dataset), fmt::format("read the type of '{}'", path.text()));
  const int what = hdf5.class_of(type.id());
  header.scalar.is_complex = what != number_class;
  if (header.scalar.is_complex ? is_complex(type.id(), header) : is_number(type.id(), header))
    return;
  const bool is_known = what >= 0 && what < static_cast<int>(std::size(kinds));
  refuse(path, fmt::format("has {}", is_known ? kinds[what] : "elements of an unknown kind"),
         "weft transforms float32, float64, complex64 and complex128");
}

Extents shape_of(HdfId dataset, const ArrayPath& path) {
  const Hdf5Library& hdf5 = hdf5_library();
  const std::string doing = fmt::format("read the shape of '{}'", path.text());
  const HdfObject space(hdf5.space_of(dataset), doing);
  const int axes = checked_hdf(hdf5.axes_of(space.id()), doing);
  std::vector<HdfSize> extents(static_cast<std::size_t>(axes));
  checked_hdf(hdf5.extents_of(space.id(), extents.data(), nullptr), doing);
  Extents shape;
  for (int axis = 0; axis < std::min(axes, Dims::capacity); ++axis)
    shape.push_back(static_cast<std::int64_t>(extents[static_cast<std::size_t>(axis)]));
  require_shape(shape, path.text());
  return shape;
}

// The shape of the chunks; empty if there are none.
Extents chunks_of(HdfId dataset, int axes) {
  const Hdf5Library& hdf5 = hdf5_library();
  const HdfObject creation(hdf5.creation_of(dataset), "read how a dataset was made");
  std::vector<HdfSize> extents(static_cast<std::size_t>(axes));
  Extents chunks;
  if (hdf5.chunks_of(creation.id(), axes, extents.data()) == axes)
    for (const HdfSize extent : extents) chunks.push_back(static_cast<std::int64_t>(extent));
  return chunks;
}

// The path of the file in which an object is: another one, behind an external link.
std::string file_of(HdfId object) {
  const auto letters = std::max<std::int64_t>(0, hdf5_library().file_name_of(object, nullptr, 0));
  std::string name(static_cast<std::size_t>(letters) + 1, '\0');
  hdf5_library().file_name_of(object, name.data(), name.size());
  return name;
}

HdfObject space_of(const Extents& extents) {
  const std::vector<HdfSize> sizes(extents.begin(), extents.end());
  return {hdf5_library().make_space(extents.size(), sizes.data(), nullptr), "describe a shape"};
}

// A real number in files that weft writes.
HdfId number_of(Scalar scalar) {
  return hdf5_library().number_types[scalar.precision == Precision::single_precision ? 0 : 1];
}

// A complex one, as h5py has it.
HdfObject complex_of(Scalar scalar) {
  const Hdf5Library& hdf5 = hdf5_library();
  const HdfId number = number_of(scalar);
  const auto bytes = static_cast<std::size_t>(scalar.bytes());
  HdfObject type(hdf5.make_type(compound_class, bytes), "describe a type");
  checked_hdf(hdf5.insert_member(type.id(), "r", 0, number), "describe a type");
  checked_hdf(hdf5.insert_member(type.id(), "i", bytes / 2, number), "describe a type");
  return type;
}

// Whether a group has nothing but the dataset of this name.
bool has_only(HdfId group, const std::string& name) {
  const Hdf5Library& hdf5 = hdf5_library();
  const HdfId attribute = hdf5.attribute_by_number(group, ".", by_name, ascending, 0, usual, usual);
  if (attribute >= 0) return hdf5.close_object(attribute), false;
  const std::size_t slash = name.find('/');
  if (link_name(group, 0) != name.substr(0, slash) || link_name(group, 1)) return false;
  const HdfId id = hdf5.open_object(group, name.substr(0, slash).c_str(), usual);
  if (id < 0) return false;
  const HdfObject object(id, name);
  if (slash == std::string::npos) return hdf5.kind_of(id) == is_dataset;
  return hdf5.kind_of(id) == is_group && has_only(id, name.substr(slash + 1));
}

// Removes the link to the dataset of the path, if there is one. Its bytes stay unused in the file.
void remove_dataset(HdfId file, const ArrayPath& path) {
  const Hdf5Library& hdf5 = hdf5_library();
  const HdfId id = hdf5.open_object(file, path.inner.c_str(), usual);
  if (id < 0) return;
  const HdfObject object(id, path.inner);
  if (hdf5.kind_of(id) != is_dataset)
    refuse(path, "is no dataset, and is not replaced", "choose another name");
  checked_hdf(hdf5.remove(file, path.inner.c_str(), usual),
              fmt::format("replace '{}'", path.text()));
}

// Makes a dataset whose elements follow each other, and are allocated at once, but not written.
std::uint64_t offset_of_new(HdfId file, const ArrayPath& path, const ArrayHeader& header) {
  constexpr int contiguous = 1, early = 1, never = 1;
  const Hdf5Library& hdf5 = hdf5_library();
  const std::string doing = fmt::format("write '{}'", path.text());
  const HdfObject creation(hdf5.make_properties(hdf5.of_datasets), doing);
  checked_hdf(hdf5.set_layout(creation.id(), contiguous), doing);
  checked_hdf(hdf5.set_allocation(creation.id(), early), doing);
  checked_hdf(hdf5.set_filling(creation.id(), never), doing);
  const HdfObject links(hdf5.make_properties(hdf5.of_links), doing);
  checked_hdf(hdf5.set_making_of_groups(links.id(), 1), doing);
  const HdfObject complex = header.scalar.is_complex ? complex_of(header.scalar) : HdfObject();
  const HdfId type = header.scalar.is_complex ? complex.id() : number_of(header.scalar);
  const HdfObject dataset(
      hdf5.create_dataset(file, path.inner.c_str(), type, space_of(header.shape).id(), links.id(),
                          creation.id(), usual),
      doing);
  return hdf5.offset_of(dataset.id());
}

}  // namespace

std::vector<std::string> hdf5_datasets(const std::string& file) {
  std::vector<std::string> names;
  list_datasets(opened(file).id(), "", names);
  return names;
}

bool hdf5_has_only(const ArrayPath& path) {
  const bool begins_at_once = file_head(path.file).bytes.starts_with("\x89HDF");
  const HdfObject file = opened(path.file);
  return begins_at_once && has_only(file.id(), path.inner);
}

ArrayHeader hdf5_header(const ArrayPath& path) {
  const Hdf5Library& hdf5 = hdf5_library();
  file_head(path.file);  // says better than the library why a file cannot be opened
  const HdfObject file = opened(path.file);
  const HdfObject dataset = dataset_of(file.id(), path);
  ArrayHeader header;
  set_type(header, dataset.id(), path);
  header.shape = shape_of(dataset.id(), path);
  header.chunks = chunks_of(dataset.id(), header.shape.size());
  const std::uint64_t offset = hdf5.offset_of(dataset.id());
  const bool is_in_file = offset != no_offset && file_of(dataset.id()) == file_of(file.id());
  header.data_start_bytes = is_in_file ? static_cast<std::int64_t>(offset) : -1;
  return header;
}

void read_hdf5_chunks(const ArrayPath& path, const ArrayHeader& header, const BoxMemory& boxes) {
  const Hdf5Library& hdf5 = hdf5_library();
  const std::string doing = fmt::format("read '{}'", path.text());
  const HdfObject file = opened(path.file);
  const HdfObject dataset = dataset_of(file.id(), path);
  // Elements in memory are as they are in the file, so that nothing is converted.
  const HdfObject type(hdf5.type_of(dataset.id()), doing);
  const HdfObject whole(hdf5.space_of(dataset.id()), doing);
  const std::int64_t bytes = header.scalar.bytes();
  for (const FilePart& part : boxes.parts) {
    if (part.box.empty()) continue;
    const Extents extents = part.box.extents();
    const std::vector<HdfSize> first(part.box.lo.begin(), part.box.lo.end()),
        count(extents.begin(), extents.end());
    constexpr int replaces = 0;
    checked_hdf(hdf5.select(whole.id(), replaces, first.data(), nullptr, count.data(), nullptr),
                doing);
    std::vector<std::byte> points;
    std::byte* target = boxes.memory + part.offset * bytes;
    const FilePart packed{part.box, Layout::packed(extents), 0};
    const bool is_packed = part.layout == packed.layout;
    if (!is_packed) {
      points.resize(static_cast<std::size_t>(part.box.volume() * bytes));
      target = points.data();
    }
    checked_hdf(
        hdf5.read(dataset.id(), type.id(), space_of(extents).id(), whole.id(), usual, target),
        doing);
    if (!is_packed) copy_common(packed, points.data(), part, boxes.memory, bytes);
  }
}

std::int64_t make_hdf5_dataset(const std::string& temporary, bool is_copy, const ArrayPath& path,
                               const ArrayHeader& header) {
  const Hdf5Library& hdf5 = hdf5_library();
  const std::string doing = fmt::format("write '{}'", path.text());
  HdfObject file(is_copy ? hdf5.open_file(temporary.c_str(), to_change, usual)
                         : hdf5.create_file(temporary.c_str(), to_replace, usual, usual),
                 doing);
  if (is_copy) remove_dataset(file.id(), path);
  const std::uint64_t offset = offset_of_new(file.id(), path, header);
  // A file that is not closed well is not complete, and must not be closed again.
  const int closed = hdf5.close_file(file.id());
  file.release();
  checked_hdf(closed, doing);
  ensure(offset != no_offset, path.inner);
  return static_cast<std::int64_t>(offset);
}

}  // namespace weft
