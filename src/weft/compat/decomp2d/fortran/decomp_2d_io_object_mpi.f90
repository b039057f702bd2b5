! decomp_2d_io_object_mpi: refuses to open the files of 2DECOMP&FFT.
module decomp_2d_io_object_mpi
  use mpi, only: MPI_OFFSET_KIND
  use decomp_2d_mpi, only: decomp_2d_abort
  implicit none
  private
  public :: d2d_io_mpi

  integer, parameter, public :: decomp_2d_write_mode = 1, decomp_2d_read_mode = 2, decomp_2d_append_mode = 3

  !> A file, which cannot be opened.
  type :: d2d_io_mpi
    integer(MPI_OFFSET_KIND) :: disp = 0
  contains
    procedure :: open => open_file
    procedure :: close => close_file
  end type d2d_io_mpi

contains

  subroutine open_file(io, name, mode)
    class(d2d_io_mpi), intent(inout) :: io
    character(len=*), intent(in) :: name
    integer, intent(in) :: mode
    io%disp = 0
    call decomp_2d_abort(5, 'files of 2DECOMP&FFT are not there: weft opens no '//merge('file to read ', 'file to write', &
        mode == decomp_2d_read_mode)//' ('//name//'). Try MPI-IO with the bounds in xstart, xend and so on')
  end subroutine open_file

  subroutine close_file(io)
    class(d2d_io_mpi), intent(inout) :: io
    io%disp = 0
  end subroutine close_file

end module decomp_2d_io_object_mpi
