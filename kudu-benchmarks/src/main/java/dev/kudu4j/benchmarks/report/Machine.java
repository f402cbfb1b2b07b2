package dev.kudu4j.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The machine and time of a run.
 *
 * @param loadAverage the kernel's load average just before the run: if it is high, other processes
 *     make the results unreliable
 */
public record Machine(
    String processor,
    int processors,
    String memory,
    String kernel,
    String clientJava,
    String loadAverage) {

  /** This machine, now. */
  public static Machine here() {
    return new Machine(
        field("/proc/cpuinfo", "model name"),
        Runtime.getRuntime().availableProcessors(),
        field("/proc/meminfo", "MemTotal"),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + Runtime.version(),
        field("/proc/loadavg", ""));
  }

  @Override
  public String toString() {
    return String.format(
        "%d x %s, %s memory, %s, client on %s; load average before the run %s",
        processors, processor, memory, kernel, clientJava, loadAverage);
  }

  private static String field(String file, String name) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).trim()) // no colon: the whole line
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
