// python/core/makers: makes plans, reshapes, halos and ensembles of what Python asks for.
// Keeps: what one rank was given wrongly is the same error on all ranks.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "plan.hpp"
#include "weft/any_ensemble.hpp"

namespace weft::python {

/// Collective, unless the address `comm` is 0. Errors are those of the classes of C++; and what a
/// placement of Python's raised, on the rank where it did.
std::unique_ptr<PlanOfPython> make_plan(const nanobind::dict& given, std::uintptr_t comm);
std::unique_ptr<PlanOfPython> make_reshape(const nanobind::dict& given, std::uintptr_t comm);
std::unique_ptr<PlanOfPython> make_halo(const nanobind::dict& given, std::uintptr_t comm);

/// An ensemble, which its instances keep.
class EnsembleOfPython {
 public:
  /// Instances of these problems, by the options of the first one.
  EnsembleOfPython(const std::vector<nanobind::dict>& given, const nanobind::object& policy,
                   std::uintptr_t comm);
  ~EnsembleOfPython() { close(); }
  EnsembleOfPython(const EnsembleOfPython&) = delete;
  EnsembleOfPython& operator=(const EnsembleOfPython&) = delete;

  const char* policy() const { return to_string(ensemble().form()); }
  int size() const { return ensemble().size(); }
  const std::vector<int>& ranks(int instance) const { return ensemble().ranks(instance); }
  bool is_mine(int instance) const { return ensemble().is_mine(instance); }
  /// The plan of an instance of this rank's.
  std::unique_ptr<PlanOfPython> plan(int instance) const;
  /// Destroys it if no instance is held: collective.
  void close();

 private:
  const AnyEnsemble& ensemble() const;

  std::shared_ptr<AnyEnsemble> ensemble_;
  void* stream_ = nullptr;
};

}  // namespace weft::python
