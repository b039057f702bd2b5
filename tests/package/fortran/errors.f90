! errors: what is wrong comes back in stat and errmsg, on all ranks alike, also where one rank alone is wrong.
program errors
  use checks
  use mpi_f08
  use weft
  implicit none
  type :: holder
    complex(real64), allocatable :: missing(:, :)
  end type holder
  type(weft_plan) :: plan
  type(weft_problem) :: problem
  type(holder) :: holds
  real(real64), allocatable :: u(:, :)
  complex(real64), allocatable :: v(:, :), flat(:)
  real(real64), allocatable :: cube(:, :, :)
  real(real32), allocatable :: short(:, :)
  complex(real32) :: single(4, 4) = 0
  integer, allocatable :: lower(:), upper(:), k(:)
  integer :: stat, rank, ranks
  character(len=400) :: message
  character(len=12) :: brief
  real(real64) :: infinite
  infinite = huge(infinite)
  infinite = 2*infinite
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call plan%forward(single, single, stat=stat, errmsg=message)
  call refused('the plan is a null pointer')
  call plan%bounds(weft_input, lower, upper, stat=stat, errmsg=message)
  call refused('the plan is a null pointer')
  call plan%make(weft_input, u, stat, message)
  call refused('the plan is a null pointer')
  call plan%wavenumbers(1, k, stat, message)
  call refused('the plan is a null pointer')
  call plan%create(MPI_COMM_NULL, weft_problem([4, 4]), stat=stat, errmsg=message)
  call refused('MPI_COMM_NULL')
  call plan%create(MPI_COMM_WORLD, weft_problem(), stat=stat, errmsg=message)
  call refused('a grid of 0 axes')
  call plan%create(MPI_COMM_WORLD, weft_problem([4, 4], kind='r2q'), stat=stat, errmsg=message)
  call refused('there is no kind ''r2q'': it is one of c2c, r2c, c2r, r2r')
  call plan%create(MPI_COMM_WORLD, weft_problem([1, 2, 3, 4, 5, 6, 7, 8, 9]), stat=stat, errmsg=message)
  call refused('at most 8 axes, not 9')
  call plan%create(MPI_COMM_WORLD, weft_problem([4, -4]), stat=stat, errmsg=message)
  call refused('-4')
  call plan%create(MPI_COMM_WORLD, weft_problem([8, 8], modes=[4]), stat=stat, errmsg=message)
  call refused('modes has 1 numbers for 2 axes')
  call plan%create(MPI_COMM_WORLD, weft_problem([8, 8], axes=[3]), stat=stat, errmsg=message)
  call refused('axes to transform count from 1 to 2')
  call plan%create(MPI_COMM_WORLD, weft_problem([8, 8]), 'speed=high', stat, message)
  call refused('speed')
  call plan%create(MPI_COMM_WORLD, weft_problem([3000000000_int64, 3000000000_int64, 3000000000_int64]), stat=stat, errmsg=message)
  call expect(stat /= weft_ok, 'more points than 64 bits count are refused')
  call boxes_that_are_wrong()

  call make_plan()
  call plan%forward(single, single, stat=stat, errmsg=message)
  call refused('another type')
  if (rank == ranks - 1) then
    call plan%forward(u(::2, :), v, stat=stat, errmsg=message)  ! on this rank alone
  else
    call plan%forward(u, v, stat=stat, errmsg=message)
  end if
  if (ranks <= 6) call refused('contiguous')
  call make_plan()  ! one rank refused, and messages of the others may be under way
  if (rank == 0) then
    call plan%forward(u(:4, 1), v, stat=stat, errmsg=message)
  else
    call plan%forward(u, v, stat=stat, errmsg=message)
  end if
  call refused('elements, but this rank needs')
  call make_plan()
  call plan%forward(u, holds%missing, stat=stat, errmsg=message)
  call refused('elements, but this rank needs')
  call make_plan()
  call plan%forward(u, v, scale=infinite, stat=stat, errmsg=message)
  call refused('no finite number')
  call plan%make(weft_input, cube, stat, message)
  call refused('another number of axes')
  call plan%make(weft_input, short, stat, message)
  call refused('another type')
  call plan%make(7, u, stat, message)
  call refused('there is no side 7')
  call plan%make(weft_output, flat)  ! all in a row
  call expect(size(flat) == plan%elements(weft_output), 'an array of one axis takes all')
  call plan%wavenumbers(0, k, stat, message)
  call refused('axes count from 1')
  call plan%wavenumbers(3, k, stat, message)
  call refused('')
  call plan%make(weft_input, u)
  call plan%make(7, flat, stat, brief)
  call expect(brief == 'weft: there', 'a short errmsg has the beginning of the text')
  call plan%forward(u, v, stat=stat)
  call expect(stat == weft_ok, 'all is well in the end')
  call plan%free()
  call indices_that_need_64_bits()
  call MPI_Finalize()
  print '(a)', 'all is as expected'

contains

  subroutine make_plan()
    call plan%create(MPI_COMM_WORLD, weft_problem([8, 6], kind='r2c', input=weft_distribution(weft_slab)), 'effort=estimate')
    call plan%make(weft_input, u)
    call plan%make(weft_output, v)
  end subroutine make_plan

  subroutine refused(with)
    character(len=*), intent(in) :: with
    call expect(stat == weft_invalid, 'an error with '//with)
    call expect(index(message, with) > 0, with//' in '//trim(message))
    message = ''
  end subroutine refused

  subroutine boxes_that_are_wrong()
    problem = weft_problem([8, 8])
    problem%input%form = weft_boxes
    call plan%create(MPI_COMM_WORLD, problem, stat=stat, errmsg=message)
    call refused('boxes need lower and upper')
    problem%input%lower = reshape([1, 1], [2, 1])
    problem%input%upper = reshape([8, 9], [2, 1])
    call plan%create(MPI_COMM_WORLD, problem, stat=stat, errmsg=message)
    call refused('')
    problem%input%upper = reshape([8, 8], [2, 1])
    if (rank == ranks - 1) problem%input%upper = reshape([8, 8, 8], [3, 1])  ! on this rank alone
    call plan%create(MPI_COMM_WORLD, problem, stat=stat, errmsg=message)
    call refused('lower and upper of boxes are of the shape [2, boxes]')
    problem%input%form = weft_parts
    problem%input%upper = reshape([8, 8], [2, 1])
    call plan%create(MPI_COMM_WORLD, problem, stat=stat, errmsg=message)
    call refused('parts need first and strides')
    problem = weft_problem([8, 8])
    problem%cutoff = weft_cutoff(waves=reshape([1, 2], [2, 1]))
    call plan%create(MPI_COMM_WORLD, problem, stat=stat, errmsg=message)
    call refused('waves are of the shape [3, waves]')
    call plan%create_alone(problem, stat=stat, errmsg=message)
    call refused('waves are of the shape [3, waves]')
    call plan%create_alone(weft_problem([4]), 'effort=estimate', stat)
    call expect(stat == weft_ok, 'what was refused before is forgotten')
    call plan%free()
  end subroutine boxes_that_are_wrong

  ! Nothing of this size is allocated.
  subroutine indices_that_need_64_bits()
    type(weft_reshape) :: move
    integer(int64), allocatable :: first(:), last(:)
    integer(int64), parameter :: n = huge(0) + 10_int64
    call move%create(MPI_COMM_SELF, weft_grid([n], element_bytes=4), weft_distribution(weft_slab), weft_distribution(weft_slab), &
        'effort=estimate')
    call move%bounds(weft_output, first, last)
    call expect(first(1) == 1 .and. last(1) == n .and. move%elements(weft_input) == n, 'indices have 64 bits')
    call move%free()
  end subroutine indices_that_need_64_bits

end program errors
