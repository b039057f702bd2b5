! weft_choices: what there is to choose from. Nothing of it is collective, or needs MPI.
module weft_choices
  use, intrinsic :: iso_c_binding
  use weft_c, only: c_engines, c_entry, c_exchanges, c_settings
  use weft_errors, only: text_at, weft_ok
  implicit none
  private
  public :: weft_entry, weft_engines, weft_exchanges, weft_settings

  !> An entry of a list of weft's.
  type :: weft_entry
    character(len=:), allocatable :: name, summary
    character(len=:), allocatable :: note  !< see the functions; not allocated: none
  end type weft_entry

contains

  !> The FFT libraries that the setting `engine` names, in order of preference. Note: why this build or processor does not have it.
  function weft_engines() result(list)
    type(weft_entry), allocatable :: list(:)
    integer(c_int) :: count
    type(c_ptr) :: entries
    if (c_engines(count, entries) /= weft_ok) count = 0
    call read_entries(count, entries, list)
  end function weft_engines

  !> The ways to move data that the setting `exchange` names, the preferred first.
  function weft_exchanges() result(list)
    type(weft_entry), allocatable :: list(:)
    integer(c_int) :: count
    type(c_ptr) :: entries
    if (c_exchanges(count, entries) /= weft_ok) count = 0
    call read_entries(count, entries, list)
  end function weft_exchanges

  !> All settings: first those that say problems, then those that say how to plan. Note: what to write for the value, as 'AxB'.
  function weft_settings() result(list)
    type(weft_entry), allocatable :: list(:)
    integer(c_int) :: count
    type(c_ptr) :: entries
    if (c_settings(count, entries) /= weft_ok) count = 0
    call read_entries(count, entries, list)
  end function weft_settings

  subroutine read_entries(count, entries, list)
    integer(c_int), intent(in) :: count
    type(c_ptr), intent(in) :: entries
    type(weft_entry), allocatable, intent(out) :: list(:)
    type(c_entry), pointer :: of_c(:)
    integer :: i
    allocate (list(count))
    if (count == 0) return
    call c_f_pointer(entries, of_c, [count])
    do i = 1, count
      list(i)%name = text_at(of_c(i)%name)
      list(i)%summary = text_at(of_c(i)%summary)
      if (c_associated(of_c(i)%note)) list(i)%note = text_at(of_c(i)%note)
    end do
  end subroutine read_entries

end module weft_choices
