// files/xdmf: XML of grids and what is on them.

#include "weft/files/xdmf.hpp"

#include <fstream>
#include <string_view>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {

constexpr std::string_view first_line = "<?xml version=\"1.0\" ?><!-- of weft -->\n";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '&')
      result += "&amp;";
    else if (letter == '<')
      result += "&lt;";
    else if (letter == '"')
      result += "&quot;";
    else
      result += letter;
  }
  return result;
}

std::string spaced(const Extents& extents) {
  std::string text;
  for (const std::int64_t n : extents) text += fmt::format("{}{}", text.empty() ? "" : " ", n);
  return text;
}

bool can_be_shown(const ArrayHeader& array) {
  const int axes = array.shape.size();
  return (axes == 2 || axes == 3) && (!array.scalar.is_complex || array.data_start_bytes >= 0);
}

std::string attribute(const std::string& file, const std::string& name, const ArrayHeader& array) {
  const bool is_complex = array.scalar.is_complex;
  const std::string place =
      is_complex ? fmt::format(R"(Format="Binary" Endian="{}" Seek="{}")",
                               array.is_big_endian ? "Big" : "Little", array.data_start_bytes)
                 : R"(Format="HDF")";
  return fmt::format(
      R"(      <Attribute Name="{}" AttributeType="{}" Center="Node">
        <DataItem Dimensions="{}{}" NumberType="Float" Precision="{}" {}>{}</DataItem>
      </Attribute>
)",
      escaped(name), is_complex ? "Vector" : "Scalar", spaced(array.shape), is_complex ? " 2" : "",
      array.scalar.bytes() / (is_complex ? 2 : 1), place,
      escaped(is_complex ? file : file + ":/" + name));
}

std::string grid(const std::string& name, const Extents& shape, const std::string& attributes) {
  const bool is_flat = shape.size() == 2;
  const char* const zeros = is_flat ? "0 0" : "0 0 0";
  const char* const ones = is_flat ? "1 1" : "1 1 1";
  return fmt::format(
      R"(    <Grid Name="{}" GridType="Uniform">
      <Topology TopologyType="{}" Dimensions="{}"/>
      <Geometry GeometryType="{}">
        <DataItem Dimensions="{}" NumberType="Float" Precision="8" Format="XML">{}</DataItem>
        <DataItem Dimensions="{}" NumberType="Float" Precision="8" Format="XML">{}</DataItem>
      </Geometry>
{}    </Grid>
)",
      name, is_flat ? "2DCoRectMesh" : "3DCoRectMesh", spaced(shape),
      is_flat ? "ORIGIN_DXDY" : "ORIGIN_DXDYDZ", shape.size(), zeros, shape.size(), ones,
      attributes);
}

}  // namespace

bool is_xdmf_of_weft(const std::string& path) {
  std::string start(first_line.size(), ' ');
  std::ifstream(path).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == first_line;
}

std::string xdmf_text(const std::string& file,
                      const std::vector<std::pair<std::string, ArrayHeader>>& arrays) {
  std::vector<Extents> shapes;
  std::vector<std::string> attributes;
  for (const auto& [name, array] : arrays) {
    if (!can_be_shown(array)) continue;
    std::size_t i = 0;
    while (i < shapes.size() && shapes[i] != array.shape) ++i;
    if (i == shapes.size()) {
      shapes.push_back(array.shape);
      attributes.emplace_back();
    }
    attributes[i] += attribute(file, name, array);
  }
  if (shapes.empty()) return {};
  std::string grids;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    grids += grid(to_string(shapes[i]), shapes[i], attributes[i]);
  return std::string(first_line) +
         "<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n"
         "<Xdmf Version=\"2.2\">\n  <Domain>\n" +
         grids + "  </Domain>\n</Xdmf>\n";
}

}  // namespace weft
