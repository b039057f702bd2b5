! tests/compat/heffte/in_fortran: a program for heFFTe in Fortran: all types of numbers, batches, workspaces, scales, halves along three
! axes, orders of axes and errors, against direct sums.
program in_fortran
  use, intrinsic :: iso_c_binding
  use heffte_fftw
  use heffte_stock, only: heffte_fft3d_stock, scale_stock_full
  use mpi
  implicit none
  integer, parameter :: n(3) = [5, 4, 6]
  real(c_double), parameter :: pi = acos(-1.0_c_double)
  complex(c_double_complex) :: field(0:n(1) - 1, 0:n(2) - 1, 0:n(3) - 1), spectrum(0:n(1) - 1, 0:n(2) - 1, 0:n(3) - 1)
  integer :: ranks, me, status, direction

  call MPI_Init(status)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, status)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, status)
  call sum_all()
  call whole_spectra()
  do direction = 0, 2
    call half_spectra(direction)
  end do
  call plans_are_taken()
  call errors_are_told()
  print "(a)", "all is as expected"
  call MPI_Finalize(status)

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    integer :: ended
    if (holds) return
    print "(a, i0, 2a)", "rank ", me, ": ", what
    call MPI_Abort(MPI_COMM_WORLD, 1, ended)
  end subroutine expect

  subroutine sum_all()
    integer :: x, y, z, p, q, r
    real(c_double) :: turns
    do z = 0, n(3) - 1
      do y = 0, n(2) - 1
        do x = 0, n(1) - 1
          field(x, y, z) = modulo(7 * x * x + 3 * y + 5 * z * z * x, 13) - 6
        end do
      end do
    end do
    spectrum = 0
    do r = 0, n(3) - 1
      do q = 0, n(2) - 1
        do p = 0, n(1) - 1
          do z = 0, n(3) - 1
            do y = 0, n(2) - 1
              do x = 0, n(1) - 1
                turns = real(x * p, c_double) / n(1) + real(y * q, c_double) / n(2) + real(z * r, c_double) / n(3)
                spectrum(p, q, r) = spectrum(p, q, r) + field(x, y, z) * exp(cmplx(0, -2 * pi * turns, c_double_complex))
              end do
            end do
          end do
        end do
      end do
    end do
  end subroutine sum_all

  ! This rank's planes of a grid, along axis 3 of the field and axis 2 of the spectrum.
  subroutine box_of(axis, points, low, high)
    integer, intent(in) :: axis, points(3)
    integer(c_int), intent(out) :: low(3), high(3)
    low = 0
    high = points - 1
    low(axis) = me * points(axis) / ranks
    high(axis) = (me + 1) * points(axis) / ranks - 1
  end subroutine box_of

  function part(all, low, high) result(mine)
    complex(c_double_complex), intent(in) :: all(0:, 0:, 0:)
    integer(c_int), intent(in) :: low(3), high(3)
    complex(c_double_complex), allocatable :: mine(:)
    mine = reshape(all(low(1):high(1), low(2):high(2), low(3):high(3)), [product(high - low + 1)])
  end function part

  subroutine whole_spectra()
    type(heffte_fft3d_fftw) :: fft
    integer(c_int) :: il(3), ih(3), ol(3), oh(3)
    complex(c_double_complex), allocatable :: u(:), v(:), w(:), room(:), u2(:), v2(:), expected(:)
    complex(c_float_complex), allocatable :: cu(:), cv(:)
    real(c_double), allocatable :: d(:)
    real(c_float), allocatable :: s(:)
    call box_of(3, n, il, ih)
    call box_of(2, n, ol, oh)
    fft = heffte_fft3d_fftw(il(1), il(2), il(3), ih(1), ih(2), ih(3), ol(1), ol(2), ol(3), oh(1), oh(2), oh(3), MPI_COMM_WORLD)
    u = part(field, il, ih)
    expected = part(spectrum, ol, oh)
    call expect(fft%size_inbox() == size(u) .and. fft%size_outbox() == size(expected) .and. fft%size_comm_buffers() == 0, "sizes")
    allocate (v(size(expected)), w(size(u)), room(fft%size_workspace()), cv(size(expected)))
    call fft%forward(u, v)
    call expect(all(abs(v - expected) < 1e-11), "z2z")
    call fft%backward(v, w, scale_fftw_full)
    call expect(all(abs(w - u) < 1e-13), "z2z back")
    call fft%forward(u, v, room, scale_fftw_symmetric)
    call expect(all(abs(v - expected * fft%get_scale_factor(scale_fftw_symmetric)) < 1e-12), "z2z with a workspace")
    d = real(u, c_double)
    s = real(u, c_float)
    cu = cmplx(u, kind=c_float_complex)
    call fft%forward(d, v)
    call expect(all(abs(v - expected) < 1e-11), "d2z")
    call fft%backward(v, d, room, scale_fftw_full)
    call expect(all(abs(d - real(u)) < 1e-13), "z2d")
    call fft%forward(s, cv)
    call expect(all(abs(cv - expected) < 1e-3), "s2c")
    call fft%backward(cv, s, scale_fftw_full)
    call expect(all(abs(s - real(u)) < 1e-4), "c2s")
    call fft%forward(cu, cv, scale_fftw_none)
    call expect(all(abs(cv - expected) < 1e-3), "c2c")
    call fft%backward(cv, cu, scale_fftw_full)
    call expect(all(abs(cu - u) < 1e-4), "c2c back")
    u2 = [u, 2 * u]
    allocate (v2(2 * size(v)))
    call fft%forward(2, u2, v2, scale_fftw_none)
    call expect(all(abs(v2 - [expected, 2 * expected]) < 1e-11), "two fields")
    deallocate (room)
    allocate (room(2 * fft%size_workspace()))
    call fft%backward(2, v2, u2, room, scale_fftw_full)
    call expect(all(abs(u2 - [u, 2 * u]) < 1e-13), "two fields back")
    call fft%release()
  end subroutine whole_spectra

  subroutine half_spectra(direction)
    integer, intent(in) :: direction
    type(heffte_fft3d_r2c_fftw) :: fft
    integer(c_int) :: il(3), ih(3), ol(3), oh(3)
    integer :: half(3)
    real(c_double), allocatable :: u(:), w(:)
    real(c_float), allocatable :: s(:)
    complex(c_double_complex), allocatable :: v(:), expected(:)
    complex(c_float_complex), allocatable :: cv(:)
    half = n
    half(direction + 1) = n(direction + 1) / 2 + 1
    call box_of(3, n, il, ih)
    call box_of(2, half, ol, oh)
    fft = heffte_fft3d_r2c_fftw(il(1), il(2), il(3), ih(1), ih(2), ih(3), 0, 1, 2, &
                                ol(1), ol(2), ol(3), oh(1), oh(2), oh(3), 0, 1, 2, direction, MPI_COMM_WORLD, .true., 2, .false.)
    u = real(part(field, il, ih), c_double)
    s = real(u, c_float)
    expected = part(spectrum, ol, oh)
    allocate (v(fft%size_outbox()), w(fft%size_inbox()), cv(fft%size_outbox()))
    call fft%forward(u, v)
    call expect(all(abs(v - expected) < 1e-11), "half a spectrum")
    call fft%backward(v, w, scale_fftw_full)
    call expect(all(abs(w - u) < 1e-13), "back from half a spectrum")
    call fft%forward(1, s, cv, scale_fftw_full)
    call expect(all(abs(cv - expected * fft%get_scale_factor(scale_fftw_full)) < 1e-5), "half a spectrum, single")
    call fft%backward(1, cv, s)
    call expect(all(abs(s - u) < 1e-4), "back from half a spectrum, single")
    call fft%release()
  end subroutine half_spectra

  ! A plan with reversed axes takes the place of another one; a copy shares it.
  subroutine plans_are_taken()
    type(heffte_fft3d_stock) :: fft, copy
    integer(c_int) :: il(3), ih(3)
    complex(c_double_complex), allocatable :: u(:), v(:)
    call box_of(3, n, il, ih)
    fft = heffte_fft3d_stock(il(1), il(2), il(3), ih(1), ih(2), ih(3), il(1), il(2), il(3), ih(1), ih(2), ih(3), MPI_COMM_WORLD)
    fft = heffte_fft3d_stock(il(1), il(2), il(3), ih(1), ih(2), ih(3), 0, 1, 2, &
                             il(1), il(2), il(3), ih(1), ih(2), ih(3), 2, 1, 0, MPI_COMM_WORLD)
    copy = fft
    copy = copy
    u = part(field, il, ih)
    allocate (v(copy%size_outbox()))
    call copy%forward(u, v, scale_stock_full)
    call copy%release()
    call expect(all(abs(v - reversed(spectrum, il, ih) / product(n)) < 1e-13), "reversed axes")
    call fft%forward(u, v)
    call expect(all(abs(v - reversed(spectrum, il, ih)) < 1e-11), "a copy that was released")
    call fft%release()
    call fft%release()
  end subroutine plans_are_taken

  function reversed(all, low, high) result(mine)
    complex(c_double_complex), intent(in) :: all(0:, 0:, 0:)
    integer(c_int), intent(in) :: low(3), high(3)
    complex(c_double_complex), allocatable :: mine(:)
    integer :: x, y, z
    mine = [(((all(x, y, z), z=low(3), high(3)), y=low(2), high(2)), x=low(1), high(1))]
  end function reversed

  subroutine errors_are_told()
    type(heffte_fft3d_fftw) :: fft
    complex(c_double_complex) :: u(1), v(1)
    fft = heffte_fft3d_fftw(1, 0, 0, 4, 3, 5, 0, 0, 0, 4, 3, 5, MPI_COMM_WORLD)
    call expect(ierr == SWIG_RuntimeError .and. index(get_serr(), "begin at 1 along axis 0") > 0, "no error: "//get_serr())
    ierr = 0
    call fft%forward(u, v)
    call expect(ierr /= 0 .and. index(get_serr(), "there is no plan") > 0, "no error: "//get_serr())
    ierr = 0
  end subroutine errors_are_told

end program in_fortran
