// files/hdf5_library: looks for the library under the names that systems give it.

#include "weft/files/hdf5_library.hpp"

#include "weft/base/ensure.hpp"
#include "weft/base/printable.hpp"
#include "weft/files/loaded_library.hpp"

namespace weft {

namespace {

constexpr HdfId all_failures = 0;  // H5E_DEFAULT
constexpr int deepest_first = 0;   // H5E_WALK_UPWARD

// H5E_error2_t.
struct HdfFailure {
  HdfId class_id, major, minor;
  unsigned line;
  const char *function, *file, *description;
};

std::string& given_path() {
  static std::string path;
  return path;
}

LoadedLibrary found_hdf5() {
  if (!given_path().empty()) return LoadedLibrary(given_path().c_str());
  // Debian's library without MPI; what HDF5 2.0, 1.14, 1.12 and 1.10 call theirs; and any.
  return LoadedLibrary::first_of({"libhdf5_serial.so.103", "libhdf5_serial.so.310",
                                  "libhdf5.so.320", "libhdf5.so.310", "libhdf5.so.200",
                                  "libhdf5.so.103", "libhdf5_serial.so", "libhdf5.so"});
}

int keep_first(unsigned /*number*/, const void* failure, void* text) {
  const auto* const of = static_cast<const HdfFailure*>(failure);
  auto* const said = static_cast<std::string*>(text);
  if (said->empty() && of->description != nullptr) *said = of->description;
  return 0;
}

}  // namespace

void set_hdf5_library(const std::string& path) { given_path() = path; }

std::string Hdf5Library::last_failure() const {
  constexpr std::size_t most_shown = 400;
  std::string said;
  walk_failures_(all_failures, deepest_first, keep_first, &said);
  return said.empty() ? "HDF5's library does not say why" : printable(said, most_shown);
}

void Hdf5Library::find_in(const LoadedLibrary& library) {
  library.find(create_file, "H5Fcreate");
  library.find(open_file, "H5Fopen");
  library.find(close_file, "H5Fclose");
  library.find(create_dataset, "H5Dcreate2");
  library.find(open_object, "H5Oopen");
  library.find(close_object, "H5Idec_ref");
  library.find(kind_of, "H5Iget_type");
  library.find(space_of, "H5Dget_space");
  library.find(type_of, "H5Dget_type");
  library.find(creation_of, "H5Dget_create_plist");
  library.find(offset_of, "H5Dget_offset");
  library.find(read, "H5Dread");
  library.find(make_space, "H5Screate_simple");
  library.find(axes_of, "H5Sget_simple_extent_ndims");
  library.find(extents_of, "H5Sget_simple_extent_dims");
  library.find(select, "H5Sselect_hyperslab");
  library.find(make_type, "H5Tcreate");
  library.find(insert_member, "H5Tinsert");
  library.find(class_of, "H5Tget_class");
  library.find(bytes_of, "H5Tget_size");
  library.find(members_of, "H5Tget_nmembers");
  library.find(member_type_of, "H5Tget_member_type");
  library.find(member_name_of, "H5Tget_member_name");
  library.find(member_offset_of, "H5Tget_member_offset");
  library.find(file_name_of, "H5Fget_name");
  library.find(attribute_by_number, "H5Aopen_by_idx");
  library.find(base_type_of, "H5Tget_super");
  library.find(are_equal, "H5Tequal");
  library.find(free_memory, "H5free_memory");
  library.find(make_properties, "H5Pcreate");
  library.find(set_layout, "H5Pset_layout");
  library.find(chunks_of, "H5Pget_chunk");
  library.find(set_allocation, "H5Pset_alloc_time");
  library.find(set_filling, "H5Pset_fill_time");
  library.find(set_making_of_groups, "H5Pset_create_intermediate_group");
  library.find(exists, "H5Lexists");
  library.find(remove, "H5Ldelete");
  library.find(name_by_number, "H5Lget_name_by_idx");
  library.find(walk_failures_, "H5Ewalk2");
}

const Hdf5Library& hdf5_library() {
  static const Hdf5Library found = [] {
    const LoadedLibrary library = found_hdf5();
    const std::string hint =
        "install it (Debian: libhdf5-103-1; beside the package for Python: pip install h5py), or "
        "use .npy or .zarr";
    if (!library.is_there())
      throw Error(Error::unsupported, "HDF5's library is not installed here", hint);
    HdfCall<>*open = nullptr, *do_not_end = nullptr;
    HdfCall<unsigned*, unsigned*, unsigned*>* version = nullptr;
    HdfCall<HdfId, void*, void*>* set_printing = nullptr;
    library.find(open, "H5open");
    library.find(do_not_end, "H5dont_atexit");
    library.find(version, "H5get_libversion");
    library.find(set_printing, "H5Eset_auto2");
    unsigned major = 0, minor = 0, release = 0;
    version(&major, &minor, &release);
    constexpr unsigned oldest_minor = 10;  // ids have 64 bits since then
    if (major == 1 && minor < oldest_minor)
      throw Error(Error::unsupported,
                  fmt::format("HDF5's library is of version {}.{}.{}, and weft needs 1.10 or later",
                              major, minor, release),
                  hint);
    do_not_end();  // weft closes every file, and one that could not be closed stays so
    if (open() < 0) throw Error(Error::system, "HDF5's library does not start", hint);
    set_printing(all_failures, nullptr, nullptr);
    Hdf5Library all{};
    all.find_in(library);
    const auto variable = [&](const char* name) {
      HdfId* value = nullptr;
      library.find(value, name);
      return *value;
    };
    int number = 0;
    for (const char* const name :
         {"H5T_IEEE_F32LE_g", "H5T_IEEE_F64LE_g", "H5T_IEEE_F32BE_g", "H5T_IEEE_F64BE_g"})
      all.number_types[number++] = variable(name);
    all.of_datasets = variable("H5P_CLS_DATASET_CREATE_ID_g");
    all.of_links = variable("H5P_CLS_LINK_CREATE_ID_g");
    return all;
  }();
  return found;
}

HdfObject::HdfObject(HdfId id, const std::string& what) : id_(id) {
  if (id < 0) checked_hdf(-1, what);
}

HdfObject::~HdfObject() {
  if (id_ >= 0) hdf5_library().close_object(id_);
}

int checked_hdf(int status, const std::string& what) {
  if (status < 0)
    throw Error(Error::io, fmt::format("cannot {}: {}", what, hdf5_library().last_failure()),
                "check the path, and whether the file is damaged");
  return status;
}

}  // namespace weft
