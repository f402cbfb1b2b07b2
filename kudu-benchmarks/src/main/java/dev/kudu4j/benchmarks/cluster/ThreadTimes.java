package dev.kudu4j.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The processor time of some threads of processes, from {@code /proc/PID/task/TID/schedstat}, whose
 * first number is in nanoseconds. It leaves out what a JVM does besides its work, such as
 * compilation and garbage collection.
 *
 * @param nanos by thread id; empty if nothing is known
 */
public record ThreadTimes(Map<Long, Long> nanos) {
  /** Nothing is known about the threads. */
  public static final ThreadTimes UNKNOWN = new ThreadTimes(Map.of());

  /** The threads whose names begin with the prefix. Linux knows the first 15 bytes of a name. */
  static ThreadTimes of(List<Long> processes, String prefix) {
    Map<Long, Long> nanos = new HashMap<>();
    for (long pid : processes) {
      threadsOf(pid).forEach(thread -> addTo(nanos, thread, prefix));
    }
    return new ThreadTimes(nanos);
  }

  /** The threads of a process; none if it has ended. */
  private static List<Path> threadsOf(long pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      return threads.toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static void addTo(Map<Long, Long> nanos, Path thread, String prefix) {
    try {
      if (Files.readString(thread.resolve("comm")).startsWith(prefix)) {
        String used = Files.readString(thread.resolve("schedstat")).split(" ", 2)[0];
        nanos.put(Long.parseLong(thread.getFileName().toString()), Long.parseLong(used));
      }
    } catch (IOException e) {
      nanos.remove(Long.parseLong(thread.getFileName().toString())); // the thread has ended
    }
  }

  /**
   * The processor time since an earlier measurement, in nanoseconds, without that of threads that
   * have ended; NaN if unknown.
   */
  public double since(ThreadTimes before) {
    if (nanos.isEmpty()) {
      return Double.NaN;
    }
    double sum = 0;
    for (Map.Entry<Long, Long> thread : nanos.entrySet()) {
      sum += thread.getValue() - before.nanos.getOrDefault(thread.getKey(), 0L);
    }
    return sum;
  }
}
