! weft_errors: what a call of weft's comes to: `stat` and `errmsg`, as statements of Fortran have them.
! Keeps: without `stat`, an error ends the program with its whole text.
module weft_errors
  use, intrinsic :: iso_c_binding
  use weft_c, only: c_last_error, c_refuse, c_status_name, c_strlen, c_version
  implicit none
  private
  public :: weft_last_error, weft_status_name, weft_version, text_at, tell, refuse

  !> Statuses, as `stat` has them: all is well; the input is wrong; ranks disagree; this build or machine cannot do it; a file could
  !> not be read or written; MPI, memory or an FFT library failed; weft itself is wrong; a procedure of the application's failed.
  integer, parameter, public :: weft_ok = 0, weft_invalid = 1, weft_mismatch = 2, weft_unsupported = 3, weft_io = 4, &
      weft_system = 5, weft_bug = 6, weft_callback_failed = 7

contains

  !> The whole text of the last failure on this thread: what happened, what weft was doing, and what to try.
  function weft_last_error() result(text)
    character(len=:), allocatable :: text
    text = text_at(c_last_error())
  end function weft_last_error

  !> 'invalid', 'mismatch' and so on; 'unknown' for other numbers.
  function weft_status_name(status) result(text)
    integer, intent(in) :: status
    character(len=:), allocatable :: text
    text = text_at(c_status_name(int(status, c_int)))
  end function weft_status_name

  !> The version of the library, such as '0.1.0'.
  function weft_version() result(text)
    character(len=:), allocatable :: text
    text = text_at(c_version())
  end function weft_version

  ! A text of C.
  function text_at(address) result(text)
    type(c_ptr), intent(in) :: address
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(address, letters, [c_strlen(address)])
    allocate (character(len=size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function text_at

  ! Tells `status`. `own` is an error of this module's, which C does not know.
  subroutine tell(status, stat, errmsg, own)
    integer, intent(in) :: status
    integer, intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=*), intent(in), optional :: own
    character(len=:), allocatable :: text
    if (present(stat)) stat = status
    if (status == weft_ok) return
    if (present(own)) then
      text = 'weft: '//own
    else
      text = weft_last_error()
    end if
    if (present(errmsg)) errmsg = text
    if (.not. present(stat)) error stop text
  end subroutine tell

  ! Has all ranks refuse what is created next, with this text: for what cannot be put into the structures of C.
  subroutine refuse(why)
    character(len=*), intent(in) :: why
    integer :: status
    status = c_refuse(why//c_null_char)
  end subroutine refuse

end module weft_errors
