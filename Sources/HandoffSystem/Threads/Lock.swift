// SPDX-License-Identifier: Apache-2.0

#if THREAD_SANITIZER
internal import Glibc
#else
package import Synchronization
#endif

/// A pthread lock under the thread sanitizer, which cannot see inside libswiftSynchronization how a `Mutex` is handed
/// to a waiting thread, and reports a race. `Scripts/sanitize` sets the condition.
//
// Unchecked: the pthread version owns the pointers, and accesses the value only within `withLock`.
package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    #if THREAD_SANITIZER
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ initialValue: consuming sending Value) {
        pthread_mutex_init(mutex, nil)
        value.initialize(to: initialValue)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
    #else
    @usableFromInline let mutex: Mutex<Value>

    @inlinable package init(_ initialValue: consuming sending Value) { mutex = Mutex(initialValue) }

    @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
    #endif
}
