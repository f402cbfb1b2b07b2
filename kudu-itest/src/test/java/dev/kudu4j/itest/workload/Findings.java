package dev.kudu4j.itest.workload;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;

/** Violations of the invariants. The first few are kept as text, all are counted. Thread-safe. */
public final class Findings {
  private static final int KEPT = 20;

  @GuardedBy("this")
  private final List<String> kept = new ArrayList<>();

  @GuardedBy("this")
  private long count;

  @FormatMethod
  public synchronized void add(String format, Object... arguments) {
    count++;
    if (kept.size() < KEPT) {
      kept.add(String.format(format, arguments));
    }
  }

  public synchronized boolean isEmpty() {
    return count == 0;
  }

  @Override
  public synchronized String toString() {
    return count
        + " findings"
        + (count > KEPT ? ", the first " + KEPT : "")
        + "\n  "
        + String.join("\n  ", kept);
  }
}
