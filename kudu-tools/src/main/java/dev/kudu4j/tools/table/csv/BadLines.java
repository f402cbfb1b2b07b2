package dev.kudu4j.tools.table.csv;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reports each skipped line with its number and the reason. The lines can be written to a file, so
 * that the operator can correct and import them.
 */
public final class BadLines implements AutoCloseable {
  private final String input;
  private final long max;
  private final Path rejects;
  private final PrintWriter err;
  private List<String> header;
  private PrintWriter rejectsOut;
  private ListPrinter rejectsPrinter;
  private long count;

  /**
   * @param input name of the input, for messages
   * @param max number of lines after which the import stops
   * @param rejects file for the lines; null for none
   */
  public BadLines(String input, long max, Path rejects, PrintWriter err) {
    this.input = input;
    this.max = max;
    this.rejects = rejects;
    this.err = err;
  }

  void header(List<String> names) {
    header = names;
  }

  public long count() {
    return count;
  }

  /**
   * Reports a line.
   *
   * @throws KuduException if the number of skipped lines has reached the limit
   */
  void add(CsvLine line, String reason) throws IOException {
    count++;
    err.println(input + ":" + line.number() + ": " + reason);
    if (rejects != null && line.cells().size() == header.size()) {
      keep(line);
    }
    if (count >= max) {
      throw new KuduException(
          StatusCode.ABORTED,
          String.format(
              "Stopped at line %d, after %d bad lines; check that the table is the right"
                  + " one; --max_errors allows more",
              line.number(), count));
    }
  }

  private void keep(CsvLine line) throws IOException {
    if (rejectsPrinter == null) {
      rejectsOut = new PrintWriter(Files.newBufferedWriter(rejects, StandardCharsets.UTF_8));
      rejectsPrinter =
          ListFormat.csv.open(header.stream().map(ListColumn::text).toList(), rejectsOut);
    }
    rejectsPrinter.row(line.cells());
  }

  @Override
  public void close() {
    if (rejectsPrinter != null) {
      rejectsPrinter.close();
      rejectsOut.close();
    }
  }
}
