// files/hdf5_library: the functions of HDF5's library that weft calls, found when a file needs
// them. Keeps: weft is built without HDF5. Names, types and numbers are those of HDF5's C
// interface, which are the same in its versions 1.10 to 2.0 (docs: H5public.h and the other headers
// of that library).
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace weft {

/// HDF5's types.
using HdfId = std::int64_t;
using HdfSize = unsigned long long;

/// A function of HDF5's, which returns a negative number if it fails.
template <class... Arguments>
using HdfCall = int(Arguments...);
template <class... Arguments>
using HdfMake = HdfId(Arguments...);

/// The library.
struct Hdf5Library {
  HdfMake<const char*, unsigned, HdfId, HdfId>* create_file;
  HdfMake<const char*, unsigned, HdfId>* open_file;
  HdfMake<HdfId, const char*, HdfId, HdfId, HdfId, HdfId, HdfId>* create_dataset;
  HdfMake<HdfId, const char*, HdfId>* open_object;
  HdfMake<HdfId>*space_of, *type_of, *creation_of, *base_type_of;
  HdfMake<int, const HdfSize*, const HdfSize*>* make_space;
  HdfMake<int, std::size_t>* make_type;
  HdfMake<HdfId, unsigned>* member_type_of;
  HdfMake<HdfId, const char*, int, int, HdfSize, HdfId, HdfId>* attribute_by_number;
  HdfMake<HdfId>* make_properties;
  HdfCall<HdfId>*close_file, *close_object, *kind_of, *axes_of, *class_of, *members_of;
  HdfCall<HdfId, HdfSize*, HdfSize*>* extents_of;
  HdfCall<HdfId, int>*set_layout, *set_allocation, *set_filling;
  HdfCall<HdfId, unsigned>* set_making_of_groups;
  HdfCall<HdfId, int, HdfSize*>* chunks_of;  // negative unless there are chunks
  HdfCall<HdfId, const char*, std::size_t, HdfId>* insert_member;
  HdfCall<HdfId, const char*, HdfId>* exists;
  HdfCall<HdfId, const char*, HdfId>* remove;
  HdfCall<HdfId, int, const HdfSize*, const HdfSize*, const HdfSize*, const HdfSize*>* select;
  HdfCall<HdfId, HdfId, HdfId, HdfId, HdfId, void*>* read;
  HdfCall<HdfId, HdfId>* are_equal;
  std::uint64_t (*offset_of)(HdfId);
  std::size_t (*bytes_of)(HdfId);
  std::size_t (*member_offset_of)(HdfId, unsigned);
  std::int64_t (*file_name_of)(HdfId, char*, std::size_t);
  char* (*member_name_of)(HdfId, unsigned);
  int (*free_memory)(void*);
  std::int64_t (*name_by_number)(HdfId, const char*, int, int, HdfSize, char*, std::size_t, HdfId);
  /// float and double, little and big endian, and classes of property lists.
  HdfId number_types[4], of_datasets, of_links;

  /// What the library says of its last failure on this thread.
  std::string last_failure() const;

 private:
  friend const Hdf5Library& hdf5_library();
  void find_in(const class LoadedLibrary& library);
  int (*walk_failures_)(HdfId, int, int (*)(unsigned, const void*, void*), void*);
};

/// HDF5's library. The first call looks for it. Error::unsupported if it is not installed, or older
/// than 1.10. One thread at a time may use it.
const Hdf5Library& hdf5_library();

/// The path of the library that the first call of hdf5_library() loads, instead of looking for it.
void set_hdf5_library(const std::string& path);

/// An object of HDF5's, which is closed at the end of its life.
class [[nodiscard]] HdfObject {
 public:
  HdfObject() = default;
  /// Takes what a function returned that makes or opens an object. Error::io, which says what
  /// failed and why, if it is negative.
  HdfObject(HdfId id, const std::string& what);
  HdfObject(HdfObject&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  HdfObject& operator=(HdfObject&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~HdfObject();
  HdfId id() const { return id_; }
  /// Leaves it to the caller, who has closed it.
  void release() { id_ = -1; }

 private:
  HdfId id_ = -1;
};

/// Error::io, which says what failed and why, if `status`, which a function returned, is negative.
/// Returns it.
int checked_hdf(int status, const std::string& what);

}  // namespace weft
