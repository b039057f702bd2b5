! weft: distributed FFTs of fields spread over the memories of many processes. The module for Fortran 2018, on the interface for C.
! Keeps: the first index is contiguous, indices are global and count from 1, and axis 1 is the one that r2c halves.
module weft
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi_f08, only: MPI_Comm
  implicit none
  private

  !> Statuses, as `stat` has them.
  integer, parameter, public :: weft_ok = 0, weft_invalid = 1, weft_mismatch = 2, weft_unsupported = 3, weft_io = 4, &
      weft_system = 5, weft_bug = 6, weft_callback = 7
  !> The sides of a plan.
  integer, parameter, public :: weft_input = 0, weft_output = 1
  !> How a side is distributed: see weft_distribution.
  integer, parameter, public :: weft_free = 0, weft_same = 1, weft_slab = 2, weft_pencil = 3, weft_brick = 4, weft_boxes = 5
  !> What is computed along an axis.
  integer, parameter, public :: weft_fourier = 0, weft_dct1 = 1, weft_dct2 = 2, weft_dct3 = 3, weft_dct4 = 4, weft_dst1 = 5, &
      weft_dst2 = 6, weft_dst3 = 7, weft_dst4 = 8, weft_chebyshev = 9, weft_chebyshev_gauss = 10

  integer, parameter :: most_axes = 8
  integer(c_int), parameter :: forwards = 0, backwards = 1

  !> Where a side of a plan lies. A slab divides the last axis, a pencil the last two, a brick all.
  type, public :: weft_distribution
    integer :: form = weft_free
    !> Pencil: parts along the last axis but one, and along the last one. Brick: along each axis.
    integer, allocatable :: grid(:)
    !> Points beside each box that plans neither read nor write, along each axis.
    integer, allocatable :: ghosts_before(:), ghosts_after(:)
    !> Boxes: the first and the last index of this rank's boxes, lower(axis, box) and upper(axis, box).
    integer, allocatable :: lower(:, :), upper(:, :)
    !> Whether the fields of a batch are interleaved, value by value, and not one after another.
    logical :: interleaves_batch = .false.
  end type weft_distribution

  !> A transform of a field of extents(1) * extents(2) * ... real-space points.
  type, public :: weft_problem
    integer, allocatable :: extents(:)
    character(len=8) :: kind = 'c2c'         !< c2c, r2c, c2r or r2r
    character(len=8) :: precision = 'double' !< or single
    character(len=8) :: norm = 'backward'    !< ortho, forward or none
    integer, allocatable :: axes(:)          !< that are transformed; the last Fourier axis is halved; all: n, ..., 2, 1
    integer, allocatable :: bases(:)         !< of each axis; not allocated: Fourier
    integer, allocatable :: modes(:)         !< coefficients that are kept along each axis; not allocated: all
    integer :: batch = 1                     !< fields in one plan
    logical :: in_place = .false.            !< the output takes the memory of the input
    type(weft_distribution) :: input, output
  end type weft_problem

  !> A transform, ready to run. Creating and freeing it is collective.
  type, public :: weft_plan
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure, private :: create_f08, create_integer
    !> call plan%create(comm, problem [, settings, stat, errmsg]): comm is of mpi_f08, or an integer. Settings are those of
    !> docs/c.md; plans are made for arrays of the application's.
    generic :: create => create_f08, create_integer
    procedure :: free => free_plan
    !> call plan%bounds(side, lower, upper [, room]): this rank's box, by the first and the last index along each axis. Arrays
    !> are allocated as lower:room, where room is upper and what must be beyond it in memory.
    procedure :: bounds
    procedure, private :: make_1_rd, make_1_cd, make_1_rs, make_1_cs, make_2_rd, make_2_cd, make_2_rs, make_2_cs
    procedure, private :: make_3_rd, make_3_cd, make_3_rs, make_3_cs, make_4_rd, make_4_cd, make_4_rs, make_4_cs
    !> call plan%make(side, array [, stat, errmsg]): allocates a zeroed array of 1 to 4 axes with these bounds.
    generic :: make => make_1_rd, make_1_cd, make_1_rs, make_1_cs, make_2_rd, make_2_cd, make_2_rs, make_2_cs, &
        make_3_rd, make_3_cd, make_3_rs, make_3_cs, make_4_rd, make_4_cd, make_4_rs, make_4_cs
    !> call plan%wavenumbers(axis, k): k(index) is the wavenumber of the global index.
    procedure :: wavenumbers
    procedure :: describe
    procedure :: rank => rank_of_plan

    procedure, private :: forward_cd_cd, forward_rd_cd, forward_cd_rd, forward_rd_rd
    procedure, private :: forward_cs_cs, forward_rs_cs, forward_cs_rs, forward_rs_rs
    procedure, private :: backward_cd_cd, backward_rd_cd, backward_cd_rd, backward_rd_rd
    procedure, private :: backward_cs_cs, backward_rs_cs, backward_cs_rs, backward_rs_rs
    procedure, private :: start_forward_cd_cd, start_forward_rd_cd, start_forward_cd_rd, start_forward_rd_rd
    procedure, private :: start_forward_cs_cs, start_forward_rs_cs, start_forward_cs_rs, start_forward_rs_rs
    procedure, private :: start_backward_cd_cd, start_backward_rd_cd, start_backward_cd_rd, start_backward_rd_rd
    procedure, private :: start_backward_cs_cs, start_backward_rs_cs, start_backward_cs_rs, start_backward_rs_rs
    !> call plan%forward(from, to [, scale, stat, errmsg]), and plan%backward: arrays of any rank, contiguous in memory.
    generic :: forward => forward_cd_cd, forward_rd_cd, forward_cd_rd, forward_rd_rd, &
        forward_cs_cs, forward_rs_cs, forward_cs_rs, forward_rs_rs
    generic :: backward => backward_cd_cd, backward_rd_cd, backward_cd_rd, backward_rd_rd, &
        backward_cs_cs, backward_rs_cs, backward_cs_rs, backward_rs_rs
    !> call plan%start_forward(from, to, ticket [, scale, stat, errmsg]): until the ticket has been waited for, neither array
    !> may be changed. They need the attributes TARGET and ASYNCHRONOUS.
    generic :: start_forward => start_forward_cd_cd, start_forward_rd_cd, start_forward_cd_rd, start_forward_rd_rd, &
        start_forward_cs_cs, start_forward_rs_cs, start_forward_cs_rs, start_forward_rs_rs
    generic :: start_backward => start_backward_cd_cd, start_backward_rd_cd, start_backward_cd_rd, start_backward_rd_rd, &
        start_backward_cs_cs, start_backward_rs_cs, start_backward_cs_rs, start_backward_rs_rs
  end type weft_plan

  !> A transform under way.
  type, public :: weft_ticket
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: wait => wait_for
    procedure :: test => test_for
  end type weft_ticket

  !> Fills ghost points of arrays of one element type. Creating and freeing it is collective.
  type, public :: weft_halo
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure, private :: create_halo_f08, create_halo_integer
    !> call halo%create(comm, extents, element_bytes, distribution [, bounded, settings, stat, errmsg])
    generic :: create => create_halo_f08, create_halo_integer
    procedure :: free => free_halo
    procedure, private :: exchange_rd, exchange_cd, exchange_rs, exchange_cs
    !> call halo%exchange(array [, stat, errmsg])
    generic :: exchange => exchange_rd, exchange_cd, exchange_rs, exchange_cs
  end type weft_halo

  public :: weft_last_error, weft_progress, real32, real64

  ! ---- structures of C ----

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
    type(c_ptr) :: rank_data = c_null_ptr
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

  type, bind(C) :: c_grid
    integer(c_size_t) :: size = 0
    integer(c_int) :: axes = 0
    integer(c_int64_t) :: extents(most_axes) = 0, element_bytes = 0, alignment = 0
    integer(c_int) :: is_bounded(most_axes) = 0
  end type c_grid

  ! weft_source and weft_target of C.
  type, bind(C) :: c_array
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: elements = 0
  end type c_array

  ! An array of Fortran's.
  type :: given_array
    type(c_array) :: c
    logical :: is_contiguous = .true., is_complex = .true.
    integer :: bytes = 0
  end type given_array

  interface
    function c_last_error() bind(C, name='weft_last_error') result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function c_last_error
    function c_strlen(text) bind(C, name='strlen') result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function c_strlen
    function c_plan_create(comm, problem, settings, plan) bind(C, name='weft_plan_create_f') result(status)
      import :: c_int, c_ptr, c_char, c_problem
      integer(c_int), value :: comm
      type(c_problem), intent(in) :: problem
      character(kind=c_char), intent(in) :: settings(*)
      type(c_ptr), intent(out) :: plan
      integer(c_int) :: status
    end function c_plan_create
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
    function c_plan_rank(plan, rank) bind(C, name='weft_plan_rank') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: rank
      integer(c_int) :: status
    end function c_plan_rank
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
    function c_progress(did) bind(C, name='weft_progress') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: did
      integer(c_int) :: status
    end function c_progress
    function c_halo_create(comm, grid, distribution, settings, halo) bind(C, name='weft_halo_create_f') result(status)
      import :: c_int, c_ptr, c_char, c_grid, c_distribution
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
    function c_halo_run(halo, array) bind(C, name='weft_halo_run') result(status)
      import :: c_int, c_ptr, c_array
      type(c_ptr), value :: halo
      type(c_array), value :: array
      integer(c_int) :: status
    end function c_halo_run
  end interface

contains

  ! ---- errors ----

  !> The whole text of the last failure on this thread.
  function weft_last_error() result(text)
    character(len=:), allocatable :: text
    text = text_at(c_last_error())
  end function weft_last_error

  function text_at(address) result(text)
    type(c_ptr), intent(in) :: address
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(address, letters, [c_strlen(address)])
    allocate (character(len=size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function text_at

  ! What a call comes to; without `stat`, a failure ends the program, as in statements of Fortran. `own` is an error of this module.
  subroutine tell(status, stat, errmsg, own)
    integer, intent(in) :: status
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=*), intent(in), optional :: own
    character(len=:), allocatable :: text
    if (present(stat)) stat = status
    if (status == weft_ok) return
    if (present(own)) then
      text = 'weft: '//own
    else
      text = weft_last_error()
    end if
    if (present(errmsg)) errmsg = text
    if (.not. present(stat)) error stop text
  end subroutine tell

  ! ---- what is computed ----

  ! The place of `word` among `words`, counted from 0; a number that C refuses if it is not there.
  pure function number_of(word, words) result(number)
    character(len=*), intent(in) :: word, words(:)
    integer(c_int) :: number
    do number = 0, int(size(words) - 1, c_int)
      if (word == words(number + 1)) return
    end do
    number = -1
  end function number_of

  ! Fortran's axis 1 is the last one of C. Lists that are not allocated stay zero.
  pure function reversed(list) result(of_c)
    integer, intent(in), allocatable :: list(:)
    integer(c_int64_t) :: of_c(most_axes)
    of_c = 0
    if (allocated(list)) of_c(1:min(size(list), most_axes)) = list(min(size(list), most_axes):1:-1)
  end function reversed

  ! The distribution of C. Its boxes are kept in `boxes`.
  subroutine convert(from, axes, to, boxes)
    type(weft_distribution), intent(in) :: from
    integer, intent(in) :: axes
    type(c_distribution), intent(out) :: to
    type(c_box), allocatable, target, intent(out) :: boxes(:)
    integer :: b
    to%size = c_sizeof(to)
    to%form = from%form
    to%grid = reversed(from%grid)
    to%ghosts_before = reversed(from%ghosts_before)
    to%ghosts_after = reversed(from%ghosts_after)
    to%interleaves_batch = merge(1_c_int, 0_c_int, from%interleaves_batch)
    if (from%form /= weft_boxes .or. .not. allocated(from%lower) .or. .not. allocated(from%upper)) return
    allocate (boxes(size(from%lower, 2)))
    do b = 1, size(boxes)
      boxes(b)%lo(1:axes) = from%lower(axes:1:-1, b) - 1
      boxes(b)%hi(1:axes) = from%upper(axes:1:-1, b)
    end do
    to%count = size(boxes)
    if (to%count > 0) to%boxes = c_loc(boxes)
  end subroutine convert

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
    type(c_problem) :: c
    type(c_distribution), target :: input, output
    type(c_box), allocatable, target :: input_boxes(:), output_boxes(:)
    integer(c_int), target :: transformed(most_axes)
    integer :: axes, count
    call free_plan(self, stat, errmsg)
    c%size = c_sizeof(c)
    if (allocated(problem%extents)) c%axes = size(problem%extents)
    axes = min(int(c%axes), most_axes)
    c%extents = reversed(problem%extents)
    c%kind = number_of(problem%kind, [character(len=8) :: 'c2c', 'r2c', 'c2r', 'r2r'])
    c%precision = number_of(problem%precision, [character(len=8) :: 'double', 'single'])
    c%norm = number_of(problem%norm, [character(len=8) :: 'backward', 'ortho', 'forward', 'none'])
    c%in_place = merge(1_c_int, 0_c_int, problem%in_place)
    c%batch = problem%batch
    c%bases = int(reversed(problem%bases), c_int)
    c%modes = reversed(problem%modes)
    if (allocated(problem%axes)) then
      count = min(size(problem%axes), most_axes)
      transformed(1:count) = axes - problem%axes(1:count)
      c%transformed = c_loc(transformed)
      c%transformed_count = count
    end if
    call convert(problem%input, axes, input, input_boxes)
    call convert(problem%output, axes, output, output_boxes)
    c%input = c_loc(input)
    c%output = c_loc(output)
    call tell(c_plan_create(comm, c, own_arrays(settings), self%handle), stat, errmsg)
  end subroutine create_integer

  ! Plans are made for arrays of the application's, unless the settings say otherwise.
  function own_arrays(settings) result(text)
    character(len=*), intent(in), optional :: settings
    character(len=:), allocatable :: text
    text = ''
    if (present(settings)) text = trim(settings)
    if (index(text, 'arrays') == 0) text = text//'; arrays=any'
    text = text//c_null_char
  end function own_arrays

  subroutine free_plan(self, stat, errmsg)
    class(weft_plan), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_plan_free(self%handle), stat, errmsg)
  end subroutine free_plan

  ! ---- what plans tell ----

  subroutine bounds(self, side, lower, upper, room, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: side
    integer, allocatable, intent(out) :: lower(:), upper(:)
    integer, allocatable, intent(out), optional :: room(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_share) :: share
    type(c_part), pointer :: parts(:)
    integer :: status, n, a
    share%size = c_sizeof(share)
    status = c_plan_share(self%handle, side, share)
    call tell(status, stat, errmsg)
    n = share%axes
    allocate (lower(n), source=1)
    allocate (upper(n), source=0)
    if (present(room)) allocate (room(n), source=0)
    if (status /= weft_ok .or. share%count == 0) return
    if (share%count > 1) then
      call tell(weft_invalid, stat, errmsg, 'this rank has several boxes, or waves, and no bounds of one array')
      return
    end if
    call c_f_pointer(share%parts, parts, [1])
    lower = int(parts(1)%box%lo(n:1:-1)) + 1
    upper = int(parts(1)%box%hi(n:1:-1))
    if (.not. present(room)) return
    room = upper
    do a = 1, n - 1  ! axis a is a row of axis a + 1
      if (parts(1)%strides(n - a + 1) > 0) &
          room(a) = lower(a) - 1 + int(parts(1)%strides(n - a)/parts(1)%strides(n - a + 1))
    end do
  end subroutine bounds

#define MAKE make_1_rd
#define ELEMENT real(real64)
#define AXES 1
#define SHAPE :
#define BOUNDS lower(1):room(1)
#include "weft_make.inc"
#define MAKE make_1_cd
#define ELEMENT complex(real64)
#define AXES 1
#define SHAPE :
#define BOUNDS lower(1):room(1)
#include "weft_make.inc"
#define MAKE make_1_rs
#define ELEMENT real(real32)
#define AXES 1
#define SHAPE :
#define BOUNDS lower(1):room(1)
#include "weft_make.inc"
#define MAKE make_1_cs
#define ELEMENT complex(real32)
#define AXES 1
#define SHAPE :
#define BOUNDS lower(1):room(1)
#include "weft_make.inc"
#define MAKE make_2_rd
#define ELEMENT real(real64)
#define AXES 2
#define SHAPE :, :
#define BOUNDS lower(1):room(1), lower(2):room(2)
#include "weft_make.inc"
#define MAKE make_2_cd
#define ELEMENT complex(real64)
#define AXES 2
#define SHAPE :, :
#define BOUNDS lower(1):room(1), lower(2):room(2)
#include "weft_make.inc"
#define MAKE make_2_rs
#define ELEMENT real(real32)
#define AXES 2
#define SHAPE :, :
#define BOUNDS lower(1):room(1), lower(2):room(2)
#include "weft_make.inc"
#define MAKE make_2_cs
#define ELEMENT complex(real32)
#define AXES 2
#define SHAPE :, :
#define BOUNDS lower(1):room(1), lower(2):room(2)
#include "weft_make.inc"
#define MAKE make_3_rd
#define ELEMENT real(real64)
#define AXES 3
#define SHAPE :, :, :
#define BOUNDS lower(1):room(1), lower(2):room(2), lower(3):room(3)
#include "weft_make.inc"
#define MAKE make_3_cd
#define ELEMENT complex(real64)
#define AXES 3
#define SHAPE :, :, :
#define BOUNDS lower(1):room(1), lower(2):room(2), lower(3):room(3)
#include "weft_make.inc"
#define MAKE make_3_rs
#define ELEMENT real(real32)
#define AXES 3
#define SHAPE :, :, :
#define BOUNDS lower(1):room(1), lower(2):room(2), lower(3):room(3)
#include "weft_make.inc"
#define MAKE make_3_cs
#define ELEMENT complex(real32)
#define AXES 3
#define SHAPE :, :, :
#define BOUNDS lower(1):room(1), lower(2):room(2), lower(3):room(3)
#include "weft_make.inc"
#define MAKE make_4_rd
#define ELEMENT real(real64)
#define AXES 4
#define SHAPE :, :, :, :
#define BOUNDS lower(1):room(1), lower(2):room(2), lower(3):room(3), lower(4):room(4)
#include "weft_make.inc"
#define MAKE make_4_cd
#define ELEMENT complex(real64)
#define AXES 4
#define SHAPE :, :, :, :
#define BOUNDS lower(1):room(1), lower(2):room(2), lower(3):room(3), lower(4):room(4)
#include "weft_make.inc"
#define MAKE make_4_rs
#define ELEMENT real(real32)
#define AXES 4
#define SHAPE :, :, :, :
#define BOUNDS lower(1):room(1), lower(2):room(2), lower(3):room(3), lower(4):room(4)
#include "weft_make.inc"
#define MAKE make_4_cs
#define ELEMENT complex(real32)
#define AXES 4
#define SHAPE :, :, :, :
#define BOUNDS lower(1):room(1), lower(2):room(2), lower(3):room(3), lower(4):room(4)
#include "weft_make.inc"

  subroutine wavenumbers(self, axis, k, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer, intent(in) :: axis
    integer, allocatable, intent(out) :: k(:)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_wavenumbers) :: numbers
    integer :: i, points
    call tell(c_plan_wavenumbers(self%handle, int(-axis, c_int), numbers), stat, errmsg)
    points = int(numbers%points)
    if (numbers%is_halved /= 0) then
      k = [(i, i=0, points/2)]
    else
      k = [(merge(i, i - points, i < (points + 1)/2), i=0, points - 1)]
    end if
  end subroutine wavenumbers

  !> The plan in words: a `detail` of 'summary', the default, has six lines at most, and 'all' has
  !> all stages, predictions and races. Empty if the plan was not created, and for other details.
  function describe(self, detail) result(text)
    class(weft_plan), intent(in) :: self
    character(len=*), intent(in), optional :: detail
    character(len=:), allocatable :: text
    type(c_ptr) :: address
    integer(c_int) :: number
    text = ''
    number = 0
    if (present(detail)) number = number_of(detail, [character(len=8) :: 'summary', 'all'])
    if (c_plan_describe(self%handle, number, address) == weft_ok) text = text_at(address)
  end function describe

  !> The rank of this process among the plan's; -1 if the plan was not created.
  function rank_of_plan(self) result(rank)
    class(weft_plan), intent(in) :: self
    integer(c_int) :: rank
    if (c_plan_rank(self%handle, rank) /= weft_ok) rank = -1
  end function rank_of_plan

  ! ---- transforms ----

  ! Whether C can take `array` for a side of the plan; what is wrong with it is told.
  function suits(self, array, side, stat, errmsg) result(is_good)
    class(weft_plan), intent(in) :: self
    type(given_array), intent(in) :: array
    integer(c_int), intent(in) :: side
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    logical :: is_good
    type(c_share) :: share
    integer :: status, bytes
    share%size = c_sizeof(share)
    status = c_plan_share(self%handle, side, share)
    call tell(status, stat, errmsg)
    is_good = status == weft_ok
    if (.not. is_good) return
    bytes = merge(4, 8, share%precision == 1)*merge(2, 1, share%is_complex == 1)
    is_good = bytes == array%bytes .and. (array%is_complex .eqv. share%is_complex == 1)
    if (.not. is_good) then
      call tell(weft_invalid, stat, errmsg, 'the array has another type than this side of the plan')
    else if (.not. array%is_contiguous) then
      is_good = .false.
      call tell(weft_invalid, stat, errmsg, 'the array is not contiguous in memory')
    end if
  end function suits

  subroutine run(self, direction, from, to, ticket, scale, stat, errmsg)
    class(weft_plan), intent(in) :: self
    integer(c_int), intent(in) :: direction
    type(given_array), intent(in) :: from, to
    type(weft_ticket), intent(inout), optional :: ticket
    real(real64), intent(in), optional :: scale
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    real(c_double) :: factor
    if (.not. suits(self, from, direction, stat, errmsg)) return
    if (.not. suits(self, to, 1 - direction, stat, errmsg)) return
    factor = 1
    if (present(scale)) factor = scale
    if (present(ticket)) then
      call tell(c_start(self%handle, direction, from%c, to%c, factor, ticket%handle), stat, errmsg)
    else
      call tell(c_run(self%handle, direction, from%c, to%c, factor), stat, errmsg)
    end if
  end subroutine run

#define FORWARD forward_cd_cd
#define BACKWARD backward_cd_cd
#define START_FORWARD start_forward_cd_cd
#define START_BACKWARD start_backward_cd_cd
#define INPUT complex(real64)
#define OUTPUT complex(real64)
#define INPUT_IS_COMPLEX .true.
#define OUTPUT_IS_COMPLEX .true.
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
#define FORWARD forward_rd_rd
#define BACKWARD backward_rd_rd
#define START_FORWARD start_forward_rd_rd
#define START_BACKWARD start_backward_rd_rd
#define INPUT real(real64)
#define OUTPUT real(real64)
#define INPUT_IS_COMPLEX .false.
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
#define FORWARD forward_rs_rs
#define BACKWARD backward_rs_rs
#define START_FORWARD start_forward_rs_rs
#define START_BACKWARD start_backward_rs_rs
#define INPUT real(real32)
#define OUTPUT real(real32)
#define INPUT_IS_COMPLEX .false.
#define OUTPUT_IS_COMPLEX .false.
#include "weft_runs.inc"

  !> Returns when the transform has ended; its errors come here.
  subroutine wait_for(self, stat, errmsg)
    class(weft_ticket), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_wait(self%handle), stat, errmsg)
  end subroutine wait_for

  !> Takes all transforms a step further, and tells whether this one has ended.
  subroutine test_for(self, has_ended, stat, errmsg)
    class(weft_ticket), intent(inout) :: self
    logical, intent(out) :: has_ended
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    integer(c_int) :: ended
    call tell(c_test(self%handle, ended), stat, errmsg)
    has_ended = ended /= 0
  end subroutine test_for

  !> Takes all started transforms further.
  subroutine weft_progress(stat, errmsg)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_progress(c_null_ptr), stat, errmsg)
  end subroutine weft_progress

  ! ---- halos ----

  subroutine create_halo_f08(self, comm, extents, element_bytes, distribution, bounded, settings, stat, errmsg)
    class(weft_halo), intent(inout) :: self
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: extents(:), element_bytes
    type(weft_distribution), intent(in) :: distribution
    logical, intent(in), optional :: bounded(:)
    character(len=*), intent(in), optional :: settings
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call create_halo_integer(self, comm%MPI_VAL, extents, element_bytes, distribution, bounded, settings, stat, errmsg)
  end subroutine create_halo_f08

  subroutine create_halo_integer(self, comm, extents, element_bytes, distribution, bounded, settings, stat, errmsg)
    class(weft_halo), intent(inout) :: self
    integer, intent(in) :: comm, extents(:), element_bytes
    type(weft_distribution), intent(in) :: distribution
    logical, intent(in), optional :: bounded(:)  !< of each axis, whether nothing is beyond its ends
    character(len=*), intent(in), optional :: settings
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_grid) :: grid
    type(c_distribution) :: at
    type(c_box), allocatable, target :: boxes(:)
    integer :: n
    call free_halo(self, stat, errmsg)
    n = min(size(extents), most_axes)
    grid%size = c_sizeof(grid)
    grid%axes = size(extents)
    grid%extents(1:n) = extents(n:1:-1)
    grid%element_bytes = element_bytes
    grid%alignment = merge(8, 4, mod(element_bytes, 8) == 0)
    if (present(bounded)) grid%is_bounded(1:n) = merge(1_c_int, 0_c_int, bounded(n:1:-1))
    call convert(distribution, n, at, boxes)
    call tell(c_halo_create(comm, grid, at, own_arrays(settings), self%handle), stat, errmsg)
  end subroutine create_halo_integer

  subroutine free_halo(self, stat, errmsg)
    class(weft_halo), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_halo_free(self%handle), stat, errmsg)
  end subroutine free_halo

  subroutine exchange_given(self, array, stat, errmsg)
    class(weft_halo), intent(in) :: self
    type(given_array), intent(in) :: array
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    if (.not. array%is_contiguous) then
      call tell(weft_invalid, stat, errmsg, 'the array is not contiguous in memory')
    else
      call tell(c_halo_run(self%handle, array%c), stat, errmsg)
    end if
  end subroutine exchange_given

#define EXCHANGE exchange_rd
#define ELEMENT real(real64)
#include "weft_exchange.inc"
#define EXCHANGE exchange_cd
#define ELEMENT complex(real64)
#include "weft_exchange.inc"
#define EXCHANGE exchange_rs
#define ELEMENT real(real32)
#include "weft_exchange.inc"
#define EXCHANGE exchange_cs
#define ELEMENT complex(real32)
#include "weft_exchange.inc"

end module weft
