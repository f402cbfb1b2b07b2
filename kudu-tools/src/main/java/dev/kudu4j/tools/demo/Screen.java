package dev.kudu4j.tools.demo;

import dev.kudu4j.tools.print.Listing;
import dev.kudu4j.tools.print.ListingFormat;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;

/** Where the demo tells its story. */
final class Screen {
  private static final String INDENT = "   ";
  private static final Duration LINE_INTERVAL = Duration.ofSeconds(5);

  private final PrintStream out;
  private final Progress progress;

  /**
   * @param columns of the terminal; 0 when it is none
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

  /** The first line after a table. */
  void gap() {
    out.println();
  }

  void say(String format, Object... arguments) {
    out.println(INDENT + String.format(format, arguments));
    out.flush();
  }

  void table(Listing listing) {
    StringWriter text = new StringWriter();
    ListingFormat.table.print(listing, new PrintWriter(text, true));
    out.println();
    text.toString().lines().forEach(line -> out.println(INDENT + line));
    out.flush();
  }
}
