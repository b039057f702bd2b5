! halo: ghost points after an inverse transform. The field lies in pencils with one ghost point on each side of y and z, in an array
! that the plan and the halo take as it is. Here the second difference of sin(y), which is sin(y) times 2 cos(h) - 2.
program halo
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: n = 24
  type(weft_distribution) :: pencils
  type(weft_plan) :: plan
  type(weft_halo) :: ghosts
  real(real64), allocatable :: u(:, :, :)
  complex(real64), allocatable :: v(:, :, :)
  integer, allocatable :: lower(:), upper(:)
  real(real64) :: h, mine, error
  integer :: i, j, k
  call MPI_Init()
  pencils = weft_distribution(weft_pencil, ghosts_before=[0, 1, 1], ghosts_after=[0, 1, 1])
  call plan%create(MPI_COMM_WORLD, weft_problem([n, n, n], kind='r2c', input=pencils))
  call ghosts%create(MPI_COMM_WORLD, weft_grid([n, n, n], element_bytes=8), pencils)
  call plan%make(weft_input, u)   ! with its ghost points: from lower - 1 to upper + 1
  call plan%make(weft_output, v)
  call plan%bounds(weft_input, lower, upper)

  ! The transform of sin(y): -i/2 and i/2 at the waves 1 and -1, with a scale of n^3.
  do concurrent(i=lbound(v, 1):ubound(v, 1), j=lbound(v, 2):ubound(v, 2), k=lbound(v, 3):ubound(v, 3))
    if (i == 1 .and. k == 1 .and. j == 2) v(i, j, k) = (0d0, -0.5d0)
    if (i == 1 .and. k == 1 .and. j == n) v(i, j, k) = (0d0, 0.5d0)
  end do
  call plan%backward(v, u, scale=real(n, real64)**3)
  call ghosts%exchange(u)

  h = 2*acos(-1d0)/n
  mine = 0
  do k = lower(3), upper(3)
    do j = lower(2), upper(2)
      do i = lower(1), upper(1)
        mine = max(mine, abs(u(i, j - 1, k) - 2*u(i, j, k) + u(i, j + 1, k) - (2*cos(h) - 2)*sin(h*(j - 1))))
      end do
    end do
  end do
  call MPI_Allreduce(mine, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (plan%rank() == 0) print '(a, es9.2)', 'error', error
  if (error > 1d-14) error stop 1
  call ghosts%free()
  call plan%free()
  call MPI_Finalize()
end program halo
