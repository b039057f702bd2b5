// files/npy: parses and writes the header, which is a Python dictionary after a few binary
// bytes.

#include "weft/files/npy.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <complex>
#include <cstring>
#include <map>

#include "weft/base/descriptor.hpp"
#include "weft/base/dims_text.hpp"
#include "weft/base/ensure.hpp"
#include "weft/base/printable.hpp"
#include "weft/problem/limits.hpp"

namespace weft {

namespace {

constexpr const char magic[] = "\x93NUMPY";
constexpr std::size_t magic_bytes = 6, longest_prefix_bytes = 12;
constexpr std::int64_t longest_header_bytes = std::int64_t{1} << 20;
constexpr const char* accepted = "weft transforms float32, float64, complex64 and complex128";

// What a file has, in not more than a few lines.
std::string shown_header_part(const std::string& text) {
  constexpr std::size_t most_shown = 400;
  return printable(text, most_shown);
}

// The text of a header, whose line break at the end is not worth telling.
std::string shown_header(const std::string& text) {
  return shown_header_part(text.substr(0, text.find_last_not_of(" \n") + 1));
}

[[noreturn]] void reject(const std::string& path, const std::string& why,
                         const std::string& hint = "") {
  throw Error(Error::io, fmt::format("'{}' {}", path, why), hint);
}

// Start and length of the header's text; both 0 if the version is unknown.
struct Prefix {
  std::int64_t text_start = 0, text_bytes = 0;
};
Prefix prefix_of(const std::string& bytes) {
  const auto byte = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  const int major = byte(magic_bytes);
  if (major == 1) return {10, byte(8) + 256 * byte(9)};
  if (major == 2 || major == 3) {
    std::int64_t length = 0;
    for (std::size_t i = longest_prefix_bytes; i-- > 8;) length = 256 * length + byte(i);
    return {12, length};
  }
  return {};
}

// Parses a Python literal of the forms that NumPy writes.
class Literal {
 public:
  Literal(const std::string& text, const std::string& path) : text_(text), path_(path) {}

  void expect(char c) {
    if (!take(c))
      reject(path_, fmt::format("has an invalid header: expected '{}' at byte {} of {}", c, at_,
                                shown_header(text_)));
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string take_quoted() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') expect('\'');
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string::npos)
      reject(path_, fmt::format("has an invalid header: the quote at byte {} is not closed in {}",
                                at_, shown_header(text_)));
    std::string word = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return word;
  }
  bool take_bool() {
    skip_space();
    for (const bool value : {false, true}) {
      const std::string word = value ? "True" : "False";
      if (text_.compare(at_, word.size(), word) != 0) continue;
      at_ += word.size();
      return value;
    }
    expect('T');
    return false;
  }
  std::int64_t take_number() {
    skip_space();
    std::int64_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [next, status] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (status == std::errc::result_out_of_range)
      reject(path_, fmt::format("has a number that exceeds 64 bits in its header {}",
                                shown_header(text_)));
    if (status != std::errc{}) expect('0');
    at_ += static_cast<std::size_t>(next - begin);
    take('L');  // the suffix of long integers in Python 2
    return value;
  }
  // A structured dtype: the text from the bracket here to the one that closes it.
  std::string take_bracketed() {
    skip_space();
    const std::size_t begin = at_;
    int depth = 0;
    do {
      if (at_ >= text_.size()) expect(']');
      if (text_[at_] == '[' || text_[at_] == '(') ++depth;
      if (text_[at_] == ']' || text_[at_] == ')') --depth;
      ++at_;
    } while (depth > 0);
    return text_.substr(begin, at_ - begin);
  }
  bool is_next(char c) const {
    const std::size_t next = text_.find_first_not_of(" \n", at_);
    return next != std::string::npos && text_[next] == c;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  const std::string& text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

// Without the order of bytes.
std::string code_of(const std::string& descr) {
  return descr.find_first_of("<>=|") == 0 ? descr.substr(1) : descr;
}
bool is_complex_code(const std::string& descr) { return code_of(descr).starts_with('c'); }

std::string dtype_name(const std::string& descr) {
  if (descr.starts_with('['))
    return fmt::format("the structured dtype {}", shown_header_part(descr));
  const std::string code = code_of(descr);
  const std::map<char, std::string> kinds{{'i', "int"},        {'u', "uint"},       {'f', "float"},
                                          {'c', "complex"},    {'b', "bool"},       {'O', "object"},
                                          {'S', "bytes"},      {'U', "str"},        {'V', "void"},
                                          {'M', "datetime64"}, {'m', "timedelta64"}};
  const auto kind = kinds.find(code.empty() ? ' ' : code[0]);
  if (kind == kinds.end()) return fmt::format("dtype '{}'", shown_header_part(descr));
  std::string name = kind->second;
  int bytes = 0;
  if (std::string("iufc").find(code[0]) != std::string::npos) {
    std::from_chars(code.data() + 1, code.data() + code.size(), bytes);
    name += std::to_string(std::int64_t{8} * bytes);
  }
  return fmt::format("dtype {} ('{}')", name, shown_header_part(descr));
}

void set_type(ArrayHeader& header, const std::string& descr, const std::string& path) {
  const std::map<std::string, Scalar> types{{"f4", scalar_of<float>::value},
                                            {"f8", scalar_of<double>::value},
                                            {"c8", scalar_of<std::complex<float>>::value},
                                            {"c16", scalar_of<std::complex<double>>::value}};
  const bool has_order = descr.find_first_of("<>=") == 0;
  const auto type = types.find(has_order ? descr.substr(1) : descr);
  if (type == types.end())
    reject(path, "has " + dtype_name(descr),
           fmt::format("{}: x.astype('{}')", accepted,
                       is_complex_code(descr) ? "complex128" : "float64"));
  header.scalar = type->second;
  header.is_big_endian = descr.starts_with('>');
}

Extents parse_shape(Literal& literal, const std::string& path) {
  Extents shape;
  int axes = 0;
  literal.expect('(');
  while (!literal.take(')')) {
    const std::int64_t n = literal.take_number();
    if (++axes <= most_axes) shape.push_back(n);
    if (literal.take(')')) break;
    literal.expect(',');
  }
  if (axes == 0) require_shape(shape, path);
  if (axes > most_axes)
    reject(
        path, fmt::format("has {} axes", axes),
        fmt::format("weft transforms arrays of 1 to {} axes: merge axes that are not transformed",
                    most_axes));
  return shape;
}

ArrayHeader parse_dictionary(const std::string& text, const std::string& path) {
  ArrayHeader header;
  std::string descr, missing;
  bool has_order = false, has_shape = false;
  Literal literal(text, path);
  literal.expect('{');
  while (!literal.take('}')) {
    const std::string key = literal.take_quoted();
    literal.expect(':');
    if (key == "descr") {
      descr = literal.is_next('[') ? literal.take_bracketed() : literal.take_quoted();
    } else if (key == "fortran_order") {
      header.is_fortran = literal.take_bool();
      has_order = true;
    } else if (key == "shape") {
      header.shape = parse_shape(literal, path);
      has_shape = true;
    } else {
      reject(path, fmt::format("has an unknown key '{}' in its header {}", shown_header_part(key),
                               shown_header(text)));
    }
    if (literal.take('}')) break;
    literal.expect(',');
  }
  if (descr.empty() || !has_order || !has_shape)
    reject(path,
           fmt::format("lacks descr, fortran_order or shape in its header {}", shown_header(text)));
  set_type(header, descr, path);
  return header;
}

}  // namespace

FileHead file_head(const std::string& path) {
  const auto fail = [&](const std::string& why) {
    throw Error(Error::io, fmt::format("cannot open '{}': {}", path, why),
                "check the path; it is relative to the folder in which weft was started");
  };
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat about {};
  if (!file.is_open() || fstat(file.number(), &about) != 0) fail(std::strerror(errno));
  if (!S_ISREG(about.st_mode)) fail("it is not a regular file");
  FileHead head{"", about.st_size};
  const auto read_to = [&](std::int64_t bytes) {
    const auto begin = head.bytes.size();
    head.bytes.resize(std::max(begin, static_cast<std::size_t>(bytes)));
    const ssize_t got = pread(file.number(), head.bytes.data() + begin, head.bytes.size() - begin,
                              static_cast<off_t>(begin));
    if (got < 0) fail(std::strerror(errno));
    head.bytes.resize(begin + static_cast<std::size_t>(got));
  };
  read_to(longest_prefix_bytes);
  const Prefix prefix = prefix_of(head.bytes);
  if (prefix.text_bytes > 0 && head.bytes.size() == longest_prefix_bytes)
    read_to(prefix.text_start + std::min(prefix.text_bytes, longest_header_bytes));
  return head;
}

ArrayHeader parse_npy(const FileHead& head, const std::string& path) {
  if (head.bytes.compare(0, magic_bytes, magic) != 0)
    reject(path,
           fmt::format("is not an .npy file: its {} bytes do not start with \\x93NUMPY",
                       head.file_bytes),
           "write the file with numpy.save");
  const Prefix prefix = prefix_of(head.bytes);
  if (prefix.text_start == 0)
    reject(path,
           fmt::format("is an .npy file of version {}",
                       head.bytes.size() > magic_bytes
                           ? int{static_cast<unsigned char>(head.bytes[magic_bytes])}
                           : 0),
           "weft reads versions 1.0, 2.0 and 3.0");
  const std::int64_t data_start = prefix.text_start + prefix.text_bytes;
  if (static_cast<std::int64_t>(head.bytes.size()) < data_start)
    reject(path, fmt::format("is truncated: it has {} bytes, but its header alone has {}",
                             head.file_bytes, data_start));
  ArrayHeader header =
      parse_dictionary(head.bytes.substr(static_cast<std::size_t>(prefix.text_start),
                                         static_cast<std::size_t>(prefix.text_bytes)),
                       path);
  header.data_start_bytes = data_start;
  require_shape(header.shape, path);
  if (head.file_bytes != header.file_bytes())
    reject(path,
           fmt::format("{}: it has {} bytes, but its header and {} {} need {} + {} bytes",
                       head.file_bytes < header.file_bytes() ? "is truncated" : "is too large",
                       head.file_bytes, to_string(header.shape), header.scalar.name(), data_start,
                       header.file_bytes() - data_start),
           "copy or save the file again");
  return header;
}

std::string write_npy(ArrayHeader& header) {
  std::string shape;
  for (auto n : header.shape) shape += fmt::format("{}{}", shape.empty() ? "" : ", ", n);
  if (header.shape.size() == 1) shape += ",";
  std::string dictionary =
      fmt::format("{{'descr': '{}{}{}', 'fortran_order': {}, 'shape': ({}), }}",
                  header.is_big_endian ? '>' : '<', header.scalar.is_complex ? 'c' : 'f',
                  header.scalar.bytes(), header.is_fortran ? "True" : "False", shape);
  constexpr std::size_t prefix = 10, alignment = 64;
  while ((prefix + dictionary.size() + 1) % alignment != 0) dictionary += ' ';
  dictionary += '\n';
  std::string text(magic, magic_bytes);
  text += {1, 0, static_cast<char>(dictionary.size() % 256),
           static_cast<char>(dictionary.size() / 256)};
  text += dictionary;
  header.data_start_bytes = static_cast<std::int64_t>(text.size());
  return text;
}

}  // namespace weft
