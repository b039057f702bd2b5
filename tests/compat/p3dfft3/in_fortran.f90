! in_fortran: transforms fields with P3DFFT++'s module, in the way of its samples, and compares with direct sums.
program p3dfftpp_in_fortran
  use checks, only: direct, direct_cosine, expect, numbers
  use mpi
  use p3dfft_plus_plus
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
  integer, parameter :: n(3) = [9, 8, 10], half(3) = [5, 8, 10], order(3) = [0, 1, 2], turned(3) = [1, 2, 0]
  integer :: ierror, rank, ranks, pdims(3), pgrid
  character(len=10) :: what
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  pdims = [1, 0, 0]
  call MPI_Dims_create(ranks, 3, pdims, ierror)
  call p3dfft_setup()
  pgrid = p3dfft_init_proc_grid(pdims, MPI_COMM_WORLD)
  call get_command_argument(1, what)
  if (what == 'refused') then
    call cosines_are_transformed(axis_of_slope=0)
  else
    call real_numbers_are_transformed()
    call complex_numbers_are_transformed()
    call derivatives_are_taken()
    call cosines_are_transformed(axis_of_slope=-1)
  end if
  call p3dfft_cleanup
  call MPI_Finalize(ierror)
  if (rank == 0) print '(a)', 'all is as expected'

contains

  ! What this rank has of a field, in the order of the memory of a grid.
  function mine(field, ldims, starts, mem_order) result(part)
    complex(real64), intent(in) :: field(:, :, :)
    integer, intent(in) :: ldims(3), starts(3), mem_order(3)
    complex(real64), allocatable :: part(:, :, :)
    integer :: i, j, k, at(3), sizes(3)
    sizes(mem_order + 1) = ldims
    allocate (part(sizes(1), sizes(2), sizes(3)))
    do k = 1, ldims(3)
      do j = 1, ldims(2)
        do i = 1, ldims(1)
          at(mem_order + 1) = [i, j, k]
          part(at(1), at(2), at(3)) = field(starts(1) + i, starts(2) + j, starts(3) + k)
        end do
      end do
    end do
  end function mine

  function close(a, b, most) result(is_so)
    complex(real64), intent(in) :: a(:, :, :), b(:, :, :)
    real(real64), intent(in) :: most
    logical :: is_so
    is_so = all(shape(a) == shape(b)) .and. all(abs(a - b) < most)
  end function close

  ! The grids of a transform of real numbers: X pencils, and Z pencils with X halved.
  subroutine halved_grids(space, waves, ldims, starts)
    integer, intent(out) :: space, waves, ldims(3, 2), starts(3, 2)
    call p3dfft_init_data_grid(space, ldims(:, 1), starts(:, 1), n, -1, pgrid, [0, 1, 2], order)
    call p3dfft_init_data_grid(waves, ldims(:, 2), starts(:, 2), half, 0, pgrid, [1, 2, 0], turned)
  end subroutine halved_grids

  subroutine real_numbers_are_transformed()
    integer :: forward, backward, there, back, there_single, space, waves, ldims(3, 2), starts(3, 2), workspace
    complex(real64), allocatable :: whole(:, :, :), spectrum(:, :, :), waves_of(:, :, :), u(:, :, :), v(:, :, :)
    real(real64), allocatable :: r(:, :, :), w(:, :, :)
    complex(real32), allocatable :: v_single(:, :, :)
    workspace = 0
    whole = cmplx(real(numbers(n)), 0, real64)
    spectrum = direct(whole)
    call p3dfft_init_3Dtype(forward, [P3DFFT_R2CFFT_D, P3DFFT_CFFT_FORWARD_D, P3DFFT_CFFT_FORWARD_D])
    call p3dfft_init_3Dtype(backward, [P3DFFT_C2RFFT_D, P3DFFT_CFFT_BACKWARD_D, P3DFFT_CFFT_BACKWARD_D])
    call halved_grids(space, waves, ldims, starts)
    call p3dfft_plan_3Dtrans(there, space, waves, forward)
    call p3dfft_plan_3Dtrans(back, waves, space, backward, workspace)
    u = mine(whole, ldims(:, 1), starts(:, 1), order)
    waves_of = mine(spectrum(:5, :, :), ldims(:, 2), starts(:, 2), turned)
    r = real(u)
    allocate (w, mold=r)
    allocate (v, mold=waves_of)
    call p3dfft_3Dtrans_double(there, r, v, 0)
    call expect(close(v, waves_of, 1d-11), 'the spectrum of real numbers')
    call expect(all(r == real(u)), 'the input is left as it is')
    v = v/product(n)
    call p3dfft_3Dtrans_double(back, v, w, 1)
    call expect(close(cmplx(w, 0, real64), u, 1d-13), 'real numbers there and back')
    call p3dfft_init_3Dtype(forward, [P3DFFT_R2CFFT_S, P3DFFT_CFFT_FORWARD_S, P3DFFT_CFFT_FORWARD_S])
    call p3dfft_plan_3Dtrans(there_single, space, waves, forward)
    v_single = cmplx(0*v, kind=real32)
    call p3dfft_3Dtrans_single(there_single, real(r, real32), v_single, 0)
    call expect(close(cmplx(v_single, kind=real64), waves_of, 2d-3), 'the spectrum in single precision')
  end subroutine real_numbers_are_transformed

  subroutine complex_numbers_are_transformed()
    integer :: forward, there, space, waves, ldims(3, 2), starts(3, 2)
    complex(real64), allocatable :: u(:, :, :), v(:, :, :), waves_of(:, :, :)
    call p3dfft_init_3Dtype(forward, [P3DFFT_CFFT_FORWARD_D, P3DFFT_CFFT_FORWARD_D, P3DFFT_CFFT_FORWARD_D])
    call p3dfft_init_data_grid(space, ldims(:, 1), starts(:, 1), n, -1, pgrid, [0, 1, 2], order)
    call p3dfft_init_data_grid(waves, ldims(:, 2), starts(:, 2), n, -1, pgrid, [1, 2, 0], turned)
    call p3dfft_plan_3Dtrans(there, space, waves, forward)
    u = mine(numbers(n), ldims(:, 1), starts(:, 1), order)
    waves_of = mine(direct(numbers(n)), ldims(:, 2), starts(:, 2), turned)
    allocate (v, mold=waves_of)
    call p3dfft_3Dtrans_double(there, u, v, 0)
    call expect(close(v, waves_of, 1d-11), 'the spectrum of complex numbers')
  end subroutine complex_numbers_are_transformed

  ! Along Y, where waves 5 to 8 are those of -4, which has no derivative, to -1.
  subroutine derivatives_are_taken()
    integer :: forward, there, space, waves, ldims(3, 2), starts(3, 2), j
    complex(real64), allocatable :: whole(:, :, :), spectrum(:, :, :), waves_of(:, :, :), v(:, :, :), v_of_x(:, :, :)
    whole = cmplx(real(numbers(n)), 0, real64)
    call p3dfft_init_3Dtype(forward, [P3DFFT_R2CFFT_D, P3DFFT_CFFT_FORWARD_D, P3DFFT_CFFT_FORWARD_D])
    call halved_grids(space, waves, ldims, starts)
    call p3dfft_plan_3Dtrans(there, space, waves, forward)
    spectrum = direct(whole)
    do j = 1, 8
      spectrum(:, j, :) = spectrum(:, j, :)*cmplx(0, merge(0, merge(j - 1, j - 9, j < 5), j == 5), real64)
    end do
    waves_of = mine(spectrum(:5, :, :), ldims(:, 2), starts(:, 2), turned)
    allocate (v, mold=waves_of)
    call p3dfft_3Dderiv_double(there, real(mine(whole, ldims(:, 1), starts(:, 1), order)), v, 2, 0)
    call expect(close(v, waves_of, 1d-10), 'the spectrum of a derivative along Y')
    spectrum = direct(whole)
    do j = 1, 5
      spectrum(j, :, :) = spectrum(j, :, :)*cmplx(0, j - 1, real64)
    end do
    waves_of = mine(spectrum(:5, :, :), ldims(:, 2), starts(:, 2), turned)
    allocate (v_of_x, mold=waves_of)
    call p3dfft_3Dderiv_double(there, real(mine(whole, ldims(:, 1), starts(:, 1), order)), v_of_x, 1, 0)
    call expect(close(v_of_x, waves_of, 1d-10), 'the spectrum of a derivative along X, which is halved')
  end subroutine derivatives_are_taken

  ! Along X, with two forms of the call.
  subroutine cosines_are_transformed(axis_of_slope)
    integer, intent(in) :: axis_of_slope
    integer :: there, from, to, ldims(3, 2), starts(3, 2), j, k
    complex(real64), allocatable :: whole(:, :, :), wanted(:, :, :)
    real(real64), allocatable :: r(:, :, :), v(:, :, :)
    whole = cmplx(real(numbers(n)), 0, real64)
    call p3dfft_init_data_grid(from, ldims(:, 1), starts(:, 1), n, -1, pgrid, [0, 1, 2], order)
    call p3dfft_init_data_grid(to, ldims(:, 2), starts(:, 2), n, -1, pgrid, [0, 1, 2], turned)
    call p3dfft_plan_1Dtrans(there, from, to, P3DFFT_DCT2_REAL_D, 0)
    r = real(mine(whole, ldims(:, 1), starts(:, 1), order))
    do k = 1, n(3)
      do j = 1, n(2)
        whole(:, j, k) = direct_cosine(real(whole(:, j, k)))
      end do
    end do
    wanted = mine(whole, ldims(:, 2), starts(:, 2), turned)
    v = 0*real(wanted)
    call p3dfft_1Dtrans_double(there, r, v, axis_of_slope, 0)
    call expect(close(cmplx(v, 0, real64), wanted, 1d-12), 'cosines')
    v = 0
    call p3dfft_1Dtrans_double(there, r, v, 0)
    call expect(close(cmplx(v, 0, real64), wanted, 1d-12), 'cosines, with four arguments')
  end subroutine cosines_are_transformed

end program p3dfftpp_in_fortran
