! weft_pencils: which part of a grid each rank has in X, Y and Z pencils, and the plans of weft that are kept for such grids.
! Keeps: the first ranks of an axis have the smaller parts. Grids of the same sizes have the same plans, which are freed together.
module weft_pencils
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use decomp_2d_mpi, only: decomp_2d_abort, decomp_2d_comm, mytype_bytes
  use weft_c
  use weft_errors, only: tell
  use weft_problems
  implicit none
  private
  public :: decomp_info, decomp_info_init, decomp_info_finalize, partition, extents_of, first_of, last_of, size_of
  public :: boxes_of, kept_move, kept_halo, free_kept, create_plan, free_plan, run_plan, run_move, run_halo, require_fit
  public :: in_pencil, text_of

  !> How weft plans: nothing is tried out, as programs of 2DECOMP&FFT make many plans.
  character(len=*), parameter :: settings = 'effort=estimate'

  !> What a rank has of a grid in each kind of pencils, by global indices from 1.
  type :: decomp_info
    integer :: xst(3) = 1, xen(3) = 0, xsz(3) = 0
    integer :: yst(3) = 1, yen(3) = 0, ysz(3) = 0
    integer :: zst(3) = 1, zen(3) = 0, zsz(3) = 0
    integer, allocatable :: x1dist(:), y1dist(:), y2dist(:), z2dist(:)  !< points of each part of the process grid
    logical :: even = .false.                                           !< whether all parts are equal
    integer :: xlevel(3) = 0, ylevel(3) = 0, zlevel(3) = 0              !< ghost points that alloc_x, _y and _z add
  end type decomp_info

  !> The process grid, the place of this rank in it, and the axes that are periodic.
  integer, save, public :: dims(2) = 0, coord(2) = 0
  logical, save, public :: periodic(3) = .false.

  !> A way between pencils, or ghost points around some, for grids of these sizes and elements of so many bytes.
  type :: kept_plan
    integer :: extents(3) = 0, pencils(2) = 0, bytes = 0, levels(3) = 0
    type(c_ptr) :: handle = c_null_ptr
  end type kept_plan
  type(kept_plan), allocatable, save :: moves(:), halos(:)

contains

  ! ---- pencils ----

  ! The first and the last index of part `i`, from 0, of `parts` of 1..n.
  pure subroutine cut(n, parts, i, first, last)
    integer, intent(in) :: n, parts, i
    integer, intent(out) :: first, last
    integer :: large
    large = n - n/parts*parts  ! parts that have one point more: the last ones
    first = 1 + i*(n/parts) + max(0, i - (parts - large))
    last = first + n/parts - 1 + merge(1, 0, i >= parts - large)
  end subroutine cut

  !> This rank's part of a grid. pdim says for each axis whether it is whole (1), divided among rows (2) or among columns (3).
  subroutine partition(nx, ny, nz, pdim, lstart, lend, lsize)
    integer, intent(in) :: nx, ny, nz, pdim(3)
    integer, intent(out) :: lstart(3), lend(3), lsize(3)
    integer :: a, n(3)
    n = [nx, ny, nz]
    do a = 1, 3
      if (pdim(a) == 1) then
        lstart(a) = 1
        lend(a) = n(a)
      else
        call cut(n(a), dims(pdim(a) - 1), coord(pdim(a) - 1), lstart(a), lend(a))
      end if
    end do
    lsize = lend - lstart + 1
  end subroutine partition

  !> Divides a grid of these sizes. Not collective.
  subroutine decomp_info_init(nx, ny, nz, decomp)
    integer, intent(in) :: nx, ny, nz
    type(decomp_info), intent(inout) :: decomp
    if (dims(1) == 0) call decomp_2d_abort(1, 'decomp_info_init comes after decomp_2d_init')
    if (min(nx, ny, nz) < 1) call decomp_2d_abort(1, 'there is no grid of '//text_of([nx, ny, nz])//' points')
    call partition(nx, ny, nz, [1, 2, 3], decomp%xst, decomp%xen, decomp%xsz)
    call partition(nx, ny, nz, [2, 1, 3], decomp%yst, decomp%yen, decomp%ysz)
    call partition(nx, ny, nz, [2, 3, 1], decomp%zst, decomp%zen, decomp%zsz)
    decomp%x1dist = parts_of(nx, 1)
    decomp%y1dist = parts_of(ny, 1)
    decomp%y2dist = parts_of(ny, 2)
    decomp%z2dist = parts_of(nz, 2)
    decomp%even = mod(nx, dims(1)) == 0 .and. mod(ny, dims(1)) == 0 .and. mod(ny, dims(2)) == 0 .and. mod(nz, dims(2)) == 0
  end subroutine decomp_info_init

  subroutine decomp_info_finalize(decomp)
    type(decomp_info), intent(inout) :: decomp
    decomp = decomp_info()
  end subroutine decomp_info_finalize

  function parts_of(n, along) result(points)
    integer, intent(in) :: n, along
    integer, allocatable :: points(:)
    integer :: i, first, last
    allocate (points(0:dims(along) - 1))
    do i = 0, dims(along) - 1
      call cut(n, dims(along), i, first, last)
      points(i) = last - first + 1
    end do
  end function parts_of

  pure function extents_of(decomp) result(n)
    type(decomp_info), intent(in) :: decomp
    integer :: n(3)
    n = [decomp%xsz(1), decomp%ysz(2), decomp%zsz(3)]
  end function extents_of

  ! The box of this rank in the pencils of number 1, 2 or 3.
  pure function first_of(decomp, pencil) result(at)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in) :: pencil
    integer :: at(3)
    at = in_pencil(pencil, decomp%xst, decomp%yst, decomp%zst)
  end function first_of

  pure function last_of(decomp, pencil) result(at)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in) :: pencil
    integer :: at(3)
    at = in_pencil(pencil, decomp%xen, decomp%yen, decomp%zen)
  end function last_of

  pure function size_of(decomp, pencil) result(points)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in) :: pencil
    integer :: points(3)
    points = in_pencil(pencil, decomp%xsz, decomp%ysz, decomp%zsz)
  end function size_of

  pure function in_pencil(pencil, x, y, z) result(chosen)
    integer, intent(in) :: pencil, x(3), y(3), z(3)
    integer :: chosen(3)
    chosen = z
    if (pencil == 1) chosen = x
    if (pencil == 2) chosen = y
  end function in_pencil

  function text_of(numbers) result(text)
    integer, intent(in) :: numbers(:)
    character(len=:), allocatable :: text
    character(len=12) :: digits
    integer :: i
    text = ''
    do i = 1, size(numbers)
      write (digits, '(i0)') numbers(i)
      if (i > 1) text = text//'x'
      text = text//trim(digits)
    end do
  end function text_of

  ! Ends the program unless an array of this shape has the points of a pencil, in their order.
  subroutine require_fit(found, wanted, what)
    integer, intent(in) :: found(3), wanted(3)
    character(len=*), intent(in) :: what
    if (all(found == wanted)) return
    if (product(int(found, int64)) == product(int(wanted, int64))) return
    if (all(found(1:2) == wanted(1:2)) .and. found(3) > wanted(3)) return
    call decomp_2d_abort(2, what//' has '//text_of(found)//' points, but this rank has '//text_of(wanted)// &
        ' of the grid in these pencils: is another decomp_info meant?')
  end subroutine require_fit

  ! ---- weft's plans ----

  !> What a rank has in these pencils, as weft takes it.
  function boxes_of(decomp, pencil) result(boxes)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in) :: pencil
    type(weft_distribution) :: boxes
    integer :: count
    count = merge(1, 0, all(size_of(decomp, pencil) > 0))
    boxes%form = weft_boxes
    allocate (boxes%lower(3, count), boxes%upper(3, count))
    if (count == 0) return
    boxes%lower(:, 1) = first_of(decomp, pencil)
    boxes%upper(:, 1) = last_of(decomp, pencil)
  end function boxes_of

  !> Plans a transform. Collective.
  subroutine create_plan(problem, handle)
    type(weft_problem), intent(in) :: problem
    type(c_ptr), intent(out) :: handle
    type(problem_of_c), target :: of_c
    call convert(problem, of_c)
    call tell(int(c_plan_create(int(decomp_2d_comm, c_int), of_c%c, own_arrays(settings), handle)))
  end subroutine create_plan

  subroutine free_plan(handle)
    type(c_ptr), intent(inout) :: handle
    if (c_associated(handle)) call tell(int(c_plan_free(handle)))
    handle = c_null_ptr
  end subroutine free_plan

  subroutine run_plan(handle, direction, from, to)
    type(c_ptr), intent(in) :: handle
    integer(c_int), intent(in) :: direction
    type(c_array), intent(in) :: from, to
    call tell(int(c_run(handle, direction, from, to, 1._c_double)))
  end subroutine run_plan

  subroutine run_move(handle, direction, from, to)
    type(c_ptr), intent(in) :: handle
    integer(c_int), intent(in) :: direction
    type(c_array), intent(in) :: from, to
    call tell(int(c_reshape_run(handle, direction, from, to)))
  end subroutine run_move

  subroutine run_halo(handle, array)
    type(c_ptr), intent(in) :: handle
    type(c_array), intent(in) :: array
    call tell(int(c_halo_run(handle, array)))
  end subroutine run_halo

  !> The way from pencils(1) to pencils(2), made where there is none yet: then collective.
  function kept_move(decomp, pencils, bytes) result(handle)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in) :: pencils(2), bytes
    type(c_ptr) :: handle
    type(c_grid) :: grid
    type(distribution_of_c), target :: from, to
    character(len=:), allocatable :: why
    type(kept_plan) :: wanted
    wanted = kept_plan(extents_of(decomp), pencils, bytes)
    if (found(moves, wanted, handle)) return
    call convert(weft_grid(int(wanted%extents, int64), element_bytes=bytes, alignment=mytype_bytes), grid, why)
    call convert(boxes_of(decomp, pencils(1)), 3, from, why)
    call convert(boxes_of(decomp, pencils(2)), 3, to, why)
    call tell(int(c_reshape_create(int(decomp_2d_comm, c_int), grid, from%c, to%c, own_arrays(settings), wanted%handle)))
    moves = [moves, wanted]
    handle = wanted%handle
  end function kept_move

  !> What fills ghost points, so many on both sides along each axis, around pencils: made where there is none yet.
  function kept_halo(decomp, pencil, levels, bytes) result(handle)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in) :: pencil, levels(3), bytes
    type(c_ptr) :: handle
    type(c_grid) :: grid
    type(weft_distribution) :: boxes
    type(distribution_of_c), target :: around
    character(len=:), allocatable :: why
    type(kept_plan) :: wanted
    wanted = kept_plan(extents_of(decomp), [pencil, 0], bytes, levels)
    if (found(halos, wanted, handle)) return
    boxes = boxes_of(decomp, pencil)
    boxes%ghosts_before = levels
    boxes%ghosts_after = levels
    call convert(weft_grid(int(wanted%extents, int64), element_bytes=bytes, alignment=mytype_bytes, bounded=.not. periodic), &
        grid, why)
    call convert(boxes, 3, around, why)
    call tell(int(c_halo_create(int(decomp_2d_comm, c_int), grid, around%c, own_arrays(settings), wanted%handle)))
    halos = [halos, wanted]
    handle = wanted%handle
  end function kept_halo

  function found(kept, wanted, handle)
    type(kept_plan), allocatable, intent(inout) :: kept(:)
    type(kept_plan), intent(in) :: wanted
    type(c_ptr), intent(out) :: handle
    logical :: found
    integer :: i
    if (.not. allocated(kept)) allocate (kept(0))
    do i = 1, size(kept)
      handle = kept(i)%handle
      found = all(kept(i)%extents == wanted%extents) .and. all(kept(i)%pencils == wanted%pencils) .and. &
          all(kept(i)%levels == wanted%levels) .and. kept(i)%bytes == wanted%bytes
      if (found) return
    end do
    found = .false.
    handle = c_null_ptr
  end function found

  !> Frees all that is kept. Collective.
  subroutine free_kept()
    integer :: i
    if (allocated(moves)) then
      do i = 1, size(moves)
        call tell(int(c_reshape_free(moves(i)%handle)))
      end do
      deallocate (moves)
    end if
    if (allocated(halos)) then
      do i = 1, size(halos)
        call tell(int(c_halo_free(halos(i)%handle)))
      end do
      deallocate (halos)
    end if
  end subroutine free_kept

end module weft_pencils
