package dev.kudu4j.tools.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether the output is a terminal. {@code System.console()} would require all streams to be
 * terminals.
 */
public final class Terminal {
  private static final int STDOUT = 1;
  private static final int STDERR = 2;

  private Terminal() {}

  /** Whether standard error is a terminal. */
  public static boolean watchesErrors() {
    return isTerminal(STDERR);
  }

  /** Whether standard output is a terminal. */
  public static boolean watchesOutput() {
    return isTerminal(STDOUT);
  }

  private static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
