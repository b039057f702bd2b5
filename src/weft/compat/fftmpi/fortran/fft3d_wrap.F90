! fft3d_wrap: fftMPI's module for transforms of three axes, computed by weft. Bounds count from 1. See docs/compat/fftmpi.md.
module fft3d_wrap
use, intrinsic :: iso_c_binding, only: c_ptr,c_int,c_int64_t,c_double,c_char,c_null_char
implicit none
private
public :: fft3d_create,fft3d_destroy,fft3d_set,fft3d_get_int,fft3d_get_int64,fft3d_get_double
public :: fft3d_get_string,fft3d_get_int_vector,fft3d_get_double_vector
public :: fft3d_setup,fft3d_setup_memory,fft3d_compute,fft3d_tune
public :: fft3d_only_1d_ffts,fft3d_only_remaps,fft3d_only_one_remap

interface
  subroutine fft3d_create(comm,precision,ptr) bind(c,name='fft3d_create_fortran')
    import :: c_ptr,c_int
    integer(c_int), value :: comm,precision
    type(c_ptr) :: ptr
  end subroutine fft3d_create

  subroutine fft3d_destroy(ptr) bind(c,name='fft3d_destroy')
    import :: c_ptr
    type(c_ptr), value :: ptr
  end subroutine fft3d_destroy

  subroutine fft3d_setup(ptr,nfast,nmid,nslow, &
      in_ilo,in_ihi,in_jlo,in_jhi,in_klo,in_khi, &
      out_ilo,out_ihi,out_jlo,out_jhi,out_klo,out_khi, &
      permute,fftsize,sendsize,recvsize) bind(c,name='fft3d_setup_fortran')
    import :: c_ptr,c_int
    type(c_ptr), value :: ptr
    integer(c_int), value :: nfast,nmid,nslow
    integer(c_int), value :: in_ilo,in_ihi,in_jlo,in_jhi,in_klo,in_khi
    integer(c_int), value :: out_ilo,out_ihi,out_jlo,out_jhi,out_klo,out_khi
    integer(c_int), value :: permute
    integer(c_int) :: fftsize,sendsize,recvsize
  end subroutine fft3d_setup

  subroutine fft3d_tune(ptr,nfast,nmid,nslow, &
      in_ilo,in_ihi,in_jlo,in_jhi,in_klo,in_khi, &
      out_ilo,out_ihi,out_jlo,out_jhi,out_klo,out_khi, &
      permute,fftsize,sendsize,recvsize,flag,niter,tmax,tflag) bind(c,name='fft3d_tune_fortran')
    import :: c_ptr,c_int,c_double
    type(c_ptr), value :: ptr
    integer(c_int), value :: nfast,nmid,nslow
    integer(c_int), value :: in_ilo,in_ihi,in_jlo,in_jhi,in_klo,in_khi
    integer(c_int), value :: out_ilo,out_ihi,out_jlo,out_jhi,out_klo,out_khi
    integer(c_int), value :: permute
    integer(c_int) :: fftsize,sendsize,recvsize
    integer(c_int), value :: flag,niter,tflag
    real(c_double), value :: tmax
  end subroutine fft3d_tune

  subroutine fft3d_setup_memory(ptr,sendbuf,recvbuf) bind(c,name='fft3d_setup_memory')
    import :: c_ptr
    type(c_ptr), value :: ptr,sendbuf,recvbuf
  end subroutine fft3d_setup_memory

  subroutine fft3d_compute(ptr,in,out,flag) bind(c,name='fft3d_compute')
    import :: c_ptr,c_int
    type(c_ptr), value :: ptr,in,out
    integer(c_int), value :: flag
  end subroutine fft3d_compute

  subroutine fft3d_only_1d_ffts(ptr,in,flag) bind(c,name='fft3d_only_1d_ffts')
    import :: c_ptr,c_int
    type(c_ptr), value :: ptr,in
    integer(c_int), value :: flag
  end subroutine fft3d_only_1d_ffts

  subroutine fft3d_only_remaps(ptr,in,out,flag) bind(c,name='fft3d_only_remaps')
    import :: c_ptr,c_int
    type(c_ptr), value :: ptr,in,out
    integer(c_int), value :: flag
  end subroutine fft3d_only_remaps

  subroutine fft3d_only_one_remap(ptr,in,out,flag,which) bind(c,name='fft3d_only_one_remap')
    import :: c_ptr,c_int
    type(c_ptr), value :: ptr,in,out
    integer(c_int), value :: flag,which
  end subroutine fft3d_only_one_remap

  subroutine c_set(ptr,keyword,value) bind(c,name='fft3d_set')
    import :: c_ptr,c_char,c_int
    type(c_ptr), value :: ptr
    character(c_char), intent(in) :: keyword(*)
    integer(c_int), value :: value
  end subroutine c_set

  function c_get_int(ptr,keyword) bind(c,name='fft3d_get_int')
    import :: c_ptr,c_char,c_int
    type(c_ptr), value :: ptr
    character(c_char), intent(in) :: keyword(*)
    integer(c_int) :: c_get_int
  end function c_get_int

  function c_get_int64(ptr,keyword) bind(c,name='fft3d_get_int64')
    import :: c_ptr,c_char,c_int64_t
    type(c_ptr), value :: ptr
    character(c_char), intent(in) :: keyword(*)
    integer(c_int64_t) :: c_get_int64
  end function c_get_int64

  function c_get_double(ptr,keyword) bind(c,name='fft3d_get_double')
    import :: c_ptr,c_char,c_double
    type(c_ptr), value :: ptr
    character(c_char), intent(in) :: keyword(*)
    real(c_double) :: c_get_double
  end function c_get_double

  function c_get_string(ptr,keyword,len) bind(c,name='fft3d_get_string')
    import :: c_ptr,c_char,c_int
    type(c_ptr), value :: ptr
    character(c_char), intent(in) :: keyword(*)
    integer(c_int) :: len
    type(c_ptr) :: c_get_string
  end function c_get_string

  function c_get_int_vector(ptr,keyword,len) bind(c,name='fft3d_get_int_vector')
    import :: c_ptr,c_char,c_int
    type(c_ptr), value :: ptr
    character(c_char), intent(in) :: keyword(*)
    integer(c_int) :: len
    type(c_ptr) :: c_get_int_vector
  end function c_get_int_vector

  function c_get_double_vector(ptr,keyword,len) bind(c,name='fft3d_get_double_vector')
    import :: c_ptr,c_char,c_int
    type(c_ptr), value :: ptr
    character(c_char), intent(in) :: keyword(*)
    integer(c_int) :: len
    type(c_ptr) :: c_get_double_vector
  end function c_get_double_vector

end interface

contains

subroutine fft3d_set(ptr,keyword,value)
  type(c_ptr), value :: ptr
  character(*), intent(in) :: keyword
  integer(c_int), value :: value
  call c_set(ptr,ended(keyword),value)
end subroutine fft3d_set

function fft3d_get_int(ptr,keyword)
  type(c_ptr), value :: ptr
  character(*), intent(in) :: keyword
  integer(c_int) :: fft3d_get_int
  fft3d_get_int = c_get_int(ptr,ended(keyword))
end function fft3d_get_int

function fft3d_get_int64(ptr,keyword)
  type(c_ptr), value :: ptr
  character(*), intent(in) :: keyword
  integer(c_int64_t) :: fft3d_get_int64
  fft3d_get_int64 = c_get_int64(ptr,ended(keyword))
end function fft3d_get_int64

function fft3d_get_double(ptr,keyword)
  type(c_ptr), value :: ptr
  character(*), intent(in) :: keyword
  real(c_double) :: fft3d_get_double
  fft3d_get_double = c_get_double(ptr,ended(keyword))
end function fft3d_get_double

function fft3d_get_string(ptr,keyword,len)
  type(c_ptr), value :: ptr
  character(*), intent(in) :: keyword
  integer(c_int) :: len
  type(c_ptr) :: fft3d_get_string
  fft3d_get_string = c_get_string(ptr,ended(keyword),len)
end function fft3d_get_string

function fft3d_get_int_vector(ptr,keyword,len)
  type(c_ptr), value :: ptr
  character(*), intent(in) :: keyword
  integer(c_int) :: len
  type(c_ptr) :: fft3d_get_int_vector
  fft3d_get_int_vector = c_get_int_vector(ptr,ended(keyword),len)
end function fft3d_get_int_vector

function fft3d_get_double_vector(ptr,keyword,len)
  type(c_ptr), value :: ptr
  character(*), intent(in) :: keyword
  integer(c_int) :: len
  type(c_ptr) :: fft3d_get_double_vector
  fft3d_get_double_vector = c_get_double_vector(ptr,ended(keyword),len)
end function fft3d_get_double_vector

! A keyword that ends as C wants it; some programs have ended it, and some have not.
function ended(keyword)
  character(*), intent(in) :: keyword
  character(:,c_char), allocatable :: ended
  integer :: last
  last = index(keyword,c_null_char) - 1
  if (last < 0) last = len_trim(keyword)
  ended = keyword(:last)//c_null_char
end function ended

end module fft3d_wrap
