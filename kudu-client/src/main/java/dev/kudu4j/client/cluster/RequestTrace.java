package dev.kudu4j.client.cluster;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/**
 * The history of one request: which servers were tried, when, and how that failed. Attempts that
 * failed in the same way at the same server are reported as one. Thread-safe.
 */
public final class RequestTrace {
  private static final int MAX_REMEMBERED = 16;

  private final String what;
  private final long startNanos = System.nanoTime();
  private Map<String, Failed> failures = Map.of();
  private int failuresNotRemembered;
  private int tries;
  private int waits;
  private Object server; // server of the running attempt; null if not found yet
  private long triedMillis;
  private boolean trying;
  private Throwable last;
  private boolean mayHaveTakenEffect;

  /** Attempts that failed in the same way. */
  private static final class Failed {
    private final long firstMillis;
    private long lastMillis;
    private int count;

    Failed(long firstMillis) {
      this.firstMillis = firstMillis;
    }

    void again(long millis) {
      lastMillis = millis;
      count++;
    }

    @Override
    public String toString() {
      return count == 1
          ? "at " + firstMillis + " ms"
          : count + " x, at " + firstMillis + " to " + lastMillis + " ms";
    }
  }

  /**
   * @param what the request as text, such as {@code CreateTable}
   */
  public RequestTrace(String what) {
    this.what = what;
  }

  /**
   * Records that an attempt begins; returns its number, from 1.
   *
   * @param at the server; null when it must be found first
   */
  public synchronized int trying(Object at) {
    server = at;
    triedMillis = millis();
    trying = true;
    return ++tries;
  }

  /** Sets the server of the running attempt, once it is found. */
  synchronized void askedAt(Object found) {
    server = found;
  }

  synchronized int countWait() {
    return waits++;
  }

  /** Records a failure that another attempt follows. */
  public synchronized void failed(Object at, Throwable failure) {
    last = failure;
    long began = trying ? triedMillis : millis();
    trying = false;
    String text = text(failure) + (at == null ? "" : " [" + at + "]");
    if (failures.isEmpty()) {
      failures = new LinkedHashMap<>();
    }
    if (failures.size() < MAX_REMEMBERED || failures.containsKey(text)) {
      failures.computeIfAbsent(text, first -> new Failed(began)).again(began);
    } else {
      failuresNotRemembered++;
    }
  }

  private static String text(Throwable failure) {
    return failure instanceof KuduException known ? known.describe() : String.valueOf(failure);
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  /** Records that an attempt was interrupted: whether it took effect is not known. */
  synchronized void recordInterrupted() {
    mayHaveTakenEffect = true;
  }

  synchronized boolean mayHaveTakenEffect() {
    return mayHaveTakenEffect;
  }

  /** The failure of a request whose deadline has passed. */
  public synchronized KuduException timedOut() {
    StringJoiner tried = new StringJoiner("; ", ": ", "").setEmptyValue("");
    failures.forEach((failure, when) -> tried.add(when + ": " + failure));
    if (failuresNotRemembered > 0) {
      tried.add(failuresNotRemembered + " other failures");
    }
    if (trying) {
      tried.add(
          "no response yet from "
              + (server == null ? "any server" : server + ", asked at " + triedMillis + " ms"));
    }
    String text =
        what
            + " got no result within "
            + millis()
            + " ms, its time-out, in "
            + tries
            + (tries == 1 ? " try" : " tries")
            + tried;
    return new KuduException(StatusCode.TIMED_OUT, text, last);
  }
}
