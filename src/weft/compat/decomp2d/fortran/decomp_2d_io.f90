! decomp_2d_io: refuses 2DECOMP&FFT's input and output of arrays, which weft has not, where it is called. Programs that can do without
! compile, begin and end.
module decomp_2d_io
  use decomp_2d, only: decomp_info
  use decomp_2d_io_object_mpi
  use decomp_2d_mpi, only: decomp_2d_abort
  implicit none
  private
  public :: decomp_2d_io_init, decomp_2d_io_fin, decomp_2d_io_finalise
  public :: decomp_2d_write_one, decomp_2d_read_one, decomp_2d_write_var, decomp_2d_read_var, decomp_2d_write_scalar, &
      decomp_2d_read_scalar, decomp_2d_write_plane, decomp_2d_write_every
  public :: d2d_io_mpi, decomp_2d_write_mode, decomp_2d_read_mode, decomp_2d_append_mode

contains

  subroutine decomp_2d_io_init()
  end subroutine decomp_2d_io_init

  subroutine decomp_2d_io_fin()
  end subroutine decomp_2d_io_fin

  subroutine decomp_2d_io_finalise()
  end subroutine decomp_2d_io_finalise

  subroutine decomp_2d_write_one(ipencil, var, varname, opt_dirname, opt_reduce_prec, opt_decomp)
    integer, intent(in) :: ipencil
    type(*), intent(in) :: var(..)
    character(len=*), intent(in) :: varname
    character(len=*), intent(in), optional :: opt_dirname
    logical, intent(in), optional :: opt_reduce_prec
    type(decomp_info), intent(in), optional :: opt_decomp
    call refuse('decomp_2d_write_one', varname)
  end subroutine decomp_2d_write_one

  subroutine decomp_2d_read_one(ipencil, var, varname, opt_dirname, opt_reduce_prec, opt_decomp)
    integer, intent(in) :: ipencil
    type(*), intent(inout) :: var(..)
    character(len=*), intent(in) :: varname
    character(len=*), intent(in), optional :: opt_dirname
    logical, intent(in), optional :: opt_reduce_prec
    type(decomp_info), intent(in), optional :: opt_decomp
    call refuse('decomp_2d_read_one', varname)
  end subroutine decomp_2d_read_one

  subroutine decomp_2d_write_plane(ipencil, var, varname, opt_iplane, opt_nplanes, opt_dirname, opt_decomp)
    integer, intent(in) :: ipencil
    type(*), intent(in) :: var(..)
    character(len=*), intent(in) :: varname
    integer, intent(in), optional :: opt_iplane, opt_nplanes
    character(len=*), intent(in), optional :: opt_dirname
    type(decomp_info), intent(in), optional :: opt_decomp
    call refuse('decomp_2d_write_plane', varname)
  end subroutine decomp_2d_write_plane

  subroutine decomp_2d_write_every(ipencil, var, iskip, jskip, kskip, varname, opt_dirname, opt_decomp)
    integer, intent(in) :: ipencil, iskip, jskip, kskip
    type(*), intent(in) :: var(..)
    character(len=*), intent(in) :: varname
    character(len=*), intent(in), optional :: opt_dirname
    type(decomp_info), intent(in), optional :: opt_decomp
    call refuse('decomp_2d_write_every', varname)
  end subroutine decomp_2d_write_every

  subroutine decomp_2d_write_var(io, ipencil, var, opt_reduce_prec, opt_decomp)
    type(d2d_io_mpi), intent(inout) :: io
    integer, intent(in) :: ipencil
    type(*), intent(in) :: var(..)
    logical, intent(in), optional :: opt_reduce_prec
    type(decomp_info), intent(in), optional :: opt_decomp
    call refuse('decomp_2d_write_var')
  end subroutine decomp_2d_write_var

  subroutine decomp_2d_read_var(io, ipencil, var, opt_reduce_prec, opt_decomp)
    type(d2d_io_mpi), intent(inout) :: io
    integer, intent(in) :: ipencil
    type(*), intent(inout) :: var(..)
    logical, intent(in), optional :: opt_reduce_prec
    type(decomp_info), intent(in), optional :: opt_decomp
    call refuse('decomp_2d_read_var')
  end subroutine decomp_2d_read_var

  subroutine decomp_2d_write_scalar(io, n, var)
    type(d2d_io_mpi), intent(inout) :: io
    integer, intent(in) :: n
    type(*), intent(in) :: var(..)
    call refuse('decomp_2d_write_scalar')
  end subroutine decomp_2d_write_scalar

  subroutine decomp_2d_read_scalar(io, n, var)
    type(d2d_io_mpi), intent(inout) :: io
    integer, intent(in) :: n
    type(*), intent(inout) :: var(..)
    call refuse('decomp_2d_read_scalar')
  end subroutine decomp_2d_read_scalar

  subroutine refuse(what, name)
    character(len=*), intent(in) :: what
    character(len=*), intent(in), optional :: name
    character(len=:), allocatable :: text
    text = what//' is not there: weft reads and writes no arrays of programs'
    if (present(name)) text = text//' ('//name//')'
    call decomp_2d_abort(5, text//'. Try MPI-IO with the bounds in xstart, xend and so on')
  end subroutine refuse

end module decomp_2d_io
