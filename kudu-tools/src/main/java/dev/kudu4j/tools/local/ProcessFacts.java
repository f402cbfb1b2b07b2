package dev.kudu4j.tools.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * A process according to the operating system.
 *
 * @param residentBytes its resident memory; -1 if unknown
 */
record ProcessFacts(long pid, Duration age, long residentBytes) {
  static ProcessFacts of(ProcessHandle process) {
    Instant born = process.info().startInstant().orElseGet(Instant::now);
    return new ProcessFacts(
        process.pid(), Duration.between(born, Instant.now()), residentBytes(process.pid()));
  }

  private static long residentBytes(long pid) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
    } catch (IOException | NumberFormatException e) {
      return -1; // not Linux, or the process has ended
    }
    return -1;
  }

  /** The age as text, for example {@code 2 h 5 min}. */
  String ageText() {
    long minutes = age.toMinutes();
    if (minutes < 1) {
      return age.toSeconds() + " s";
    }
    return minutes < 60 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
  }
}
