! heffte_stock: heFFTe's module for the backend stock, which is weft as the others are.
module heffte_stock
  use weft_heffte, only: heffte_fft3d_stock => weft_heffte_fft3d, heffte_fft3d_r2c_stock => weft_heffte_fft3d_r2c, &
    scale_stock_none => scale_none, scale_stock_full => scale_full, scale_stock_symmetric => scale_symmetric, &
    scale, ierr, get_serr, SWIG_UnknownError, SWIG_IOError, SWIG_RuntimeError, SWIG_IndexError, SWIG_TypeError, &
    SWIG_DivisionByZero, SWIG_OverflowError, SWIG_SyntaxError, SWIG_ValueError, SWIG_SystemError, SWIG_AttributeError, &
    SWIG_MemoryError, SWIG_NullReferenceError
  implicit none
  public
end module heffte_stock
