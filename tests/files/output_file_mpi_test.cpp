// files/output_file: a file that all ranks write, and that nobody else can read before it is
// complete.

#include "weft/files/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "weft/comm/agreement.hpp"
#include "weft/comm/file.hpp"
#include "weft/comm/mpi_comm.hpp"

using namespace weft;
using namespace weft;

namespace {

constexpr mode_t no_file = 0;

mode_t mode_of(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0 ? about.st_mode & 0777 : no_file;
}

// A name that all ranks know and that no other test uses; rank 0 removes the file.
class SharedName {
 public:
  explicit SharedName(const Communicator& comm)
      : comm_(comm),
        path_(comm.broadcast(fmt::format("{}/weft-output-{}", testing::TempDir(), getpid()), 0)) {}
  ~SharedName() {
    comm_.barrier();
    if (comm_.rank() == 0) unlink(path_.c_str());
  }
  const std::string& text() const { return path_; }

 private:
  const Communicator& comm_;
  std::string path_;
};

}  // namespace

TEST(OutputFile, that_replaces_a_private_file_is_private_from_the_beginning) {
  const Communicator comm(MPI_COMM_WORLD);
  const SharedName path(comm);
  if (comm.rank() == 0) {
    std::ofstream(path.text()) << "older";
    ASSERT_EQ(chmod(path.text().c_str(), 0640), 0);
  }
  comm.barrier();
  const std::int64_t numbers = comm.size(), bytes = 8 * numbers;
  OutputFile output(comm, path.text(), "head", 4 + bytes);
  const std::string temporary = output.temporary_path();
  EXPECT_EQ(mode_of(temporary), 0600U);
  File file(comm, temporary, File::writing);
  const double mine = comm.rank();
  file.write({4, {numbers}, 8}, {{{{comm.rank()}, {comm.rank() + 1}}, Layout::packed({1}), 0}},
             &mine);
  file.close();
  EXPECT_EQ(mode_of(temporary), 0600U);
  EXPECT_EQ(mode_of(path.text()), 0640U);
  comm.barrier();
  output.publish();
  EXPECT_EQ(mode_of(path.text()), 0640U);
  EXPECT_EQ(mode_of(temporary), no_file);
  std::ostringstream text;
  text << std::ifstream(path.text()).rdbuf();
  EXPECT_EQ(text.str().size(), static_cast<std::size_t>(4 + bytes));
  EXPECT_EQ(text.str().substr(0, 4), "head");
}

TEST(OutputFile, that_is_not_published_leaves_nothing) {
  const Communicator comm(MPI_COMM_WORLD);
  const SharedName path(comm);
  std::string temporary;
  {
    OutputFile output(comm, path.text(), "", 1);
    temporary = output.temporary_path();
    EXPECT_EQ(mode_of(temporary), 0600U);
    comm.barrier();
  }
  comm.barrier();
  EXPECT_EQ(mode_of(temporary), no_file);
  EXPECT_EQ(mode_of(path.text()), no_file);
}
