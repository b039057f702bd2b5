// support/file_tree: a made-up tree of files in a folder of its own.
// Keeps: the folder is deleted with the object.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace weft::test {

class FileTree {
 public:
  /// Paths below the root, and what is in the files.
  explicit FileTree(const std::map<std::string, std::string>& files) {
    std::string name = (std::filesystem::temp_directory_path() / "weft_tree_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::filesystem::filesystem_error(name, {});
    root_ = name;
    for (const auto& [path, text] : files) {
      std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
      std::ofstream(root_ + path) << text;
    }
  }
  FileTree(const FileTree&) = delete;
  FileTree& operator=(const FileTree&) = delete;
  ~FileTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

}  // namespace weft::test
