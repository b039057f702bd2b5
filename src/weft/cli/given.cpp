// cli/given: adds options for settings, and reads what they were given.

#include "weft/cli/given.hpp"

#include <CLI/CLI.hpp>

#include "weft/base/ensure.hpp"
#include "weft/comm/nodes.hpp"

namespace weft::cli {

namespace {

constexpr const char* prefix = "--";

}  // namespace

const Unused unused_by_predictions{{"node-size", "effort", "reproducible"},
                                   "has no meaning for predictions",
                                   "omit it; a machine file has ranks_per_node"};

std::string Given::text(const char* name) const {
  const auto found = texts.find(name);
  return found == texts.end() ? "" : found->second;
}

void add_extents(CLI::App& app, Given& given, bool is_required) {
  app.add_option("EXTENTS", given.extents, find_setting("extents").meaning)
      ->required(is_required)
      ->type_name("");
}

void add_settings(CLI::App& app, Given& given, SettingNames names) {
  for (const char* name : names) {
    const Setting& setting = find_setting(name);
    const std::string option = prefix + std::string(name);
    if (std::string_view(setting.value).empty()) {
      app.add_flag_callback(
          option, [&given, name] { given.texts[name] = "yes"; }, setting.meaning);
      continue;
    }
    app.add_option_function<std::string>(
           option, [&given, name](const std::string& text) { given.texts[name] = text; },
           setting.meaning)
        ->type_name(setting.value);
  }
}

void add_problem_settings(CLI::App& app, Given& given) {
  add_settings(app, given,
               {"kind", "modes", "pad", "cutoff", "support", "precision", "in-place", "batch",
                "input", "output"});
}

void add_plan_settings(CLI::App& app, Given& given, SettingNames more) {
  add_settings(app, given,
               {"exchange", "engine", "device", "device-memory-limit", "decomposition", "grid",
                "use-ranks", "effort", "reproducible", "arrays", "threads", "node-size"});
  app.get_option("--effort")->default_str(given.effort);
  add_settings(app, given, more);
}

Options plan_options(const Given& given) {
  SettingTexts texts = given.texts;
  texts.emplace("effort", given.effort);
  Options options = options_of(texts, prefix);
  if (options.pretend.node_sizes.empty()) options.pretend.node_sizes = node_sizes_of_environment();
  return options;
}

std::vector<Problem> problems_of(const Given& given) {
  std::vector<Problem> all;
  SettingTexts texts = given.texts;
  for (const std::string& extents : given.extents) {
    texts["extents"] = extents;
    all.push_back(problem_of(texts, prefix));
  }
  return all;
}

void hide(CLI::App& app, const Unused& unused) {
  for (const char* name : unused.names) app.get_option(prefix + std::string(name))->group("");
}

void refuse(const Given& given, const Unused& unused) {
  for (const char* name : unused.names)
    if (given.has(name))
      throw Error(Error::invalid, fmt::format("{}{} {}", prefix, name, unused.reason), unused.hint);
}

}  // namespace weft::cli
