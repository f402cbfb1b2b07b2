package dev.kudu4j.tools.table.csv;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.QuoteMode;

/**
 * The lines of a CSV input in UTF-8, optionally compressed with gzip. A line that is not valid CSV
 * is returned with its {@code problem}, and reading continues with the next line.
 */
public final class CsvLines implements AutoCloseable {
  private static final char REPLACEMENT = '\uFFFD';
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final CountingStream counted;
  private final CSVParser parser;
  private final Iterator<CSVRecord> records;
  private final long totalBytes;
  private boolean ended;

  private CsvLines(InputStream in, boolean gzip, long totalBytes, char delimiter)
      throws IOException {
    this.counted = new CountingStream(in);
    this.totalBytes = totalBytes;
    InputStream buffered = new BufferedInputStream(counted, 1 << 16);
    InputStream plain = gzip ? new GZIPInputStream(buffered, 1 << 16) : buffered;
    this.parser =
        CSVParser.builder()
            .setReader(new InputStreamReader(plain, StandardCharsets.UTF_8))
            .setFormat(
                CSVFormat.DEFAULT
                    .builder()
                    .setDelimiter(delimiter)
                    .setIgnoreEmptyLines(true)
                    // distinguishes an empty cell from an empty text in quotes
                    .setQuoteMode(QuoteMode.ALL_NON_NULL)
                    .get())
            .get();
    this.records = parser.iterator();
  }

  /** Opens a file; decompresses {@code .gz}. */
  public static CsvLines open(Path file, char delimiter) throws IOException {
    return new CsvLines(
        Files.newInputStream(file),
        file.getFileName().toString().endsWith(".gz"),
        Files.size(file),
        delimiter);
  }

  /** Reads a stream of unknown length, such as standard input. */
  public static CsvLines of(InputStream in, char delimiter) throws IOException {
    return new CsvLines(in, false, -1, delimiter);
  }

  /** Size of the input in bytes; -1 if unknown. */
  public long totalBytes() {
    return totalBytes;
  }

  /** Bytes read so far. */
  public long bytesRead() {
    return counted.count;
  }

  /** The next line; null at the end. */
  CsvLine next() throws IOException {
    if (ended) {
      return null;
    }
    long number = parser.getCurrentLineNumber() + 1;
    try {
      if (!records.hasNext()) {
        ended = true;
        return null;
      }
      CSVRecord record = records.next();
      return checked(firstLine(record, number), record);
    } catch (UncheckedIOException | IllegalStateException e) {
      String problem = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
      return unreadable(number, String.valueOf(problem));
    }
  }

  /** Line number of a record. The parser skips empty lines before it. */
  private long firstLine(CSVRecord record, long earliest) {
    long breaks = 0;
    for (String cell : record) {
      breaks += cell == null ? 0 : cell.chars().filter(c -> c == '\n').count();
    }
    return Math.max(earliest, parser.getCurrentLineNumber() - breaks);
  }

  private static CsvLine checked(long number, CSVRecord record) {
    List<String> cells = record.toList();
    if (number == 1 && cells.get(0) != null && cells.get(0).indexOf(BYTE_ORDER_MARK) == 0) {
      cells.set(0, cells.get(0).substring(1));
    }
    for (String cell : cells) {
      if (cell != null && cell.indexOf(REPLACEMENT) >= 0) {
        return new CsvLine(number, cells, "it contains bytes that are not UTF-8");
      }
    }
    return new CsvLine(number, cells, null);
  }

  /**
   * The result for a line that is not valid CSV. The parser stopped inside the line, so the rest of
   * it is skipped.
   */
  private CsvLine unreadable(long number, String problem) {
    boolean unclosed = problem.contains("EOF");
    ended = unclosed;
    if (!unclosed) {
      try {
        if (records.hasNext()) {
          records.next();
        }
      } catch (UncheckedIOException | IllegalStateException e) {
        ended = true;
      }
    }
    return new CsvLine(
        number,
        List.of(),
        unclosed
            ? "a quote is not closed; the rest of the file was not read"
            : "there is text after a closing quote; a quote within quotes must be doubled");
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }

  /** Counts bytes as they are read. */
  private static final class CountingStream extends FilterInputStream {
    private long count;

    CountingStream(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      count += Math.max(0, read);
      return read;
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      count += read < 0 ? 0 : 1;
      return read;
    }
  }
}
