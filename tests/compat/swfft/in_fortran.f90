! in_fortran: a program that transforms fields with SWFFT's modules, and compares with direct sums.
program in_fortran
  use checks, only: direct, expect, numbers
  use FDfft
  use FDistribution
  use held
  use mpi, only: MPI_Comm_rank, MPI_COMM_WORLD, MPI_Comm_size, MPI_Finalize, MPI_Init, MPI_Cart_coords
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer :: ierror, rank, ranks
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call fields_are_transformed([12, 12, 12])
  call fields_are_transformed([4, 8, 12])
  if (ranks < 4) call many_leave_nothing()
  call MPI_Finalize(ierror)
  if (rank == 0) print '(a)', 'all is as expected'

contains

  ! The points of a place in a process grid, the last index first, as they lie in memory.
  function points_of(whole, self, n) result(line)
    complex(real64), intent(in) :: whole(:, :, :)
    integer, intent(in) :: self(3), n(3)
    complex(real64) :: line(product(n))
    integer :: i, j, k, next
    next = 0
    do i = 1, n(1)
      do j = 1, n(2)
        do k = 1, n(3)
          next = next + 1
          line(next) = whole(self(1)*n(1) + i, self(2)*n(2) + j, self(3)*n(3) + k)
        end do
      end do
    end do
  end function points_of

  subroutine places_are_told(d, dfft, n)
    type(dist_type), intent(in) :: d
    type(dfft_type), intent(in) :: dfft
    integer, intent(in) :: n(3)
    integer :: told(3), self(3), counts(3), points(3), size_of_parent
    call nglobal(dfft, told)
    call expect(all(told == n) .and. globalSize(dfft) == product(n), 'the whole grid')
    call expect(localSize(dfft)*ranks == globalSize(dfft), 'equal parts')
    call MPI_Comm_size(parentComm(dfft), size_of_parent, ierror)
    call expect(size_of_parent == ranks, 'the communicator that was given')
    call selfRspace(dfft, self)
    call nprocRspace(dfft, counts)
    call nlocalRspace(dfft, points)
    call expect(product(counts) == ranks .and. all(counts*points == n), 'the grid of real space')
    call MPI_Cart_coords(cart3D(d), rank, 3, told, ierror)
    call expect(all(told == self), 'a place in real space')
    call MPI_Cart_coords(cartCommRspace(dfft), rank, 3, told, ierror)
    call expect(all(told == self), 'the same communicator')
    call selfKspace(dfft, self)
    call nprocKspace(dfft, counts)
    call nlocalKspace(dfft, points)
    call expect(product(counts) == ranks .and. counts(3) == 1 .and. all(counts*points == n) .and. all(self < counts), &
        'the grid of k space')
    call MPI_Comm_size(cartCommKspace(dfft), size_of_parent, ierror)
    call expect(size_of_parent == ranks, 'the communicator of k space')
  end subroutine places_are_told

  subroutine fields_are_transformed(n)
    integer, intent(in) :: n(3)
    type(dist_type) :: d
    type(dfft_type) :: dfft
    complex(c_double_complex), allocatable, target :: a(:), b(:), in(:), out(:)
    complex(real64), allocatable :: whole(:, :, :), before(:), wanted(:)
    integer :: self(3), points(3)
    call newDistribution(d, MPI_COMM_WORLD, n)
    call newDfft(dfft, d)
    call places_are_told(d, dfft, n)
    whole = numbers(n)
    call selfRspace(dfft, self)
    call nlocalRspace(dfft, points)
    before = points_of(whole, self, points)
    call selfKspace(dfft, self)
    call nlocalKspace(dfft, points)
    wanted = points_of(direct(whole), self, points)
    allocate (a(localSize(dfft)), b(localSize(dfft)), out(localSize(dfft)))
    in = before
    call makePlans(dfft, c_loc(a), c_loc(b), c_loc(a), c_loc(b), 0)
    call forward(dfft, c_loc(in))
    call expect(all(in == before), 'the input is left as it is')
    call expect(maxval(abs(a - wanted)) < 1e-11, 'a spectrum is that of direct sums')
    call backward(dfft, c_loc(out))
    call expect(maxval(abs(out/product(n) - before)) < 1e-13, 'there and back')
    a = before
    call makePlans(dfft, c_loc(a), c_loc(b), c_loc(a), c_loc(b))
    call forward(dfft, c_loc(a))
    call expect(maxval(abs(a - wanted)) < 1e-11, 'a spectrum in the array of the field')
    call backward(dfft, c_loc(a))
    call expect(maxval(abs(a/product(n) - before)) < 1e-13, 'there and back in one array')
    call delDfft(dfft)
    call delDistribution(d)
  end subroutine fields_are_transformed

  subroutine many_leave_nothing()
    type(dist_type) :: d
    type(dfft_type) :: dfft
    type(holding) :: before
    complex(c_double_complex), target :: a(64), b(64)
    integer :: i
    a = 1
    do i = 1, 40
      if (i == 10) before = what_is_held()
      call newDistribution(d, MPI_COMM_WORLD, [4, 4, 4])
      call newDfft(dfft, d)
      call makePlans(dfft, c_loc(a), c_loc(b), c_loc(a), c_loc(b))
      call forward(dfft, c_loc(a))
      call delDfft(dfft)
      call delDistribution(d)
    end do
    call expect(nothing_more(before, 100000_int64), 'nothing is left')
  end subroutine many_leave_nothing

end program in_fortran
