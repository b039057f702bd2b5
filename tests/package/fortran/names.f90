! names: plans that are copied, freed twice, made again, in blocks, in other types and in functions; tickets that are used again;
! callbacks that fail; a plan that is freed after MPI_Finalize; integers as communicators, as the module mpi has them.
module flows
  use weft
  implicit none
  type :: flow
    type(weft_plan) :: plan
    complex(real64), allocatable :: u(:, :), v(:, :)
  end type flow
contains
  function plan_of(comm, n) result(plan)
    integer, intent(in) :: comm, n
    type(weft_plan) :: plan
    call plan%create(comm, weft_problem([n, n]), 'effort=estimate')
  end function plan_of

  subroutine note(data, stat)
    class(*), intent(inout) :: data
    integer, intent(inout) :: stat
    select type (data)
    type is (integer)
      data = data + 1
      if (data > 1) stat = 42
    end select
  end subroutine note
end module flows

program names
  use checks
  use flows
  use mpi
  use weft
  implicit none
  type(weft_plan) :: last
  integer :: error
  call MPI_Init(error)
  call copies_are_names_of_one_plan()
  call functions_make_plans()
  call types_have_plans()
  call blocks_free_what_they_make()
  call tickets_are_used_again()
  call callbacks_fail_at_the_wait()
  last = plan_of(MPI_COMM_WORLD, 4)
  call MPI_Finalize(error)
  call last%free()
  call last%create(MPI_COMM_WORLD, weft_problem([4, 4]), stat=error)
  call expect(error == weft_system .and. index(weft_last_error(), 'MPI is not running') > 0, 'no plan is made after MPI_Finalize')
  print '(a)', 'all is as expected'

contains

  subroutine copies_are_names_of_one_plan()
    type(weft_plan) :: one, two
    complex(real64), allocatable :: u(:, :), v(:, :)
    integer :: stat
    call one%create(MPI_COMM_WORLD, weft_problem([8, 8]), 'effort=estimate')
    two = one
    call two%make(weft_input, u)
    call two%make(weft_output, v)
    call one%free()
    call expect(.not. two%is_created(), 'a copy knows that its plan was freed')
    call two%forward(u, v, stat=stat)
    call expect(stat == weft_invalid, 'a plan that was freed does not run')
    call two%free()
    call one%free()
  end subroutine copies_are_names_of_one_plan

  subroutine functions_make_plans()
    type(weft_plan) :: plan
    plan = plan_of(MPI_COMM_WORLD, 5)
    call expect(plan%is_created(), 'functions make plans')
    call plan%create(MPI_COMM_WORLD, weft_problem([6]), 'effort=estimate')  ! what it was before is freed
    call expect(size(plan%extents(weft_input)) == 1, 'plans are made again')
    call plan%free()
  end subroutine functions_make_plans

  subroutine types_have_plans()
    type(flow) :: one, two
    one%plan = plan_of(MPI_COMM_WORLD, 6)
    call one%plan%make(weft_input, one%u)
    call one%plan%make(weft_output, one%v)
    one%u = 1
    two = one
    call two%plan%forward(two%u, two%v)
    call one%plan%forward(one%u, one%v)
    call expect(all(abs(one%v - two%v) < 1d-13), 'types have plans')
    call one%plan%free()
    call expect(.not. two%plan%is_created(), 'copies of types have names of one plan')
  end subroutine types_have_plans

  subroutine blocks_free_what_they_make()
    integer :: i
    do i = 1, 3
      block
        type(weft_plan) :: plan
        complex(real64), allocatable :: u(:), v(:)
        call expect(.not. plan%is_created(), 'a block begins without a plan')
        call plan%create(MPI_COMM_WORLD, weft_problem([10*i]), 'effort=estimate')
        call plan%make(weft_input, u)
        call plan%make(weft_output, v)
        call plan%forward(u, v)
        call plan%free()
      end block
    end do
  end subroutine blocks_free_what_they_make

  subroutine tickets_are_used_again()
    type(weft_plan) :: plan
    type(weft_ticket) :: ticket, other
    complex(real64), allocatable, target, asynchronous :: u(:, :), v(:, :), w(:, :)
    logical :: has_ended
    call plan%create(MPI_COMM_WORLD, weft_problem([9, 8]), 'effort=estimate')
    call plan%make(weft_input, u)
    call plan%make(weft_output, v)
    call plan%make(weft_input, w)
    u = 3
    call ticket%wait()  ! for nothing
    call plan%start_forward(u, v, ticket)
    call plan%start_backward(v, w, ticket)  ! waits for the first
    other = ticket
    call other%wait()
    call ticket%test(has_ended)
    call expect(has_ended, 'tickets that are copied are one')
    call expect(all(abs(w - u) < 1d-13), 'a ticket that is used again waits')
    call plan%free()
  end subroutine tickets_are_used_again

  subroutine callbacks_fail_at_the_wait()
    type(weft_plan) :: plan
    type(weft_ticket) :: ticket
    complex(real64), allocatable, target, asynchronous :: u(:), v(:)
    integer, target :: calls = 0
    integer :: stat, turn
    character(len=200) :: message
    call plan%create(MPI_COMM_WORLD, weft_problem([30]), 'effort=estimate')
    call plan%make(weft_input, u)
    call plan%make(weft_output, v)
    do turn = 1, 2
      message = ''
      call plan%start_forward(u, v, ticket)
      call ticket%then(note, calls)
      call ticket%wait(stat, message)
      call expect(calls == turn, 'callbacks are called once')
      call expect(stat == merge(weft_ok, weft_callback_failed, turn == 1), 'a callback that fails is told')
    end do
    call expect(index(message, '42') > 0, 'what a callback returns is told')
    call ticket%then(note, calls, stat)
    call expect(stat == weft_invalid, 'a ticket without a transform takes no callback')
    call plan%free()
  end subroutine callbacks_fail_at_the_wait

end program names
