! waves: a plane-wave code's own list of waves. Each rank keeps whole columns of the waves with |k| <= 5, in an order of its own;
! weft takes and makes an array with one number for each of them. Back from 1 at the wave (1, -2, 3) alone comes
! exp(2 pi i (x - 2y + 3z)/n), over n^3.
program waves
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: n = 20, most = 5
  type(weft_problem) :: problem
  type(weft_plan) :: plan
  integer :: mine(3, (2*most + 1)**3)
  complex(real64), allocatable :: c(:), u(:, :, :)
  integer :: rank, ranks, count = 0, i, j, k
  real(real64) :: error
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  do j = -most, most
    do k = -most, most
      do i = most, -most, -1  ! columns along axis 1, from above
        if (i**2 + j**2 + k**2 > most**2 .or. mod(j + k + 2*most, ranks) /= rank) cycle
        count = count + 1
        mine(:, count) = [i, j, k]
      end do
    end do
  end do
  problem = weft_problem([n, n, n])
  problem%cutoff = weft_cutoff(waves=mine(:, :count), column_axis=1)
  call plan%create(MPI_COMM_WORLD, problem)
  call plan%make(weft_input, u)
  call plan%make(weft_output, c)

  do i = 1, count
    if (all(mine(:, i) == [1, -2, 3])) c(i) = 1
  end do
  call plan%backward(c, u, scale=real(n, real64)**3)
  do concurrent(i=lbound(u, 1):ubound(u, 1), j=lbound(u, 2):ubound(u, 2), k=lbound(u, 3):ubound(u, 3))
    u(i, j, k) = u(i, j, k) - exp((0d0, 1d0)*2*acos(-1d0)/n*((i - 1) - 2*(j - 1) + 3*(k - 1)))
  end do
  error = maxval([0d0, abs(u)])
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) print '(i0, a, es9.2)', count, ' waves of rank 0, error', error
  if (error > 1d-13) error stop 1
  call plan%free()
  call MPI_Finalize()
end program waves
