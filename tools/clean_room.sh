#!/usr/bin/env bash
# tools/clean_room: runs `./dev test` or `./dev demo` on a fresh Debian 12, on which nothing was installed by hand.
# Keeps: the host is not changed; mounts are in a namespace of their own and disappear with it, however the run ends.
set -euo pipefail

usage() {
  cat <<'END'
usage: tools/clean_room.sh FOLDER [test|demo|shell|base] [ARGUMENTS]

Makes a minimal Debian 12 in FOLDER/room, clones the last commit of this repository into it (/srv/weft) and runs
`./dev test` (default) or `./dev demo` there, with ARGUMENTS. `shell` opens a shell instead; `base` only makes the base.
The minimal system is kept as FOLDER/base-bookworm.tar.gz for later runs. Every run makes a new room, unless KEEP=1 is set,
which keeps the existing room and only updates the clone. Needs root and debootstrap.

The package managers of the room have the configuration of the host: apt's sources, trust and Acquire settings, pip's files,
and the environment variables for proxies, certificates and PIP_*. Nothing else of the host is passed on.
END
}

case "${1:-}" in "" | -h | --help) usage; [ $# -gt 0 ]; exit ;; esac
folder=$1
what=${2:-test}
shift; [ $# -eq 0 ] || shift
case "$what" in test | demo | shell | base) ;; *) usage >&2; exit 2 ;; esac
[ "$(id -u)" = 0 ] || { echo "clean_room: run this as root, which mounts and chroot need" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "clean_room: debootstrap is missing; apt-get install debootstrap" >&2; exit 1; }

suite=bookworm
repository=$(dirname "$(dirname "$(readlink -f "$0")")")
mkdir -p "$folder"
folder=$(readlink -f "$folder")
room=$folder/room
base=$folder/base-$suite.tar.gz
same_debian=$(. /etc/os-release && [ "${ID:-}" = debian ] && [ "${VERSION_CODENAME:-}" = "$suite" ] && echo yes || echo no)

# ---- the base: a minimal Debian, made once -----------------------------------------------------------------------

if [ ! -f "$base" ]; then
  mirror=http://deb.debian.org/debian
  if [ "$same_debian" = yes ]; then
    # The host's own mirror, if it is known.
    known=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 2>/dev/null | sed -n "s|/* $suite\$||p" | head -n 1)
    [ -z "$known" ] || mirror=$known
  fi
  echo "making a minimal Debian 12 from $mirror (once)"
  rm -rf "$folder/base.new"
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$folder/base.new" "$mirror" >"$folder/debootstrap.log" 2>&1 ||
    { tail -n 20 "$folder/debootstrap.log" >&2; exit 1; }
  rm -rf "$folder/base.new/var/cache/apt/archives/"*.deb
  tar -C "$folder/base.new" --one-file-system -czf "$base.part" .
  mv "$base.part" "$base"
  rm -rf "$folder/base.new"
fi
[ "$what" != base ] || { echo "base: $base"; exit 0; }

# ---- the room ----------------------------------------------------------------------------------------------------

if [ "${KEEP:-0}" != 1 ] || [ ! -d "$room" ]; then
  # Never removes files through a mount that an earlier run left.
  if grep -qF " $room/" /proc/mounts; then echo "clean_room: something is mounted under $room" >&2; exit 1; fi
  rm -rf --one-file-system "$room"
  mkdir -p "$room"
  tar -C "$room" -xzf "$base"
fi

# copy PATH...: copies from the host to the same path in the room, following links.
copy() {
  local path
  for path in "$@"; do
    [ -e "$path" ] || continue
    mkdir -p "$room$(dirname "$path")"
    rm -rf "${room:?}$path"
    cp -aL "$path" "$room$path"
  done
}

copy /etc/resolv.conf /etc/hosts
if [ "$same_debian" = yes ]; then
  copy /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/trusted.gpg /etc/apt/trusted.gpg.d /etc/apt/keyrings \
    /etc/apt/auth.conf /etc/apt/auth.conf.d
fi
# apt's settings for downloads (proxies, certificates, checks), but none of the host's hooks.
apt-config dump --no-empty | grep -E '^Acquire::' | grep -vE '^Acquire::(IndexTargets|GzipIndexes|Languages|CompressionTypes)' \
  >"$room/etc/apt/apt.conf.d/90clean-room" || true

# The certificates that the host trusts, and pip's own settings.
copy /etc/ssl/certs/ca-certificates.crt /usr/local/share/ca-certificates /etc/pip.conf
if [ -f "${PIP_CONFIG_FILE:-$HOME/.config/pip/pip.conf}" ]; then
  mkdir -p "$room/etc"
  cat "${PIP_CONFIG_FILE:-$HOME/.config/pip/pip.conf}" >>"$room/etc/pip.conf"
fi

environment=(HOME=/srv PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "TERM=${TERM:-dumb}" LANG=C.UTF-8)
while IFS= read -r -d '' variable; do
  name=${variable%%=*}
  value=${variable#*=}
  case "$name" in
    PIP_CONFIG_FILE) ;;
    PIP_* | SSL_CERT_FILE | SSL_CERT_DIR | REQUESTS_CA_BUNDLE | CURL_CA_BUNDLE | GIT_SSL_CAINFO | \
      http_proxy | https_proxy | no_proxy | all_proxy | HTTP_PROXY | HTTPS_PROXY | NO_PROXY | ALL_PROXY)
      environment+=("$variable")
      # A file or folder that a variable names must also be in the room; the system's own certificates already are.
      case "$value" in /etc/ssl/certs | /etc/ssl/certs/ca-certificates.crt) ;; /*) copy "$value" ;; esac
      ;;
  esac
done < <(env -0)

# The last commit, as a user gets it.
rm -rf "$room/srv/weft.new"
mkdir -p "$room/srv"
git -c safe.directory="$repository" clone --quiet --no-hardlinks "$repository" "$room/srv/weft.new"
commit=$(git -C "$room/srv/weft.new" log -1 --format='%h %s')
if [ -d "$room/srv/weft" ]; then
  for made in build .venv; do [ ! -e "$room/srv/weft/$made" ] || mv "$room/srv/weft/$made" "$room/srv/weft.new/$made"; done
  rm -rf "$room/srv/weft"
fi
mv "$room/srv/weft.new" "$room/srv/weft"

# ---- the run -----------------------------------------------------------------------------------------------------

case "$what" in
  shell) command=(bash) ;;
  *) command=(./dev "$what" "$@") ;;
esac
echo "in $room, commit $commit: ${command[*]}"
begin=$SECONDS code=0
# In a mount and process namespace, whose mounts and remaining processes end with its first process.
# shellcheck disable=SC2016
unshare --mount --pid --fork --kill-child --propagation private bash -euc '
  room=$1; shift
  mount -t proc proc "$room/proc"
  mount --rbind /dev "$room/dev"
  mount -t tmpfs -o mode=1777 tmpfs "$room/dev/shm"
  exec chroot "$room" "$@"
' clean_room "$room" /usr/bin/env -i "${environment[@]}" /bin/bash -c 'cd /srv/weft && exec "$@"' clean_room "${command[@]}" || code=$?
echo "clean room: ${command[*]} ended with $code after $((SECONDS - begin)) s; the tree is $room/srv/weft"
exit "$code"
