import Dispatch

/// True on the main queue, hence on the main actor. `Thread.isMainThread` does not tell: under
/// `dispatchMain()` the main queue runs on other threads.
package func isOnMainQueue() -> Bool {
    DispatchQueue.getSpecific(key: mainQueueKey) == true
}

private let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()
