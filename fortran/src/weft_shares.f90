! weft_shares: what a rank has of a side, by global indices from 1, and the arrays that take it.
module weft_shares
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use weft_c
  use weft_handles, only: handle_cell, side_layout
  use weft_problems, only: weft_distribution, weft_parts
  implicit none
  private
  public :: given, layout_of, box_of, array_of, parts_of, waves_of, narrow

contains

  ! An array of the application's, as C takes it for a side, or why it does not. Where `is_complex` is not given, elements are moved
  ! only, and C's may consist of several of these.
  function given(at, side, data, elements, is_contiguous, bits, is_complex) result(array)
    type(handle_cell), pointer, intent(in) :: at
    integer, intent(in) :: side
    type(c_ptr), intent(in) :: data
    integer(c_int64_t), intent(in) :: elements
    logical, intent(in) :: is_contiguous
    integer, intent(in) :: bits
    logical, intent(in), optional :: is_complex
    type(c_array) :: array
    array%data = data
    array%elements = 0
    if (.not. c_associated(data)) return  ! an array that is not allocated, whose size is none
    array%elements = elements
    if (.not. is_contiguous) array%elements = not_contiguous
    if (.not. associated(at)) return
    associate (layout => at%sides(side))
      if (present(is_complex)) then
        if (bits/8 /= layout%bytes .or. (is_complex .neqv. layout%is_complex)) array%elements = another_type
      else if (is_contiguous .and. layout%bytes > 0) then
        array%elements = elements*(bits/8)/layout%bytes
      end if
    end associate
  end function given

  function layout_of(distribution, axes) result(layout)
    type(weft_distribution), intent(in) :: distribution
    integer, intent(in) :: axes
    type(side_layout) :: layout
    integer :: a
    allocate (layout%order(axes))
    do a = 1, axes
      layout%order(a) = a
    end do
    if (allocated(distribution%order)) layout%order(:) = int(distribution%order)
    allocate (layout%ghosts(axes), source=0_int64)
    if (allocated(distribution%ghosts_before)) layout%ghosts = distribution%ghosts_before
    layout%interleaves_batch = distribution%interleaves_batch
    layout%is_free = distribution%form /= weft_parts
  end function layout_of

  ! The box of this rank and, in `room`, the last index that its array has in memory. `why` tells that there is no such box.
  subroutine box_of(share, layout, lower, upper, room, why)
    type(c_share), intent(in) :: share
    type(side_layout), intent(in) :: layout
    integer(int64), allocatable, intent(out) :: lower(:), upper(:), room(:)
    character(len=:), allocatable, intent(inout) :: why
    type(c_part), pointer :: parts(:)
    integer(int64) :: step, after
    integer :: n, d, a
    n = share%axes
    allocate (lower(n), source=1_int64)
    allocate (upper(n), source=0_int64)
    room = upper
    if (c_associated(share%waves) .or. share%count > 1) why = 'this rank has several boxes, or waves, and no bounds of one array'
    if (share%count /= 1 .or. allocated(why)) return
    call c_f_pointer(share%parts, parts, [1])
    lower = parts(1)%box%lo(n:1:-1) + 1
    upper = parts(1)%box%hi(n:1:-1)
    room = upper
    if (share%elements == 0 .or. .not. layout%is_free) return
    do d = 1, n  ! rows along one axis are the steps of the next one, and those of the last one reach to the end of the field
      a = layout%order(d)
      step = parts(1)%strides(n - a + 1)
      if (d < n) then
        after = parts(1)%strides(n - layout%order(d + 1) + 1)
      else if (share%fields > 1 .and. .not. layout%interleaves_batch) then
        after = share%field_stride
      else
        after = share%elements
      end if
      if (step > 0) room(a) = lower(a) - layout%ghosts(a) + (after + step - 1)/step - 1
    end do
  end subroutine box_of

  ! The bounds of an array of this rank's with size(from) axes: the axes in memory, and after them the fields of a batch if there
  ! are several, or before them if they are interleaved; or all in a row.
  subroutine array_of(share, layout, from, to, why)
    type(c_share), intent(in) :: share
    type(side_layout), intent(in) :: layout
    integer(int64), intent(out) :: from(:), to(:)
    character(len=:), allocatable, intent(inout) :: why
    integer(int64), allocatable :: lower(:), upper(:), room(:)
    character(len=:), allocatable :: no_box
    integer :: axes, fields
    logical :: is_flat
    from = 1
    to = 0
    fields = merge(1, 0, share%fields > 1)
    axes = merge(1, int(share%axes), c_associated(share%waves))
    is_flat = c_associated(share%waves) .or. share%count > 1 .or. .not. layout%is_free
    if (size(from) == 1 .and. (axes + fields > 1 .or. is_flat)) then
      to = share%elements
    else if (size(from) /= axes + fields) then
      why = 'the array has another number of axes than this side of the plan'
    else if (c_associated(share%waves)) then
      to = [share%wave_count, share%fields]
    else
      call box_of(share, layout, lower, upper, room, no_box)
      if (share%elements > 0) lower = lower - layout%ghosts
      if (allocated(no_box) .or. .not. layout%is_free) then
        why = 'only an array of one axis takes several boxes, or parts, in a row'
      else if (layout%interleaves_batch .and. fields == 1) then
        from(2:) = lower(layout%order)
        to = [share%fields, room(layout%order)]
      else
        from(1:axes) = lower(layout%order)
        to(1:axes) = room(layout%order)
        if (fields == 1) to(axes + 1) = share%fields
      end if
    end if
  end subroutine array_of

  ! The boxes of this rank, and where they lie in its array.
  subroutine parts_of(share, lower, upper, first, strides)
    type(c_share), intent(in) :: share
    integer(int64), allocatable, intent(out) :: lower(:, :), upper(:, :), first(:), strides(:, :)
    type(c_part), pointer :: parts(:)
    integer :: n, b
    n = share%axes
    allocate (lower(n, share%count), upper(n, share%count), first(share%count), strides(n, share%count))
    if (share%count == 0) return
    call c_f_pointer(share%parts, parts, [share%count])
    do b = 1, size(parts)
      lower(:, b) = parts(b)%box%lo(n:1:-1) + 1
      upper(:, b) = parts(b)%box%hi(n:1:-1)
      first(b) = parts(b)%offset + 1
      strides(:, b) = parts(b)%strides(n:1:-1)
    end do
  end subroutine parts_of

  ! The waves of this rank, waves(axis, element).
  subroutine waves_of(share, waves)
    type(c_share), intent(in) :: share
    integer, allocatable, intent(out) :: waves(:, :)
    integer(c_int32_t), pointer :: of_c(:, :)
    allocate (waves(3, share%wave_count))
    if (share%wave_count == 0) return
    call c_f_pointer(share%waves, of_c, [3_c_int64_t, share%wave_count])
    waves = int(of_c(3:1:-1, :))
  end subroutine waves_of

  ! Indices as default integers, if they are such.
  subroutine narrow(wide, list, why)
    integer(int64), intent(in) :: wide(:)
    integer, allocatable, intent(out) :: list(:)
    character(len=:), allocatable, intent(inout) :: why
    if (any(abs(wide) > huge(list))) then
      why = 'an index is beyond the integers that are asked for: ask for integer(int64)'
      allocate (list(size(wide)), source=0)
    else
      list = int(wide)
    end if
  end subroutine narrow

end module weft_shares
