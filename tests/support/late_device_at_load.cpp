// support/late_device_at_load: puts the late device into the table of drivers of a module that
// Python loads, which has no main().

void use_late_device();

namespace {

[[maybe_unused]] const bool is_in_use = (use_late_device(), true);

}  // namespace
