package dev.kudu4j.benchmarks.client;

import com.sun.management.ThreadMXBean;
import dev.kudu4j.benchmarks.cluster.OwnProcess;
import dev.kudu4j.benchmarks.report.Samples;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * The resources that this process has used since the meter was created: CPU time of all threads
 * (including JIT compiler and garbage collector), and heap bytes allocated by threads that are
 * still alive.
 */
final class Meter {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<Long, Long> allocatedBefore = allocatedByThread();
  private final long cpuBefore = OwnProcess.cpuNanos();

  private static Map<Long, Long> allocatedByThread() {
    long[] ids = THREADS.getAllThreadIds();
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, Long> byThread = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      byThread.put(ids[i], Math.max(0, bytes[i]));
    }
    return byThread;
  }

  private long allocated() {
    long sum = 0;
    for (Map.Entry<Long, Long> thread : allocatedByThread().entrySet()) {
      sum += thread.getValue() - allocatedBefore.getOrDefault(thread.getKey(), 0L);
    }
    return sum;
  }

  /** The measures of a task that processed {@code rows} rows in {@code nanos} nanoseconds. */
  Map<Measure, Double> perRow(long rows, long nanos) {
    Map<Measure, Double> figures = used(rows);
    figures.put(Measure.RATE, rows * NANOS_PER_SECOND / nanos);
    return figures;
  }

  /**
   * The measures of a task that processed one row at a time; {@code nanos} has the duration of
   * each.
   */
  Map<Measure, Double> latencies(long[] nanos) {
    Map<Measure, Double> figures = used(nanos.length);
    figures.put(Measure.P50, Samples.percentile(nanos, 50) / NANOS_PER_MILLI);
    figures.put(Measure.P99, Samples.percentile(nanos, 99) / NANOS_PER_MILLI);
    return figures;
  }

  private Map<Measure, Double> used(long rows) {
    long cpu = OwnProcess.cpuNanos() - cpuBefore;
    Map<Measure, Double> figures = new EnumMap<>(Measure.class);
    figures.put(Measure.CPU, cpu / NANOS_PER_MICRO / rows);
    figures.put(Measure.ALLOCATED, (double) allocated() / rows);
    return figures;
  }
}
