! FDistribution: SWFFT's class Distribution for Fortran, over weft: a grid of points on the ranks of a communicator.
module FDistribution
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: newDistribution, cart3D, delDistribution

  type, public :: dist_type
    type(c_ptr) :: object = c_null_ptr
  end type dist_type

  interface
    function c_new(comm, n) bind(C, name='Distribution__new') result(object)
      import :: c_int, c_ptr
      integer(c_int), value :: comm
      integer(c_int), intent(in) :: n(3)
      type(c_ptr) :: object
    end function c_new
    subroutine c_delete(object) bind(C, name='Distribution__delete')
      import :: c_ptr
      type(c_ptr), value :: object
    end subroutine c_delete
    function c_cart_3d(object) bind(C, name='Distribution__cart_3d') result(comm)
      import :: c_int, c_ptr
      type(c_ptr), value :: object
      integer(c_int) :: comm
    end function c_cart_3d
  end interface

contains

  !> A grid of n(1) x n(2) x n(3) points, of which the last index is the fastest in memory. Points that do not divide among the ranks end
  !> the program. Collective.
  subroutine newDistribution(this, comm, n)
    type(dist_type), intent(out) :: this
    integer, intent(in) :: comm, n(3)
    this%object = c_new(comm, n)
  end subroutine newDistribution

  !> The communicator of real space, whose topology is its process grid. It is the distribution's: do not free it.
  function cart3D(this) result(comm)
    type(dist_type), intent(in) :: this
    integer :: comm
    comm = c_cart_3d(this%object)
  end function cart3D

  !> Comes after delDfft of all that were made with it. Collective.
  subroutine delDistribution(this)
    type(dist_type), intent(inout) :: this
    if (c_associated(this%object)) call c_delete(this%object)
    this%object = c_null_ptr
  end subroutine delDistribution

end module FDistribution
