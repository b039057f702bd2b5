// networks/machine_presets: the table of presets.

#include "weft/networks/machine_presets.hpp"

namespace weft {

namespace {

MachineModel blue_gene_l() {
  MachineModel machine;
  machine.name = "blue-gene-l";
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

MachineModel two_hosts() {
  MachineModel machine;
  machine.name = "two-hosts-1g";
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

const std::vector<MachinePreset>& machine_presets() {
  static const std::vector<MachinePreset> all{
      {"nodes of 16 cores with a link of 100 Gbit/s to one switch: an example, all of whose "
       "numbers are estimates",
       cluster_100g()},
      {"512 nodes of Blue Gene/L: links of Chan, Balaji, Gropp and Thakur (2008); memory, "
       "transforms and messages are estimates",
       blue_gene_l()},
      {"Shaheen II, a Cray XC40: shape and wire of Aseeri et al. (2021); memory, transforms and "
       "messages are estimates",
       shaheen_ii()},
      {"two hosts with one core each and links of 1 Gbit/s, of which MPI uses 117 MB/s; all other "
       "numbers are estimates",
       two_hosts()},
  };
  return all;
}

}  // namespace weft
