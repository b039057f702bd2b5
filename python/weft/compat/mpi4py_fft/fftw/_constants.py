# weft.compat.mpi4py_fft.fftw._constants: the numbers by which FFTW's interface names kinds of transforms and flags.
"""FFTW's kinds and flags."""

FFTW_FORWARD = C2C_FORWARD = -1
FFTW_BACKWARD = C2C_BACKWARD = 1
R2C = -2
C2R = 2

FFTW_R2HC = 0
FFTW_HC2R = 1
FFTW_DHT = 2
FFTW_REDFT00 = 3
FFTW_REDFT01 = 4
FFTW_REDFT10 = 5
FFTW_REDFT11 = 6
FFTW_RODFT00 = 7
FFTW_RODFT01 = 8
FFTW_RODFT10 = 9
FFTW_RODFT11 = 10

FFTW_MEASURE = 0
FFTW_DESTROY_INPUT = 1
FFTW_UNALIGNED = 2
FFTW_CONSERVE_MEMORY = 4
FFTW_EXHAUSTIVE = 8
FFTW_PRESERVE_INPUT = 16
FFTW_PATIENT = 32
FFTW_ESTIMATE = 64
FFTW_WISDOM_ONLY = 1 << 21

flag_dict = {name: value for name, value in globals().items() if name.startswith("FFTW_")}

# The kind of a type, 1 to 4, of cosine and sine transforms, and of their inverses.
dct_type = {1: FFTW_REDFT00, 2: FFTW_REDFT10, 3: FFTW_REDFT01, 4: FFTW_REDFT11}
idct_type = {1: FFTW_REDFT00, 2: FFTW_REDFT01, 3: FFTW_REDFT10, 4: FFTW_REDFT11}
dst_type = {1: FFTW_RODFT00, 2: FFTW_RODFT10, 3: FFTW_RODFT01, 4: FFTW_RODFT11}
idst_type = {1: FFTW_RODFT00, 2: FFTW_RODFT01, 3: FFTW_RODFT10, 4: FFTW_RODFT11}

# weft's name of each kind of real transforms that it has.
BASES = {
    **{kind: f"dct{type_}" for type_, kind in dct_type.items()}, **{kind: f"dst{type_}" for type_, kind in dst_type.items()},
}  # fmt: skip

__all__ = [
    "C2C_BACKWARD", "C2C_FORWARD", "C2R", "FFTW_BACKWARD", "FFTW_CONSERVE_MEMORY", "FFTW_DESTROY_INPUT", "FFTW_DHT", "FFTW_ESTIMATE",
    "FFTW_EXHAUSTIVE", "FFTW_FORWARD", "FFTW_HC2R", "FFTW_MEASURE", "FFTW_PATIENT", "FFTW_PRESERVE_INPUT", "FFTW_R2HC", "FFTW_REDFT00",
    "FFTW_REDFT01", "FFTW_REDFT10", "FFTW_REDFT11", "FFTW_RODFT00", "FFTW_RODFT01", "FFTW_RODFT10", "FFTW_RODFT11", "FFTW_UNALIGNED",
    "FFTW_WISDOM_ONLY", "R2C", "dct_type", "dst_type", "flag_dict", "idct_type", "idst_type",
]  # fmt: skip
