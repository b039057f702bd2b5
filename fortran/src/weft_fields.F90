! weft_fields: fields in memory that the other ranks of a node can work on, which saves them a copy.
module weft_fields
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use weft_c
  use weft_errors, only: tell, weft_invalid, weft_ok
  use weft_handles, only: c_of, clear, give_cell, handle_cell
  use weft_shares, only: array_of
  implicit none
  private
  public :: weft_field, field_cell, field_handle

  !> A zeroed field for a side of a plan: see plan%make and plan%view. It may outlive its plan. No function of it is collective but
  !> max_abs and max_abs_difference.
  type :: weft_field
    private
    type(handle_cell), pointer :: at => null()
  contains
    procedure, private :: point_1_rs, point_1_rd, point_1_cs, point_1_cd, point_2_rs, point_2_rd, point_2_cs, point_2_cd, &
        point_3_rs, point_3_rd, point_3_cs, point_3_cd, point_4_rs, point_4_rd, point_4_cs, point_4_cd
    !> call field%point(array [, stat, errmsg]): points `array`, of 1 to 4 axes, to the elements, with the bounds that plan%make
    !> gives an array. It must not be used after the field has been freed.
    generic :: point => point_1_rs, point_1_rd, point_1_cs, point_1_cd, point_2_rs, point_2_rd, point_2_cs, point_2_cd, &
        point_3_rs, point_3_rd, point_3_cs, point_3_cd, point_4_rs, point_4_rd, point_4_cs, point_4_cd
    procedure :: max_abs
    procedure :: max_abs_difference
    procedure :: differentiate_chebyshev
    procedure :: free => free_field
  end type weft_field

contains

  ! Where a field's handle is kept.
  function field_cell(field) result(cell)
    type(weft_field), intent(inout) :: field
    type(handle_cell), pointer :: cell
    call give_cell(field%at)
    cell => field%at
  end function field_cell

  function field_handle(field) result(handle)
    type(weft_field), intent(in) :: field
    type(c_ptr) :: handle
    handle = c_of(field%at)
  end function field_handle

  subroutine free_field(self, stat, errmsg)
    class(weft_field), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    handle = c_of(self%at)
    call clear(self%at)
    call tell(c_field_free(handle), stat, errmsg)
  end subroutine free_field

  ! The memory of the elements and the bounds of an array of size(from) axes there; null if these elements are not such.
  subroutine find_memory(self, is_complex, bits, from, to, memory, stat, errmsg)
    class(weft_field), intent(in) :: self
    logical, intent(in) :: is_complex
    integer, intent(in) :: bits
    integer(int64), intent(out) :: from(:), to(:)
    type(c_ptr), intent(out) :: memory
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_share) :: share
    character(len=:), allocatable :: why
    integer :: status
    memory = c_null_ptr
    from = 1
    to = 0
    share%size = c_sizeof(share)
    status = c_field_share(c_of(self%at), share)
    call tell(status, stat, errmsg)
    if (status /= weft_ok) return
    associate (layout => self%at%sides(0))
      if (bits/8 /= layout%bytes .or. (is_complex .neqv. layout%is_complex)) then
        why = 'the array has another type than the field'
      else
        call array_of(share, layout, from, to, why)
      end if
    end associate
    if (allocated(why)) then
      call tell(weft_invalid, stat, errmsg, why)
    else
      memory = c_field_data(c_of(self%at))
    end if
  end subroutine find_memory

#define ELEMENT real(real32)
#define IS_COMPLEX .false.
#define POINT_1 point_1_rs
#define POINT_2 point_2_rs
#define POINT_3 point_3_rs
#define POINT_4 point_4_rs
#include "weft_field_pointers.inc"
#define ELEMENT real(real64)
#define IS_COMPLEX .false.
#define POINT_1 point_1_rd
#define POINT_2 point_2_rd
#define POINT_3 point_3_rd
#define POINT_4 point_4_rd
#include "weft_field_pointers.inc"
#define ELEMENT complex(real32)
#define IS_COMPLEX .true.
#define POINT_1 point_1_cs
#define POINT_2 point_2_cs
#define POINT_3 point_3_cs
#define POINT_4 point_4_cs
#include "weft_field_pointers.inc"
#define ELEMENT complex(real64)
#define IS_COMPLEX .true.
#define POINT_1 point_1_cd
#define POINT_2 point_2_cd
#define POINT_3 point_3_cd
#define POINT_4 point_4_cd
#include "weft_field_pointers.inc"

  !> The largest absolute value of field `number` of the batch, counted from 1, over all ranks. Collective.
  subroutine max_abs(self, most, number, stat, errmsg)
    class(weft_field), intent(in) :: self
    real(real64), intent(out) :: most
    integer, intent(in), optional :: number  !< the first field unless given
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_max_abs(c_of(self%at), from_0(number), most), stat, errmsg)
  end subroutine max_abs

  !> The largest difference of two fields. Collective.
  subroutine max_abs_difference(self, other, most, number, stat, errmsg)
    class(weft_field), intent(in) :: self
    type(weft_field), intent(in) :: other
    real(real64), intent(out) :: most
    integer, intent(in), optional :: number
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_max_abs_difference(c_of(self%at), c_of(other%at), from_0(number), most), stat, errmsg)
  end subroutine max_abs_difference

  !> Replaces Chebyshev coefficients along `axis`, which must not be divided, by those of the derivative, on the interval from -1
  !> to 1.
  subroutine differentiate_chebyshev(self, axis, number, stat, errmsg)
    class(weft_field), intent(inout) :: self
    integer, intent(in) :: axis
    integer, intent(in), optional :: number
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_share) :: share
    integer :: status
    share%size = c_sizeof(share)
    status = c_field_share(c_of(self%at), share)
    if (status == weft_ok) status = c_differentiate_chebyshev(c_of(self%at), share%axes - int(axis, c_int), from_0(number))
    call tell(status, stat, errmsg)
  end subroutine differentiate_chebyshev

  pure function from_0(number) result(of_c)
    integer, intent(in), optional :: number
    integer(c_int64_t) :: of_c
    of_c = 0
    if (present(number)) of_c = number - 1
  end function from_0

end module weft_fields
