// cli/interruption: what the program leaves behind when it is interrupted: no temporary file.
#pragma once

namespace weft::cli {

/// From now on, a signal that ends the program first removes the temporary file that weft writes.
void remove_files_when_interrupted();

}  // namespace weft::cli
