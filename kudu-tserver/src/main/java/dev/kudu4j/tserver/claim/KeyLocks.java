package dev.kudu4j.tserver.claim;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Locks of keys, in the order of their requests. All keys of a request are requested at once, so
 * requests cannot wait for each other in a circle. No thread blocks. Thread-safe.
 */
final class KeyLocks {
  private final Executor executor;

  /** By key: the last request, which completes when the key is free. */
  @GuardedBy("this")
  private final Map<ByteString, Lease> last = new HashMap<>();

  /** The locks of a request. */
  final class Lease {
    private final Set<ByteString> keys;
    private final CompletableFuture<Void> granted;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private Lease(Set<ByteString> keys, List<CompletableFuture<Void>> before) {
      this.keys = keys;
      this.granted = CompletableFuture.allOf(before.toArray(CompletableFuture[]::new));
    }

    /** Completes when the request has all locks. */
    CompletableFuture<Void> granted() {
      return granted.copy();
    }

    /** Ends the request. Its keys are free once it has, or would have, got them. */
    void release() {
      granted.thenRun(() -> end(this));
    }
  }

  /**
   * @param executor grants locks that requests have waited for
   */
  KeyLocks(Executor executor) {
    this.executor = executor;
  }

  /** Requests the locks of keys. The caller releases them, also if it does not wait for them. */
  synchronized Lease request(Collection<ByteString> wanted) {
    Set<ByteString> keys = Set.copyOf(wanted);
    List<CompletableFuture<Void>> before = new ArrayList<>();
    for (ByteString key : keys) {
      Lease earlier = last.get(key);
      if (earlier != null) {
        before.add(earlier.ended);
      }
    }
    Lease lease = new Lease(keys, before);
    keys.forEach(key -> last.put(key, lease));
    return lease;
  }

  private void end(Lease lease) {
    synchronized (this) {
      lease.keys.forEach(key -> last.remove(key, lease));
    }
    if (lease.ended.getNumberOfDependents() == 0) {
      lease.ended.complete(null);
    } else { // they may end in turn, and the stack is not that deep
      lease.ended.completeAsync(() -> null, executor);
    }
  }

  /** Whether a request has the lock of the key, or waits for it. */
  synchronized boolean isLocked(ByteString key) {
    return last.containsKey(key);
  }
}
