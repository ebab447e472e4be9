#!/bin/sh
# Measures estoc compiled for this processor, and compiled as users get it, which is for any x86-64
# processor; METHOD.md says more. Arguments select what is measured: --scenes, --rays, --reps and
# others, but not --csv, --markdown or --build-reps.
#
#     ./both.sh --scenes hall,terrain2m --rays primary,random
#
# Tables are printed; they and all rows are left in the folder OUT, target/both by default.
set -eu
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-target}
out=${OUT:-$target/both}
mkdir -p "$out"

RUSTFLAGS="-C target-cpu=native" CARGO_TARGET_DIR="$target/native" cargo build --release
RUSTFLAGS= CARGO_TARGET_DIR="$target/portable" cargo build --release

# Embree is the same library in both programs: its rows show the noise.
measure() {
    program=$1 run=$2
    shift 2
    "$target/$program/release/estoc-peers" --engines 'estoc$,embree-medium$' --build-reps 1 \
        --csv "$out/$program-$run.csv" "$@" >/dev/null
}

# In this order both have the same mean distance from the start.
measure portable 1 "$@"
measure native 1 "$@"
measure native 2 "$@"
measure portable 2 "$@"

"$target/native/release/estoc-peers" --from "$out/native-1.csv,$out/native-2.csv" \
    --portable "$out/portable-1.csv,$out/portable-2.csv" --markdown "$out/both.md" >/dev/null
cat "$out/both.md"
