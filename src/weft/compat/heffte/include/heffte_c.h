/* heffte_c: heFFTe's interface for C, here over weft. Complex numbers are two reals, as those of
   <complex.h>. Making, running and destroying a plan is collective. */
#ifndef HEFFTE_C_H
#define HEFFTE_C_H

#include <mpi.h>

#include "heffte_c_defines.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The options of a plan for which none are given. 1: there is no such backend. */
int heffte_set_default_options(int backend, heffte_plan_options* options);

/* A plan for this rank's boxes: first and last indices along three axes, which may be none, and the
   axes, the contiguous one first (NULL: 0, 1, 2). With _r2c, the spectrum has n/2 + 1 of the n
   points along an axis. Options may be NULL. `comm` may be freed afterwards. 1: there is no such
   backend; 2: boxes that are no grid, or what weft refuses, which standard error tells. */
int heffte_plan_create(int backend, int const inbox_low[3], int const inbox_high[3],
                       int const* inbox_order, int const outbox_low[3], int const outbox_high[3],
                       int const* outbox_order, MPI_Comm const comm,
                       heffte_plan_options const* options, heffte_plan* plan);
int heffte_plan_create_r2c(int backend, int const inbox_low[3], int const inbox_high[3],
                           int const* inbox_order, int const outbox_low[3],
                           int const outbox_high[3], int const* outbox_order, int r2c_direction,
                           MPI_Comm const comm, heffte_plan_options const* options,
                           heffte_plan* plan);
/* Frees a plan. 3: it is none. */
int heffte_plan_destroy(heffte_plan plan);

/* Points of this rank's boxes, the complex numbers of a workspace, and what the plan was made as.
 */
int heffte_size_inbox(heffte_plan const plan);
int heffte_size_outbox(heffte_plan const plan);
int heffte_size_workspace(heffte_plan const plan);
int heffte_get_backend(heffte_plan const plan);
int heffte_is_r2c(heffte_plan const plan);

/* Transforms; the letters are the types of input and output: s and d for real numbers, c and z for
   complex ones, of single and double precision. A plan made with _r2c has s2c, d2z, c2s and z2d.
   What cannot be done ends the program with a message, as there is no status. */
void heffte_forward_s2c(heffte_plan const plan, float const* input, void* output, int scale);
void heffte_forward_c2c(heffte_plan const plan, void const* input, void* output, int scale);
void heffte_forward_d2z(heffte_plan const plan, double const* input, void* output, int scale);
void heffte_forward_z2z(heffte_plan const plan, void const* input, void* output, int scale);
void heffte_backward_c2s(heffte_plan const plan, void const* input, float* output, int scale);
void heffte_backward_c2c(heffte_plan const plan, void const* input, void* output, int scale);
void heffte_backward_z2d(heffte_plan const plan, void const* input, double* output, int scale);
void heffte_backward_z2z(heffte_plan const plan, void const* input, void* output, int scale);

/* The same with a workspace of the user's. */
void heffte_forward_s2c_buffered(heffte_plan const plan, float const* input, void* output,
                                 void* workspace, int scale);
void heffte_forward_c2c_buffered(heffte_plan const plan, void const* input, void* output,
                                 void* workspace, int scale);
void heffte_forward_d2z_buffered(heffte_plan const plan, double const* input, void* output,
                                 void* workspace, int scale);
void heffte_forward_z2z_buffered(heffte_plan const plan, void const* input, void* output,
                                 void* workspace, int scale);
void heffte_backward_c2s_buffered(heffte_plan const plan, void const* input, float* output,
                                  void* workspace, int scale);
void heffte_backward_c2c_buffered(heffte_plan const plan, void const* input, void* output,
                                  void* workspace, int scale);
void heffte_backward_z2d_buffered(heffte_plan const plan, void const* input, double* output,
                                  void* workspace, int scale);
void heffte_backward_z2z_buffered(heffte_plan const plan, void const* input, void* output,
                                  void* workspace, int scale);

#ifdef __cplusplus
}
#endif

#endif
