! weft_problems: what is computed and where it lies, and the same as C has it.
! Keeps: axes count from 1 and axis 1 is contiguous, as in Fortran; the last axis of C is the first one here.
module weft_problems
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use weft_c
  use weft_errors, only: refuse, tell
  implicit none
  private
  public :: weft_distribution, weft_cutoff, weft_problem, weft_grid, weft_rank_of_piece, weft_next_fast_length
  public :: distribution_of_c, problem_of_c, convert, own_arrays

  !> How a side is distributed: see weft_distribution.
  integer, parameter, public :: weft_free = 0, weft_same = 1, weft_slab = 2, weft_pencil = 3, weft_brick = 4, weft_boxes = 5, &
      weft_parts = 6
  !> What is computed along an axis: the sine and cosine transforms of scipy.fft; Chebyshev polynomials by their values at
  !> cos(pi (j-1)/(n-1)), or at cos(pi (2j-1)/2n).
  integer, parameter, public :: weft_fourier = 0, weft_dct1 = 1, weft_dct2 = 2, weft_dct3 = 3, weft_dct4 = 4, weft_dst1 = 5, &
      weft_dst2 = 6, weft_dst3 = 7, weft_dst4 = 8, weft_chebyshev = 9, weft_chebyshev_gauss = 10

  !> Where a side of a plan lies. Free: the planner chooses; as an output, where the last pass leaves it. Same, for an output:
  !> as the input. A slab divides the last axis, a pencil the last two, a brick all. Boxes and parts: each rank gives its own,
  !> several or none, and together they tile the grid. Lists have a number for each axis.
  type :: weft_distribution
    integer :: form = weft_free
    integer(int64), allocatable :: grid(:)   !< pencil, brick: parts along each axis; 1 where the form divides none
    integer(int64), allocatable :: order(:)  !< of the axes in memory, the contiguous one first; not allocated: 1, 2, ..., n
    !> Points beside each box that plans neither read nor write.
    integer(int64), allocatable :: ghosts_before(:), ghosts_after(:)
    !> Boxes and parts: the first and the last index of this rank's boxes, lower(axis, box) and upper(axis, box).
    integer(int64), allocatable :: lower(:, :), upper(:, :)
    logical :: interleaves_batch = .false.  !< the fields of a batch lie value by value, not one after another
    !> Parts: the element of the array, from 1, at which each box begins, and the elements from a point to the next along each axis.
    integer(int64), allocatable :: first(:), strides(:, :)
    integer(int64) :: field_stride = 0    !< parts: elements from a field of a batch to the next; 0: they follow each other
    integer(int64) :: array_elements = 0  !< parts: elements of this rank's array; 0: up to the last point
  end type weft_distribution

  !> The waves of a spectrum of three axes that are kept, as columns along one axis: those in a sphere, or a list of each rank's own.
  type :: weft_cutoff
    real(real64) :: radius = 0                  !< sphere: |k1 v1 + k2 v2 + k3 v3| <= radius
    real(real64) :: vectors(3, 3) = 0           !< the vector v_a is vectors(:, a); all zero: |k| <= radius
    integer(int64), allocatable :: waves(:, :)  !< list: waves(axis, i) of this rank's array, whole columns
    integer :: column_axis = 0                  !< along which columns run; 0: along the last one that can be
  end type weft_cutoff

  abstract interface
    !> The rank of MPI, from 0, that computes `piece` of a process grid of grid(a) pieces along each axis; pieces count from 1.
    !> The same on every rank.
    function weft_rank_of_piece(grid, piece) result(rank)
      integer, intent(in) :: grid(:), piece(:)
      integer :: rank
    end function weft_rank_of_piece
  end interface

  !> A transform of a field of extents(1) * extents(2) * ... real-space points.
  type :: weft_problem
    integer(int64), allocatable :: extents(:)
    character(len=8) :: kind = 'c2c'           !< c2c, r2c, c2r or r2r
    character(len=8) :: precision = 'double'   !< or single
    character(len=8) :: norm = 'backward'      !< which direction divides by the number of points; or ortho, forward, none
    integer(int64), allocatable :: axes(:)     !< that are transformed; the last Fourier axis is halved; all: n, ..., 2, 1
    integer(int64), allocatable :: bases(:)    !< of each axis; not allocated: Fourier
    integer(int64), allocatable :: modes(:)    !< coefficients that are kept along each axis; not allocated: all
    integer(int64) :: batch = 1                !< fields in one plan
    logical :: in_place = .false.              !< the output may take the memory of the input
    type(weft_distribution) :: input, output
    type(weft_cutoff), allocatable :: cutoff   !< of the spectrum; not allocated: all waves are kept
    !> The box of real space that arrays hold, by its first and its last point; the field is zero outside. Not allocated: all.
    !> Bounds count what is stored: index 1 is the first point of the support.
    integer(int64), allocatable :: support_lower(:), support_upper(:)
    !> Which rank computes a piece; null: piece i is on rank i. And how many pieces there are; 0: one for each rank.
    procedure(weft_rank_of_piece), pointer, nopass :: rank_of => null()
    integer :: pieces = 0
  end type weft_problem

  !> A grid of elements of any size that is a multiple of 4 bytes, which are moved only.
  type :: weft_grid
    integer(int64), allocatable :: extents(:)
    integer :: element_bytes = 8
    integer :: alignment = 0             !< of elements, 4 or 8 bytes; 0: 8 if that divides their size
    logical, allocatable :: bounded(:)   !< halos: of each axis, whether nothing is beyond its ends; not allocated: all are periodic
    logical :: in_place = .false.        !< reshapes: both sides may be one array, which has room for the larger one
  end type weft_grid

  ! What the structures of C point to.
  type :: distribution_of_c
    type(c_distribution) :: c
    type(c_box), allocatable :: boxes(:)
    type(c_part), allocatable :: parts(:)
  end type distribution_of_c

  type :: problem_of_c
    type(c_problem) :: c
    type(distribution_of_c) :: input, output
    type(c_cutoff) :: cutoff
    type(c_box) :: support
    integer(c_int32_t), allocatable :: waves(:, :)
    integer(c_int) :: transformed(most_axes) = 0
    procedure(weft_rank_of_piece), pointer, nopass :: rank_of => null()
  end type problem_of_c

  interface convert
    procedure :: convert_distribution, convert_problem, convert_grid
  end interface convert

contains

  !> The smallest number of points, `at_least` so many, along which transforms with `basis` are fast. Not collective.
  function weft_next_fast_length(at_least, basis) result(points)
    integer, intent(in) :: at_least
    integer, intent(in), optional :: basis  !< Fourier unless given
    integer :: points
    integer(c_int64_t) :: found
    integer(c_int) :: along
    along = weft_fourier
    if (present(basis)) along = int(basis, c_int)
    call tell(c_next_fast_length(int(at_least, c_int64_t), along, found))
    points = int(found)
  end function weft_next_fast_length

  ! Plans are made for arrays of the application's, unless the settings say otherwise.
  function own_arrays(settings) result(text)
    character(len=*), intent(in), optional :: settings
    character(len=:), allocatable :: text
    text = ''
    if (present(settings)) text = trim(settings)
    if (index(text, 'arrays') == 0) text = text//'; arrays=any'
    text = text//c_null_char
  end function own_arrays

  ! Keeps the first thing that is wrong.
  subroutine note(why, text)
    character(len=:), allocatable, intent(inout) :: why
    character(len=*), intent(in) :: text
    if (.not. allocated(why)) why = text
  end subroutine note

  function in_words(number) result(text)
    integer, intent(in) :: number
    character(len=:), allocatable :: text
    character(len=12) :: digits
    write (digits, '(i0)') number
    text = trim(digits)
  end function in_words

  ! The place of `word` among `words`, counted from 0.
  subroutine find(word, words, what, number, why)
    character(len=*), intent(in) :: word, words(:), what
    integer(c_int), intent(out) :: number
    character(len=:), allocatable, intent(inout) :: why
    character(len=:), allocatable :: all
    integer :: i
    all = ''
    do i = 1, size(words)
      number = int(i - 1, c_int)
      if (word == words(i)) return
      all = all//merge(': ', ', ', i == 1)//trim(words(i))
    end do
    call note(why, 'there is no '//what//" '"//trim(word)//"': it is one of"//all(2:))
  end subroutine find

  ! A list with a number for each axis, in C's order. Zeros if it is not allocated.
  subroutine turn(list, axes, what, of_c, why)
    integer(int64), intent(in), allocatable :: list(:)
    integer, intent(in) :: axes
    character(len=*), intent(in) :: what
    integer(c_int64_t), intent(out) :: of_c(most_axes)
    character(len=:), allocatable, intent(inout) :: why
    of_c = 0
    if (.not. allocated(list)) return
    if (size(list) == axes) then
      of_c(1:axes) = list(axes:1:-1)
    else
      call note(why, what//' has '//in_words(size(list))//' numbers for '//in_words(axes)//' axes')
    end if
  end subroutine turn

  subroutine convert_distribution(from, axes, to, why)
    type(weft_distribution), intent(in) :: from
    integer, intent(in) :: axes
    type(distribution_of_c), target, intent(inout) :: to
    character(len=:), allocatable, intent(inout) :: why
    integer(c_int64_t) :: order(most_axes)
    to%c%size = c_sizeof(to%c)
    to%c%form = int(from%form, c_int)
    call turn(from%grid, axes, 'grid', to%c%grid, why)
    ! The grid of C's pencils has numbers for the divided axes only.
    if (from%form == weft_pencil .and. all(to%c%grid(3:axes) == 1)) to%c%grid(3:) = 0
    call turn(from%ghosts_before, axes, 'ghosts_before', to%c%ghosts_before, why)
    call turn(from%ghosts_after, axes, 'ghosts_after', to%c%ghosts_after, why)
    call turn(from%order, axes, 'order', order, why)
    if (allocated(from%order)) to%c%order(1:axes) = int(axes - order(1:axes), c_int)
    to%c%interleaves_batch = merge(1_c_int, 0_c_int, from%interleaves_batch)
    if (from%form == weft_boxes .or. from%form == weft_parts) call convert_boxes(from, axes, to, why)
  end subroutine convert_distribution

  subroutine convert_boxes(from, axes, to, why)
    type(weft_distribution), intent(in) :: from
    integer, intent(in) :: axes
    type(distribution_of_c), target, intent(inout) :: to
    character(len=:), allocatable, intent(inout) :: why
    integer :: b, count
    if (.not. (allocated(from%lower) .and. allocated(from%upper))) then
      call note(why, 'boxes need lower and upper; where there are none, of the shape [axes, 0]')
      return
    end if
    count = size(from%lower, 2)
    if (size(from%lower, 1) /= axes .or. any(shape(from%lower) /= shape(from%upper))) then
      call note(why, 'lower and upper of boxes are of the shape ['//in_words(axes)//', boxes], a row for each axis')
      return
    end if
    allocate (to%boxes(count))
    do b = 1, count
      to%boxes(b)%lo(1:axes) = from%lower(axes:1:-1, b) - 1
      to%boxes(b)%hi(1:axes) = from%upper(axes:1:-1, b)
    end do
    to%c%count = count
    if (count > 0) to%c%boxes = c_loc(to%boxes)
    if (from%form == weft_parts) call convert_parts(from, axes, to, why)
  end subroutine convert_boxes

  subroutine convert_parts(from, axes, to, why)
    type(weft_distribution), intent(in) :: from
    integer, intent(in) :: axes
    type(distribution_of_c), target, intent(inout) :: to
    character(len=:), allocatable, intent(inout) :: why
    integer :: b
    if (.not. (allocated(from%first) .and. allocated(from%strides))) then
      call note(why, 'parts need first and strides')
    else if (size(from%first) /= size(to%boxes) .or. any(shape(from%strides) /= shape(from%lower))) then
      call note(why, 'parts need first for each box, and strides of the shape of lower')
    else
      allocate (to%parts(size(to%boxes)))
      do b = 1, size(to%boxes)
        to%parts(b)%box = to%boxes(b)
        to%parts(b)%offset = from%first(b) - 1
        to%parts(b)%strides(1:axes) = from%strides(axes:1:-1, b)
      end do
      to%c%boxes = c_null_ptr
      if (size(to%parts) > 0) to%c%parts = c_loc(to%parts)
      to%c%field_stride = from%field_stride
      to%c%array_elements = from%array_elements
    end if
  end subroutine convert_parts

  ! What cannot be converted is refused by all ranks.
  subroutine convert_problem(from, to)
    type(weft_problem), intent(in) :: from
    type(problem_of_c), target, intent(inout) :: to
    character(len=:), allocatable :: why
    integer(c_int64_t) :: bases(most_axes)
    integer :: axes
    to%c%size = c_sizeof(to%c)
    axes = 0
    if (allocated(from%extents)) axes = size(from%extents)
    to%c%axes = int(axes, c_int)
    if (axes > most_axes) call note(why, 'there are at most 8 axes, not '//in_words(axes))
    axes = min(axes, most_axes)
    call turn(from%extents, axes, 'extents', to%c%extents, why)
    call turn(from%modes, axes, 'modes', to%c%modes, why)
    call turn(from%bases, axes, 'bases', bases, why)
    to%c%bases = int(bases, c_int)
    call find(from%kind, [character(len=8) :: 'c2c', 'r2c', 'c2r', 'r2r'], 'kind', to%c%kind, why)
    call find(from%precision, [character(len=8) :: 'double', 'single'], 'precision', to%c%precision, why)
    call find(from%norm, [character(len=8) :: 'backward', 'ortho', 'forward', 'none'], 'norm', to%c%norm, why)
    to%c%in_place = merge(1_c_int, 0_c_int, from%in_place)
    to%c%batch = from%batch
    if (from%batch < 1) call note(why, 'a batch has 1 field or more')
    call convert_choice(from, axes, to, why)
    call convert_distribution(from%input, axes, to%input, why)
    call convert_distribution(from%output, axes, to%output, why)
    to%c%input = c_loc(to%input%c)
    to%c%output = c_loc(to%output%c)
    if (associated(from%rank_of)) then
      to%rank_of => from%rank_of
      to%c%rank_of = c_funloc(rank_of_piece)
      to%c%rank_data = c_loc(to)
    end if
    to%c%pieces = int(from%pieces, c_int)
    if (allocated(why)) call refuse(why)
  end subroutine convert_problem

  ! The axes, the waves and the part of space that the transform is about.
  subroutine convert_choice(from, axes, to, why)
    type(weft_problem), intent(in) :: from
    integer, intent(in) :: axes
    type(problem_of_c), target, intent(inout) :: to
    character(len=:), allocatable, intent(inout) :: why
    if (allocated(from%axes)) then
      if (size(from%axes) > most_axes) then
        call note(why, 'axes are listed once each')
      else
        to%transformed(1:size(from%axes)) = int(axes - from%axes, c_int)
        to%c%transformed_count = size(from%axes, kind=c_int)
        if (any(from%axes < 1 .or. from%axes > axes)) call note(why, 'axes to transform count from 1 to '//in_words(axes))
      end if
      to%c%transformed = c_loc(to%transformed)
    end if
    if (allocated(from%cutoff)) then
      call convert_cutoff(from%cutoff, to, why)
      to%c%cutoff = c_loc(to%cutoff)
    end if
    if (allocated(from%support_lower) .neqv. allocated(from%support_upper)) call note(why, 'a support needs both corners')
    if (.not. (allocated(from%support_lower) .and. allocated(from%support_upper))) return
    call turn(from%support_lower, axes, 'support_lower', to%support%lo, why)
    call turn(from%support_upper, axes, 'support_upper', to%support%hi, why)
    to%support%lo(1:axes) = to%support%lo(1:axes) - 1
    to%c%support = c_loc(to%support)
  end subroutine convert_choice

  subroutine convert_cutoff(from, to, why)
    type(weft_cutoff), intent(in) :: from
    type(problem_of_c), target, intent(inout) :: to
    character(len=:), allocatable, intent(inout) :: why
    to%cutoff%size = c_sizeof(to%cutoff)
    to%cutoff%radius = from%radius
    to%cutoff%vectors = from%vectors(:, 3:1:-1)
    to%cutoff%has_column_axis = merge(1_c_int, 0_c_int, from%column_axis /= 0)
    to%cutoff%column_axis = int(3 - from%column_axis, c_int)
    if (from%column_axis < 0 .or. from%column_axis > 3) call note(why, 'columns run along axis 1, 2 or 3')
    if (.not. allocated(from%waves)) return
    to%cutoff%is_list = 1
    if (size(from%waves, 1) /= 3) then
      call note(why, 'waves are of the shape [3, waves]')
    else if (any(abs(from%waves) > huge(0_c_int32_t))) then
      call note(why, 'waves are beyond 32 bits')
    else
      to%waves = int(from%waves(3:1:-1, :), c_int32_t)
      to%cutoff%wave_count = size(to%waves, 2, kind=c_int64_t)
      if (size(to%waves) > 0) to%cutoff%waves = c_loc(to%waves)
    end if
  end subroutine convert_cutoff

  ! What C calls for a placement.
  function rank_of_piece(axes, grid, piece, data) bind(C) result(rank)
    integer(c_int), value :: axes
    integer(c_int64_t), intent(in) :: grid(*), piece(*)
    type(c_ptr), value :: data
    integer(c_int) :: rank
    type(problem_of_c), pointer :: problem
    call c_f_pointer(data, problem)
    rank = int(problem%rank_of(int(grid(axes:1:-1)), int(piece(axes:1:-1)) + 1), c_int)
  end function rank_of_piece

  subroutine convert_grid(from, to, why)
    type(weft_grid), intent(in) :: from
    type(c_grid), intent(out) :: to
    character(len=:), allocatable, intent(inout) :: why
    integer :: axes
    to%size = c_sizeof(to)
    axes = 0
    if (allocated(from%extents)) axes = size(from%extents)
    to%axes = int(axes, c_int)
    if (axes > most_axes) call note(why, 'there are at most 8 axes, not '//in_words(axes))
    axes = min(axes, most_axes)
    call turn(from%extents, axes, 'extents', to%extents, why)
    to%element_bytes = from%element_bytes
    to%alignment = merge(8, 4, mod(from%element_bytes, 8) == 0)
    if (from%alignment /= 0) to%alignment = from%alignment
    to%is_in_place = merge(1_c_int, 0_c_int, from%in_place)
    if (.not. allocated(from%bounded)) return
    if (size(from%bounded) == axes) then
      to%is_bounded(1:axes) = merge(1_c_int, 0_c_int, from%bounded(axes:1:-1))
    else
      call note(why, 'bounded has '//in_words(size(from%bounded))//' values for '//in_words(axes)//' axes')
    end if
  end subroutine convert_grid

end module weft_problems
