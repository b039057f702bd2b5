// weft/shared_list: a list that copies share.
// Floor: grid.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace weft {

/// A list that does not change. A copy costs nothing, however long the list is: many objects of a
/// plan hold what all ranks of a large job have given.
template <class Element>
class SharedList {
 public:
  /// No elements.
  SharedList() = default;
  /// The elements of `list`.
  explicit SharedList(std::vector<Element> list)
      : list_(std::make_shared<const std::vector<Element>>(std::move(list))) {}

  /// Whether it was made of a list, perhaps an empty one.
  bool is_given() const { return list_ != nullptr; }
  /// The list; valid as long as this object or a copy of it.
  const std::vector<Element>& get() const {
    if (list_) return *list_;
    static const std::vector<Element> none;
    return none;
  }

  friend bool operator==(const SharedList& a, const SharedList& b) {
    return a.list_ == b.list_ || a.get() == b.get();
  }

 private:
  std::shared_ptr<const std::vector<Element>> list_;
};

}  // namespace weft
