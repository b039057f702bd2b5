// exchange/staging: lays out the mirror, and copies to it and from it.

#include "weft/exchange/staging.hpp"

#include <algorithm>
#include <limits>

#include "weft/program/index.hpp"

namespace weft {

namespace {

// A multiple of all sizes of elements, and of lines of the cache.
constexpr std::int64_t alignment = 64;

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

// How many buffers have numbers that the exchange uses.
int buffers_of(const ExchangeProgram& exchange) {
  int last = -1;
  for (const auto* messages : {&exchange.receives, &exchange.sends})
    for (const Message& message : *messages) last = std::max(last, message.buffer);
  for (const Collective& collective : exchange.collectives)
    last = std::max({last, collective.send_buffer, collective.receive_buffer});
  return last + 1;
}

std::vector<MirroredRun> in_place(int buffer, const std::vector<ByteRun>& runs) {
  std::vector<MirroredRun> mirrored;
  for (const ByteRun& run : runs)
    mirrored.push_back({{buffer, run.offset}, {buffer, run.offset}, run.bytes});
  return mirrored;
}

}  // namespace

Staging::Staging(const ExchangeProgram& exchange, const DeviceMessages& device)
    : exchange_(exchange), pieces_(exchange_, device.piece_bytes), buffers_(buffers_of(exchange)) {
  sent_ = mirrored_pieces(exchange_.sends);
  received_ = mirrored_pieces(exchange_.receives);
  mirror_collectives();
  const std::vector<std::int64_t> starts = place_buffers();
  const SelectedDevice selected(device.device);
  memory_ = DeviceBuffer(*device.device.driver, mirror_bytes_, Memory::registered);
  for (const std::int64_t start : starts)
    mirror_.push_back(static_cast<std::byte*>(memory_.data()) + start);
  down_ = std::make_unique<CopyQueue>(device, CopyQueue::down, sent_.copies());
  up_ = std::make_unique<CopyQueue>(device, CopyQueue::up, received_.copies());
}

// ---- the mirror

void Staging::Side::add(std::span<const MirroredRun> copy) {
  runs.insert(runs.end(), copy.begin(), copy.end());
  firsts.push_back(runs.size());
}

int Staging::Side::copy(Task::Kind kind, int number) const {
  return kind == Task::collective ? pieces + number : number;
}

std::span<const MirroredRun> Staging::Side::of(int copy) const {
  const std::size_t first = firsts[at(copy)];
  return std::span(runs).subspan(first, firsts[at(copy) + 1] - first);
}

Staging::Copied Staging::Side::copied(int copy, Task::Kind kind) const {
  return copy < pieces ? Copied{kind, copy} : Copied{Task::collective, copy - pieces};
}

// Moves the pieces to their mirror.
Staging::Side Staging::mirrored_pieces(std::vector<Message>& pieces) {
  const std::int64_t element_bytes = exchange_.element_bytes;
  Side side;
  for (Message& piece : pieces) {
    const MirroredRun run{{piece.buffer, piece.offset * element_bytes},
                          {buffers_, mirror_bytes_},
                          piece.count * element_bytes};
    side.add(std::span(&run, run.bytes > 0 ? 1 : 0));
    piece.buffer = run.mirror.buffer;
    piece.offset = run.mirror.offset / element_bytes;
    mirror_bytes_ += aligned(run.bytes);
  }
  side.pieces = static_cast<int>(pieces.size());
  return side;
}

void Staging::mirror_collectives() {
  const std::int64_t element_bytes = exchange_.element_bytes;
  for (const Collective& each : exchange_.collectives) {
    sent_.add(in_place(each.send_buffer, sent_runs(each, element_bytes)));
    received_.add(in_place(each.receive_buffer, received_runs(each, element_bytes)));
  }
}

// Where byte 0 of each buffer would be in the memory of the mirror, which has the span of what
// collectives move of it; then the same of the pieces.
std::vector<std::int64_t> Staging::place_buffers() {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::vector<ByteRun> spans(at(buffers_), {none, 0});
  for (const Side* const side : {&sent_, &received_})
    for (const MirroredRun& run : side->runs) {
      if (run.mirror.buffer == buffers_) continue;
      ByteRun& span = spans[at(run.mirror.buffer)];
      const std::int64_t end = std::max(span.offset == none ? 0 : span.offset + span.bytes,
                                        run.mirror.offset + run.bytes);
      span.offset = std::min(span.offset, run.mirror.offset / alignment * alignment);
      span.bytes = end - span.offset;
    }
  std::vector<std::int64_t> starts;
  for (const ByteRun& span : spans) {
    starts.push_back(span.bytes == 0 ? 0 : mirror_bytes_ - span.offset);
    mirror_bytes_ += aligned(span.bytes);
  }
  starts.push_back(0);
  return starts;
}

// ---- a run

void Staging::begin(const Addresses& device_addresses) {
  device_addresses_ = &device_addresses;
  pieces_.begin();
  down_->begin();
  up_->begin();
}

void Staging::copy_down(Task::Kind kind, int number) {
  const int copy = sent_.copy(kind, number);
  down_->add(copy, sent_.of(copy), *device_addresses_, mirror_);
}
void Staging::copy_up(Task::Kind kind, int number) {
  const int copy = received_.copy(kind, number);
  up_->add(copy, received_.of(copy), *device_addresses_, mirror_);
}

Staging::Copied Staging::take_down() { return sent_.copied(down_->take(), Task::send); }
Staging::Copied Staging::take_up() { return received_.copied(up_->take(), Task::receive); }

bool Staging::await_copy() {
  if (is_idle()) return false;
  (down_->is_empty() ? *up_ : *down_).await_next();
  return true;
}

}  // namespace weft
