package dev.kudu4j.tools.table.csv;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowError;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Status;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.cell.CellReader;
import dev.kudu4j.tools.cell.TypeText;
import dev.kudu4j.tools.console.Counter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Writes the lines of a CSV input into a table. While one batch of rows is being written, the next
 * one is read. Batches are written one after another: if two lines of an upsert have the same key,
 * the later one wins.
 */
public final class CsvImport implements AutoCloseable {
  /** What servers say if it is the key, and not a value of a unique index. */
  private static final String KEY_PRESENT = "key already present";

  private static final int BATCH_ROWS = 8_000;

  /** The write operation of a row. */
  public enum Write {
    /** An existing key makes the line a bad one. */
    INSERT {
      @Override
      Operation operation(KuduTable table) {
        return table.newInsert();
      }
    },
    /** An existing row is left unchanged. */
    INSERT_IGNORE {
      @Override
      Operation operation(KuduTable table) {
        return table.newInsertIgnore();
      }
    },
    /** An existing row is overwritten. */
    UPSERT {
      @Override
      Operation operation(KuduTable table) {
        return table.newUpsert();
      }
    };

    abstract Operation operation(KuduTable table);
  }

  private final KuduTable table;
  private final Schema schema;
  private final Write write;
  private final Set<String> nullTexts;
  private final BadLines bad;
  private final KuduSession session;
  private final ExecutorService writer;
  private CsvHeader header;
  private IdentityHashMap<Operation, CsvLine> batch = new IdentityHashMap<>();
  private List<Operation> ordered = new ArrayList<>();
  private Batch underWay;
  private long imported;

  /** Rows that are being written. */
  private record Batch(
      IdentityHashMap<Operation, CsvLine> lines, Future<List<OperationResponse>> answers) {}

  public CsvImport(
      KuduClient client, KuduTable table, Write write, Set<String> nullTexts, BadLines bad)
      throws IOException {
    this.table = table;
    this.schema = table.getSchema();
    this.write = write;
    this.nullTexts = nullTexts;
    this.bad = bad;
    this.session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(BATCH_ROWS);
    this.writer =
        Executors.newSingleThreadExecutor(
            run -> {
              Thread thread = new Thread(run, "import");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Number of rows that were written. */
  public long imported() {
    return imported;
  }

  /**
   * Imports all lines.
   *
   * @param names column names of the cells; null if the first line contains them
   * @param ignored names whose cells are ignored
   */
  public void run(CsvLines lines, List<String> names, Set<String> ignored, Counter counter)
      throws IOException {
    readHeader(lines, names, ignored);
    for (CsvLine line = lines.next(); line != null; line = lines.next()) {
      add(line);
      if (ordered.size() == BATCH_ROWS) {
        send();
        counter.at(imported, lines.totalBytes() < 0 ? imported : lines.bytesRead());
      }
    }
    send();
    awaitBatch();
  }

  private void readHeader(CsvLines lines, List<String> names, Set<String> ignored)
      throws IOException {
    List<String> found = names;
    if (found == null) {
      CsvLine first = lines.next();
      if (first == null || first.problem() != null) {
        throw KuduException.invalidArgument(
            "The input %s; the first line must contain the column names",
            first == null ? "is empty" : "has an invalid first line: " + first.problem());
      }
      found = first.cells();
    }
    header = CsvHeader.match(found, schema, ignored);
    bad.header(found);
  }

  private void add(CsvLine line) throws IOException {
    String problem = line.problem();
    if (problem == null && line.cells().size() != header.size()) {
      problem =
          String.format("%d cells, but the header has %d", line.cells().size(), header.size());
    }
    if (problem == null) {
      Operation operation = write.operation(table);
      try {
        fill(operation.getRow(), line);
        batch.put(operation, line);
        ordered.add(operation);
        return;
      } catch (KuduException e) {
        problem = e.getMessage();
      }
    }
    bad.add(line, problem);
  }

  private void fill(PartialRow row, CsvLine line) {
    for (int i = 0; i < header.size(); i++) {
      int index = header.column(i);
      if (index < 0) {
        continue;
      }
      ColumnSchema column = schema.getColumnByIndex(index);
      String cell = line.cells().get(i);
      if (!isNull(cell, column.getType())) {
        row.addObject(index, CellReader.read(column, cell));
      } else if (column.isNullable()) {
        row.setNull(index);
      } else {
        throw KuduException.invalidArgument(
            "column %s is %s NOT NULL%s and the cell is %s",
            column.getName(),
            TypeText.of(column),
            column.isKey() ? " (key)" : "",
            cell == null || cell.isEmpty() ? "empty" : "'" + cell + "', which represents null");
      }
    }
  }

  /** Whether a cell is NULL. Empty text in quotes is a value in text columns. */
  private boolean isNull(String cell, Type type) {
    if (cell == null || nullTexts.contains(cell)) {
      return true;
    }
    boolean holdsText = type == Type.STRING || type == Type.VARCHAR || type == Type.BINARY;
    return cell.isEmpty() && !holdsText;
  }

  /** Sends the batch after the previous one was acknowledged. */
  private void send() throws IOException {
    awaitBatch();
    if (ordered.isEmpty()) {
      return;
    }
    List<Operation> operations = ordered;
    underWay = new Batch(batch, writer.submit(() -> write(operations)));
    batch = new IdentityHashMap<>();
    ordered = new ArrayList<>();
  }

  private List<OperationResponse> write(List<Operation> operations) throws IOException {
    for (Operation operation : operations) {
      session.apply(operation);
    }
    return session.flush();
  }

  private void awaitBatch() throws IOException {
    if (underWay == null) {
      return;
    }
    Batch answered = underWay;
    underWay = null;
    List<RowError> errors = OperationResponse.collectErrors(answers(answered.answers()));
    imported += answered.lines().size() - errors.size();
    List<RowError> byLine = new ArrayList<>(errors);
    byLine.sort((a, b) -> Long.compare(line(a, answered), line(b, answered)));
    for (RowError error : byLine) {
      CsvLine line = answered.lines().get(error.getOperation());
      bad.add(line, reason(error.getErrorStatus(), line));
    }
  }

  private static long line(RowError error, Batch batch) {
    return batch.lines().get(error.getOperation()).number();
  }

  private static List<OperationResponse> answers(Future<List<OperationResponse>> answers)
      throws IOException {
    try {
      return answers.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new KuduException(StatusCode.RUNTIME_ERROR, String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KuduException(StatusCode.ABORTED, "Interrupted", e);
    }
  }

  /**
   * The reason why a server rejected a row. An error that does not concern the row ends the import.
   */
  private String reason(Status status, CsvLine line) {
    if (status.isAlreadyPresent() && !status.toString().contains(KEY_PRESENT)) {
      return "the row with key " + key(line) + " is refused: " + status;
    }
    if (status.isAlreadyPresent()) {
      return "a row with key "
          + key(line)
          + " already exists, in the table or on an earlier line; --upsert overwrites it";
    }
    if (status.isNotFound()) {
      return "no range partition contains key "
          + key(line)
          + "; kudu table add_range_partition adds one";
    }
    if (status.isInvalidArgument() || status.isCorruption() || status.isImmutable()) {
      return status.toString();
    }
    throw new KuduException(
        StatusCode.ABORTED,
        String.format(
            "Stopped at line %d: %s; kudu cluster ksck shows problems of the cluster."
                + " With --upsert the file can be imported again",
            line.number(), status));
  }

  private String key(CsvLine line) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < header.size(); i++) {
      int index = header.column(i);
      if (index >= 0 && schema.getColumnByIndex(index).isKey()) {
        cells.add(schema.getColumnByIndex(index).getName() + "=" + line.cells().get(i));
      }
    }
    return "(" + String.join(", ", cells) + ")";
  }

  @Override
  public void close() throws IOException {
    writer.shutdownNow();
    session.close();
  }
}
