! extremes: one axis of a large prime number of points, over all ranks; a grid of two axes with fewer rows than ranks, of which some
! then have nothing; and one number, in a plan of this process alone. The transform of a constant is its sum at the wave 0.
program extremes
  use mpi_f08
  use weft
  implicit none
  type(weft_plan) :: line, rows, alone
  complex(real64), allocatable :: u(:), v(:), u2(:, :), v2(:, :)
  real(real64) :: error
  call MPI_Init()
  call line%create(MPI_COMM_WORLD, weft_problem([10007]), 'effort=estimate')
  call rows%create(MPI_COMM_WORLD, weft_problem([500, 3]), 'effort=estimate')
  call alone%create_alone(weft_problem([1]), 'effort=estimate')

  call line%make(weft_input, u)
  call line%make(weft_output, v)
  u = 1
  call line%forward(u, v, scale=1d0/10007)
  if (lbound(v, 1) == 1 .and. size(v) > 0) v(1) = v(1) - 1
  error = maxval([0d0, abs(v)])

  call rows%make(weft_input, u2)
  call rows%make(weft_output, v2)
  u2 = 1
  call rows%forward(u2, v2, scale=1d0/1500)
  if (all(lbound(v2) == 1) .and. size(v2) > 0) v2(1, 1) = v2(1, 1) - 1
  error = maxval([error, abs(v2)])

  call alone%make(weft_input, u)
  call alone%make(weft_output, v)
  u = 7
  call alone%forward(u, v)
  error = max(error, abs(v(1) - 7))

  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (line%rank() == 0) print '(a, es9.2)', 'error', error
  if (error > 1d-13) error stop 1
  call line%free()
  call rows%free()
  call alone%free()
  call MPI_Finalize()
end program extremes
