// capi/live: which handles there are. Keeps: a handle that was freed, or is one of something else,
// is an error, and its memory is not touched.
#pragma once

namespace weft::capi {

/// Counts the object at `handle` among those that there are, as one of the type `type`; or not any
/// more. Threads may call these functions at the same time.
void enlist(const void* handle, const char* type);
void strike_out(const void* handle) noexcept;

/// Error::invalid, which calls it `what`, unless there is an object of this type at `handle`. A
/// handle that was freed passes if a new object of its type has been given the same memory.
void require_live(const void* handle, const char* type, const char* what);

/// The base of what the handles of C point to.
template <class Object>
class Handle {
 public:
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

 protected:
  Handle() { enlist(static_cast<const Object*>(this), Object::handle_type); }
  ~Handle() { strike_out(static_cast<const Object*>(this)); }
};

}  // namespace weft::capi
