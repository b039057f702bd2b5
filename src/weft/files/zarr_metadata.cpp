// files/zarr_metadata: reads and writes JSON.

#include "weft/files/zarr_metadata.hpp"

#include <charconv>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <set>

#include "weft/base/ensure.hpp"
#include "weft/base/json_text.hpp"
#include "weft/base/printable.hpp"
#include "weft/problem/limits.hpp"

namespace weft {

namespace {

constexpr const char* rewrite =
    "write it with zarr.create_array(..., zarr_format=3, compressors=None)";

// Reads the members of zarr.json of one array.
class ZarrReader {
 public:
  ZarrReader(const std::string& text, const std::string& name)
      : name_(name), json_(parse_json(text, rewrite)) {}

  ZarrArray array() const {
    const Json format = member(json_, "zarr_format"), node = member(json_, "node_type");
    if (!format.is_number_integer() || format != 3)
      refuse("is of zarr's format " + shown(format) + ", not 3");
    if (node != "array")
      refuse("is a zarr " + shown(node) + ", not an array", "name an array in it, as in x.zarr:/u");
    ZarrArray array;
    set_type(array.header);
    array.header.shape = extents_of(member(json_, "shape"), "shape");
    require_shape(array.header.shape, name_);
    set_chunks(array);
    set_codecs(array);
    set_missing_value(array);
    if (json_.contains("storage_transformers") && !json_["storage_transformers"].empty())
      refuse("has storage transformers, which weft does not know");
    require_known_members();
    return array;
  }

 private:
  [[noreturn]] void refuse(const std::string& why, const char* hint = rewrite) const {
    throw Error(Error::io, fmt::format("'{}' {}", name_, why), hint);
  }
  static std::string shown(const Json& json) {
    constexpr std::size_t most_shown = 100;
    return printable(json_text(json, -1), most_shown);
  }
  Json member(const Json& of, const char* key) const {
    if (of.is_object() && of.contains(key)) return of[key];
    refuse(fmt::format("lacks '{}' in its zarr.json", key));
  }
  Json settings_of(const Json& part) const {
    return part.is_object() && part.contains("configuration") ? part["configuration"]
                                                              : Json::object();
  }
  std::string name_of(const Json& part) const {
    const Json name = part.is_object() ? member(part, "name") : part;
    return name.is_string() ? name.get<std::string>() : shown(name);
  }

  // Whoever does not know a member must not read the array, unless the member says otherwise.
  void require_known_members() const {
    static const std::set<std::string> known{"zarr_format",     "node_type",
                                             "shape",           "data_type",
                                             "chunk_grid",      "chunk_key_encoding",
                                             "fill_value",      "codecs",
                                             "attributes",      "storage_transformers",
                                             "dimension_names", "consolidated_metadata"};
    for (const auto& [key, value] : json_.items())
      if (known.count(key) == 0 && !(value.is_object() && value.contains("must_understand") &&
                                     value["must_understand"] == false))
        refuse("has the unknown member " + shown(key) + " in its zarr.json");
  }

  void set_type(ArrayHeader& header) const {
    const Json type = member(json_, "data_type");
    for (const Scalar scalar :
         {scalar_of<float>::value, scalar_of<double>::value, scalar_of<std::complex<float>>::value,
          scalar_of<std::complex<double>>::value})
      if (type == scalar.name()) {
        header.scalar = scalar;
        return;
      }
    refuse("has the data type " + shown(type),
           "weft transforms float32, float64, complex64 and complex128");
  }

  Extents extents_of(const Json& list, const char* what) const {
    Extents extents;
    if (!list.is_array()) refuse(fmt::format("has a {} that is no list: {}", what, shown(list)));
    for (const Json& n : list) {
      if (!n.is_number_integer() || n < 0 || n > std::numeric_limits<std::int64_t>::max() ||
          extents.size() == Dims::capacity)
        refuse(fmt::format("has the {} {}", what, shown(list)));
      extents.push_back(n.get<std::int64_t>());
    }
    return extents;
  }

  void set_chunks(ZarrArray& array) const {
    const Json grid = member(json_, "chunk_grid"), keys = member(json_, "chunk_key_encoding");
    if (name_of(grid) != "regular") refuse("has the chunk grid '" + name_of(grid) + "'");
    array.header.chunks = extents_of(member(settings_of(grid), "chunk_shape"), "chunk shape");
    if (array.header.chunks.size() != array.header.shape.size())
      refuse(fmt::format("has the shape {} and chunks of {}", to_string(array.header.shape),
                         to_string(array.header.chunks)));
    require_shape(array.header.chunks, name_);
    const std::string encoding = name_of(keys);
    if (encoding != "default" && encoding != "v2")
      refuse("has the chunk key encoding '" + encoding + "'");
    array.key_start = encoding == "default" ? "c" : "";
    const Json settings = settings_of(keys);
    const Json separator =
        settings.contains("separator") ? settings["separator"] : Json(encoding == "v2" ? "." : "/");
    if (separator != "." && separator != "/") refuse("has the separator " + shown(separator));
    array.separator = separator.get<std::string>()[0];
  }

  // Bytes in the order of C, and perhaps one compression after that.
  void set_codecs(ZarrArray& array) const {
    const Json codecs = member(json_, "codecs");
    if (!codecs.is_array() || codecs.empty()) refuse("has no codecs");
    const auto not_read = [&](const Json& codec) {
      refuse(fmt::format("is encoded by the codec '{}', which weft does not read in this place",
                         name_of(codec)),
             "weft reads the codec bytes, alone or before gzip or zstd: write the array with "
             "zarr.create_array(..., filters=None, compressors=None)");
    };
    if (name_of(codecs[0]) != "bytes") not_read(codecs[0]);
    const Json settings = settings_of(codecs[0]);
    array.header.is_big_endian = settings.contains("endian") && settings["endian"] == "big";
    if (codecs.size() == 1) return;
    const std::string second = name_of(codecs[1]);
    if (second != "gzip" && second != "zstd") not_read(codecs[1]);
    if (codecs.size() > 2) not_read(codecs[2]);
    array.codec = second == "gzip" ? Codec::gzip : Codec::zstd;
  }

  double real_of(const Json& value) const {
    if (value.is_number()) return value.get<double>();
    if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (value == "Infinity") return std::numeric_limits<double>::infinity();
    if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
    refuse("has the fill value " + shown(value));
  }

  // In the order of the array's bytes, as it is reversed with the others.
  void set_missing_value(ZarrArray& array) const {
    const Json value = member(json_, "fill_value");
    const Scalar scalar = array.header.scalar;
    if (scalar.is_complex && !(value.is_array() && value.size() == 2))
      refuse("has the fill value " + shown(value));
    for (int i = 0; i < (scalar.is_complex ? 2 : 1); ++i) {
      const double number = real_of(scalar.is_complex ? value[static_cast<std::size_t>(i)] : value);
      std::byte* const place = array.missing_value.data() + i * scalar.bytes() / 2;
      const auto low = static_cast<float>(number);
      if (scalar.precision == Precision::single_precision)
        std::memcpy(place, &low, sizeof low);
      else
        std::memcpy(place, &number, sizeof number);
    }
    if (!array.header.is_big_endian) return;
    const auto bytes = static_cast<std::ptrdiff_t>(scalar.bytes() / (scalar.is_complex ? 2 : 1));
    for (std::ptrdiff_t at = 0; at < scalar.bytes(); at += bytes)
      std::reverse(array.missing_value.begin() + at, array.missing_value.begin() + at + bytes);
  }

  const std::string& name_;
  Json json_;
};

}  // namespace

std::string ZarrArray::chunk_name(const Dims& numbers) const {
  std::string name = key_start;
  for (const std::int64_t n : numbers)
    name += fmt::format("{}{}", name.empty() ? "" : std::string(1, separator), n);
  return name;
}

ZarrArray parse_zarr(const std::string& text, const std::string& name) {
  return ZarrReader(text, name).array();
}

std::string print_zarr(const ZarrArray& array) {
  const ArrayHeader& header = array.header;
  const auto list_of = [](const Extents& extents) {
    return std::vector<std::int64_t>(extents.begin(), extents.end());
  };
  Json json;
  json["zarr_format"] = 3;
  json["node_type"] = "array";
  json["shape"] = list_of(header.shape);
  json["data_type"] = header.scalar.name();
  json["chunk_grid"] = {{"name", "regular"},
                        {"configuration", {{"chunk_shape", list_of(header.chunks)}}}};
  json["chunk_key_encoding"] = {
      {"name", "default"}, {"configuration", {{"separator", std::string(1, array.separator)}}}};
  json["fill_value"] = header.scalar.is_complex ? Json::array({0.0, 0.0}) : Json(0.0);
  Json bytes;
  bytes["name"] = "bytes";
  bytes["configuration"]["endian"] = "little";
  json["codecs"] = Json::array({bytes});
  json["attributes"] = Json::object();
  return json_text(json, 2) + "\n";
}

std::string print_zarr_group() {
  Json json;
  json["zarr_format"] = 3;
  json["node_type"] = "group";
  json["attributes"] = Json::object();
  return json_text(json, 2) + "\n";
}

std::string zarr_node_type(const std::string& text) {
  const Json json = parse_json(text, rewrite);
  if (!json.is_object() || !json.contains("node_type") || !json["node_type"].is_string()) return "";
  return json["node_type"].get<std::string>();
}

}  // namespace weft
