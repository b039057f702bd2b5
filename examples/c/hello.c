// hello: a plan, a field that is filled by global index, a transform there and back, and the check.
#include <math.h>
#include <stdio.h>
#include <weft/weft.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  weft_problem problem = {
      .size = sizeof problem, .axes = 3, .extents = {64, 64, 64}, .kind = WEFT_R2C};
  weft_plan* plan = NULL;
  weft_field *u = NULL, *v = NULL, *w = NULL;
  weft_share in = {.size = sizeof in};
  const char* text = "";
  double error = 1;
  if (!weft_plan_create(MPI_COMM_WORLD, &problem, NULL, &plan) &&
      !weft_field_create(plan, WEFT_INPUT, &u) && !weft_field_create(plan, WEFT_OUTPUT, &v) &&
      !weft_field_create(plan, WEFT_INPUT, &w) && !weft_plan_share(plan, WEFT_INPUT, &in)) {
    double* x = weft_field_data(u);
    for (weft_point p = {0}; weft_next_point(&in, &p);)  // p.at: the global index
      x[p.element] = sin(2 * acos(-1) * (double)p.at[0] / 64);
    if (!weft_run_fields(plan, WEFT_FORWARD, u, v, 1) &&
        !weft_run_fields(plan, WEFT_BACKWARD, v, w, 1) &&
        !weft_plan_describe(plan, WEFT_DETAIL_SUMMARY, &text))
      weft_max_abs_difference(u, w, 0, &error);
  }
  printf("%s\nerror %.2e\n%s", text, error, weft_last_error());
  weft_field_free(&u), weft_field_free(&v), weft_field_free(&w), weft_plan_free(&plan);
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}
