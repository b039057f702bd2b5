! weft_heffte: plans as heFFTe's modules for Fortran have them. The modules heffte_fftw, heffte_mkl and heffte_stock give the names that
! programs use. A plan is released by its owner: call plan%release(). Arrays have one dimension, as heFFTe's have.
! Keeps: an error sets ierr, and get_serr() is its text; a call while ierr is set ends the program with that text.
module weft_heffte
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private
  public :: weft_heffte_fft3d, weft_heffte_fft3d_r2c, ierr, get_serr
  public :: scale, scale_none, scale_full, scale_symmetric
  public :: SWIG_UnknownError, SWIG_IOError, SWIG_RuntimeError, SWIG_IndexError, SWIG_TypeError, SWIG_DivisionByZero
  public :: SWIG_OverflowError, SWIG_SyntaxError, SWIG_ValueError, SWIG_SystemError, SWIG_AttributeError, SWIG_MemoryError
  public :: SWIG_NullReferenceError

  ! The kind of a scale, and the scales: none, what makes the other direction the inverse, and its square root.
  integer, parameter :: scale = c_int
  integer(c_int), parameter :: scale_none = 0, scale_full = 1, scale_symmetric = 2

  ! Whether a call has failed: 0 for no, SWIG_RuntimeError for yes. Programs set it to 0 again.
  integer(c_int), save :: ierr = 0
  integer(c_int), parameter :: SWIG_UnknownError = -1, SWIG_IOError = -2, SWIG_RuntimeError = -3, SWIG_IndexError = -4, &
    SWIG_TypeError = -5, SWIG_DivisionByZero = -6, SWIG_OverflowError = -7, SWIG_SyntaxError = -8, SWIG_ValueError = -9, &
    SWIG_SystemError = -10, SWIG_AttributeError = -11, SWIG_MemoryError = -12, SWIG_NullReferenceError = -13

  ! A plan, or nothing. A variable owns the plan that a constructor was assigned to it; other assignments share it, and the owner
  ! releases it.
  type :: handle
    private
    type(c_ptr) :: at = c_null_ptr
    logical :: owns = .false., is_new = .false.
  end type handle

  ! The numbers of weft_heffte_run.
  integer(c_int), parameter :: real_single = 0, real_double = 1, complex_single = 2, complex_double = 3

  type, bind(c) :: untyped_run
    logical(c_bool) :: is_forward
    integer(c_int) :: batch
    integer(c_int) :: from_type
    type(c_ptr) :: from
    integer(c_int) :: to_type
    type(c_ptr) :: to
    type(c_ptr) :: workspace
    integer(c_int) :: scale
  end type untyped_run

  type :: weft_heffte_fft3d
    private
    type(handle) :: plan
  contains
    procedure :: size_inbox => inbox_of_fft3d
    procedure :: size_outbox => outbox_of_fft3d
    procedure :: size_workspace => workspace_of_fft3d
    procedure :: size_comm_buffers => buffers_of_fft3d
    procedure :: get_scale_factor => factor_of_fft3d
    procedure :: release => release_fft3d
    procedure, private :: assign_fft3d
    generic :: assignment(=) => assign_fft3d
    procedure, private :: &
      forward_s2c_fft3d, forward_c2c_fft3d, forward_d2z_fft3d, forward_z2z_fft3d, forward_s2c_buffered_fft3d, &
        forward_c2c_buffered_fft3d, forward_d2z_buffered_fft3d, forward_z2z_buffered_fft3d, forward_s2c_batch_fft3d, &
        forward_c2c_batch_fft3d, forward_d2z_batch_fft3d, forward_z2z_batch_fft3d, forward_s2c_batch_buffered_fft3d, &
        forward_c2c_batch_buffered_fft3d, forward_d2z_batch_buffered_fft3d, forward_z2z_batch_buffered_fft3d
    generic :: forward => &
      forward_s2c_fft3d, forward_c2c_fft3d, forward_d2z_fft3d, forward_z2z_fft3d, forward_s2c_buffered_fft3d, &
        forward_c2c_buffered_fft3d, forward_d2z_buffered_fft3d, forward_z2z_buffered_fft3d, forward_s2c_batch_fft3d, &
        forward_c2c_batch_fft3d, forward_d2z_batch_fft3d, forward_z2z_batch_fft3d, forward_s2c_batch_buffered_fft3d, &
        forward_c2c_batch_buffered_fft3d, forward_d2z_batch_buffered_fft3d, forward_z2z_batch_buffered_fft3d
    procedure, private :: &
      backward_c2s_fft3d, backward_c2c_fft3d, backward_z2d_fft3d, backward_z2z_fft3d, backward_c2s_buffered_fft3d, &
        backward_c2c_buffered_fft3d, backward_z2d_buffered_fft3d, backward_z2z_buffered_fft3d, backward_c2s_batch_fft3d, &
        backward_c2c_batch_fft3d, backward_z2d_batch_fft3d, backward_z2z_batch_fft3d, backward_c2s_batch_buffered_fft3d, &
        backward_c2c_batch_buffered_fft3d, backward_z2d_batch_buffered_fft3d, backward_z2z_batch_buffered_fft3d
    generic :: backward => &
      backward_c2s_fft3d, backward_c2c_fft3d, backward_z2d_fft3d, backward_z2z_fft3d, backward_c2s_buffered_fft3d, &
        backward_c2c_buffered_fft3d, backward_z2d_buffered_fft3d, backward_z2z_buffered_fft3d, backward_c2s_batch_fft3d, &
        backward_c2c_batch_fft3d, backward_z2d_batch_fft3d, backward_z2z_batch_fft3d, backward_c2s_batch_buffered_fft3d, &
        backward_c2c_batch_buffered_fft3d, backward_z2d_batch_buffered_fft3d, backward_z2z_batch_buffered_fft3d
  end type weft_heffte_fft3d

  type :: weft_heffte_fft3d_r2c
    private
    type(handle) :: plan
  contains
    procedure :: size_inbox => inbox_of_r2c
    procedure :: size_outbox => outbox_of_r2c
    procedure :: size_workspace => workspace_of_r2c
    procedure :: size_comm_buffers => buffers_of_r2c
    procedure :: get_scale_factor => factor_of_r2c
    procedure :: release => release_r2c
    procedure, private :: assign_r2c
    generic :: assignment(=) => assign_r2c
    procedure, private :: &
      forward_s2c_r2c, forward_d2z_r2c, forward_s2c_buffered_r2c, forward_d2z_buffered_r2c, forward_s2c_batch_r2c, &
        forward_d2z_batch_r2c, forward_s2c_batch_buffered_r2c, forward_d2z_batch_buffered_r2c
    generic :: forward => &
      forward_s2c_r2c, forward_d2z_r2c, forward_s2c_buffered_r2c, forward_d2z_buffered_r2c, forward_s2c_batch_r2c, &
        forward_d2z_batch_r2c, forward_s2c_batch_buffered_r2c, forward_d2z_batch_buffered_r2c
    procedure, private :: &
      backward_c2s_r2c, backward_z2d_r2c, backward_c2s_buffered_r2c, backward_z2d_buffered_r2c, backward_c2s_batch_r2c, &
        backward_z2d_batch_r2c, backward_c2s_batch_buffered_r2c, backward_z2d_batch_buffered_r2c
    generic :: backward => &
      backward_c2s_r2c, backward_z2d_r2c, backward_c2s_buffered_r2c, backward_z2d_buffered_r2c, backward_c2s_batch_r2c, &
        backward_z2d_batch_r2c, backward_c2s_batch_buffered_r2c, backward_z2d_batch_buffered_r2c
  end type weft_heffte_fft3d_r2c

  ! Constructors: first and last indices of the inbox and the outbox, with the orders of axes or without, and for r2c the axis that is
  ! halved. The last three arguments have no effect. Collective.
  interface weft_heffte_fft3d
    module procedure new_fft3d, new_fft3d_in_order, new_fft3d_with_options
  end interface weft_heffte_fft3d
  interface weft_heffte_fft3d_r2c
    module procedure new_r2c, new_r2c_in_order, new_r2c_with_options
  end interface weft_heffte_fft3d_r2c

  interface
    function c_create(in, out, r2c_direction, comm, made) result(status) bind(c, name="weft_heffte_create")
      import :: c_int, c_ptr
      integer(c_int), intent(in) :: in(9), out(9)
      integer(c_int), value :: r2c_direction, comm
      type(c_ptr), intent(out) :: made
      integer(c_int) :: status
    end function c_create
    subroutine c_destroy(plan) bind(c, name="weft_heffte_destroy")
      import :: c_ptr
      type(c_ptr), value :: plan
    end subroutine c_destroy
    function c_size(plan, which) result(size) bind(c, name="weft_heffte_size")
      import :: c_int, c_ptr, c_long_long
      type(c_ptr), value :: plan
      integer(c_int), value :: which
      integer(c_long_long) :: size
    end function c_size
    function c_full_scale(plan) result(factor) bind(c, name="weft_heffte_full_scale")
      import :: c_double, c_ptr
      type(c_ptr), value :: plan
      real(c_double) :: factor
    end function c_full_scale
    function c_run(plan, asked) result(status) bind(c, name="weft_heffte_run")
      import :: c_int, c_ptr, untyped_run
      type(c_ptr), value :: plan
      type(untyped_run), intent(in) :: asked
      integer(c_int) :: status
    end function c_run
    function c_error(text, room) result(length) bind(c, name="weft_heffte_error")
      import :: c_int, c_char
      character(c_char), intent(out) :: text(*)
      integer(c_int), value :: room
      integer(c_int) :: length
    end function c_error
  end interface

contains

  ! The text of the last error.
  function get_serr() result(text)
    character(:), allocatable :: text
    character(c_char) :: letters(4096)
    integer :: length, i
    length = min(int(c_error(letters, size(letters))), size(letters))
    allocate (character(length) :: text)
    do i = 1, length
      text(i:i) = letters(i)
    end do
  end function get_serr

  subroutine note(status)
    integer(c_int), intent(in) :: status
    if (status /= 0) ierr = SWIG_RuntimeError
  end subroutine note

  ! Ends the program if an error was not looked at.
  subroutine check_nothing_failed()
    if (ierr == 0) return
    write (error_unit, "(a)") get_serr()
    error stop "heffte: a call failed before, and ierr was not looked at"
  end subroutine check_nothing_failed

  function new_handle(in, out, r2c_direction, comm) result(plan)
    integer(c_int), intent(in) :: in(9), out(9), r2c_direction
    integer, intent(in) :: comm
    type(handle) :: plan
    call check_nothing_failed()
    call note(c_create(in, out, r2c_direction, int(comm, c_int), plan%at))
    plan%is_new = .true.
  end function new_handle

  subroutine release_handle(plan)
    type(handle), intent(inout) :: plan
    if (plan%owns .and. c_associated(plan%at)) call c_destroy(plan%at)
    plan = handle()
  end subroutine release_handle

  subroutine assign_handle(to, from)
    type(handle), intent(inout) :: to
    type(handle), intent(in) :: from
    type(handle) :: taken
    taken%at = from%at
    taken%owns = from%is_new
    if (to%owns .and. c_associated(to%at, from%at)) taken%owns = .true.  ! itself
    if (.not. c_associated(to%at, from%at)) call release_handle(to)
    to = taken
  end subroutine assign_handle

  subroutine run(plan, is_forward, batch, from_type, from, to_type, to, workspace, scaling)
    type(handle), intent(in) :: plan
    logical, intent(in) :: is_forward
    integer(c_int), intent(in) :: batch, from_type, to_type
    type(c_ptr), intent(in) :: from, to, workspace
    integer(scale), intent(in), optional :: scaling
    type(untyped_run) :: asked
    call check_nothing_failed()
    asked = untyped_run(logical(is_forward, c_bool), batch, from_type, from, to_type, to, workspace, scale_none)
    if (present(scaling)) asked%scale = scaling
    call note(c_run(plan%at, asked))
  end subroutine run

  function factor(plan, scaling) result(number)
    type(handle), intent(in) :: plan
    integer(scale), intent(in) :: scaling
    real(c_double) :: number
    number = 1
    if (scaling /= scale_none) number = c_full_scale(plan%at)
    if (scaling == scale_symmetric) number = sqrt(number)
  end function factor

  function new_fft3d( &
    il0, il1, il2, ih0, ih1, ih2, ol0, ol1, ol2, oh0, oh1, oh2, comm) &
    result(self)
    integer(c_int), intent(in) :: il0, il1, il2, ih0, ih1, ih2
    integer(c_int), intent(in) :: ol0, ol1, ol2, oh0, oh1, oh2
    integer, intent(in) :: comm
    type(weft_heffte_fft3d) :: self
    self%plan = new_handle([il0, il1, il2, ih0, ih1, ih2, 0_c_int, 1_c_int, 2_c_int], &
      [ol0, ol1, ol2, oh0, oh1, oh2, 0_c_int, 1_c_int, 2_c_int], -1_c_int, comm)
  end function new_fft3d

  function new_fft3d_in_order( &
    il0, il1, il2, ih0, ih1, ih2, io0, io1, io2, ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2, comm) &
    result(self)
    integer(c_int), intent(in) :: il0, il1, il2, ih0, ih1, ih2, io0, io1, io2
    integer(c_int), intent(in) :: ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2
    integer, intent(in) :: comm
    type(weft_heffte_fft3d) :: self
    self%plan = new_handle([il0, il1, il2, ih0, ih1, ih2, io0, io1, io2], &
      [ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2], -1_c_int, comm)
  end function new_fft3d_in_order

  function new_fft3d_with_options( &
    il0, il1, il2, ih0, ih1, ih2, io0, io1, io2, ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2, comm, use_reorder, algorithm, &
      use_pencils) &
    result(self)
    integer(c_int), intent(in) :: il0, il1, il2, ih0, ih1, ih2, io0, io1, io2
    integer(c_int), intent(in) :: ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2
    integer, intent(in) :: comm
    logical, intent(in) :: use_reorder, use_pencils
    integer(c_int), intent(in) :: algorithm
    type(weft_heffte_fft3d) :: self
    if (use_reorder .or. use_pencils .or. algorithm > 0) continue  ! weft chooses
    self%plan = new_handle([il0, il1, il2, ih0, ih1, ih2, io0, io1, io2], &
      [ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2], -1_c_int, comm)
  end function new_fft3d_with_options

  function new_r2c( &
    il0, il1, il2, ih0, ih1, ih2, ol0, ol1, ol2, oh0, oh1, oh2, r2c_direction, comm) &
    result(self)
    integer(c_int), intent(in) :: il0, il1, il2, ih0, ih1, ih2
    integer(c_int), intent(in) :: ol0, ol1, ol2, oh0, oh1, oh2, r2c_direction
    integer, intent(in) :: comm
    type(weft_heffte_fft3d_r2c) :: self
    self%plan = new_handle([il0, il1, il2, ih0, ih1, ih2, 0_c_int, 1_c_int, 2_c_int], &
      [ol0, ol1, ol2, oh0, oh1, oh2, 0_c_int, 1_c_int, 2_c_int], r2c_direction, comm)
  end function new_r2c

  function new_r2c_in_order( &
    il0, il1, il2, ih0, ih1, ih2, io0, io1, io2, ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2, r2c_direction, comm) &
    result(self)
    integer(c_int), intent(in) :: il0, il1, il2, ih0, ih1, ih2, io0, io1, io2
    integer(c_int), intent(in) :: ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2, r2c_direction
    integer, intent(in) :: comm
    type(weft_heffte_fft3d_r2c) :: self
    self%plan = new_handle([il0, il1, il2, ih0, ih1, ih2, io0, io1, io2], &
      [ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2], r2c_direction, comm)
  end function new_r2c_in_order

  function new_r2c_with_options( &
    il0, il1, il2, ih0, ih1, ih2, io0, io1, io2, ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2, r2c_direction, comm, use_reorder, &
      algorithm, use_pencils) &
    result(self)
    integer(c_int), intent(in) :: il0, il1, il2, ih0, ih1, ih2, io0, io1, io2
    integer(c_int), intent(in) :: ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2, r2c_direction
    integer, intent(in) :: comm
    logical, intent(in) :: use_reorder, use_pencils
    integer(c_int), intent(in) :: algorithm
    type(weft_heffte_fft3d_r2c) :: self
    if (use_reorder .or. use_pencils .or. algorithm > 0) continue  ! weft chooses
    self%plan = new_handle([il0, il1, il2, ih0, ih1, ih2, io0, io1, io2], &
      [ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2], r2c_direction, comm)
  end function new_r2c_with_options

  function inbox_of_fft3d(self) result(size)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_long_long) :: size
    size = int(c_size(self%plan%at, 0_c_int), c_long_long)
  end function inbox_of_fft3d

  function outbox_of_fft3d(self) result(size)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_long_long) :: size
    size = int(c_size(self%plan%at, 1_c_int), c_long_long)
  end function outbox_of_fft3d

  function workspace_of_fft3d(self) result(size)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_size_t) :: size
    size = int(c_size(self%plan%at, 2_c_int), c_size_t)
  end function workspace_of_fft3d

  function buffers_of_fft3d(self) result(size)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_size_t) :: size
    size = 0 * c_size(self%plan%at, 0_c_int)
  end function buffers_of_fft3d

  function factor_of_fft3d(self, scaling) result(number)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(scale), intent(in) :: scaling
    real(c_double) :: number
    number = factor(self%plan, scaling)
  end function factor_of_fft3d

  subroutine release_fft3d(self)
    class(weft_heffte_fft3d), intent(inout) :: self
    call release_handle(self%plan)
  end subroutine release_fft3d

  subroutine assign_fft3d(self, other)
    class(weft_heffte_fft3d), intent(inout) :: self
    type(weft_heffte_fft3d), intent(in) :: other
    call assign_handle(self%plan, other%plan)
  end subroutine assign_fft3d

  function inbox_of_r2c(self) result(size)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_long_long) :: size
    size = int(c_size(self%plan%at, 0_c_int), c_long_long)
  end function inbox_of_r2c

  function outbox_of_r2c(self) result(size)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_long_long) :: size
    size = int(c_size(self%plan%at, 1_c_int), c_long_long)
  end function outbox_of_r2c

  function workspace_of_r2c(self) result(size)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_size_t) :: size
    size = int(c_size(self%plan%at, 2_c_int), c_size_t)
  end function workspace_of_r2c

  function buffers_of_r2c(self) result(size)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_size_t) :: size
    size = 0 * c_size(self%plan%at, 0_c_int)
  end function buffers_of_r2c

  function factor_of_r2c(self, scaling) result(number)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(scale), intent(in) :: scaling
    real(c_double) :: number
    number = factor(self%plan, scaling)
  end function factor_of_r2c

  subroutine release_r2c(self)
    class(weft_heffte_fft3d_r2c), intent(inout) :: self
    call release_handle(self%plan)
  end subroutine release_r2c

  subroutine assign_r2c(self, other)
    class(weft_heffte_fft3d_r2c), intent(inout) :: self
    type(weft_heffte_fft3d_r2c), intent(in) :: other
    call assign_handle(self%plan, other%plan)
  end subroutine assign_r2c

  subroutine forward_s2c_fft3d(self, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    real(c_float), target :: input(*)
    complex(c_float_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, real_single, c_loc(input), complex_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_s2c_fft3d

  subroutine forward_s2c_buffered_fft3d(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    real(c_float), target :: input(*)
    complex(c_float_complex), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, real_single, c_loc(input), complex_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_s2c_buffered_fft3d

  subroutine forward_s2c_batch_fft3d(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    real(c_float), target :: input(*)
    complex(c_float_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, real_single, c_loc(input), complex_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_s2c_batch_fft3d

  subroutine forward_s2c_batch_buffered_fft3d(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    real(c_float), target :: input(*)
    complex(c_float_complex), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, real_single, c_loc(input), complex_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_s2c_batch_buffered_fft3d

  subroutine forward_c2c_fft3d(self, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_float_complex), target :: input(*)
    complex(c_float_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, complex_single, c_loc(input), complex_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_c2c_fft3d

  subroutine forward_c2c_buffered_fft3d(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_float_complex), target :: input(*)
    complex(c_float_complex), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, complex_single, c_loc(input), complex_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_c2c_buffered_fft3d

  subroutine forward_c2c_batch_fft3d(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_float_complex), target :: input(*)
    complex(c_float_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, complex_single, c_loc(input), complex_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_c2c_batch_fft3d

  subroutine forward_c2c_batch_buffered_fft3d(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_float_complex), target :: input(*)
    complex(c_float_complex), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, complex_single, c_loc(input), complex_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_c2c_batch_buffered_fft3d

  subroutine forward_d2z_fft3d(self, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    real(c_double), target :: input(*)
    complex(c_double_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, real_double, c_loc(input), complex_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_d2z_fft3d

  subroutine forward_d2z_buffered_fft3d(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    real(c_double), target :: input(*)
    complex(c_double_complex), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, real_double, c_loc(input), complex_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_d2z_buffered_fft3d

  subroutine forward_d2z_batch_fft3d(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    real(c_double), target :: input(*)
    complex(c_double_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, real_double, c_loc(input), complex_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_d2z_batch_fft3d

  subroutine forward_d2z_batch_buffered_fft3d(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    real(c_double), target :: input(*)
    complex(c_double_complex), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, real_double, c_loc(input), complex_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_d2z_batch_buffered_fft3d

  subroutine forward_z2z_fft3d(self, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_double_complex), target :: input(*)
    complex(c_double_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, complex_double, c_loc(input), complex_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_z2z_fft3d

  subroutine forward_z2z_buffered_fft3d(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_double_complex), target :: input(*)
    complex(c_double_complex), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, complex_double, c_loc(input), complex_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_z2z_buffered_fft3d

  subroutine forward_z2z_batch_fft3d(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_double_complex), target :: input(*)
    complex(c_double_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, complex_double, c_loc(input), complex_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_z2z_batch_fft3d

  subroutine forward_z2z_batch_buffered_fft3d(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_double_complex), target :: input(*)
    complex(c_double_complex), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, complex_double, c_loc(input), complex_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_z2z_batch_buffered_fft3d

  subroutine backward_c2s_fft3d(self, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_float_complex), target :: input(*)
    real(c_float), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_single, c_loc(input), real_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_c2s_fft3d

  subroutine backward_c2s_buffered_fft3d(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_float_complex), target :: input(*)
    real(c_float), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_single, c_loc(input), real_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_c2s_buffered_fft3d

  subroutine backward_c2s_batch_fft3d(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_float_complex), target :: input(*)
    real(c_float), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_single, c_loc(input), real_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_c2s_batch_fft3d

  subroutine backward_c2s_batch_buffered_fft3d(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_float_complex), target :: input(*)
    real(c_float), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_single, c_loc(input), real_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_c2s_batch_buffered_fft3d

  subroutine backward_c2c_fft3d(self, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_float_complex), target :: input(*)
    complex(c_float_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_single, c_loc(input), complex_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_c2c_fft3d

  subroutine backward_c2c_buffered_fft3d(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_float_complex), target :: input(*)
    complex(c_float_complex), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_single, c_loc(input), complex_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_c2c_buffered_fft3d

  subroutine backward_c2c_batch_fft3d(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_float_complex), target :: input(*)
    complex(c_float_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_single, c_loc(input), complex_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_c2c_batch_fft3d

  subroutine backward_c2c_batch_buffered_fft3d(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_float_complex), target :: input(*)
    complex(c_float_complex), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_single, c_loc(input), complex_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_c2c_batch_buffered_fft3d

  subroutine backward_z2d_fft3d(self, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_double_complex), target :: input(*)
    real(c_double), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_double, c_loc(input), real_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_z2d_fft3d

  subroutine backward_z2d_buffered_fft3d(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_double_complex), target :: input(*)
    real(c_double), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_double, c_loc(input), real_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_z2d_buffered_fft3d

  subroutine backward_z2d_batch_fft3d(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_double_complex), target :: input(*)
    real(c_double), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_double, c_loc(input), real_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_z2d_batch_fft3d

  subroutine backward_z2d_batch_buffered_fft3d(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_double_complex), target :: input(*)
    real(c_double), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_double, c_loc(input), real_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_z2d_batch_buffered_fft3d

  subroutine backward_z2z_fft3d(self, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_double_complex), target :: input(*)
    complex(c_double_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_double, c_loc(input), complex_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_z2z_fft3d

  subroutine backward_z2z_buffered_fft3d(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    complex(c_double_complex), target :: input(*)
    complex(c_double_complex), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_double, c_loc(input), complex_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_z2z_buffered_fft3d

  subroutine backward_z2z_batch_fft3d(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_double_complex), target :: input(*)
    complex(c_double_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_double, c_loc(input), complex_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_z2z_batch_fft3d

  subroutine backward_z2z_batch_buffered_fft3d(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_double_complex), target :: input(*)
    complex(c_double_complex), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_double, c_loc(input), complex_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_z2z_batch_buffered_fft3d

  subroutine forward_s2c_r2c(self, input, output, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    real(c_float), target :: input(*)
    complex(c_float_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, real_single, c_loc(input), complex_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_s2c_r2c

  subroutine forward_s2c_buffered_r2c(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    real(c_float), target :: input(*)
    complex(c_float_complex), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, real_single, c_loc(input), complex_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_s2c_buffered_r2c

  subroutine forward_s2c_batch_r2c(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    real(c_float), target :: input(*)
    complex(c_float_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, real_single, c_loc(input), complex_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_s2c_batch_r2c

  subroutine forward_s2c_batch_buffered_r2c(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    real(c_float), target :: input(*)
    complex(c_float_complex), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, real_single, c_loc(input), complex_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_s2c_batch_buffered_r2c

  subroutine forward_d2z_r2c(self, input, output, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    real(c_double), target :: input(*)
    complex(c_double_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, real_double, c_loc(input), complex_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_d2z_r2c

  subroutine forward_d2z_buffered_r2c(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    real(c_double), target :: input(*)
    complex(c_double_complex), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., 1_c_int, real_double, c_loc(input), complex_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_d2z_buffered_r2c

  subroutine forward_d2z_batch_r2c(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    real(c_double), target :: input(*)
    complex(c_double_complex), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, real_double, c_loc(input), complex_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine forward_d2z_batch_r2c

  subroutine forward_d2z_batch_buffered_r2c(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    real(c_double), target :: input(*)
    complex(c_double_complex), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .true., batch_size, real_double, c_loc(input), complex_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine forward_d2z_batch_buffered_r2c

  subroutine backward_c2s_r2c(self, input, output, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    complex(c_float_complex), target :: input(*)
    real(c_float), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_single, c_loc(input), real_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_c2s_r2c

  subroutine backward_c2s_buffered_r2c(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    complex(c_float_complex), target :: input(*)
    real(c_float), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_single, c_loc(input), real_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_c2s_buffered_r2c

  subroutine backward_c2s_batch_r2c(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_float_complex), target :: input(*)
    real(c_float), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_single, c_loc(input), real_single, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_c2s_batch_r2c

  subroutine backward_c2s_batch_buffered_r2c(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_float_complex), target :: input(*)
    real(c_float), target :: output(*)
    complex(c_float_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_single, c_loc(input), real_single, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_c2s_batch_buffered_r2c

  subroutine backward_z2d_r2c(self, input, output, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    complex(c_double_complex), target :: input(*)
    real(c_double), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_double, c_loc(input), real_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_z2d_r2c

  subroutine backward_z2d_buffered_r2c(self, input, output, workspace, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    complex(c_double_complex), target :: input(*)
    real(c_double), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., 1_c_int, complex_double, c_loc(input), real_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_z2d_buffered_r2c

  subroutine backward_z2d_batch_r2c(self, batch_size, input, output, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_double_complex), target :: input(*)
    real(c_double), target :: output(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_double, c_loc(input), real_double, c_loc(output), &
      c_null_ptr, scaling)
  end subroutine backward_z2d_batch_r2c

  subroutine backward_z2d_batch_buffered_r2c(self, batch_size, input, output, workspace, scaling)
    class(weft_heffte_fft3d_r2c), intent(in) :: self
    integer(c_int), intent(in) :: batch_size
    complex(c_double_complex), target :: input(*)
    real(c_double), target :: output(*)
    complex(c_double_complex), target :: workspace(*)
    integer(scale), intent(in), optional :: scaling
    call run(self%plan, .false., batch_size, complex_double, c_loc(input), real_double, c_loc(output), &
      c_loc(workspace), scaling)
  end subroutine backward_z2d_batch_buffered_r2c
end module weft_heffte
