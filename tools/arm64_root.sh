#!/usr/bin/env bash
# tools/arm64_root: unpacks Debian's arm64 libraries into a folder, to compile against and to run programs with qemu-user.
# Keeps: the host's packages and apt's own state are not changed; a folder that is complete is left as it is.
set -euo pipefail

packages=(libc6-dev libstdc++-12-dev libgcc-12-dev zlib1g-dev openmpi-bin libopenmpi-dev libfftw3-dev
  libfmt-dev nlohmann-json3-dev libcli11-dev libgtest-dev libgmock-dev)

usage() {
  cat <<'END'
usage: tools/arm64_root.sh FOLDER

Downloads what weft needs for arm64, with the host's apt sources, and unpacks it into FOLDER. Nothing is installed, so root is
not needed. Takes half a minute; does nothing if FOLDER is complete. cmake/arm64.cmake says how to compile with it.
END
}

case "${1:-}" in "" | -h | --help) usage; [ $# -gt 0 ]; exit ;; esac
mkdir -p "$1"
folder=$(readlink -f "$1")
wanted=$(printf '%s ' "${packages[@]}")
if [ "$(cat "$folder/.complete" 2>/dev/null)" = "$wanted" ]; then exit 0; fi

# apt in a state of its own, in which no package is installed.
state=$folder/.apt
mkdir -p "$state/lists/partial" "$state/archives/partial"
: >"$state/status"
apt=(apt-get -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$state" -o "Dir::State::lists=$state/lists"
  -o "Dir::State::status=$state/status" -o "Dir::Cache=$state" -o "Dir::Cache::archives=$state/archives"
  -o "APT::Sandbox::User=$(id -un)")
"${apt[@]}" update
"${apt[@]}" install --download-only --yes --no-install-recommends "${packages[@]}"
for package in "$state"/archives/*.deb; do dpkg -x "$package" "$folder"; done
# Links to the root of the file system: here it is this folder.
find "$folder" -type l -lname '/*' -printf '%p %l\n' | while read -r link target; do
  ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$folder$target")" "$link"
done
# Links to /etc/alternatives, which the packages' scripts would make, are not needed: cmake/arm64.cmake names Open MPI's folders.
rm -rf "$state"
printf '%s' "$wanted" >"$folder/.complete"
