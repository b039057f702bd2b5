// cli/tune/tune_report: texts and JSON.

#include "weft/cli/tune/tune_report.hpp"

#include "weft/base/ensure.hpp"
#include "weft/base/printable.hpp"
#include "weft/cli/report_parts.hpp"
#include "weft/plan/describe.hpp"
#include "weft/planning/progress.hpp"

namespace weft::cli {

namespace {

// What an entry has beside its strategy that differs from a plan which is not tuned; tiles always
// have sizes, which say little.
std::string rest_of(const WisdomEntry& entry) {
  std::string text;
  if (entry.threads != 0)
    text += fmt::format("; {} thread{} a rank", entry.threads, entry.threads == 1 ? "" : "s");
  if (entry.segment_bytes != 0) text += "; " + segment_text(entry.segment_bytes);
  if (entry.eager_message_bytes != 0) text += "; " + eager_text(entry.eager_message_bytes);
  if (entry.progress != Progress::automatic)
    text += fmt::format("; progress {}", to_string(entry.progress));
  return text;
}

// Of a file, which a person may have written. Strategies of many ranks are long.
std::string shown_of_wisdom(const std::string& text) {
  constexpr std::size_t most_shown = 2000;
  return printable(text, most_shown);
}

}  // namespace

std::string text_of(const TuneResult& result) {
  const std::string what = to_string(result.problem.extents);
  if (!result.found)
    return fmt::format("{} is known; --again tunes it again\n{}", what, result.known);
  const WisdomEntry& entry = result.found->entry;
  std::string text = fmt::format("{} over {}\n  {:>10}  {:<15} plan\n", entry.key.problem,
                                 entry.key.ranks, "ms", "round");
  for (const Raced& raced : result.found->raced)
    text +=
        fmt::format("  {:>10} {:<15} {}\n", milliseconds(raced.seconds), raced.round, raced.what);
  const double ratio = entry.seconds / entry.untuned_seconds;
  text += ratio < 1 ? fmt::format("kept: {}{}\n{}, {:.3f} of it", entry.strategy, rest_of(entry),
                                  gain_text(entry), ratio)
                    : fmt::format("kept, as nothing was clearly faster: {}\n{}", entry.strategy,
                                  gain_text(entry));
  return text;
}

std::string json_of(const std::vector<TuneResult>& results) {
  Json all = Json::array();
  for (const TuneResult& result : results) {
    Json one = {{"extents", std::vector<std::int64_t>(result.problem.extents.begin(),
                                                      result.problem.extents.end())},
                {"was_known", !result.found.has_value()}};
    if (result.found) {
      const WisdomEntry& entry = result.found->entry;
      one["problem"] = entry.key.problem;
      one["ranks"] = entry.key.ranks;
      one["machine"] = entry.key.machine;
      one["strategy"] = entry.strategy;
      one["threads"] = entry.threads;
      one["cache_bytes"] = entry.cache_bytes;
      one["shared_cache_bytes"] = entry.shared_cache_bytes;
      one["segment_bytes"] = entry.segment_bytes;
      one["eager_message_bytes"] = entry.eager_message_bytes;
      one["progress"] = to_string(entry.progress);
      one["seconds"] = entry.seconds;
      one["untuned_seconds"] = entry.untuned_seconds;
      one["raced"] = Json::array();
      for (const Raced& raced : result.found->raced)
        one["raced"].push_back(
            {{"round", raced.round}, {"plan", raced.what}, {"seconds", raced.seconds}});
    }
    all.push_back(std::move(one));
  }
  return json_text(all, 2) + "\n";
}

std::string list_of(const Wisdom& wisdom, const std::string& path) {
  std::string text;
  for (const WisdomEntry& entry : wisdom.entries()) {
    const WisdomKey& key = entry.key;
    text += fmt::format("{}\n  ranks: {}\n  on: {}; {}\n", shown_of_wisdom(key.problem),
                        shown_of_wisdom(key.ranks), shown_of_wisdom(key.machine),
                        shown_of_wisdom(key.versions));
    if (!key.options.empty()) text += fmt::format("  options: {}\n", shown_of_wisdom(key.options));
    text +=
        fmt::format("  {}{}\n  {}; {} plans raced, {}\n", shown_of_wisdom(entry.strategy),
                    rest_of(entry), gain_text(entry), entry.tried, shown_of_wisdom(entry.tuned_at));
  }
  return text + fmt::format("{} entr{} in {}", wisdom.entries().size(),
                            wisdom.entries().size() == 1 ? "y" : "ies", path);
}

}  // namespace weft::cli
