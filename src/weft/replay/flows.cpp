// replay/flows: progressive filling, link by link.

#include "weft/replay/flows.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "weft/program/index.hpp"

namespace weft {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Flows that end within this part of the time until the next one ends, end with it: equal flows
// must not end one after the other because of rounding.
constexpr double rounding = 1e-9;
// For how many times the tolerance rates may be old.
constexpr double tolerances_of_rates = 4;

}  // namespace

Flows::Flows(std::vector<double> bytes_per_second, double tolerance)
    : speeds_(std::move(bytes_per_second)),
      tolerance_(tolerance),
      capacity_(speeds_.size(), 0),
      users_(speeds_.size(), 0),
      first_of_(speeds_.size() + 1, 0) {}

// Until rates are found anew, the flow has its part of the links as if the others there had theirs.
void Flows::start(double time, const std::vector<int>& links, double bytes, int number) {
  advance(time);
  Flow flow{number, links.empty() ? 0 : bytes, bytes, infinity, links_.size(), 0};
  links_.insert(links_.end(), links.begin(), links.end());
  flow.last = links_.size();
  if (flow.left > 0)
    for (const int link : links) {
      ++users_[at(link)];
      flow.rate = std::min(flow.rate, speeds_[at(link)] / users_[at(link)]);
    }
  flows_.push_back(flow);
  const double seconds = flow.left <= 0 ? 0 : flow.left / flow.rate;
  until_end_ = std::min(until_end_, seconds);
  shortest_ = std::min(shortest_, seconds);
  is_shared_ = false;
}

double Flows::next_end(double event) {
  const bool may_be_old = event - shared_at_ <= tolerances_of_rates * tolerance_ * shortest_;
  if (!is_shared_ && !may_be_old) share();
  const double end = time_ + until_end_;
  if (is_shared_ || end <= event) return end;
  return infinity;
}

void Flows::take_ended(std::vector<int>& numbers) {
  if (until_end_ == infinity) return;
  const double until = until_end_ * (1 + rounding);
  const auto has_ended = [&](const Flow& flow) {
    return flow.left <= 0 || flow.left <= flow.rate * until + tolerance_ * flow.bytes;
  };
  for (const Flow& flow : flows_) {
    if (!has_ended(flow)) continue;
    numbers.push_back(flow.number);
    if (flow.left > 0)
      for (std::size_t i = flow.first; i < flow.last; ++i) --users_[at(links_[i])];
  }
  const double end = time_ + until_end_;
  for (Flow& flow : flows_)
    if (has_ended(flow)) flow.number = -1;
  std::erase_if(flows_, [](const Flow& flow) { return flow.number < 0; });
  advance(end);
  forget_old_links();
  find_until_end();
  is_shared_ = flows_.empty();
}

void Flows::advance(double time) {
  if (time <= time_) return;
  for (Flow& flow : flows_)
    if (flow.left > 0) flow.left = std::max(0.0, flow.left - flow.rate * (time - time_));
  until_end_ = std::max(0.0, until_end_ - (time - time_));
  time_ = time;
}

void Flows::forget_old_links() {
  std::size_t live = 0;
  for (const Flow& flow : flows_) live += flow.last - flow.first;
  if (links_.size() < 2 * live + 1024) return;
  std::vector<int> links;
  links.reserve(live);
  for (Flow& flow : flows_) {
    const std::size_t first = links.size();
    links.insert(links.end(), links_.begin() + static_cast<std::ptrdiff_t>(flow.first),
                 links_.begin() + static_cast<std::ptrdiff_t>(flow.last));
    flow.first = first;
    flow.last = links.size();
  }
  links_ = std::move(links);
}

// Counts and lists the flows of every link.
void Flows::list_users() {
  std::fill(users_.begin(), users_.end(), 0);
  used_.clear();
  const auto for_each_link = [&](const auto& visit) {
    for (std::size_t f = 0; f < flows_.size(); ++f)
      if (flows_[f].left > 0)
        for (std::size_t i = flows_[f].first; i < flows_[f].last; ++i)
          visit(static_cast<int>(f), links_[i]);
  };
  for_each_link([&](int, int link) {
    if (users_[at(link)]++ == 0) used_.push_back(link);
  });
  std::size_t first = 0;
  for (const int link : used_) {
    first_of_[at(link)] = first;
    first += at(users_[at(link)]);
    capacity_[at(link)] = speeds_[at(link)];
  }
  flows_of_.resize(first);
  for_each_link([&](int f, int link) { flows_of_[first_of_[at(link)]++] = f; });
  for (const int link : used_) first_of_[at(link)] -= at(users_[at(link)]);
}

// The link whose users would each get the least is full first; what it gives them, they take from
// their other links as well.
void Flows::share() {
  using Entry = std::pair<double, int>;  // what each user would get, link
  list_users();
  std::vector<int> left(users_);
  for (Flow& flow : flows_) flow.rate = infinity;
  std::vector<Entry> entries;
  entries.reserve(used_.size());
  for (const int link : used_) entries.emplace_back(speeds_[at(link)] / left[at(link)], link);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> fullest(std::greater<>(),
                                                                         std::move(entries));
  while (!fullest.empty()) {
    const auto [told, link] = fullest.top();
    fullest.pop();
    if (left[at(link)] == 0) continue;
    // No less than links that were full before gave, whatever is lost by rounding.
    const double share = std::max(told, capacity_[at(link)] / left[at(link)]);
    if (share > told) {  // its users have become fewer since
      fullest.emplace(share, link);
      continue;
    }
    const std::size_t first = first_of_[at(link)], last = first + at(users_[at(link)]);
    for (std::size_t i = first; i < last; ++i) {
      Flow& flow = flows_[at(flows_of_[i])];
      if (flow.rate != infinity) continue;
      flow.rate = share;
      for (std::size_t other = flow.first; other < flow.last; ++other) {
        capacity_[at(links_[other])] -= share;
        --left[at(links_[other])];
      }
    }
  }
  is_shared_ = true;
  shared_at_ = time_;
  shortest_ = infinity;
  for (const Flow& flow : flows_)
    if (flow.left > 0) shortest_ = std::min(shortest_, flow.bytes / flow.rate);
  if (shortest_ == infinity) shortest_ = 0;
  find_until_end();
}

void Flows::find_until_end() {
  until_end_ = infinity;
  for (const Flow& flow : flows_)
    until_end_ = std::min(until_end_, flow.left <= 0 ? 0 : flow.left / flow.rate);
}

}  // namespace weft
