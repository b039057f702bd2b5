! poisson: -laplace(u) = f on the periodic cube of side 2 pi, with pencils and arrays of the application's: each rank gives its own
! box. r2c halves the first axis. Here f = 14 sin(x) sin(2y) sin(3z), for which u = f / 14.
program poisson
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: n = 36
  type(weft_problem) :: problem
  type(weft_plan) :: plan
  real(real64), allocatable :: u(:, :, :)
  complex(real64), allocatable :: v(:, :, :)
  integer, allocatable :: kx(:), ky(:), kz(:)
  integer :: rank, ranks, parts(2) = 0, lower(3), upper(3), i, j, k
  real(real64) :: h, square, mine, error
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Dims_create(ranks, 2, parts)
  associate (py => mod(rank, parts(1)), pz => rank/parts(1))
    lower = [1, n*py/parts(1) + 1, n*pz/parts(2) + 1]
    upper = [n, n*(py + 1)/parts(1), n*(pz + 1)/parts(2)]
  end associate
  problem = weft_problem([n, n, n], kind='r2c')
  problem%input%form = weft_boxes
  problem%input%lower = reshape(lower, [3, 1])  ! a column for each box of this rank
  problem%input%upper = reshape(upper, [3, 1])
  call plan%create(MPI_COMM_WORLD, problem)
  allocate (u(lower(1):upper(1), lower(2):upper(2), lower(3):upper(3)))
  call plan%make(weft_output, v)  ! wherever the plan leaves the spectrum

  h = 2*acos(-1d0)/n
  do concurrent(i=lower(1):upper(1), j=lower(2):upper(2), k=lower(3):upper(3))
    u(i, j, k) = 14*sin(h*(i - 1))*sin(2*h*(j - 1))*sin(3*h*(k - 1))
  end do
  call plan%forward(u, v)
  call plan%wavenumbers(1, kx)
  call plan%wavenumbers(2, ky)
  call plan%wavenumbers(3, kz)
  do k = lbound(v, 3), ubound(v, 3)
    do j = lbound(v, 2), ubound(v, 2)
      do i = lbound(v, 1), ubound(v, 1)
        square = kx(i)**2 + ky(j)**2 + kz(k)**2
        v(i, j, k) = merge(v(i, j, k)/max(square, 1d0), (0d0, 0d0), square > 0)
      end do
    end do
  end do
  call plan%backward(v, u)

  mine = 0
  do k = lower(3), upper(3)
    do j = lower(2), upper(2)
      do i = lower(1), upper(1)
        mine = max(mine, abs(u(i, j, k) - sin(h*(i - 1))*sin(2*h*(j - 1))*sin(3*h*(k - 1))))
      end do
    end do
  end do
  call MPI_Allreduce(mine, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) print '(a, es9.2)', 'error', error
  if (error > 1d-13) error stop 1
  call plan%free()
  call MPI_Finalize()
end program poisson
