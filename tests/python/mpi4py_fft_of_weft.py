# tests/python/mpi4py_fft_of_weft: what weft's face of mpi4py-fft has beyond the original, and what it refuses, on any number of ranks.
# Usage: mpiexec -n 7 python -m mpi4py mpi4py_fft_of_weft.py 7 6,1 4,3, which runs mpi4py_fft_on_ranks.py, too.
import os
import sys

import numpy as np
import scipy.fft
import weft
import weft.compat.mpi4py_fft.install
from mpi4py import MPI

import mpi4py_fft_on_ranks as programs  # after install
from mpi4py_fft import PFFT, DistArray, HDF5File, NCFile, newDistArray
from mpi4py_fft import fftw as plans
from mpi4py_fft.pencil import Pencil, Subcomm

comm = MPI.COMM_WORLD
SHAPE = programs.SHAPE


def refused(call, *words, of_one_rank=False):
    """All ranks get the same error, with these words in it; that of one rank alone is named by the others."""
    try:
        call()
        text = "no error"
    except weft.Error as error:
        text = str(error)
    assert all(word in text for word in words), text
    assert len(set(comm.allgather(text))) == 1 or of_one_rank


def test_the_name_is_that_of_the_package():
    import mpi4py_fft
    import mpi4py_fft.fftw.utilities
    import weft.compat.mpi4py_fft as ours

    assert mpi4py_fft is ours and mpi4py_fft.PFFT is PFFT and mpi4py_fft.io.h5py_file is sys.modules["weft.compat.mpi4py_fft.io.h5py_file"]


def test_a_transform_without_padding_is_one_plan():
    fft = PFFT(comm, SHAPE)
    assert isinstance(fft._plan, weft.Plan) and fft._plan.box("output") == fft.local_slice()
    u = newDistArray(fft, False)
    assert np.may_share_memory(fft.forward.input_array, fft.xfftn[0].forward.input_array)
    assert fft.forward.output_array is fft.xfftn[-1].forward.output_array and not np.may_share_memory(u, fft.forward.input_array)
    fft.destroy()
    padded = PFFT(comm, SHAPE, padding=1.5)  # one number, for all axes
    assert padded._plan is None and padded.global_shape() == (21, 13, 18)
    padded.destroy()


def test_arrays_of_a_transform_are_made_when_they_are_needed():
    fft = PFFT(comm, SHAPE)
    u, v = newDistArray(fft, False, val=1), newDistArray(fft)
    held = [serial._serial.arrays for serial in fft.xfftn]
    fft.backward(fft.forward(u, v), u)
    assert held == [{}] * len(held)
    assert fft.forward(u) is fft.forward.output_array and list(held[-1]) == ["V"] and all("U" not in arrays for arrays in held)
    fft.destroy()


def test_arrays_that_are_wrong_on_one_rank_are_refused_on_all():
    is_last, wrong = comm.rank == comm.size - 1, np.ones((2, 3, 77))
    for side, words in ((0, ("ValueError: could not broadcast", "(2,3,77)")), (1, ("the output has the shape (2, 3, 77)",))):
        fft = PFFT(comm, SHAPE)
        right = newDistArray(fft, False), newDistArray(fft)
        given = [wrong if is_last and number == side else array for number, array in enumerate(right)]
        refused(lambda: fft.forward(*given), *words, of_one_rank=True)
        fft.destroy()
    grid = Subcomm(comm, [0, 1, 1])
    move = Pencil(grid, SHAPE, 1).transfer(Pencil(grid, SHAPE, 1).pencil(0), "d")
    a, b = np.ones(move.subshapeA), np.zeros(move.subshapeB)
    refused(lambda: move.forward(wrong, b), "the source of a transfer has the shape (2, 3, 77)", of_one_rank=True)  # its text has the shape of each rank
    move.forward(a, b)
    assert (b == 1).all()
    refused(lambda: move.forward(wrong if is_last else a, b), "the source of a transfer has the shape (2, 3, 77)", of_one_rank=True)
    grid.destroy()


def test_an_array_may_be_its_own_transform():
    whole = programs.values(dtype="D")
    fft = PFFT(comm, SHAPE, axes=(2,), dtype="D")
    u = newDistArray(fft, False)
    u[:] = whole[fft.local_slice(False)]
    assert fft.forward(u, u) is u
    programs.near(u, (np.fft.fft(whole) / 12)[fft.local_slice()])
    fft.destroy()


def test_groups_of_axes_are_whole_when_they_are_transformed():
    whole = programs.values()
    programs.round_trip(PFFT(comm, SHAPE, axes=((0, 1), (2,))), whole, programs.fourier(whole, (0, 1, 2)))
    programs.round_trip(PFFT(comm, SHAPE, axes=((2, 1), 0)), whole, programs.fourier(whole, (2, 1, 0)))


def test_cosines_of_complex_fields():
    whole = programs.values(dtype="D")
    pair = (plans.dctn, plans.idctn)
    expected = scipy.fft.dct(np.fft.fft2(whole, axes=(0, 2)), axis=1) / (14 * 12 * 18)
    for named in ({(1,): pair}, {1: pair}, {(-2,): pair}):
        programs.round_trip(PFFT(comm, SHAPE, dtype="D", transforms=named), whole, expected)
    real = programs.values()
    expected = scipy.fft.dct(np.fft.rfft2(real, axes=(0, 2)), axis=1) / (14 * 12 * 18)
    programs.round_trip(PFFT(comm, SHAPE, transforms={(1,): pair}, collapse=True), real, expected)


def test_functions_of_others_make_a_chain():
    def doubled(u, **kw):
        plan = plans.fftn(u, **{name: value for name, value in kw.items() if name in ("axes", "output_array")})
        plan._normalization *= 2
        return plan

    whole = programs.values(dtype="D")
    fft = PFFT(comm, SHAPE, dtype="D", transforms={(2,): (doubled, plans.ifftn)})
    assert fft._plan is None
    programs.near(fft.forward(whole[fft.local_slice(False)]), 2 * programs.fourier(whole, (0, 1, 2))[fft.local_slice()])
    fft.destroy()


def test_structures_are_moved():
    grid = Subcomm(comm, [0, 0, 1])
    whole = np.zeros(SHAPE, [("a", "f8"), ("b", "i4")])
    whole["a"], whole["b"] = programs.values(), np.arange(whole.size).reshape(SHAPE)
    p0 = Pencil(grid, SHAPE)
    p1 = p0.pencil(0)
    a, b = (whole[tuple(slice(first, first + n) for first, n in zip(p.substart, p.subshape))] for p in (p0, p1))
    moved = np.zeros(p1.subshape, whole.dtype)
    move = p0.transfer(p1, whole.dtype)
    move.forward(a, moved)
    assert (moved == b).all()
    move.destroy()
    assert [sub.Get_size() for sub in Subcomm(list(grid))] == [sub.Get_size() for sub in grid]
    grid.destroy()


def test_slices_of_the_whole_array_are_gathered():
    grid = Subcomm(comm, [0, 0, 1])
    whole = programs.values((2, *SHAPE))
    u = DistArray((2, *SHAPE), subcomm=grid, rank=1)
    u[:] = whole[u.local_slice()]
    for index in ((slice(None), 3, slice(None), 5), (1, slice(2, 9), slice(None), slice(4, 4)), (slice(None),) * 4, (0, 1, 2, -1)):
        given = u.get(index)
        assert (given is None) == (comm.rank > 0)
        if comm.rank == 0:
            np.testing.assert_array_equal(given, whole[index])
    refused(lambda: u.get((0, 14, 0, 0)), "there is no index 14 of 14 points")
    refused(lambda: u.get((slice(None), 1)), "2 indices", "4 axes")
    grid.destroy()


def test_halfcomplex_and_hartley_plans():
    if comm.size > 1:
        return  # the same on all ranks
    for n in (1, 2, 5, 6):
        x = programs.values((3, n, 2))
        waves = np.fft.rfft(x, axis=1)
        halves = np.concatenate([waves.real, waves.imag[:, (n - 1) // 2 : 0 : -1]], axis=1)
        plan = plans.get_planned_FFT(x.copy(), np.zeros_like(x), (1,), plans.FFTW_R2HC)
        programs.near(plan(x.copy()), halves)
        programs.near(plans.get_planned_FFT(halves, np.zeros_like(x), (1,), plans.FFTW_HC2R)(halves), n * x)
        far = np.fft.fft(x, axis=1)
        programs.near(plans.get_planned_FFT(x.copy(), np.zeros_like(x), (1,), plans.FFTW_DHT)(x.copy()), far.real - far.imag)
        kinds = (plans.FFTW_DHT, plans.FFTW_REDFT10)
        programs.near(plans.get_planned_FFT(x.copy(), np.zeros_like(x), (1, 0), kinds)(x.copy()), scipy.fft.dct(far.real - far.imag, axis=0))
        kinds = (plans.FFTW_REDFT11, plans.FFTW_RODFT01)
        programs.near(plans.get_planned_FFT(x.copy(), np.zeros_like(x), (0, 1), kinds)(x.copy()), scipy.fft.dst(scipy.fft.dct(x, type=4, axis=0), type=3, axis=1))


def test_what_cannot_be_is_refused_on_all_ranks():
    refused(lambda: PFFT(comm, (SHAPE[0], 0, 4)), "the shape is (14, 0, 4)")
    refused(lambda: PFFT(comm, SHAPE, axes=(0, 0)), "the axes are [0, 0]")
    refused(lambda: PFFT(comm, SHAPE, axes=(3,)), "the axes are [3]")
    refused(lambda: PFFT(comm, SHAPE, dtype="i"), "there are no transforms of int32")
    refused(lambda: PFFT(comm, SHAPE, backend="other"), "there is no backend 'other'")
    refused(lambda: PFFT(comm, SHAPE, other=1), "there is no argument 'other'")
    refused(lambda: PFFT(comm, SHAPE, padding=(1.5, 1)), "the padding is (1.5, 1), of 3 axes")
    refused(lambda: PFFT(comm, SHAPE, padding=0.5), "the padding is 0.5")
    refused(lambda: PFFT(comm, SHAPE, axes=((0,), (1, 2)), padding=1.5), "(1, 2) of one group", "padded by 1.5")
    refused(lambda: Subcomm(comm, [comm.size + 1, 0]), f"{comm.size} ranks do not fit a grid of {comm.size + 1}x?")
    refused(lambda: DistArray((8,), rank=1), "has no axis to share")
    refused(lambda: plans.fftn(np.zeros(4)), "fftn takes arrays of the types F, D, G, and not float64")
    refused(lambda: plans.get_planned_FFT(np.zeros(4), np.zeros(4), (0,), plans.FFTW_FORWARD), "the kinds (-1,) do not go with")
    refused(lambda: plans.dctn(np.zeros(4), type=5), "the type of the transform is 5")
    if comm.size > 1:
        refused(lambda: PFFT(comm, (comm.size - 1, 40), axes=(0, 1)), f"axis 0 has {comm.size - 1} points for {comm.size} ranks")
        refused(lambda: PFFT(comm, SHAPE, grid=(1, 1, -1)), "axis 2 is transformed first, and not whole")
        refused(lambda: PFFT(comm, SHAPE, grid=(1, -1), axes=((0,), (1, 2))), "axis 1 of the group (1, 2) is not whole")
        refused(lambda: PFFT(comm, (40,)), f"{comm.size} ranks do not fit a grid of 1")
        grids = Subcomm(comm, [0, 1]), Subcomm(comm, [1, 0])
        u, v = DistArray((8, 9), subcomm=grids[0]), DistArray((8, 9), subcomm=grids[1], dtype="f")
        refused(lambda: u.redistribute(out=v), "the array to fill, (8, 9) of float32")
        for grid in grids:
            grid.destroy()


def test_files(folder="/tmp"):
    try:
        import h5py  # noqa: F401
        import netCDF4  # noqa: F401
    except ImportError:
        for kind, package in ((HDF5File, "h5py"), (NCFile, "netCDF4")):
            if package not in sys.modules:
                try:
                    kind("never.written", mode="w")
                    raise SystemExit("no error")
                except ImportError as error:
                    assert f"need {package}, which is not installed" in str(error)
        return
    if comm.size < MPI.COMM_WORLD.size:
        return
    written(comm.bcast(os.path.join(os.environ.get("TMPDIR", folder), f"weft_{os.getpid()}")))


def written(stem):
    """Files hold what is written, where mpi4py-fft has it."""
    import h5py
    import netCDF4

    whole = programs.values((3, *SHAPE))
    fft = PFFT(comm, SHAPE)
    u, w = newDistArray(fft, False), newDistArray(fft, False, rank=1)
    u[:], w[:] = whole[0][u.local_slice()], whole[w.local_slice()]
    for kind, ending in ((HDF5File, ".h5"), (NCFile, ".nc")):
        file = kind(stem + ending, mode="w")
        for step in (0, 3):
            file.write(step, {"u": [u, (u, [slice(None), 4, slice(None)]), (u, [2, 4, slice(None)])], "w": [w]})
        file.write(3, {"c": [w]}, as_scalar=True)
        again = newDistArray(fft, False, rank=1)
        again.read(stem + ending, "w", step=3 if ending == ".h5" else 1)
        np.testing.assert_array_equal(again, w)
        u.write(stem + ending, "u", step=5)
        refused(lambda: file.write(0, {"u": [(u, [1, 2])]}), "2 indices of a field of 3 axes")
        missing = "never" if comm.rank == comm.size - 1 else "u"
        refused(lambda: u.read(stem + ending, missing, step=5 if ending == ".h5" else 2), "a rank cannot read 'never'")
    if comm.rank == 0:
        with h5py.File(stem + ".h5") as file:
            for path, values in (("u/3D/5", whole[0]), ("u/2D/slice_4_slice/3", whole[0][:, 4]), ("u/1D/2_4_slice/0", whole[0][2, 4]),
                                 ("w/3D/3", whole), ("c2/3D/3", whole[2])):  # fmt: skip
                np.testing.assert_array_equal(file[path][...], values)
            assert tuple(file["u"].attrs["shape"]) == SHAPE and file["w"].attrs["rank"] == 1 and file["u/domain/x1"][1] == 2 * np.pi
        with netCDF4.Dataset(stem + ".nc") as file:
            assert list(file["time"][:]) == [0, 3, 5] and file["u"].dimensions == ("time", "x", "y", "z")
            np.testing.assert_array_equal(file["u"][2], whole[0])
            np.testing.assert_array_equal(file["u_slice_4_slice"][1], whole[0][:, 4])
            np.testing.assert_array_equal(file["w"][1], whole)
        weft.compat.mpi4py_fft.generate_xdmf(stem + ".h5")
        text = open(stem + "_slice_4_slice.xdmf").read()
        assert "u/2D/slice_4_slice/3" in text and 'Dimensions="14 1 12"' in text
        for ending in (".h5", ".nc", ".xdmf", "_slice_4_slice.xdmf"):
            os.remove(stem + ending)
    fft.destroy()


def test_plans_that_are_destroyed_leave_nothing(count=int(os.environ.get("WEFT_TEST_PLANS", 4))):
    def held():
        """Open descriptors, and the number that MPI gives the next communicator."""
        comm.Barrier()
        next_one = comm.Dup()
        number = next_one.py2f()
        next_one.Free()
        return len(os.listdir("/proc/self/fd")), number

    def round_():
        fft = PFFT(comm, (8, 8, 8))
        u = newDistArray(fft, False)
        fft.backward(fft.forward(u))
        for transfer in fft.transfer[:1]:
            transfer.forward(np.zeros(transfer.subshapeA, complex), np.zeros(transfer.subshapeB, complex))
        fft.destroy()

    round_()
    before = held()
    for _ in range(count):
        round_()
    assert held() == before, (before, held())


if __name__ == "__main__":
    programs.divisions.main(sys.argv[1:], programs, sys.modules[__name__])
