! transforms: a program that transforms fields with 2DECOMP&FFT, and compares with direct sums.
program transforms
  use checks, only: direct, expect, numbers, pi
  use decomp_2d
  use decomp_2d_constants
  use decomp_2d_fft
  use decomp_2d_mpi
  use held
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  real(real64), parameter :: error_of_one = 40*epsilon(1._mytype)
  logical, parameter :: none(3) = .false.
  integer :: ierror, rank, ranks
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  ! Plans cost time on many ranks: 7 of them have a grid that leaves some without points, 6 have the other one.
  if (ranks /= 6) call run_on_grid([7, 6, 5])
  if (ranks /= 7) call run_on_grid([8, 11, 13])
  call cosines_are_transformed(PHYSICAL_IN_X)
  call cosines_are_transformed(PHYSICAL_IN_Z)
  call several_grids()
  if (ranks < 4) call many_engines_leave_nothing()
  call MPI_Finalize(ierror)
  if (rank == 0) print '(a)', 'all is as expected'

contains

  subroutine run_on_grid(n)
    integer, intent(in) :: n(3)
    integer :: p_row, p_col
    p_row = 0
    p_col = 0
    call decomp_2d_init(n(1), n(2), n(3), p_row, p_col)
    call decomp_2d_fft_init()
    call expect(decomp_2d_fft_get_format() == PHYSICAL_IN_X .and. decomp_2d_fft_get_ngrid() == 1, 'X pencils by default')
    call expect(associated(decomp_2d_fft_get_ph(), decomp_main), 'the grid of the program')
    call all_is_transformed(n, none)
    call decomp_2d_fft_finalize()
    call decomp_2d_fft_init(PHYSICAL_IN_Z)
    call all_is_transformed(n, none)
    call decomp_2d_fft_finalize()
    call decomp_2d_fft_init(PHYSICAL_IN_X, opt_skip_XYZ_c2c=[.false., .true., .false.])
    call all_is_transformed(n, [.false., .true., .false.])
    call decomp_2d_fft_finalize()
    call decomp_2d_fft_init(PHYSICAL_IN_Z, opt_skip_XYZ_c2c=[.true., .true., .false.])
    call all_is_transformed(n, [.true., .true., .false.])
    call decomp_2d_fft_finalize()
    call decomp_2d_fft_init(PHYSICAL_IN_X, opt_skip_XYZ_c2c=[.true., .true., .true.])
    call complex_numbers_are_transformed(n, [.true., .true., .true.])
    call decomp_2d_fft_finalize()
    call decomp_2d_finalize()
  end subroutine run_on_grid

  subroutine all_is_transformed(n, skips)
    integer, intent(in) :: n(3)
    logical, intent(in) :: skips(3)
    call complex_numbers_are_transformed(n, skips)
    call real_numbers_are_transformed(n, skips)
  end subroutine all_is_transformed

  ! The spectrum by its definition.
  function spectrum(field, skips) result(waves)
    complex(real64), intent(in) :: field(:, :, :)
    logical, intent(in) :: skips(3)
    complex(real64), allocatable :: waves(:, :, :)
    integer :: axis
    waves = field
    do axis = 1, 3
      if (.not. skips(axis)) waves = direct(waves, axis)
    end do
  end function spectrum

  pure function points_of(n, skips) result(points)
    integer, intent(in) :: n(3)
    logical, intent(in) :: skips(3)
    real(mytype) :: points
    points = real(product(merge(1, n, skips)), mytype)
  end function points_of

  subroutine expect_close(found, wanted, most, what)
    complex(real64), intent(in) :: found(:, :, :), wanted(:, :, :)
    real(real64), intent(in) :: most
    character(len=*), intent(in) :: what
    call expect(all(shape(found) == shape(wanted)), what//': shapes')
    if (size(found) > 0) call expect(maxval(abs(found - wanted)) < error_of_one*most, what)
  end subroutine expect_close

  subroutine allocate_sides(space, waves, ph, sp)
    complex(mytype), allocatable, intent(out) :: space(:, :, :), waves(:, :, :)
    type(decomp_info), intent(in) :: ph, sp
    if (decomp_2d_fft_get_format() == PHYSICAL_IN_X) then
      call alloc_x(space, ph, .true.)
      call alloc_z(waves, sp, .true.)
    else
      call alloc_z(space, ph, .true.)
      call alloc_x(waves, sp, .true.)
    end if
  end subroutine allocate_sides

  ! This rank's part of a field, by the bounds of an array.
  function mine(field, array) result(part)
    complex(real64), intent(in) :: field(:, :, :)
    complex(mytype), allocatable, intent(in) :: array(:, :, :)
    complex(real64), allocatable :: part(:, :, :)
    part = field(lbound(array, 1):ubound(array, 1), lbound(array, 2):ubound(array, 2), lbound(array, 3):ubound(array, 3))
  end function mine

  subroutine complex_numbers_are_transformed(n, skips)
    integer, intent(in) :: n(3)
    logical, intent(in) :: skips(3)
    complex(mytype), allocatable :: u(:, :, :), v(:, :, :), w(:, :, :)
    complex(real64), allocatable :: whole(:, :, :), waves(:, :, :)
    real(real64) :: most
    whole = numbers(n)
    waves = spectrum(whole, skips)
    most = maxval(abs(waves))
    call allocate_sides(u, v, decomp_2d_fft_get_ph(), decomp_2d_fft_get_ph())
    w = u
    u = cmplx(mine(whole, u), kind=mytype)
    call decomp_2d_fft_3d(u, v, DECOMP_2D_FFT_FORWARD)
    call expect_close(cmplx(v, kind=real64), mine(waves, v), most, 'complex numbers forward')
    call decomp_2d_fft_3d(v, w, DECOMP_2D_FFT_BACKWARD)
    call expect_close(cmplx(w/points_of(n, skips), kind=real64), mine(whole, u), 2d0, 'complex numbers back')
  end subroutine complex_numbers_are_transformed

  subroutine real_numbers_are_transformed(n, skips)
    integer, intent(in) :: n(3)
    logical, intent(in) :: skips(3)
    type(decomp_info), pointer :: ph, sp
    complex(mytype), allocatable :: u(:, :, :), v(:, :, :)
    real(mytype), allocatable :: r(:, :, :), back(:, :, :), padded(:, :, :)
    complex(real64), allocatable :: whole(:, :, :), waves(:, :, :)
    integer :: from(3), to(3), points(3)
    ph => decomp_2d_fft_get_ph()
    sp => decomp_2d_fft_get_sp()
    whole = cmplx(real(numbers(n)), 0, real64)
    waves = spectrum(whole, skips)
    call allocate_sides(u, v, ph, sp)
    call decomp_2d_fft_get_size(from, to, points)
    call expect(all(points == shape(v)) .and. all(to - from + 1 == points), 'the size of a spectrum')
    if (size(v) > 0) call expect(all(from == lbound(v)) .and. all(to == ubound(v)), 'the bounds of a spectrum')
    r = real(mine(whole, u), mytype)
    allocate (back, mold=r)
    call decomp_2d_fft_3d(r, v)
    call expect_close(cmplx(v, kind=real64), mine(waves, v), maxval(abs(waves)), 'real numbers forward')
    allocate (padded(size(r, 1) + 1, size(r, 2), size(r, 3)), source=-3._mytype)
    padded(2:, :, :) = r
    v = 0
    call decomp_2d_fft_3d(padded(2:, :, :), v)
    call expect_close(cmplx(v, kind=real64), mine(waves, v), maxval(abs(waves)), 'a part of an array')
    call decomp_2d_fft_3d(v, back)
    call expect_close(cmplx(back/points_of(n, skips), 0, real64), mine(whole, u), 2d0, 'real numbers back')
  end subroutine real_numbers_are_transformed

  ! Cosines of type 1 along all axes by their definition.
  function cosines(field) result(waves)
    real(real64), intent(in) :: field(:, :, :)
    real(real64), allocatable :: waves(:, :, :), lines(:, :, :)
    real(real64) :: weight
    integer :: axis, j, k, n
    waves = field
    do axis = 1, 3
      lines = waves
      waves = 0
      n = size(field, axis)
      do k = 1, n
        do j = 1, n
          weight = merge(1, 2, j == 1 .or. j == n)*cos(pi*(j - 1)*(k - 1)/(n - 1))
          if (axis == 1) waves(k, :, :) = waves(k, :, :) + weight*lines(j, :, :)
          if (axis == 2) waves(:, k, :) = waves(:, k, :) + weight*lines(:, j, :)
          if (axis == 3) waves(:, :, k) = waves(:, :, k) + weight*lines(:, :, j)
        end do
      end do
    end do
  end function cosines

  subroutine cosines_are_transformed(pencil)
    integer, intent(in) :: pencil
    integer, parameter :: n(3) = [9, 6, 8]
    type(decomp_2d_fft_engine), target, save :: engine
    complex(mytype), allocatable :: u(:, :, :), v(:, :, :)
    complex(real64), allocatable :: whole(:, :, :), waves(:, :, :)
    real(mytype), allocatable :: space(:, :, :), spectrum_of(:, :, :), back(:, :, :)
    integer :: p_row, p_col
    p_row = 0
    p_col = 0
    call decomp_2d_init(n(1), n(2), n(3), p_row, p_col)
    call engine%init(pencil, n(1), n(2), n(3), opt_DTT=[1, 1, 1])
    call engine%use_it()
    call expect(all(engine%dtt == [1, 1, 1, 1, 1, 1, 0, 0, 0]), 'all points are transformed')
    whole = cmplx(real(numbers(n)), 0, real64)
    waves = cmplx(cosines(real(whole)), 0, real64)
    call allocate_sides(u, v, engine%ph, engine%ph)
    space = real(mine(whole, u), mytype)
    spectrum_of = 0*real(mine(whole, v), mytype)
    back = 0*space
    call decomp_2d_dtt_3d_r2r(space, spectrum_of, DECOMP_2D_FFT_FORWARD)
    call expect_close(cmplx(spectrum_of, 0, real64), mine(waves, v), maxval(abs(waves)), 'cosines')
    call decomp_2d_dtt_3d_r2r(spectrum_of, back, DECOMP_2D_FFT_BACKWARD)
    call expect_close(cmplx(back/product(2*(n - 1)), 0, real64), mine(whole, u), 2d0, 'cosines back')
    call engine%fin()
    call decomp_2d_finalize()
  end subroutine cosines_are_transformed

  ! Grids with numbers and one without, of other sizes than the program's grid.
  subroutine several_grids()
    type(decomp_2d_fft_engine), target, save :: own
    type(decomp_2d_fft_engine), pointer :: second
    complex(mytype), allocatable :: u(:, :, :), v(:, :, :)
    integer :: p_row, p_col
    p_row = ranks
    p_col = 1
    call decomp_2d_init(12, 13, 7, p_row, p_col)
    call decomp_2d_fft_set_ngrid(2)
    call decomp_2d_fft_init(PHYSICAL_IN_X, 12, 13, 7, 1)
    call decomp_2d_fft_init(PHYSICAL_IN_Z, 9, 10, 8, 2, opt_inplace=.true., opt_inplace_r2c=.true., opt_inplace_c2r=.false.)
    call expect(decomp_2d_fft_get_inplace() .and. decomp_2d_fft_get_inplace_r2c() .and. .not. decomp_2d_fft_get_inplace_c2r(), &
        'options are told')
    call own%init(PHYSICAL_IN_X, 5, 9, 16)
    call all_is_transformed([5, 9, 16], none)
    call decomp_2d_fft_set_ngrid(3)
    call decomp_2d_fft_use_grid(2)
    call all_is_transformed([9, 10, 8], none)
    call decomp_2d_fft_use_grid()
    call all_is_transformed([12, 13, 7], none)
    call own%use_it()
    call all_is_transformed([5, 9, 16], none)
    second => decomp_2d_fft_get_engine(2)
    call second%use_it()
    call allocate_sides(u, v, second%ph, second%ph)
    u = 1
    call second%fft(u, v, DECOMP_2D_FFT_FORWARD)
    call expect(abs(sum(abs(v)) - merge(720, 0, all(lbound(v) == 1) .and. size(v) > 0)) < 0.01, 'an engine transforms')
    call own%fin()
    call decomp_2d_fft_finalize()
    call decomp_2d_finalize()
  end subroutine several_grids

  subroutine many_engines_leave_nothing()
    type(decomp_2d_fft_engine), target, save :: engine
    complex(mytype), allocatable :: u(:, :, :), v(:, :, :)
    type(holding) :: before
    integer :: i, p_row, p_col
    p_row = 0
    p_col = 0
    call decomp_2d_init(8, 8, 8, p_row, p_col)
    do i = 1, merge(510, 40, ranks == 1)
      if (i == 10) before = what_is_held()
      call engine%init(merge(PHYSICAL_IN_X, PHYSICAL_IN_Z, mod(i, 2) == 0), 6, 5, 4)
      call allocate_sides(u, v, engine%ph, engine%ph)
      u = 1
      call engine%fft(u, v, DECOMP_2D_FFT_FORWARD)
      call engine%fin()
      deallocate (u, v)
    end do
    call expect(nothing_more(before, 100000_int64), 'nothing is left of engines')
    call decomp_2d_finalize()
  end subroutine many_engines_leave_nothing

end program transforms
