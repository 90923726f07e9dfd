// SPDX-License-Identifier: Apache-2.0

// Swift's Mutex. The thread sanitizer cannot see one being handed to a thread that waits, as that happens inside
// libswiftSynchronization, and takes every such turn for a race; so where it looks on, the lock is one of pthread's, which
// it knows. `Scripts/sanitize` sets the condition.
#if THREAD_SANITIZER
internal import Glibc

/// A value behind a lock.
//
// Unchecked: what the pointers point to is this lock's alone, and the value is reached within `withLock` only.
package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
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
}
#else
package import Synchronization

/// A value behind a lock.
package typealias Lock<Value: ~Copyable> = Mutex<Value>
#endif
