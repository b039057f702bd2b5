! p3dfft_plus_plus: P3DFFT++ 3.1 for Fortran, over weft: grids, types and transforms are told by numbers.
! Keeps: arrays are of any type and shape, as long as the numbers of this rank are in them one after another. As P3DFFT++'s module, this one
! brings the names of iso_c_binding with it, which programs rely on.
module p3dfft_plus_plus
  use, intrinsic :: iso_c_binding
  use weft_p3dfft3_c
  implicit none

  ! The numbers of one-dimensional transforms: in the order of p3dfft.h.
  enum, bind(C)
    enumerator :: P3DFFT_EMPTY_TYPE = 0, P3DFFT_EMPTY_TYPE_SINGLE, P3DFFT_EMPTY_TYPE_DOUBLE, P3DFFT_EMPTY_TYPE_SINGLE_COMPLEX
    enumerator :: P3DFFT_EMPTY_TYPE_DOUBLE_COMPLEX, P3DFFT_R2CFFT_S, P3DFFT_R2CFFT_D, P3DFFT_C2RFFT_S, P3DFFT_C2RFFT_D
    enumerator :: P3DFFT_CFFT_FORWARD_S, P3DFFT_CFFT_FORWARD_D, P3DFFT_CFFT_BACKWARD_S, P3DFFT_CFFT_BACKWARD_D, P3DFFT_DCT1_REAL_S
    enumerator :: P3DFFT_DCT1_REAL_D, P3DFFT_DCT2_REAL_S, P3DFFT_DCT2_REAL_D, P3DFFT_DCT3_REAL_S, P3DFFT_DCT3_REAL_D
    enumerator :: P3DFFT_DCT4_REAL_S, P3DFFT_DCT4_REAL_D, P3DFFT_DST1_REAL_S, P3DFFT_DST1_REAL_D, P3DFFT_DST2_REAL_S
    enumerator :: P3DFFT_DST2_REAL_D, P3DFFT_DST3_REAL_S, P3DFFT_DST3_REAL_D, P3DFFT_DST4_REAL_S, P3DFFT_DST4_REAL_D
    enumerator :: P3DFFT_DCT1_COMPLEX_S, P3DFFT_DCT1_COMPLEX_D, P3DFFT_DCT2_COMPLEX_S, P3DFFT_DCT2_COMPLEX_D
    enumerator :: P3DFFT_DCT3_COMPLEX_S, P3DFFT_DCT3_COMPLEX_D, P3DFFT_DCT4_COMPLEX_S, P3DFFT_DCT4_COMPLEX_D
    enumerator :: P3DFFT_DST1_COMPLEX_S, P3DFFT_DST1_COMPLEX_D, P3DFFT_DST2_COMPLEX_S, P3DFFT_DST2_COMPLEX_D
    enumerator :: P3DFFT_DST3_COMPLEX_S, P3DFFT_DST3_COMPLEX_D, P3DFFT_DST4_COMPLEX_S, P3DFFT_DST4_COMPLEX_D
  end enum

  private :: c_data_grid, c_init_proc_grid, c_init_data_grid, c_grid, c_init_type, c_plan_3d, c_plan_1d
  private :: c_derive_double, c_derive_single, c_line_double, c_line_single, c_refuse, require_no_slope

  interface
    !> Frees all grids, types and plans. Collective.
    subroutine p3dfft_cleanup() bind(C, name='p3dfft_cleanup')
    end subroutine p3dfft_cleanup
    !> Transforms `in` into `out`, which may be one array. The input is left as it is, whatever `OW` says. Collective.
    subroutine p3dfft_3Dtrans_double(mytrans, in, out, OW) bind(C, name='p3dfft_exec_3Dtrans_double')
      import :: c_int
      integer(c_int), value :: mytrans, OW
      type(*), intent(in) :: in(*)
      type(*), intent(inout) :: out(*)
    end subroutine p3dfft_3Dtrans_double
    subroutine p3dfft_3Dtrans_single(mytrans, in, out, OW) bind(C, name='p3dfft_exec_3Dtrans_single')
      import :: c_int
      integer(c_int), value :: mytrans, OW
      type(*), intent(in) :: in(*)
      type(*), intent(inout) :: out(*)
    end subroutine p3dfft_3Dtrans_single
  end interface

contains

  !> Nothing is to be set up; slices are of devices, and change nothing.
  subroutine p3dfft_setup(nslices)
    integer, intent(in), optional :: nslices
    if (present(nslices)) continue
  end subroutine p3dfft_setup

  !> The number of a process grid of pdims(1) x pdims(2) x pdims(3) ranks, of which the first index has neighbouring ranks. Collective.
  function p3dfft_init_proc_grid(pdims, mpicomm) result(pgrid)
    integer, intent(in) :: pdims(3), mpicomm
    integer :: pgrid
    pgrid = c_init_proc_grid(pdims, mpicomm)
  end function p3dfft_init_proc_grid

  !> A grid of points whose axis i is divided along axis dmap(i) of the processes, from 0, and is the mem_order(i)-th fastest in memory,
  !> from 0. dim_conj_sym is the halved axis, from 0, or -1. ldims and glob_start tell how many points this rank has along X, Y and Z, and
  !> how many come before them.
  subroutine p3dfft_init_data_grid(grid, ldims, glob_start, gdims, dim_conj_sym, pgrid, dmap, mem_order)
    integer, intent(out) :: grid, ldims(3), glob_start(3)
    integer, intent(in) :: gdims(3), dim_conj_sym, pgrid, dmap(3), mem_order(3)
    type(c_data_grid), pointer :: told
    call c_f_pointer(c_init_data_grid(gdims, dim_conj_sym, pgrid, dmap, mem_order), told)
    grid = told%number
    ldims = told%ldims
    glob_start = told%glob_start
  end subroutine p3dfft_init_data_grid

  !> The number of a transform by its types along X, Y and Z.
  subroutine p3dfft_init_3Dtype(type_3d, ids)
    integer, intent(out) :: type_3d
    integer, intent(in) :: ids(3)
    type_3d = c_init_type(ids)
  end subroutine p3dfft_init_3Dtype

  !> Plans transforms from one grid to another. The workspace, which is of devices, changes nothing. Collective.
  subroutine p3dfft_plan_3Dtrans(mytrans, grid_in, grid_out, type_3d, workspace)
    integer, intent(out) :: mytrans
    integer, intent(in) :: grid_in, grid_out, type_3d
    integer, intent(in), optional :: workspace
    if (present(workspace)) continue
    mytrans = c_plan_3d(c_grid(grid_in), c_grid(grid_out), type_3d)
  end subroutine p3dfft_plan_3Dtrans

  !> Plans transforms along one axis, from 0. Collective.
  subroutine p3dfft_plan_1Dtrans(mytrans, grid_in, grid_out, type_1d, dim, workspace)
    integer, intent(out) :: mytrans
    integer, intent(in) :: grid_in, grid_out, type_1d, dim
    integer, intent(in), optional :: workspace
    if (present(workspace)) continue
    mytrans = c_plan_1d(c_grid(grid_in), c_grid(grid_out), type_1d, dim)
  end subroutine p3dfft_plan_1Dtrans

  !> Transforms, and multiplies by i k along axis idir, from 1 as in P3DFFT++'s samples: the spectrum of a derivative. Collective.
  subroutine p3dfft_3Dderiv_double(mytrans, in, out, idir, OW)
    integer, intent(in) :: mytrans, idir, OW
    type(*), intent(in) :: in(*)
    type(*), intent(inout) :: out(*)
    call c_derive_double(mytrans, in, out, idir - 1, OW)
  end subroutine p3dfft_3Dderiv_double

  subroutine p3dfft_3Dderiv_single(mytrans, in, out, idir, OW)
    integer, intent(in) :: mytrans, idir, OW
    type(*), intent(in) :: in(*)
    type(*), intent(inout) :: out(*)
    call c_derive_single(mytrans, in, out, idir - 1, OW)
  end subroutine p3dfft_3Dderiv_single

  !> Transforms along one axis: call p3dfft_1Dtrans_double(mytrans, in, out, OW), or (mytrans, in, out, -1, OW) as in later samples, where
  !> the fourth argument is the axis of a derivative, which there is none of here. Collective.
  subroutine p3dfft_1Dtrans_double(mytrans, in, out, idir_or_OW, OW)
    integer, intent(in) :: mytrans, idir_or_OW
    type(*), intent(in) :: in(*)
    type(*), intent(inout) :: out(*)
    integer, intent(in), optional :: OW
    if (present(OW)) call require_no_slope(idir_or_OW)
    call c_line_double(mytrans, in, out, 0)
  end subroutine p3dfft_1Dtrans_double

  subroutine p3dfft_1Dtrans_single(mytrans, in, out, idir_or_OW, OW)
    integer, intent(in) :: mytrans, idir_or_OW
    type(*), intent(in) :: in(*)
    type(*), intent(inout) :: out(*)
    integer, intent(in), optional :: OW
    if (present(OW)) call require_no_slope(idir_or_OW)
    call c_line_single(mytrans, in, out, 0)
  end subroutine p3dfft_1Dtrans_single

  subroutine require_no_slope(idir)
    integer, intent(in) :: idir
    if (idir >= 0) call c_refuse('p3dfft_1Dtrans takes no derivatives, the fourth of five arguments is -1: '// &
        'p3dfft_3Dderiv does'//c_null_char)
  end subroutine require_no_slope

end module p3dfft_plus_plus
