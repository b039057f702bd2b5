// weft: distributed FFTs of fields spread over the memories of many processes. The interface for C.
// Floor: public.
//
//     weft_plan        a transform, ready to run          weft_ticket    a transform under way
//     weft_field       this rank's share of a field       weft_ensemble  many transforms at once
//     weft_reshape     moves a grid of any elements       weft_halo      fills ghost points
//
// A plan is created of a weft_problem, which says what is computed, and of settings, a text such as
// "effort=estimate; threads=2", which say how. Structures begin with their size, and what is zero
// has its default:
//
//     weft_problem problem = {.size = sizeof problem, .axes = 3, .extents = {512, 512, 512},
//                             .kind = WEFT_R2C};
//     weft_plan* plan = NULL;
//     if (weft_plan_create(MPI_COMM_WORLD, &problem, "effort=estimate", &plan) != WEFT_OK)
//       fprintf(stderr, "%s\n", weft_last_error());
//
// A program that was compiled with an older header runs with a newer library: structures and
// settings only grow.
//
// Status: functions return WEFT_OK or what went wrong, and never end the program. weft_last_error()
// tells the rest. Collective functions return the same on every rank.
//
// Memory: what a function of the name ..._create makes, the function ..._free of the same object
// frees, and sets its handle to NULL; it does nothing with a NULL. A handle must not be used after
// that. What is read out of an object - names, parts, waves - is the object's, and lives as long.
//
// Threads: weft may be called on the threads that MPI allows to call it. With MPI_THREAD_MULTIPLE,
// several threads may create plans and transform at the same time, as long as each object is used
// by one thread at a time, and objects that are created at the same time have different
// communicators. Any threads may create and run plans of weft_plan_create_alone at the same time.
//
// Axes and order: axes count from 0, and indices from 0; boxes are half-open. The last axis is
// contiguous in memory, unless a distribution says otherwise.
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define WEFT_AS_INT : int
extern "C" {
#else
#define WEFT_AS_INT
#endif

// ---- errors ----

// What a call comes to.
typedef enum weft_status WEFT_AS_INT {
  WEFT_OK = 0,
  WEFT_INVALID = 1,      // the input is wrong, whoever looks at it
  WEFT_MISMATCH = 2,     // ranks disagree
  WEFT_UNSUPPORTED = 3,  // right, but this build or machine cannot do it
  WEFT_IO = 4,           // a file could not be read or written
  WEFT_SYSTEM = 5,       // MPI, memory or an FFT library failed
  WEFT_BUG = 6,          // weft itself is wrong
  WEFT_CALLBACK = 7      // a function of the application's failed
} weft_status;

// What went wrong in the last call on this thread that did not return WEFT_OK: what happened, with
// the numbers, what weft was doing, and what to try. Empty if no call has failed. The text stays
// until the next failure on this thread.
const char* weft_last_error(void);

// "invalid", "mismatch" and so on; "unknown" for other numbers.
const char* weft_status_name(int status);

// The version of the library: "0.1.0".
const char* weft_version(void);

// ---- what is computed ----

// The most axes of a field.
#define WEFT_MOST_AXES 8

// The element types of input and output.
typedef enum weft_kind WEFT_AS_INT {
  WEFT_C2C = 0,  // complex to complex
  WEFT_R2C = 1,  // real to complex: the last of the Fourier axes is halved, n -> n/2+1
  WEFT_C2R = 2,  // complex to real: r2c run the other way round
  WEFT_R2R = 3   // real to real: every transformed axis has a sine, cosine or Chebyshev basis
} weft_kind;

// The precision of the real numbers that a field is made of.
typedef enum weft_precision WEFT_AS_INT { WEFT_DOUBLE = 0, WEFT_SINGLE = 1 } weft_precision;

// Which direction divides by the number of points N, as in NumPy.
typedef enum weft_norm WEFT_AS_INT {
  WEFT_NORM_BACKWARD = 0,  // the way back divides by N
  WEFT_NORM_ORTHO = 1,     // both divide by the square root of N
  WEFT_NORM_FORWARD = 2,   // the way forward divides by N
  WEFT_NORM_NONE = 3       // neither
} weft_norm;

// What is computed along an axis: the sine and cosine transforms are those of scipy.fft.
typedef enum weft_basis WEFT_AS_INT {
  WEFT_FOURIER = 0,
  WEFT_DCT1 = 1,
  WEFT_DCT2 = 2,
  WEFT_DCT3 = 3,
  WEFT_DCT4 = 4,
  WEFT_DST1 = 5,
  WEFT_DST2 = 6,
  WEFT_DST3 = 7,
  WEFT_DST4 = 8,
  WEFT_CHEBYSHEV = 9,        // polynomials, by their values at the points cos(pi j/(n-1))
  WEFT_CHEBYSHEV_GAUSS = 10  // the same at cos(pi (2j+1)/2n)
} weft_basis;

// How a field is spread over the ranks.
typedef enum weft_form WEFT_AS_INT {
  WEFT_FREE = 0,    // the planner's choice; for an output: where the last pass leaves it
  WEFT_SAME = 1,    // output only: natural order, distributed as the input
  WEFT_SLAB = 2,    // axis 0 is divided
  WEFT_PENCIL = 3,  // axes 0 and 1 are divided, as `grid` if that is given
  WEFT_BRICK = 4,   // all axes are divided, as `grid` if that is given
  WEFT_BOXES = 5,   // as `boxes` say, which each rank gives for itself
  WEFT_PARTS = 6    // the same with `parts`: boxes, and where they lie in the rank's array
} weft_form;

// The half-open region [lo, hi) of the global grid.
typedef struct weft_box {
  int64_t lo[WEFT_MOST_AXES], hi[WEFT_MOST_AXES];
} weft_box;

// A box, and where it lies in an array: the point `at` is element
// offset + sum over the axes a of (at[a] - box.lo[a]) * strides[a].
typedef struct weft_part {
  weft_box box;
  int64_t offset;  // the element of its first point
  int64_t strides[WEFT_MOST_AXES];
} weft_part;

// Where a side of a plan lies. Of boxes and parts, each rank gives its own, several or none; weft
// gathers them, and they must tile the grid.
typedef struct weft_distribution {
  size_t size;  // sizeof(weft_distribution)
  weft_form form;
  int64_t grid[WEFT_MOST_AXES];  // pencil, brick: parts per divided axis; zeros: balanced
  int column_major;              // 1: the first axis is contiguous in memory, not the last one
  int order[WEFT_MOST_AXES];     // or any order of the axes, the slowest first; zeros: as numbered
  int64_t ghosts_before[WEFT_MOST_AXES], ghosts_after[WEFT_MOST_AXES];  // beside each box, per axis
  int interleaves_batch;  // 1: the fields of a batch are interleaved, value by value
  int64_t count;          // of boxes, or of parts
  const weft_box* boxes;
  const weft_part* parts;
  int64_t field_stride;    // parts: elements from a field of a batch to the next; 0: they follow
  int64_t array_elements;  // parts: elements of the rank's array; 0: up to the last point
} weft_distribution;

// A wave of a grid of three axes: how often it repeats along each of them, from -(n-1)/2 to
// (n-1)/2.
typedef struct weft_wave {
  int32_t k[3];
} weft_wave;

// Which waves of a spectrum of three axes are kept, as columns along one axis. See weft::Cutoff in
// docs/guide.md for which of a wave and its negative r2c keeps.
typedef struct weft_cutoff {
  size_t size;           // sizeof(weft_cutoff)
  int is_list;           // 0: the waves in a sphere; 1: the waves of a list
  double radius;         // sphere: waves k with |k0 v0 + k1 v1 + k2 v2| <= radius are kept
  double vectors[3][3];  // v0, v1 and v2; zeros: |k| <= radius
  int64_t wave_count;    // list: this rank's waves, in the order of its array; all of a column
  const weft_wave* waves;
  int has_column_axis;  // 1: columns run along `column_axis`; 0: along the slowest that can be
  int column_axis;
} weft_cutoff;

// The rank of `piece` of a process grid of grid[a] pieces along each of `axes` axes; the same on
// every rank. `data` is problem.rank_data.
typedef int (*weft_rank_of_piece)(int axes, const int64_t* grid, const int64_t* piece, void* data);

// A transform of a field of `extents` real-space points. What is zero has its default.
typedef struct weft_problem {
  size_t size;  // sizeof(weft_problem)
  int axes;     // 1 to 8
  int64_t extents[WEFT_MOST_AXES];
  weft_kind kind;
  weft_precision precision;
  weft_norm norm;
  int in_place;                      // 1: the output may take the input's memory
  int64_t batch;                     // fields in one plan; 0: one
  weft_basis bases[WEFT_MOST_AXES];  // of each axis
  const int* transformed;            // axes that are transformed; NULL: all
  int transformed_count;             // 0 with a list: none, the field is only moved
  int64_t modes[WEFT_MOST_AXES];     // coefficients that are kept along each axis; zeros: all
  const weft_cutoff* cutoff;         // or only the waves in a sphere or of a list; NULL: all
  const weft_box* support;           // the part of real space that arrays hold; NULL: all
  const weft_distribution *input, *output;  // NULL: free
  weft_rank_of_piece rank_of;               // where pieces are computed; NULL: piece i on rank i
  int pieces;                               // of each process grid; 0: one for every rank
  void* rank_data;
  // A cudaStream_t or hipStream_t of the application, where a device computes; NULL: weft's own.
  // It must outlive the plan. See Options::stream in weft/options.hpp.
  void* stream;
} weft_problem;

// Set all to zero, and the size: `weft_problem_init(&problem, sizeof problem)`. The same as
// `weft_problem problem = {.size = sizeof problem}`.
weft_status weft_problem_init(weft_problem* problem, size_t size);
weft_status weft_distribution_init(weft_distribution* distribution, size_t size);
weft_status weft_cutoff_init(weft_cutoff* cutoff, size_t size);

// The smallest number of points, `at_least` so many, along which transforms are fast.
weft_status weft_next_fast_length(int64_t at_least, weft_basis basis, int64_t* points);

// ---- what there is to choose from ----

// An entry of a list of weft's, whose texts stay as long as the library.
typedef struct weft_entry {
  const char *name, *summary;
  const char* note;  // see the functions below; NULL: none
} weft_entry;
// What the setting `engine` names, in order of preference: FFT libraries, and then kinds of
// devices. Note: why this build, processor or machine does not have it.
weft_status weft_engines(int* count, const weft_entry** entries);
// The ways to move data that the setting `exchange` names, the preferred first. No notes: whether
// one applies depends on the problem and on the machine, and creating a plan tells.
weft_status weft_exchanges(int* count, const weft_entry** entries);
// All settings: first those that say problems, then those that say how to plan. Note: what to
// write for the value, as "AxB".
weft_status weft_settings(int* count, const weft_entry** entries);

// ---- plans ----

typedef struct weft_plan weft_plan;

// The two sides of a plan, and its two directions.
typedef enum weft_side WEFT_AS_INT { WEFT_INPUT = 0, WEFT_OUTPUT = 1 } weft_side;
typedef enum weft_direction WEFT_AS_INT { WEFT_FORWARD = 0, WEFT_BACKWARD = 1 } weft_direction;

// Plans `problem` over the ranks of `comm`, which is duplicated. Collective. `settings` say how, as
// docs/c.md lists: "effort=tune; chunks=4"; NULL or "": all by default. If `problem` is NULL, they
// say it, too: "extents=512x512x512; kind=r2c; output=same; effort=estimate".
weft_status weft_plan_create(MPI_Comm comm, const weft_problem* problem, const char* settings,
                             weft_plan** plan);
// The same for this process alone, without MPI, which need not be initialised. Not collective.
weft_status weft_plan_create_alone(const weft_problem* problem, const char* settings,
                                   weft_plan** plan);
// Waits for transforms under way. Collective; after MPI_Finalize it frees memory only.
weft_status weft_plan_free(weft_plan** plan);

// What this rank has of a side of a plan, and how it lies in memory: parts, or waves with a
// cut-off. Fields of a batch are field_stride elements apart.
typedef struct weft_share {
  size_t size;  // sizeof(weft_share), set before the call
  int axes;
  int is_complex;
  weft_precision precision;
  int64_t extents[WEFT_MOST_AXES];  // of the whole grid on this side
  int64_t elements;                 // that an array needs, the whole batch included
  int64_t fields;                   // of the batch
  int64_t field_stride;
  int64_t count;  // of parts
  const weft_part* parts;
  int64_t wave_count;
  const weft_wave* waves;  // of each element of a field
} weft_share;

weft_status weft_plan_share(const weft_plan* plan, weft_side side, weft_share* share);
// Elements that an array of this side needs on this rank.
weft_status weft_plan_elements(const weft_plan* plan, weft_side side, int64_t* elements);

// A point of a share: its index in the global grid, or its wave, and its element in the array of
// the first field. Starts zeroed:
//
//     for (weft_point p = {0}; weft_next_point(&share, &p);) u[p.element] = f(p.at[0], p.at[1]);
typedef struct weft_point {
  int64_t at[WEFT_MOST_AXES];
  int64_t element;
  int64_t number;  // of points so far
  int64_t part;    // of share.parts
} weft_point;

// Goes on to the first or the next point, in memory order of each part where the last axis is
// contiguous. 0 past the last.
int weft_next_point(const weft_share* share, weft_point* point);

// The wavenumbers of an axis of a spectrum, by global index: see weft_wavenumber.
typedef struct weft_wavenumbers {
  int64_t points;  // of the axis in real space
  int is_halved;   // whether r2c halves it
} weft_wavenumbers;

// The wavenumbers are those of the spectrum: the output, or the input of c2r. Negative axes count
// from the end.
weft_status weft_plan_wavenumbers(const weft_plan* plan, int axis, weft_wavenumbers* numbers);

// 0, 1, 2, ... and then the negative ones up to -1; on a halved axis 0 to n/2.
static inline int64_t weft_wavenumber(weft_wavenumbers of, int64_t index) {
  return of.is_halved || index < (of.points + 1) / 2 ? index : index - of.points;
}
// Whether the wave alternates from point to point, which has no odd derivative: n/2 of an even n.
static inline int weft_is_nyquist(weft_wavenumbers of, int64_t index) {
  return of.points % 2 == 0 && index == of.points / 2;
}

// The rank of this process among the plan's, and their communicator, which stays weft's;
// MPI_COMM_NULL if the plan is of this process alone.
weft_status weft_plan_rank(const weft_plan* plan, int* rank);
weft_status weft_plan_comm(const weft_plan* plan, MPI_Comm* comm);
// Threads that run the transform on this rank.
weft_status weft_plan_threads(const weft_plan* plan, int* threads);
// How much weft_plan_describe tells.
typedef enum weft_detail WEFT_AS_INT {
  WEFT_DETAIL_SUMMARY = 0,  // at most six lines: what a user wants to know after making a plan
  WEFT_DETAIL_ALL = 1       // all stages, predictions and races
} weft_detail;

// The FFT library that computes; the strategy in a line, as the setting `strategy` takes it; and
// the plan in words. The text of each is the plan's, and stays until the next call of the same
// function for the plan.
weft_status weft_plan_engine(const weft_plan* plan, const char** name);
weft_status weft_plan_strategy(const weft_plan* plan, const char** text);
weft_status weft_plan_describe(const weft_plan* plan, weft_detail detail, const char** text);

// Bytes of this rank. Input and output are one array each as forward takes and makes them; in place
// the output is 0.
typedef struct weft_bytes {
  int64_t input, output, buffers, stand_ins, tiles, programs;
} weft_bytes;
// What a plan was expected to need before any of it was allocated, and what it holds now.
typedef struct weft_memory {
  size_t size;  // sizeof(weft_memory), set before the call
  weft_bytes planned, held;
} weft_memory;
weft_status weft_plan_memory(const weft_plan* plan, weft_memory* memory);

// What a stage did in the last run in one direction, on this rank: a pass, or an exchange.
typedef struct weft_stage {
  size_t size;            // sizeof(weft_stage), set before the call
  const char* name;       // as describe calls it; the plan's, until the next such call
  int is_exchange;        // or a pass
  int segments;           // that the message between a pair of nodes is cut into, at most
  double start;           // on the steady clock, in seconds
  double seconds;         // that it took
  double active_seconds;  // of an exchange: from the first message to the last
  int64_t bytes;          // sent to other ranks
  int64_t messages;       // sent to other nodes
  int64_t message_bytes;  // of these
  int passes;             // of the strategy that run as this one; 0 for an exchange
  int axis_count;         // of the axes that a pass transforms, in this order; 0 for an exchange
  int axes[WEFT_MOST_AXES + 1];  // a long axis that two passes transform is there twice
  int grid_axes;  // of the next; 0 where the data are in boxes, and where the strategy
                  // sees a long axis as two
  int64_t grid[WEFT_MOST_AXES];  // pieces of each axis of the field when the stage is over
  const char* exchange;          // its name, or "" of a pass; kept as long as name
} weft_stage;
weft_status weft_plan_stage_count(const weft_plan* plan, weft_direction direction, int* count);
weft_status weft_plan_stage(const weft_plan* plan, weft_direction direction, int number,
                            weft_stage* stage);

// Who waits for what an item of work stores, the most urgent first.
typedef enum weft_feeds WEFT_AS_INT {
  WEFT_FEEDS_OTHER_NODES = 0,  // ranks of other nodes
  WEFT_FEEDS_RING = 1,         // ranks of this node that may store the next cell of a ring then
  WEFT_FEEDS_THIS_NODE = 2,    // other ranks of this node
  WEFT_FEEDS_NOBODY = 3        // no other rank
} weft_feeds;
// Tiles of a pass that this rank computed together.
typedef struct weft_item {
  weft_feeds feeds;
  double start, seconds;  // when it began, on the steady clock, and how long it took
} weft_item;
// The items of a stage in its last run, in the order in which they ran; none of an exchange. They
// are the plan's, until the next such call.
weft_status weft_plan_items(const weft_plan* plan, weft_direction direction, int number,
                            int64_t* count, const weft_item** items);

// Who takes transforms further while the application does something else.
typedef enum weft_progress_by WEFT_AS_INT {
  WEFT_BY_CALLS = 0,  // only weft's own calls
  WEFT_BY_TILES = 1,  // these, and between the tiles of a pass
  WEFT_BY_THREAD = 2  // these, and a thread of weft's own
} weft_progress_by;
// What a plan is, and the machine that it was made for: the one that is here, except for what
// settings say. The same on all ranks, but for the runs.
typedef struct weft_report {
  size_t size;  // sizeof(weft_report), set before the call
  weft_progress_by progress;
  int is_remembered;  // whether tuning had found the strategy before
  int64_t runs[2];    // that were started on this rank: runs[WEFT_FORWARD], runs[WEFT_BACKWARD]
  int ranks, nodes;
  const int *node_of_rank, *threads_of_rank;  // by rank; the plan's, until the next such call
  int64_t cache_bytes;                        // a core's own cache, which holds a tile
  int64_t shared_cache_bytes;                 // a rank's part of the caches that cores share
  int64_t eager_message_bytes;  // MPI is taken to send smaller messages without asking the receiver
  int64_t segment_bytes;        // messages between nodes are cut into no smaller segments
  const char* device;  // this rank's, by number, name and bus; "" where processors compute; kept
                       // as node_of_rank is
  int64_t copied_bytes[2];  // between device and processor, in the last run of each direction
} weft_report;
weft_status weft_plan_report(const weft_plan* plan, weft_report* report);

// ---- transforms ----

typedef struct weft_ticket weft_ticket;

// Transforms `from` into `to`, and returns when that is done. Collective. The arrays are any memory
// of weft_plan_elements() elements, laid out as the shares say. `from` is left as it is; of a plan
// in place, both may be the same array. All results are multiplied by `scale`, beside the norm; 1
// changes no bit.
// The input of forward, which is the output of backward, is the plan's input side.
weft_status weft_forward(weft_plan* plan, const void* from, void* to, double scale);
weft_status weft_backward(weft_plan* plan, const void* from, void* to, double scale);
// Starts the same, and returns at once, with a ticket to wait for. The n-th start of a plan is the
// same on all ranks. Until it has ended, `from` must not be changed, and `to` not be touched. The
// setting `in_flight` says how many can be under way at the same time.
weft_status weft_start_forward(weft_plan* plan, const void* from, void* to, double scale,
                               weft_ticket** ticket);
weft_status weft_start_backward(weft_plan* plan, const void* from, void* to, double scale,
                                weft_ticket** ticket);

// Arrays with their numbers of elements, which are checked on all ranks before the first is
// touched: WEFT_INVALID if there are too few. WEFT_UNCHECKED elements: nobody knows how many there
// are. WEFT_ANOTHER_TYPE or WEFT_NOT_CONTIGUOUS: the array cannot be used, as another language
// knows, and all ranks are told so.
#define WEFT_UNCHECKED (-1)
#define WEFT_ANOTHER_TYPE (-2)
#define WEFT_NOT_CONTIGUOUS (-3)
typedef struct weft_source {
  const void* data;
  int64_t elements;
} weft_source;
typedef struct weft_target {
  void* data;
  int64_t elements;
} weft_target;
weft_status weft_run(weft_plan* plan, weft_direction direction, weft_source from, weft_target to,
                     double scale);
weft_status weft_start(weft_plan* plan, weft_direction direction, weft_source from, weft_target to,
                       double scale, weft_ticket** ticket);

// Returns when the transform has ended, and frees the ticket: its handle becomes NULL. A NULL in
// the handle is a transform that has ended. The error that ended the transform is returned here, or
// else WEFT_CALLBACK if a callback failed. The other ranks must take it further, too, in calls of
// weft's.
weft_status weft_wait(weft_ticket** ticket);
// Takes all transforms a step further, and tells whether this one has ended: then it does as
// weft_wait. Not collective.
weft_status weft_test(weft_ticket** ticket, int* has_ended);
// Takes all started transforms of plans with a communicator further. Tells whether there was
// anything to do; `did` may be NULL. Not collective.
weft_status weft_progress(int* did);

// A function to call once when a transform has ended without an error; it returns 0 if all is well.
// It may start other transforms and wait for them.
typedef int (*weft_callback)(void* data);
// Calls `callback` when the transform has ended, in the call of weft's that notices it; at once if
// it has ended already.
weft_status weft_then(weft_ticket* ticket, weft_callback callback, void* data);

// Memory of `bytes` bytes for an array of the application's, whose contents are not defined:
// aligned to a cache line, and with huge pages where it is large.
weft_status weft_allocate(int64_t bytes, void** memory);
weft_status weft_deallocate(void** memory);

// The kinds of memory that arrays can be in. A plan on a device takes arrays of any kind, works on
// those in device and managed memory where they are, and copies others in each run.
typedef enum weft_memory_kind WEFT_AS_INT {
  WEFT_MEMORY_HOST = 0,        // memory of the processor that a device has not been told of
  WEFT_MEMORY_REGISTERED = 1,  // memory of the processor that a device copies at full speed
  WEFT_MEMORY_MANAGED = 2,     // memory that the driver moves to where it is used
  WEFT_MEMORY_DEVICE = 3       // memory of a device, which the processor cannot touch
} weft_memory_kind;
// Copies between memory of any kinds, and returns when the bytes are there. What the application
// has enqueued in streams is not waited for. Not collective.
weft_status weft_copy(const void* from, void* to, int64_t bytes);

// ---- fields ----

// Memory that the other ranks of a node can work on, which saves them a copy.
typedef struct weft_field weft_field;

// A zeroed field for a side of `plan`, which may be freed before it. Not collective.
weft_status weft_field_create(const weft_plan* plan, weft_side side, weft_field** field);
// The same in memory of this kind; another one than WEFT_MEMORY_HOST is for plans on devices, whose
// fields are in registered memory if nothing is said.
weft_status weft_field_create_in(const weft_plan* plan, weft_side side, weft_memory_kind kind,
                                 weft_field** field);
weft_status weft_field_kind(const weft_field* field, weft_memory_kind* kind);
// The memory of `input`, a field of a plan in place, seen as the output.
weft_status weft_field_view(const weft_plan* plan, const weft_field* input, weft_field** field);
weft_status weft_field_free(weft_field** field);

// The elements of the first field, in memory of its kind; NULL, with an error, if `field` is NULL.
void* weft_field_data(weft_field* field);
// What it holds, and how; `share` is filled as weft_plan_share does.
weft_status weft_field_share(const weft_field* field, weft_share* share);

// Transform fields; WEFT_INVALID on all ranks if one does not hold what the plan takes or makes.
weft_status weft_run_fields(weft_plan* plan, weft_direction direction, const weft_field* from,
                            weft_field* to, double scale);
weft_status weft_start_fields(weft_plan* plan, weft_direction direction, const weft_field* from,
                              weft_field* to, double scale, weft_ticket** ticket);

// The largest |a|, and |a - b|, of field `number` of the batch over all ranks. Collective.
weft_status weft_max_abs(const weft_field* a, int64_t number, double* most);
weft_status weft_max_abs_difference(const weft_field* a, const weft_field* b, int64_t number,
                                    double* most);
// Replaces Chebyshev coefficients along `axis` by those of the derivative, on the interval from -1
// to 1. The axis must not be divided. Not collective.
weft_status weft_differentiate_chebyshev(weft_field* coefficients, int axis, int64_t number);

// ---- ensembles ----

typedef struct weft_ensemble weft_ensemble;

// How the ranks are shared out among the instances of an ensemble.
typedef enum weft_policy_form WEFT_AS_INT {
  WEFT_AUTOMATIC = 0,  // whichever of the next three is predicted to be fastest
  WEFT_ALL_RANKS = 1,  // every instance is spread over all ranks
  WEFT_SUBSETS = 2,    // the nodes are shared out evenly
  WEFT_MIXED = 3,      // as many as share the nodes out evenly on subsets, the others on all ranks
  WEFT_CHOSEN = 4      // as `ranks` say
} weft_policy_form;
typedef struct weft_policy {
  size_t size;  // sizeof(weft_policy)
  weft_policy_form form;
  const int* rank_counts;  // chosen: of each instance
  const int* ranks;        // chosen: those of the first instance, then of the second, and so on
} weft_policy;
weft_status weft_policy_init(weft_policy* policy, size_t size);

// Plans an instance of each of `count` problems. Collective. `policy` NULL: automatic.
weft_status weft_ensemble_create(MPI_Comm comm, int count, const weft_problem* const* problems,
                                 const weft_policy* policy, const char* settings,
                                 weft_ensemble** ensemble);
weft_status weft_ensemble_free(weft_ensemble** ensemble);
// The policy, or the one that automatic chose.
weft_status weft_ensemble_form(const weft_ensemble* ensemble, weft_policy_form* form);
// The ranks of an instance, ascending; the same on every rank.
weft_status weft_ensemble_ranks(const weft_ensemble* ensemble, int instance, int* count,
                                const int** ranks);
// The plan of an instance, which stays the ensemble's; NULL if this rank is not one of its ranks.
weft_status weft_ensemble_plan(weft_ensemble* ensemble, int instance, weft_plan** plan);

// ---- moving only ----

// A grid of elements of any size that is a multiple of 4 bytes.
typedef struct weft_grid {
  size_t size;  // sizeof(weft_grid)
  int axes;
  int64_t extents[WEFT_MOST_AXES];
  int64_t element_bytes;
  int64_t alignment;               // of elements, in bytes: 4 or 8; 0: 8
  int is_bounded[WEFT_MOST_AXES];  // halos: 1 where nothing is beyond the ends of the axis
  int is_in_place;                 // reshapes: 1 if both sides may be one array, which has room for
                                   // the larger one; runs take two arrays as well
} weft_grid;
weft_status weft_grid_init(weft_grid* grid, size_t size);

typedef struct weft_reshape weft_reshape;

// Prepares to move a grid from one distribution to another, neither free nor `same`. Collective.
weft_status weft_reshape_create(MPI_Comm comm, const weft_grid* grid, const weft_distribution* from,
                                const weft_distribution* to, const char* settings,
                                weft_reshape** reshape);
weft_status weft_reshape_free(weft_reshape** reshape);
// What this rank has on each side, in elements; parts say where.
weft_status weft_reshape_share(const weft_reshape* reshape, weft_side side, weft_share* share);
// Moves there, or back; or starts to. Collective.
weft_status weft_reshape_run(weft_reshape* reshape, weft_direction direction, weft_source from,
                             weft_target to);
weft_status weft_reshape_start(weft_reshape* reshape, weft_direction direction, weft_source from,
                               weft_target to, weft_ticket** ticket);
// What moves the data, which stays the reshape's: it tells its strategy, memory and stages.
weft_status weft_reshape_plan(weft_reshape* reshape, weft_plan** plan);

typedef struct weft_halo weft_halo;

// Prepares to fill the ghost points around the boxes of `distribution`. Axes are periodic unless
// the grid says otherwise. Collective.
weft_status weft_halo_create(MPI_Comm comm, const weft_grid* grid,
                             const weft_distribution* distribution, const char* settings,
                             weft_halo** halo);
weft_status weft_halo_free(weft_halo** halo);
// This rank's boxes without ghost points, where they lie, and how many elements an array has, ghost
// points included.
weft_status weft_halo_share(const weft_halo* halo, weft_share* share);
// Gives the ghost points of `array` the values that these points have on the ranks that own them;
// or starts to. Collective.
weft_status weft_halo_run(weft_halo* halo, weft_target array);
weft_status weft_halo_start(weft_halo* halo, weft_target array, weft_ticket** ticket);
weft_status weft_halo_plan(weft_halo* halo, weft_plan** plan);

// ---- Fortran ----

// The same with a communicator as Fortran's integer, for Fortran and for languages that have no
// MPI_Comm.
weft_status weft_plan_create_f(MPI_Fint comm, const weft_problem* problem, const char* settings,
                               weft_plan** plan);
weft_status weft_ensemble_create_f(MPI_Fint comm, int count, const weft_problem* const* problems,
                                   const weft_policy* policy, const char* settings,
                                   weft_ensemble** ensemble);
weft_status weft_reshape_create_f(MPI_Fint comm, const weft_grid* grid,
                                  const weft_distribution* from, const weft_distribution* to,
                                  const char* settings, weft_reshape** reshape);
weft_status weft_halo_create_f(MPI_Fint comm, const weft_grid* grid,
                               const weft_distribution* distribution, const char* settings,
                               weft_halo** halo);
weft_status weft_plan_comm_f(const weft_plan* plan, MPI_Fint* comm);
// Whatever is created next on this thread is WEFT_INVALID on all ranks, for this reason: something
// was asked for that the structures cannot say.
weft_status weft_refuse(const char* why);

#ifdef __cplusplus
}
#endif

#endif
