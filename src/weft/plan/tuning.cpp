// plan/tuning: the rounds, and what is kept of them.

#include "weft/plan/tuning.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <set>
#include <sstream>
#include <utility>

#include "weft/base/trace.hpp"
#include "weft/choose/candidates.hpp"
#include "weft/choose/checked_options.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/pass_trials.hpp"
#include "weft/choose/race.hpp"
#include "weft/choose/raced_choices.hpp"
#include "weft/choose/remembering.hpp"
#include "weft/choose/whole_passes.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/failure_notice.hpp"
#include "weft/plan/describe.hpp"
#include "weft/plan/raced_plans.hpp"

namespace weft {

namespace {

constexpr std::size_t most_at_once = 4;  // plans and their workspaces in memory
constexpr int most_strategies = 12;

// What differs from the plan that is not tuned.
std::string text_of(const Options& options, const Options& asked) {
  std::string text = options.strategy;
  if (options.pretend.cache_bytes != asked.pretend.cache_bytes)
    text += fmt::format("; tiles for {} KiB", options.pretend.cache_bytes >> 10);
  if (options.pretend.shared_cache_bytes != asked.pretend.shared_cache_bytes)
    text += fmt::format("; passes joined, and rows of tiles chosen, for a shared cache of {} KiB",
                        options.pretend.shared_cache_bytes >> 10);
  if (options.threads != asked.threads)
    text += fmt::format("; {} thread{}", options.threads, options.threads == 1 ? "" : "s");
  if (options.segment_bytes != asked.segment_bytes)
    text += "; " + segment_text(options.segment_bytes);
  if (options.pretend.eager_message_bytes != asked.pretend.eager_message_bytes)
    text += "; " + eager_text(options.pretend.eager_message_bytes);
  if (options.progress != asked.progress)
    text += fmt::format("; progress {}", to_string(options.progress));
  return text;
}

// The options with each of these values of a member, or of what `of` returns of options.
template <class Of, class Value>
std::vector<Options> varied(const Options& options, const Of& member,
                            const std::vector<Value>& values) {
  std::vector<Options> all;
  for (const Value& value : values) {
    all.push_back(options);
    std::invoke(member, all.back()) = value;
  }
  return all;
}

auto pretended(std::int64_t Pretend::*bytes) {
  return [bytes](Options& options) -> std::int64_t& { return options.pretend.*bytes; };
}

std::vector<int> fewer_threads(const Machine& machine) {
  std::vector<int> all;
  const int most = *std::ranges::max_element(machine.threads_of_rank);
  for (int threads = most / 2; threads >= 1; threads /= 2) all.push_back(threads);
  return all;
}

// The texts that rank 0 makes, on all ranks. Collective.
template <class Make>
std::vector<std::string> texts_of_rank_0(const Communicator& comm, Make&& make) {
  const std::string mine = agree(comm, [&]() -> std::string {
    if (comm.rank() != 0) return "";
    std::vector<std::string> lines;
    for (const Strategy& strategy : make()) lines.push_back(to_string(strategy));
    return fmt::format("{}", fmt::join(lines, "\n"));
  });
  const std::string all = comm.broadcast(mine, 0);
  return agree(comm, [&] {
    std::vector<std::string> texts;
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);) texts.push_back(line);
    return texts;
  });
}

class Tuning {
 public:
  Tuning(std::unique_ptr<PlanBody> untuned, const Problem& problem, const Options& options,
         const TuningNews& news)
      : comm_(untuned->comm()), options_(options), news_(news), begin_(now()) {
    agree(*comm_, [&] {
      machine_ = untuned->machine();
      r2c_ = with_placed_columns(as_r2c(untuned->problem()), machine_, options_);
      problem_ = with_columns_of(r2c_, problem);
      untuned_ = demanding(to_string(untuned->strategy()), options_);
      untuned_.effort = Effort::measure;
      untuned_.pretend.cache_bytes = machine_.cache_bytes;
      untuned_.pretend.shared_cache_bytes = machine_.shared_cache_bytes;
      untuned_.segment_bytes = machine_.segment_bytes;
      untuned_.pretend.eager_message_bytes = machine_.eager_message_bytes;
      untuned_.progress = untuned->progress();
      leader_ = untuned_;
      // Rank 0 lists what is raced, also for ranks whose processors have other engines.
      listed_ = options_;
      listed_.engine = untuned->strategy().engine;
    });
    const auto bytes_of = [](const Share& share) { return share.elements * share.scalar.bytes(); };
    const std::int64_t in = bytes_of(untuned->input()), out = bytes_of(untuned->output());
    bytes_ = comm_->max(problem.in_place ? std::max(in, out) : in + out);
    key_ = key_of(*comm_, untuned->problem(), machine_, options_);
    untuned.reset();  // or its memory would be missing in every race
  }

  // Collective.
  Tuned run() {
    agree(*comm_, [&] {
      leader_.strategy = to_string(without_choices(parse_strategy(untuned_.strategy)));
    });
    challenge("strategy", texts_of_rank_0(*comm_, [&] {
                return promising_strategies(r2c_, machine_, listed_, most_strategies);
              }));
    choose_passes();
    challenge("stores", texts_of_rank_0(*comm_, [&] {
                return with_other_stores(parse_strategy(leader_.strategy));
              }));
    challenge("chunks", texts_of_rank_0(*comm_, [&] {
                return in_other_chunks(parse_strategy(leader_.strategy), options_);
              }));
    race_library();
    race_messages();
    if (options_.pretend.cache_bytes == 0)
      challenge("tiles", of_other_caches(&Pretend::cache_bytes, {0.25, 0.5, 2}));
    if (options_.pretend.shared_cache_bytes == 0)
      challenge("joined passes", of_other_caches(&Pretend::shared_cache_bytes, {0.125, 8}));
    if (options_.threads == 0)
      challenge("threads", agree(*comm_, [&] {
                  return varied(leader_, &Options::threads, fewer_threads(machine_));
                }));
    run_final();
    return std::move(found_);
  }

 private:
  void challenge(const std::string& round, const std::vector<std::string>& strategies) {
    challenge(round, agree(*comm_, [&] {
                std::vector<Options> all;
                std::set<std::string> known{leader_.strategy};
                for (const std::string& each : strategies) {
                  if (!known.insert(each).second) continue;
                  all.push_back(leader_);
                  all.back().strategy = each;
                }
                return all;
              }));
  }

  // Races the leader with all challengers, a few at once; whoever is clearly faster leads from then
  // on. Collective.
  void challenge(const std::string& round, const std::vector<Options>& challengers) {
    for (std::size_t at = 0; at < challengers.size();) {
      if (takes_too_long_ || comm_->max(now() - begin_) > options_.tune_seconds) return;
      tell([&] { return fmt::format("tuning: {}, {} plans raced", round, found_.raced.size()); });
      const std::vector<Options> group = agree(*comm_, [&] {
        std::vector<Options> all{leader_};
        const std::size_t end = std::min(challengers.size(), at + most_at_once - 1);
        all.insert(all.end(), challengers.begin() + static_cast<std::ptrdiff_t>(at),
                   challengers.begin() + static_cast<std::ptrdiff_t>(end));
        return all;
      });
      // The first plan is run before the others are: what was too long is too long for all rounds.
      const std::size_t raced = race(round, group);
      takes_too_long_ = raced == 0;
      at += raced;
    }
  }

  template <class Text>
  void tell(const Text& text) const {
    agree(*comm_, [&] {
      if (news_) news_(text());
    });
  }

  // Returns how many challengers need no other race; 0 where there is no time for one of them. What
  // cannot be planned for want of memory is not raced. Collective.
  std::size_t race(const std::string& round, const std::vector<Options>& group) {
    // The rounds share the time; most problems have about so many races.
    constexpr double races = 10;
    try {
      Race race(comm_, raced_plans(comm_), problem_, group, bytes_);
      if (!race.run(options_.tune_seconds / races)) return 0;
      agree(*comm_, [&] { take(round, race); });
      return race.all().size() - 1;
    } catch (const Error& error) {
      if (error.code() != Error::system) throw;
    }
    return group.size() - 1;
  }

  void take(const std::string& round, const Race& race) {
    const double reference = race.all().front().seconds();
    if (found_.raced.empty()) {
      leader_seconds_ = reference;
      found_.raced.push_back({round, text_of(leader_, untuned_), reference});
    }
    const double unit = leader_seconds_ / reference;
    for (const Contender& one : race.all())
      if (&one != &race.all().front() && one.times.is_told())
        found_.raced.push_back({round, text_of(one.options, untuned_), unit * one.seconds()});
    leader_ = race.kept().options;
    leader_seconds_ = unit * race.kept().seconds();
  }

  // Tries how the passes of the leader run fastest, as plans do, and races it with that, and with
  // the plan that is not tuned. Collective.
  void choose_passes() {
    if (!is_worth_trials(r2c_, comm_->size())) return;
    const Blueprint blueprint = agree(*comm_, [&] { return blueprint_of_leader(); });
    const MeasuredStrategy measured =
        measured_choices(*comm_, blueprint, options_.engine, measure_seconds).measured;
    challenge("passes", agree(*comm_, [&] {
                return std::vector<std::string>{to_string(measured.strategy), untuned_.strategy};
              }));
  }

  // Collective.
  void race_library() {
    const Blueprint blueprint = agree(*comm_, [&] { return blueprint_of_leader(); });
    const auto whole = whole_passes(*comm_, blueprint, options_.engine);
    challenge("library", texts_of_rank_0(*comm_, [&] { return whole; }));
  }

  // Not collective.
  Blueprint blueprint_of_leader() const {
    Blueprint one = Blueprint::of(r2c_, parse_strategy(leader_.strategy), machine_);
    one.largest_tag = comm_->largest_tag() - FailureNotice::tags;  // as plans have it
    return one;
  }

  // Other ways to move the messages of the leader. Collective.
  void race_messages() {
    const bool allows_thread = allows_progress_thread(*comm_);
    const auto of_leader = [&](auto&& others) {
      Machine machine = machine_;
      machine.segment_bytes = leader_.segment_bytes;
      return others(parse_strategy(leader_.strategy), r2c_, machine);
    };
    if (options_.segment_bytes == 0)
      challenge("segments", agree(*comm_, [&] {
                  return varied(leader_, &Options::segment_bytes, of_leader(other_segment_sizes));
                }));
    if (options_.pretend.eager_message_bytes == 0)
      challenge("eager messages", agree(*comm_, [&] {
                  return varied(leader_, pretended(&Pretend::eager_message_bytes),
                                of_leader(other_eager_sizes));
                }));
    if (options_.progress == Progress::automatic)
      challenge("progress", agree(*comm_, [&] {
                  return varied(leader_, &Options::progress,
                                other_progress(parse_strategy(leader_.strategy), machine_, options_,
                                               leader_.progress, allows_thread));
                }));
  }

  // The leader with another size of this cache. Collective.
  std::vector<Options> of_other_caches(std::int64_t Pretend::*bytes,
                                       std::initializer_list<double> factors) const {
    return agree(*comm_, [&] {
      std::vector<std::int64_t> sizes;
      for (const double factor : factors)
        sizes.push_back(
            static_cast<std::int64_t>(factor * static_cast<double>(leader_.pretend.*bytes)));
      return varied(leader_, pretended(bytes), sizes);
    });
  }

  // The leader against the plan that is not tuned, which stays if it is not clearly slower.
  // Collective.
  void run_final() {
    tell([] { return "tuning: the last race"; });
    const auto both = agree(*comm_, [&] {
      std::vector<Options> all{untuned_};
      if (to_string(leader_) != to_string(untuned_)) all.push_back(leader_);
      return all;
    });
    Race race(comm_, raced_plans(comm_), problem_, both, bytes_);
    race.run(options_.tune_seconds / 4);
    agree(*comm_, [&] { keep(race); });
  }

  void keep(const Race& race) {
    const Contender &untuned = race.all().front(), &best = race.kept();
    // Where there was no time for turns, the first run of the plan that is not tuned tells.
    const auto seconds = [&](const Contender& one) {
      return one.times.is_told() ? one.seconds() : race.first_seconds();
    };
    for (const Contender& one : race.all())
      if (&one == &untuned || one.times.is_told())
        found_.raced.push_back({"last", text_of(one.options, untuned_), seconds(one)});
    WisdomEntry& entry = found_.entry;
    entry.key = key_;
    entry.strategy = best.options.strategy;
    entry.threads = best.options.threads == options_.threads ? 0 : best.options.threads;
    entry.cache_bytes = best.options.pretend.cache_bytes;
    entry.shared_cache_bytes = best.options.pretend.shared_cache_bytes;
    const auto unless_usual = [](auto found, auto usual) { return found == usual ? 0 : found; };
    entry.segment_bytes = unless_usual(best.options.segment_bytes, untuned_.segment_bytes);
    entry.eager_message_bytes = unless_usual(best.options.pretend.eager_message_bytes,
                                             untuned_.pretend.eager_message_bytes);
    entry.progress =
        best.options.progress == untuned_.progress ? Progress::automatic : best.options.progress;
    entry.seconds = seconds(best);
    entry.untuned_seconds = seconds(untuned);
    entry.tried = static_cast<int>(found_.raced.size());
    entry.tuned_at = time_text();
  }

  std::shared_ptr<const Communicator> comm_;
  Problem problem_;
  const Options& options_;
  Options listed_;  // with the engine that all ranks have
  const TuningNews& news_;
  double begin_;
  Machine machine_;
  Problem r2c_;
  WisdomKey key_;
  std::int64_t bytes_ = 0;
  Options untuned_, leader_;
  double leader_seconds_ = 0;
  bool takes_too_long_ = false;
  Tuned found_;
};

}  // namespace

Tuned tuned(std::unique_ptr<PlanBody> untuned, const Problem& problem, const Options& options,
            const TuningNews& news) {
  const std::shared_ptr<const Communicator> comm = untuned->comm();
  if (is_too_busy_for_a_race(*comm))
    throw Error(Error::system,
                "transforms of this process are under way, which tuning would disturb",
                "wait for their tickets first");
  return Tuning(std::move(untuned), problem, options, news).run();
}

}  // namespace weft
