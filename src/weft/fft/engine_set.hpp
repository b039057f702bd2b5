// fft/engine_set: the engines of one plan, each made once.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "weft/fft/engine.hpp"

namespace weft {

/// The engine of a strategy, and those that single passes name.
class EngineSet {
 public:
  /// `usual` is the engine that is meant where none is named. Errors: see find_engine.
  explicit EngineSet(std::string usual) : usual_(std::move(usual)) { of(usual_); }

  /// The engine called `name`; for an empty name, the usual one. Errors: see find_engine.
  Engine& of(const std::string& name) {
    const std::string& wanted = name.empty() ? usual_ : name;
    auto& engine = made_[wanted];
    if (engine == nullptr) engine = find_engine(wanted).make();
    return *engine;
  }

 private:
  std::string usual_;
  std::map<std::string, std::unique_ptr<Engine>> made_;
};

}  // namespace weft
