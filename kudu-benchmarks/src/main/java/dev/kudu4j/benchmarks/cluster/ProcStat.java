package dev.kudu4j.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;

/**
 * The CPU time in a line of {@code /proc/PID/stat}, in clock ticks.
 *
 * <pre>
 *   1234 (a name (odd)) S 1 1234 ... utime stime cutime cstime ...
 *                       ^ field 3        14    15     16     17
 * </pre>
 *
 * <p>{@code utime} and {@code stime} include all threads of the process, running or ended; {@code
 * cutime} and {@code cstime} include the children that have ended and were waited for. Running
 * children are not included; {@link #ticksOfTree} adds them.
 *
 * @param own ticks of the process itself
 * @param endedChildren ticks of its children that have ended
 */
record ProcStat(long own, long endedChildren) {
  /** The value of {@code sysconf(_SC_CLK_TCK)}, which is 100 on every platform of Linux. */
  static final long TICKS_PER_SECOND = 100;

  private static final int FIRST_FIELD_AFTER_NAME = 3;
  private static final int UTIME = 14;

  static ProcStat parse(String line) {
    int nameEnd = line.lastIndexOf(')'); // the name may contain blanks and parentheses
    if (nameEnd < 0 || nameEnd + 2 > line.length()) {
      throw new IllegalArgumentException("Not a line of /proc/PID/stat: " + line);
    }
    String[] fields = line.substring(nameEnd + 2).trim().split(" ", -1);
    int utime = UTIME - FIRST_FIELD_AFTER_NAME;
    if (fields.length < utime + 4) {
      throw new IllegalArgumentException("Line of /proc/PID/stat is too short: " + line);
    }
    return new ProcStat(
        Long.parseLong(fields[utime]) + Long.parseLong(fields[utime + 1]),
        Long.parseLong(fields[utime + 2]) + Long.parseLong(fields[utime + 3]));
  }

  long ticks() {
    return own + endedChildren;
  }

  /** Ticks of a process and all its descendants; 0 for processes that have ended. */
  static long ticksOfTree(ProcessHandle root) {
    return LongStream.concat(
            LongStream.of(root.pid()), root.descendants().mapToLong(ProcessHandle::pid))
        .map(ProcStat::ticksOf)
        .sum();
  }

  private static long ticksOf(long pid) {
    try {
      return parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat"))).ticks();
    } catch (IOException e) {
      return 0; // the process has ended
    }
  }
}
