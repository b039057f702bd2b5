! weft_handles: the objects of C behind the types of this package.
! Keeps: objects that are assigned to each other are names of one object; when one of them has freed it, all of them know.
!
! There are no finalizers. Freeing is collective, and compilers finalize at different places: gfortran 12 finalizes a derived type
! that was copied with its components twice as often as it made it, and no results of functions. A plan that is freed too early on
! some scope's end would be worse than one that is freed by hand, as communicators and files are.
module weft_handles
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  private
  public :: handle_cell, handle_view, side_layout, give_cell, c_of, clear

  !> How the elements of a side lie in an array of this rank's, as far as C does not tell.
  type :: side_layout
    logical :: is_complex = .false., interleaves_batch = .false.
    logical :: is_free = .true.             !< false of parts, for which the application says all
    integer :: bytes = 0                    !< of an element
    integer, allocatable :: order(:)        !< of the axes, the contiguous one first
    integer(int64), allocatable :: ghosts(:)  !< before each box
  end type side_layout

  !> Where the name of an object points to. A cell lives as long as the program, so that no name can point to nothing.
  type :: handle_cell
    type(c_ptr) :: c = c_null_ptr
    type(handle_view), allocatable :: views(:)  !< of plans that belong to the object and end with it
    logical :: is_view = .false.                !< a plan that belongs to another object
    type(side_layout) :: sides(0:1)
  end type handle_cell

  type :: handle_view
    type(handle_cell), pointer :: at => null()
  end type handle_view

contains

  ! Gives a name a cell, unless it has one of its own.
  subroutine give_cell(at)
    type(handle_cell), pointer, intent(inout) :: at
    if (associated(at)) then
      if (at%is_view) nullify (at)
    end if
    if (.not. associated(at)) allocate (at)
  end subroutine give_cell

  ! The handle of C, null if there is none.
  function c_of(at) result(handle)
    type(handle_cell), pointer, intent(in) :: at
    type(c_ptr) :: handle
    handle = c_null_ptr
    if (associated(at)) handle = at%c
  end function c_of

  ! Forgets the object, which C has freed, and the plans that belonged to it.
  subroutine clear(at)
    type(handle_cell), pointer, intent(in) :: at
    integer :: i
    if (.not. associated(at)) return
    at%c = c_null_ptr
    if (.not. allocated(at%views)) return
    do i = 1, size(at%views)
      at%views(i)%at%c = c_null_ptr
    end do
    deallocate (at%views)
  end subroutine clear

end module weft_handles
