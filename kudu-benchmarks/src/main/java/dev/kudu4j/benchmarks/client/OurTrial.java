package dev.kudu4j.benchmarks.client;

import dev.kudu4j.benchmarks.workload.KeySample;
import dev.kudu4j.benchmarks.workload.Loaded;
import dev.kudu4j.benchmarks.workload.Reading;
import dev.kudu4j.benchmarks.workload.ours.TableTrial;
import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Runs the tasks with Kudu4j's client, including the tasks that only this client supports. */
final class OurTrial extends TableTrial {
  private static final String QUANTITY = "l_quantity";

  private final BufferAllocator allocator = new RootAllocator();

  OurTrial(String masters) {
    super(masters);
  }

  /**
   * Scans the table into Arrow batches and returns the nanoseconds; fails unless it finds the
   * loaded rows.
   */
  long scanArrow(Loaded expected, Reading reading) throws KuduException {
    long startNanos = System.nanoTime();
    long rows = 0;
    double quantity = 0;
    double cells = 0;
    try (ArrowScanner scanner = ArrowScanner.open(client().newScannerBuilder(table()), allocator)) {
      while (scanner.hasMoreBatches()) {
        try (VectorSchemaRoot batch = scanner.nextBatch()) {
          rows += batch.getRowCount();
          quantity += sum((Float8Vector) batch.getVector(QUANTITY), batch.getRowCount());
          if (reading == Reading.EVERY_CELL) {
            cells += everyCell(batch);
          }
        }
      }
    }
    long nanos = System.nanoTime() - startNanos;
    if (rows != expected.rows() || quantity != expected.quantity()) {
      throw new IllegalStateException(
          String.format(
              "An Arrow scan found %d rows with quantity %s, but %d rows with %s were loaded",
              rows, quantity, expected.rows(), expected.quantity()));
    }
    if (reading == Reading.EVERY_CELL) {
      checkEveryCell(cells);
    }
    return nanos;
  }

  private static double everyCell(VectorSchemaRoot batch) {
    double sum = 0;
    for (FieldVector vector : batch.getFieldVectors()) {
      if (vector instanceof BigIntVector integers) {
        sum += sum(integers, batch.getRowCount());
      } else if (vector instanceof Float8Vector doubles) {
        sum += sum(doubles, batch.getRowCount());
      } else {
        sum += lengths((VarCharVector) vector, batch.getRowCount());
      }
    }
    return sum;
  }

  private static double sum(Float8Vector vector, int rows) {
    double sum = 0;
    for (int row = 0; row < rows; row++) {
      sum += vector.get(row);
    }
    return sum;
  }

  private static double sum(BigIntVector vector, int rows) {
    double sum = 0;
    for (int row = 0; row < rows; row++) {
      sum += vector.get(row);
    }
    return sum;
  }

  /**
   * The sum of the lengths of all strings. It is computed from the offsets in the vector, without
   * creating Strings.
   */
  private static double lengths(VarCharVector vector, int rows) {
    double sum = 0;
    for (int row = 0; row < rows; row++) {
      sum += vector.getValueLength(row);
    }
    return sum;
  }

  /** Reads rows by their keys, one at a time. Returns the nanoseconds of each. */
  long[] get(KeySample keys) throws KuduException {
    keys.shuffle();
    long[] nanos = new long[keys.size()];
    for (int i = 0; i < nanos.length; i++) {
      long startNanos = System.nanoTime();
      PartialRow key = key(keys, i);
      boolean found = table().get(key).isPresent();
      nanos[i] = System.nanoTime() - startNanos;
      if (!found) {
        throw new IllegalStateException("Key " + key.stringifyRowKey() + " was not found");
      }
    }
    return nanos;
  }

  /** Reads rows by their keys, with one call. Returns the nanoseconds. */
  long getAll(KeySample keys) throws KuduException {
    keys.shuffle();
    long startNanos = System.nanoTime();
    List<PartialRow> wanted = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      wanted.add(key(keys, i));
    }
    List<Optional<RowResult>> rows = table().getAll(wanted);
    long nanos = System.nanoTime() - startNanos;
    for (int i = 0; i < keys.size(); i++) {
      if (rows.get(i).orElseThrow().getLong(0) != keys.orderKey(i)) {
        throw new IllegalStateException("Wrong row for key " + wanted.get(i).stringifyRowKey());
      }
    }
    return nanos;
  }

  private PartialRow key(KeySample keys, int index) {
    PartialRow key = table().getSchema().newPartialRow();
    key.addLong(0, keys.orderKey(index));
    key.addLong(1, keys.lineNumber(index));
    return key;
  }

  @Override
  public void close() throws KuduException {
    super.close();
    allocator.close();
  }
}
