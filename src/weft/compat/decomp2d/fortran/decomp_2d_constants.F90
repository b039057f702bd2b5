! decomp_2d_constants: the kinds and numbers that programs of 2DECOMP&FFT name.
! Keeps: as there, the names of the module mpi come with it.
module decomp_2d_constants
  use mpi
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
  public

#ifdef DOUBLE_PREC
  integer, parameter :: mytype = real64
  integer, parameter :: real_type = MPI_DOUBLE_PRECISION, real2_type = MPI_2DOUBLE_PRECISION, complex_type = MPI_DOUBLE_COMPLEX
  integer, parameter :: mytype_single = real64, real_type_single = MPI_DOUBLE_PRECISION
#else
  integer, parameter :: mytype = real32
  integer, parameter :: real_type = MPI_REAL, real2_type = MPI_2REAL, complex_type = MPI_COMPLEX
  integer, parameter :: mytype_single = real32, real_type_single = MPI_REAL
#endif

  !> Who says what a decomposition is: decomp_log of decomp_2d. Nothing is written into files here.
  integer, parameter :: D2D_LOG_QUIET = 0, D2D_LOG_STDOUT = 1, D2D_LOG_TOFILE = 2, D2D_LOG_TOFILE_FULL = 3
  integer, parameter :: D2D_DEBUG_LEVEL_OFF = 0, D2D_DEBUG_LEVEL_CRITICAL = 1, D2D_DEBUG_LEVEL_ERROR = 2, &
      D2D_DEBUG_LEVEL_WARN = 3, D2D_DEBUG_LEVEL_INFO = 4, D2D_DEBUG_LEVEL_DEBUG = 5, D2D_DEBUG_LEVEL_TRACE = 6
  integer, parameter :: decomp_profiler_none = 0, decomp_profiler_caliper = 1
  integer, parameter :: D2D_FFT_BACKEND_GENERIC = 0, D2D_FFT_BACKEND_FFTW3 = 1, D2D_FFT_BACKEND_FFTW3_F03 = 2, &
      D2D_FFT_BACKEND_MKL = 3, D2D_FFT_BACKEND_CUFFT = 4

  !> The sign in the exponent of a transform of complex numbers, and in which pencils real space lies.
  integer, parameter :: DECOMP_2D_FFT_FORWARD = -1, DECOMP_2D_FFT_BACKWARD = 1
  integer, parameter :: PHYSICAL_IN_X = 1, PHYSICAL_IN_Z = 3

  integer, parameter :: D2D_MAJOR = 2, D2D_MINOR = 1
  logical, parameter :: D2D_RELEASE = .true.
end module decomp_2d_constants
