! weft_p3dfft3_c: what the module p3dfft_plus_plus calls of p3dfft.h, as Fortran sees it.
module weft_p3dfft3_c
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: c_data_grid, c_init_proc_grid, c_init_data_grid, c_grid, c_init_type, c_plan_3d, c_plan_1d
  public :: c_derive_double, c_derive_single, c_line_double, c_line_single, c_refuse

  ! The structure Grid of p3dfft.h.
  type, bind(C) :: c_data_grid
    integer(c_int) :: nd, gdims(3), dim_conj_sym, mem_order(3), ldims(3), pgrid, dmap(3), l(3), d(3), pdims(3), grid_id(3)
    integer(c_int) :: glob_start(3), number
  end type c_data_grid

  interface
    function c_init_proc_grid(pdims, comm) bind(C, name='weft_p3dfft3_proc_grid') result(number)
      import :: c_int
      integer(c_int), intent(in) :: pdims(3)
      integer(c_int), value :: comm
      integer(c_int) :: number
    end function c_init_proc_grid
    function c_init_data_grid(gdims, dim_conj_sym, pgrid, dmap, mem_order) bind(C, name='p3dfft_init_data_grid') result(grid)
      import :: c_int, c_ptr
      integer(c_int), intent(in) :: gdims(3), dmap(3), mem_order(3)
      integer(c_int), value :: dim_conj_sym, pgrid
      type(c_ptr) :: grid
    end function c_init_data_grid
    function c_grid(number) bind(C, name='weft_p3dfft3_grid') result(grid)
      import :: c_int, c_ptr
      integer(c_int), value :: number
      type(c_ptr) :: grid
    end function c_grid
    function c_init_type(ids) bind(C, name='p3dfft_init_3Dtype') result(number)
      import :: c_int
      integer(c_int), intent(in) :: ids(3)
      integer(c_int) :: number
    end function c_init_type
    function c_plan_3d(from, to, type_3d) bind(C, name='p3dfft_plan_3Dtrans') result(number)
      import :: c_int, c_ptr
      type(c_ptr), value :: from, to
      integer(c_int), value :: type_3d
      integer(c_int) :: number
    end function c_plan_3d
    function c_plan_1d(from, to, type_1d, axis) bind(C, name='p3dfft_plan_1Dtrans') result(number)
      import :: c_int, c_ptr
      type(c_ptr), value :: from, to
      integer(c_int), value :: type_1d, axis
      integer(c_int) :: number
    end function c_plan_1d
    subroutine c_derive_double(mytrans, in, out, axis, OW) bind(C, name='p3dfft_exec_3Dderiv_double')
      import :: c_int
      integer(c_int), value :: mytrans, axis, OW
      type(*), intent(in) :: in(*)
      type(*), intent(inout) :: out(*)
    end subroutine c_derive_double
    subroutine c_derive_single(mytrans, in, out, axis, OW) bind(C, name='p3dfft_exec_3Dderiv_single')
      import :: c_int
      integer(c_int), value :: mytrans, axis, OW
      type(*), intent(in) :: in(*)
      type(*), intent(inout) :: out(*)
    end subroutine c_derive_single
    subroutine c_line_double(mytrans, in, out, OW) bind(C, name='p3dfft_exec_1Dtrans_double')
      import :: c_int
      integer(c_int), value :: mytrans, OW
      type(*), intent(in) :: in(*)
      type(*), intent(inout) :: out(*)
    end subroutine c_line_double
    subroutine c_line_single(mytrans, in, out, OW) bind(C, name='p3dfft_exec_1Dtrans_single')
      import :: c_int
      integer(c_int), value :: mytrans, OW
      type(*), intent(in) :: in(*)
      type(*), intent(inout) :: out(*)
    end subroutine c_line_single
    subroutine c_refuse(why) bind(C, name='weft_p3dfft3_refuse')
      import :: c_char
      character(kind=c_char), intent(in) :: why(*)
    end subroutine c_refuse
  end interface

end module weft_p3dfft3_c
