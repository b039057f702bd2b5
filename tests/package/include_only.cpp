// tests/package/include_only: the least a user's program can be; used until there is
// examples/hello.cpp.
#include <weft/weft.hpp>

int main() { return 0; }
