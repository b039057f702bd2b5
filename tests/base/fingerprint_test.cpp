// base/fingerprint: the published values of FNV-1a.

#include "weft/base/fingerprint.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace weft;

namespace {

std::int64_t bits(std::uint64_t value) { return static_cast<std::int64_t>(value); }

}  // namespace

TEST(Fingerprint, is_the_published_hash_and_the_length) {
  EXPECT_EQ(fingerprint(""), (Fingerprint{bits(0x6c62272e07bb0142), bits(0x62b821756295c58d), 0}));
  EXPECT_EQ(fingerprint("a"), (Fingerprint{bits(0xd228cb696f1a8caf), bits(0x78912b704e4a8964), 1}));
  EXPECT_EQ(fingerprint("foobar"),
            (Fingerprint{bits(0x343e1662793c64bf), bits(0x6f0d3597ba446f18), 6}));
}

TEST(Fingerprint, tells_texts_apart_that_differ_a_little) {
  std::set<Fingerprint> found;
  for (int x = 0; x < 64; ++x)
    for (int y = 0; y < 64; ++y)
      found.insert(fingerprint(std::to_string(x) + "x" + std::to_string(y) + " over 12 ranks"));
  EXPECT_EQ(found.size(), 64U * 64U);
}
