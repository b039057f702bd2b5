! checks: what the tests of the module weft share: expectations, direct sums and numbers to transform.
module checks
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  implicit none
  private
  public :: expect, part, direct, direct_cosine, number_at, numbers, pi

  real(real64), parameter :: pi = acos(-1d0)

contains

  ! Ends the program with `what` unless it `is_so`.
  subroutine expect(is_so, what)
    logical, intent(in) :: is_so
    character(len=*), intent(in) :: what
    if (is_so) return
    write (error_unit, '(2a)') 'expected: ', what
    flush (error_unit)
    error stop 'this was not so'
  end subroutine expect

  ! A number for each point, without any symmetry.
  elemental function number_at(i, j, k) result(number)
    integer, intent(in) :: i, j, k
    complex(real64) :: number
    number = cmplx(sin(1.3d0*i*j + 0.7d0*k), cos(0.9d0*i + 2.1d0*j*k), real64)
  end function number_at

  function numbers(n) result(field)
    integer, intent(in) :: n(3)
    complex(real64), allocatable :: field(:, :, :)
    integer :: i, j, k
    allocate (field(n(1), n(2), n(3)))
    do concurrent(i=1:n(1), j=1:n(2), k=1:n(3))
      field(i, j, k) = number_at(i, j, k)
    end do
  end function numbers

  ! What a rank has of a field, by the bounds of its array.
  pure function part(field, lower, upper) result(mine)
    complex(real64), intent(in) :: field(:, :, :)
    integer, intent(in) :: lower(3), upper(3)
    complex(real64), allocatable :: mine(:, :, :)
    mine = field(lower(1):upper(1), lower(2):upper(2), lower(3):upper(3))
  end function part

  ! The Fourier transform along all axes, or along one, by its definition.
  function direct(field, axis) result(waves)
    complex(real64), intent(in) :: field(:, :, :)
    integer, intent(in), optional :: axis
    complex(real64), allocatable :: waves(:, :, :), lines(:, :, :)
    integer :: a, n, i, j
    allocate (waves, source=field)
    do a = 1, 3
      if (present(axis)) then
        if (a /= axis) cycle
      end if
      allocate (lines, source=waves)
      n = size(field, a)
      do i = 1, n
        do j = 1, n
          associate (wave => exp(cmplx(0, -2*pi*modulo((i - 1)*(j - 1), n)/n, real64)))
            select case (a)
            case (1)
              waves(i, :, :) = merge(waves(i, :, :), (0d0, 0d0), j > 1) + wave*lines(j, :, :)
            case (2)
              waves(:, i, :) = merge(waves(:, i, :), (0d0, 0d0), j > 1) + wave*lines(:, j, :)
            case (3)
              waves(:, :, i) = merge(waves(:, :, i), (0d0, 0d0), j > 1) + wave*lines(:, :, j)
            end select
          end associate
        end do
      end do
      deallocate (lines)
    end do
  end function direct

  ! The cosine transform of type 2 of a line, as scipy.fft has it.
  pure function direct_cosine(line) result(waves)
    real(real64), intent(in) :: line(:)
    real(real64) :: waves(size(line))
    integer :: i, k
    waves = 0
    do k = 1, size(line)
      do i = 1, size(line)
        waves(k) = waves(k) + 2*line(i)*cos(pi*(k - 1)*(2*i - 1)/(2*size(line)))
      end do
    end do
  end function direct_cosine

end module checks
