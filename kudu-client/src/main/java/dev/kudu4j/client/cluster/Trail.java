package dev.kudu4j.client.cluster;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What happened to one request on its way: how often it was tried and how that failed. Thread-safe.
 */
final class Trail {
  private static final int MOST_REMEMBERED = 8;

  private final String what;
  private final long startNanos = System.nanoTime();
  private final Map<String, Integer> failures = new LinkedHashMap<>();
  private int tries;
  private int waits;
  private Throwable last;
  private String lastText = "";
  private boolean mayHaveTakenEffect;

  /**
   * @param what the request in words, such as {@code CreateTable}
   */
  Trail(String what) {
    this.what = what;
  }

  synchronized int countTry() {
    return ++tries;
  }

  synchronized int countWait() {
    return waits++;
  }

  /** A failure after which there will be another try. */
  synchronized void failed(Object server, Throwable failure) {
    last = failure;
    lastText = text(failure) + (server == null ? "" : " [" + server + "]");
    if (failures.size() < MOST_REMEMBERED || failures.containsKey(lastText)) {
      failures.merge(lastText, 1, Integer::sum);
    }
  }

  private static String text(Throwable failure) {
    return failure instanceof KuduException known ? known.describe() : String.valueOf(failure);
  }

  /** A try broke off: whether it took effect is not known. */
  synchronized void brokeOff() {
    mayHaveTakenEffect = true;
  }

  synchronized boolean mayHaveTakenEffect() {
    return mayHaveTakenEffect;
  }

  /** The deadline has passed. */
  synchronized KuduException timedOut() {
    StringBuilder text = new StringBuilder(what);
    text.append(" got no result within ")
        .append(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos))
        .append(" ms, its time-out, in ")
        .append(tries)
        .append(tries == 1 ? " try" : " tries");
    if (last == null) {
      text.append("; no server had answered yet");
    } else {
      text.append("; last: ").append(lastText);
      if (failures.size() > 1) {
        text.append("; on the way: ");
        failures.forEach(
            (failure, count) -> text.append(count).append(" x ").append(failure).append(", "));
        text.setLength(text.length() - 2);
      }
    }
    return new KuduException(StatusCode.TIMED_OUT, text.toString(), last);
  }
}
