// memory/allocator: memory for containers of the application's.

#include "weft/allocator.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <vector>

using namespace weft;

namespace {

using Complex = std::complex<double>;
template <class T>
using Vector = std::vector<T, Allocator<T>>;

std::uintptr_t address(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

}  // namespace

TEST(Allocator, aligns_to_cache_lines_and_large_arrays_to_huge_pages) {
  for (const std::size_t elements : {1, 3, 64, 1000, 1 << 14})
    EXPECT_EQ(address(Vector<Complex>(elements).data()) % 64, 0U) << elements;
  constexpr std::size_t half_a_mib = 1 << 19, huge_page = 1 << 21;
  for (const std::size_t bytes : {half_a_mib, huge_page, 5 * huge_page + 24})
    EXPECT_EQ(address(Vector<char>(bytes).data()) % huge_page, 0U) << bytes;
}

TEST(Allocator, has_the_memory_that_was_asked_for) {
  for (const std::size_t bytes : {1, 63, 64, 65, (1 << 19) - 1, (1 << 21) + 1}) {
    void* const memory = allocate_bytes(bytes);
    std::memset(memory, 7, bytes);  // the address sanitizer sees more than there is
    EXPECT_EQ(static_cast<char*>(memory)[bytes - 1], 7);
    free_bytes(memory);
  }
}

TEST(Allocator, gives_addresses_to_arrays_of_no_elements) {
  void *const one = allocate_bytes(0), *const other = allocate_bytes(0);
  EXPECT_NE(one, nullptr);
  EXPECT_NE(one, other);
  free_bytes(one);
  free_bytes(other);
  free_bytes(nullptr);
  Allocator<double> allocator;
  double* const none = allocator.allocate(0);
  EXPECT_NE(none, nullptr);
  allocator.deallocate(none, 0);
  EXPECT_TRUE(Vector<double>().empty());
}

TEST(Allocator, refuses_more_elements_than_a_number_of_bytes_holds) {
  Allocator<Complex> allocator;
  EXPECT_THROW(static_cast<void>(allocator.allocate(most / sizeof(Complex) + 1)),
               std::bad_array_new_length);
  EXPECT_THROW(static_cast<void>(allocator.allocate(most)), std::bad_array_new_length);
}

TEST(Allocator, throws_bad_alloc_where_there_is_not_so_much_memory) {
  EXPECT_THROW(allocate_bytes(most), std::bad_alloc);
  EXPECT_THROW(allocate_bytes(most / 2), std::bad_alloc);
  try {
    static_cast<void>(Allocator<Complex>().allocate(most / sizeof(Complex)));
    ADD_FAILURE() << "no such memory exists";
  } catch (const std::bad_array_new_length&) {
    ADD_FAILURE() << "so many bytes are a number";
  } catch (const std::bad_alloc&) {
  }
}

TEST(Allocator, is_rebound_by_containers_of_nodes) {
  std::list<int, Allocator<int>> list{1, 2, 3};
  list.push_back(4);
  EXPECT_EQ(list.back(), 4);
  std::map<int, double, std::less<>, Allocator<std::pair<const int, double>>> squares;
  for (int i = 0; i < 100; ++i) squares[i] = i * i;
  EXPECT_EQ(squares.at(9), 81);
  using Rebound = std::allocator_traits<Allocator<int>>::rebind_alloc<Complex>;
  EXPECT_TRUE((std::is_same_v<Rebound, Allocator<Complex>>));
}

TEST(Allocator, is_equal_to_all_others_so_that_arrays_move) {
  EXPECT_EQ(Allocator<int>(), Allocator<int>());
  EXPECT_TRUE(Allocator<int>() == Allocator<Complex>());
  EXPECT_FALSE(Allocator<int>() != Allocator<Complex>());
  EXPECT_TRUE(std::allocator_traits<Allocator<int>>::is_always_equal::value);
  Vector<double> from(1000, 2.5), to;
  const double* const data = from.data();
  to = std::move(from);
  EXPECT_EQ(to.data(), data);
  EXPECT_EQ(to[999], 2.5);
}
