package dev.kudu4j.server.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** CPU time of this process in kernel mode, from Linux' {@code /proc}. */
final class KernelTime {
  private static final Path STAT = Path.of("/proc/self/stat");

  /**
   * Duration of the unit in which Linux reports CPU time: always a hundredth of a second,
   * regardless of the clock rate of the kernel (proc(5)).
   */
  private static final long MILLIS_PER_TICK = 10;

  /**
   * Index of the kernel time among the fields after the command name, which is in parentheses and
   * may contain spaces.
   */
  private static final int STIME = 12;

  private KernelTime() {}

  /** CPU time in milliseconds; empty if there is no {@code /proc}. */
  static OptionalLong ofThisProcess() {
    try {
      return parse(Files.readString(STAT));
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  static OptionalLong parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
    return fields.length > STIME
        ? OptionalLong.of(Long.parseLong(fields[STIME]) * MILLIS_PER_TICK)
        : OptionalLong.empty();
  }
}
