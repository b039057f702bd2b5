#!/bin/bash
# bench/compat/lammps: runs PPPM with two LAMMPS, one with its own transforms and one that is linked with weft::lammps, and compares what
# they print of energies and pressures, digit by digit. Usage: compare.sh THEIR_LMP OUR_LMP [RANKS...], ranks are 1 2 4 by default.
# docs/compat/lammps.md says how to link.
set -eu
their=$(realpath "$1") ours=$(realpath "$2")
shift 2
input=$(realpath "$(dirname "$0")/salt.in")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
rows() { awk '/^ *Step / { on = 1; next } /^Loop/ { on = 0 } on && $1 ~ /^[0-9]+$/' "$1"; }
status=0
for ranks in "${@:-1 2 4}"; do
  for n in $ranks; do
    for lmp in their ours; do
      OMP_NUM_THREADS=1 ${MPIEXEC:-mpiexec} -n "$n" "${!lmp}" -in "$input" -log "$lmp.log" -screen none
      rows "$lmp.log" > "$lmp.rows"
    done
    lines=$(wc -l < their.rows)
    if [ "$lines" -gt 0 ] && cmp -s their.rows ours.rows; then echo "$n ranks: $lines lines are the same"
    else echo "$n ranks: DIFFERENT"; diff their.rows ours.rows || true; status=1; fi
    for lmp in their ours; do echo "  $lmp: $(grep -h "FFT time" "$lmp.log" | head -1)"; done
  done
done
exit $status
