#!/usr/bin/env bash
# packaging/debian.sh: builds Debian's packages of the last commit into a folder, with what packaging/debian says.
# Needs dpkg-dev and debhelper, and what Build-Depends in packaging/debian/control names; run it with no argument for help.
set -euo pipefail

if [ $# -ne 1 ] || [ "$1" = -h ] || [ "$1" = --help ]; then
  echo "usage: packaging/debian.sh FOLDER     makes weft_*.deb, libweft0.1_*.deb and libweft-dev_*.deb in FOLDER"
  [ $# -eq 1 ] || exit 2
  exit
fi
repository=$(git -C "$(dirname "$(readlink -f "$0")")" rev-parse --show-toplevel)
version=$(sed -n '1s/.*(\([^-]*\)-.*/\1/p' "$repository/packaging/debian/changelog")
mkdir -p "$1"
folder=$(readlink -f "$1")
git -C "$repository" archive --prefix "weft-$version/" -o "$folder/weft_$version.orig.tar.gz" HEAD
tar -xf "$folder/weft_$version.orig.tar.gz" -C "$folder"
cp -r "$folder/weft-$version/packaging/debian" "$folder/weft-$version/debian"
cd "$folder/weft-$version"
dpkg-buildpackage -us -uc -b
