! weft_plans: transforms, ready to run, and their runs.
module weft_plans
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi_f08, only: MPI_Comm
  use weft_c
  use weft_errors, only: tell, text_at, weft_invalid, weft_ok, weft_system, weft_unsupported
  use weft_fields, only: field_cell, field_handle, weft_field
  use weft_handles, only: c_of, clear, give_cell, handle_cell, side_layout
  use weft_problems
  use weft_shares
  use weft_tickets, only: take_ticket, weft_ticket
  implicit none
  private
  public :: weft_plan, weft_bytes, weft_stage, weft_item, weft_report, weft_allocate, weft_deallocate, set_sides, show_plan

  !> The sides of a plan, and its directions.
  integer, parameter, public :: weft_input = 0, weft_output = 1, weft_forward = forwards, weft_backward = backwards

  !> Bytes of this rank: of an array for the input and one for the output, and of what the plan holds itself.
  type :: weft_bytes
    integer(int64) :: input = 0, output = 0, buffers = 0, stand_ins = 0, tiles = 0, programs = 0
  end type weft_bytes

  !> What a stage, a pass or an exchange, did in the last run in one direction on this rank.
  type :: weft_stage
    character(len=:), allocatable :: name           !< as describe calls it
    logical :: is_exchange = .false.
    integer :: segments = 0                         !< that the message between a pair of nodes is cut into, at most
    real(real64) :: start = 0                       !< on the steady clock, in seconds
    real(real64) :: seconds = 0, active_seconds = 0 !< that it took; of an exchange, from the first message to the last
    integer(int64) :: bytes = 0                     !< sent to other ranks
    integer(int64) :: messages = 0, message_bytes = 0 !< sent to other nodes
    integer :: passes = 0                           !< of the strategy that run as this one; 0 for an exchange
    integer, allocatable :: axes(:)                 !< that a pass transforms, in this order; none for an exchange
    integer(int64), allocatable :: grid(:)          !< pieces of each axis when the stage is over; none where the data are in boxes
    character(len=:), allocatable :: exchange       !< its name; empty for a pass
  end type weft_stage

  !> Tiles of a pass that a rank computed together.
  type :: weft_item
    integer :: feeds = 0                       !< who waits for them: other nodes 0, a ring of this node 1, this node 2, nobody 3
    real(real64) :: start = 0, seconds = 0     !< on the steady clock, and that they took
  end type weft_item

  !> What a plan is, and the machine that it was made for. The same on all ranks, but for the runs.
  type :: weft_report
    integer :: progress = 0                    !< who takes transforms further: calls 0, also tiles 1, also a thread 2
    logical :: is_remembered = .false.         !< whether tuning had found the strategy before
    integer(int64) :: runs(2) = 0              !< that were started on this rank, forward and backward
    integer :: ranks = 0, nodes = 0
    integer, allocatable :: node_of_rank(:), threads_of_rank(:)
    integer(int64) :: cache_bytes = 0          !< of a core's own cache, which holds a tile
    integer(int64) :: shared_cache_bytes = 0   !< a rank's part of the caches that cores share
    integer(int64) :: eager_message_bytes = 0  !< smaller messages are taken to be sent without asking
    integer(int64) :: segment_bytes = 0        !< messages between nodes are cut into no smaller segments
  end type weft_report

  !> A transform, ready to run. Creating and freeing it is collective, and so are runs. A plan that is assigned to another one
  !> is the same plan by two names. It is freed by `free` alone, also where its name ends with a procedure or a block.
  type :: weft_plan
    private
    type(handle_cell), pointer :: at => null()
  contains
    procedure, private :: create_f08, create_integer
    !> call plan%create(comm, problem [, settings, stat, errmsg]): over the ranks of `comm`, of mpi_f08 or an integer, which is
    !> duplicated. Settings are those of docs/c.md; plans are made for arrays of the application's. What the plan was before is
    !> freed.
    generic :: create => create_f08, create_integer
    procedure :: create_alone
    procedure :: free => free_plan
    procedure :: is_created
    procedure, private :: bounds_int32, bounds_int64, wavenumbers_int32, wavenumbers_int64
    !> call plan%bounds(side, lower, upper [, room, stat, errmsg]): this rank's box, by its first and its last index along each
    !> axis, and the last one that its array has in memory. Arrays are allocated from lower, less the ghost points before it, to
    !> room. The lists are default integers or integer(int64).
    generic :: bounds => bounds_int32, bounds_int64
    !> call plan%wavenumbers(axis, k [, stat, errmsg]): k(index) is the wavenumber of the global index, of which there are as
    !> many as the spectrum has. Of an even number of points n, -n/2 (n/2 on a halved axis) has no odd derivative.
    generic :: wavenumbers => wavenumbers_int32, wavenumbers_int64
    procedure :: elements => elements_of
    procedure :: extents => extents_of
    procedure :: parts => parts_of_plan
    procedure :: waves => waves_of_plan
    procedure :: describe
    procedure :: strategy
    procedure :: engine
    procedure :: rank => rank_of_plan
    procedure :: threads
    procedure :: comm => comm_of_plan
    procedure :: memory
    procedure :: stages
    procedure :: items
    procedure :: report

    procedure, private :: make_field
    procedure, private :: make_1_rs, make_1_rd, make_1_cs, make_1_cd, make_2_rs, make_2_rd, make_2_cs, make_2_cd, make_3_rs, &
        make_3_rd, make_3_cs, make_3_cd, make_4_rs, make_4_rd, make_4_cs, make_4_cd
    !> call plan%make(side, array [, stat, errmsg]): allocates a zeroed array of 1 to 4 axes with these bounds, its axes in the
    !> order in which they lie in memory, and after them the fields of a batch; or an array of one axis for all in a row; or a
    !> weft_field. Not collective.
    generic :: make => make_field, make_1_rs, make_1_rd, make_1_cs, make_1_cd, make_2_rs, make_2_rd, make_2_cs, make_2_cd, &
        make_3_rs, make_3_rd, make_3_cs, make_3_cd, make_4_rs, make_4_rd, make_4_cs, make_4_cd
    procedure :: view => view_field

    procedure, private :: forward_fields
    procedure, private :: forward_rs_rs, forward_rs_cs, forward_cs_rs, forward_cs_cs, forward_rd_rd, forward_rd_cd, &
        forward_cd_rd, forward_cd_cd
    procedure, private :: backward_fields
    procedure, private :: backward_rs_rs, backward_rs_cs, backward_cs_rs, backward_cs_cs, backward_rd_rd, backward_rd_cd, &
        backward_cd_rd, backward_cd_cd
    procedure, private :: start_forward_fields
    procedure, private :: start_forward_rs_rs, start_forward_rs_cs, start_forward_cs_rs, start_forward_cs_cs, &
        start_forward_rd_rd, start_forward_rd_cd, start_forward_cd_rd, start_forward_cd_cd
    procedure, private :: start_backward_fields
    procedure, private :: start_backward_rs_rs, start_backward_rs_cs, start_backward_cs_rs, start_backward_cs_cs, &
        start_backward_rd_rd, start_backward_rd_cd, start_backward_cd_rd, start_backward_cd_cd
    !> call plan%forward(from, to [, scale, stat, errmsg]), and plan%backward: transforms contiguous arrays of any rank, or
    !> weft_fields, and multiplies the results by `scale`. `from` is left as it is; in place, both are the same memory. Arrays
    !> that are too small, of another type or not contiguous are weft_invalid on all ranks.
    generic :: forward => forward_fields, forward_rs_rs, forward_rs_cs, forward_cs_rs, forward_cs_cs, forward_rd_rd, &
        forward_rd_cd, forward_cd_rd, forward_cd_cd
    generic :: backward => backward_fields, backward_rs_rs, backward_rs_cs, backward_cs_rs, backward_cs_cs, backward_rd_rd, &
        backward_rd_cd, backward_cd_rd, backward_cd_cd
    !> call plan%start_forward(from, to, ticket [, scale, stat, errmsg]), and plan%start_backward: the same, but they return at
    !> once. Until the ticket has been waited for, `from` must not be changed, and `to` not be touched. Both need TARGET and
    !> ASYNCHRONOUS.
    generic :: start_forward => start_forward_fields, start_forward_rs_rs, start_forward_rs_cs, start_forward_cs_rs, &
        start_forward_cs_cs, start_forward_rd_rd, start_forward_rd_cd, start_forward_cd_rd, start_forward_cd_cd
    generic :: start_backward => start_backward_fields, start_backward_rs_rs, start_backward_rs_cs, start_backward_cs_rs, &
        start_backward_cs_cs, start_backward_rd_rd, start_backward_rd_cd, start_backward_cd_rd, start_backward_cd_cd
  end type weft_plan

contains

  ! ---- creating ----

  subroutine create_f08(self, comm, problem, settings, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    type(weft_problem), intent(in) :: problem
    character(len=*), intent(in), optional :: settings
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call create_integer(self, comm%MPI_VAL, problem, settings, stat, errmsg)
  end subroutine create_f08

  subroutine create_integer(self, comm, problem, settings, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    integer, intent(in) :: comm
    type(weft_problem), intent(in) :: problem
    character(len=*), intent(in), optional :: settings
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(problem_of_c), target :: asked
    integer :: status
    call begin(self, status)
    if (status == weft_ok) then
      call convert(problem, asked)
      status = c_plan_create(int(comm, c_int), asked%c, own_arrays(settings), self%at%c)
      if (status == weft_ok) call set_sides(self%at, problem)
    end if
    call tell(status, stat, errmsg)
  end subroutine create_integer

  !> The same for this process alone, without MPI, which need not be initialized. Not collective.
  subroutine create_alone(self, problem, settings, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    type(weft_problem), intent(in) :: problem
    character(len=*), intent(in), optional :: settings
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(problem_of_c), target :: asked
    integer :: status
    call begin(self, status)
    if (status == weft_ok) then
      call convert(problem, asked)
      status = c_plan_create_alone(asked%c, own_arrays(settings), self%at%c)
      if (status == weft_ok) call set_sides(self%at, problem)
    end if
    call tell(status, stat, errmsg)
  end subroutine create_alone

  ! Frees what the plan was before.
  subroutine begin(self, status)
    class(weft_plan), intent(inout) :: self
    integer, intent(out) :: status
    type(c_ptr) :: handle
    call give_cell(self%at)
    handle = self%at%c
    call clear(self%at)
    status = c_plan_free(handle)
  end subroutine begin

  ! Keeps how the arrays of both sides lie.
  subroutine set_sides(at, problem)
    type(handle_cell), intent(inout) :: at
    type(weft_problem), intent(in) :: problem
    type(c_share) :: share
    integer :: side
    share%size = c_sizeof(share)
    at%sides = [layout_of(problem%input, size(problem%extents)), layout_of(problem%output, size(problem%extents))]
    do side = 0, 1
      if (c_plan_share(at%c, int(side, c_int), share) /= weft_ok) cycle
      at%sides(side)%is_complex = share%is_complex == 1
      at%sides(side)%bytes = merge(4, 8, share%precision == 1)*merge(2, 1, share%is_complex == 1)
    end do
  end subroutine set_sides

  ! Lets `plan` be the name of a plan that belongs to another object.
  subroutine show_plan(at, plan)
    type(handle_cell), pointer, intent(in) :: at
    type(weft_plan), intent(out) :: plan
    plan%at => at
  end subroutine show_plan

  !> Waits for transforms under way. Collective; after MPI_Finalize it frees memory only. Nothing if there is no plan.
  subroutine free_plan(self, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer :: status
    handle = c_of(self%at)
    status = c_plan_free(handle)
    if (status == weft_ok) call clear(self%at)
    call tell(status, stat, errmsg)
  end subroutine free_plan

  !> Whether there is a plan: one of an ensemble is not on ranks that do not compute it.
  function is_created(self) result(answer)
    class(weft_plan), intent(in) :: self
    logical :: answer
    answer = c_associated(c_of(self%at))
  end function is_created

  ! ---- what plans tell: nothing of it is collective ----

  ! What this rank has of a side.
  subroutine find_share(self, side, share, status, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: side
    type(c_share), intent(out) :: share
    integer, intent(out) :: status
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    share%size = c_sizeof(share)
    status = c_plan_share(c_of(self%at), int(side, c_int), share)
    call tell(status, stat, errmsg)
  end subroutine find_share

  subroutine bounds_int64(self, side, lower, upper, room, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: side
    integer(int64), allocatable, intent(out) :: lower(:), upper(:)
    integer(int64), allocatable, intent(out), optional :: room(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_share) :: share
    integer(int64), allocatable :: last(:)
    character(len=:), allocatable :: why
    integer :: status
    call find_share(self, side, share, status, stat, errmsg)
    if (status == weft_ok) then
      call box_of(share, self%at%sides(side), lower, upper, last, why)
    else
      allocate (lower(0), upper(0), last(0))
    end if
    if (allocated(why)) call tell(weft_invalid, stat, errmsg, why)
    if (present(room)) room = last
  end subroutine bounds_int64

  subroutine bounds_int32(self, side, lower, upper, room, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: side
    integer, allocatable, intent(out) :: lower(:), upper(:)
    integer, allocatable, intent(out), optional :: room(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: first(:), last(:), end_of_memory(:)
    character(len=:), allocatable :: why
    call bounds_int64(self, side, first, last, end_of_memory, stat, errmsg)
    call narrow(first, lower, why)
    call narrow(last, upper, why)
    if (present(room)) call narrow(end_of_memory, room, why)
    if (allocated(why)) call tell(weft_unsupported, stat, errmsg, why)
  end subroutine bounds_int32

  !> Elements that an array of this side needs on this rank, the whole batch included; 0 if the plan was not created.
  function elements_of(self, side) result(elements)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: side
    integer(int64) :: elements
    type(c_share) :: share
    elements = 0
    share%size = c_sizeof(share)
    if (c_plan_share(c_of(self%at), int(side, c_int), share) == weft_ok) elements = share%elements
  end function elements_of

  !> The extents of the whole grid on this side; none if the plan was not created.
  function extents_of(self, side) result(extents)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: side
    integer(int64), allocatable :: extents(:)
    type(c_share) :: share
    share%size = c_sizeof(share)
    allocate (extents(0))
    if (c_plan_share(c_of(self%at), int(side, c_int), share) == weft_ok) extents = share%extents(share%axes:1:-1)
  end function extents_of

  !> The boxes of this rank, several or none: their indices, lower(axis, box) and upper(axis, box), and where they lie in an
  !> array of one axis: the point `at` of box b is its element first(b) + sum((at - lower(:, b))*strides(:, b)). The next field
  !> of a batch begins `field_stride` elements later.
  subroutine parts_of_plan(self, side, lower, upper, first, strides, field_stride, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: side
    integer(int64), allocatable, intent(out) :: lower(:, :), upper(:, :), first(:), strides(:, :)
    integer(int64), intent(out), optional :: field_stride
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_share) :: share
    integer :: status
    call find_share(self, side, share, status, stat, errmsg)
    call parts_of(share, lower, upper, first, strides)
    if (present(field_stride)) field_stride = share%field_stride
  end subroutine parts_of_plan

  !> The waves of this rank's elements with a cut-off, waves(axis, element); none on a side of another kind.
  subroutine waves_of_plan(self, side, waves, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: side
    integer, allocatable, intent(out) :: waves(:, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_share) :: share
    integer :: status
    call find_share(self, side, share, status, stat, errmsg)
    call waves_of(share, waves)
  end subroutine waves_of_plan

  subroutine wavenumbers_int64(self, axis, k, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: axis
    integer(int64), allocatable, intent(out) :: k(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_wavenumbers) :: numbers
    integer(int64) :: i
    integer :: status
    if (axis >= 1) then
      status = c_plan_wavenumbers(c_of(self%at), int(-axis, c_int), numbers)
      call tell(status, stat, errmsg)
    else
      status = weft_invalid
      call tell(status, stat, errmsg, 'axes count from 1')
    end if
    allocate (k(merge(numbers%points/2 + 1, numbers%points, numbers%is_halved /= 0 .and. status == weft_ok)))
    do i = 0, size(k, kind=int64) - 1
      k(i + 1) = merge(i, i - numbers%points, numbers%is_halved /= 0 .or. i < (numbers%points + 1)/2)
    end do
  end subroutine wavenumbers_int64

  subroutine wavenumbers_int32(self, axis, k, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: axis
    integer, allocatable, intent(out) :: k(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: wide(:)
    character(len=:), allocatable :: why
    call wavenumbers_int64(self, axis, wide, stat, errmsg)
    call narrow(wide, k, why)
    if (allocated(why)) call tell(weft_unsupported, stat, errmsg, why)
  end subroutine wavenumbers_int32

  !> The plan in words: a `detail` of 'summary', the default, has six lines at most, and 'all' has all stages, predictions and
  !> races. Empty if the plan was not created, and for other details.
  function describe(self, detail) result(text)
    class(weft_plan), intent(in) :: self
    character(len=*), intent(in), optional :: detail
    character(len=:), allocatable :: text
    type(c_ptr) :: address
    integer(c_int) :: number
    text = ''
    number = 0
    if (present(detail)) then
      if (detail /= 'summary') number = merge(1, -1, detail == 'all')
    end if
    if (c_plan_describe(c_of(self%at), number, address) == weft_ok) text = text_at(address)
  end function describe

  !> The strategy in a line, as the setting `strategy` takes it; empty if the plan was not created.
  function strategy(self) result(text)
    class(weft_plan), intent(in) :: self
    character(len=:), allocatable :: text
    type(c_ptr) :: address
    text = ''
    if (c_plan_strategy(c_of(self%at), address) == weft_ok) text = text_at(address)
  end function strategy

  !> The FFT library that computes; empty if the plan was not created.
  function engine(self) result(text)
    class(weft_plan), intent(in) :: self
    character(len=:), allocatable :: text
    type(c_ptr) :: address
    text = ''
    if (c_plan_engine(c_of(self%at), address) == weft_ok) text = text_at(address)
  end function engine

  !> The rank of this process among the plan's; -1 if the plan was not created.
  function rank_of_plan(self) result(rank)
    class(weft_plan), intent(in) :: self
    integer :: rank
    integer(c_int) :: found
    rank = -1
    if (c_plan_rank(c_of(self%at), found) == weft_ok) rank = int(found)
  end function rank_of_plan

  !> Threads that run the transform on this rank; 0 if the plan was not created.
  function threads(self) result(count)
    class(weft_plan), intent(in) :: self
    integer :: count
    integer(c_int) :: found
    count = 0
    if (c_plan_threads(c_of(self%at), found) == weft_ok) count = int(found)
  end function threads

  !> The plan's communicator, which stays weft's; MPI_COMM_NULL of a plan of this process alone.
  subroutine comm_of_plan(self, comm, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(MPI_Comm), intent(out) :: comm
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: found
    integer :: status
    status = c_plan_comm(c_of(self%at), found)
    if (status == weft_ok) comm%MPI_VAL = int(found)
    call tell(status, stat, errmsg)
  end subroutine comm_of_plan

  !> What the plan was expected to need before any of it was allocated, and what it holds now.
  subroutine memory(self, planned, held, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(weft_bytes), intent(out) :: planned, held
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_memory) :: found
    found%size = c_sizeof(found)
    call tell(c_plan_memory(c_of(self%at), found), stat, errmsg)
    planned = bytes_of(found%planned)
    held = bytes_of(found%held)
  end subroutine memory

  pure function bytes_of(from) result(bytes)
    type(c_bytes), intent(in) :: from
    type(weft_bytes) :: bytes
    bytes = weft_bytes(from%input, from%output, from%buffers, from%stand_ins, from%tiles, from%programs)
  end function bytes_of

  !> What each stage did in the last run in `direction`, weft_forward or weft_backward.
  subroutine stages(self, direction, list, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: direction
    type(weft_stage), allocatable, intent(out) :: list(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_stage) :: of
    type(c_share) :: share
    integer(c_int) :: count, i
    integer :: status
    count = 0
    share%size = c_sizeof(share)
    status = c_plan_stage_count(c_of(self%at), int(direction, c_int), count)
    if (status /= weft_ok) count = 0
    allocate (list(count))
    do i = 1, count
      of%size = c_sizeof(of)
      status = c_plan_stage(c_of(self%at), int(direction, c_int), i - 1_c_int, of)
      if (status /= weft_ok) exit
      list(i)%name = text_at(of%name)
      list(i)%is_exchange = of%is_exchange /= 0
      list(i)%segments = int(of%segments)
      list(i)%start = of%start
      list(i)%seconds = of%seconds
      list(i)%active_seconds = of%active_seconds
      list(i)%bytes = of%bytes
      list(i)%messages = of%messages
      list(i)%message_bytes = of%message_bytes
      list(i)%passes = int(of%passes)
      list(i)%exchange = text_at(of%exchange)
      list(i)%grid = of%grid(of%grid_axes:1:-1)
      ! Plans that move only have no sides, and their passes no axes.
      if (of%axis_count > 0) status = c_plan_share(c_of(self%at), int(weft_input, c_int), share)
      if (status /= weft_ok) exit
      list(i)%axes = int(share%axes - of%axes(1:of%axis_count))
    end do
    call tell(status, stat, errmsg)
  end subroutine stages

  !> The items of work of stage `number`, from 1, in its last run, in the order in which they ran; none of an exchange.
  subroutine items(self, direction, number, list, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: direction, number
    type(weft_item), allocatable, intent(out) :: list(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_item), pointer :: of_c(:)
    type(c_ptr) :: place
    integer(c_int64_t) :: count
    integer :: status
    status = c_plan_items(c_of(self%at), int(direction, c_int), int(number - 1, c_int), count, place)
    if (status /= weft_ok) count = 0
    allocate (list(count))
    if (count > 0) then
      call c_f_pointer(place, of_c, [count])
      list%feeds = int(of_c%feeds)
      list%start = of_c%start
      list%seconds = of_c%seconds
    end if
    call tell(status, stat, errmsg)
  end subroutine items

  !> What the plan is, and the machine that it was made for.
  subroutine report(self, told, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(weft_report), intent(out) :: told
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_report) :: of
    integer(c_int), pointer :: by_rank(:)
    integer :: status
    of%size = c_sizeof(of)
    status = c_plan_report(c_of(self%at), of)
    if (status == weft_ok) then
      told = weft_report(int(of%progress), of%is_remembered /= 0, of%runs, int(of%ranks), int(of%nodes))
      call c_f_pointer(of%node_of_rank, by_rank, [of%ranks])
      told%node_of_rank = int(by_rank)
      call c_f_pointer(of%threads_of_rank, by_rank, [of%ranks])
      told%threads_of_rank = int(by_rank)
      told%cache_bytes = of%cache_bytes
      told%shared_cache_bytes = of%shared_cache_bytes
      told%eager_message_bytes = of%eager_message_bytes
      told%segment_bytes = of%segment_bytes
    end if
    call tell(status, stat, errmsg)
  end subroutine report

  ! ---- arrays ----

  ! The bounds of an array of size(from) axes for a side; those of none if there is no such array.
  subroutine find_bounds(self, side, is_complex, bits, from, to, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: side, bits
    logical, intent(in) :: is_complex
    integer(int64), intent(out) :: from(:), to(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_share) :: share
    character(len=:), allocatable :: why
    integer :: status
    from = 1
    to = 0
    call find_share(self, side, share, status, stat, errmsg)
    if (status /= weft_ok) return
    associate (layout => self%at%sides(side))
      if (bits/8 /= layout%bytes .or. (is_complex .neqv. layout%is_complex)) then
        why = 'the array has another type than this side of the plan'
      else
        call array_of(share, layout, from, to, why)
      end if
    end associate
    if (.not. allocated(why)) return
    from = 1
    to = 0
    call tell(weft_invalid, stat, errmsg, why)
  end subroutine find_bounds

#define ELEMENT real(real32)
#define IS_COMPLEX .false.
#define MAKE_1 make_1_rs
#define MAKE_2 make_2_rs
#define MAKE_3 make_3_rs
#define MAKE_4 make_4_rs
#include "weft_make.inc"
#define ELEMENT real(real64)
#define IS_COMPLEX .false.
#define MAKE_1 make_1_rd
#define MAKE_2 make_2_rd
#define MAKE_3 make_3_rd
#define MAKE_4 make_4_rd
#include "weft_make.inc"
#define ELEMENT complex(real32)
#define IS_COMPLEX .true.
#define MAKE_1 make_1_cs
#define MAKE_2 make_2_cs
#define MAKE_3 make_3_cs
#define MAKE_4 make_4_cs
#include "weft_make.inc"
#define ELEMENT complex(real64)
#define IS_COMPLEX .true.
#define MAKE_1 make_1_cd
#define MAKE_2 make_2_cd
#define MAKE_3 make_3_cd
#define MAKE_4 make_4_cd
#include "weft_make.inc"

  subroutine make_field(self, side, field, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: side
    type(weft_field), intent(inout) :: field
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer :: status
    status = c_field_create(c_of(self%at), int(side, c_int), handle)
    if (status == weft_ok) call take_field(self%at%sides(side), handle, field)
    call tell(status, stat, errmsg)
  end subroutine make_field

  !> The memory of `input`, a field of a plan in place, seen as the output. Not collective.
  subroutine view_field(self, input, output, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(weft_field), intent(inout) :: input, output
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(handle_cell), pointer :: of
    type(c_ptr) :: handle
    integer :: status
    of => field_cell(input)
    status = c_field_view(c_of(self%at), of%c, handle)
    if (status == weft_ok) call take_field(self%at%sides(weft_output), handle, output)
    call tell(status, stat, errmsg)
  end subroutine view_field

  ! Gives `field` what C has made; what it was before is freed.
  subroutine take_field(layout, handle, field)
    type(side_layout), intent(in) :: layout
    type(c_ptr), intent(in) :: handle
    type(weft_field), intent(inout) :: field
    type(handle_cell), pointer :: cell
    call field%free()
    cell => field_cell(field)
    cell%c = handle
    cell%sides(0) = layout
  end subroutine take_field

  !> Memory of `bytes` bytes for arrays of the application's, aligned to a cache line and with huge pages where it is large:
  !> c_f_pointer makes an array of it. Not collective.
  subroutine weft_allocate(bytes, memory, stat, errmsg)
    integer(int64), intent(in) :: bytes
    type(c_ptr), intent(out) :: memory
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_allocate(bytes, memory), stat, errmsg)
  end subroutine weft_allocate

  subroutine weft_deallocate(memory, stat, errmsg)
    type(c_ptr), intent(inout) :: memory
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_deallocate(memory), stat, errmsg)
  end subroutine weft_deallocate

  ! ---- transforms ----

  pure function factor(scale) result(number)
    real(real64), intent(in), optional :: scale
    real(c_double) :: number
    number = 1
    if (present(scale)) number = scale
  end function factor

  subroutine run(self, direction, from, to, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: direction
    type(c_array), intent(in) :: from, to
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_run(c_of(self%at), direction, from, to, factor(scale)), stat, errmsg)
  end subroutine run

  subroutine start(self, direction, from, to, ticket, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: direction
    type(c_array), intent(in) :: from, to
    type(weft_ticket), intent(inout) :: ticket
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(handle_cell), pointer :: cell
    call take_ticket(ticket, cell)
    call tell(c_start(c_of(self%at), direction, from, to, factor(scale), cell%c), stat, errmsg)
  end subroutine start

#define FORWARD forward_rs_rs
#define BACKWARD backward_rs_rs
#define START_FORWARD start_forward_rs_rs
#define START_BACKWARD start_backward_rs_rs
#define INPUT real(real32)
#define OUTPUT real(real32)
#define INPUT_IS_COMPLEX .false.
#define OUTPUT_IS_COMPLEX .false.
#include "weft_runs.inc"
#define FORWARD forward_rs_cs
#define BACKWARD backward_rs_cs
#define START_FORWARD start_forward_rs_cs
#define START_BACKWARD start_backward_rs_cs
#define INPUT real(real32)
#define OUTPUT complex(real32)
#define INPUT_IS_COMPLEX .false.
#define OUTPUT_IS_COMPLEX .true.
#include "weft_runs.inc"
#define FORWARD forward_cs_rs
#define BACKWARD backward_cs_rs
#define START_FORWARD start_forward_cs_rs
#define START_BACKWARD start_backward_cs_rs
#define INPUT complex(real32)
#define OUTPUT real(real32)
#define INPUT_IS_COMPLEX .true.
#define OUTPUT_IS_COMPLEX .false.
#include "weft_runs.inc"
#define FORWARD forward_cs_cs
#define BACKWARD backward_cs_cs
#define START_FORWARD start_forward_cs_cs
#define START_BACKWARD start_backward_cs_cs
#define INPUT complex(real32)
#define OUTPUT complex(real32)
#define INPUT_IS_COMPLEX .true.
#define OUTPUT_IS_COMPLEX .true.
#include "weft_runs.inc"
#define FORWARD forward_rd_rd
#define BACKWARD backward_rd_rd
#define START_FORWARD start_forward_rd_rd
#define START_BACKWARD start_backward_rd_rd
#define INPUT real(real64)
#define OUTPUT real(real64)
#define INPUT_IS_COMPLEX .false.
#define OUTPUT_IS_COMPLEX .false.
#include "weft_runs.inc"
#define FORWARD forward_rd_cd
#define BACKWARD backward_rd_cd
#define START_FORWARD start_forward_rd_cd
#define START_BACKWARD start_backward_rd_cd
#define INPUT real(real64)
#define OUTPUT complex(real64)
#define INPUT_IS_COMPLEX .false.
#define OUTPUT_IS_COMPLEX .true.
#include "weft_runs.inc"
#define FORWARD forward_cd_rd
#define BACKWARD backward_cd_rd
#define START_FORWARD start_forward_cd_rd
#define START_BACKWARD start_backward_cd_rd
#define INPUT complex(real64)
#define OUTPUT real(real64)
#define INPUT_IS_COMPLEX .true.
#define OUTPUT_IS_COMPLEX .false.
#include "weft_runs.inc"
#define FORWARD forward_cd_cd
#define BACKWARD backward_cd_cd
#define START_FORWARD start_forward_cd_cd
#define START_BACKWARD start_backward_cd_cd
#define INPUT complex(real64)
#define OUTPUT complex(real64)
#define INPUT_IS_COMPLEX .true.
#define OUTPUT_IS_COMPLEX .true.
#include "weft_runs.inc"

  subroutine run_fields(self, direction, from, to, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: direction
    type(weft_field), intent(in) :: from, to
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_run_fields(c_of(self%at), direction, field_handle(from), field_handle(to), factor(scale)), stat, errmsg)
  end subroutine run_fields

  subroutine start_fields(self, direction, from, to, ticket, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: direction
    type(weft_field), intent(in) :: from, to
    type(weft_ticket), intent(inout) :: ticket
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(handle_cell), pointer :: cell
    call take_ticket(ticket, cell)
    call tell(c_start_fields(c_of(self%at), direction, field_handle(from), field_handle(to), factor(scale), cell%c), stat, errmsg)
  end subroutine start_fields

  subroutine forward_fields(self, from, to, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(weft_field), intent(in) :: from, to
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call run_fields(self, forwards, from, to, scale, stat, errmsg)
  end subroutine forward_fields

  subroutine start_forward_fields(self, from, to, ticket, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(weft_field), intent(in) :: from, to
    type(weft_ticket), intent(inout) :: ticket
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call start_fields(self, forwards, from, to, ticket, scale, stat, errmsg)
  end subroutine start_forward_fields

  subroutine backward_fields(self, from, to, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(weft_field), intent(in) :: from, to
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call run_fields(self, backwards, from, to, scale, stat, errmsg)
  end subroutine backward_fields

  subroutine start_backward_fields(self, from, to, ticket, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    type(weft_field), intent(in) :: from, to
    type(weft_ticket), intent(inout) :: ticket
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call start_fields(self, backwards, from, to, ticket, scale, stat, errmsg)
  end subroutine start_backward_fields

end module weft_plans
