// comm/communicator: duplicates the caller's communicator, and wraps MPI calls.

#include "weft/comm/communicator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/base/simulation.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/failure_notice.hpp"
#include "weft/comm/forked.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft {

namespace {

// What MPI guarantees (MPI 3.1, 8.1.2).
constexpr int least_largest_tag = 32767;

MPI_Comm duplicate_of(MPI_Comm user) {
  require_no_fork();
  if (!mpi_is_running())
    throw Error(
        Error::system, "MPI is not running",
        "call MPI_Init before making a plan, and MPI_Finalize after the last use of the plan");
  if (user == MPI_COMM_NULL)
    throw Error(Error::invalid, "the communicator is MPI_COMM_NULL",
                "make a plan only on the ranks that belong to the communicator");
  require_mpi_thread();
  int is_inter = 0;
  check_mpi(MPI_Comm_test_inter(user, &is_inter), "MPI_Comm_test_inter");
  if (is_inter != 0)
    throw Error(Error::invalid, "the communicator is an intercommunicator",
                "merge its two groups with MPI_Intercomm_merge, and pass the result");
  MPI_Comm copy = MPI_COMM_NULL;
  note_use_of_process();
  // Without the hints of the user, which say what the user's messages do not do.
  check_mpi(MPI_Comm_dup_with_info(user, MPI_INFO_NULL, &copy), "MPI_Comm_dup_with_info");
  return copy;
}

void reduce(CommHandle comm, const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op) {
  check_mpi(MPI_Allreduce(mine, all, count, type, op, comm), "MPI_Allreduce");
}

}  // namespace

bool mpi_is_running() {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0 && !is_forked_child();
}

bool mpi_allows_threads() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  // Open MPI tells more after a comma, and MPICH in more lines.
  std::string first(text, static_cast<std::size_t>(length));
  first.resize(std::min(first.find_first_of(",\n"), first.size()));
  std::replace(first.begin(), first.end(), '\t', ' ');
  return first;
}

bool is_mpi_thread() {
  if (is_simulated) return true;  // each simulated rank is a thread
  int level = MPI_THREAD_SINGLE, is_main = 1;
  MPI_Query_thread(&level);
  if (level >= MPI_THREAD_SERIALIZED) return true;
  MPI_Is_thread_main(&is_main);
  return is_main != 0;
}

void require_mpi_thread() {
  if (!is_mpi_thread())
    throw Error(
        Error::invalid,
        "this thread may not call MPI: MPI was initialised on another thread, and not with "
        "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE",
        "call weft on the thread that initialised MPI, or initialise MPI with one of these");
  FailureNotice::tell_late();
}

void check_mpi(int status, const char* call) {
  if (status == MPI_SUCCESS) [[likely]]
    return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  throw Error(Error::system, fmt::format("{} failed: {}", call, text.data()),
              "see the documentation of the MPI library for this message");
}

int narrow(std::int64_t value) {
  ensure(value >= 0 && value <= std::numeric_limits<int>::max(), value);
  return static_cast<int>(value);
}

Communicator::Communicator(CommHandle user) : Communicator(Adopt{}, duplicate_of(user)) {}

Communicator Communicator::alone() {
  note_use_of_process();
  return {};
}

Communicator Communicator::duplicate() const { return is_alone() ? alone() : Communicator(comm_); }

Communicator::Communicator(Adopt, CommHandle comm) : comm_(comm) {
  check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
}

Communicator::Communicator(Communicator&& other) noexcept
    : comm_(std::exchange(other.comm_, CommHandle{})),
      rank_(other.rank_),
      size_(other.size_),
      on_this_machine_(std::move(other.on_this_machine_)),
      machine_of_rank_(std::move(other.machine_of_rank_)) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  if (this != &other) {
    free();
    comm_ = std::exchange(other.comm_, CommHandle{});
    rank_ = other.rank_;
    size_ = other.size_;
    on_this_machine_ = std::move(other.on_this_machine_);
    machine_of_rank_ = std::move(other.machine_of_rank_);
  }
  return *this;
}

Communicator::~Communicator() { free(); }

// On a thread that may not call MPI, the communicator stays with MPI for good.
void Communicator::free() {
  on_this_machine_.reset();
  if (!is_alone() && mpi_is_running() && is_mpi_thread()) {
    MPI_Comm comm = comm_;
    MPI_Comm_free(&comm);
  }
  comm_ = CommHandle{};
}

void Communicator::require_running() const {
  require_no_fork();
  if (!is_alone() && !mpi_is_running())
    throw Error(Error::invalid, "MPI is not running", "transform before MPI_Finalize");
}

void Communicator::require_usable() const {
  require_running();
  if (!is_alone()) require_mpi_thread();
}

Communicator Communicator::split(int colour) const {
  if (is_alone()) return alone();
  MPI_Comm part = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(comm_, colour, rank_, &part), "MPI_Comm_split");
  return {Adopt{}, part};
}

CommHandle renumbered(CommHandle user, int key) {
  MPI_Comm made = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(user, 0, key, &made), "MPI_Comm_split");
  return made;
}

const Communicator& Communicator::on_this_machine() const {
  if (is_alone()) return *this;
  if (on_this_machine_ == nullptr) find_machines();
  return *on_this_machine_;
}

const std::vector<int>& Communicator::machine_of_rank() const {
  if (!is_alone() && on_this_machine_ == nullptr) find_machines();
  return machine_of_rank_;
}

void Communicator::find_machines() const {
  std::vector<int> lowest_of;  // the lowest rank of the machine of every rank
  auto made = agree(*this, [&] {
    lowest_of.resize(static_cast<std::size_t>(size_));
    machine_of_rank_.resize(lowest_of.size());
    return std::make_unique<Communicator>(alone());
  });
  MPI_Comm part = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &part),
            "MPI_Comm_split_type");
  *made = Communicator(Adopt{}, part);
  int lowest = rank_, machines = 0;
  made->broadcast(&lowest, sizeof lowest, 0);
  gather(&lowest, sizeof lowest, lowest_of.data());
  for (std::size_t rank = 0; rank < lowest_of.size(); ++rank) {
    const auto first = static_cast<std::size_t>(lowest_of[rank]);
    machine_of_rank_[rank] = first == rank ? machines++ : machine_of_rank_[first];
  }
  on_this_machine_ = std::move(made);
}

int Communicator::largest_tag() const {
  if (is_alone()) return least_largest_tag;
  int* largest = nullptr;
  int is_set = 0;
  // The limit is the same for all communicators, but only MPI_COMM_WORLD must have the attribute.
  check_mpi(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&largest), &is_set),
            "MPI_Comm_get_attr");
  ensure(is_set != 0);
  return *largest;
}

void Communicator::barrier() const {
  if (!is_alone()) check_mpi(MPI_Barrier(comm_), "MPI_Barrier");
}

void Communicator::broadcast(void* data, int bytes, int root) const {
  if (!is_alone()) check_mpi(MPI_Bcast(data, bytes, MPI_BYTE, root, comm_), "MPI_Bcast");
}

void Communicator::gather(const void* mine, int bytes, void* all) const {
  if (is_alone()) {
    std::memcpy(all, mine, static_cast<std::size_t>(bytes));
    return;
  }
  check_mpi(MPI_Allgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm_), "MPI_Allgather");
}

// What MPI_MAX makes of NaN is not specified, so whether there is one is asked beside.
double Communicator::max(double value) const {
  if (is_alone()) return value;
  const bool is_nan = std::isnan(value);
  const std::array<double, 2> mine{is_nan ? 1.0 : 0.0, is_nan ? -HUGE_VAL : value};
  std::array<double, 2> all{};
  reduce(comm_, mine.data(), all.data(), 2, MPI_DOUBLE, MPI_MAX);
  return all[0] > 0 ? std::nan("") : all[1];
}
std::int64_t Communicator::max(std::int64_t value) const {
  std::int64_t result = value;
  if (!is_alone()) reduce(comm_, &value, &result, 1, MPI_INT64_T, MPI_MAX);
  return result;
}
std::int64_t Communicator::min(std::int64_t value) const {
  std::int64_t result = value;
  if (!is_alone()) reduce(comm_, &value, &result, 1, MPI_INT64_T, MPI_MIN);
  return result;
}
void Communicator::max_each(std::span<std::int64_t> values) const {
  const int count = narrow(static_cast<std::int64_t>(values.size()));
  if (!is_alone()) reduce(comm_, MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX);
}
void Communicator::and_each(std::span<std::int64_t> values) const {
  const int count = narrow(static_cast<std::int64_t>(values.size()));
  if (!is_alone()) reduce(comm_, MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_BAND);
}

SentText::SentText(const Communicator& comm, const std::string& text, int root,
                   const ErrorRecord& failure) {
  const bool is_root = comm.rank() == root;
  if (is_root) {
    head_.length = failure.has_error() ? -1 : static_cast<std::int64_t>(text.size());
    text.copy(head_.letters.data(), head_.letters.size());
  }
  comm.broadcast(&head_, sizeof head_, root);
  throw_of_rank(comm, head_.length < 0 ? root : comm.size(), failure);
  const std::int64_t left = head_.length - std::ssize(head_.letters);
  if (left <= 0) return;
  agree(comm, [&] {
    if (is_root)
      rest_ = text.substr(head_.letters.size());
    else
      rest_.resize(static_cast<std::size_t>(left));
  });
  comm.broadcast(rest_.data(), narrow(left), root);
}

std::string SentText::get() const {
  const auto length = static_cast<std::size_t>(head_.length);
  return std::string(head_.letters.data(), std::min(length, head_.letters.size())) + rest_;
}

std::string Communicator::broadcast(const std::string& text, int root,
                                    const ErrorRecord& failure) const {
  const SentText sent(*this, text, root, failure);
  return agree(*this, [&] { return sent.get(); });
}

std::vector<std::int64_t> Communicator::gather_each(std::int64_t mine) const {
  auto all =
      agree(*this, [&] { return std::vector<std::int64_t>(static_cast<std::size_t>(size_)); });
  gather(&mine, sizeof mine, all.data());
  return all;
}

// In rounds, so that neither an int nor a second copy of the lists limits their length: each round
// moves so many numbers of all lists, one after the other.
std::vector<std::vector<std::int64_t>> Communicator::gather_all(
    const std::vector<std::int64_t>& mine) const {
  constexpr std::int64_t numbers_of_round = std::int64_t{1} << 20;
  if (is_alone()) return {mine};
  const std::vector<std::int64_t> lengths = gather_each(std::ssize(mine));
  const std::int64_t total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  const auto ranks = static_cast<std::size_t>(size_), here = static_cast<std::size_t>(rank_);
  std::vector<int> counts, starts;
  std::vector<std::int64_t> round, moved;
  std::vector<std::vector<std::int64_t>> lists;
  agree(*this, [&] {
    counts.resize(ranks);
    starts.resize(ranks);
    moved.resize(ranks);
    round.resize(static_cast<std::size_t>(std::min(numbers_of_round, total)));
    lists.resize(ranks);
    for (std::size_t r = 0; r < ranks; ++r) lists[r].resize(static_cast<std::size_t>(lengths[r]));
  });
  for (std::int64_t left = total; left > 0;) {
    std::int64_t placed = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      starts[r] = static_cast<int>(placed);
      counts[r] = static_cast<int>(std::min(lengths[r] - moved[r], numbers_of_round - placed));
      placed += counts[r];
    }
    check_mpi(MPI_Allgatherv(mine.data() + moved[here], counts[here], MPI_INT64_T, round.data(),
                             counts.data(), starts.data(), MPI_INT64_T, comm_),
              "MPI_Allgatherv");
    for (std::size_t r = 0; r < ranks; ++r) {
      std::copy_n(round.begin() + starts[r], counts[r], lists[r].begin() + moved[r]);
      moved[r] += counts[r];
    }
    left -= placed;
  }
  return lists;
}

}  // namespace weft
