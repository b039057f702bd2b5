! weft_c: the structures and functions of weft's interface for C, as Fortran sees them: see <weft/weft.h> for what they do.
! Keeps: the members of C, in their order. Axes and indices are C's: they count from 0, and the last axis is contiguous.
module weft_c
  use, intrinsic :: iso_c_binding
  implicit none
  public

  integer, parameter :: most_axes = 8
  integer(c_int), parameter :: forwards = 0, backwards = 1
  !> In the place of a number of elements: why an array cannot be given, which all ranks are told.
  integer(c_int64_t), parameter :: another_type = -2, not_contiguous = -3

  type, bind(C) :: c_box
    integer(c_int64_t) :: lo(most_axes) = 0, hi(most_axes) = 0
  end type c_box

  type, bind(C) :: c_part
    type(c_box) :: box
    integer(c_int64_t) :: offset = 0, strides(most_axes) = 0
  end type c_part

  type, bind(C) :: c_distribution
    integer(c_size_t) :: size = 0
    integer(c_int) :: form = 0
    integer(c_int64_t) :: grid(most_axes) = 0
    integer(c_int) :: column_major = 0, order(most_axes) = 0
    integer(c_int64_t) :: ghosts_before(most_axes) = 0, ghosts_after(most_axes) = 0
    integer(c_int) :: interleaves_batch = 0
    integer(c_int64_t) :: count = 0
    type(c_ptr) :: boxes = c_null_ptr, parts = c_null_ptr
    integer(c_int64_t) :: field_stride = 0, array_elements = 0
  end type c_distribution

  type, bind(C) :: c_cutoff
    integer(c_size_t) :: size = 0
    integer(c_int) :: is_list = 0
    real(c_double) :: radius = 0, vectors(3, 3) = 0
    integer(c_int64_t) :: wave_count = 0
    type(c_ptr) :: waves = c_null_ptr
    integer(c_int) :: has_column_axis = 0, column_axis = 0
  end type c_cutoff

  type, bind(C) :: c_problem
    integer(c_size_t) :: size = 0
    integer(c_int) :: axes = 0
    integer(c_int64_t) :: extents(most_axes) = 0
    integer(c_int) :: kind = 0, precision = 0, norm = 0, in_place = 0
    integer(c_int64_t) :: batch = 0
    integer(c_int) :: bases(most_axes) = 0
    type(c_ptr) :: transformed = c_null_ptr
    integer(c_int) :: transformed_count = 0
    integer(c_int64_t) :: modes(most_axes) = 0
    type(c_ptr) :: cutoff = c_null_ptr, support = c_null_ptr, input = c_null_ptr, output = c_null_ptr
    type(c_funptr) :: rank_of = c_null_funptr
    integer(c_int) :: pieces = 0
    type(c_ptr) :: rank_data = c_null_ptr, stream = c_null_ptr
  end type c_problem

  type, bind(C) :: c_share
    integer(c_size_t) :: size = 0
    integer(c_int) :: axes = 0, is_complex = 0, precision = 0
    integer(c_int64_t) :: extents(most_axes) = 0, elements = 0, fields = 0, field_stride = 0, count = 0
    type(c_ptr) :: parts = c_null_ptr
    integer(c_int64_t) :: wave_count = 0
    type(c_ptr) :: waves = c_null_ptr
  end type c_share

  type, bind(C) :: c_wavenumbers
    integer(c_int64_t) :: points = 0
    integer(c_int) :: is_halved = 0
  end type c_wavenumbers

  ! weft_bytes of C.
  type, bind(C) :: c_bytes
    integer(c_int64_t) :: input = 0, output = 0, buffers = 0, stand_ins = 0, tiles = 0, programs = 0
  end type c_bytes

  type, bind(C) :: c_memory
    integer(c_size_t) :: size = 0
    type(c_bytes) :: planned, held
  end type c_memory

  type, bind(C) :: c_stage
    integer(c_size_t) :: size = 0
    type(c_ptr) :: name = c_null_ptr
    integer(c_int) :: is_exchange = 0, segments = 0
    real(c_double) :: start = 0, seconds = 0, active_seconds = 0
    integer(c_int64_t) :: bytes = 0, messages = 0, message_bytes = 0
    integer(c_int) :: passes = 0, axis_count = 0, axes(most_axes + 1) = 0, grid_axes = 0
    integer(c_int64_t) :: grid(most_axes) = 0
    type(c_ptr) :: exchange = c_null_ptr
  end type c_stage

  type, bind(C) :: c_item
    integer(c_int) :: feeds = 0
    real(c_double) :: start = 0, seconds = 0
  end type c_item

  type, bind(C) :: c_report
    integer(c_size_t) :: size = 0
    integer(c_int) :: progress = 0, is_remembered = 0
    integer(c_int64_t) :: runs(2) = 0
    integer(c_int) :: ranks = 0, nodes = 0
    type(c_ptr) :: node_of_rank = c_null_ptr, threads_of_rank = c_null_ptr
    integer(c_int64_t) :: cache_bytes = 0, shared_cache_bytes = 0, eager_message_bytes = 0, segment_bytes = 0
    type(c_ptr) :: device = c_null_ptr
    integer(c_int64_t) :: copied_bytes(2) = 0
  end type c_report

  type, bind(C) :: c_entry
    type(c_ptr) :: name = c_null_ptr, summary = c_null_ptr, note = c_null_ptr
  end type c_entry

  type, bind(C) :: c_policy
    integer(c_size_t) :: size = 0
    integer(c_int) :: form = 0
    type(c_ptr) :: rank_counts = c_null_ptr, ranks = c_null_ptr
  end type c_policy

  type, bind(C) :: c_grid
    integer(c_size_t) :: size = 0
    integer(c_int) :: axes = 0
    integer(c_int64_t) :: extents(most_axes) = 0, element_bytes = 0, alignment = 0
    integer(c_int) :: is_bounded(most_axes) = 0, is_in_place = 0
  end type c_grid

  ! weft_source and weft_target of C.
  type, bind(C) :: c_array
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: elements = 0
  end type c_array

  interface
    function c_last_error() bind(C, name='weft_last_error') result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function c_last_error
    function c_version() bind(C, name='weft_version') result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function c_version
    function c_status_name(status) bind(C, name='weft_status_name') result(text)
      import :: c_int, c_ptr
      integer(c_int), value :: status
      type(c_ptr) :: text
    end function c_status_name
    function c_strlen(text) bind(C, name='strlen') result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function c_strlen
    function c_field_data(field) bind(C, name='weft_field_data') result(memory)
      import :: c_ptr
      type(c_ptr), value :: field
      type(c_ptr) :: memory
    end function c_field_data
    function c_refuse(why) bind(C, name='weft_refuse') result(status)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: why(*)
      integer(c_int) :: status
    end function c_refuse
    function c_next_fast_length(at_least, basis, points) bind(C, name='weft_next_fast_length') result(status)
      import :: c_int, c_int64_t
      integer(c_int64_t), value :: at_least
      integer(c_int), value :: basis
      integer(c_int64_t), intent(out) :: points
      integer(c_int) :: status
    end function c_next_fast_length
    function c_plan_create(comm, problem, settings, plan) bind(C, name='weft_plan_create_f') result(status)
      import :: c_int, c_problem, c_char, c_ptr
      integer(c_int), value :: comm
      type(c_problem), intent(in) :: problem
      character(kind=c_char), intent(in) :: settings(*)
      type(c_ptr), intent(out) :: plan
      integer(c_int) :: status
    end function c_plan_create
    function c_plan_create_alone(problem, settings, plan) bind(C, name='weft_plan_create_alone') result(status)
      import :: c_int, c_problem, c_char, c_ptr
      type(c_problem), intent(in) :: problem
      character(kind=c_char), intent(in) :: settings(*)
      type(c_ptr), intent(out) :: plan
      integer(c_int) :: status
    end function c_plan_create_alone
    function c_plan_free(plan) bind(C, name='weft_plan_free') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: plan
      integer(c_int) :: status
    end function c_plan_free
    function c_plan_share(plan, side, share) bind(C, name='weft_plan_share') result(status)
      import :: c_int, c_ptr, c_share
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      type(c_share), intent(inout) :: share
      integer(c_int) :: status
    end function c_plan_share
    function c_plan_wavenumbers(plan, axis, numbers) bind(C, name='weft_plan_wavenumbers') result(status)
      import :: c_int, c_ptr, c_wavenumbers
      type(c_ptr), value :: plan
      integer(c_int), value :: axis
      type(c_wavenumbers), intent(out) :: numbers
      integer(c_int) :: status
    end function c_plan_wavenumbers
    function c_plan_describe(plan, detail, text) bind(C, name='weft_plan_describe') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      integer(c_int), value :: detail
      type(c_ptr), intent(out) :: text
      integer(c_int) :: status
    end function c_plan_describe
    function c_plan_strategy(plan, text) bind(C, name='weft_plan_strategy') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      type(c_ptr), intent(out) :: text
      integer(c_int) :: status
    end function c_plan_strategy
    function c_plan_engine(plan, text) bind(C, name='weft_plan_engine') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      type(c_ptr), intent(out) :: text
      integer(c_int) :: status
    end function c_plan_engine
    function c_plan_rank(plan, rank) bind(C, name='weft_plan_rank') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: rank
      integer(c_int) :: status
    end function c_plan_rank
    function c_plan_threads(plan, threads) bind(C, name='weft_plan_threads') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: threads
      integer(c_int) :: status
    end function c_plan_threads
    function c_plan_comm(plan, comm) bind(C, name='weft_plan_comm_f') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: comm
      integer(c_int) :: status
    end function c_plan_comm
    function c_plan_memory(plan, memory) bind(C, name='weft_plan_memory') result(status)
      import :: c_int, c_ptr, c_memory
      type(c_ptr), value :: plan
      type(c_memory), intent(inout) :: memory
      integer(c_int) :: status
    end function c_plan_memory
    function c_plan_stage_count(plan, direction, count) bind(C, name='weft_plan_stage_count') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      integer(c_int), intent(out) :: count
      integer(c_int) :: status
    end function c_plan_stage_count
    function c_plan_stage(plan, direction, number, stage) bind(C, name='weft_plan_stage') result(status)
      import :: c_int, c_ptr, c_stage
      type(c_ptr), value :: plan
      integer(c_int), value :: direction, number
      type(c_stage), intent(inout) :: stage
      integer(c_int) :: status
    end function c_plan_stage
    function c_plan_items(plan, direction, number, count, items) bind(C, name='weft_plan_items') result(status)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: plan
      integer(c_int), value :: direction, number
      integer(c_int64_t), intent(out) :: count
      type(c_ptr), intent(out) :: items
      integer(c_int) :: status
    end function c_plan_items
    function c_plan_report(plan, report) bind(C, name='weft_plan_report') result(status)
      import :: c_int, c_ptr, c_report
      type(c_ptr), value :: plan
      type(c_report), intent(inout) :: report
      integer(c_int) :: status
    end function c_plan_report
    function c_engines(count, entries) bind(C, name='weft_engines') result(status)
      import :: c_int, c_ptr
      integer(c_int), intent(out) :: count
      type(c_ptr), intent(out) :: entries
      integer(c_int) :: status
    end function c_engines
    function c_exchanges(count, entries) bind(C, name='weft_exchanges') result(status)
      import :: c_int, c_ptr
      integer(c_int), intent(out) :: count
      type(c_ptr), intent(out) :: entries
      integer(c_int) :: status
    end function c_exchanges
    function c_settings(count, entries) bind(C, name='weft_settings') result(status)
      import :: c_int, c_ptr
      integer(c_int), intent(out) :: count
      type(c_ptr), intent(out) :: entries
      integer(c_int) :: status
    end function c_settings
    function c_run(plan, direction, from, to, scale) bind(C, name='weft_run') result(status)
      import :: c_int, c_ptr, c_array, c_double
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(c_array), value :: from, to
      real(c_double), value :: scale
      integer(c_int) :: status
    end function c_run
    function c_start(plan, direction, from, to, scale, ticket) bind(C, name='weft_start') result(status)
      import :: c_int, c_ptr, c_array, c_double
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(c_array), value :: from, to
      real(c_double), value :: scale
      type(c_ptr), intent(out) :: ticket
      integer(c_int) :: status
    end function c_start
    function c_wait(ticket) bind(C, name='weft_wait') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: ticket
      integer(c_int) :: status
    end function c_wait
    function c_test(ticket, has_ended) bind(C, name='weft_test') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: ticket
      integer(c_int), intent(out) :: has_ended
      integer(c_int) :: status
    end function c_test
    function c_then(ticket, callback, data) bind(C, name='weft_then') result(status)
      import :: c_int, c_ptr, c_funptr
      type(c_ptr), value :: ticket
      type(c_funptr), value :: callback
      type(c_ptr), value :: data
      integer(c_int) :: status
    end function c_then
    function c_progress(did) bind(C, name='weft_progress') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: did
      integer(c_int) :: status
    end function c_progress
    function c_allocate(bytes, memory) bind(C, name='weft_allocate') result(status)
      import :: c_int, c_int64_t, c_ptr
      integer(c_int64_t), value :: bytes
      type(c_ptr), intent(out) :: memory
      integer(c_int) :: status
    end function c_allocate
    function c_deallocate(memory) bind(C, name='weft_deallocate') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: memory
      integer(c_int) :: status
    end function c_deallocate
    function c_field_create(plan, side, field) bind(C, name='weft_field_create') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      integer(c_int), value :: side
      type(c_ptr), intent(out) :: field
      integer(c_int) :: status
    end function c_field_create
    function c_field_view(plan, input, field) bind(C, name='weft_field_view') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan, input
      type(c_ptr), intent(out) :: field
      integer(c_int) :: status
    end function c_field_view
    function c_field_free(field) bind(C, name='weft_field_free') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: field
      integer(c_int) :: status
    end function c_field_free
    function c_field_share(field, share) bind(C, name='weft_field_share') result(status)
      import :: c_int, c_ptr, c_share
      type(c_ptr), value :: field
      type(c_share), intent(inout) :: share
      integer(c_int) :: status
    end function c_field_share
    function c_run_fields(plan, direction, from, to, scale) bind(C, name='weft_run_fields') result(status)
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(c_ptr), value :: from, to
      real(c_double), value :: scale
      integer(c_int) :: status
    end function c_run_fields
    function c_start_fields(plan, direction, from, to, scale, ticket) bind(C, name='weft_start_fields') result(status)
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: plan
      integer(c_int), value :: direction
      type(c_ptr), value :: from, to
      real(c_double), value :: scale
      type(c_ptr), intent(out) :: ticket
      integer(c_int) :: status
    end function c_start_fields
    function c_max_abs(a, number, most) bind(C, name='weft_max_abs') result(status)
      import :: c_int, c_ptr, c_int64_t, c_double
      type(c_ptr), value :: a
      integer(c_int64_t), value :: number
      real(c_double), intent(out) :: most
      integer(c_int) :: status
    end function c_max_abs
    function c_max_abs_difference(a, b, number, most) bind(C, name='weft_max_abs_difference') result(status)
      import :: c_int, c_ptr, c_int64_t, c_double
      type(c_ptr), value :: a, b
      integer(c_int64_t), value :: number
      real(c_double), intent(out) :: most
      integer(c_int) :: status
    end function c_max_abs_difference
    function c_differentiate_chebyshev(coefficients, axis, number) bind(C, name='weft_differentiate_chebyshev') result(status)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: coefficients
      integer(c_int), value :: axis
      integer(c_int64_t), value :: number
      integer(c_int) :: status
    end function c_differentiate_chebyshev
    function c_ensemble_create(comm, count, problems, policy, settings, ensemble) &
        bind(C, name='weft_ensemble_create_f') result(status)
      import :: c_int, c_ptr, c_policy, c_char
      integer(c_int), value :: comm, count
      type(c_ptr), intent(in) :: problems(*)
      type(c_policy), intent(in) :: policy
      character(kind=c_char), intent(in) :: settings(*)
      type(c_ptr), intent(out) :: ensemble
      integer(c_int) :: status
    end function c_ensemble_create
    function c_ensemble_free(ensemble) bind(C, name='weft_ensemble_free') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: ensemble
      integer(c_int) :: status
    end function c_ensemble_free
    function c_ensemble_form(ensemble, form) bind(C, name='weft_ensemble_form') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: ensemble
      integer(c_int), intent(out) :: form
      integer(c_int) :: status
    end function c_ensemble_form
    function c_ensemble_ranks(ensemble, instance, count, ranks) bind(C, name='weft_ensemble_ranks') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: ensemble
      integer(c_int), value :: instance
      integer(c_int), intent(out) :: count
      type(c_ptr), intent(out) :: ranks
      integer(c_int) :: status
    end function c_ensemble_ranks
    function c_ensemble_plan(ensemble, instance, plan) bind(C, name='weft_ensemble_plan') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: ensemble
      integer(c_int), value :: instance
      type(c_ptr), intent(out) :: plan
      integer(c_int) :: status
    end function c_ensemble_plan
    function c_reshape_create(comm, grid, from, to, settings, reshape) bind(C, name='weft_reshape_create_f') result(status)
      import :: c_int, c_grid, c_distribution, c_char, c_ptr
      integer(c_int), value :: comm
      type(c_grid), intent(in) :: grid
      type(c_distribution), intent(in) :: from, to
      character(kind=c_char), intent(in) :: settings(*)
      type(c_ptr), intent(out) :: reshape
      integer(c_int) :: status
    end function c_reshape_create
    function c_reshape_free(reshape) bind(C, name='weft_reshape_free') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: reshape
      integer(c_int) :: status
    end function c_reshape_free
    function c_reshape_share(reshape, side, share) bind(C, name='weft_reshape_share') result(status)
      import :: c_int, c_ptr, c_share
      type(c_ptr), value :: reshape
      integer(c_int), value :: side
      type(c_share), intent(inout) :: share
      integer(c_int) :: status
    end function c_reshape_share
    function c_reshape_run(reshape, direction, from, to) bind(C, name='weft_reshape_run') result(status)
      import :: c_int, c_ptr, c_array
      type(c_ptr), value :: reshape
      integer(c_int), value :: direction
      type(c_array), value :: from, to
      integer(c_int) :: status
    end function c_reshape_run
    function c_reshape_start(reshape, direction, from, to, ticket) bind(C, name='weft_reshape_start') result(status)
      import :: c_int, c_ptr, c_array
      type(c_ptr), value :: reshape
      integer(c_int), value :: direction
      type(c_array), value :: from, to
      type(c_ptr), intent(out) :: ticket
      integer(c_int) :: status
    end function c_reshape_start
    function c_reshape_plan(reshape, plan) bind(C, name='weft_reshape_plan') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: reshape
      type(c_ptr), intent(out) :: plan
      integer(c_int) :: status
    end function c_reshape_plan
    function c_halo_create(comm, grid, distribution, settings, halo) bind(C, name='weft_halo_create_f') result(status)
      import :: c_int, c_grid, c_distribution, c_char, c_ptr
      integer(c_int), value :: comm
      type(c_grid), intent(in) :: grid
      type(c_distribution), intent(in) :: distribution
      character(kind=c_char), intent(in) :: settings(*)
      type(c_ptr), intent(out) :: halo
      integer(c_int) :: status
    end function c_halo_create
    function c_halo_free(halo) bind(C, name='weft_halo_free') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: halo
      integer(c_int) :: status
    end function c_halo_free
    function c_halo_share(halo, share) bind(C, name='weft_halo_share') result(status)
      import :: c_int, c_ptr, c_share
      type(c_ptr), value :: halo
      type(c_share), intent(inout) :: share
      integer(c_int) :: status
    end function c_halo_share
    function c_halo_run(halo, array) bind(C, name='weft_halo_run') result(status)
      import :: c_int, c_ptr, c_array
      type(c_ptr), value :: halo
      type(c_array), value :: array
      integer(c_int) :: status
    end function c_halo_run
    function c_halo_start(halo, array, ticket) bind(C, name='weft_halo_start') result(status)
      import :: c_int, c_ptr, c_array
      type(c_ptr), value :: halo
      type(c_array), value :: array
      type(c_ptr), intent(out) :: ticket
      integer(c_int) :: status
    end function c_halo_start
    function c_halo_plan(halo, plan) bind(C, name='weft_halo_plan') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: halo
      type(c_ptr), intent(out) :: plan
      integer(c_int) :: status
    end function c_halo_plan
  end interface

end module weft_c
