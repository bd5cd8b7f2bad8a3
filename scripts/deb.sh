#!/usr/bin/env bash
# Packs build/gradus for Debian: build/gradus_VERSION_ARCHITECTURE.deb.  deb.sh VERSION
#
# The libraries that it depends on are read off the programs (dpkg-shlibdeps, package dpkg-dev).
# Install it with `apt install ./build/gradus_*.deb`.  Exit status 3: a program is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$1
for program in dpkg-deb dpkg-shlibdeps; do
    command -v $program >/dev/null || {
        printf 'deb: there is no %s; it comes with the package dpkg-dev\n' $program >&2
        exit 3
    }
done
architecture=$(dpkg --print-architecture)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/root
chmod 755 "$folder"

make --no-print-directory -o programs install DESTDIR="$root" PREFIX=/usr >/dev/null
strip --strip-unneeded "$root"/usr/bin/*
gzip -9n "$root/usr/share/man/man1/gradus.1"
cp LICENSE "$root/usr/share/doc/gradus/copyright"
rm "$root/usr/share/doc/gradus/LICENSE"
gzip -9n "$root/usr/share/doc/gradus/CHANGELOG.md"
mkdir -p "$folder/debian" "$root/DEBIAN"
printf 'Source: gradus\n\nPackage: gradus\nArchitecture: any\n' >"$folder/debian/control"
depends=$(cd "$folder" && dpkg-shlibdeps -O --ignore-missing-info root/usr/bin/gradus root/usr/bin/gradus-draw 2>/dev/null |
    sed -n 's/^shlibs:Depends=//p' | sed 's/libopenblas0\b/libopenblas0-serial | libopenblas0/')
cat >"$root/DEBIAN/control" <<END
Package: gradus
Version: $version
Architecture: $architecture
Maintainer: The Gradus authors <gradus@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: $depends, fonts-dejavu-core
Section: math
Priority: optional
Description: a small language for tensor graphs with scan, until and grad
 Evaluates tensor programs with loops and their derivatives, shows each rewrite
 of their graphs step by step, and draws them. With a prompt.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$root" -type d -exec chmod 755 {} +
package=build/gradus_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
printf '%s\n' "$package"
