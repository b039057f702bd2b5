! compat/fftmpi/in_fortran: a program in Fortran that uses fftMPI's modules as its manual shows them, compared with direct sums; for both
! precisions. Bounds count from 1.
module grid
  use, intrinsic :: iso_c_binding
  implicit none
#ifdef FFT_SINGLE
  integer, parameter :: rk = c_float, precision_wanted = 1
  real(8), parameter :: small = 2e-4
#else
  integer, parameter :: rk = c_double, precision_wanted = 2
  real(8), parameter :: small = 1e-11
#endif
  integer :: me, ranks, wrong = 0
contains
  real(8) function part_of_value(at, part)
    integer, intent(in) :: at, part
    part_of_value = sin(0.37d0*(at + 1) + 1.3d0*part) + 0.25d0*cos(2.1d0*at*(part + 1))
  end function part_of_value

  ! The spectrum of the values at one wave, as a sum over the whole grid.
  complex(8) function direct(n, k)
    integer, intent(in) :: n(3), k(3)
    integer :: x, y, z, at
    real(8) :: angle
    direct = 0
    at = 0
    do z = 0, n(3) - 1
      do y = 0, n(2) - 1
        do x = 0, n(1) - 1
          angle = -2*acos(-1d0)*(dble(mod(x*k(1), n(1)))/n(1) + dble(mod(y*k(2), n(2)))/n(2) + dble(mod(z*k(3), n(3)))/n(3))
          direct = direct + cmplx(part_of_value(at, 0), part_of_value(at, 1), 8)*cmplx(cos(angle), sin(angle), 8)
          at = at + 1
        end do
      end do
    end do
  end function direct

  subroutine expect(is_right, what)
    logical, intent(in) :: is_right
    character(*), intent(in) :: what
    if (is_right) return
    wrong = wrong + 1
    if (wrong < 5) print *, 'rank', me, 'of', ranks, ': ', what
  end subroutine expect
end module grid

program in_fortran
  use mpi
  use grid
  use fft3d_wrap
  use fft2d_wrap
  use remap3d_wrap
  use remap2d_wrap
  implicit none
  integer :: error, all
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call check_three_axes()
  call check_two_axes()
  call check_remap()
  call MPI_Allreduce(wrong, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (me == 0) print *, all, 'wrong'
  call MPI_Finalize(error)
  if (all > 0) error stop 1

contains

  ! From slabs along the slowest axis to slabs along the fastest one, whose points are permuted: mid, slow, fast.
  subroutine check_three_axes()
    integer, parameter :: n(3) = [5, 6, 7]
    type(c_ptr) :: fft, text
    character(c_char), pointer :: letters(:)
    real(rk), allocatable, target :: work(:), sendbuf(:), recvbuf(:)
    integer :: zlo, zhi, xlo, xhi, fftsize, sendsize, recvsize, x, y, z, at, length, which
    complex(8) :: wanted
    zlo = me*n(3)/ranks + 1
    zhi = (me + 1)*n(3)/ranks
    xlo = me*n(1)/ranks + 1
    xhi = (me + 1)*n(1)/ranks
    call fft3d_create(MPI_COMM_WORLD, precision_wanted, fft)
    call fft3d_set(fft, 'scale', 1)
    call fft3d_set(fft, 'memory'//c_null_char, 0)
    call fft3d_setup(fft, n(1), n(2), n(3), 1, n(1), 1, n(2), zlo, zhi, xlo, xhi, 1, n(2), 1, n(3), 1, fftsize, sendsize, recvsize)
    allocate (work(2*fftsize), sendbuf(sendsize), recvbuf(recvsize))
    call fft3d_setup_memory(fft, c_loc(sendbuf), c_loc(recvbuf))
    work = 0
    call fill(work, n(1)*n(2)*(zhi - zlo + 1), n(1)*n(2)*(zlo - 1))
    call fft3d_compute(fft, c_loc(work), c_loc(work), 1)
    do x = xlo, xhi
      do z = 1, n(3)
        do y = 1, n(2)
          at = 2*((y - 1) + n(2)*((z - 1) + n(3)*(x - xlo)))
          wanted = direct(n, [x, y, z] - 1)
          call expect(abs(cmplx(work(at + 1), work(at + 2), 8) - wanted) < small*100, 'fft3d_compute forward')
        end do
      end do
    end do
    call fft3d_compute(fft, c_loc(work), c_loc(work), -1)
    call expect_values(work, n(1)*n(2)*(zhi - zlo + 1), n(1)*n(2)*(zlo - 1), 'fft3d_compute back')
    call fft3d_only_remaps(fft, c_loc(work), c_loc(work), 1)
    do which = 4, 1, -1
      call fft3d_only_one_remap(fft, c_loc(work), c_loc(work), -1, which)
    end do
    call expect_values(work, n(1)*n(2)*(zhi - zlo + 1), n(1)*n(2)*(zlo - 1), 'fft3d_only_one_remap')
    call fft3d_only_1d_ffts(fft, c_loc(work), 1)
    text = fft3d_get_string(fft, 'precision'//c_null_char, length)
    call c_f_pointer(text, letters, [length])
    call expect(letters(1) == merge('s', 'd', precision_wanted == 1) .and. length == 6, 'precision')
    call expect(fft3d_get_int(fft, 'npfast1') == 1, 'npfast1')
    call expect(fft3d_get_int(fft, 'collective'//c_null_char) == 2, 'collective')
    call expect(fft3d_get_int64(fft, 'memusage') >= 0, 'memusage')
    call expect(fft3d_get_double(fft, 'none') < 0, 'a number without a name')
    text = fft3d_get_int_vector(fft, 'cflags', length)
    call expect(c_associated(text) .and. length == 0, 'cflags')
    text = fft3d_get_double_vector(fft, 'none', length)
    call expect(.not. c_associated(text), 'numbers without a name')
    call fft3d_destroy(fft)

    call fft3d_create(MPI_COMM_WORLD, precision_wanted, fft)
    call fft3d_tune(fft, n(1), n(2), n(3), 1, n(1), 1, n(2), zlo, zhi, 1, n(1), 1, n(2), zlo, zhi, 0, &
                    fftsize, sendsize, recvsize, 0, 1, 0.02d0, 0)
    call expect(fft3d_get_int(fft, 'ntrial') == 1, 'ntrial')
    call expect(fft3d_get_double(fft, 'setuptime') > 0, 'setuptime')
    call fill(work, n(1)*n(2)*(zhi - zlo + 1), n(1)*n(2)*(zlo - 1))
    call fft3d_compute(fft, c_loc(work), c_loc(work), 1)
    call fft3d_compute(fft, c_loc(work), c_loc(work), -1)
    call expect_values(work, n(1)*n(2)*(zhi - zlo + 1), n(1)*n(2)*(zlo - 1), 'after fft3d_tune')
    call fft3d_destroy(fft)
  end subroutine check_three_axes

  ! Slabs of the grid's values, from a point of it on.
  subroutine fill(work, points, first)
    real(rk), intent(inout) :: work(:)
    integer, intent(in) :: points, first
    integer :: at
    do at = 0, points - 1
      work(2*at + 1) = real(part_of_value(at + first, 0), rk)
      work(2*at + 2) = real(part_of_value(at + first, 1), rk)
    end do
  end subroutine fill
  subroutine expect_values(work, points, first, what)
    real(rk), intent(in) :: work(:)
    integer, intent(in) :: points, first
    character(*), intent(in) :: what
    integer :: at, part
    do at = 0, points - 1
      do part = 0, 1
        call expect(abs(work(2*at + 1 + part) - part_of_value(at + first, part)) < small, what)
      end do
    end do
  end subroutine expect_values

  ! From rows to columns, whose points are contiguous.
  subroutine check_two_axes()
    integer, parameter :: n(3) = [9, 11, 1]
    type(c_ptr) :: fft
    real(rk), allocatable, target :: rows(:), columns(:)
    integer :: ylo, yhi, xlo, xhi, fftsize, sendsize, recvsize, x, y, at
    complex(8) :: wanted
    ylo = me*n(2)/ranks + 1
    yhi = (me + 1)*n(2)/ranks
    xlo = me*n(1)/ranks + 1
    xhi = (me + 1)*n(1)/ranks
    call fft2d_create(MPI_COMM_WORLD, precision_wanted, fft)
    call fft2d_setup(fft, n(1), n(2), 1, n(1), ylo, yhi, xlo, xhi, 1, n(2), 1, fftsize, sendsize, recvsize)
    allocate (rows(2*fftsize), columns(2*fftsize))
    call fill(rows, n(1)*(yhi - ylo + 1), n(1)*(ylo - 1))
    call fft2d_compute(fft, c_loc(rows), c_loc(columns), 1)
    do x = xlo, xhi
      do y = 1, n(2)
        at = 2*((y - 1) + n(2)*(x - xlo))
        wanted = direct(n, [x, y, 1] - 1)
        call expect(abs(cmplx(columns(at + 1), columns(at + 2), 8) - wanted) < small*100, 'fft2d_compute')
      end do
    end do
    call expect(fft2d_get_int(fft, 'npslow2') == 1, 'npslow2')
    call expect(fft2d_get_int(fft, 'none') == -1, 'an integer without a name')
    call fft2d_destroy(fft)
  end subroutine check_two_axes

  ! Two numbers a point; and one, by what the manual says of remap2d_create.
  subroutine check_remap()
    integer, parameter :: n(3) = [3, 4, 5]
    type(c_ptr) :: remap
    real(rk), allocatable, target :: work(:), buffer(:)
    integer :: zlo, zhi, ylo, yhi, sendsize, recvsize, x, y, z, q, at
    zlo = me*n(3)/ranks + 1
    zhi = (me + 1)*n(3)/ranks
    ylo = me*n(2)/ranks + 1
    yhi = (me + 1)*n(2)/ranks
    call remap3d_create(MPI_COMM_WORLD, remap)
    call remap3d_set(remap, 'collective', 1)
    call remap3d_setup(remap, 1, n(1), 1, n(2), zlo, zhi, 1, n(1), ylo, yhi, 1, n(3), 2, 2, 1, sendsize, recvsize)
    allocate (work(max(sendsize, recvsize)), buffer(1))
    do at = 1, sendsize
      work(at) = real(at + 2*n(1)*n(2)*(zlo - 1), rk)
    end do
    call remap3d_remap(remap, c_loc(work), c_loc(work), c_loc(buffer), c_loc(buffer))
    at = 0
    do y = ylo, yhi
      do x = 1, n(1)
        do z = 1, n(3)
          do q = 1, 2
            at = at + 1
            call expect(nint(work(at)) == q + 2*((x - 1) + n(1)*((y - 1) + n(2)*(z - 1))), 'remap3d_remap')
          end do
        end do
      end do
    end do
    call remap3d_destroy(remap)
    deallocate (work)

    call remap2d_create(MPI_COMM_WORLD, precision_wanted, remap)
    call remap2d_setup(remap, 1, n(1), ylo, yhi, 1, merge(n(1), 0, me == 0), 1, n(2), 1, 0, 1, sendsize, recvsize)
    allocate (work(max(sendsize, recvsize)))
    do at = 1, sendsize
      work(at) = real(at + n(1)*(ylo - 1), rk)
    end do
    call remap2d_remap(remap, c_loc(work), c_loc(work), c_loc(buffer), c_loc(buffer))
    do at = 1, recvsize
      call expect(nint(work(at)) == at, 'remap2d_remap')
    end do
    call remap2d_destroy(remap)
  end subroutine check_remap
end program in_fortran
