! ghosts: two ghost points around each rank's part, which plans neither read nor write, and x whole and fastest, as Fortran has it.
! r2c halves x. The mean of 1 + sin(y) is 1.
program ghosts
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: n = 18, ghost = 2
  type(weft_problem) :: problem
  type(weft_plan) :: plan
  real(real64), allocatable :: u(:, :, :)
  complex(real64), allocatable :: v(:, :, :)
  integer, allocatable :: lower(:), upper(:)
  integer :: ranks, parts(2) = 0, i, j, k
  real(real64) :: expected, mine, error
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Dims_create(ranks, 2, parts)
  problem = weft_problem([n, n, n], kind='r2c', norm='forward')
  problem%input = weft_distribution(weft_pencil, grid=[1, parts])
  problem%input%ghosts_before = [ghost, ghost, ghost]
  problem%input%ghosts_after = [ghost, ghost, ghost]
  call plan%create(MPI_COMM_WORLD, problem)
  call plan%bounds(weft_input, lower, upper)
  allocate (u(1 - ghost:n + ghost, lower(2) - ghost:upper(2) + ghost, lower(3) - ghost:upper(3) + ghost))
  call plan%make(weft_output, v)
  u = -1  ! ghost points, whatever they are
  do j = lower(2), upper(2)
    u(1:n, j, lower(3):upper(3)) = 1 + sin(2*acos(-1d0)/n*(j - 1))
  end do
  call plan%forward(u, v)

  mine = 0
  do k = lbound(v, 3), ubound(v, 3)
    do j = lbound(v, 2), ubound(v, 2)
      do i = lbound(v, 1), ubound(v, 1)
        expected = merge(1d0, 0d0, i == 1 .and. j == 1 .and. k == 1)
        if (i == 1 .and. k == 1 .and. (j == 2 .or. j == n)) expected = 0.5d0
        mine = max(mine, abs(abs(v(i, j, k)) - expected))
      end do
    end do
  end do
  call MPI_Allreduce(mine, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (plan%rank() == 0) print '(2(a, i0), a, es9.2)', 'x goes from ', lower(1), ' to ', upper(1), ' and is halved, error', error
  if (error > 1d-14) error stop 1
  call plan%free()
  call MPI_Finalize()
end program ghosts
