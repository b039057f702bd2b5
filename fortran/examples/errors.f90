! errors: what is wrong comes back in stat and errmsg; without stat it ends the program, as in statements of Fortran.
program errors
  use mpi_f08
  use weft
  implicit none
  type(weft_plan) :: plan
  real(real64), allocatable :: u(:, :)
  complex(real64), allocatable :: v(:, :)
  complex(real32) :: single(4, 4)
  integer :: stat
  character(len=300) :: message
  call MPI_Init()
  call plan%forward(single, single, stat=stat, errmsg=message)
  call expect(stat == weft_invalid .and. index(message, 'the plan is a null pointer') > 0)
  call plan%create(MPI_COMM_NULL, weft_problem([4, 4]), stat=stat, errmsg=message)
  call expect(stat == weft_invalid .and. index(message, 'MPI_COMM_NULL') > 0)
  call plan%create(MPI_COMM_WORLD, weft_problem([4, 4], kind='r2q'), stat=stat, errmsg=message)
  call expect(stat == weft_invalid .and. index(message, 'there is no kind') > 0)
  call plan%create(MPI_COMM_WORLD, weft_problem([4, -4]), stat=stat)
  message = weft_last_error()
  call expect(stat == weft_invalid .and. index(message, '-4') > 0)
  call plan%create(MPI_COMM_WORLD, weft_problem([8, 8], kind='r2c'), 'effort=estimate', stat, message)
  call expect(stat == weft_ok)
  call plan%make(weft_input, u)
  call plan%make(weft_output, v)
  call plan%forward(single, single, stat=stat, errmsg=message)
  call expect(stat == weft_invalid .and. index(message, 'another type') > 0)
  call plan%forward(u(::2, :), v, stat=stat, errmsg=message)
  call expect(stat == weft_invalid .and. (index(message, 'contiguous') > 0 .or. size(u) < 2))
  call plan%forward(u, v, stat=stat)
  call expect(stat == weft_ok)
  call plan%free()
  call MPI_Finalize()
  print '(a)', 'error: all are told'

contains

  subroutine expect(is_so)
    logical, intent(in) :: is_so
    if (.not. is_so) error stop 'weft: another error was expected: '//message
  end subroutine expect

end program errors
