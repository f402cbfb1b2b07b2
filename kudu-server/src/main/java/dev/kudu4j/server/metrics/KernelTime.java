package dev.kudu4j.server.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** CPU time that the kernel has spent on this process, from Linux' {@code /proc}. */
final class KernelTime {
  private static final Path STAT = Path.of("/proc/self/stat");

  /** Linux counts in hundredths of a second here, whatever its own clock rate (proc(5)). */
  private static final long MILLIS_PER_TICK = 10;

  /** Fields after the command's name, which stands in parentheses and may have spaces. */
  private static final int STIME = 12;

  private KernelTime() {}

  /** In milliseconds; empty where there is no {@code /proc}. */
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
