// base/json_text: JSON of files.
// Keeps: reading takes little of the stack, and time in proportion to the text, whatever it is.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weft {

using Json = nlohmann::ordered_json;

/// What `text` describes. Error::invalid, with the hint, for what is no JSON, and for what has more
/// levels, or objects of more members, than anything that weft writes.
Json parse_json(const std::string& text, const std::string& hint);

/// The JSON of `value`, with `indent` blanks a level; on one line if that is negative. Texts that
/// are no UTF-8 have marks in the place of what is wrong.
std::string json_text(const Json& value, int indent);

}  // namespace weft
