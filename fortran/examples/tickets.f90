! tickets: two transforms of one plan under way at the same time, while the application computes. By Parseval, with the norm
! `ortho`, the sum of the squares stays.
module counting
  implicit none
contains
  subroutine count(ended, stat)
    class(*), intent(inout) :: ended
    integer, intent(inout) :: stat
    select type (ended)
    type is (integer)
      ended = ended + 1
    class default
      stat = 1  ! the wait for the transform fails
    end select
  end subroutine count
end module counting

program tickets
  use counting, only: count
  use mpi_f08
  use weft
  implicit none
  type(weft_plan) :: plan
  type(weft_ticket) :: ticket(2)
  complex(real64), allocatable, target, asynchronous :: u(:, :, :), v(:, :, :), w(:, :, :), x(:, :, :)
  real(real64) :: before(2), after(2)
  integer, target :: ended = 0
  logical :: has_ended
  integer :: i, j, k
  call MPI_Init()
  call plan%create(MPI_COMM_WORLD, weft_problem([36, 30, 32], norm='ortho'), 'in_flight=2; effort=estimate')
  call plan%make(weft_input, u)
  call plan%make(weft_input, w)
  call plan%make(weft_output, v)
  call plan%make(weft_output, x)
  do concurrent(i=lbound(u, 1):ubound(u, 1), j=lbound(u, 2):ubound(u, 2), k=lbound(u, 3):ubound(u, 3))
    u(i, j, k) = cmplx(sin(0.1d0*i*j), mod(k, 7), real64)
    w(i, j, k) = cmplx(sin(0.1d0*i*k), mod(j, 5), real64)
  end do
  before = [sum(abs(u)**2), sum(abs(w)**2)]
  call plan%start_forward(u, v, ticket(1))
  call plan%start_forward(w, x, ticket(2))
  do i = 1, 2
    call ticket(i)%then(count, ended)
  end do
  has_ended = .false.
  do while (.not. has_ended)  ! ... compute, and let weft go on about every millisecond ...
    call weft_progress()
    call ticket(1)%test(has_ended)
  end do
  call ticket(2)%wait()
  after = [sum(abs(v)**2), sum(abs(x)**2)]
  call MPI_Allreduce(MPI_IN_PLACE, before, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call MPI_Allreduce(MPI_IN_PLACE, after, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (plan%rank() == 0) print '(i0, a, es9.2)', ended, ' have ended, error', maxval(abs(after/before - 1))
  if (ended /= 2 .or. any(abs(after/before - 1) > 1d-12)) error stop 1
  call plan%free()
  call MPI_Finalize()
end program tickets
