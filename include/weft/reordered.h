// weft/reordered: numbers the ranks of a communicator anew, so that few messages share a link of
// the network. The interface for C.
// Floor: public.
//
// It is in the library `weft::machines` (-lweft_machines), which programs link beside `weft::weft`.
#ifndef WEFT_REORDERED_H
#define WEFT_REORDERED_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

// A network, and where this process is in it.
typedef struct weft_network {
  size_t size;          // sizeof(weft_network)
  const char* machine;  // a machine file, which rank 0 reads, or the name of one (docs/machines.md)
  int node;             // that this process runs on, from 0; the same for all processes of a node
  int64_t swaps;        // of the search at most; 0: as many as take some seconds; -1: none
} weft_network;
// Set to zero, and the size: `weft_network_init(&network, sizeof network)`.
weft_status weft_network_init(weft_network* network, size_t size);

// New numbers, and what is predicted of them.
typedef struct weft_reordered {
  size_t size;           // sizeof(weft_reordered), set before the call
  MPI_Comm comm;         // the same processes; the application frees it with MPI_Comm_free
  const char* order;     // what the order is called: launched, morton, ...
  const char* strategy;  // that it was chosen for, as the setting `strategy` takes it
  double seconds_before, seconds;  // predicted for a transform, in the old order and in the new one
} weft_reordered;

// Gives the processes of `comm` the order of ranks in which transforms of the problem are predicted
// to take the least time; no process moves. Problem and settings are those of weft_plan_create.
// Each node must have equally many processes, which keep their order. The texts stay until the next
// call on this thread. Collective: the same status on all ranks.
weft_status weft_reorder(MPI_Comm comm, const weft_problem* problem, const char* settings,
                         const weft_network* network, weft_reordered* reordered);

#ifdef __cplusplus
}
#endif

#endif
