! hello: a plan, a field that is filled by global index, a transform there and back, and the check.
program hello
  use mpi_f08
  use weft
  implicit none
  type(weft_plan) :: plan
  real(real64), allocatable :: u(:, :, :), w(:, :, :)
  complex(real64), allocatable :: v(:, :, :)
  integer :: i
  call MPI_Init()
  call plan%create(MPI_COMM_WORLD, weft_problem([64, 64, 64], kind='r2c'))
  call plan%make(weft_input, u)  ! this rank's box, with its global bounds
  call plan%make(weft_output, v)
  call plan%make(weft_input, w)
  do i = lbound(u, 1), ubound(u, 1)
    u(i, :, :) = sin(2*acos(-1d0)*(i - 1)/64)
  end do
  call plan%forward(u, v)
  call plan%backward(v, w)
  print '(a, /, a, es9.2)', plan%describe(), 'error', maxval(abs(w - u))
  call plan%free()
  call MPI_Finalize()
end program hello
