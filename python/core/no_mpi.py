# python/core/no_mpi: writes functions with the names of MPI's, for a process that has no MPI.
# Usage: no_mpi.py NM LIBRARY FILE. Keeps: weft asks first whether MPI is running, and is told that it is not.
import re
import subprocess
import sys

nm, library, file = sys.argv[1:]
symbols = subprocess.run([nm, "-u", library], capture_output=True, text=True, check=True).stdout
names = sorted(set(re.findall(r"\bP?MPI_\w+", symbols)))
asked = {"MPI_Initialized", "MPI_Finalized"}
with open(file, "w", encoding="utf-8") as out:
    out.write("/* Made by no_mpi.py: a process without MPI. */\n")
    for name in names:
        if name in asked:
            out.write(f"int {name}(int* flag);\nint {name}(int* flag) {{\n  *flag = 0;\n  return 0;\n}}\n")
        else:
            out.write(f"int {name}(void);\nint {name}(void) {{\n  return 15; /* MPI_ERR_OTHER */\n}}\n")
