! weft: distributed FFTs of fields spread over the memories of many processes. The module for Fortran 2018.
! Keeps: the first index is contiguous, indices are global and count from 1, and axis 1 is the one that r2c halves.
!
!     weft_plan        a transform, ready to run          weft_ticket    a transform under way
!     weft_field       memory that a node's ranks share   weft_ensemble  many transforms at once
!     weft_reshape     moves a grid of any elements       weft_halo      fills ghost points
!
! Procedures that can fail have `stat` and `errmsg`, as statements of Fortran do; without `stat`, an error ends the program. What
! is collective fails on all ranks alike. It calls the interface for C, <weft/weft.h>. docs/fortran.md has examples.
module weft
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use weft_choices, only: weft_entry, weft_engines, weft_exchanges, weft_settings
  use weft_ensembles, only: weft_ensemble, weft_policy, weft_automatic, weft_all_ranks, weft_subsets, weft_mixed, weft_chosen
  use weft_errors, only: weft_last_error, weft_status_name, weft_version, weft_ok, weft_invalid, weft_mismatch, weft_unsupported, &
      weft_io, weft_system, weft_bug, weft_callback_failed
  use weft_fields, only: weft_field
  use weft_moves, only: weft_reshape, weft_halo
  use weft_plans, only: weft_plan, weft_bytes, weft_stage, weft_item, weft_report, weft_allocate, weft_deallocate, weft_input, &
      weft_output, weft_forward, weft_backward
  use weft_problems, only: weft_problem, weft_distribution, weft_cutoff, weft_grid, weft_rank_of_piece, &
      weft_next_fast_length, weft_free, weft_same, weft_slab, weft_pencil, weft_brick, weft_boxes, weft_parts, &
      weft_fourier, weft_dct1, weft_dct2, weft_dct3, weft_dct4, weft_dst1, weft_dst2, weft_dst3, weft_dst4, weft_chebyshev, &
      weft_chebyshev_gauss
  use weft_tickets, only: weft_ticket, weft_callback, weft_progress
  implicit none
  public
end module weft
