! halo: two transforms under way at the same time, back into arrays with a ghost point on each side of y and z, whose ghosts are
! filled then. Here the second difference of sin(y) along y is sin(y) times 2 cos(h) - 2.
program halo
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: n = 24
  type(weft_distribution) :: pencils
  type(weft_problem) :: problem
  type(weft_plan) :: plan
  type(weft_halo) :: ghosts
  type(weft_ticket) :: tickets(2)
  real(real64), allocatable, target, asynchronous :: a(:, :, :), b(:, :, :)
  complex(real64), allocatable, target, asynchronous :: v(:, :, :), w(:, :, :)
  integer, allocatable :: lower(:), upper(:)
  real(real64) :: h, mine, error
  integer :: i, j, k, stat
  logical :: has_ended
  character(len=200) :: message
  call MPI_Init()
  pencils = weft_distribution(form=weft_pencil, ghosts_before=[0, 1, 1], ghosts_after=[0, 1, 1])
  problem = weft_problem([n, n, n], kind='r2c', input=pencils)
  call plan%create(MPI_COMM_WORLD, problem, settings='in_flight=2; effort=estimate')
  call ghosts%create(MPI_COMM_WORLD%MPI_VAL, [n, n, n], 8, pencils)  ! an integer as communicator
  call plan%bounds(weft_input, lower, upper)
  allocate (a(lower(1):upper(1), lower(2) - 1:upper(2) + 1, lower(3) - 1:upper(3) + 1), source=0d0)
  b = a
  call plan%make(weft_output, v)
  v = 0
  h = 2*acos(-1d0)/n
  do j = lbound(v, 2), ubound(v, 2)  ! sin(y) is -i/2 at the wave 1 and i/2 at -1
    if (lbound(v, 1) > 1 .or. lbound(v, 3) > 1 .or. size(v) == 0) cycle
    if (j == 2) v(1, j, 1) = (0d0, -0.5d0)
    if (j == n) v(1, j, 1) = (0d0, 0.5d0)
  end do
  w = v
  call plan%start_backward(v, a, tickets(1), scale=real(n, real64)**3)
  call plan%start_backward(w, b, tickets(2))
  has_ended = .false.
  do while (.not. has_ended)
    call weft_progress()
    call tickets(1)%test(has_ended)
  end do
  call tickets(2)%wait(stat, message)
  if (stat /= weft_ok) error stop message
  call ghosts%exchange(a)

  mine = 0
  do k = lower(3), upper(3)
    do j = lower(2), upper(2)
      do i = lower(1), upper(1)
        mine = max(mine, abs(a(i, j - 1, k) - 2*a(i, j, k) + a(i, j + 1, k) - (2*cos(h) - 2)*sin(h*(j - 1))))
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
