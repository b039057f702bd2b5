! refused: what 2DECOMP&FFT's modules refuse, one thing for each argument.
program refused
  use decomp_2d
  use decomp_2d_constants
  use decomp_2d_fft
  use decomp_2d_io
  use decomp_2d_mpi
  implicit none
  character(len=16) :: what
  integer :: ierror, p_row, p_col
  real(mytype), allocatable :: u(:, :, :), small(:, :, :)
  complex(mytype), allocatable :: v(:, :, :)
  call get_command_argument(1, what)
  call MPI_Init(ierror)
  p_row = merge(3, 0, what == 'grid')
  p_col = merge(5, 0, what == 'grid')
  call decomp_2d_init(8, 6, 5, p_row, p_col)
  call alloc_x(u)
  u = 1
  select case (what)
  case ('io')
    call decomp_2d_io_init()
    call decomp_2d_write_one(1, u, 'u.dat', opt_dirname='out')
  case ('sines')
    call decomp_2d_fft_init(PHYSICAL_IN_X, opt_DTT=[2, 1, 5])
  case ('halved')
    call decomp_2d_fft_init(PHYSICAL_IN_X, opt_skip_XYZ_c2c=[.true., .false., .false.])
    call alloc_z(v, decomp_2d_fft_get_sp())
    call decomp_2d_fft_3d(u, v)
  case ('shape')
    allocate (small(4, 4, 4))
    small = 0
    call transpose_x_to_y(small, u)
  end select
  call MPI_Finalize(ierror)
end program refused
