! held: what this process holds, for tests that look whether anything is left: communicators, descriptors and bytes.
module held
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: what_is_held, nothing_more

  !> `next` is the number that Open MPI gives the next communicator; 0 with other MPIs.
  type, public :: holding
    integer :: next = 0, descriptors = 0
    integer(c_long_long) :: bytes = 0
  end type holding

  interface
    function held_next_communicator() bind(C) result(number)
      import :: c_int
      integer(c_int) :: number
    end function held_next_communicator
    function held_descriptors() bind(C) result(count)
      import :: c_int
      integer(c_int) :: count
    end function held_descriptors
    function held_bytes() bind(C) result(count)
      import :: c_long_long
      integer(c_long_long) :: count
    end function held_bytes
  end interface

contains

  function what_is_held() result(now)
    type(holding) :: now
    now%next = held_next_communicator()
    now%descriptors = held_descriptors()
    now%bytes = held_bytes()
  end function what_is_held

  !> Whether nothing is left since `before`, but for `slack` bytes that MPI itself keeps for messages.
  function nothing_more(before, slack) result(is_so)
    type(holding), intent(in) :: before
    integer(c_long_long), intent(in) :: slack
    logical :: is_so
    type(holding) :: now
    now = what_is_held()
    is_so = now%next == before%next .and. now%descriptors == before%descriptors .and. now%bytes - before%bytes <= slack
    if (.not. is_so) print *, 'before:', before%next, before%descriptors, before%bytes, 'now:', now%next, now%descriptors, now%bytes
  end function nothing_more

end module held
