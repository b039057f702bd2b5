! program: transforms fields with P3DFFT, and compares with direct sums.
program transforms
  use checks, only: direct, expect, number_at, pi
  use held
  use mpi
  use p3dfft
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  real(real64), parameter :: error_of_one = 60*epsilon(1._p3dfft_type)
  external :: ftran_r2c, btran_c2r, ftran_r2c_many, btran_c2r_many
  integer :: ierr, rank, ranks, dims(2)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  dims = 0
  call MPI_Dims_create(ranks, 2, dims, ierr)
  dims = dims(2:1:-1)
  call use_library([8, 6, 5])
  call use_library([7, 11, 9])
  call modes_are_cut([8, 9, 10], [5, 6, 7])
  call modes_are_cut([9, 9, 7], [5, 7, 3])
  call derivatives_along_z([4, 3, 9])
  if (ranks < 4) call many_setups_leave_nothing()
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'all is as expected'

contains

  subroutine many_setups_leave_nothing()
    type(holding) :: before
    integer :: turn
    do turn = 1, merge(510, 30, ranks == 1)
      if (turn == 10) before = what_is_held()
      call p3dfft_setup(dims, 4, 5, 6, MPI_COMM_WORLD)
      call transforms_one([4, 5, 6], 'f')
      call p3dfft_clean()
    end do
    call expect(nothing_more(before, 100000_int64), 'nothing is left of setups')
  end subroutine many_setups_leave_nothing

  subroutine use_library(n)
    integer, intent(in) :: n(3)
    integer :: memsize(3), from(3), to(3), room(3), id, tasks, comm
    call p3dfft_setup(dims, n(1), n(2), n(3), MPI_COMM_WORLD, overwrite=.true., memsize=memsize)
    call p3dfft_get_mpi_info(id, tasks, comm)
    call expect(id == rank .and. tasks == ranks, 'ranks are told')
    call p3dfft_get_dims(from, to, room, 3)
    call expect(all(room == memsize), 'an array with room for both sides')
    call dimensions_are_told(n)
    call set_timers()
    call transforms_one(n, 'f')
    call transforms_one(n, 't')
    call transforms_one(n, 'c')
    call transforms_one(n, 's')
    call transforms_one(n, 'n')
    call transforms_one(n, '0')
    call expect(timers(5) > 0 .and. timers(6) > 0, 'time is told')
    call transforms_many(n)
    call transforms_in_place(n, memsize)
    call transforms_x(n)
    call p3dfft_clean()
  end subroutine use_library

  ! The part of 1..n that part `i`, from 0, of `parts` has: the last ones have one more.
  pure function part(n, parts, i) result(range)
    integer, intent(in) :: n, parts, i
    integer :: range(2), j
    range = 0
    do j = 0, i
      range(1) = range(2) + 1
      range(2) = range(2) + n/parts + merge(1, 0, j >= parts - mod(n, parts))
    end do
  end function part

  subroutine dimensions_are_told(n)
    integer, intent(in) :: n(3)
    integer :: from(3), to(3), points(3), row, col
#ifdef DIMS_C
    row = rank/dims(2)
    col = mod(rank, dims(2))
#else
    row = mod(rank, dims(1))
    col = rank/dims(1)
#endif
    call p3dfft_get_dims(from, to, points, 1)
    call expect(all([1, n(1), part(n(2), dims(1), row), part(n(3), dims(2), col)] == &
        [from(1), to(1), from(2), to(2), from(3), to(3)]), 'X pencils')
    call expect(all(points == to - from + 1), 'sizes')
    call spectrum_dims(from, to)
    call expect(all([part(n(1)/2 + 1, dims(1), row), part(n(2), dims(2), col), 1, n(3)] == &
        [from(1), to(1), from(2), to(2), from(3), to(3)]), 'Z pencils')
  end subroutine dimensions_are_told

  ! What this rank has of the spectrum, along x, y and z.
  subroutine spectrum_dims(from, to)
    integer, intent(out) :: from(3), to(3)
    integer :: points(3)
    call p3dfft_get_dims(from, to, points, 2)
#ifdef STRIDE1
    from = from(3:1:-1)
    to = to(3:1:-1)
#endif
  end subroutine spectrum_dims

  ! A spectrum by x, y and z as it lies in memory.
  function as_in_memory(waves) result(lying)
    complex(real64), intent(in) :: waves(:, :, :)
    complex(real64), allocatable :: lying(:, :, :)
#ifdef STRIDE1
    integer :: i
    allocate (lying(size(waves, 3), size(waves, 2), size(waves, 1)))
    do i = 1, size(waves, 1)
      lying(:, :, i) = transpose(waves(i, :, :))
    end do
#else
    lying = waves
#endif
  end function as_in_memory

  ! Field `which` of a grid.
  function whole_field(n, which) result(u)
    integer, intent(in) :: n(3), which
    real(real64), allocatable :: u(:, :, :)
    integer :: i, j, k
    allocate (u(n(1), n(2), n(3)))
    do concurrent(i=1:n(1), j=1:n(2), k=1:n(3))
      u(i, j, k) = real(number_at(i + which, j, k))
    end do
  end function whole_field

  ! The transform along z by its definition: cosines of type 1 or sines of type 1.
  function along_z(u, letter) result(v)
    complex(real64), intent(in) :: u(:, :, :)
    character, intent(in) :: letter
    complex(real64), allocatable :: v(:, :, :)
    real(real64) :: weight
    integer :: j, k, n
    n = size(u, 3)
    if (letter == 'f' .or. letter == 't') v = direct(u, 3)
    if (letter == 'n' .or. letter == '0') v = u
    if (letter /= 'c' .and. letter /= 's') return
    allocate (v, mold=u)
    v = 0
    do k = 0, n - 1
      do j = 0, n - 1
        if (letter == 'c') then
          weight = merge(1, 2, j == 0 .or. j == n - 1)*cos(pi*j*k/(n - 1))
        else
          weight = 2*sin(pi*(j + 1)*(k + 1)/(n + 1))
        end if
        v(:, :, k + 1) = v(:, :, k + 1) + weight*u(:, :, j + 1)
      end do
    end do
  end function along_z

  function spectrum(u, letter) result(waves)
    real(real64), intent(in) :: u(:, :, :)
    character, intent(in) :: letter
    complex(real64), allocatable :: waves(:, :, :)
    waves = along_z(direct(direct(cmplx(u, 0, real64), 1), 2), letter)
  end function spectrum

  ! By how much a transform and the way back multiply.
  pure function round_trip(n, letter) result(factor)
    integer, intent(in) :: n(3)
    character, intent(in) :: letter
    integer :: factor
    factor = n(1)*n(2)
    if (letter == 'f' .or. letter == 't') factor = factor*n(3)
    if (letter == 'c') factor = factor*2*(n(3) - 1)
    if (letter == 's') factor = factor*2*(n(3) + 1)
  end function round_trip

  function mine(u) result(field)
    real(real64), intent(in) :: u(:, :, :)
    real(p3dfft_type), allocatable :: field(:, :, :)
    integer :: from(3), to(3), points(3)
    call p3dfft_get_dims(from, to, points, 1)
    field = real(u(from(1):to(1), from(2):to(2), from(3):to(3)), p3dfft_type)
  end function mine

  function mine_of_waves(waves) result(part)
    complex(real64), intent(in) :: waves(:, :, :)
    complex(real64), allocatable :: part(:, :, :)
    integer :: from(3), to(3)
    call spectrum_dims(from, to)
    part = as_in_memory(waves(from(1):to(1), from(2):to(2), from(3):to(3)))
  end function mine_of_waves

  subroutine expect_waves(found, wanted, whole, what)
    complex(p3dfft_type), intent(in) :: found(*)
    complex(real64), intent(in) :: wanted(:, :, :), whole(:, :, :)
    character(len=*), intent(in) :: what
    if (size(wanted) > 0) call expect(maxval(abs(found(:size(wanted)) - reshape(wanted, [size(wanted)]))) < &
        error_of_one*maxval(abs(whole)), what)
  end subroutine expect_waves

  subroutine transforms_one(n, letter)
    integer, intent(in) :: n(3)
    character, intent(in) :: letter
    real(p3dfft_type), allocatable :: u(:, :, :), back(:, :, :)
    complex(p3dfft_type), allocatable :: v(:, :, :)
    complex(real64), allocatable :: waves(:, :, :)
    integer :: from(3), to(3), points(3)
    u = mine(whole_field(n, 0))
    waves = spectrum(whole_field(n, 0), letter)
    call p3dfft_get_dims(from, to, points, 2)
    allocate (v(from(1):to(1), from(2):to(2), from(3):to(3)), back(size(u, 1), size(u, 2), size(u, 3)))
    call p3dfft_ftran_r2c(u, v, 'ff'//letter)
    call expect_waves(v, mine_of_waves(waves), waves, 'forward '//letter)
    call p3dfft_btran_c2r(v, back, letter//'ff')
    if (size(u) > 0) call expect(maxval(abs(back/round_trip(n, letter) - u)) < error_of_one, 'back '//letter)
  end subroutine transforms_one

  ! Three fields with something between them.
  subroutine transforms_many(n)
    integer, intent(in) :: n(3)
    integer, parameter :: fields = 3
    real(p3dfft_type), allocatable :: u(:, :), back(:, :), one(:, :, :)
    complex(p3dfft_type), allocatable :: v(:, :)
    complex(real64), allocatable :: waves(:, :, :)
    integer :: from(3), to(3), points(3), real_size, wave_size, f
    call p3dfft_get_dims(from, to, points, 1)
    real_size = product(points)
    call p3dfft_get_dims(from, to, points, 2)
    wave_size = product(points)
    allocate (u(real_size + 3, fields), back(real_size + 3, fields), v(wave_size + 2, fields))
    v = -7
    back = -8
    do f = 1, fields
      one = mine(whole_field(n, f))
      u(:real_size, f) = reshape(one, [real_size])
    end do
    call p3dfft_ftran_r2c_many(u, real_size + 3, v, wave_size + 2, fields, 'fft')
    do f = 1, fields
      waves = spectrum(whole_field(n, f), 'f')
      call expect_waves(v(1, f), mine_of_waves(waves), waves, 'several fields')
      call expect(all(v(wave_size + 1:, f) == -7), 'what is between fields is left alone')
    end do
    call p3dfft_btran_c2r_many(v, wave_size + 2, back, real_size + 3, fields, 'tff')
    call expect(all(abs(back(:real_size, :)/product(n) - u(:real_size, :)) < error_of_one) .and. &
        all(back(real_size + 1:, :) == -8), 'several fields back')
  end subroutine transforms_many

  ! With the wrappers that know no types.
  subroutine transforms_in_place(n, memsize)
    integer, intent(in) :: n(3), memsize(3)
    real(p3dfft_type), allocatable :: u(:, :), one(:, :, :)
    complex(real64), allocatable :: waves(:, :, :), wanted(:, :, :)
    integer :: f, room
    room = product(memsize)
    room = room + mod(room, 2)
    allocate (u(room, 2))
    do f = 1, 2
      one = mine(whole_field(n, f))
      u(:size(one), f) = reshape(one, [size(one)])
    end do
    call ftran_r2c(u(1, 1), u(1, 1), 'fft')
    waves = spectrum(whole_field(n, 1), 'f')
    wanted = mine_of_waves(waves)
    call expect_waves(transfer(u(:2*size(wanted), 1), [(0._p3dfft_type, 0._p3dfft_type)]), wanted, waves, 'in place')
    call btran_c2r(u(1, 1), u(1, 1), 'tff')
    one = mine(whole_field(n, 1))
    u(:size(one), 1) = u(:size(one), 1)/product(n)
    call ftran_r2c_many(u, room, u, room/2, 2, 'ffc')
    do f = 1, 2
      waves = spectrum(whole_field(n, f), 'c')
      call expect_waves(transfer(u(:2*size(wanted), f), [(0._p3dfft_type, 0._p3dfft_type)]), mine_of_waves(waves), waves, &
          'several in place')
    end do
    call btran_c2r_many(u, room/2, u, room, 2, 'cff')
    do f = 1, 2
      one = mine(whole_field(n, f))
      call expect(all(abs(u(:size(one), f)/round_trip(n, 'c') - reshape(one, [size(one)])) < error_of_one), &
          'several in place, back')
    end do
  end subroutine transforms_in_place

  subroutine transforms_x(n)
    integer, intent(in) :: n(3)
    real(p3dfft_type), allocatable :: u(:, :, :)
    complex(p3dfft_type), allocatable :: v(:, :, :)
    complex(real64), allocatable :: waves(:, :, :)
    integer :: from(3), to(3), points(3)
    u = mine(whole_field(n, 0))
    waves = direct(cmplx(whole_field(n, 0), 0, real64), 1)
    call p3dfft_get_dims(from, to, points, 1)
    allocate (v(n(1)/2 + 1, points(2), points(3)))
    call p3dfft_ftran_r2c_1d(u, v)
    call expect_waves(v, waves(:n(1)/2 + 1, from(2):to(2), from(3):to(3)), waves, 'along x only')
  end subroutine transforms_x

  ! The modes of an axis of n points that are kept where there are m.
  pure function kept(m, n) result(at)
    integer, intent(in) :: m, n
    integer :: at(m), i
    at = [(modulo(merge(i, i - m, i < (m + 1)/2), n) + 1, i=0, m - 1)]
  end function kept

  subroutine modes_are_cut(n, m)
    integer, intent(in) :: n(3), m(3)
    real(p3dfft_type), allocatable :: u(:, :, :)
    complex(p3dfft_type), allocatable :: v(:, :, :), again(:, :, :)
    complex(real64), allocatable :: waves(:, :, :), cut(:, :, :)
    integer :: from(3), to(3), points(3)
    call p3dfft_setup(dims, n(1), n(2), n(3), MPI_COMM_WORLD, m(1), m(2), m(3))
    u = mine(whole_field(n, 0))
    waves = spectrum(whole_field(n, 0), 'f')
    cut = waves(:m(1)/2 + 1, kept(m(2), n(2)), kept(m(3), n(3)))
    call p3dfft_get_dims(from, to, points, 2)
    allocate (v(points(1), points(2), points(3)), again(points(1), points(2), points(3)))
    call p3dfft_ftran_r2c(u, v, 'fft')
    call expect_waves(v, mine_of_waves(cut), waves, 'modes are cut')
    if (all(mod(m, 2) == 1)) then  ! a wave without its opposite would become half of both
      call p3dfft_btran_c2r(v, u, 'tff')
      call p3dfft_ftran_r2c(u, again, 'fft')
      call expect_waves(again/product(n), mine_of_waves(cut), waves, 'the others are zero on the way back')
    end if
    call p3dfft_clean()
  end subroutine modes_are_cut

  ! Of a polynomial on an interval of the length 6, whose points are 3 cos(pi k/(n-1)), times something along x and y.
  subroutine derivatives_along_z(n)
    integer, intent(in) :: n(3)
    real(p3dfft_type), allocatable :: u(:, :, :), back(:, :, :)
    complex(p3dfft_type), allocatable :: v(:, :, :)
    real(real64) :: wanted(n(1), n(2), n(3)), field(n(1), n(2), n(3)), z
    integer :: from(3), to(3), points(3), i, k
    do k = 1, n(3)
      z = 3*cos(pi*(k - 1)/(n(3) - 1))
      do i = 1, n(1)
        field(i, :, k) = (z**4 - 2*z**3 + z)*[2, 3, 5]*i
        wanted(i, :, k) = (4*z**3 - 6*z**2 + 1)*[2, 3, 5]*i
      end do
    end do
    call p3dfft_setup(dims, n(1), n(2), n(3), MPI_COMM_WORLD)
    u = mine(field)
    call p3dfft_get_dims(from, to, points, 2)
    allocate (v(points(1), points(2), points(3)), back(size(u, 1), size(u, 2), size(u, 3)))
    call p3dfft_cheby(u, v, 6._p3dfft_type)
    v = v/2
#ifdef STRIDE1
    v([1, n(3)], :, :) = 2*v([1, n(3)], :, :)
#else
    v(:, :, [1, n(3)]) = 2*v(:, :, [1, n(3)])
#endif
    call p3dfft_btran_c2r(v, back, 'cff')
    if (size(u) > 0) call expect(maxval(abs(back - mine(wanted))) < error_of_one*maxval(abs(wanted)), 'derivatives along z')
    call p3dfft_cheby_many(u, size(u), v, size(v), 1, 3._p3dfft_type)
    call p3dfft_clean()
  end subroutine derivatives_along_z

end program transforms
