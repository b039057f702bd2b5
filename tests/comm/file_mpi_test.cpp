// comm/file: boxes of a global array, written by some ranks and read by others.

#include "weft/comm/file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

#include "weft/base/ensure.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"

namespace weft {
namespace {

// An empty file that all ranks know and that no other test uses, which rank 0 makes and removes.
class SharedPath {
 public:
  explicit SharedPath(const Communicator& comm, const std::string& ending = "")
      : comm_(comm),
        path_(comm.broadcast(
            fmt::format("{}/weft-file-{}{}.bin", ::testing::TempDir(), getpid(), ending), 0)) {
    if (comm.rank() == 0) std::ofstream(path_).flush();
    comm.barrier();
  }
  ~SharedPath() {
    comm_.barrier();
    if (comm_.rank() == 0) unlink(path_.c_str());
  }
  const std::string& text() const { return path_; }

 private:
  const Communicator& comm_;
  std::string path_;
};

std::byte value_at(std::int64_t byte) { return static_cast<std::byte>(byte * 37 % 251); }

// Consecutive parts in memory, with gaps of `gap` elements between rows.
struct Memory {
  std::vector<FilePart> parts;
  std::vector<std::byte> bytes;

  Memory(const std::vector<Box>& boxes, std::int64_t gap, std::int64_t element_bytes) {
    std::int64_t elements = 0;
    for (const Box& box : boxes) {
      Dims room = box.extents();
      room.back() += gap;
      parts.push_back({box, Layout::padded(box.extents(), room), elements});
      elements += volume(room);
    }
    bytes.assign(static_cast<std::size_t>(elements * element_bytes), std::byte{0xee});
  }

  // Calls visit(byte in memory, byte of the array) for all bytes of all points.
  template <class Visit>
  void for_each_byte(const FileArray& array, const Visit& visit) {
    const Layout whole = Layout::packed(array.extents);
    for (const FilePart& part : parts) {
      Dims at = Dims::filled(part.box.axes(), 0);
      for (std::int64_t left = part.box.volume(); left > 0; --left) {
        const std::int64_t mine = part.offset + part.layout.at(at);
        const std::int64_t global = whole.at(part.box.lo) + whole.at(at);
        for (std::int64_t b = 0; b < array.element_bytes; ++b)
          visit(bytes[static_cast<std::size_t>(mine * array.element_bytes + b)],
                global * array.element_bytes + b);
        for (int a = at.size() - 1; a >= 0; --a) {
          if (++at[a] < part.box.extent(a)) break;
          at[a] = 0;
        }
      }
    }
  }
};

// Every second plane in two boxes, last first: boxes of a rank interleave with those of others.
std::vector<Box> interleaved(const Extents& extents, int rank, int size) {
  std::vector<Box> boxes;
  for (std::int64_t i = extents[0] - 1; i >= 0; --i) {
    if (i % size != rank) continue;
    Box left = Box::whole(extents), right = left;
    left.set(0, {i, i + 1});
    right.set(0, {i, i + 1});
    left.hi[1] = right.lo[1] = 2;
    boxes.push_back(right);
    boxes.push_back(left);
  }
  return boxes;
}

// Slices of the last axis, which have the smallest runs in the file; the last ranks may have none.
std::vector<Box> slices(const Extents& extents, int rank) {
  Box box = Box::whole(extents);
  box.set(2, {rank, rank + 1});
  return rank < extents[2] ? std::vector<Box>{box} : std::vector<Box>{};
}

TEST(File, reads_what_was_written_with_other_boxes) {
  const Communicator comm(MPI_COMM_WORLD);
  const Extents extents{5, 7, 12};
  for (const std::int64_t element_bytes : {4, 8, 16}) {
    for (const std::int64_t call_bytes : {std::int64_t{1} << 29, std::int64_t{40}}) {
      const SharedPath path(comm);
      const FileArray array{13, extents, element_bytes};
      Memory mine(interleaved(extents, comm.rank(), comm.size()), 1, element_bytes);
      mine.for_each_byte(array, [](std::byte& byte, std::int64_t at) { byte = value_at(at); });
      {
        File file(comm, path.text(), File::writing);
        file.call_bytes = call_bytes;
        file.write(array, mine.parts, mine.bytes.data());
        file.close();
      }
      std::vector<Box> wanted = slices(extents, comm.rank());
      if (comm.rank() == 0)
        for (int rank = comm.size(); rank < extents[2]; ++rank)
          wanted.push_back(slices(extents, rank).front());
      Memory theirs(wanted, 3, element_bytes);
      File file(comm, path.text(), File::reading);
      EXPECT_EQ(file.size_bytes(), 13 + 5 * 7 * 12 * element_bytes);
      file.call_bytes = call_bytes;
      file.read(array, theirs.parts, theirs.bytes.data());
      std::int64_t wrong = 0, read = 0;
      theirs.for_each_byte(array, [&](std::byte& byte, std::int64_t at) {
        wrong += byte == value_at(at) ? 0 : 1;
        byte = std::byte{0xee};
        ++read;
      });
      EXPECT_EQ(wrong, 0) << "of " << read;
      for (const std::byte byte : theirs.bytes) ASSERT_EQ(byte, std::byte{0xee}) << "between rows";
    }
  }
}

TEST(File, that_does_not_exist_is_the_same_error_on_all_ranks) {
  const Communicator comm(MPI_COMM_WORLD);
  try {
    const File file(comm, "no-such-folder/x.bin", File::reading);
    FAIL() << "it was opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Error::io);
    EXPECT_NE(error.message().find("cannot open 'no-such-folder/x.bin': "), std::string::npos)
        << error.message();
  }
}

TEST(File, is_written_only_where_there_is_one_and_not_through_links) {
  const Communicator comm(MPI_COMM_WORLD);
  const SharedPath path(comm);
  const std::string link = path.text() + "-link";
  if (comm.rank() == 0) {
    ASSERT_EQ(symlink(path.text().c_str(), link.c_str()), 0);
  }
  comm.barrier();
  EXPECT_NO_THROW(File(comm, link, File::reading));
  for (const std::string& name : {path.text() + "-missing", link}) {
    const Error refused = error_of([&] { File(comm, name, File::writing); }).value();
    EXPECT_EQ(refused.code(), Error::io) << name;
    EXPECT_NE(access((path.text() + "-missing").c_str(), F_OK), 0);
  }
  comm.barrier();
  if (comm.rank() == 0) unlink(link.c_str());
}

TEST(File, that_only_some_ranks_can_open_is_an_error_on_all_ranks) {
  const Communicator comm(MPI_COMM_WORLD);
  if (comm.size() == 1) return;
  const SharedPath path(comm);
  if (comm.rank() == 0) std::ofstream(path.text()) << "some bytes";
  comm.barrier();
  const bool is_last = comm.rank() == comm.size() - 1;
  for (const File::Mode mode : {File::reading, File::writing}) {
    const Error missing =
        error_of([&] { File(comm, is_last ? "no-such-folder/x.bin" : path.text(), mode); }).value();
    EXPECT_EQ(missing.code(), Error::io);
    EXPECT_NE(missing.message().find(fmt::format("(on rank {})", comm.size() - 1)),
              std::string::npos)
        << missing.message();
  }
  const SharedPath other(comm, "-other");
  if (comm.rank() == 0) std::ofstream(other.text()) << "more bytes than there";
  comm.barrier();
  const Error differs =
      error_of([&] { File(comm, is_last ? other.text() : path.text(), File::reading); }).value();
  EXPECT_EQ(differs.code(), Error::mismatch);
  EXPECT_NE(differs.message().find(
                fmt::format("has 21 bytes on rank {}, but 10 bytes on rank 0", comm.size() - 1)),
            std::string::npos)
      << differs.message();
}

TEST(File, that_ends_early_is_an_error_on_all_ranks) {
  const Communicator comm(MPI_COMM_WORLD);
  const SharedPath path(comm);
  if (comm.rank() == 0) std::ofstream(path.text()) << "too short";
  comm.barrier();
  const FileArray array{0, {5, 7, 12}, 8};
  Memory mine(slices(array.extents, comm.rank()), 0, 8);
  File file(comm, path.text(), File::reading);
  EXPECT_THROW(file.read(array, mine.parts, mine.bytes.data()), Error);
}

}  // namespace
}  // namespace weft
