! pencils: a program that moves fields between the pencils of 2DECOMP&FFT and has ghost points around them.
program pencils
  use checks, only: expect
  use decomp_2d
  use decomp_2d_constants
  use decomp_2d_mpi
  use held
  use, intrinsic :: iso_fortran_env, only: int64
  use m_halo
  implicit none
  integer :: ierror, rank, ranks, rows
  type(holding) :: before
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call use_library([7, 6, 5], 0, 0, [.false., .false., .false.])
  call use_library([13, 11, 9], 0, 0, [.true., .true., .true.])
  before = what_is_held()
  do rows = merge(1, ranks, ranks < 7), ranks, max(1, ranks - 1)  ! 7 ranks are in one row already
    call use_library([8, 9, 11], rows, ranks/rows, [.true., .false., .true.])
  end do
  if (ranks < 4) then
    call use_library([13, 11, 9], 0, 0, [.true., .true., .true.])
    call expect(nothing_more(before, 100000_int64), 'nothing is left of what was finalized')
  end if
  call MPI_Finalize(ierror)
  if (rank == 0) print '(a)', 'all is as expected'

contains

  subroutine use_library(n, row, col, periodic_bc)
    integer, intent(in) :: n(3), row, col
    logical, intent(in) :: periodic_bc(3)
    type(decomp_info) :: other
    integer :: p_row, p_col
    p_row = row
    p_col = col
    call decomp_2d_init(n(1), n(2), n(3), p_row, p_col, periodic_bc, complex_pool=.true.)
    call expect(all(get_decomp_dims() == [p_row, p_col]) .and. p_row*p_col == ranks .and. nrank == rank .and. nproc == ranks, &
        'ranks are arranged')
    if (row == 0) call expect(p_row <= p_col, 'chosen grids have no more rows than columns')
    call pencils_are_where_they_are(n, p_row, p_col)
    call numbers_are_moved(decomp_main)
    call decomp_info_init(n(1)/2 + 1, n(2), n(3) + 2, other)
    call numbers_are_moved(other)
    call numbers_are_moved(other)
    call parts_of_arrays_are_moved()
    call arrays_have_their_bounds(other)
    call ghosts_are_filled(decomp_main, periodic_bc)
    call ghosts_are_filled(other, periodic_bc)
    call decomp_info_finalize(other)
    call decomp_2d_finalize()
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

  subroutine pencils_are_where_they_are(n, p_row, p_col)
    integer, intent(in) :: n(3), p_row, p_col
    type(decomp_info) :: copy
    integer :: row, col, coords(2), neighbour(2)
    row = rank/p_col
    col = mod(rank, p_col)
    call expect(all([nx_global, ny_global, nz_global] == n), 'the grid is told')
    call expect(all([xstart(1), xend(1), part(n(2), p_row, row), part(n(3), p_col, col)] == &
        [1, n(1), xstart(2), xend(2), xstart(3), xend(3)]), 'X pencils')
    call expect(all([part(n(1), p_row, row), ystart(2), yend(2), part(n(3), p_col, col)] == &
        [ystart(1), yend(1), 1, n(2), ystart(3), yend(3)]), 'Y pencils')
    call expect(all([part(n(1), p_row, row), part(n(2), p_col, col), zstart(3), zend(3)] == &
        [zstart(1), zend(1), zstart(2), zend(2), 1, n(3)]), 'Z pencils')
    call expect(all(xsize == xend - xstart + 1 .and. ysize == yend - ystart + 1 .and. zsize == zend - zstart + 1), 'sizes')
    call get_decomp_info(copy)
    call expect(all(copy%xst == xstart) .and. all(copy%zen == zend) .and. sum(copy%x1dist) == n(1), 'a copy of the decomposition')
    call MPI_Cart_coords(DECOMP_2D_COMM_CART_Y, rank, 2, coords, ierror)
    call expect(all(coords == [row, col]), 'the communicators have the process grid')
    call MPI_Cart_shift(DECOMP_2D_COMM_CART_X, 1, 1, neighbour(1), neighbour(2), ierror)
  end subroutine pencils_are_where_they_are

  elemental function value_at(i, j, k) result(number)
    integer, intent(in) :: i, j, k
    real(mytype) :: number
    number = real(i + 40*j + 1600*k, mytype)
  end function value_at

  ! A field with the numbers of points between these.
  function field(from, to) result(u)
    integer, intent(in) :: from(3), to(3)
    real(mytype), allocatable :: u(:, :, :)
    integer :: i, j, k
    allocate (u(from(1):to(1), from(2):to(2), from(3):to(3)))
    do concurrent(i=from(1):to(1), j=from(2):to(2), k=from(3):to(3))
      u(i, j, k) = value_at(i, j, k)
    end do
  end function field

  subroutine numbers_are_moved(decomp)
    type(decomp_info), intent(in) :: decomp
    real(mytype), allocatable :: x(:, :, :), y(:, :, :), z(:, :, :)
    complex(mytype), allocatable :: cx(:, :, :), cy(:, :, :), cz(:, :, :)
    call alloc_x(x, decomp, .true.)
    call alloc_y(y, decomp, .true.)
    call alloc_z(z, decomp, opt_global=.true.)
    x = field(decomp%xst, decomp%xen)
    call transpose_x_to_y(x, y, decomp)
    call expect(all(y == field(decomp%yst, decomp%yen)), 'x to y')
    call transpose_y_to_z(y, z, decomp)
    call expect(all(z == field(decomp%zst, decomp%zen)), 'y to z')
    y = 0
    x = 0
    call transpose_z_to_y(z, y, decomp)
    call expect(all(y == field(decomp%yst, decomp%yen)), 'z to y')
    call transpose_y_to_x(y, x, decomp)
    call expect(all(x == field(decomp%xst, decomp%xen)), 'y to x')
    call alloc_x(cx, decomp)
    call alloc_y(cy, decomp)
    call alloc_z(cz, decomp)
    cx = cmplx(x, 7 - x, mytype)
    call transpose_x_to_y(cx, cy, decomp)
    call transpose_y_to_z(cy, cz, decomp)
    call expect(all(cz == cmplx(z, 7 - z, mytype)), 'complex numbers are moved')
    cy = 0
    cx = 0
    call transpose_z_to_y(cz, cy, decomp)
    call transpose_y_to_x(cy, cx, decomp)
    call expect(all(cx == cmplx(x, 7 - x, mytype)), 'complex numbers are moved back')
  end subroutine numbers_are_moved

  ! Arrays that are parts of others, and so not contiguous.
  subroutine parts_of_arrays_are_moved()
    real(mytype), allocatable :: large(:, :, :), y(:, :, :, :)
    allocate (large(2*xsize(1), xsize(2) + 1, xsize(3)), y(3, ysize(1), ysize(2), ysize(3)))
    large = -1
    y = -2
    large(::2, 2:, :) = field(xstart, xend)
    call transpose_x_to_y(large(::2, 2:, :), y(2, :, :, :))
    call expect(all(y(2, :, :, :) == field(ystart, yend)), 'parts of arrays are moved')
    call expect(all(y(1, :, :, :) == -2) .and. all(y(3, :, :, :) == -2), 'and the rest is left alone')
    y(2, :, :, :) = -y(2, :, :, :)
    call transpose_y_to_x(y(2, :, :, :), large(::2, 2:, :))
    call expect(all(large(::2, 2:, :) == -field(xstart, xend)) .and. all(large(2::2, :, :) == -1), 'there and back')
  end subroutine parts_of_arrays_are_moved

  subroutine arrays_have_their_bounds(other)
    type(decomp_info), intent(in) :: other
    integer, allocatable :: numbers(:, :, :)
    logical, allocatable :: marks(:, :, :)
    real, allocatable :: singles(:, :, :)
    double precision, allocatable :: doubles(:, :, :)
    complex, allocatable :: waves(:, :, :)
    complex(kind(0d0)), allocatable :: double_waves(:, :, :)
    call alloc_x(numbers)
    call expect(all(lbound(numbers) == 1) .and. all(shape(numbers) == xsize), 'local indices')
    call alloc_y(marks, .true.)
    call expect(all(shape(marks) == ysize), 'global indices')
    if (size(marks) > 0) call expect(all(lbound(marks) == ystart) .and. all(ubound(marks) == yend), 'global bounds')
    call alloc_z(singles, other, .true., [1, 2, 0])
    call expect(all(shape(singles) == other%zsz + [2, 4, 0]), 'ghost points')
    if (all(other%zsz > 0)) call expect(all(lbound(singles) == other%zst - [1, 2, 0]), 'ghost points come before')
    call alloc_z(doubles)
    call alloc_x(waves, other)
    call alloc_y(double_waves, other, opt_levels=[0, 1, 1])
    call expect(all(shape(doubles) == zsize) .and. all(shape(waves) == other%xsz) .and. &
        all(shape(double_waves) == other%ysz + [0, 2, 2]), 'all types')
    decomp_main%ylevel = [1, 1, 1]
    call alloc_y(doubles)
    call expect(all(shape(doubles) == ysize + 2), 'ghost points of a decomposition')
    decomp_main%ylevel = 0
  end subroutine arrays_have_their_bounds

  subroutine ghosts_are_filled(decomp, periodic_bc)
    type(decomp_info), intent(in) :: decomp
    logical, intent(in) :: periodic_bc(3)
    real(mytype), allocatable :: u(:, :, :), around(:, :, :)
    complex(mytype), allocatable :: around_waves(:, :, :)
    integer :: levels(3), from(3), to(3), pencil, level
    do pencil = 1, 3
      call bounds(decomp, pencil, from, to)
      u = field(from, to)
      level = merge(1, 2, pencil == 2)
      levels = level
      levels(pencil) = 0
      call update_halo(u, around, level, decomp, opt_global=.true., opt_pencil=pencil)
      call expect_ghosts(around, from, to, levels, decomp, periodic_bc)
      call exchange_all_ghosts(decomp, pencil, periodic_bc)
    end do
    call update_halo(cmplx(u, -u, mytype), around_waves, level, decomp, .true., 3)
    call expect(all(aimag(around_waves) == -around), 'ghost points of complex numbers')
  end subroutine ghosts_are_filled

  subroutine bounds(decomp, pencil, from, to)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in) :: pencil
    integer, intent(out) :: from(3), to(3)
    from = merge(decomp%xst, merge(decomp%yst, decomp%zst, pencil == 2), pencil == 1)
    to = merge(decomp%xen, merge(decomp%yen, decomp%zen, pencil == 2), pencil == 1)
  end subroutine bounds

  ! Ghost points along all axes, also along the one that each rank has whole.
  subroutine exchange_all_ghosts(decomp, pencil, periodic_bc)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in) :: pencil
    logical, intent(in) :: periodic_bc(3)
    real(mytype), allocatable :: u(:, :, :)
    type(halo_extents_t) :: at
    integer :: from(3), to(3)
    call bounds(decomp, pencil, from, to)
    at = halo_extents_t(pencil, to - from + 1, decomp, [1, 1, 1], .true.)
    allocate (u(at%xs:at%xe, at%ys:at%ye, at%zs:at%ze), source=0._mytype)
    u(at%xs + 1:at%xe - 1, at%ys + 1:at%ye - 1, at%zs + 1:at%ze - 1) = field(from, to)
    call halo_exchange(u, pencil, at, [1, 1, 1], to - from + 1)
    call expect_ghosts(u, from, to, [1, 1, 1], decomp, periodic_bc)
    if (any([decomp%xsz(1), decomp%ysz(2), decomp%zsz(3)] /= [nx_global, ny_global, nz_global])) return
    u(at%xs, :, :) = -5
    call halo_exchange(u, pencil, [1, 1, 1])
    if (all(periodic_bc)) call expect_ghosts(u, from, to, [1, 1, 1], decomp, periodic_bc)
  end subroutine exchange_all_ghosts

  subroutine expect_ghosts(u, from, to, levels, decomp, periodic_bc)
    real(mytype), intent(in) :: u(:, :, :)
    integer, intent(in) :: from(3), to(3), levels(3)
    type(decomp_info), intent(in) :: decomp
    logical, intent(in) :: periodic_bc(3)
    integer :: i, j, k, n(3), at(3)
    n = [decomp%xsz(1), decomp%ysz(2), decomp%zsz(3)]
    call expect(all(shape(u) == to - from + 1 + 2*levels), 'arrays have ghost points')
    if (any(to < from)) return
    do k = 1, size(u, 3)
      do j = 1, size(u, 2)
        do i = 1, size(u, 1)
          at = from - levels - 1 + [i, j, k]
          if (any(.not. periodic_bc .and. (at < 1 .or. at > n))) then
            call expect(u(i, j, k) == 0, 'nothing is beyond the ends of other axes')
          else
            at = modulo(at - 1, n) + 1
            call expect(u(i, j, k) == value_at(at(1), at(2), at(3)), 'ghost points have the numbers of their owners')
          end if
        end do
      end do
    end do
  end subroutine expect_ghosts

end program pencils
