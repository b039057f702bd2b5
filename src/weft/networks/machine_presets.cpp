// networks/machine_presets: the table of presets.

#include "weft/networks/machine_presets.hpp"

#include <algorithm>

namespace weft {

namespace {

MachineModel blue_gene_l() {
  MachineModel machine;
  machine.name = "blue-gene-l";
  machine.source =
      "512 nodes of Blue Gene/L: links of Chan, Balaji, Gropp and Thakur (2008); memory, "
      "transforms "
      "and messages are estimates";
  machine.cores_per_node = 2;
  machine.cache_bytes_per_core = std::int64_t{32} << 10;
  machine.shared_cache_bytes_per_node = std::int64_t{4} << 20;
  machine.memory_bytes_per_second = {1.8e9, 3e9};
  machine.transforms = {{64, 20e-9}, {512, 30e-9}};
  machine.message_seconds = 3e-6;
  Torus torus;
  torus.extents = {8, 8, 8};
  torus.link = {175e6, 1e-7};
  machine.network = torus;
  return machine;
}

MachineModel shaheen_ii() {
  MachineModel machine;
  machine.name = "shaheen-ii";
  machine.source =
      "Shaheen II, a Cray XC40: shape and wire of Aseeri et al. (2021); memory, transforms and "
      "messages are estimates";
  machine.ranks_per_node = machine.cores_per_node = 32;
  machine.cache_bytes_per_core = std::int64_t{256} << 10;
  machine.shared_cache_bytes_per_node = std::int64_t{80} << 20;
  machine.memory_bytes_per_second = {12e9, 24e9, 36e9, 48e9, 60e9, 72e9, 84e9, 96e9, 105e9, 110e9};
  machine.transforms = {{64, 1e-9}, {512, 1.5e-9}, {4096, 2.2e-9}};
  Dragonfly dragonfly;
  dragonfly.groups = 18;
  dragonfly.chassis = 6;
  dragonfly.routers = 16;
  dragonfly.nodes = 4;
  dragonfly.link = {14e9, 1e-7};
  dragonfly.chassis_links = 3;
  dragonfly.group_links = 4;
  machine.network = dragonfly;
  return machine;
}

// What 1, 2, ... cores have: each `of_core`, until these are all that a node has.
std::vector<double> memory_of_cores(double of_core, double of_node) {
  std::vector<double> all;
  for (int cores = 1; all.empty() || all.back() < of_node; ++cores)
    all.push_back(std::min(cores * of_core, of_node));
  return all;
}

// What passes and copies reach of the bandwidth in a specification: a choice.
constexpr double reached_share = 0.8;

// A node has four network cards of 200 Gbit/s, which are on different switches; here they are links
// to one. A group has 73 others there, to each of which it has four links.
MachineModel frontier() {
  MachineModel machine;
  machine.name = "frontier";
  machine.source =
      "32 of the 74 groups of Frontier, an HPE Cray EX with Slingshot: network of Atchley et al. "
      "(2023), latency of a switch of De Sensi et al. (2020), nodes and devices by specification, "
      "of whose bandwidths of memory and bus four fifths; transforms and messages are estimates";
  machine.ranks_per_node = 8;
  machine.cores_per_node = 64;
  machine.cache_bytes_per_core = std::int64_t{512} << 10;
  machine.shared_cache_bytes_per_node = std::int64_t{256} << 20;
  machine.memory_bytes_per_second = memory_of_cores(20e9, reached_share * 205e9);
  machine.transforms = {{64, 0.9e-9}, {256, 1e-9}, {512, 1.2e-9}, {4096, 2e-9}};
  machine.message_seconds = 1e-6;
  Dragonfly dragonfly;
  dragonfly.groups = 32;
  dragonfly.routers = 32;
  dragonfly.nodes = 4;
  dragonfly.node_links = 4;
  dragonfly.group_links = 4;
  dragonfly.link = {25e9, 3.5e-7};
  machine.network = dragonfly;
  machine.devices = {8, std::int64_t{64} << 30, reached_share * 1.6e12, reached_share * 36e9};
  return machine;
}

// A leaf switch has 18 links of 200 Gbit/s to six core switches; here they are two links of 100
// Gbit/s each, to core switches of their own.
MachineModel frontera() {
  MachineModel machine;
  machine.name = "frontera";
  machine.source =
      "Frontera, a fat tree of InfiniBand HDR100: network and nodes of TACC's user guide, four "
      "fifths of the bandwidth of memory; latency, transforms and messages are estimates";
  machine.ranks_per_node = machine.cores_per_node = 56;
  machine.cache_bytes_per_core = std::int64_t{1} << 20;
  machine.shared_cache_bytes_per_node = std::int64_t{77} << 20;
  machine.memory_bytes_per_second = memory_of_cores(12e9, reached_share * 281e9);
  machine.transforms = {{64, 0.9e-9}, {256, 1e-9}, {512, 1.2e-9}, {4096, 2e-9}};
  machine.message_seconds = 1e-6;
  FatTree tree;
  tree.below = {44, 182};
  tree.above = {1, 36};
  tree.parallel = {1, 1};
  tree.link = {12.5e9, 2e-7};
  machine.network = tree;
  return machine;
}

// Each of the eight network cards of a node is on a leaf switch of its own, and these have as many
// links up as down; here, the eight are one link, and the leaf switches of a unit are one.
MachineModel dgx_h100() {
  MachineModel machine;
  machine.name = "dgx-h100-superpod";
  machine.source =
      "four units of 32 DGX H100 on a fat tree of InfiniBand NDR: NVIDIA's reference architecture "
      "RA-11333 (2023), four fifths of the bandwidths of memory, devices and bus; latency, "
      "transforms and messages are estimates";
  machine.ranks_per_node = 8;
  machine.cores_per_node = 112;
  machine.cache_bytes_per_core = std::int64_t{2} << 20;
  machine.shared_cache_bytes_per_node = std::int64_t{210} << 20;
  machine.memory_bytes_per_second = memory_of_cores(15e9, reached_share * 614e9);
  machine.transforms = {{64, 0.9e-9}, {256, 1e-9}, {512, 1.2e-9}, {4096, 2e-9}};
  machine.message_seconds = 1e-6;
  FatTree tree;
  tree.below = {32, 4};
  tree.above = {1, 32};
  tree.parallel = {1, 1};
  tree.link = {8 * 50e9, 2e-7};
  machine.network = tree;
  machine.devices = {8, std::int64_t{80'000'000'000}, reached_share * 3.35e12,
                     reached_share * 63e9};
  return machine;
}

MachineModel two_hosts() {
  MachineModel machine;
  machine.name = "two-hosts-1g";
  machine.source =
      "two hosts with one core each and links of 1 Gbit/s, of which MPI uses 117 MB/s; all other "
      "numbers are estimates";
  machine.ranks_per_node = machine.cores_per_node = 1;
  machine.memory_bytes_per_second = {18e9};
  machine.transforms = {{64, 0.9e-9}, {256, 1e-9}, {512, 1.2e-9}};
  machine.message_seconds = 2e-5;
  Crossbar crossbar;
  crossbar.nodes = 2;
  crossbar.link = {117e6, 3e-5};
  machine.network = crossbar;
  return machine;
}

}  // namespace

const std::vector<MachineModel>& machine_presets() {
  static const std::vector<MachineModel> all{
      cluster_100g(), blue_gene_l(), shaheen_ii(), frontier(), frontera(), dgx_h100(), two_hosts()};
  return all;
}

}  // namespace weft
