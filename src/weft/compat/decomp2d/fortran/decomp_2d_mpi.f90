! decomp_2d_mpi: the ranks of 2DECOMP&FFT, and how it ends a program.
module decomp_2d_mpi
  use mpi
  use, intrinsic :: iso_fortran_env, only: error_unit
  use decomp_2d_constants, only: mytype
  implicit none
  private
  public :: decomp_2d_mpi_init, decomp_2d_mpi_fin, decomp_2d_mpi_comm_free, decomp_2d_abort, decomp_2d_warning

  integer, save, public :: mytype_bytes = storage_size(0._mytype)/8
  integer, save, public :: nrank = -1, nproc = -1  !< of this process, from 0, and how many there are
  integer, save, public :: decomp_2d_comm = MPI_COMM_NULL

  !> call decomp_2d_abort([file, line,] errorcode, msg): says `msg` and ends all ranks.
  interface decomp_2d_abort
    module procedure :: abort_plainly, abort_at
  end interface decomp_2d_abort
  !> call decomp_2d_warning([file, line,] errorcode, msg): rank 0 says `msg`.
  interface decomp_2d_warning
    module procedure :: warn_plainly, warn_at
  end interface decomp_2d_warning

contains

  !> Takes the ranks of `comm`, or all. A program that has set nrank and nproc itself keeps them.
  subroutine decomp_2d_mpi_init(comm)
    integer, intent(in), optional :: comm
    integer :: ierror
    decomp_2d_comm = MPI_COMM_WORLD
    if (present(comm)) decomp_2d_comm = comm
    if (nrank == -1) call MPI_Comm_rank(decomp_2d_comm, nrank, ierror)
    if (nproc == -1) call MPI_Comm_size(decomp_2d_comm, nproc, ierror)
  end subroutine decomp_2d_mpi_init

  subroutine decomp_2d_mpi_fin()
    nrank = -1
    nproc = -1
  end subroutine decomp_2d_mpi_fin

  !> Frees a communicator, if there is one.
  subroutine decomp_2d_mpi_comm_free(mpi_comm)
    integer, intent(inout) :: mpi_comm
    integer :: ierror
    if (mpi_comm == MPI_COMM_NULL) return
    call MPI_Comm_free(mpi_comm, ierror)
    mpi_comm = MPI_COMM_NULL
  end subroutine decomp_2d_mpi_comm_free

  subroutine say(what, errorcode, msg, place)
    character(len=*), intent(in) :: what, msg
    integer, intent(in) :: errorcode
    character(len=*), intent(in), optional :: place
    write (error_unit, '(3a, i0, a, i0)') '2DECOMP&FFT of weft: ', what, ' ', errorcode, ' on rank ', max(nrank, 0)
    if (present(place)) write (error_unit, '(2a)') '  in:  ', place
    write (error_unit, '(2a)') '  why: ', msg
    flush (error_unit)
  end subroutine say

  function place_of(file, line) result(place)
    character(len=*), intent(in) :: file
    integer, intent(in) :: line
    character(len=:), allocatable :: place
    character(len=12) :: digits
    write (digits, '(i0)') line
    place = file//', line '//trim(digits)
  end function place_of

  ! Every rank says it, as the error may be on one of them only.
  subroutine abort_plainly(errorcode, msg)
    integer, intent(in) :: errorcode
    character(len=*), intent(in) :: msg
    call say('error', errorcode, msg)
    call end_all(errorcode)
  end subroutine abort_plainly

  subroutine abort_at(file, line, errorcode, msg)
    character(len=*), intent(in) :: file, msg
    integer, intent(in) :: line, errorcode
    call say('error', errorcode, msg, place_of(file, line))
    call end_all(errorcode)
  end subroutine abort_at

  ! A status of 0 would look like success.
  subroutine end_all(errorcode)
    integer, intent(in) :: errorcode
    integer :: comm, ierror
    comm = decomp_2d_comm
    if (comm == MPI_COMM_NULL) comm = MPI_COMM_WORLD
    call MPI_Abort(comm, merge(errorcode, 1, errorcode /= 0), ierror)
  end subroutine end_all

  subroutine warn_plainly(errorcode, msg)
    integer, intent(in) :: errorcode
    character(len=*), intent(in) :: msg
    if (nrank <= 0) call say('warning', errorcode, msg)
  end subroutine warn_plainly

  subroutine warn_at(file, line, errorcode, msg)
    character(len=*), intent(in) :: file, msg
    integer, intent(in) :: line, errorcode
    if (nrank <= 0) call say('warning', errorcode, msg, place_of(file, line))
  end subroutine warn_at

end module decomp_2d_mpi
