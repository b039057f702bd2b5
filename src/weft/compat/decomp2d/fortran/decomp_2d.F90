! decomp_2d: 2DECOMP&FFT's pencils over weft: the grid of a program and others, arrays for them, and moves between their pencils.
! Keeps: the names of version 2.1; docs/compat/decomp2d.md says which there are.
module decomp_2d
  use mpi
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, output_unit, real32, real64
  use decomp_2d_constants, only: D2D_DEBUG_LEVEL_OFF, D2D_LOG_QUIET, decomp_profiler_none, mytype
  use decomp_2d_mpi
  use m_halo
  use weft_c, only: backwards, c_array, forwards
  use weft_pencils
  implicit none
  private
  public :: decomp_2d_init, decomp_2d_finalize, decomp_info, decomp_info_init, decomp_info_finalize, decomp_info_print
  public :: get_decomp_info, get_decomp_dims, partition, d2d_listing
  public :: alloc_x, alloc_y, alloc_z, transpose_x_to_y, transpose_y_to_z, transpose_z_to_y, transpose_y_to_x
  public :: update_halo, halo_exchange, halo_extents_t, decomp_main
  public :: decomp_profiler_init, decomp_profiler_fin, decomp_profiler_prep, decomp_profiler_start, decomp_profiler_end

  integer, save, public, protected :: nx_global = 0, ny_global = 0, nz_global = 0
  !> What this rank has of the program's grid in X, Y and Z pencils, by global indices from 1.
  integer, save, public, protected :: xstart(3) = 1, xend(3) = 0, xsize(3) = 0
  integer, save, public, protected :: ystart(3) = 1, yend(3) = 0, ysize(3) = 0
  integer, save, public, protected :: zstart(3) = 1, zend(3) = 0, zsize(3) = 0
  !> The process grid, with the axes that are periodic in each kind of pencils.
  integer, save, public, protected :: DECOMP_2D_COMM_CART_X = MPI_COMM_NULL, DECOMP_2D_COMM_CART_Y = MPI_COMM_NULL, &
      DECOMP_2D_COMM_CART_Z = MPI_COMM_NULL

  !> D2D_LOG_STDOUT: rank 0 prints the decomposition. Nothing is written into files, whatever is asked for.
  integer, save, public :: decomp_log = D2D_LOG_QUIET
  !> These change nothing.
  integer, save, public :: decomp_debug = D2D_DEBUG_LEVEL_OFF, decomp_profiler = decomp_profiler_none
  logical, save, public :: decomp_profiler_transpose = .false., decomp_profiler_io = .false., decomp_profiler_fft = .false., &
      decomp_profiler_d2d = .false.
  !> call alloc_x(var [, decomp] [, opt_global, opt_levels]): an array for X pencils, with global or local indices, and ghost points.
  interface alloc_x
    module procedure :: x_rs, x_rd, x_cs, x_cd, x_in, x_lo, &
        x_of_rs, x_of_rd, x_of_cs, x_of_cd, x_of_in, x_of_lo
  end interface alloc_x
  !> call alloc_y(var [, decomp] [, opt_global, opt_levels]): an array for Y pencils, with global or local indices, and ghost points.
  interface alloc_y
    module procedure :: y_rs, y_rd, y_cs, y_cd, y_in, y_lo, &
        y_of_rs, y_of_rd, y_of_cs, y_of_cd, y_of_in, y_of_lo
  end interface alloc_y
  !> call alloc_z(var [, decomp] [, opt_global, opt_levels]): an array for Z pencils, with global or local indices, and ghost points.
  interface alloc_z
    module procedure :: z_rs, z_rd, z_cs, z_cd, z_in, z_lo, &
        z_of_rs, z_of_rd, z_of_cs, z_of_cd, z_of_in, z_of_lo
  end interface alloc_z
  !> call transpose_x_to_y(src, dst [, decomp]), and so on: moves real or complex numbers to other pencils. Collective.
  interface transpose_x_to_y
    module procedure :: x_to_y_real, x_to_y_complex
  end interface transpose_x_to_y
  interface transpose_y_to_z
    module procedure :: y_to_z_real, y_to_z_complex
  end interface transpose_y_to_z
  interface transpose_z_to_y
    module procedure :: z_to_y_real, z_to_y_complex
  end interface transpose_z_to_y
  interface transpose_y_to_x
    module procedure :: y_to_x_real, y_to_x_complex
  end interface transpose_y_to_x

contains

  ! ---- the beginning and the end ----

  !> Divides a grid among p_row x p_col ranks; if both are 0, they are chosen, and returned. periodic_bc says which axes ghost
  !> points are periodic along. Collective over `comm`, or all ranks. complex_pool changes nothing.
  subroutine decomp_2d_init(nx, ny, nz, p_row, p_col, periodic_bc, comm, complex_pool)
    integer, intent(in) :: nx, ny, nz
    integer, intent(inout) :: p_row, p_col
    logical, intent(in), optional :: periodic_bc(3)
    integer, intent(in), optional :: comm
    logical, intent(in), optional :: complex_pool
    integer :: ierror
    if (dims(1) /= 0) call decomp_2d_abort(1, 'decomp_2d_init comes once, or after decomp_2d_finalize')
    call decomp_2d_mpi_init(comm)
    if (p_row == 0 .and. p_col == 0) call choose_grid([nx, ny, nz], p_row, p_col)
    if (p_row < 1 .or. p_col < 1 .or. p_row*p_col /= nproc) call decomp_2d_abort(1, 'a process grid of '// &
        text_of([p_row, p_col])//' has not '//text_of([nproc])//' ranks: 0 and 0 have one chosen')
    dims = [p_row, p_col]
    coord = [nrank/p_col, mod(nrank, p_col)]
    periodic = .false.
    if (present(periodic_bc)) periodic = periodic_bc
    call decomp_info_init(nx, ny, nz, decomp_main)
    call tell_globals()
    call MPI_Cart_create(decomp_2d_comm, 2, dims, [periodic(2), periodic(3)], .false., DECOMP_2D_COMM_CART_X, ierror)
    call MPI_Cart_create(decomp_2d_comm, 2, dims, [periodic(1), periodic(3)], .false., DECOMP_2D_COMM_CART_Y, ierror)
    call MPI_Cart_create(decomp_2d_comm, 2, dims, [periodic(1), periodic(2)], .false., DECOMP_2D_COMM_CART_Z, ierror)
    if (decomp_log /= D2D_LOG_QUIET .and. nrank == 0) call d2d_listing()
  end subroutine decomp_2d_init

  ! The most square process grid of no more rows than columns that leaves no rank without points, or the most square one.
  subroutine choose_grid(n, p_row, p_col)
    integer, intent(in) :: n(3)
    integer, intent(out) :: p_row, p_col
    integer :: row
    p_row = 0
    do row = int(sqrt(real(nproc, real64)) + 0.5), 1, -1
      if (mod(nproc, row) /= 0 .or. row*row > nproc) cycle
      if (p_row == 0) p_row = row
      if (fits(n, row, nproc/row)) then
        p_row = row
        exit
      end if
      if (fits(n, nproc/row, row)) then
        p_row = nproc/row
        exit
      end if
    end do
    p_col = nproc/p_row
  end subroutine choose_grid

  pure function fits(n, row, col)
    integer, intent(in) :: n(3), row, col
    logical :: fits
    fits = row <= min(n(1), n(2)) .and. col <= min(n(2), n(3))
  end function fits

  subroutine tell_globals()
    nx_global = decomp_main%xsz(1)
    ny_global = decomp_main%ysz(2)
    nz_global = decomp_main%zsz(3)
    xstart = decomp_main%xst
    xend = decomp_main%xen
    xsize = decomp_main%xsz
    ystart = decomp_main%yst
    yend = decomp_main%yen
    ysize = decomp_main%ysz
    zstart = decomp_main%zst
    zend = decomp_main%zen
    zsize = decomp_main%zsz
  end subroutine tell_globals

  !> Frees all but the program's arrays. Collective.
  subroutine decomp_2d_finalize()
    call free_kept()
    call decomp_2d_mpi_comm_free(DECOMP_2D_COMM_CART_X)
    call decomp_2d_mpi_comm_free(DECOMP_2D_COMM_CART_Y)
    call decomp_2d_mpi_comm_free(DECOMP_2D_COMM_CART_Z)
    call decomp_info_finalize(decomp_main)
    call tell_globals()
    dims = 0
    call decomp_2d_mpi_fin()
  end subroutine decomp_2d_finalize

  !> The decomposition of the program's grid, as a copy.
  subroutine get_decomp_info(decomp)
    type(decomp_info), intent(out) :: decomp
    decomp = decomp_main
  end subroutine get_decomp_info

  !> The numbers of rows and columns of the process grid.
  function get_decomp_dims()
    integer :: get_decomp_dims(2)
    get_decomp_dims = dims
  end function get_decomp_dims

  ! ---- what is printed ----

  !> Prints what this rank has of a grid.
  subroutine decomp_info_print(d2d, io_unit, d2dname)
    type(decomp_info), intent(in) :: d2d
    integer, intent(in) :: io_unit
    character(len=*), intent(in) :: d2dname
    integer :: pencil
    write (io_unit, '(3a, i0)') d2dname, ': '//text_of(extents_of(d2d)), ', rank ', nrank
    do pencil = 1, 3
      write (io_unit, '(3a, 3(1x, i0), a, 3(1x, i0))') '  ', 'XYZ'(pencil:pencil), ' pencils:', first_of(d2d, pencil), ' to', &
          last_of(d2d, pencil)
    end do
  end subroutine decomp_info_print

  !> Prints the decomposition of the program's grid.
  subroutine d2d_listing(given_io_unit)
    integer, intent(in), optional :: given_io_unit
    integer :: io_unit
    io_unit = output_unit
    if (present(given_io_unit)) io_unit = given_io_unit
    write (io_unit, '(4a)') '2DECOMP&FFT of weft: ', text_of(extents_of(decomp_main)), ' points on ranks ', text_of(dims)
    call decomp_info_print(decomp_main, io_unit, 'decomp_main')
  end subroutine d2d_listing

  ! ---- profiling, of which there is none ----

  subroutine decomp_profiler_init()
  end subroutine decomp_profiler_init

  subroutine decomp_profiler_fin()
  end subroutine decomp_profiler_fin

  subroutine decomp_profiler_prep(profiler_setup)
    logical, intent(in), optional :: profiler_setup(4)
  end subroutine decomp_profiler_prep

  subroutine decomp_profiler_start(timer_name)
    character(len=*), intent(in) :: timer_name
  end subroutine decomp_profiler_start

  subroutine decomp_profiler_end(timer_name)
    character(len=*), intent(in) :: timer_name
  end subroutine decomp_profiler_end

  ! ---- moves ----

  subroutine move(pencils, direction, bits, src, src_shape, dst, dst_shape, decomp)
    integer, intent(in) :: pencils(2), bits, src_shape(3), dst_shape(3)
    integer(c_int), intent(in) :: direction
    type(c_ptr), intent(in) :: src, dst
    type(decomp_info), intent(in), optional :: decomp
    type(decomp_info) :: of
    integer :: from, to
    of = decomp_main
    if (present(decomp)) of = decomp
    from = merge(pencils(1), pencils(2), direction == forwards)
    to = sum(pencils) - from
    call require_fit(src_shape, size_of(of, from), 'the array that is moved')
    call require_fit(dst_shape, size_of(of, to), 'the array that is moved to')
    call run_move(kept_move(of, pencils, bits/8), direction, c_array(src, product(int(src_shape, c_int64_t))), &
        c_array(dst, product(int(dst_shape, c_int64_t))))
  end subroutine move

  ! ---- arrays ----

  subroutine bounds_of(decomp, pencil, opt_global, opt_levels, from, to)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in) :: pencil
    logical, intent(in), optional :: opt_global
    integer, intent(in), optional :: opt_levels(3)
    integer, intent(out) :: from(3), to(3)
    integer :: levels(3)
    levels = in_pencil(pencil, decomp%xlevel, decomp%ylevel, decomp%zlevel)
    if (present(opt_levels)) levels = opt_levels
    from = 1
    if (present(opt_global)) then
      if (opt_global) from = first_of(decomp, pencil)
    end if
    to = from + size_of(decomp, pencil) - 1 + levels
    from = from - levels
  end subroutine bounds_of

  subroutine no_memory(from, to)
    integer, intent(in) :: from(3), to(3)
    call decomp_2d_abort(3, 'there is no memory for an array of '//text_of(to - from + 1)//' points')
  end subroutine no_memory

  ! ---- for each type ----

#define ELEMENT real(mytype)
#define X_TO_Y x_to_y_real
#define Y_TO_Z y_to_z_real
#define Z_TO_Y z_to_y_real
#define Y_TO_X y_to_x_real
#include "weft_transposes.inc"
#define ELEMENT complex(mytype)
#define X_TO_Y x_to_y_complex
#define Y_TO_Z y_to_z_complex
#define Z_TO_Y z_to_y_complex
#define Y_TO_X y_to_x_complex
#include "weft_transposes.inc"
#define ELEMENT real(real32)
#define IN_X x_rs
#define IN_X_OF x_of_rs
#define IN_Y y_rs
#define IN_Y_OF y_of_rs
#define IN_Z z_rs
#define IN_Z_OF z_of_rs
#include "weft_alloc.inc"
#define ELEMENT real(real64)
#define IN_X x_rd
#define IN_X_OF x_of_rd
#define IN_Y y_rd
#define IN_Y_OF y_of_rd
#define IN_Z z_rd
#define IN_Z_OF z_of_rd
#include "weft_alloc.inc"
#define ELEMENT complex(real32)
#define IN_X x_cs
#define IN_X_OF x_of_cs
#define IN_Y y_cs
#define IN_Y_OF y_of_cs
#define IN_Z z_cs
#define IN_Z_OF z_of_cs
#include "weft_alloc.inc"
#define ELEMENT complex(real64)
#define IN_X x_cd
#define IN_X_OF x_of_cd
#define IN_Y y_cd
#define IN_Y_OF y_of_cd
#define IN_Z z_cd
#define IN_Z_OF z_of_cd
#include "weft_alloc.inc"
#define ELEMENT integer
#define IN_X x_in
#define IN_X_OF x_of_in
#define IN_Y y_in
#define IN_Y_OF y_of_in
#define IN_Z z_in
#define IN_Z_OF z_of_in
#include "weft_alloc.inc"
#define ELEMENT logical
#define IN_X x_lo
#define IN_X_OF x_of_lo
#define IN_Y y_lo
#define IN_Y_OF y_of_lo
#define IN_Z z_lo
#define IN_Z_OF z_of_lo
#include "weft_alloc.inc"

end module decomp_2d
