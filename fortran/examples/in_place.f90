! in_place: r2c in place, with a transposed spectrum: the real field lies in slabs of the last axis, its rows padded as FFTW has
! them, and the spectrum in slabs of axis 2, which is the last one in memory. The transform of cos(2 pi (y + 3z)/n) is n^3/2 at the
! waves (0, 1, 3) and (0, -1, -3).
program in_place
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_loc
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: n = 32
  type(weft_problem) :: problem
  type(weft_plan) :: plan
  real(real64), allocatable, target :: memory(:)
  real(real64), pointer :: u(:, :, :)
  complex(real64), pointer :: waves(:), v(:, :, :)  ! v(x, z, y)
  integer, allocatable :: lower(:), upper(:), room(:)
  integer :: ranks, rows, i, j, k
  real(real64) :: h, mine, error
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  problem = weft_problem([n, n, n], kind='r2c', in_place=.true.)
  problem%input%form = weft_slab
  problem%output = weft_distribution(weft_brick, grid=[1, ranks, 1], order=[1, 3, 2])
  call plan%create(MPI_COMM_WORLD, problem)
  allocate (memory(max(plan%elements(weft_input), 2*plan%elements(weft_output))))
  call plan%bounds(weft_input, lower, upper, room)
  rows = room(1)
  u(lower(1):room(1), lower(2):room(2), lower(3):room(3)) => memory
  h = 2*acos(-1d0)/n
  do concurrent(i=1:n, j=1:n, k=lower(3):upper(3))
    u(i, j, k) = cos(h*((j - 1) + 3*(k - 1)))
  end do
  call plan%bounds(weft_output, lower, upper)
  call c_f_pointer(c_loc(memory), waves, [plan%elements(weft_output)])
  v(lower(1):upper(1), lower(3):upper(3), lower(2):upper(2)) => waves

  call plan%forward(u, v, scale=1/real(n, real64)**3)
  mine = 0
  do j = lower(2), upper(2)
    do k = lower(3), upper(3)
      do i = lower(1), upper(1)
        mine = max(mine, abs(v(i, k, j) - merge(0.5d0, 0d0, all([i, j, k] == [1, 2, 4]) .or. all([i, j, k] == [1, n, n - 2]))))
      end do
    end do
  end do
  call MPI_Allreduce(mine, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (plan%rank() == 0) print '(2(a, i0), a, es9.2)', 'rows of ', n, ' numbers in memory of ', rows, ', error', error
  if (error > 1d-14) error stop 1
  call plan%free()
  call MPI_Finalize()
end program in_place
