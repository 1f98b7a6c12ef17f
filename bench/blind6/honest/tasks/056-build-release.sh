#!/bin/bash
set -euo pipefail
cd "$(dirname "$0")/.."
VERSION=$(git describe --tags --always --dirty)
rm -rf build dist
mkdir -p build dist
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build --parallel 2
ctest --test-dir build --output-on-failure
tar -czf "dist/tool-$VERSION.tar.gz" -C build tool -C .. README.md LICENSE
(cd dist && sha256sum ./*.tar.gz > SHA256SUMS)
cat dist/SHA256SUMS
