// fuzz/parsers/replay: gives every file of a corpus to its parser, without a fuzzer.
//     weft_parsers CORPUS      the folder with a folder for each target

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fuzz/parsers/targets.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: weft_parsers CORPUS\n");
    return 2;
  }
  int poor = 0;
  for (const weft::fuzz::Target& target : weft::fuzz::targets()) {
    int files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(argv[1]) / target.name)) {
      std::ifstream file(entry.path(), std::ios::binary);
      std::stringstream text;
      text << file.rdbuf();
      target.run(text.str());
      ++files;
    }
    std::printf("parsers: %-8s %d files\n", target.name, files);
    if (files < 10) ++poor;
  }
  return poor > 0 ? 1 : 0;
}
