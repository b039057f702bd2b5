! FDfft: SWFFT's class Dfft for Fortran, over weft: transforms of complex numbers of double precision from cubes in real space to
! z pencils in k space, and back. Nothing is scaled.
! Keeps: arrays are told by their C pointers, and the last index of the grid is the fastest in memory.
module FDfft
  use, intrinsic :: iso_c_binding
  use FDistribution, only: dist_type
  implicit none
  private
  public :: newDfft, makePlans, forward, backward, delDfft, globalSize, localSize, nglobal
  public :: selfRspace, nprocRspace, nlocalRspace, selfKspace, nprocKspace, nlocalKspace
  public :: parentComm, cartCommRspace, cartCommKspace

  type, public :: dfft_type
    private
    type(c_ptr) :: object = c_null_ptr
  end type dfft_type

  interface
    function c_new(distribution) bind(C, name='Dfft__new') result(object)
      import :: c_ptr
      type(c_ptr), value :: distribution
      type(c_ptr) :: object
    end function c_new
    subroutine c_delete(object) bind(C, name='Dfft__delete')
      import :: c_ptr
      type(c_ptr), value :: object
    end subroutine c_delete
    subroutine c_make_plans(object, fo, fs, bi, bs, flags) bind(C, name='Dfft__makePlans')
      import :: c_int, c_ptr
      type(c_ptr), value :: object, fo, fs, bi, bs
      integer(c_int), value :: flags
    end subroutine c_make_plans
    subroutine c_forward(object, in) bind(C, name='Dfft__forward')
      import :: c_ptr
      type(c_ptr), value :: object, in
    end subroutine c_forward
    subroutine c_backward(object, out) bind(C, name='Dfft__backward')
      import :: c_ptr
      type(c_ptr), value :: object, out
    end subroutine c_backward
    function c_global_size(object) bind(C, name='Dfft__global_size') result(points)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: object
      integer(c_size_t) :: points
    end function c_global_size
    function c_local_size(object) bind(C, name='Dfft__local_size') result(points)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: object
      integer(c_size_t) :: points
    end function c_local_size
    function c_parent_comm(object) bind(C, name='Dfft__parent_comm') result(comm)
      import :: c_int, c_ptr
      type(c_ptr), value :: object
      integer(c_int) :: comm
    end function c_parent_comm
    function c_cartcomm_rspace(object) bind(C, name='Dfft__cartcomm_rspace') result(comm)
      import :: c_int, c_ptr
      type(c_ptr), value :: object
      integer(c_int) :: comm
    end function c_cartcomm_rspace
    function c_cartcomm_kspace(object) bind(C, name='Dfft__cartcomm_kspace') result(comm)
      import :: c_int, c_ptr
      type(c_ptr), value :: object
      integer(c_int) :: comm
    end function c_cartcomm_kspace
    subroutine c_global_ng(object, n) bind(C, name='Dfft__global_ng')
      import :: c_int, c_ptr
      type(c_ptr), value :: object
      integer(c_int), intent(out) :: n(3)
    end subroutine c_global_ng
    subroutine c_self_rspace(object, n) bind(C, name='Dfft__self_rspace')
      import :: c_int, c_ptr
      type(c_ptr), value :: object
      integer(c_int), intent(out) :: n(3)
    end subroutine c_self_rspace
    subroutine c_nproc_rspace(object, n) bind(C, name='Dfft__nproc_rspace')
      import :: c_int, c_ptr
      type(c_ptr), value :: object
      integer(c_int), intent(out) :: n(3)
    end subroutine c_nproc_rspace
    subroutine c_local_ng_rspace(object, n) bind(C, name='Dfft__local_ng_rspace')
      import :: c_int, c_ptr
      type(c_ptr), value :: object
      integer(c_int), intent(out) :: n(3)
    end subroutine c_local_ng_rspace
    subroutine c_self_kspace(object, n) bind(C, name='Dfft__self_kspace')
      import :: c_int, c_ptr
      type(c_ptr), value :: object
      integer(c_int), intent(out) :: n(3)
    end subroutine c_self_kspace
    subroutine c_nproc_kspace(object, n) bind(C, name='Dfft__nproc_kspace')
      import :: c_int, c_ptr
      type(c_ptr), value :: object
      integer(c_int), intent(out) :: n(3)
    end subroutine c_nproc_kspace
    subroutine c_local_ng_kspace(object, n) bind(C, name='Dfft__local_ng_kspace')
      import :: c_int, c_ptr
      type(c_ptr), value :: object
      integer(c_int), intent(out) :: n(3)
    end subroutine c_local_ng_kspace
  end interface

contains

  subroutine newDfft(this, distribution)
    type(dfft_type), intent(out) :: this
    type(dist_type), intent(in) :: distribution
    this%object = c_new(distribution%object)
  end subroutine newDfft

  !> Binds arrays of localSize numbers: forward writes fo, backward reads bi, and fs and bs are used, too. The flag changes nothing.
  !> Collective.
  subroutine makePlans(this, fo, fs, bi, bs, flag)
    type(dfft_type), intent(in) :: this
    type(c_ptr), intent(in) :: fo, fs, bi, bs
    integer, intent(in), optional :: flag
    integer(c_int) :: flags
    flags = 0
    if (present(flag)) flags = flag
    call c_make_plans(this%object, fo, fs, bi, bs, flags)
  end subroutine makePlans

  !> Transforms an array, which may be fo. Collective.
  subroutine forward(this, in)
    type(dfft_type), intent(in) :: this
    type(c_ptr), intent(in) :: in
    call c_forward(this%object, in)
  end subroutine forward

  !> Transforms bi into an array, which may be bi. Collective.
  subroutine backward(this, out)
    type(dfft_type), intent(in) :: this
    type(c_ptr), intent(in) :: out
    call c_backward(this%object, out)
  end subroutine backward

  !> Collective.
  subroutine delDfft(this)
    type(dfft_type), intent(inout) :: this
    if (c_associated(this%object)) call c_delete(this%object)
    this%object = c_null_ptr
  end subroutine delDfft

  !> Points of all ranks, and of this one.
  function globalSize(this) result(points)
    type(dfft_type), intent(in) :: this
    integer(c_size_t) :: points
    points = c_global_size(this%object)
  end function globalSize

  function localSize(this) result(points)
    type(dfft_type), intent(in) :: this
    integer(c_size_t) :: points
    points = c_local_size(this%object)
  end function localSize

  !> Points along each axis.
  subroutine nglobal(this, n)
    type(dfft_type), intent(in) :: this
    integer, intent(out) :: n(3)
    call c_global_ng(this%object, n)
  end subroutine nglobal

  !> This rank's place in the process grid of real space, from 0, the ranks of the grid, and the points of each rank.
  subroutine selfRspace(this, n)
    type(dfft_type), intent(in) :: this
    integer, intent(out) :: n(3)
    call c_self_rspace(this%object, n)
  end subroutine selfRspace

  subroutine nprocRspace(this, n)
    type(dfft_type), intent(in) :: this
    integer, intent(out) :: n(3)
    call c_nproc_rspace(this%object, n)
  end subroutine nprocRspace

  subroutine nlocalRspace(this, n)
    type(dfft_type), intent(in) :: this
    integer, intent(out) :: n(3)
    call c_local_ng_rspace(this%object, n)
  end subroutine nlocalRspace

  !> The same of k space.
  subroutine selfKspace(this, n)
    type(dfft_type), intent(in) :: this
    integer, intent(out) :: n(3)
    call c_self_kspace(this%object, n)
  end subroutine selfKspace

  subroutine nprocKspace(this, n)
    type(dfft_type), intent(in) :: this
    integer, intent(out) :: n(3)
    call c_nproc_kspace(this%object, n)
  end subroutine nprocKspace

  subroutine nlocalKspace(this, n)
    type(dfft_type), intent(in) :: this
    integer, intent(out) :: n(3)
    call c_local_ng_kspace(this%object, n)
  end subroutine nlocalKspace

  !> The communicator that the distribution was made with, and those of the process grids. They are not to be freed.
  function parentComm(this) result(comm)
    type(dfft_type), intent(in) :: this
    integer :: comm
    comm = c_parent_comm(this%object)
  end function parentComm

  function cartCommRspace(this) result(comm)
    type(dfft_type), intent(in) :: this
    integer :: comm
    comm = c_cartcomm_rspace(this%object)
  end function cartCommRspace

  function cartCommKspace(this) result(comm)
    type(dfft_type), intent(in) :: this
    integer :: comm
    comm = c_cartcomm_kspace(this%object)
  end function cartCommKspace

end module FDfft
