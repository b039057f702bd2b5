// run/failure_news: in the memory of the node, and by messages.

#include "weft/run/failure_news.hpp"

#include <array>

#include "weft/base/trace.hpp"

namespace weft {

namespace {

// How long a rank waits until it asks whether another rank has failed, in seconds.
constexpr double between_looks = 0.02;

}  // namespace

void FailureNews::begin() { next_look_ = now() + between_looks; }

void FailureNews::look() {
  const double time = now();
  if (time < next_look_) return;
  next_look_ = time + between_looks;
  if (const NodeGroup* node = programs_.node()) node->check_failure();
  if (notice_->ask()) throw notice_->error();
}

bool FailureNews::has_heard_why() const noexcept {
  const NodeGroup* node = programs_.node();
  return notice_->is_known() ||
         (node != nullptr && node->failure().has_error() && !node->has_lost_member());
}

void FailureNews::tell(ErrorRecord failure) noexcept {
  if (!notice_->is_known()) failure = of_this_rank(failure);
  NodeGroup* node = programs_.node();
  const bool tells_all = node == nullptr || node->fail(failure);
  if (node != nullptr)
    if (const ErrorRecord first = node->failure(); first.has_error()) failure = first;
  if (tells_all)
    notice_->tell(failure);
  else
    notice_->keep(failure);
}

void FailureNews::tell_without_mpi(const ErrorRecord& failure) noexcept {
  const ErrorRecord told = of_this_rank(failure);
  if (NodeGroup* node = programs_.node()) node->fail(told, /*can_tell=*/false);
  notice_->tell_later(told);
}

// `failure` with the number of this rank in its message.
ErrorRecord FailureNews::of_this_rank(const ErrorRecord& failure) const noexcept {
  ErrorRecord told = failure;
  std::array<char, sizeof told.message> text;
  const auto end = fmt::format_to_n(text.data(), text.size(), "rank {} failed: {}",
                                    programs_.comm().rank(), failure.message.view())
                       .out;
  told.message.set({text.data(), static_cast<std::size_t>(end - text.data())});
  return told;
}

}  // namespace weft
