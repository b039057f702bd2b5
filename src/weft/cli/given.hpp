// cli/given: the settings that a command line gives.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "weft/faces/settings.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// What a command line says of problems and plans. Texts are read when a command runs, so that
/// every rank has the same error.
struct Given {
  std::vector<std::string> extents;  ///< of one or several problems
  SettingTexts texts;
  /// Where --effort is not given: no trial runs, which are not worthwhile for a single transform.
  std::string effort = "estimate";

  bool has(const char* name) const { return texts.contains(name); }
  /// The text of a setting; empty if it is not given.
  std::string text(const char* name) const;
};

using SettingNames = std::initializer_list<const char*>;

/// Adds EXTENTS of one or several problems.
void add_extents(CLI::App& app, Given& given, bool is_required = true);
/// Adds an option for each of these settings.
void add_settings(CLI::App& app, Given& given, SettingNames names);
/// Those that say what is computed.
void add_problem_settings(CLI::App& app, Given& given);
/// Those that say how to plan; `more` are added to them.
void add_plan_settings(CLI::App& app, Given& given, SettingNames more = {"strategy"});

/// The options of a plan. Error::invalid for texts that have no meaning.
Options plan_options(const Given& given);
/// A problem for each of the extents. Error::invalid for texts that have no meaning, and where
/// there cannot be such a problem.
std::vector<Problem> problems_of(const Given& given);

/// Settings of which a command has no use, though others of its kind have.
struct Unused {
  std::vector<const char*> names;
  const char *reason, *hint;
};
/// Those of a command that predicts: a machine has its nodes, and nothing is tried.
extern const Unused unused_by_predictions;
/// Leaves them out of the help of `app`. They are still known, so that refuse can say why they are
/// of no use.
void hide(CLI::App& app, const Unused& unused);
/// Error::invalid, with the option and the reason, if one of them is given.
void refuse(const Given& given, const Unused& unused);

}  // namespace weft::cli
