! remap2d_wrap: fftMPI's module that moves grids of two axes, by weft. Bounds count from 1. Numbers are real(8), or real(4) where this
! file is compiled with FFT_SINGLE. See docs/compat/fftmpi.md.
module remap2d_wrap
use, intrinsic :: iso_c_binding, only: c_ptr,c_int,c_char,c_null_char
implicit none
private
public :: remap2d_create,remap2d_destroy,remap2d_set,remap2d_setup,remap2d_remap

! The manual gives it a precision, 1 or 2, and fftMPI's module none: then it is that of this file.
interface remap2d_create
  module procedure create,create_with_precision
end interface remap2d_create

interface
  subroutine c_create_double(comm,ptr) bind(c,name='remap2d_create_fortran')
    import :: c_ptr,c_int
    integer(c_int), value :: comm
    type(c_ptr) :: ptr
  end subroutine c_create_double

  subroutine c_create_single(comm,ptr) bind(c,name='weft_remap2d_create_fortran_single')
    import :: c_ptr,c_int
    integer(c_int), value :: comm
    type(c_ptr) :: ptr
  end subroutine c_create_single

  subroutine remap2d_destroy(ptr) bind(c,name='remap2d_destroy')
    import :: c_ptr
    type(c_ptr), value :: ptr
  end subroutine remap2d_destroy

  subroutine c_set(ptr,keyword,value) bind(c,name='remap2d_set')
    import :: c_ptr,c_int,c_char
    type(c_ptr), value :: ptr
    character(c_char), intent(in) :: keyword(*)
    integer(c_int), value :: value
  end subroutine c_set

  subroutine remap2d_setup(ptr, &
      in_ilo,in_ihi,in_jlo,in_jhi, &
      out_ilo,out_ihi,out_jlo,out_jhi, &
      nqty,permute,memoryflag,sendsize,recvsize) bind(c,name='remap2d_setup_fortran')
    import :: c_ptr,c_int
    type(c_ptr), value :: ptr
    integer(c_int), value :: in_ilo,in_ihi,in_jlo,in_jhi
    integer(c_int), value :: out_ilo,out_ihi,out_jlo,out_jhi
    integer(c_int), value :: nqty,permute,memoryflag
    integer(c_int) :: sendsize,recvsize
  end subroutine remap2d_setup

  subroutine remap2d_remap(ptr,in,out,sendbuf,recvbuf) bind(c,name='remap2d_remap')
    import :: c_ptr
    type(c_ptr), value :: ptr,in,out,sendbuf,recvbuf
  end subroutine remap2d_remap
end interface

contains

subroutine create(comm,ptr)
  integer(c_int), value :: comm
  type(c_ptr) :: ptr
#ifdef FFT_SINGLE
  call c_create_single(comm,ptr)
#else
  call c_create_double(comm,ptr)
#endif
end subroutine create

subroutine create_with_precision(comm,precision,ptr)
  integer(c_int), value :: comm,precision
  type(c_ptr) :: ptr
  if (precision == 1) then
    call c_create_single(comm,ptr)
  else
    call c_create_double(comm,ptr)
  end if
end subroutine create_with_precision

subroutine remap2d_set(ptr,keyword,value)
  type(c_ptr), value :: ptr
  character(*), intent(in) :: keyword
  integer(c_int), value :: value
  integer :: last
  last = index(keyword,c_null_char) - 1
  if (last < 0) last = len_trim(keyword)
  call c_set(ptr,keyword(:last)//c_null_char,value)
end subroutine remap2d_set

end module remap2d_wrap
