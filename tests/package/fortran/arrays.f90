! arrays: how arrays of the application's may lie in memory: orders of axes, ghost points, batches, parts, several boxes, fields;
! and problems that leave something out: modes, a support, waves in a sphere.
program arrays
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer, c_associated
  use checks
  use mpi_f08
  use weft
  implicit none
  character(len=*), parameter :: quick = 'effort=estimate'
  integer, parameter :: n(3) = [6, 5, 7]
  complex(real64), allocatable :: u(:, :, :), v(:, :, :)
  integer :: rank, ranks
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  u = numbers(n)
  v = direct(u)
  call axes_lie_in_any_order()
  call batches_follow_each_other()
  call batches_are_interleaved()
  call parts_lie_where_they_are_said_to()
  call ranks_have_several_boxes_or_none()
  call fields_are_arrays()
  call fields_in_place_are_two_views()
  call modes_are_those_of_a_smaller_grid()
  call a_support_is_part_of_the_field()
  call waves_lie_in_a_sphere()
  call memory_is_allocated()
  call MPI_Finalize()
  print '(a)', 'all is as expected'

contains

  subroutine axes_lie_in_any_order()
    type(weft_plan) :: plan
    type(weft_distribution) :: turned
    complex(real64), allocatable :: from(:, :, :), to(:, :, :)
    integer, allocatable :: lower(:), upper(:), room(:)
    integer :: i, j, k
    turned = weft_distribution(weft_slab, order=[3, 1, 2], ghosts_before=[1, 0, 2], ghosts_after=[0, 3, 1])
    call plan%create(MPI_COMM_WORLD, weft_problem(n, input=turned, output=turned), quick)
    call plan%bounds(weft_input, lower, upper, room)
    call plan%make(weft_input, from)
    call plan%make(weft_output, to)
    if (all(upper >= lower)) then
      call expect(all(lbound(from) == [lower(3) - 2, lower(1) - 1, lower(2)]), 'arrays begin with their ghost points')
      call expect(all(ubound(from) == [upper(3) + 1, upper(1), upper(2) + 3]), 'arrays end with their ghost points')
      call expect(all(room == [upper(1), upper(2) + 3, upper(3) + 1]), 'memory ends with ghost points')
    end if
    from = -1
    do concurrent(i=lower(1):upper(1), j=lower(2):upper(2), k=lower(3):upper(3))
      from(k, i, j) = u(i, j, k)
    end do
    call plan%forward(from, to)
    do k = lower(3), upper(3)
      do j = lower(2), upper(2)
        call expect(all(abs(to(k, lower(1):upper(1), j) - v(lower(1):upper(1), j, k)) < 1d-11), 'axes lie in any order')
      end do
    end do
    call plan%free()
  end subroutine axes_lie_in_any_order

  subroutine batches_follow_each_other()
    type(weft_plan) :: plan
    complex(real64), allocatable :: from(:, :, :, :), to(:, :, :, :)
    integer :: f
    call plan%create(MPI_COMM_WORLD, weft_problem(n, batch=2), quick)
    call plan%make(weft_input, from)
    call plan%make(weft_output, to)
    do f = 1, 2
      from(:, :, :, f) = f*mine(u, from, 0)
    end do
    call plan%forward(from, to)
    do f = 1, 2
      call expect(all(abs(to(:, :, :, f) - f*mine(v, to, 0)) < 1d-11), 'batches follow each other')
    end do
    call plan%free()
  end subroutine batches_follow_each_other

  subroutine batches_are_interleaved()
    type(weft_plan) :: plan
    complex(real64), allocatable :: from(:, :, :, :), to(:, :, :, :)
    type(weft_distribution) :: values
    integer :: f
    values = weft_distribution(weft_slab, interleaves_batch=.true.)
    call plan%create(MPI_COMM_WORLD, weft_problem(n, batch=2, input=values, output=values), quick)
    call plan%make(weft_input, from)
    call plan%make(weft_output, to)
    call expect(size(from, 1) == 2, 'the fields of an interleaved batch come first')
    do f = 1, 2
      from(f, :, :, :) = f*mine(u, from, 1)
    end do
    call plan%forward(from, to)
    do f = 1, 2
      call expect(all(abs(to(f, :, :, :) - f*mine(v, to, 1)) < 1d-11), 'batches are interleaved')
    end do
    call plan%free()
  end subroutine batches_are_interleaved

  ! The part of `field` that an array with a batch has.
  function mine(field, array, before) result(of)
    complex(real64), intent(in) :: field(:, :, :)
    complex(real64), allocatable, intent(in) :: array(:, :, :, :)
    integer, intent(in) :: before
    complex(real64), allocatable :: of(:, :, :)
    integer :: lower(4), upper(4)
    lower = lbound(array)
    upper = ubound(array)
    of = part(field, lower(before + 1:before + 3), upper(before + 1:before + 3))
  end function mine

  ! This rank's planes of axis 3, every second element of an array that ends with what is left alone.
  subroutine parts_lie_where_they_are_said_to()
    type(weft_problem) :: problem
    type(weft_plan) :: plan
    complex(real64), allocatable :: from(:), to(:, :, :)
    integer(int64), allocatable :: lower(:, :), upper(:, :), first(:), strides(:, :)
    integer :: begin, end, i, j, k
    begin = n(3)*rank/ranks + 1
    end = n(3)*(rank + 1)/ranks
    problem = weft_problem(n)
    problem%input = weft_distribution(weft_parts, first=[3_int64], array_elements=430)
    problem%input%lower = reshape([1, 1, begin], [3, 1])
    problem%input%upper = reshape([n(1), n(2), end], [3, 1])
    problem%input%strides = reshape([2, 2*n(1), 2*n(1)*n(2)], [3, 1])
    if (end < begin) then
      problem%input%lower = reshape([integer ::], [3, 0])
      problem%input%upper = problem%input%lower
      problem%input%strides = problem%input%lower
      problem%input%first = [integer(int64) ::]
    end if
    call plan%create(MPI_COMM_WORLD, problem, quick)
    call plan%parts(weft_input, lower, upper, first, strides)
    if (end >= begin) then
      call expect(all(lower(:, 1) == [1, 1, begin]) .and. all(upper(:, 1) == [n(1), n(2), end]), 'parts are told')
      call expect(first(1) == 3 .and. all(strides(:, 1) == [2, 2*n(1), 2*n(1)*n(2)]), 'strides are told')
    end if
    call plan%make(weft_input, from)
    call plan%make(weft_output, to)
    do k = begin, end
      do j = 1, n(2)
        do i = 1, n(1)
          from(3 + 2*((i - 1) + n(1)*((j - 1) + n(2)*(k - begin)))) = u(i, j, k)
        end do
      end do
    end do
    call plan%forward(from, to)
    call expect(all(abs(to - part(v, lbound(to), ubound(to))) < 1d-11), 'parts lie where they are said to')
    call plan%free()
  end subroutine parts_lie_where_they_are_said_to

  ! Planes are dealt out in turn, from the last rank on, so that some ranks have several boxes and others none.
  subroutine ranks_have_several_boxes_or_none()
    type(weft_problem) :: problem
    type(weft_plan) :: plan
    complex(real64), allocatable :: from(:), to(:, :, :)
    integer(int64), allocatable :: lower(:, :), upper(:, :), first(:), strides(:, :)
    integer, allocatable :: none(:), neither(:)
    integer :: b, i, j, k, stat
    character(len=80) :: message
    problem = weft_problem(n)
    problem%input%form = weft_boxes
    allocate (problem%input%lower(3, 0), problem%input%upper(3, 0))
    do k = 1, n(3)
      if (mod(k, ranks) /= ranks - 1 - rank) cycle
      problem%input%lower = reshape([problem%input%lower, [1_int64, 1_int64, int(k, int64)]], [3, size(problem%input%lower, 2) + 1])
      problem%input%upper = reshape([problem%input%upper, int([n(1), n(2), k], int64)], shape(problem%input%lower))
    end do
    call plan%create(MPI_COMM_WORLD, problem, quick)
    call plan%parts(weft_input, lower, upper, first, strides)
    call plan%make(weft_input, from)
    call plan%make(weft_output, to)
    do b = 1, size(first)
      k = int(lower(3, b))
      do j = 1, n(2)
        do i = 1, n(1)
          from(first(b) + sum(([i, j, k] - lower(:, b))*strides(:, b))) = u(i, j, k)
        end do
      end do
    end do
    call plan%forward(from, to)
    call expect(all(abs(to - part(v, lbound(to), ubound(to))) < 1d-11), 'ranks have several boxes or none')
    if (size(first) > 1) then
      call plan%bounds(weft_input, none, neither, stat=stat, errmsg=message)
      call expect(stat == weft_invalid .and. index(message, 'several boxes') > 0, 'several boxes have no bounds')
    end if
    call plan%free()
  end subroutine ranks_have_several_boxes_or_none

  subroutine fields_are_arrays()
    type(weft_plan) :: plan
    type(weft_field) :: from, to, back
    type(weft_ticket) :: ticket
    complex(real64), pointer :: x(:, :, :), wave(:, :, :)
    complex(real32), pointer :: single(:, :, :)
    real(real64) :: most
    integer :: stat
    call plan%create(MPI_COMM_WORLD, weft_problem(n), 'arrays=weft; '//quick)
    call plan%make(weft_input, from)
    call plan%make(weft_input, back)
    call plan%make(weft_output, to)
    call from%point(x)
    call to%point(wave)
    x = part(u, lbound(x), ubound(x))
    call plan%forward(from, to)
    call expect(all(abs(wave - part(v, lbound(wave), ubound(wave))) < 1d-11), 'fields are transformed')
    call plan%start_backward(to, back, ticket)
    call ticket%wait()
    call from%max_abs_difference(back, most)
    call expect(most < 1d-13, 'fields come back')
    call from%max_abs(most)
    call expect(abs(most - maxval(abs(u))) < 1d-15, 'the largest value of a field is told')
    call from%point(single, stat)
    call expect(stat == weft_invalid .and. .not. associated(single), 'a field has one type')
    call plan%free()
    call from%point(x)  ! fields outlive their plan
    call expect(all(abs(x - part(u, lbound(x), ubound(x))) < 1d-15), 'fields outlive their plan')
    call from%free()
    call to%free()
    call back%free()
    call from%point(x, stat)
    call expect(stat == weft_invalid .and. .not. associated(x), 'a field that was freed has no elements')
  end subroutine fields_are_arrays

  subroutine fields_in_place_are_two_views()
    type(weft_plan) :: plan
    type(weft_field) :: from, to
    real(real64), pointer :: x(:, :, :)
    complex(real64), pointer :: wave(:, :, :)
    complex(real64), allocatable :: known(:, :, :)
    integer, allocatable :: lower(:), upper(:)
    allocate (known, source=direct(cmplx(real(u), kind=real64)))
    call plan%create(MPI_COMM_WORLD, weft_problem(n, kind='r2c', in_place=.true., input=weft_distribution(weft_slab), &
        output=weft_distribution(weft_same)), quick)
    call plan%make(weft_input, from)
    call plan%view(from, to)
    call from%point(x)
    call to%point(wave)
    call plan%bounds(weft_input, lower, upper)
    x(lower(1):upper(1), lower(2):upper(2), lower(3):upper(3)) = real(part(u, lower, upper))
    call plan%forward(from, to)
    call plan%bounds(weft_output, lower, upper)
    call expect(all(abs(wave(lower(1):upper(1), lower(2):upper(2), lower(3):upper(3)) - part(known, lower, upper)) < 1d-11), &
        'fields in place are two views')
    call from%free()
    call to%free()
    call plan%free()
  end subroutine fields_in_place_are_two_views

  subroutine modes_are_those_of_a_smaller_grid()
    type(weft_plan) :: plan
    complex(real64), allocatable :: from(:, :, :), to(:, :, :)
    complex(real64) :: small(3, 3, 5)
    integer, allocatable :: k(:)
    integer :: a
    small = v([1, 2, 6], [1, 2, 5], [1, 2, 3, 6, 7])  ! 0, 1, -1; 0, 1, -1; 0, 1, 2, -2, -1
    call plan%create(MPI_COMM_WORLD, weft_problem(n, modes=[3, 3, 5]), quick)
    call expect(all(plan%extents(weft_output) == [3, 3, 5]), 'a spectrum has the modes that are kept')
    do a = 1, 3
      call plan%wavenumbers(a, k)
      if (a == 3) call expect(all(k == [0, 1, 2, -2, -1]), 'wavenumbers are those of the modes')
    end do
    call plan%make(weft_input, from)
    call plan%make(weft_output, to)
    from = part(u, lbound(from), ubound(from))
    call plan%forward(from, to)
    call expect(all(abs(to - part(small, lbound(to), ubound(to))) < 1d-11), 'modes are those of a smaller grid')
    call plan%free()
  end subroutine modes_are_those_of_a_smaller_grid

  subroutine a_support_is_part_of_the_field()
    type(weft_problem) :: problem
    type(weft_plan) :: plan
    complex(real64), allocatable :: from(:, :, :), to(:, :, :)
    complex(real64) :: cut(n(1), n(2), n(3))
    integer, allocatable :: lower(:), upper(:)
    cut = u
    cut(1, :, :) = 0
    cut(:, 4:, :) = 0
    cut(:, :, :) = direct(cut)
    problem = weft_problem(n, support_lower=[2, 1, 1], support_upper=[6, 3, 7])
    call plan%create(MPI_COMM_WORLD, problem, quick)
    call plan%bounds(weft_input, lower, upper)
    call expect(all(upper <= [5, 3, 7]) .and. all(plan%extents(weft_input) == [5, 3, 7]), 'arrays hold the support only')
    call plan%make(weft_input, from)
    call plan%make(weft_output, to)
    from = part(u, lbound(from) + [1, 0, 0], ubound(from) + [1, 0, 0])
    call plan%forward(from, to)
    call expect(all(abs(to - part(cut, lbound(to), ubound(to))) < 1d-11), 'a support is part of the field')
    call plan%free()
  end subroutine a_support_is_part_of_the_field

  ! The second axis is half as long: |k2| counts twice.
  subroutine waves_lie_in_a_sphere()
    type(weft_problem) :: problem
    type(weft_plan) :: plan
    complex(real64), allocatable :: from(:, :, :), to(:)
    integer, allocatable :: waves(:, :)
    integer :: i, all_waves
    problem = weft_problem(n)
    problem%cutoff = weft_cutoff(radius=2d0, vectors=reshape([1d0, 0d0, 0d0, 0d0, 2d0, 0d0, 0d0, 0d0, 1d0], [3, 3]), column_axis=1)
    call plan%create(MPI_COMM_WORLD, problem, quick)
    call plan%make(weft_input, from)
    call plan%make(weft_output, to)
    call plan%waves(weft_output, waves)
    from = part(u, lbound(from), ubound(from))
    call plan%forward(from, to)
    do i = 1, size(to)
      call expect(waves(1, i)**2 + 4*waves(2, i)**2 + waves(3, i)**2 <= 4, 'waves lie in the sphere')
      associate (k => modulo(waves(:, i), n) + 1)
        call expect(abs(to(i) - v(k(1), k(2), k(3))) < 1d-11, 'waves have their values')
      end associate
    end do
    call MPI_Allreduce(size(to), all_waves, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call expect(all_waves == 13 + 2, 'no wave of the sphere is missing')
    call plan%free()
  end subroutine waves_lie_in_a_sphere

  subroutine memory_is_allocated()
    type(c_ptr) :: memory
    real(real64), pointer :: x(:)
    call weft_allocate(8000_int64, memory)
    call c_f_pointer(memory, x, [1000])
    x = 3
    call expect(abs(sum(x) - 3000) < 1d-9, 'memory is there')
    call weft_deallocate(memory)
    call expect(.not. c_associated(memory), 'memory that was freed is none')
  end subroutine memory_is_allocated

end program arrays
