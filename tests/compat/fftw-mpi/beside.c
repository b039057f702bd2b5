/* tests/compat/fftw-mpi/beside: a module that has an FFTW of its own, and a program that loads it for itself alone, as Python does, where
 * weft is preloaded. The same source, with MODULE for the module. */
#include <math.h>
#include <stdio.h>

#ifdef MODULE
#include <fftw3.h>

/* The largest error of one wave in 15 points, or -1 without a plan. */
double error_of_a_wave(void);
double error_of_a_wave(void) {
  enum { n = 15, wave = 4 };
  const double two_pi = 8 * atan(1);
  fftw_complex in[n], out[n], again[n];
  fftw_plan plan = fftw_plan_dft_1d(n, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
  if (plan == NULL) return -1;
  for (int i = 0; i < n; ++i) {
    in[i][0] = cos(two_pi * wave * i / n);
    in[i][1] = sin(two_pi * wave * i / n);
  }
  fftw_execute(plan);
  fftw_execute_dft(plan, in, again);
  fftw_destroy_plan(plan);
  double error = 0;
  for (int i = 0; i < n; ++i) {
    error = fmax(error, hypot(out[i][0] - (i == wave ? n : 0), out[i][1]));
    error = fmax(error, hypot(again[i][0] - out[i][0], again[i][1] - out[i][1]));
  }
  return error;
}

#else
#include <dlfcn.h>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  if (dlsym(RTLD_DEFAULT, "fftw_execute") == NULL) return fprintf(stderr, "nothing is preloaded\n"), 1;
  void* const module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (module == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  double (*error_of_a_wave)(void) = NULL;
  *(void**)&error_of_a_wave = dlsym(module, "error_of_a_wave");
  const double error = error_of_a_wave();
  if (error >= 0 && error < 1e-13) return 0;
  fprintf(stderr, "a module's own FFTW is wrong by %g\n", error);
  return 1;
}
#endif
