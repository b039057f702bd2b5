// device/vendor_contexts: the contexts of a vendor's devices, and weft's kernels in each.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "weft/device/vendor_library.hpp"

namespace weft {

/// What is made of each device when it is first used. Thread-safe.
template <class Api>
class VendorContexts {
 public:
  explicit VendorContexts(const Api& api) : api_(api) {
    int count = 0;
    check_vendor(api_, api_.count_devices(&count), "cannot count devices");
    devices_.resize(static_cast<std::size_t>(count));
  }

  int devices() const { return static_cast<int>(devices_.size()); }
  typename Api::Device device(int number) const {
    typename Api::Device device{};
    check_vendor(api_, api_.find_device(&device, number),
                 [&] { return fmt::format("cannot use device {}", number); });
    return device;
  }
  /// The number of a device; -1 if it is none of them.
  int number(typename Api::Device device) const {
    for (int number = 0; number < devices(); ++number)
      if (this->device(number) == device) return number;
    return -1;
  }
  template <class Attribute>
  int attribute(typename Api::Device device, Attribute which) const {
    int value = 0;
    check_vendor(api_, api_.ask_device(&value, which, device), "cannot ask what a device has");
    return value;
  }

  /// Selects a device, which must exist, for the calling thread's calls of weft.
  void select(int number) {
    of(number);
    selected_device = number;
  }
  int selected() const { return selected_device; }
  typename Api::Context of(int number) {
    const std::lock_guard lock(mutex_);
    Made& made = devices_[static_cast<std::size_t>(number)];
    if (made.context) return *made.context;
    typename Api::Context context{};
    check_vendor(api_, api_.retain(context, device(number)),
                 [&] { return fmt::format("cannot use device {}", number); });
    made.context = context;
    return context;
  }

  /// While it lives, this thread is in a device's context; then in that of the application again.
  class [[nodiscard]] Entered {
   public:
    /// Nothing happens without a context. What fails is thrown if it `must` be entered.
    Entered(const Api& api, const std::optional<typename Api::Context>& context, bool must)
        : api_(api) {
      if (!context) return;
      is_left_again_ = api.entered(before_) == Api::success;
      const auto result = api.enter(*context);
      if (must) check_vendor(api, result, "cannot use a device");
    }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;
    ~Entered() {
      if (is_left_again_) ignore_result(api_.enter(before_));
    }

   private:
    const Api& api_;
    typename Api::Context before_{};
    bool is_left_again_ = false;
  };
  /// The context of the selected device, which is made if it has not been.
  Entered enter() { return Entered(api_, of(selected_device), true); }
  /// The same if it has been made already; else nothing.
  Entered enter_quietly() noexcept {
    const std::lock_guard lock(mutex_);
    return Entered(api_, devices_[static_cast<std::size_t>(selected_device)].context, false);
  }

  /// A kernel, by its number in device/kernels, on the selected device, where it is loaded.
  typename Api::Kernel kernel(int number) {
    const auto at = static_cast<std::size_t>(number);
    const std::lock_guard lock(mutex_);
    Made& made = devices_[static_cast<std::size_t>(selected_device)];
    if (!made.has_module) load(made.module);
    made.has_module = true;
    if (made.kernels[at] != nullptr) return made.kernels[at];
    typename Api::Kernel kernel{};
    check_vendor(api_, api_.find_kernel(&kernel, made.module, kernel_names[at]),
                 "cannot find a kernel of weft's");
    check_vendor(
        api_,
        api_.allow_shared_bytes(kernel, attribute(device(selected_device), Api::shared_bytes)),
        "cannot give a kernel shared memory");
    check_vendor(api_, api_.load_now(kernel), "cannot load a kernel of weft's");
    made.kernels[at] = kernel;
    return kernel;
  }

 private:
  static constexpr std::array kernel_names{"weft_lines_single", "weft_lines_double"};
  struct Made {
    std::optional<typename Api::Context> context;
    bool has_module = false;
    typename Api::Module module{};
    std::array<typename Api::Kernel, kernel_names.size()> kernels{};
  };

  void load(typename Api::Module& module) const {
    const auto result = api_.load_module(&module, Api::code());
    if (result != Api::success)
      throw Error(Error::system,
                  fmt::format("{}: cannot load weft's kernels for device {}: {}", Api::name,
                              selected_device, api_.text_of(result)),
                  fmt::format("-D{}=..., when weft is built, says for which devices they are",
                              Api::architectures));
  }

  static inline thread_local int selected_device = 0;

  const Api& api_;
  std::mutex mutex_;
  std::vector<Made> devices_;
};

}  // namespace weft
