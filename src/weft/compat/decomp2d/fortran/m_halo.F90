! m_halo: ghost points around pencils.
! Keeps: ghost points of periodic axes are right also where one rank has a whole axis, corners included; those beyond the ends of
! other axes are not touched, and zero in arrays of update_halo.
module m_halo
  use, intrinsic :: iso_c_binding
  use decomp_2d_constants, only: mytype
  use decomp_2d_mpi, only: decomp_2d_abort
  use weft_c, only: c_array
  use weft_pencils
  implicit none
  private
  public :: update_halo, halo_exchange, halo_extents_t

  !> The decomposition of the program's grid, which decomp_2d_init makes.
  type(decomp_info), target, save, public :: decomp_main

  !> The bounds of an array with ghost points.
  type :: halo_extents_t
    integer :: xs = 1, xe = 0, ys = 1, ye = 0, zs = 1, ze = 0
    integer, private :: extents(3) = 0
  end type halo_extents_t
  !> halo_extents_t(ipencil, sizes, decomp, level, global): `level` is one number for the two divided axes, or three.
  interface halo_extents_t
    module procedure :: extents_of_level, extents_of_levels
  end interface halo_extents_t

  !> call update_halo(in, out, level [, decomp] [, opt_global, opt_pencil]): allocates `out` with `level` ghost points on both sides
  !> along the axes that the pencils of `in` divide, copies `in` and fills them. Collective.
  interface update_halo
    module procedure :: update_real, update_complex, update_real_of, update_complex_of
  end interface update_halo
  !> call halo_exchange(arr, ipencil [, halo_extents], levels [, sizes]): fills the ghost points of an array, levels(axis) on both
  !> sides. Collective.
  interface halo_exchange
    module procedure :: exchange_real, exchange_complex, exchange_real_of, exchange_complex_of
  end interface halo_exchange

contains

  function extents_of_level(ipencil, sizes, decomp, level, global) result(extents)
    integer, intent(in) :: ipencil, sizes(3), level
    type(decomp_info), intent(in) :: decomp
    logical, intent(in) :: global
    type(halo_extents_t) :: extents
    extents = extents_of_levels(ipencil, sizes, decomp, levels_of(ipencil, level), global)
  end function extents_of_level

  function extents_of_levels(ipencil, sizes, decomp, levels, global) result(extents)
    integer, intent(in) :: ipencil, sizes(3), levels(3)
    type(decomp_info), intent(in) :: decomp
    logical, intent(in) :: global
    type(halo_extents_t) :: extents
    integer :: from(3), to(3)
    from = merge(first_of(decomp, ipencil), 1, global)
    to = from + sizes - 1 + levels
    from = from - levels
    extents = halo_extents_t(from(1), to(1), from(2), to(2), from(3), to(3), extents_of(decomp))
  end function extents_of_levels

  pure function levels_of(ipencil, level) result(levels)
    integer, intent(in) :: ipencil, level
    integer :: levels(3)
    levels = level
    levels(ipencil) = 0
  end function levels_of

  ! The pencils that an array of this shape fits: those of the first kind.
  function pencil_of(decomp, found, opt_pencil) result(pencil)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in) :: found(3)
    integer, intent(in), optional :: opt_pencil
    integer :: pencil
    if (present(opt_pencil)) then
      if (opt_pencil < 1 .or. opt_pencil > 3) call decomp_2d_abort(1, 'pencils have the numbers 1, 2 and 3')
      pencil = opt_pencil
      call require_equal(found, size_of(decomp, pencil))
      return
    end if
    do pencil = 1, 3
      if (all(found == size_of(decomp, pencil))) return
    end do
    call decomp_2d_abort(2, 'an array of '//text_of(found)//' points is not in pencils of '//text_of(extents_of(decomp)))
    pencil = 1
  end function pencil_of

  subroutine require_equal(found, wanted)
    integer, intent(in) :: found(3), wanted(3)
    if (any(found /= wanted)) call decomp_2d_abort(2, 'the array has '//text_of(found)//' points, but this rank has '// &
        text_of(wanted)//' in these pencils')
  end subroutine require_equal

  ! Fills the ghost points of an array of this shape.
  subroutine fill(decomp, ipencil, levels, bits, array, found)
    type(decomp_info), intent(in) :: decomp
    integer, intent(in) :: ipencil, levels(3), bits, found(3)
    type(c_ptr), intent(in) :: array
    call require_equal(found, size_of(decomp, ipencil) + 2*levels)
    call run_halo(kept_halo(decomp, ipencil, levels, bits/8), c_array(array, product(int(found, c_int64_t))))
  end subroutine fill

#define ELEMENT real(mytype)
#define ZERO 0._mytype
#define UPDATE update_real
#define UPDATE_OF update_real_of
#define EXCHANGE exchange_real
#define EXCHANGE_OF exchange_real_of
#include "weft_halos.inc"
#define ELEMENT complex(mytype)
#define ZERO cmplx(0, 0, mytype)
#define UPDATE update_complex
#define UPDATE_OF update_complex_of
#define EXCHANGE exchange_complex
#define EXCHANGE_OF exchange_complex_of
#include "weft_halos.inc"

end module m_halo
