// faces/elements: elements of any size as the numbers that plans move.
#pragma once

#include <cstdint>

#include "weft/problem.hpp"
#include "weft/reshape.hpp"

namespace weft {

/// The numbers that a plan moves for an element: one complex or real number or, along an axis of
/// their own, several real ones.
struct Element {
  Kind kind;
  Precision precision;
  std::int64_t numbers;
};

/// How elements of this size are moved. Error::unsupported if the size is no multiple of 4 bytes.
Element element_of(ElementSize size);

/// A problem that moves a grid of these elements, or of their first numbers, and transforms
/// nothing.
Problem movement_of(const Extents& extents, Element element);

/// Error::invalid, in which `name` is what it is called, for a distribution that is free or `same`.
void require_form(const Distribution& distribution, const char* name);

/// The same with a last axis of numbers, which stay together.
Box with_numbers(const Box& box, std::int64_t numbers);
UserArray with_numbers(UserArray array, std::int64_t numbers);
Storage with_numbers(Storage storage, int axes);

/// The same distribution, of `extents` over `ranks`, of elements that have an axis of numbers.
/// `name` is what errors call it.
Distribution with_numbers(const Distribution& distribution, const Extents& extents, int ranks,
                          std::int64_t numbers, const char* name);

}  // namespace weft
