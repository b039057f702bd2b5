// Error.h: a message that ends the program: Error() << "what happened";
#ifndef WEFT_SWFFT_ERROR_H
#define WEFT_SWFFT_ERROR_H

#include <mpi.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace hacc {

class Error {
 public:
  Error() {}
  ~Error() {
    std::cerr << "ERROR: " << text_.str() << std::endl;
    int is_initialized = 0;
    MPI_Initialized(&is_initialized);
    if (is_initialized) MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
  }
  template <typename T>
  Error& operator<<(const T& what) {
    text_ << what;
    return *this;
  }

 private:
  std::ostringstream text_;
};

}  // namespace hacc

#endif
