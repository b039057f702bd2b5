! weft_tickets: transforms and moves under way.
module weft_tickets
  use, intrinsic :: iso_c_binding
  use weft_c
  use weft_errors, only: tell, weft_ok
  use weft_handles, only: c_of, clear, give_cell, handle_cell
  implicit none
  private
  public :: weft_ticket, weft_callback, weft_progress, take_ticket

  abstract interface
    !> What to call when a transform has ended without an error. It may start other transforms and wait for them. `stat` is 0; with
    !> another number, the next wait for the ticket is told that the procedure has failed.
    subroutine weft_callback(data, stat)
      class(*), intent(inout) :: data
      integer, intent(inout) :: stat
    end subroutine weft_callback
  end interface

  !> A transform under way, or none, which has ended. A ticket that is used again waits for its last transform first.
  type :: weft_ticket
    private
    type(handle_cell), pointer :: at => null()
  contains
    procedure :: wait => wait_for
    procedure :: test => test_for
    procedure :: then => then_call
  end type weft_ticket

  type :: callback_box
    procedure(weft_callback), pointer, nopass :: callback => null()
    class(*), pointer :: data => null()
  end type callback_box

contains

  !> Returns when the transform has ended, with its error if there is one. The other ranks must take the transform further, too,
  !> in calls of weft's.
  subroutine wait_for(self, stat, errmsg)
    class(weft_ticket), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    handle = c_of(self%at)
    call clear(self%at)  ! first: a callback that waits for the ticket waits for nothing
    call tell(c_wait(handle), stat, errmsg)
  end subroutine wait_for

  !> Takes all transforms a step further, and tells whether this one has ended, as `wait` does. Not collective.
  subroutine test_for(self, has_ended, stat, errmsg)
    class(weft_ticket), intent(inout) :: self
    logical, intent(out) :: has_ended
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int) :: ended, status
    handle = c_of(self%at)
    call clear(self%at)
    status = c_test(handle, ended)
    if (c_associated(handle)) self%at%c = handle
    has_ended = ended /= 0
    call tell(status, stat, errmsg)
  end subroutine test_for

  !> Calls `callback` with `data`, which must live until then, when the transform has ended: in the call of weft's that notices it,
  !> or at once if it has ended already. Not collective.
  subroutine then_call(self, callback, data, stat, errmsg)
    class(weft_ticket), intent(in) :: self
    procedure(weft_callback) :: callback
    class(*), intent(inout), target :: data
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    type(callback_box), pointer :: box
    integer :: status
    allocate (box)
    box%callback => callback
    box%data => data
    status = c_then(c_of(self%at), c_funloc(call_back), c_loc(box))
    if (status /= weft_ok) deallocate (box)
    call tell(status, stat, errmsg)
  end subroutine then_call

  ! What C calls.
  function call_back(data) bind(C) result(failed)
    type(c_ptr), value :: data
    integer(c_int) :: failed
    type(callback_box), pointer :: box
    integer :: stat
    call c_f_pointer(data, box)
    stat = 0
    call box%callback(box%data, stat)
    deallocate (box)
    failed = int(stat, c_int)
  end function call_back

  !> Takes all started transforms further. Not collective.
  subroutine weft_progress(stat, errmsg)
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    call tell(c_progress(c_null_ptr), stat, errmsg)
  end subroutine weft_progress

  ! The place for the ticket of a transform that is started now.
  subroutine take_ticket(ticket, cell)
    type(weft_ticket), intent(inout) :: ticket
    type(handle_cell), pointer, intent(out) :: cell
    integer :: status
    if (c_associated(c_of(ticket%at))) then
      status = c_wait(ticket%at%c)  ! its error has had its chance
    end if
    call give_cell(ticket%at)
    cell => ticket%at
  end subroutine take_ticket

end module weft_tickets
