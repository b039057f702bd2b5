// choose/wisdom_file: the file in which wisdom is kept.
// Keeps: no process loses what another one has learned, and a file that weft cannot read stays.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "weft/planning/wisdom.hpp"

namespace weft {

/// The file that WEFT_WISDOM names; where that is not set, .cache/weft/wisdom.json in the home
/// folder of the user. Empty if nothing is to be remembered: WEFT_WISDOM is set to nothing, or the
/// user has no home folder.
std::string wisdom_path();

/// Whether the user wants nothing to be remembered: WEFT_WISDOM is set to nothing.
bool is_wisdom_off();

/// What the file holds; nothing if there is no file, or an empty one. Error::io if it cannot be
/// read, or is no file; errors as of parse_wisdom, with the path.
Wisdom read_wisdom(const std::string& path);

/// The same, which this process reads once while the file stays the same. Errors as of read_wisdom.
std::shared_ptr<const Wisdom> known_wisdom(const std::string& path);

/// Reads the file, lets `change` change what it holds, and replaces it, while no other process of
/// this user does: meanwhile this process has a lock on the file with ".lock" after its name, which
/// others cannot open. Makes missing folders. Errors as of read_wisdom, which leave the file as it
/// is; Error::io if it cannot be written, or if another process holds the lock for 30 s.
void change_wisdom(const std::string& path, const std::function<void(Wisdom&)>& change);

/// Error::io, or an error of read_wisdom, if change_wisdom would fail now. Changes nothing, but
/// makes the folders and the lock.
void require_changeable(const std::string& path);

}  // namespace weft
