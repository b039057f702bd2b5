// cli/transform/transform: the command line of `weft transform`.

#include <CLI/CLI.hpp>

#include "weft/cli/command.hpp"
#include "weft/cli/transform/transform_run.hpp"
#include "weft/faces/kinds.hpp"
#include "weft/files/array_file.hpp"

namespace weft::cli {

namespace {

constexpr const char* transform_examples =
    "  weft transform field.npy spectrum.npy\n"
    "  weft transform spectrum.npy back.npy --kind c2r --last-size 24\n"
    "  weft transform field.npy planes.npy --axes 0,1 --norm ortho\n"
    "  weft transform waves.npy back.npy --kind c2c --inverse\n"
    "  weft transform waves.npy modes.npy --kind dct2,fourier\n"
    "  weft transform field.npy low.npy --modes 9x9x9\n"
    "  weft transform low.npy fine.npy --kind c2r --points 24x20x48\n"
    "  mpiexec -n 4 weft transform field.npy spectrum.npy --verify\n"
    "  mpiexec -n 4 weft transform field.npy spectra.h5:/velocity/u\n"
    "  weft transform spectra.h5:/velocity/u fields.zarr:/u --kind c2r\n"
    "  mpiexec -n 4 weft transform field.npy spectrum.npy --use-ranks 2\n"
    "  mpiexec -n 6 weft transform field.npy spectrum.npy --exchange alltoallw --grid 2x3\n";

}  // namespace

Command transform_command() {
  return {
      "transform", "transform an array in a file, as numpy.fft would", transform_examples,
      [](CLI::App& app) {
        const auto a = std::make_shared<TransformArguments>();
        app.add_option("INPUT", a->input,
                       "an array of float32, float64, complex64 or complex128: " +
                           std::string(array_path_forms) +
                           "; without /DATASET the only one of the file")
            ->required()
            ->type_name("");
        app.add_option("OUTPUT", a->output, "the .npy file to write; may be the same as INPUT")
            ->required()
            ->type_name("");
        app.add_option("--kind", a->request.kind,
                       "what is computed: " + std::string(kinds_text) +
                           " (default: r2c for a real array, c2c for a complex one). Bases alone "
                           "are of what INPUT has; those with f and --inverse make a real array, "
                           "c2c:sff --inverse a complex one")
            ->type_name("KIND");
        app.add_flag("--inverse", a->request.inverse, "compute the inverse transform");
        app.add_option("--axes", a->request.axes,
                       "the axes to transform; negative numbers count from the end (default: "
                       "all axes); r2c halves the last Fourier axis named")
            ->type_name("0,1,2");
        app.add_option("--norm", a->request.norm,
                       "backward (default), ortho or forward, as in NumPy; or none (no scaling)")
            ->type_name("NORM");
        app.add_option(
               "--last-size", a->request.last_size,
               "for c2r: number of points of the real field along the last Fourier axis named "
               "(default: 2 (n - 1))")
            ->type_name("N");
        app.add_option("--modes", a->request.modes,
                       "keep the coefficients that a grid of so many points has, as 43x43x43, and "
                       "leave out the others (default: all)")
            ->type_name("EXTENTS");
        app.add_option("--points", a->request.points,
                       "for transforms back to real space: points of a larger grid; coefficients "
                       "that INPUT has not are zero (default: as many as INPUT has)")
            ->type_name("EXTENTS");
        app.add_flag("--verify", a->verifies, "compare some points of the result with direct sums");
        add_plan_settings(app, a->given);
        return [a](const Surroundings& here) { run_transform(*a, here); };
      }};
}

}  // namespace weft::cli
