package dev.kudu4j.tools.demo;

import com.google.errorprone.annotations.FormatMethod;
import java.io.PrintStream;
import java.time.Duration;

/** The output of the demo. */
final class Screen {
  private static final String INDENT = "   ";
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(5);

  private final PrintStream out;
  private final Progress progress;

  /**
   * @param columns number of columns of the terminal; 0 if the output is not a terminal
   */
  Screen(PrintStream out, int columns) {
    this.out = out;
    this.progress = columns > 0 ? Progress.bars(out, columns) : Progress.lines(out, LINE_INTERVAL);
  }

  Progress progress() {
    return progress;
  }

  void act(String title) {
    out.println();
    out.println(title);
    out.flush();
  }

  /** Prints an empty line, as after a table. */
  void gap() {
    out.println();
  }

  @FormatMethod
  void say(String format, Object... arguments) {
    out.println(INDENT + String.format(format, arguments));
    out.flush();
  }

  void table(Answers answers) {
    out.println();
    answers.lines().forEach(line -> out.println(INDENT + line));
    out.flush();
  }
}
