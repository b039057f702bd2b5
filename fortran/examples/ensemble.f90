! ensemble: eight fields, each transformed by a plan of its own, on all ranks or each on some of them, whichever is predicted to be
! faster. Field b is one wave, exp(2 pi i b x/n), whose transform is n^2 at the wavenumber b.
program ensemble
  use mpi_f08
  use weft
  implicit none
  type :: band
    type(weft_plan) :: plan
    type(weft_ticket) :: ticket
    complex(real64), allocatable :: u(:, :), v(:, :)
  end type band
  integer, parameter :: n = 24, count = 8
  type(weft_problem) :: problems(count)
  type(weft_ensemble) :: bands
  type(band), target, asynchronous :: of(count)
  real(real64) :: mine, error
  integer :: rank, b, i, j
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  problems = weft_problem([n, n])
  call bands%create(MPI_COMM_WORLD, problems)
  do b = 1, count
    call bands%plan(b, of(b)%plan)
    if (.not. of(b)%plan%is_created()) cycle  ! other ranks have this one
    call of(b)%plan%make(weft_input, of(b)%u)
    call of(b)%plan%make(weft_output, of(b)%v)
    do i = lbound(of(b)%u, 1), ubound(of(b)%u, 1)
      of(b)%u(i, :) = exp((0d0, 1d0)*2*acos(-1d0)*b*(i - 1)/n)
    end do
    call of(b)%plan%start_forward(of(b)%u, of(b)%v, of(b)%ticket)
  end do

  mine = 0
  do b = 1, count
    call of(b)%ticket%wait()  ! returns at once where there is no transform
    if (.not. of(b)%plan%is_created()) cycle
    do i = lbound(of(b)%v, 1), ubound(of(b)%v, 1)
      do j = lbound(of(b)%v, 2), ubound(of(b)%v, 2)
        mine = max(mine, abs(of(b)%v(i, j)/n**2 - merge(1, 0, i == b + 1 .and. j == 1)))
      end do
    end do
  end do
  call MPI_Allreduce(mine, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) print '(a, es9.2)', 'error', error
  if (error > 1d-14) error stop 1
  call bands%free()
  call MPI_Finalize()
end program ensemble
