# What each step of the gate checks; .ci/run runs them.

# Each configuration has one folder, in which all packages of that configuration build: what they have in
# common is compiled once. SwiftPM would take the last plan of a folder for that of another package, unless
# told not to.
scratch=.build/ci
summary=$scratch/summary.txt
mkdir -p "$scratch/bin"

plain=(--scratch-path "$scratch/plain" --disable-build-manifest-caching)
debug=(--scratch-path "$scratch/debug" --disable-build-manifest-caching)
# With these, tests and programs share what is optimized. To `swift test` one more has to be said: it would
# add -enable-testing where a build does not, and all would be compiled once more.
release_tests=(swift test --disable-testable-imports)
release=(
    -c release --scratch-path "$scratch/release" --disable-build-manifest-caching -debug-info-format none
    -Xswiftc -enable-testing
)

thread=(--sanitize=thread --scratch-path "$scratch/thread" --disable-build-manifest-caching)

# Warnings are errors. In the debug build each file is compiled by itself, too: see Package.swift.
export QUEUE_POOLS_GATE=warnings
use_debug_build() { export QUEUE_POOLS_GATE=warnings,imports,no-debug-information; }
use_plain_build() { export QUEUE_POOLS_GATE=warnings,no-debug-information,$(size pool-tests,no-models ""); }
use_address_build() { export QUEUE_POOLS_GATE=warnings,unoptimized-tests,no-models; }
use_thread_build() { export QUEUE_POOLS_GATE=warnings,no-models; }

# Hundreds of tests at a time would take turns so often that all together take twice as long.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$((2 * $(nproc)))

# Under root, machines without sudo need none; README's commands may still name it.
if [[ $(id -u) -eq 0 ]] && ! command -v sudo >/dev/null; then
    printf '#!/bin/sh\nexec "$@"\n' >"$scratch/bin/sudo"
    chmod +x "$scratch/bin/sudo"
fi
export PATH="$PATH:$PWD/$scratch/bin" DEBIAN_FRONTEND=noninteractive

# `small` in the gate, `full` in `.ci/run full`.
size() { if [[ ${GATE_SIZE:-small} == full ]]; then echo "$2"; else echo "$1"; fi; }

# MARK: System packages

first_packages=(qemu-system-x86 busybox-static cpio)
all_packages=(
    libgtk-4-dev libepoxy-dev xvfb xauth xdotool libsdl2-dev fonts-noto-cjk chromium curl wrk
)

# What README's n-th command installs.
readme_packages() {
    .ci/readme-block "Quick start" "$1" | sed -n 's/.*apt-get install -y \([^&]*\) &&.*/\1/p'
}

apt() { sudo env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@"; }

# While the first steps run without them.
step_download() {
    apt update
    apt install --download-only --yes --no-install-recommends "${first_packages[@]}" "${all_packages[@]}" \
        $(readme_packages 1) $(readme_packages 2)
    Tests/NUMA/fetch-kernel .build/ci/numa/kernel
}

install() {
    local states
    states=$(dpkg-query -W -f '${db:Status-Status}\n' "$@" 2>/dev/null) || states=unknown
    if [[ $(sort -u <<<"$states") == installed ]]; then return; fi
    # By itself the step may come before any list of packages is there.
    apt install --yes --no-install-recommends "$@" || { apt update && apt install --yes --no-install-recommends "$@"; }
}

step_install-first() { install "${first_packages[@]}" $(readme_packages 1); }

step_install-all() { install "${all_packages[@]}" $(readme_packages 2); }

# MARK: The package

step_lint() {
    swift format lint --strict --parallel --recursive Package.swift Sources Tests Docs .ci/*.swift
    .ci/check-documents
}

# Runs a part of the tests. To SwiftPM it is no error if there are none that a filter takes, as after a suite
# got another name; here it is.
filtered_tests() { expect_tests swift test "$@"; }

expect_tests() {
    local log
    log=$(mktemp "$scratch/filtered-tests.XXXXXX")
    "$@" 2>&1 | tee "$log"
    grep -q 'Test run with [1-9]' "$log" || { echo "error: no test ran: $*" >&2 && return 1; }
    rm "$log"
}

# Apart from the tests, which so have the time limit of a step for themselves.
step_debug-build() {
    use_debug_build
    swift build --build-tests --enable-all-traits "${debug[@]}"
}

# README's command, word for word, but in the folder of the debug steps.
step_tests() {
    use_debug_build
    local command
    command=$(.ci/readme-block "Quick start" 2)
    echo "$command"
    rm -f "$scratch/debug/debug.yaml"
    SWIFTPM_BUILD_DIR=$PWD/$scratch/debug bash -euo pipefail -c "$command" 2>&1 | tee "$scratch/readme.log"
    summarize "$scratch/readme.log"
    # The other direction of what `traits-off` checks.
    expect_libraries "$scratch/debug/debug/TopologyProbe" libnuma
}

step_quick-tests() {
    use_debug_build
    filtered_tests "${debug[@]}" --enable-all-traits --skip '^StressTests\.|LeakStress' | tee "$scratch/quick.log"
    summarize "$scratch/quick.log"
}

# The last line of the gate.
summarize() {
    grep 'Test run with [1-9].* passed' "$1" | tail -n 1 >"$summary"
    [[ -s $summary ]] || { echo "error: no test run passed" >&2 && return 1; }
}

# Fails unless a program is linked with just those of the optional libraries that are named.
expect_libraries() {
    local program=$1 library linked
    shift
    linked=$(ldd "$program")
    for library in libnuma libcairo libpango libjpeg; do
        if grep -q "$library" <<<"$linked"; then
            [[ " $* " == *" $library "* ]] || { echo "error: $program is linked with $library" >&2 && return 1; }
        else
            [[ " $* " != *" $library "* ]] || { echo "error: $program is not linked with $library" >&2 && return 1; }
        fi
    done
}

step_plain-build() {
    use_plain_build
    swift build --build-tests --disable-default-traits "${plain[@]}"
}

# Without traits, when no system package is there. The tests are those of the modules that the traits change;
# in the others nothing depends on them, nor in models and in what memory jobs take.
step_traits-off() {
    use_plain_build
    EMBEDDING_TRAITS="" swift test --package-path Tests/Embedding "${plain[@]}"
    for module in QueuePoolsTopology QueuePools; do
        filtered_tests --disable-default-traits "${plain[@]}" --filter "^${module}Tests\\." \
            --skip '\.MemoryTests'
    done
    expect_libraries "$scratch/plain/debug/TopologyProbe"
    expect_missing_trait "$scratch/plain/debug"
    expect_hints "$scratch/plain/debug"
}

# The flags to check a program against a build, without building it.
typecheck_flags() {
    local map
    printf '%s\n' -typecheck -swift-version 6 -I "$1/Modules"
    for map in "$1"/*.build/module.modulemap; do printf '%s\n' -Xcc "-fmodule-map-file=$map"; done
}

# Fails unless the compiler says what to write where a job's closure awaits something, and a refusal is a
# pattern.
expect_hints() {
    local file=$scratch/hints.swift log=$scratch/hints.log use flags=()
    mapfile -t flags < <(typecheck_flags "$1")
    local before='import QueuePools\n\nfunc wait() async throws -> Int { 1 }\n\n'
    before+='func use(_ pool: DefaultQueuePool) async throws {'
    for use in 'try await pool.run { try await wait() }' 'try pool.start { try await wait() }' \
        'try pool.async(qos: .utility) { _ = try? await wait() }' \
        'try await pool.startWhenAccepted { try await wait() }' \
        'try await pool.map([1]) { _ in try await wait() }' \
        'pool.results(of: [1]) { _ in try await wait() }' \
        'try await pool.run(forEach: 0..<1) { _ in _ = try await wait() }' \
        'try JobPipeline(limit: 1, on: pool) { (_: Int) in try await wait() }' \
        'try JobPipeline(limit: 1, on: pool) { 1 + $0 }.then(on: pool) { _ in try await wait() }' \
        'try pool.queue(for: .utility).start { try await wait() }' \
        'try await pool.queue(for: .utility).startWhenAccepted { try await wait() }' \
        'try await pool.queue(for: .utility).run { try await wait() }' \
        'try pool.queue(for: .utility).async { _ = try? await wait() }'; do
        printf "$before"'\n    _ = %s\n}\n' "$use" >"$file"
        if swiftc "${flags[@]}" "$file" >"$log" 2>&1 || ! grep -q 'error: .* a job cannot await; ' "$log"; then
            cat "$log" >&2
            echo "error: the compiler does not say what to write for $use" >&2
            return 1
        fi
    done
    printf "$before"'\n    do { try pool.async(qos: .utility) {} } catch PoolError.full {}\n}\n' >"$file"
    swiftc "${flags[@]}" "$file"
}

# Fails unless the compiler names the trait Cairo where a program uses CairoRendering without it.
expect_missing_trait() {
    local file=$scratch/missing-trait.swift log=$scratch/missing-trait.log use flags=()
    mapfile -t flags < <(typecheck_flags "$1")
    for use in 'AsyncLayer(renderer: CairoRenderer())' 'ImageDecoder()' 'TextLabel()'; do
        printf 'import AsyncLayers\nimport CairoRendering\n\n@MainActor func use() { print(%s) }\n' "$use" >"$file"
        if swiftc "${flags[@]}" "$file" >"$log" 2>&1 || ! grep -q 'error: .* needs the trait Cairo' "$log"; then
            cat "$log" >&2
            echo "error: without the trait Cairo, the compiler does not name it for $use" >&2
            return 1
        fi
    done
}

step_thread-build() {
    use_thread_build
    swift build --build-tests --enable-all-traits "${thread[@]}"
}

# In parts that run side by side, of which most wait for the main actor or for programs that they started.
step_thread-sanitizer() {
    use_thread_build
    # Swift's backtrace of a crash makes a process by `clone`, in which the sanitizer fails or hangs.
    export SWIFT_BACKTRACE=enable=no
    # In `single` no two threads meet, and MemoryTests measure memory, which the sanitizer needs for itself.
    # In ScenarioTests the threads take turns, and semaphores order all that they do: at full size only.
    local single='^(QueuePoolsTopology|BitmapRendering)Tests\.|SimulatedStage|DisplayStateMachine|\.MemoryTests'
    single+='|RandomUseTests|ForwardProgressTests'$(size '|ScenarioTests' '')
    local main=(AsyncLayers QueuePoolsTransactions MainLoopBridges)
    local flags=(--ignore-lock --enable-all-traits --disable-xctest "${thread[@]}") part parts=()
    export STRESS_SCALE=${STRESS_SCALE:-$(size 1 2)}
    # The children of the tests that fork make threads, which the sanitizer allows only on request.
    export TSAN_OPTIONS=halt_on_error=1:die_after_fork=0:allocator_may_return_null=1
    # GLib's own allocator hands memory from thread to thread by locks that the sanitizer does not see.
    export G_SLICE=always-malloc
    filtered_tests "${flags[@]}" --filter '^StressTests\.'
    flags+=(--skip-build)
    for part in "${main[@]}"; do
        filtered_tests "${flags[@]}" --filter "^${part}Tests\\." --skip "$single" &
        parts+=($!)
    done
    filtered_tests "${flags[@]}" --skip "$single|^($(tr ' ' '|' <<<"Stress ${main[*]}"))Tests\\." &
    parts+=($!)
    for part in "${parts[@]}"; do wait "$part"; done
}

# The library is optimized, so an object may go right after its last use: what keeps one alive too short is
# found here. Without XCTest, which runs no test here and leaks a few bytes.
address=(
    --sanitize=address -c release -Xswiftc -enable-testing --scratch-path "$scratch/address" --enable-all-traits
    --disable-xctest
)

step_address-build() {
    use_address_build
    swift build --build-tests "${address[@]}"
}

step_address-sanitizer() {
    use_address_build
    local flags=("${address[@]}" --disable-testable-imports)
    # These run programs that end within a loop, and leave what it holds; others of them measure memory, which
    # the sanitizer holds back unless told not to. What `memory` measures, the sanitizer needs for itself.
    local within_loops='^(QueuePoolsTransactions|MainLoopBridges)Tests\.|TopLevelCode' memory='\.MemoryTests' beside
    # They enumerate values for minutes, on threads that tests with a time limit need, and touch no memory of
    # their own.
    local states='DisplayStateMachine'
    local keep_nothing=detect_leaks=0:quarantine_size_mb=0:thread_local_quarantine_size_kb=0
    export STRESS_SCALE=${STRESS_SCALE:-$(size 1 2)}
    # Allocations that fail are tested as well: they must be refused as without the sanitizer.
    export ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1
    export LSAN_OPTIONS=suppressions=.ci/excused-leaks:print_suppressions=0
    # The stress tests run by themselves, since they would starve tests that have a time limit.
    filtered_tests "${flags[@]}" --filter '^StressTests\.'
    flags+=(--ignore-lock --skip-build)
    ASAN_OPTIONS=$ASAN_OPTIONS:$keep_nothing filtered_tests "${flags[@]}" --filter "$within_loops" &
    beside=$!
    filtered_tests "${flags[@]}" --skip '^StressTests\.' --skip "$within_loops|$memory|$states"
    wait "$beside"
}

step_documentation() {
    use_debug_build
    .ci/documentation "$scratch/documentation" "$scratch/debug"
}

# As an embedder uses the products, with the default traits; then linked statically.
step_embedding() {
    local graph linked flags=(--package-path Tests/Embedding "${release[@]}")
    graph=$(swift package "${flags[@]:0:2}" --scratch-path "$scratch/release" show-dependencies)
    echo "$graph"
    if [[ $(wc -l <<<"$graph") -ne 2 ]]; then
        echo "error: not just the embedding package and ours: something else comes along" >&2
        return 1
    fi
    "${release_tests[@]}" "${flags[@]}"

    # Compiled once, for Swift's static libraries, and linked in both ways. The first has libnuma as a shared
    # library.
    local program=$scratch/static/debug/StaticProgram
    flags=(--package-path Tests/Embedding --scratch-path "$scratch/static" --disable-build-manifest-caching)
    flags+=(--static-swift-stdlib --product StaticProgram)
    swift build "${flags[@]}"
    linked=$(ldd "$program")
    if grep libswift <<<"$linked"; then
        echo "error: $program is linked with shared libraries of Swift's" >&2
        return 1
    fi
    expect_libraries "$program" libnuma
    "$program"
    EMBEDDING_LINK=-static-executable swift build "${flags[@]}"
    if ldd "$program"; then
        echo "error: $program is linked with shared libraries" >&2
        return 1
    fi
    "$program"
}

step_readme-examples() {
    use_debug_build
    .ci/readme-examples "$scratch/debug"
}

step_numa() {
    Tests/NUMA/run
}

step_fuzzing() {
    Tests/Fuzzing/run "$(size 10 60)" "$scratch/fuzzing"
}

# MARK: Nested packages

# README's first command, with the options of this build, for fewer frames.
step_feed-demo() {
    local command status=0 frames=180 output=$scratch/feed-demo
    command=$(.ci/readme-block "Quick start" 1)
    if [[ $command != *"swift run -c release "*" FeedDemo" ]]; then
        echo "error: README's first command does not run FeedDemo" >&2
        return 1
    fi
    rm -rf "$output"
    command="${command/swift run -c release /swift run ${release[*]} } --frames $frames --output $output"
    echo "$command"
    bash -euo pipefail -c "$command"
    check_feed_demo "$output" "$frames" bitmap
    "$scratch/release/release/FeedDemo" --renderers cairo || status=$?
    if [[ $status -ne 64 ]]; then
        echo "error: a renderer that was not built in ended with status $status instead of 64" >&2
        return 1
    fi
    expect_libraries "$scratch/release/release/FeedDemo" libnuma
}

step_feed-demo-cairo() {
    local frames=180 output=$scratch/feed-demo-cairo
    local flags=(--package-path Docs/Examples/FeedDemo --traits Cairo "${release[@]}")
    rm -rf "$output"
    "${release_tests[@]}" "${flags[@]}"
    "${release_tests[@]}" --package-path Docs/Examples/FeedKit "${release[@]}"
    swift run "${flags[@]}" FeedDemo --frames "$frames" --output "$output"
    check_feed_demo "$output" "$frames" bitmap,cairo
    expect_libraries "$scratch/release/release/FeedDemo" libnuma libcairo libpango libjpeg
}

check_feed_demo() {
    swiftc -o "$scratch/bin/check-feed-demo" .ci/check-feed-demo.swift
    "$scratch/bin/check-feed-demo" "$@"
}

# Twice at full size: as README's packages let it build, then with oneTBB from PyPI, whose version
# Package.swift names.
step_benchmarks() {
    local flags=(--package-path Tests/Benchmarks "${release[@]}") program=$scratch/release/release/PoolBenchmarks status=0
    "${release_tests[@]}" "${flags[@]}"
    if "$program" --list | grep oneTBB; then
        echo "error: oneTBB takes part though the package was built without it" >&2
        return 1
    fi
    "$program" --rounds 0 || status=$?
    if [[ $status -ne 64 ]]; then
        echo "error: nonsense ended with status $status instead of 64" >&2
        return 1
    fi
    if [[ $(size small full) == full ]]; then
        install_onetbb "$scratch/onetbb"
        ONETBB_PREFIX=$PWD/$scratch/onetbb "${release_tests[@]}" "${flags[@]}"
    fi
}

# Runs what `benchmarks` has built. At small size one round of each benchmark shows that all are there, so no
# program needs the machine for itself; that of the pools waits most of the time.
step_quick-benchmarks() {
    local programs=$scratch/release/release output=$scratch/benchmarks-output started=$SECONDS rounds=() layers
    if [[ $(size small full) == small ]]; then rounds=(--rounds 1); fi
    rm -rf "$output" && mkdir "$output"
    # Its exit status reports the counts that must be exact.
    layers=("$programs/LayerBenchmarks" --quick "${rounds[@]}" --json "$output/layers.json" --svg "$output/layers.svg")
    if [[ ${#rounds[@]} -gt 0 ]]; then "${layers[@]}" & fi
    "$programs/PoolBenchmarks" --quick "${rounds[@]}" --json "$output/results.json" --svg "$output/results.svg"
    if ((SECONDS - started >= 60)); then
        echo "error: --quick took $((SECONDS - started)) s instead of less than 60" >&2
        return 1
    fi
    if [[ ${#rounds[@]} -gt 0 ]]; then wait $!; else "${layers[@]}"; fi
    swiftc -o "$scratch/bin/check-benchmarks" .ci/check-benchmarks.swift
    "$scratch/bin/check-benchmarks" "$output/results.json" "$output/results.svg" $(size "" oneTBB)
}

install_onetbb() {
    local folder=$1 package
    package=$(sed -n 's/.*pip install \(tbb-devel==[0-9.]*\).*/\1/p' Tests/Benchmarks/Package.swift)
    if [[ -x $folder/bin/pip ]] && "$folder/bin/pip" freeze | grep -qxF "$package"; then return; fi
    install python3-venv
    python3 -m venv --clear "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "$package"
}

step_swift-metrics() {
    local flags=(--package-path Docs/Examples/SwiftMetrics "${release[@]}")
    "${release_tests[@]}" "${flags[@]}"
    swift run "${flags[@]}" SwiftMetricsExample | tee "$scratch/swift-metrics.log"
    grep -q '^display.passes outcome=committed source=drawn' "$scratch/swift-metrics.log"
    grep -q '^display.passes outcome=superseded stage=waiting' "$scratch/swift-metrics.log"
}

step_gtk-label() {
    use_debug_build
    swift test --package-path Docs/Examples/GTKLabel "${debug[@]}"
}

# In both ways to draw, on a display and with an OpenGL in memory; each window is compared with one picture.
step_gtk-canvas() {
    use_debug_build
    swift test --package-path Docs/Examples/GTKCanvas "${debug[@]}"
}

step_sdl-feed() {
    use_debug_build
    swift test --package-path Docs/Examples/SDLFeed "${debug[@]}"
}

# Its tour, which one of the tests makes, compares each stop with the same part drawn at once.
step_sdl-canvas() {
    use_debug_build
    swift test --package-path Docs/Examples/Canvas "${debug[@]}"
}

# In a browser, and then under a load of which half hangs up. At small size not optimized, which would take
# two minutes more of processor time.
step_tile-server() {
    local command=("${release_tests[@]}" "${release[@]}") programs=$scratch/release/release
    if [[ $(size small full) == small ]]; then
        use_debug_build
        command=(swift test "${debug[@]}") programs=$scratch/debug/debug
    fi
    "${command[@]}" --package-path Docs/Examples/TileServer
    Docs/Examples/TileServer/load-test --programs "$programs" --seconds "$(size 10 300)"
}

# MARK: At full size only

# 10^7 cancellations, 10^6 jobs against a shutdown, 10^6 passes of layers, and 10^6 random events in a
# simulation.
step_release() {
    local flags=(-c release --scratch-path "$scratch/release-tests" --enable-all-traits -Xswiftc -enable-testing)
    swift test "${flags[@]}"
    for filter in '^StressTests\.' SimulatedStage; do
        STRESS_SCALE=100 filtered_tests "${flags[@]}" --filter "$filter"
    done
}

# 10^5 passes that must leave no object of Cairo or Pango behind.
step_leaks() {
    STRESS_SCALE=100 filtered_tests -c release --scratch-path "$scratch/release-tests" --enable-all-traits \
        -Xswiftc -enable-testing --filter LeakStress
}

# With the oldest Swift that README names, which Debian's unstable has, with its assertions. All is built, all
# tests included, and the pools are tested.
step_oldest-swift() {
    local host oldest
    install debootstrap debian-archive-keyring
    host=$(dpkg --print-architecture) oldest=$(sed -n '1s/.*: *//p' Package.swift)
    .ci/debian-root "$host" swift --version | tee "$scratch/oldest-swift.log"
    if ! grep -qF "Swift version $oldest" "$scratch/oldest-swift.log"; then
        echo "error: Debian's unstable has another Swift than $oldest, which README and Package.swift name" >&2
        return 1
    fi
    expect_tests .ci/debian-root "$host" swift test --enable-all-traits --scratch-path /build/debug \
        --disable-sandbox -Xlinker -L/build --filter '^QueuePoolsTests\.'
}

# On arm64, with the same Swift. This machine's processor compiles, in the root of its own, which under QEMU
# would take many times as long; QEMU runs the tests.
step_arm64() {
    local host swift=/other/usr/libexec/swift/lib/swift flags tests
    # Some suites that end soon and need only threads and time of the kernel. QEMU's user mode does not pass
    # on filters of system calls, and its own threads and memory count as well: so no test of faults,
    # priorities, forks, or counts of threads.
    tests='Job|JobGroup|JobPipeline|JobScope|Start|Run|DelayedJobHeap|CarriedContext|CountedIntake'
    tests+='|RoundRobin|ClosureMemory|QueueLayout|Description'
    install debootstrap debian-archive-keyring qemu-user-static binfmt-support
    host=$(dpkg --print-architecture)
    flags=(--triple aarch64-unknown-linux-gnu --sdk /other -Xswiftc -sdk -Xswiftc /other -Xswiftc -resource-dir -Xswiftc "$swift")
    flags+=(-Xswiftc -Xclang-linker -Xswiftc --sysroot=/other -Xswiftc -use-ld=lld -Xlinker -L/build -debug-info-format none --disable-sandbox)
    .ci/debian-root "$host,arm64" env QUEUE_POOLS_GATE=pool-tests,no-debug-information PKG_CONFIG_SYSROOT_DIR=/other \
        PKG_CONFIG_PATH=/other/usr/lib/aarch64-linux-gnu/pkgconfig:/other/usr/share/pkgconfig \
        swift build --build-tests --enable-all-traits --scratch-path /build/arm64 "${flags[@]}"
    expect_tests .ci/debian-root arm64 env "LD_LIBRARY_PATH=${swift#/other}/linux" \
        /build/arm64/aarch64-unknown-linux-gnu/debug/swift-queue-poolsPackageTests.xctest --testing-library swift-testing \
        --filter "\.($tests)Tests(/|$)"
}
