! moves: reshapes and halos of elements of all types, ensembles on chosen ranks, placements, and what plans tell.
program moves
  use checks
  use mpi_f08
  use weft
  implicit none
  character(len=*), parameter :: quick = 'effort=estimate'
  type(weft_entry), allocatable :: entries(:)
  integer :: rank, ranks
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call integers_are_moved()
  call elements_of_several_numbers_are_moved()
  call ghost_points_are_filled_periodically()
  call nothing_is_beyond_bounded_axes()
  call pieces_are_where_they_are_placed()
  call ensembles_are_on_chosen_ranks()
  call plans_tell_about_themselves()
  call MPI_Finalize()
  print '(a)', 'all is as expected'

contains

  subroutine integers_are_moved()
    type(weft_reshape) :: turn
    type(weft_ticket) :: ticket
    type(weft_plan) :: inside
    integer(int64), allocatable, target, asynchronous :: a(:, :), b(:, :), c(:, :)
    integer(int64), allocatable :: lower(:), upper(:), room(:)
    integer(int64) :: i, j
    call turn%create(MPI_COMM_WORLD, weft_grid([7, 5], element_bytes=8), weft_distribution(weft_slab), &
        weft_distribution(weft_brick, grid=[ranks, 1], order=[2, 1]), quick)
    call turn%bounds(weft_input, lower, upper, room)
    call expect(all(room == upper), 'arrays are dense')
    allocate (a(lower(1):upper(1), lower(2):upper(2)))
    allocate (c, mold=a)
    do concurrent(i=lower(1):upper(1), j=lower(2):upper(2))
      a(i, j) = 100*i + j
    end do
    call turn%bounds(weft_output, lower, upper)
    allocate (b(lower(2):upper(2), lower(1):upper(1)))
    call expect(turn%elements(weft_output) == size(b), 'elements are told')
    call turn%forward(a, b)
    do i = lower(1), upper(1)
      call expect(all(b(:, i) == [(100*i + j, j=lower(2), upper(2))]), 'integers are moved')
    end do
    call turn%start_backward(b, c, ticket)
    call ticket%wait()
    call expect(all(a == c), 'integers are moved back')
    call turn%plan(inside)
    call expect(inside%is_created() .and. len(inside%describe()) > 0, 'a reshape tells how it moves')
    call turn%free()
    call expect(.not. inside%is_created(), 'the plan of a reshape ends with it')
  end subroutine integers_are_moved

  ! Vectors of three numbers in single precision.
  subroutine elements_of_several_numbers_are_moved()
    type(weft_reshape) :: move
    real(real32), allocatable :: a(:, :, :), b(:, :, :)
    integer(int64), allocatable :: lower(:), upper(:)
    integer :: i
    integer :: stat
    character(len=200) :: message
    call move%create(MPI_COMM_WORLD, weft_grid([6, 9], element_bytes=12), weft_distribution(weft_brick, grid=[ranks, 1]), &
        weft_distribution(weft_slab), quick)
    call move%bounds(weft_input, lower, upper)
    allocate (a(3, lower(1):upper(1), lower(2):upper(2)))
    do i = 1, 3
      a(i, :, :) = i
    end do
    call move%bounds(weft_output, lower, upper)
    allocate (b(3, lower(1):upper(1), lower(2):upper(2)))
    call move%forward(a, b)
    do i = 1, 3
      call expect(all(abs(b(i, :, :) - i) < 1e-6), 'elements of several numbers are moved')
    end do
    call move%forward(a, b(:2, :, :), stat, message)
    call expect(stat == weft_invalid, 'a part of an array is refused')
    call move%free()
  end subroutine elements_of_several_numbers_are_moved

  subroutine ghost_points_are_filled_periodically()
    type(weft_halo) :: halo
    type(weft_ticket) :: ticket
    type(weft_distribution) :: at
    integer, allocatable, target, asynchronous :: a(:, :, :)
    integer(int64), allocatable :: lower(:), upper(:), room(:)
    integer :: i, j, k
    integer, parameter :: n(3) = [4, 9, 8]
    at = weft_distribution(weft_pencil, ghosts_before=[1, 2, 1], ghosts_after=[0, 1, 2])
    call halo%create(MPI_COMM_WORLD, weft_grid(n, element_bytes=4), at, settings=quick)
    call halo%bounds(lower, upper, room)
    if (any(upper < lower)) then
      allocate (a(0, 0, 0))
    else
      call expect(all(room == upper + [0, 1, 2]), 'memory ends with ghost points')
      allocate (a(lower(1) - 1:room(1), lower(2) - 2:room(2), lower(3) - 1:room(3)), source=-7)
    end if
    call expect(halo%elements() == size(a), 'elements are told')
    do concurrent(i=int(lower(1)):int(upper(1)), j=int(lower(2)):int(upper(2)), k=int(lower(3)):int(upper(3)))
      a(i, j, k) = i + 100*j + 10000*k
    end do
    call halo%start_exchange(a, ticket)
    call ticket%wait()
    do k = lbound(a, 3), ubound(a, 3)
      do j = lbound(a, 2), ubound(a, 2)
        do i = lbound(a, 1), ubound(a, 1)
          associate (at => modulo([i, j, k] - 1, n) + 1)
            call expect(a(i, j, k) == at(1) + 100*at(2) + 10000*at(3), 'ghost points are filled periodically')
          end associate
        end do
      end do
    end do
    call halo%free()
  end subroutine ghost_points_are_filled_periodically

  subroutine nothing_is_beyond_bounded_axes()
    type(weft_halo) :: halo
    complex(real64), allocatable :: a(:)
    integer(int64), allocatable :: lower(:), upper(:)
    integer(int64) :: i
    call halo%create(MPI_COMM_WORLD%MPI_VAL, weft_grid([20], element_bytes=16, bounded=[.true.]), &
        weft_distribution(weft_slab, ghosts_before=[1], ghosts_after=[1]), settings=quick)
    call halo%bounds(lower, upper)
    allocate (a(lower(1) - 1:upper(1) + 1), source=(-5d0, 0d0))
    do i = lower(1), upper(1)
      a(i) = i
    end do
    call halo%exchange(a)
    do i = lbound(a, 1), ubound(a, 1)
      call expect(abs(a(i) - merge(i, -5_int64, i >= 1 .and. i <= 20)) < 1d-15, 'nothing is beyond bounded axes')
    end do
    call halo%free()
  end subroutine nothing_is_beyond_bounded_axes

  subroutine pieces_are_where_they_are_placed()
    type(weft_problem) :: problem
    type(weft_plan) :: plan
    integer, allocatable :: lower(:), upper(:)
    integer :: stat
    problem = weft_problem([8, 8, 8])
    problem%rank_of => from_the_last
    problem%pieces = ranks
    call plan%create(MPI_COMM_WORLD, problem, quick)
    call plan%bounds(weft_input, lower, upper)
    call expect(all(lower == 1) .eqv. rank == ranks - 1, 'pieces are where they are placed')
    call plan%free()
    problem%rank_of => beyond
    call plan%create(MPI_COMM_WORLD, problem, quick, stat=stat)
    call expect(stat == weft_invalid .and. index(weft_last_error(), 'is placed on rank') > 0, 'ranks that are none are refused')
  end subroutine pieces_are_where_they_are_placed

  function from_the_last(grid, piece) result(to)
    integer, intent(in) :: grid(:), piece(:)
    integer :: to
    integer :: a
    call expect(all(piece >= 1) .and. all(piece <= grid), 'pieces count from 1')
    to = 0
    do a = size(grid), 1, -1
      to = to*grid(a) + piece(a) - 1
    end do
    to = ranks - 1 - mod(to, ranks)
  end function from_the_last

  function beyond(grid, piece) result(to)
    integer, intent(in) :: grid(:), piece(:)
    integer :: to
    to = ranks + size(grid) + size(piece)
  end function beyond

  subroutine ensembles_are_on_chosen_ranks()
    type(weft_ensemble) :: pair
    type(weft_plan) :: first, second
    type(weft_problem) :: problems(2)
    integer, allocatable :: of_first(:), of_second(:)
    complex(real64), allocatable :: u(:), v(:)
    integer :: stat
    character(len=200) :: message
    problems(1) = weft_problem([12])
    problems(2) = weft_problem([9], kind='r2c')
    call pair%create(MPI_COMM_WORLD, problems, weft_policy(weft_chosen, [1, 1], [0, ranks - 1]), quick)
    call expect(pair%form() == weft_chosen, 'the policy is told')
    call pair%ranks(1, of_first)
    call pair%ranks(2, of_second)
    call expect(all(of_first == [0]) .and. all(of_second == [ranks - 1]), 'ensembles are on chosen ranks')
    call pair%plan(1, first)
    call pair%plan(2, second)
    call expect((first%is_created() .eqv. rank == 0) .and. (second%is_created() .eqv. rank == ranks - 1), 'plans are there only')
    if (first%is_created()) then
      call first%make(weft_input, u)
      call first%make(weft_output, v)
      u = 1
      call first%forward(u, v)
      call expect(abs(v(1) - 12) < 1d-13, 'instances are transformed')
      call first%free(stat, message)
      call expect(stat == weft_invalid .and. index(message, 'belongs to another object') > 0, 'plans stay the ensemble''s')
    end if
    call pair%plan(3, second, stat, message)
    call expect(stat == weft_invalid, 'there is no third instance')
    call pair%free()
    call expect(.not. first%is_created(), 'plans end with their ensemble')
    call pair%create(MPI_COMM_WORLD, problems, weft_policy(weft_chosen, [1], [0]), quick, stat, message)
    call expect(stat == weft_invalid .and. index(message, 'rank_counts') > 0, 'lists of ranks are as long as they say')
  end subroutine ensembles_are_on_chosen_ranks

  subroutine plans_tell_about_themselves()
    type(weft_plan) :: plan
    type(weft_bytes) :: planned, held
    type(weft_stage), allocatable :: stages(:)
    type(MPI_Comm) :: comm
    complex(real64), allocatable :: u(:, :), v(:, :)
    type(weft_item), allocatable :: items(:)
    type(weft_report) :: report
    character(len=:), allocatable :: text
    integer :: compared, i
    call plan%create(MPI_COMM_WORLD, weft_problem([16, 16]), quick//'; threads=1')
    call plan%make(weft_input, u)
    call plan%make(weft_output, v)
    call plan%forward(u, v)
    call expect(plan%rank() == rank .and. plan%threads() == 1, 'ranks and threads are told')
    call expect(len(plan%engine()) > 0 .and. index(plan%strategy(), 'fft') > 0, 'engine and strategy are told')
    call plan%comm(comm)
    call MPI_Comm_compare(comm, MPI_COMM_WORLD, compared)
    call expect(compared == MPI_CONGRUENT, 'the communicator is a duplicate')
    call plan%memory(planned, held)
    call expect(planned%input == 16*size(u) .and. planned%output == 16*size(v) .and. held%programs > 0, 'bytes are told')
    call plan%stages(weft_forward, stages)
    call expect(size(stages) >= 1 .and. any(.not. stages%is_exchange), 'stages are told')
    call expect(all(stages%seconds >= 0) .and. len(stages(1)%name) > 0, 'stages have names and times')
    call expect(all(stages%passes > 0 .neqv. stages%is_exchange), 'passes are counted')
    call expect(all([(size(stages(i)%axes) > 0 .neqv. stages(i)%is_exchange, i=1, size(stages))]), 'passes have axes')
    call expect(stages(1)%axes(1) == 1, 'the first axis is transformed first')
    call expect(all([(len(stages(i)%exchange) > 0 .eqv. stages(i)%is_exchange, i=1, size(stages))]), 'exchanges have names')
    call expect(all([(product(stages(i)%grid) == ranks, i=1, size(stages))]), 'all ranks have a piece of the grid')
    call plan%items(weft_forward, findloc(stages%is_exchange, .false., dim=1), items)
    call expect(size(items) >= 1 .or. size(u) == 0, 'items of work are told')
    call expect(all(items%feeds >= 0 .and. items%feeds <= 3 .and. items%seconds >= 0), 'items of work are told as they are')
    call plan%report(report)
    call expect(report%ranks == ranks .and. report%runs(1) == 1 .and. report%runs(2) == 0, 'runs are counted')
    call expect(size(report%node_of_rank) == ranks .and. all(report%threads_of_rank == 1), 'ranks and their threads are told')
    text = plan%describe('all')
    call expect(len(text) > len(plan%describe()), 'a plan is described in one length or another')
    call plan%free()
    entries = weft_engines()
    call expect(size(entries) >= 1 .and. len(entries(1)%summary) > 0, 'engines are listed')
    entries = weft_exchanges()
    call expect(any_is('p2p'), 'exchanges are listed')
    entries = weft_settings()
    call expect(any_is('in-flight') .or. any_is('in_flight'), 'settings are listed')
    call expect(plan%rank() == -1 .and. plan%describe() == '' .and. plan%elements(weft_input) == 0, 'no plan tells nothing')
    call expect(weft_next_fast_length(97) <= 100 .and. weft_version() == '0.1.0', 'lengths and the version are told')
    call expect(weft_status_name(weft_mismatch) == 'mismatch', 'statuses have names')
  end subroutine plans_tell_about_themselves

  function any_is(name) result(answer)
    character(len=*), intent(in) :: name
    logical :: answer
    integer :: i
    answer = .false.
    do i = 1, size(entries)
      answer = answer .or. entries(i)%name == name
    end do
  end function any_is

end program moves
