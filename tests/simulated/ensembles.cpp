// tests/simulated/ensembles: many fields at once, on simulated hosts: there, |psi|^2, and back, as
// in examples/densities. `bench/simulate --program` starts it with the words that it gives to weft
// bench; it knows --instances, --policy, --effort and --json besides those of the simulation.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/base/ensure.hpp"
#include "weft/base/simulation.hpp"
#include "weft/base/trace.hpp"
#include "weft/faces/ensemble_instances.hpp"
#include "weft/faces/integers.hpp"
#include "weft/faces/settings.hpp"
#include "weft/memory/caches.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;
using Words = std::map<std::string, std::string>;

double largest(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

// exp(2 pi i x / n) + exp(2 pi i 2y / n) / 2 in real space: the density has the wave 0, 5/4 high,
// and (1, -2, 0) and (-1, 2, 0), 1/2 high.
class Instance {
 public:
  Instance(Ensemble<Complex, Complex>& ensemble, int number)
      : ensemble_(ensemble),
        number_(number),
        psi_(ensemble.make_input(number)),
        waves_(ensemble.make_output(number)) {
    for (auto [k, x] : waves_.points())
      x = k[2] != 0 ? 0 : k[0] == 1 && k[1] == 0 ? 1.0 : k[0] == 0 && k[1] == 2 ? 0.5 : 0;
  }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  void start() {
    if (!ensemble_.is_mine(number_)) return;
    began_ = now();
    there_ = ensemble_.start_backward(number_, waves_, psi_);
    there_.then([this] {
      for (auto [at, x] : psi_.points()) x = std::norm(x);
      back_ = ensemble_.start_forward(number_, psi_, waves_);
      back_.then([this] { seconds = now() - began_; });
    });
  }
  void wait() {
    there_.wait();
    back_.wait();
  }
  double error(const Extents& n) const {
    double most = 0;
    for (auto [k, x] : waves_.points()) {
      const bool is_difference =
          k[2] == 0 && ((k[0] == 1 && k[1] == n[1] - 2) || (k[0] == n[0] - 1 && k[1] == 2));
      const double answer = k[0] + k[1] + k[2] == 0 ? 1.25 : is_difference ? 0.5 : 0;
      most = std::max(most, std::abs(x - answer));
    }
    return most;
  }

  double seconds = 0;  // from start to end on this rank

 private:
  Ensemble<Complex, Complex>& ensemble_;
  int number_;
  Field<Complex> psi_, waves_;
  Ticket there_, back_;
  double began_ = 0;
};

// An entry of the JSON. Collective.
std::string measured(const Extents& extents, int count, const Words& words) {
  auto problem = c2c(extents);
  problem.norm = Norm::forward;
  Options options = options_of({{"effort", words.at("--effort")}, {"engine", "fftw"}});
  Ensemble<Complex, Complex> ensemble(MPI_COMM_WORLD, count, problem,
                                      parse_policy(words.at("--policy")), options);
  std::deque<Instance> instances;
  std::set<std::vector<int>> subsets;
  for (int i = 0; i < count; ++i) {
    instances.emplace_back(ensemble, i);
    subsets.insert(ensemble.ranks(i));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double began = now();
  for (Instance& one : instances) one.start();
  for (Instance& one : instances) one.wait();
  const double all = largest(now() - began);
  double average = 0, error = 0;
  for (const Instance& one : instances) {
    average += largest(one.seconds) / count;
    error = largest(std::max(error, one.error(extents)));
  }
  return fmt::format(
      R"({{"instances": {}, "policy": "{}", "subsets": {}, "seconds": {}, "average_seconds": {}, )"
      R"("max_error": {}}})",
      count, to_string(ensemble.form()), subsets.size(), all, average, error);
}

void run(const std::string& extents, Words words) {
  words.emplace("--effort", "estimate");
  set_pass_seconds_per_byte(std::stod(words["--pass-seconds-per-byte"]));
  set_simulated_caches(
      {std::stoll(words["--level-2-cache"]), std::stoll(words["--level-3-cache"])});
  std::string text;
  for (const int count : parse_integers("--instances", words["--instances"], "as in 1,4"))
    text += (text.empty() ? "[" : ",\n") +
            measured(problem_of({{"extents", extents}}).extents, count, words);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::ofstream(words["--json"]) << text << "]\n";
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    weft::Words words;  // after "bench" and the extents
    for (int i = 3; i + 1 < argc; i += 2) words[argv[i]] = argv[i + 1];
    weft::run(argv[2], words);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    status = 1;
  }
  MPI_Finalize();
  return status;
}
