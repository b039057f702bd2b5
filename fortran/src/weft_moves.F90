! weft_moves: moves of grids whose elements are not transformed, and their ghost points.
module weft_moves
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use mpi_f08, only: MPI_Comm
  use weft_c
  use weft_errors, only: refuse, tell, weft_invalid, weft_ok
  use weft_handles, only: c_of, clear, give_cell, handle_cell
  use weft_plans, only: show_plan, weft_plan
  use weft_problems
  use weft_shares
  use weft_tickets, only: take_ticket, weft_ticket
  implicit none
  private
  public :: weft_reshape, weft_halo

  !> Moves a grid of elements of any size that is a multiple of 4 bytes from one distribution to another, and back. Creating and
  !> freeing it is collective, and so are moves. Assigned to another one, it is the same by two names, as a plan is.
  type :: weft_reshape
    private
    type(handle_cell), pointer :: at => null()
  contains
    procedure, private :: create_reshape_f08, create_reshape_integer
    !> call reshape%create(comm, grid, from, to [, settings, stat, errmsg])
    generic :: create => create_reshape_f08, create_reshape_integer
    procedure :: free => free_reshape
    procedure :: bounds => bounds_of_reshape
    procedure :: elements => elements_of_reshape
    procedure :: parts => parts_of_reshape
    procedure :: plan => plan_of_reshape
    procedure, private :: forward_rs, forward_rd, forward_cs, forward_cd, forward_is, forward_id
    procedure, private :: backward_rs, backward_rd, backward_cs, backward_cd, backward_is, backward_id
    procedure, private :: start_forward_rs, start_forward_rd, start_forward_cs, start_forward_cd, start_forward_is, &
        start_forward_id
    procedure, private :: start_backward_rs, start_backward_rd, start_backward_cs, start_backward_cd, start_backward_is, &
        start_backward_id
    !> call reshape%forward(from, to [, stat, errmsg]), and reshape%backward: contiguous arrays of any rank, of reals, complex numbers
    !> or integers of 4 or 8 bytes, of which an element may have several.
    generic :: forward => forward_rs, forward_rd, forward_cs, forward_cd, forward_is, forward_id
    generic :: backward => backward_rs, backward_rd, backward_cs, backward_cd, backward_is, backward_id
    !> call reshape%start_forward(from, to, ticket [, stat, errmsg]), and reshape%start_backward: as those of a plan.
    generic :: start_forward => start_forward_rs, start_forward_rd, start_forward_cs, start_forward_cd, start_forward_is, &
        start_forward_id
    generic :: start_backward => start_backward_rs, start_backward_rd, start_backward_cs, start_backward_cd, &
        start_backward_is, start_backward_id
  end type weft_reshape

  !> Fills ghost points of arrays with the values that these points have on the ranks that own them. Creating and freeing it is
  !> collective, and so are exchanges.
  type :: weft_halo
    private
    type(handle_cell), pointer :: at => null()
  contains
    procedure, private :: create_halo_f08, create_halo_integer
    !> call halo%create(comm, extents, element_bytes, distribution [, bounded, settings, stat, errmsg]): axes are periodic, unless
    !> bounded(axis) says that nothing is beyond their ends.
    generic :: create => create_halo_f08, create_halo_integer
    procedure :: free => free_halo
    procedure :: bounds => bounds_of_halo
    procedure :: elements => elements_of_halo
    procedure :: parts => parts_of_halo
    procedure :: plan => plan_of_halo
    procedure, private :: exchange_rs, exchange_rd, exchange_cs, exchange_cd, exchange_is, exchange_id
    procedure, private :: start_exchange_rs, start_exchange_rd, start_exchange_cs, start_exchange_cd, start_exchange_is, &
        start_exchange_id
    !> call halo%exchange(array [, stat, errmsg]), or halo%start_exchange(array, ticket [, stat, errmsg]).
    generic :: exchange => exchange_rs, exchange_rd, exchange_cs, exchange_cd, exchange_is, exchange_id
    generic :: start_exchange => start_exchange_rs, start_exchange_rd, start_exchange_cs, start_exchange_cd, &
        start_exchange_is, start_exchange_id
  end type weft_halo

contains

  ! ---- reshapes ----

  subroutine create_reshape_f08(self, comm, grid, from, to, settings, stat, errmsg)
    class(weft_reshape), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    type(weft_grid), intent(in) :: grid
    type(weft_distribution), intent(in) :: from, to
    character(len=*), intent(in), optional :: settings
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call create_reshape_integer(self, comm%MPI_VAL, grid, from, to, settings, stat, errmsg)
  end subroutine create_reshape_f08

  subroutine create_reshape_integer(self, comm, grid, from, to, settings, stat, errmsg)
    class(weft_reshape), intent(inout) :: self
    integer, intent(in) :: comm
    type(weft_grid), intent(in) :: grid
    type(weft_distribution), intent(in) :: from, to
    character(len=*), intent(in), optional :: settings
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_grid) :: grid_c
    type(distribution_of_c), target :: from_c, to_c
    character(len=:), allocatable :: why
    type(c_ptr) :: inside
    integer :: status, n
    call give_cell(self%at)
    call free_reshape(self)
    call convert(grid, grid_c, why)
    n = min(int(grid_c%axes), most_axes)
    call convert(from, n, from_c, why)
    call convert(to, n, to_c, why)
    if (allocated(why)) call refuse(why)
    status = c_reshape_create(int(comm, c_int), grid_c, from_c%c, to_c%c, own_arrays(settings), self%at%c)
    if (status == weft_ok) then
      self%at%sides = [layout_of(from, n), layout_of(to, n)]
      self%at%sides%bytes = int(grid%element_bytes)
      status = c_reshape_plan(self%at%c, inside)
      call add_view(self%at, inside)
    end if
    call tell(status, stat, errmsg)
  end subroutine create_reshape_integer

  ! Keeps the plan inside an object.
  subroutine add_view(at, inside)
    type(handle_cell), intent(inout) :: at
    type(c_ptr), intent(in) :: inside
    allocate (at%views(1))
    allocate (at%views(1)%at)
    at%views(1)%at%c = inside
    at%views(1)%at%is_view = .true.
  end subroutine add_view

  subroutine free_reshape(self, stat, errmsg)
    class(weft_reshape), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    handle = c_of(self%at)
    call clear(self%at)
    call tell(c_reshape_free(handle), stat, errmsg)
  end subroutine free_reshape

  subroutine share_of_reshape(self, side, share, status, stat, errmsg)
    class(weft_reshape), intent(in) :: self
    integer, intent(in) :: side
    type(c_share), intent(out) :: share
    integer, intent(out) :: status
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    share%size = c_sizeof(share)
    status = c_reshape_share(c_of(self%at), int(side, c_int), share)
    call tell(status, stat, errmsg)
  end subroutine share_of_reshape

  !> As plan%bounds. Not collective.
  subroutine bounds_of_reshape(self, side, lower, upper, room, stat, errmsg)
    class(weft_reshape), intent(in) :: self
    integer, intent(in) :: side
    integer(int64), allocatable, intent(out) :: lower(:), upper(:)
    integer(int64), allocatable, intent(out), optional :: room(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_share) :: share
    integer :: status
    call share_of_reshape(self, side, share, status, stat, errmsg)
    if (status == weft_ok) then
      call tell_box(share, self%at, side, lower, upper, room, stat, errmsg)
    else
      allocate (lower(0), upper(0))
      if (present(room)) allocate (room(0))
    end if
  end subroutine bounds_of_reshape

  subroutine tell_box(share, at, side, lower, upper, room, stat, errmsg)
    type(c_share), intent(in) :: share
    type(handle_cell), intent(in) :: at
    integer, intent(in) :: side
    integer(int64), allocatable, intent(out) :: lower(:), upper(:)
    integer(int64), allocatable, intent(out), optional :: room(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(int64), allocatable :: last(:)
    character(len=:), allocatable :: why
    call box_of(share, at%sides(side), lower, upper, last, why)
    if (present(room)) room = last
    if (present(stat)) stat = weft_ok
    if (allocated(why)) call tell(weft_invalid, stat, errmsg, why)
  end subroutine tell_box

  !> Elements, of element_bytes each, that an array of this side needs on this rank; 0 if there is no reshape. Not collective.
  function elements_of_reshape(self, side) result(elements)
    class(weft_reshape), intent(in) :: self
    integer, intent(in) :: side
    integer(int64) :: elements
    type(c_share) :: share
    integer :: status, stat
    elements = 0
    call share_of_reshape(self, side, share, status, stat)
    if (status == weft_ok) elements = share%elements
  end function elements_of_reshape

  !> As plan%parts. Not collective.
  subroutine parts_of_reshape(self, side, lower, upper, first, strides, stat, errmsg)
    class(weft_reshape), intent(in) :: self
    integer, intent(in) :: side
    integer(int64), allocatable, intent(out) :: lower(:, :), upper(:, :), first(:), strides(:, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_share) :: share
    integer :: status
    call share_of_reshape(self, side, share, status, stat, errmsg)
    call parts_of(share, lower, upper, first, strides)
  end subroutine parts_of_reshape

  !> What moves the data, which stays the reshape's: it tells its strategy, memory and stages. Not collective.
  subroutine plan_of_reshape(self, plan)
    class(weft_reshape), intent(in) :: self
    type(weft_plan), intent(out) :: plan
    if (c_associated(c_of(self%at))) call show_plan(self%at%views(1)%at, plan)
  end subroutine plan_of_reshape

  subroutine move(self, direction, from, to, stat, errmsg)
    class(weft_reshape), intent(in) :: self
    integer(c_int), intent(in) :: direction
    type(c_array), intent(in) :: from, to
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_reshape_run(c_of(self%at), direction, from, to), stat, errmsg)
  end subroutine move

  subroutine start_move(self, direction, from, to, ticket, stat, errmsg)
    class(weft_reshape), intent(in) :: self
    integer(c_int), intent(in) :: direction
    type(c_array), intent(in) :: from, to
    type(weft_ticket), intent(inout) :: ticket
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(handle_cell), pointer :: cell
    call take_ticket(ticket, cell)
    call tell(c_reshape_start(c_of(self%at), direction, from, to, cell%c), stat, errmsg)
  end subroutine start_move

  ! ---- halos ----

  subroutine create_halo_f08(self, comm, grid, distribution, settings, stat, errmsg)
    class(weft_halo), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    type(weft_grid), intent(in) :: grid
    type(weft_distribution), intent(in) :: distribution
    character(len=*), intent(in), optional :: settings
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call create_halo_integer(self, comm%MPI_VAL, grid, distribution, settings, stat, errmsg)
  end subroutine create_halo_f08

  subroutine create_halo_integer(self, comm, grid, distribution, settings, stat, errmsg)
    class(weft_halo), intent(inout) :: self
    integer, intent(in) :: comm
    type(weft_grid), intent(in) :: grid
    type(weft_distribution), intent(in) :: distribution
    character(len=*), intent(in), optional :: settings
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_grid) :: grid_c
    type(distribution_of_c), target :: at
    character(len=:), allocatable :: why
    type(c_ptr) :: inside
    integer :: status, n
    call give_cell(self%at)
    call free_halo(self)
    call convert(grid, grid_c, why)
    n = min(int(grid_c%axes), most_axes)
    call convert(distribution, n, at, why)
    if (allocated(why)) call refuse(why)
    status = c_halo_create(int(comm, c_int), grid_c, at%c, own_arrays(settings), self%at%c)
    if (status == weft_ok) then
      self%at%sides(0) = layout_of(distribution, n)
      self%at%sides(0)%bytes = int(grid%element_bytes)
      status = c_halo_plan(self%at%c, inside)
      call add_view(self%at, inside)
    end if
    call tell(status, stat, errmsg)
  end subroutine create_halo_integer

  subroutine free_halo(self, stat, errmsg)
    class(weft_halo), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    handle = c_of(self%at)
    call clear(self%at)
    call tell(c_halo_free(handle), stat, errmsg)
  end subroutine free_halo

  subroutine share_of_halo(self, share, status, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(c_share), intent(out) :: share
    integer, intent(out) :: status
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    share%size = c_sizeof(share)
    status = c_halo_share(c_of(self%at), share)
    call tell(status, stat, errmsg)
  end subroutine share_of_halo

  !> This rank's box without its ghost points, and the last index that its array has in memory. Not collective.
  subroutine bounds_of_halo(self, lower, upper, room, stat, errmsg)
    class(weft_halo), intent(in) :: self
    integer(int64), allocatable, intent(out) :: lower(:), upper(:)
    integer(int64), allocatable, intent(out), optional :: room(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_share) :: share
    integer :: status
    call share_of_halo(self, share, status, stat, errmsg)
    if (status == weft_ok) then
      call tell_box(share, self%at, 0, lower, upper, room, stat, errmsg)
    else
      allocate (lower(0), upper(0))
      if (present(room)) allocate (room(0))
    end if
  end subroutine bounds_of_halo

  !> Elements that an array needs on this rank, ghost points included; 0 if there is no halo. Not collective.
  function elements_of_halo(self) result(elements)
    class(weft_halo), intent(in) :: self
    integer(int64) :: elements
    type(c_share) :: share
    integer :: status, stat
    elements = 0
    call share_of_halo(self, share, status, stat)
    if (status == weft_ok) elements = share%elements
  end function elements_of_halo

  !> As plan%parts, without ghost points. Not collective.
  subroutine parts_of_halo(self, lower, upper, first, strides, stat, errmsg)
    class(weft_halo), intent(in) :: self
    integer(int64), allocatable, intent(out) :: lower(:, :), upper(:, :), first(:), strides(:, :)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_share) :: share
    integer :: status
    call share_of_halo(self, share, status, stat, errmsg)
    call parts_of(share, lower, upper, first, strides)
  end subroutine parts_of_halo

  !> What moves the data, which stays the halo's. Not collective.
  subroutine plan_of_halo(self, plan)
    class(weft_halo), intent(in) :: self
    type(weft_plan), intent(out) :: plan
    if (c_associated(c_of(self%at))) call show_plan(self%at%views(1)%at, plan)
  end subroutine plan_of_halo

  subroutine fill(self, array, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(c_array), intent(in) :: array
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_halo_run(c_of(self%at), array), stat, errmsg)
  end subroutine fill

  subroutine start_fill(self, array, ticket, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(c_array), intent(in) :: array
    type(weft_ticket), intent(inout) :: ticket
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(handle_cell), pointer :: cell
    call take_ticket(ticket, cell)
    call tell(c_halo_start(c_of(self%at), array, cell%c), stat, errmsg)
  end subroutine start_fill

  ! ---- for each type ----

#define ELEMENT real(real32)
#define FORWARD forward_rs
#define BACKWARD backward_rs
#define START_FORWARD start_forward_rs
#define START_BACKWARD start_backward_rs
#define EXCHANGE exchange_rs
#define START_EXCHANGE start_exchange_rs
#include "weft_moves.inc"
#define ELEMENT real(real64)
#define FORWARD forward_rd
#define BACKWARD backward_rd
#define START_FORWARD start_forward_rd
#define START_BACKWARD start_backward_rd
#define EXCHANGE exchange_rd
#define START_EXCHANGE start_exchange_rd
#include "weft_moves.inc"
#define ELEMENT complex(real32)
#define FORWARD forward_cs
#define BACKWARD backward_cs
#define START_FORWARD start_forward_cs
#define START_BACKWARD start_backward_cs
#define EXCHANGE exchange_cs
#define START_EXCHANGE start_exchange_cs
#include "weft_moves.inc"
#define ELEMENT complex(real64)
#define FORWARD forward_cd
#define BACKWARD backward_cd
#define START_FORWARD start_forward_cd
#define START_BACKWARD start_backward_cd
#define EXCHANGE exchange_cd
#define START_EXCHANGE start_exchange_cd
#include "weft_moves.inc"
#define ELEMENT integer(int32)
#define FORWARD forward_is
#define BACKWARD backward_is
#define START_FORWARD start_forward_is
#define START_BACKWARD start_backward_is
#define EXCHANGE exchange_is
#define START_EXCHANGE start_exchange_is
#include "weft_moves.inc"
#define ELEMENT integer(int64)
#define FORWARD forward_id
#define BACKWARD backward_id
#define START_FORWARD start_forward_id
#define START_BACKWARD start_backward_id
#define EXCHANGE exchange_id
#define START_EXCHANGE start_exchange_id
#include "weft_moves.inc"

end module weft_moves
