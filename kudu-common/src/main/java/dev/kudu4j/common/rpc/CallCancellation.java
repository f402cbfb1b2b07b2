package dev.kudu4j.common.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cancellation state of a call and its listeners. Each listener runs at most once, outside the
 * lock.
 */
final class CallCancellation {
  private static final Logger log = LoggerFactory.getLogger(CallCancellation.class);

  @GuardedBy("this")
  private List<Runnable> listeners = List.of();

  private volatile boolean cancelled;

  boolean isCancelled() {
    return cancelled;
  }

  void add(Runnable listener) {
    synchronized (this) {
      if (!cancelled) {
        listeners = new ArrayList<>(listeners);
        listeners.add(listener);
        return;
      }
    }
    run(listener);
  }

  void cancel() {
    List<Runnable> waiting;
    synchronized (this) {
      cancelled = true;
      waiting = listeners;
      listeners = List.of();
    }
    waiting.forEach(CallCancellation::run);
  }

  private static void run(Runnable listener) {
    try {
      listener.run();
    } catch (RuntimeException e) {
      log.error("Listener for the cancellation of a call failed", e);
    }
  }
}
