# A recipe of Spack's: put this folder's file into a repository of yours, as packages/weft/package.py, and `spack install weft`.
from spack.package import *


class Weft(CMakePackage):
    """Distributed FFTs of fields that are spread over many processes, from C++, C and Fortran."""

    # weft has no public address to fetch from: `spack develop --path CLONE weft@=main` says where its sources are.
    license("BSD-3-Clause")

    version("main")

    variant("shared", default=True, description="Build shared libraries")
    variant("fftw", default=True, description="FFTW 3 as an engine, and weft's own kernels, which need it")
    variant("mkl", default=False, description="oneMKL as an engine")
    variant("cuda", default=False, description="Kernels for devices of NVIDIA; the driver is found when a program runs")
    variant("rocm", default=False, description="Kernels for devices of AMD; the run-time library is found when a program runs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.24:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("cli11@2.2:", type="build")
    depends_on("fftw@3.3: precision=float,double ~mpi", when="+fftw")
    depends_on("intel-oneapi-mkl", when="+mkl")
    depends_on("cuda@12:", when="+cuda", type="build")
    depends_on("hip@5:", when="+rocm", type="build")

    generator("ninja")

    conflicts("~fftw~mkl", msg="weft needs FFTW or oneMKL")
    conflicts("%gcc@:11", msg="weft is C++20, which GCC has from 12 on")
    conflicts("platform=darwin", msg="ranks of a node share memory in ways that only Linux has")
    conflicts("platform=windows", msg="ranks of a node share memory in ways that only Linux has")

    def cmake_args(self):
        def on_or_off(variant):
            return "on" if self.spec.satisfies(f"+{variant}") else "off"

        mpi = "mpich" if self.spec["mpi"].name in ("mpich", "mvapich", "cray-mpich", "intel-oneapi-mpi") else "openmpi"
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("WEFT_TESTS", False),
            self.define("WEFT_EXAMPLES", False),
            self.define("WEFT_PYTHON", "off"),
            self.define("WEFT_MPI", mpi),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define("WEFT_FFTW", on_or_off("fftw")),
            self.define("WEFT_MKL", on_or_off("mkl")),
            self.define("WEFT_CUDA", on_or_off("cuda")),
            self.define("WEFT_HIP", on_or_off("rocm")),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_engines(self):
        Executable(join_path(self.prefix.bin, "weft"))("engines")
