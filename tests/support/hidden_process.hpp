// support/hidden_process: makes this process one whose memory the others of its node cannot map.
#pragma once

#include <sys/prctl.h>
#include <unistd.h>

namespace weft::test {

/// While it lives, this process denies access to its memory, as processes do that change their
/// user. Root may access everything, so root is another user meanwhile.
class HiddenProcess {
 public:
  explicit HiddenProcess(bool hides) : hides_(hides), is_root_(geteuid() == 0) {
    if (!hides_) return;
    if (is_root_) is_hidden_ = seteuid(nobody) == 0;
    is_hidden_ = prctl(PR_SET_DUMPABLE, 0) == 0 && (is_hidden_ || !is_root_);
  }
  HiddenProcess(const HiddenProcess&) = delete;
  HiddenProcess& operator=(const HiddenProcess&) = delete;
  ~HiddenProcess() {
    if (!hides_) return;
    if (is_root_ && seteuid(0) != 0) _exit(3);
    prctl(PR_SET_DUMPABLE, 1);
  }
  /// Whether that was possible, where it was asked for.
  bool is_done() const { return is_hidden_ || !hides_; }

 private:
  static constexpr uid_t nobody = 65534;
  bool hides_, is_root_, is_hidden_ = false;
};

}  // namespace weft::test
