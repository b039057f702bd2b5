! p3dfft: P3DFFT 2.7 for Fortran, over weft: transforms of real fields in X pencils into spectra in Z pencils, and back.
! Keeps: arrays are of any shape, as long as the numbers of this rank are in them one after another. SINGLE_PREC, STRIDE1 and DIMS_C are
! what the original is built for by these names.
module p3dfft
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi, only: MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_DOUBLE_PRECISION, MPI_REAL
  implicit none
  private
  public :: p3dfft_setup, p3dfft_clean, p3dfft_get_dims, p3dfft_get_mpi_info, get_timers, set_timers, print_buf, print_buf_real
  public :: p3dfft_ftran_r2c, p3dfft_btran_c2r, p3dfft_ftran_r2c_many, p3dfft_btran_c2r_many, p3dfft_ftran_r2c_1d
  public :: p3dfft_cheby, p3dfft_cheby_many

  integer, parameter, public :: r8 = real64, i8 = int64
#ifdef SINGLE_PREC
  integer, parameter, public :: p3dfft_type = real32, p3dfft_mpireal = MPI_REAL, p3dfft_mpicomplex = MPI_COMPLEX
  integer, parameter :: precision_flag = 1
#else
  integer, parameter, public :: p3dfft_type = real64, p3dfft_mpireal = MPI_DOUBLE_PRECISION, p3dfft_mpicomplex = MPI_DOUBLE_COMPLEX
  integer, parameter :: precision_flag = 0
#endif
  !> The same by their older names.
  integer, parameter, public :: mytype = p3dfft_type, mpireal = p3dfft_mpireal, mpicomplex = p3dfft_mpicomplex
#ifdef STRIDE1
  integer, parameter :: order_flag = 2
#else
  integer, parameter :: order_flag = 0
#endif
#ifdef DIMS_C
  integer, parameter :: ranks_flag = 4
#else
  integer, parameter :: ranks_flag = 0
#endif

  !> Seconds since set_timers: of transforms forward in the fifth, of those back in the sixth; the others are 0.
  real(c_double), bind(C, name='weft_p3dfft2_timers'), public :: timers(12)

  interface
    subroutine c_setup(layout, dims, points, comm, modes, memsize) bind(C, name='weft_p3dfft2_setup')
      import :: c_int
      integer(c_int), value :: layout, comm
      integer(c_int), intent(in) :: dims(2), points(3), modes(3)
      integer(c_int), intent(out) :: memsize(3)
    end subroutine c_setup
    subroutine c_get_dims(start, end, size, conf) bind(C, name='weft_p3dfft2_get_dims')
      import :: c_int
      integer(c_int), intent(out) :: start(3), end(3), size(3)
      integer(c_int), value :: conf
    end subroutine c_get_dims
    subroutine c_get_mpi_info(rank, ranks, comm) bind(C, name='weft_p3dfft2_get_mpi_info')
      import :: c_int
      integer(c_int), intent(out) :: rank, ranks, comm
    end subroutine c_get_mpi_info
    subroutine c_forward(from, from_step, to, to_step, count, op) bind(C, name='weft_p3dfft2_forward')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: from, to
      integer(c_int), value :: from_step, to_step, count
      character(kind=c_char), intent(in) :: op(*)
    end subroutine c_forward
    subroutine c_backward(from, from_step, to, to_step, count, op) bind(C, name='weft_p3dfft2_backward')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: from, to
      integer(c_int), value :: from_step, to_step, count
      character(kind=c_char), intent(in) :: op(*)
    end subroutine c_backward
    subroutine c_forward_along_x(from, to) bind(C, name='weft_p3dfft2_forward_along_x')
      import :: c_ptr
      type(c_ptr), value :: from, to
    end subroutine c_forward_along_x
    subroutine c_cheby(from, from_step, to, to_step, count, length) bind(C, name='weft_p3dfft2_cheby')
      import :: c_int, c_ptr, c_double
      type(c_ptr), value :: from, to
      integer(c_int), value :: from_step, to_step, count
      real(c_double), value :: length
    end subroutine c_cheby
    subroutine p3dfft_clean() bind(C, name='weft_p3dfft2_clean')
    end subroutine p3dfft_clean
  end interface

contains

  !> Divides nx x ny x nz points among dims(1) x dims(2) ranks. Of the spectrum, as much is kept as a grid of nxcut x nycut x nzcut
  !> points has. memsize: an array of these dimensions has room for both sides. overwrite changes nothing. Collective.
  subroutine p3dfft_setup(dims, nx, ny, nz, mpi_comm_in, nxcut, nycut, nzcut, overwrite, memsize)
    integer, intent(in) :: dims(2), nx, ny, nz, mpi_comm_in
    integer, intent(in), optional :: nxcut, nycut, nzcut
    logical, intent(in), optional :: overwrite
    integer, intent(out), optional :: memsize(3)
    integer(c_int) :: modes(3), sizes(3)
    modes = [nx, ny, nz]
    if (present(nxcut)) modes(1) = nxcut
    if (present(nycut)) modes(2) = nycut
    if (present(nzcut)) modes(3) = nzcut
    call c_setup(precision_flag + order_flag + ranks_flag, dims, [nx, ny, nz], mpi_comm_in, modes, sizes)
    if (present(memsize)) memsize = sizes
  end subroutine p3dfft_setup

  !> What this rank has: of real space (conf 1), of the spectrum (2), of real space with room for the spectrum (3).
  subroutine p3dfft_get_dims(istart, iend, isize, conf)
    integer, intent(out) :: istart(3), iend(3), isize(3)
    integer, intent(in) :: conf
    call c_get_dims(istart, iend, isize, conf)
  end subroutine p3dfft_get_dims

  subroutine p3dfft_get_mpi_info(mpi_taskid, mpi_tasks, mpi_comm)
    integer, intent(out) :: mpi_taskid, mpi_tasks, mpi_comm
    call c_get_mpi_info(mpi_taskid, mpi_tasks, mpi_comm)
  end subroutine p3dfft_get_mpi_info

  !> op: 'fft', and for the last letter c for cosines, s for sines, n or 0 for nothing. Collective, as those that follow.
  subroutine p3dfft_ftran_r2c(XgYiZj, XYZg, op)
    real(p3dfft_type), intent(in), target :: XgYiZj(*)
    complex(p3dfft_type), intent(inout), target :: XYZg(*)
    character(len=3), intent(in) :: op
    call c_forward(c_loc(XgYiZj), 0, c_loc(XYZg), 0, 1, op)
  end subroutine p3dfft_ftran_r2c

  !> op: 'tff', and for the first letter c for cosines, s for sines, n or 0 for nothing.
  subroutine p3dfft_btran_c2r(XYZg, XgYiZj, op)
    complex(p3dfft_type), intent(in), target :: XYZg(*)
    real(p3dfft_type), intent(inout), target :: XgYiZj(*)
    character(len=3), intent(in) :: op
    call c_backward(c_loc(XYZg), 0, c_loc(XgYiZj), 0, 1, op)
  end subroutine p3dfft_btran_c2r

  !> nv fields, which are dim_in and dim_out numbers of their side apart.
  subroutine p3dfft_ftran_r2c_many(XgYiZj, dim_in, XYZg, dim_out, nv, op)
    real(p3dfft_type), intent(in), target :: XgYiZj(*)
    complex(p3dfft_type), intent(inout), target :: XYZg(*)
    integer, intent(in) :: dim_in, dim_out, nv
    character(len=3), intent(in) :: op
    call c_forward(c_loc(XgYiZj), dim_in, c_loc(XYZg), dim_out, nv, op)
  end subroutine p3dfft_ftran_r2c_many

  subroutine p3dfft_btran_c2r_many(XYZg, dim_in, XgYiZj, dim_out, nv, op)
    complex(p3dfft_type), intent(in), target :: XYZg(*)
    real(p3dfft_type), intent(inout), target :: XgYiZj(*)
    integer, intent(in) :: dim_in, dim_out, nv
    character(len=3), intent(in) :: op
    call c_backward(c_loc(XYZg), dim_in, c_loc(XgYiZj), dim_out, nv, op)
  end subroutine p3dfft_btran_c2r_many

  !> Transforms along x only, into nx/2+1 complex numbers in X pencils.
  subroutine p3dfft_ftran_r2c_1d(rXgYiZj, cXgYiZj)
    real(p3dfft_type), intent(in), target :: rXgYiZj(*)
    complex(p3dfft_type), intent(inout), target :: cXgYiZj(*)
    call c_forward_along_x(c_loc(rXgYiZj), c_loc(cXgYiZj))
  end subroutine p3dfft_ftran_r2c_1d

  !> The Chebyshev coefficients of the derivative along z, whose points are cos(pi (k-1)/(nz-1)) of an interval of the length Lz, and
  !> Fourier's along x and y, divided by nx*ny: those for which btran with 'cff' gives the derivative if all but the first and the last
  !> along z are halved.
  subroutine p3dfft_cheby(in, out, Lz)
    real(p3dfft_type), intent(in), target :: in(*)
    complex(p3dfft_type), intent(inout), target :: out(*)
    real(p3dfft_type), intent(in) :: Lz
    call c_cheby(c_loc(in), 0, c_loc(out), 0, 1, real(Lz, c_double))
  end subroutine p3dfft_cheby

  subroutine p3dfft_cheby_many(in, dim_in, out, dim_out, nv, Lz)
    real(p3dfft_type), intent(in), target :: in(*)
    complex(p3dfft_type), intent(inout), target :: out(*)
    integer, intent(in) :: dim_in, dim_out, nv
    real(p3dfft_type), intent(in) :: Lz
    call c_cheby(c_loc(in), dim_in, c_loc(out), dim_out, nv, real(Lz, c_double))
  end subroutine p3dfft_cheby_many

  subroutine get_timers(timer)
    real(real64), intent(out) :: timer(12)
    timer = timers
  end subroutine get_timers

  subroutine set_timers()
    timers = 0
  end subroutine set_timers

  !> Prints the numbers of an array that are not small, with their indices.
  subroutine print_buf(A, lx, ly, lz)
    integer, intent(in) :: lx, ly, lz
    complex(p3dfft_type), intent(in) :: A(lx, ly, lz)
    integer :: i, j, k
    do k = 1, lz
      do j = 1, ly
        do i = 1, lx
          if (abs(A(i, j, k)) > 1e-6) print '(3(1x, i0), 2(1x, es14.6))', i, j, k, A(i, j, k)
        end do
      end do
    end do
  end subroutine print_buf

  subroutine print_buf_real(A, lx, ly, lz)
    integer, intent(in) :: lx, ly, lz
    real(p3dfft_type), intent(in) :: A(lx, ly, lz)
    integer :: i, j, k
    do k = 1, lz
      do j = 1, ly
        do i = 1, lx
          if (abs(A(i, j, k)) > 1e-6) print '(3(1x, i0), 1x, es14.6)', i, j, k, A(i, j, k)
        end do
      end do
    end do
  end subroutine print_buf_real

end module p3dfft
