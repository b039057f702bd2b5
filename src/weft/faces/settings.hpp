// faces/settings: problems and options as text, by name: what command lines and other languages
// say. Keeps: one table says each name, what it means, and where its value goes.
#pragma once

#include <map>
#include <span>
#include <string>

#include "weft/options.hpp"
#include "weft/problem.hpp"

namespace weft {

/// What can be said of a problem or of its plan: "threads" is --threads on a command line.
struct Setting {
  const char* name;
  const char* value;    ///< what help calls its value, as "T"; empty of a switch: yes or no
  std::string meaning;  ///< with the unit, and what holds where nothing is said
};

/// The setting called `name`, in which _ is as good as -. Error::invalid, with all names, if there
/// is none.
const Setting& find_setting(const std::string& name);
/// Whether it is one of a problem, and not one of how to plan. Errors as with find_setting.
bool is_of_problem(const std::string& name);
/// All names: those of problems first.
std::span<const Setting* const> all_settings();

/// Texts by the names of their settings.
using SettingTexts = std::map<std::string, std::string, std::less<>>;

/// Reads "kind=r2c; threads=2; in-place": settings with semicolons or ends of lines between them; a
/// name alone means yes. Error::invalid for names that are not known, and for one that is there
/// twice.
SettingTexts parse_settings(const std::string& text);

/// What `texts` say of a problem, whose extents they must have, and of options; either function
/// leaves out what is the other's. Error::invalid, naming the setting with `prefix` before its
/// name, for texts that have no meaning or are out of range, for names that are not known, and for
/// problems that cannot be. Options that MPI or this machine does not allow are an error of plans.
Problem problem_of(const SettingTexts& texts, const std::string& prefix = "");
Options options_of(const SettingTexts& texts, const std::string& prefix = "");

}  // namespace weft
