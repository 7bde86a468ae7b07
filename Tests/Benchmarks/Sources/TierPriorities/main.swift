// Which nice value does Dispatch give the threads of each quality-of-service class? Prints a column of the
// table in Docs/Platforms.md; run it as root and as an ordinary user. Linux only.

import Dispatch

#if canImport(Glibc)
    import Glibc

    let classes: [(name: String, qos: DispatchQoS)] = [
        ("background", .background), ("utility", .utility), ("default", .default),
        ("userInitiated", .userInitiated), ("userInteractive", .userInteractive),
    ]
    for (name, qos) in classes {
        let printed = DispatchSemaphore(value: 0)
        DispatchQueue(label: name, qos: qos).async {
            // On Linux the id 0 stands for the calling thread.
            print(name, getpriority(Int32(PRIO_PROCESS.rawValue), 0))
            printed.signal()
        }
        printed.wait()
    }
#endif
