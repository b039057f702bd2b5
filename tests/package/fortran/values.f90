! values: transforms of odd, prime and uneven sizes in all kinds, precisions and forms, beside direct sums.
program values
  use checks
  use mpi_f08
  use weft
  implicit none
  integer, parameter :: sizes(3, 5) = reshape([5, 7, 3, 1, 13, 2, 11, 1, 1, 6, 10, 9, 4, 4, 4], [3, 5])
  integer, parameter :: forms(3) = [weft_free, weft_slab, weft_pencil]
  character(len=*), parameter :: quick = 'effort=estimate'
  complex(real64), allocatable :: u(:, :, :), v(:, :, :)
  integer :: s, f
  call MPI_Init()
  do s = 1, size(sizes, 2)
    u = numbers(sizes(:, s))
    v = direct(u)
    do f = 1, size(forms)
      call transforms_complex_numbers(sizes(:, s), forms(f))
    end do
    call transforms_single_complex_numbers(sizes(:, s), weft_slab)
    u = real(u)
    v = direct(u)
    do f = 1, size(forms)
      call transforms_reals(sizes(:, s), forms(f))
    end do
    call transforms_single_reals(sizes(:, s), weft_pencil)
  end do
  call makes_reals_of_waves()
  call transforms_lines_by_cosines()
  call transforms_one_and_two_axes()
  call transforms_some_axes()
  call MPI_Finalize()
  print '(a)', 'all is as expected'

contains

  subroutine transforms_complex_numbers(n, form)
    integer, intent(in) :: n(3), form
    type(weft_plan) :: plan
    complex(real64), allocatable :: from(:, :, :), to(:, :, :), back(:, :, :)
    call plan%create(MPI_COMM_WORLD, weft_problem(n, input=weft_distribution(form)), quick)
    call plan%make(weft_input, from)
    call plan%make(weft_input, back)
    call plan%make(weft_output, to)
    from = part(u, lbound(from), ubound(from))
    call plan%forward(from, to)
    to = to - part(v, lbound(to), ubound(to))
    call expect(maxval([0d0, abs(to)]) < 1d-11, 'complex numbers become waves')
    call plan%forward(from, to)
    call plan%backward(to, back)
    call expect(maxval([0d0, abs(back - from)]) < 1d-13, 'waves become complex numbers')
    call plan%free()
  end subroutine transforms_complex_numbers

  subroutine transforms_single_complex_numbers(n, form)
    integer, intent(in) :: n(3), form
    type(weft_plan) :: plan
    complex(real32), allocatable :: from(:, :, :), to(:, :, :)
    call plan%create(MPI_COMM_WORLD, weft_problem(n, precision='single', input=weft_distribution(form)), quick)
    call plan%make(weft_input, from)
    call plan%make(weft_output, to)
    from = cmplx(part(u, lbound(from), ubound(from)), kind=real32)
    call plan%forward(from, to)
    call expect(all(abs(to - part(v, lbound(to), ubound(to))) < 1d-3), &
        'complex numbers become waves in single precision')
    call plan%free()
  end subroutine transforms_single_complex_numbers

  subroutine transforms_reals(n, form)
    integer, intent(in) :: n(3), form
    type(weft_plan) :: plan
    real(real64), allocatable :: from(:, :, :), back(:, :, :)
    complex(real64), allocatable :: to(:, :, :)
    call plan%create(MPI_COMM_WORLD, weft_problem(n, kind='r2c', input=weft_distribution(form)), quick)
    call plan%make(weft_input, from)
    call plan%make(weft_input, back)
    call plan%make(weft_output, to)
    call expect(all(plan%extents(weft_output) == [n(1)/2 + 1, n(2), n(3)]), 'r2c halves the first axis')
    from = real(part(u, lbound(from), ubound(from)))
    call plan%forward(from, to)
    call expect(all(abs(to - part(v, lbound(to), ubound(to))) < 1d-11), &
        'reals become waves')
    call plan%backward(to, back)
    call expect(maxval([0d0, abs(back - from)]) < 1d-13, 'waves become reals')
    call plan%free()
  end subroutine transforms_reals

  subroutine transforms_single_reals(n, form)
    integer, intent(in) :: n(3), form
    type(weft_plan) :: plan
    real(real32), allocatable :: from(:, :, :), back(:, :, :)
    complex(real32), allocatable :: to(:, :, :)
    call plan%create(MPI_COMM_WORLD, weft_problem(n, kind='r2c', precision='single', input=weft_distribution(form)), quick)
    call plan%make(weft_input, from)
    call plan%make(weft_input, back)
    call plan%make(weft_output, to)
    from = real(part(u, lbound(from), ubound(from)), real32)
    call plan%forward(from, to)
    call expect(all(abs(to - part(v, lbound(to), ubound(to))) < 1d-3), &
        'reals become waves in single precision')
    call plan%backward(to, back)
    call expect(maxval([0.0, abs(back - from)]) < 1e-5, 'waves become reals in single precision')
    call plan%free()
  end subroutine transforms_single_reals

  subroutine makes_reals_of_waves()
    type(weft_plan) :: plan
    complex(real64), allocatable :: waves(:, :, :)
    real(real64), allocatable :: field(:, :, :)
    u = real(numbers([5, 7, 3]))
    v = direct(u)/size(u)
    call plan%create(MPI_COMM_WORLD, weft_problem([5, 7, 3], kind='c2r', norm='none'), quick)
    call plan%make(weft_input, waves)
    call plan%make(weft_output, field)
    waves = part(v, lbound(waves), ubound(waves))
    call plan%forward(waves, field)
    call expect(all(abs(field - real(part(u, lbound(field), ubound(field)))) < 1d-13), 'c2r makes reals')
    call plan%free()
  end subroutine makes_reals_of_waves

  subroutine transforms_lines_by_cosines()
    type(weft_plan) :: plan
    real(real64), allocatable :: field(:, :), waves(:, :)
    real(real64) :: known(9)
    integer :: i
    call plan%create(MPI_COMM_WORLD, weft_problem([9, 5], kind='r2r', axes=[1], bases=[weft_dct2, weft_fourier]), quick)
    call plan%make(weft_input, field)
    call plan%make(weft_output, waves)
    do i = lbound(field, 1), ubound(field, 1)
      field(i, :) = sin(0.4d0*i)
    end do
    known = direct_cosine([(sin(0.4d0*i), i=1, 9)])
    call plan%forward(field, waves)
    do i = lbound(waves, 1), ubound(waves, 1)
      call expect(all(abs(waves(i, :) - known(i)) < 1d-13), 'cosines are those of scipy.fft')
    end do
    call plan%free()
  end subroutine transforms_lines_by_cosines

  subroutine transforms_one_and_two_axes()
    type(weft_plan) :: line, rows
    complex(real64), allocatable :: from(:), to(:), from2(:, :), to2(:, :)
    u = numbers([97, 1, 1])
    v = direct(u)
    call line%create(MPI_COMM_WORLD, weft_problem([97]), quick)
    call line%make(weft_input, from)
    call line%make(weft_output, to)
    from = u(lbound(from, 1):ubound(from, 1), 1, 1)
    call line%forward(from, to)
    call expect(all(abs(to - v(lbound(to, 1):ubound(to, 1), 1, 1)) < 1d-11), 'one axis of 97 points')
    call line%free()
    u = numbers([7, 11, 1])
    v = direct(u)
    call rows%create(MPI_COMM_WORLD, weft_problem([7, 11], output=weft_distribution(weft_same)), quick)
    call rows%make(weft_input, from2)
    call rows%make(weft_output, to2)
    from2 = u(lbound(from2, 1):ubound(from2, 1), lbound(from2, 2):ubound(from2, 2), 1)
    call rows%forward(from2, to2)
    call expect(all(abs(to2 - v(lbound(to2, 1):ubound(to2, 1), lbound(to2, 2):ubound(to2, 2), 1)) < 1d-11), &
        'two axes of 7x11 points')
    call rows%free()
  end subroutine transforms_one_and_two_axes

  subroutine transforms_some_axes()
    type(weft_plan) :: plan
    complex(real64), allocatable :: from(:, :, :), to(:, :, :)
    u = numbers([5, 7, 3])
    v = direct(u, 2)
    call plan%create(MPI_COMM_WORLD, weft_problem([5, 7, 3], axes=[2]), quick)
    call plan%make(weft_input, from)
    call plan%make(weft_output, to)
    from = part(u, lbound(from), ubound(from))
    call plan%forward(from, to)
    call expect(all(abs(to - part(v, lbound(to), ubound(to))) < 1d-12), &
        'the second of three axes')
    call plan%free()
  end subroutine transforms_some_axes

end program values
