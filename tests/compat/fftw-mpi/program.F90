! tests/compat/fftw-mpi/program: FFTW's MPI interface in Fortran, as its manual uses it, compared with direct sums.
program uses_fftw_mpi
  use, intrinsic :: iso_c_binding
  implicit none
  include 'mpif.h'
  include 'fftw3-mpi.f03'
#ifdef SINGLE
#define F(name) fftwf_/**/name
  integer, parameter :: kind_of_reals = C_FLOAT, kind_of_pairs = C_FLOAT_COMPLEX
#else
#define F(name) fftw_/**/name
  integer, parameter :: kind_of_reals = C_DOUBLE, kind_of_pairs = C_DOUBLE_COMPLEX
#endif
  real(C_DOUBLE), parameter :: pi = 3.141592653589793238462643383279502884197d0
  integer :: rank, ranks, status, failures

  call MPI_Init(status)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, status)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, status)
  call F(mpi_init)()
  failures = 0
  call complex_field(int(10, C_INTPTR_T), int(7, C_INTPTR_T), FFTW_FORWARD)
  call complex_field(int(6, C_INTPTR_T), int(9, C_INTPTR_T), FFTW_BACKWARD)
  call real_field(int(6, C_INTPTR_T), int(5, C_INTPTR_T), int(8, C_INTPTR_T))
  call line(int(24, C_INTPTR_T))
  call sines(int(9, C_INTPTR_T), int(4, C_INTPTR_T))
  call turned(int(9, C_INTPTR_T), int(4, C_INTPTR_T))
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, status)
  if (rank == 0) print '(I0, A)', failures, ' failed'
  call F(mpi_gather_wisdom)(MPI_COMM_WORLD)
  call F(mpi_broadcast_wisdom)(MPI_COMM_WORLD)
  call F(mpi_cleanup)()
  call MPI_Finalize(status)
  if (failures > 0) error stop 1

contains

  subroutine check(error, what)
    real(C_DOUBLE), intent(in) :: error
    character(*), intent(in) :: what
    if (error < 100 * epsilon(1.0_kind_of_reals)) return
    failures = failures + 1
    print '(A, I0, 3A, ES10.2)', 'rank ', rank, ': ', what, ': ', error
  end subroutine check

  ! A wave of some numbers along each axis, all from 0.
  pure real(C_DOUBLE) function angle(i, k, n)
    integer(C_INTPTR_T), intent(in) :: i, k, n
    angle = 2 * pi * real(mod(i * k, n), C_DOUBLE) / real(n, C_DOUBLE)
  end function angle

  ! A wave has one number in its spectrum, the points of the field.
  subroutine complex_field(l, m, sign)
    integer(C_INTPTR_T), intent(in) :: l, m
    integer(C_INT), intent(in) :: sign
    integer(C_INTPTR_T) :: room, local_m, offset, i, j
    type(C_PTR) :: plan, memory
    complex(kind_of_pairs), pointer :: field(:, :)
    real(C_DOUBLE) :: error
    complex(C_DOUBLE) :: expected
    room = F(mpi_local_size_2d)(m, l, MPI_COMM_WORLD, local_m, offset)
    memory = F(alloc_complex)(int(room, C_SIZE_T))
    call c_f_pointer(memory, field, [l, local_m])
    plan = F(mpi_plan_dft_2d)(m, l, field, field, MPI_COMM_WORLD, sign, FFTW_MEASURE)
    do j = 1, local_m
      do i = 1, l
        field(i, j) = cmplx(exp(cmplx(0, -sign * (angle(i - 1, 2_C_INTPTR_T, l) + angle(j - 1 + offset, 3_C_INTPTR_T, m)), &
                                      C_DOUBLE)), kind=kind_of_pairs)
      end do
    end do
    call F(mpi_execute_dft)(plan, field, field)
    error = 0
    do j = 1, local_m
      do i = 1, l
        expected = 0
        if (i == 3 .and. j + offset == 4) expected = real(l * m, C_DOUBLE)
        error = max(error, abs(field(i, j) - expected) / (l * m))
      end do
    end do
    call check(error, 'a complex field')
    call F(destroy_plan)(plan)
    call F(free)(memory)
  end subroutine complex_field

  ! Rows of real numbers are longer by what a row of complex numbers needs; transposed in the spectrum.
  subroutine real_field(l, m, n)
    integer(C_INTPTR_T), intent(in) :: l, m, n
    integer(C_INTPTR_T) :: room, local_n, offset, local_m, offset_m, i, j, k
    type(C_PTR) :: there, back, memory
    real(kind_of_reals), pointer :: u(:, :, :)
    complex(kind_of_pairs), pointer :: v(:, :, :)
    real(C_DOUBLE) :: error, expected
    room = F(mpi_local_size_3d_transposed)(n, m, l / 2 + 1, MPI_COMM_WORLD, local_n, offset, local_m, offset_m)
    memory = F(alloc_complex)(int(room, C_SIZE_T))
    call c_f_pointer(memory, u, [2 * (l / 2 + 1), m, local_n])
    call c_f_pointer(memory, v, [l / 2 + 1, n, local_m])
    there = F(mpi_plan_dft_r2c_3d)(n, m, l, u, v, MPI_COMM_WORLD, ior(FFTW_ESTIMATE, FFTW_MPI_TRANSPOSED_OUT))
    back = F(mpi_plan_dft_c2r_3d)(n, m, l, v, u, MPI_COMM_WORLD, ior(FFTW_ESTIMATE, FFTW_MPI_TRANSPOSED_IN))
    do k = 1, local_n
      do j = 1, m
        do i = 1, l
          u(i, j, k) = real(cos(angle(i - 1, 1_C_INTPTR_T, l) + angle(j - 1, 2_C_INTPTR_T, m) + &
                                angle(k - 1 + offset, 3_C_INTPTR_T, n)), kind_of_reals)
        end do
      end do
    end do
    call F(mpi_execute_dft_r2c)(there, u, v)
    error = 0
    do k = 1, local_m
      do j = 1, n
        do i = 1, l / 2 + 1
          expected = 0
          if (i == 2 .and. j == 4 .and. k + offset_m == 3) expected = 0.5d0 * real(l * m * n, C_DOUBLE)
          error = max(error, abs(v(i, j, k) - expected) / (l * m * n))
        end do
      end do
    end do
    call check(error, 'a real field')
    call F(mpi_execute_dft_c2r)(back, v, u)
    error = 0
    do k = 1, local_n
      do j = 1, m
        do i = 1, l
          expected = l * m * n * cos(angle(i - 1, 1_C_INTPTR_T, l) + angle(j - 1, 2_C_INTPTR_T, m) + &
                                     angle(k - 1 + offset, 3_C_INTPTR_T, n))
          error = max(error, abs(u(i, j, k) - expected) / (l * m * n))
        end do
      end do
    end do
    call check(error, 'a real field, and back')
    call F(destroy_plan)(there)
    call F(destroy_plan)(back)
    call F(free)(memory)
  end subroutine real_field

  subroutine line(n)
    integer(C_INTPTR_T), intent(in) :: n
    integer(C_INTPTR_T) :: room, ni, first_in, no, first_out, i
    type(C_PTR) :: plan, memory
    complex(kind_of_pairs), pointer :: field(:)
    real(C_DOUBLE) :: error, expected
    room = F(mpi_local_size_1d)(n, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE, ni, first_in, no, first_out)
    memory = F(alloc_complex)(int(room, C_SIZE_T))
    call c_f_pointer(memory, field, [room])
    plan = F(mpi_plan_dft_1d)(n, field, field, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE)
    do i = 1, ni
      field(i) = cmplx(exp(cmplx(0, angle(i - 1 + first_in, 5_C_INTPTR_T, n), C_DOUBLE)), kind=kind_of_pairs)
    end do
    call F(mpi_execute_dft)(plan, field, field)
    error = 0
    do i = 1, no
      expected = 0
      if (i + first_out == 6) expected = real(n, C_DOUBLE)
      error = max(error, abs(field(i) - expected) / n)
    end do
    call check(error, 'a line')
    call F(destroy_plan)(plan)
    call F(free)(memory)
  end subroutine line

  ! The cosine of a cosine.
  subroutine sines(l, m)
    integer(C_INTPTR_T), intent(in) :: l, m
    integer(C_INTPTR_T) :: room, local_m, offset, i, j
    type(C_PTR) :: plan, memory
    real(kind_of_reals), pointer :: field(:, :)
    real(C_DOUBLE) :: error, expected
    room = F(mpi_local_size_2d)(m, l, MPI_COMM_WORLD, local_m, offset)
    memory = F(alloc_real)(int(room, C_SIZE_T))
    call c_f_pointer(memory, field, [l, local_m])
    plan = F(mpi_plan_r2r_2d)(m, l, field, field, MPI_COMM_WORLD, FFTW_REDFT10, FFTW_RODFT10, FFTW_ESTIMATE)
    do j = 1, local_m
      do i = 1, l
        field(i, j) = real(cos(pi * (j - 0.5d0 + offset) / m) * sin(pi * (i - 0.5d0) * 2 / l), kind_of_reals)
      end do
    end do
    call F(mpi_execute_r2r)(plan, field, field)
    error = 0
    do j = 1, local_m
      do i = 1, l
        expected = 0
        if (i == 2 .and. j + offset == 2) expected = real(l * m, C_DOUBLE)
        error = max(error, abs(field(i, j) - expected) / (l * m))
      end do
    end do
    call check(error, 'sines and cosines')
    call F(destroy_plan)(plan)
    call F(free)(memory)
  end subroutine sines

  subroutine turned(l, m)
    integer(C_INTPTR_T), intent(in) :: l, m
    integer(C_INTPTR_T) :: room, local_m, offset, local_l, offset_l, i, j
    type(C_PTR) :: plan, memory
    real(kind_of_reals), pointer :: a(:, :), b(:, :)
    real(C_DOUBLE) :: error
    room = F(mpi_local_size_2d_transposed)(m, l, MPI_COMM_WORLD, local_m, offset, local_l, offset_l)
    memory = F(alloc_real)(int(room, C_SIZE_T))
    call c_f_pointer(memory, a, [l, local_m])
    call c_f_pointer(memory, b, [m, local_l])
    plan = F(mpi_plan_transpose)(m, l, a, b, MPI_COMM_WORLD, FFTW_ESTIMATE)
    do j = 1, local_m
      do i = 1, l
        a(i, j) = real(100 * (j + offset) + i, kind_of_reals)
      end do
    end do
    call F(mpi_execute_r2r)(plan, a, b)
    error = 0
    do j = 1, local_l
      do i = 1, m
        error = max(error, abs(b(i, j) - real(100 * i + j + offset_l, C_DOUBLE)))
      end do
    end do
    call check(error, 'a transpose')
    call F(destroy_plan)(plan)
    call F(free)(memory)
  end subroutine turned

end program uses_fftw_mpi
