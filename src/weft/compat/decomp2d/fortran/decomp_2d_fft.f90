! decomp_2d_fft: 2DECOMP&FFT's transforms over weft: from pencils of real space to pencils of the spectrum and back, of any number of
! grids. Nothing is scaled.
! Keeps: a transform of all axes is one plan of weft's, made by its first run, which serves both signs.
module decomp_2d_fft
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use decomp_2d
  use decomp_2d_constants
  use decomp_2d_mpi
  use weft_c, only: backwards, c_array, forwards
  use weft_pencils, only: boxes_of, create_plan, free_plan, require_fit, run_plan, size_of, text_of
  use weft_problems, only: weft_dct1, weft_problem
  implicit none
  private
  public :: decomp_2d_fft_init, decomp_2d_fft_3d, decomp_2d_dtt_3d_r2r, decomp_2d_fft_finalize, decomp_2d_fft_engine
  public :: decomp_2d_fft_get_size, decomp_2d_fft_get_ph, decomp_2d_fft_get_sp, decomp_2d_fft_get_format
  public :: decomp_2d_fft_get_ngrid, decomp_2d_fft_set_ngrid, decomp_2d_fft_use_grid, decomp_2d_fft_get_engine
  public :: decomp_2d_fft_get_inplace, decomp_2d_fft_get_inplace_r2c, decomp_2d_fft_get_inplace_c2r
  !> What computes is what weft has; programs that look here find what has the same features.
  integer, parameter, public :: D2D_FFT_BACKEND = D2D_FFT_BACKEND_FFTW3_F03

  !> The transforms of a grid: of complex numbers, and of real ones.
  type :: decomp_2d_fft_engine
    type(decomp_info), pointer, public :: ph => null()  !< of real space
    type(decomp_info), public :: sp                     !< of the spectrum of real numbers
    !> With cosines: the types along the axes, the first points that are transformed, and how many points are not.
    integer, allocatable, public :: dtt(:)
    integer, private :: format = 0, extents(3) = 0
    logical, private :: initialised = .false., inplace = .false., inplace_r2c = .false., inplace_c2r = .false.
    logical, private :: skips(3) = .false.
    type(c_ptr), private :: c2c_plan = c_null_ptr, r2c_plan = c_null_ptr, cosine_plan = c_null_ptr
  contains
    !> call engine%init(pencil, nx, ny, nz [, opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c, opt_DTT]): the grid
    !> becomes the one that is used.
    procedure, public :: init => init_engine
    procedure, public :: fin => finish_engine
    procedure, public :: use_it => use_engine
    procedure, private :: engine_c2c, engine_r2c, engine_c2r
    generic, public :: fft => engine_c2c, engine_r2c, engine_c2r
  end type decomp_2d_fft_engine

  ! One of the grids that have numbers. They stay where they are when there are more of them.
  type :: numbered_grid
    type(decomp_2d_fft_engine), pointer :: engine => null()
  end type numbered_grid
  type(numbered_grid), allocatable, save :: grids(:)
  ! The engine that is used.
  class(decomp_2d_fft_engine), pointer, save :: used => null()

  !> call decomp_2d_fft_init([pencil [, nx, ny, nz [, igrid]]] [, options of an engine]).
  interface decomp_2d_fft_init
    module procedure :: init_default, init_pencil, init_sizes, init_numbered
  end interface decomp_2d_fft_init
  !> call decomp_2d_fft_3d(in, out [, isign]): complex to complex with a sign, real to complex, or complex to real.
  interface decomp_2d_fft_3d
    module procedure :: run_c2c, run_r2c, run_c2r
  end interface decomp_2d_fft_3d

contains

  ! ---- grids ----

  subroutine init_default()
    call init_pencil(PHYSICAL_IN_X)
  end subroutine init_default

  subroutine init_pencil(pencil, opt_skip_XYZ_c2c, opt_DTT)
    integer, intent(in) :: pencil
    logical, intent(in), optional :: opt_skip_XYZ_c2c(3)
    integer, intent(in), optional :: opt_DTT(:)
    call init_sizes(pencil, nx_global, ny_global, nz_global, opt_skip_XYZ_c2c=opt_skip_XYZ_c2c, opt_DTT=opt_DTT)
  end subroutine init_pencil

  subroutine init_sizes(pencil, nx, ny, nz, opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c, opt_DTT)
    integer, intent(in) :: pencil, nx, ny, nz
    logical, intent(in), optional :: opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c(3)
    integer, intent(in), optional :: opt_DTT(:)
    call decomp_2d_fft_set_ngrid(1)
    call init_numbered(pencil, nx, ny, nz, 1, opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c, opt_DTT)
  end subroutine init_sizes

  subroutine init_numbered(pencil, nx, ny, nz, igrid, opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c, opt_DTT)
    integer, intent(in) :: pencil, nx, ny, nz, igrid
    logical, intent(in), optional :: opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c(3)
    integer, intent(in), optional :: opt_DTT(:)
    call require_number(igrid)
    call grids(igrid)%engine%init(pencil, nx, ny, nz, opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c, opt_DTT)
  end subroutine init_numbered

  subroutine require_number(igrid)
    integer, intent(in) :: igrid
    if (igrid < 1 .or. igrid > decomp_2d_fft_get_ngrid()) call decomp_2d_abort(1, 'there is no grid '//text_of([igrid])// &
        ' among '//text_of([decomp_2d_fft_get_ngrid()])//': decomp_2d_fft_set_ngrid says how many there are')
  end subroutine require_number

  function decomp_2d_fft_get_ngrid() result(count)
    integer :: count
    count = 0
    if (allocated(grids)) count = size(grids)
  end function decomp_2d_fft_get_ngrid

  !> Says how many grids have numbers. Those that there are stay; those that are left out are freed.
  subroutine decomp_2d_fft_set_ngrid(ngrd)
    integer, intent(in) :: ngrd
    type(numbered_grid), allocatable :: now(:)
    integer :: i
    if (ngrd < 1) call decomp_2d_abort(1, 'there are 1 or more grids, not '//text_of([ngrd]))
    allocate (now(ngrd))
    do i = 1, max(ngrd, decomp_2d_fft_get_ngrid())
      if (i > ngrd) then
        call free_numbered(grids(i))
      else if (i <= decomp_2d_fft_get_ngrid()) then
        now(i) = grids(i)
      else
        allocate (now(i)%engine)
      end if
    end do
    call move_alloc(now, grids)
  end subroutine decomp_2d_fft_set_ngrid

  subroutine free_numbered(grid)
    type(numbered_grid), intent(inout) :: grid
    if (grid%engine%initialised) call grid%engine%fin()
    deallocate (grid%engine)
  end subroutine free_numbered

  subroutine decomp_2d_fft_use_grid(igrid)
    integer, intent(in), optional :: igrid
    integer :: number
    number = 1
    if (present(igrid)) number = igrid
    call require_number(number)
    call grids(number)%engine%use_it()
  end subroutine decomp_2d_fft_use_grid

  function decomp_2d_fft_get_engine(igrid) result(engine)
    integer, intent(in), optional :: igrid
    type(decomp_2d_fft_engine), pointer :: engine
    integer :: number
    number = 1
    if (present(igrid)) number = igrid
    call require_number(number)
    engine => grids(number)%engine
  end function decomp_2d_fft_get_engine

  !> Frees all grids that have numbers. Collective.
  subroutine decomp_2d_fft_finalize()
    integer :: i
    do i = 1, decomp_2d_fft_get_ngrid()
      call free_numbered(grids(i))
    end do
    if (allocated(grids)) deallocate (grids)
  end subroutine decomp_2d_fft_finalize

  ! ---- engines ----

  subroutine init_engine(engine, pencil, nx, ny, nz, opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c, opt_DTT)
    class(decomp_2d_fft_engine), intent(inout), target :: engine
    integer, intent(in) :: pencil, nx, ny, nz
    logical, intent(in), optional :: opt_inplace, opt_inplace_r2c, opt_inplace_c2r, opt_skip_XYZ_c2c(3)
    integer, intent(in), optional :: opt_DTT(:)
    if (engine%initialised) call decomp_2d_abort(1, 'an engine is initialised once, or again after it was finished')
    if (pencil /= PHYSICAL_IN_X .and. pencil /= PHYSICAL_IN_Z) call decomp_2d_abort(1, &
        'real space lies in X or in Z pencils, PHYSICAL_IN_X or PHYSICAL_IN_Z, not '//text_of([pencil]))
    if (present(opt_DTT)) call set_cosines(engine, opt_DTT)
    engine%format = pencil
    engine%extents = [nx, ny, nz]
    engine%inplace = is_true(opt_inplace)
    engine%inplace_r2c = engine%inplace .and. is_true(opt_inplace_r2c)
    engine%inplace_c2r = engine%inplace .and. is_true(opt_inplace_c2r)
    engine%skips = .false.
    if (present(opt_skip_XYZ_c2c)) engine%skips = opt_skip_XYZ_c2c
    if (all(engine%extents == [nx_global, ny_global, nz_global])) then
      engine%ph => decomp_main
    else
      allocate (engine%ph)
      call decomp_info_init(nx, ny, nz, engine%ph)
    end if
    if (pencil == PHYSICAL_IN_X) then
      call decomp_info_init(nx/2 + 1, ny, nz, engine%sp)
    else
      call decomp_info_init(nx, ny, nz/2 + 1, engine%sp)
    end if
    engine%initialised = .true.
    used => engine
  end subroutine init_engine

  ! Which points the other types of 2DECOMP&FFT transform is not documented.
  subroutine set_cosines(engine, types)
    class(decomp_2d_fft_engine), intent(inout) :: engine
    integer, intent(in) :: types(:)
    if (allocated(engine%dtt)) deallocate (engine%dtt)
    if (all(types == 0)) return
    if (size(types) /= 3 .or. any(types /= 1)) call decomp_2d_abort(4, 'of sine and cosine transforms (opt_DTT), '// &
        'only cosines of type 1 along all axes, 1x1x1, are there, not '//text_of(types)// &
        ': a weft_problem with bases has the others')
    engine%dtt = [types, 1, 1, 1, 0, 0, 0]
  end subroutine set_cosines

  pure function is_true(option)
    logical, intent(in), optional :: option
    logical :: is_true
    is_true = .false.
    if (present(option)) is_true = option
  end function is_true

  !> Frees the plans of this grid. Collective.
  subroutine finish_engine(engine)
    class(decomp_2d_fft_engine), intent(inout), target :: engine
    if (.not. engine%initialised) return
    call free_plan(engine%c2c_plan)
    call free_plan(engine%r2c_plan)
    call free_plan(engine%cosine_plan)
    if (allocated(engine%dtt)) deallocate (engine%dtt)
    if (associated(engine%ph, decomp_main)) then
      nullify (engine%ph)
    else
      deallocate (engine%ph)
    end if
    call decomp_info_finalize(engine%sp)
    engine%initialised = .false.
    if (associated(used)) then
      if (.not. used%initialised) nullify (used)
    end if
  end subroutine finish_engine

  !> Has decomp_2d_fft_3d and the questions below be about this grid.
  subroutine use_engine(engine, opt_force)
    class(decomp_2d_fft_engine), intent(inout), target :: engine
    logical, intent(in), optional :: opt_force
    if (.not. engine%initialised .and. .not. is_true(opt_force)) call decomp_2d_abort(1, &
        'an engine is initialised before it is used')
    used => engine
  end subroutine use_engine

  ! ---- questions about the grid that is used ----

  subroutine require_used()
    if (.not. associated(used)) call decomp_2d_abort(1, 'decomp_2d_fft_init comes first')
  end subroutine require_used

  !> What this rank has of the spectrum of real numbers.
  subroutine decomp_2d_fft_get_size(istart, iend, isize)
    integer, intent(out) :: istart(3), iend(3), isize(3)
    call require_used()
    if (used%format == PHYSICAL_IN_X) then
      istart = used%sp%zst
      iend = used%sp%zen
      isize = used%sp%zsz
    else
      istart = used%sp%xst
      iend = used%sp%xen
      isize = used%sp%xsz
    end if
  end subroutine decomp_2d_fft_get_size

  function decomp_2d_fft_get_ph() result(ph)
    type(decomp_info), pointer :: ph
    call require_used()
    ph => used%ph
  end function decomp_2d_fft_get_ph

  function decomp_2d_fft_get_sp() result(sp)
    type(decomp_info), pointer :: sp
    call require_used()
    sp => used%sp
  end function decomp_2d_fft_get_sp

  function decomp_2d_fft_get_format() result(format)
    integer :: format
    call require_used()
    format = used%format
  end function decomp_2d_fft_get_format

  function decomp_2d_fft_get_inplace() result(is_so)
    logical :: is_so
    call require_used()
    is_so = used%inplace
  end function decomp_2d_fft_get_inplace

  function decomp_2d_fft_get_inplace_r2c() result(is_so)
    logical :: is_so
    call require_used()
    is_so = used%inplace_r2c
  end function decomp_2d_fft_get_inplace_r2c

  function decomp_2d_fft_get_inplace_c2r() result(is_so)
    logical :: is_so
    call require_used()
    is_so = used%inplace_c2r
  end function decomp_2d_fft_get_inplace_c2r

  ! ---- plans ----

  ! The plan of an engine for complex numbers, or for real ones, made where there is none yet. Its input is real space.
  function plan_of(engine, kind) result(handle)
    class(decomp_2d_fft_engine), intent(inout) :: engine
    character(len=*), intent(in) :: kind
    type(c_ptr) :: handle
    type(weft_problem) :: problem
    integer :: along, order(3)
    handle = engine%c2c_plan
    if (kind == 'r2c') handle = engine%r2c_plan
    if (kind == 'r2r') handle = engine%cosine_plan
    if (c_associated(handle)) return
    along = engine%format  ! X and Z pencils have the numbers of their axes
    if (kind == 'r2c' .and. engine%skips(along)) call decomp_2d_abort(1, 'a transform of real numbers halves axis '// &
        text_of([along])//', which cannot be skipped')
    problem = weft_problem(int(engine%extents, int64), kind=kind, norm='none')
    if (mytype_bytes == 4) problem%precision = 'single'
    ! The last Fourier axis of the list is halved.
    order = [4 - along, 2, along]
    problem%axes = pack(int(order, int64), .not. engine%skips(order))
    if (kind == 'r2r') then
      problem%axes = order
      problem%bases = [weft_dct1, weft_dct1, weft_dct1]
    end if
    problem%input = boxes_of(engine%ph, along)
    problem%output = boxes_of(spectrum_of(engine, kind), 4 - along)
    call create_plan(problem, handle)
    if (kind == 'r2c') engine%r2c_plan = handle
    if (kind == 'c2c') engine%c2c_plan = handle
    if (kind == 'r2r') engine%cosine_plan = handle
  end function plan_of

  function spectrum_of(engine, kind) result(decomp)
    class(decomp_2d_fft_engine), intent(in) :: engine
    character(len=*), intent(in) :: kind
    type(decomp_info) :: decomp
    decomp = engine%ph
    if (kind == 'r2c') decomp = engine%sp
  end function spectrum_of

  subroutine run(engine, kind, direction, from, from_shape, to, to_shape)
    class(decomp_2d_fft_engine), intent(inout) :: engine
    character(len=*), intent(in) :: kind
    integer(c_int), intent(in) :: direction
    type(c_ptr), intent(in) :: from, to
    integer, intent(in) :: from_shape(3), to_shape(3)
    integer :: space(3), waves(3)
    space = size_of(engine%ph, engine%format)
    waves = size_of(spectrum_of(engine, kind), 4 - engine%format)
    call require_fit(from_shape, merge(space, waves, direction == forwards), 'the array that is transformed')
    call require_fit(to_shape, merge(waves, space, direction == forwards), 'the array of the result')
    call run_plan(plan_of(engine, kind), direction, c_array(from, product(int(from_shape, c_int64_t))), &
        c_array(to, product(int(to_shape, c_int64_t))))
  end subroutine run

  ! ---- transforms ----

  subroutine run_c2c(in, out, isign)
    complex(mytype), intent(inout), contiguous, target :: in(:, :, :), out(:, :, :)
    integer, intent(in) :: isign
    call require_used()
    call require_sign(isign)
    call run(used, 'c2c', merge(forwards, backwards, isign == DECOMP_2D_FFT_FORWARD), c_loc(in), shape(in), c_loc(out), shape(out))
  end subroutine run_c2c

  !> Cosines of type 1 along all axes, and with isign = DECOMP_2D_FFT_BACKWARD the way back: both together multiply by 2 (n - 1) along
  !> each axis. Real space and spectrum have the same points.
  subroutine decomp_2d_dtt_3d_r2r(in, out, isign)
    real(mytype), intent(inout), contiguous, target :: in(:, :, :), out(:, :, :)
    integer, intent(in) :: isign
    call require_used()
    if (.not. allocated(used%dtt)) call decomp_2d_abort(1, 'decomp_2d_dtt_3d_r2r is for grids that are initialised with opt_DTT')
    call require_sign(isign)
    call run(used, 'r2r', merge(forwards, backwards, isign == DECOMP_2D_FFT_FORWARD), c_loc(in), shape(in), c_loc(out), shape(out))
  end subroutine decomp_2d_dtt_3d_r2r

  subroutine require_sign(isign)
    integer, intent(in) :: isign
    if (isign /= DECOMP_2D_FFT_FORWARD .and. isign /= DECOMP_2D_FFT_BACKWARD) call decomp_2d_abort(1, &
        'isign is DECOMP_2D_FFT_FORWARD (-1) or DECOMP_2D_FFT_BACKWARD (1), not '//text_of([isign]))
  end subroutine require_sign

  subroutine run_r2c(in_r, out_c)
    real(mytype), intent(inout), contiguous, target :: in_r(:, :, :)
    complex(mytype), intent(inout), contiguous, target :: out_c(:, :, :)
    call require_used()
    call run(used, 'r2c', forwards, c_loc(in_r), shape(in_r), c_loc(out_c), shape(out_c))
  end subroutine run_r2c

  subroutine run_c2r(in_c, out_r)
    complex(mytype), intent(inout), contiguous, target :: in_c(:, :, :)
    real(mytype), intent(inout), contiguous, target :: out_r(:, :, :)
    call require_used()
    call run(used, 'r2c', backwards, c_loc(in_c), shape(in_c), c_loc(out_r), shape(out_r))
  end subroutine run_c2r

  subroutine engine_c2c(engine, in, out, isign)
    class(decomp_2d_fft_engine), intent(inout), target :: engine
    complex(mytype), intent(inout), contiguous, target :: in(:, :, :), out(:, :, :)
    integer, intent(in) :: isign
    call engine%use_it()
    call run_c2c(in, out, isign)
  end subroutine engine_c2c

  subroutine engine_r2c(engine, in_r, out_c)
    class(decomp_2d_fft_engine), intent(inout), target :: engine
    real(mytype), intent(inout), contiguous, target :: in_r(:, :, :)
    complex(mytype), intent(inout), contiguous, target :: out_c(:, :, :)
    call engine%use_it()
    call run_r2c(in_r, out_c)
  end subroutine engine_r2c

  subroutine engine_c2r(engine, in_c, out_r)
    class(decomp_2d_fft_engine), intent(inout), target :: engine
    complex(mytype), intent(inout), contiguous, target :: in_c(:, :, :)
    real(mytype), intent(inout), contiguous, target :: out_r(:, :, :)
    call engine%use_it()
    call run_c2r(in_c, out_r)
  end subroutine engine_c2r

end module decomp_2d_fft
