package dev.kudu4j.benchmarks.index;

import static dev.kudu4j.benchmarks.threads.ScanRequests.cell;
import static dev.kudu4j.benchmarks.threads.ScanRequests.column;

import com.google.protobuf.ByteString;
import dev.kudu4j.Schema;
import dev.kudu4j.benchmarks.selection.CellType;
import dev.kudu4j.benchmarks.selection.GeneratedTable;
import dev.kudu4j.benchmarks.selection.Range;
import dev.kudu4j.benchmarks.selection.Selection;
import dev.kudu4j.benchmarks.selection.SelectionQuery;
import dev.kudu4j.benchmarks.selection.TableColumn;
import dev.kudu4j.benchmarks.threads.ModelTable;
import dev.kudu4j.benchmarks.threads.ScanOperation;
import dev.kudu4j.benchmarks.threads.ScanRequests;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A table with two indexed columns, and copies of them without index. Each value of a column is in
 * {@link #MATCHES} rows; the operations read the rows of one value, as published clients ask for
 * them.
 */
record PointTable(int count, boolean isInMemory) implements ModelTable {
  /** The number of rows of a value. */
  static final int MATCHES = 10;

  /** The indexed number. */
  static final String NUMBER = "number";

  private static final int VARIANTS = 16;

  /** The operations, which compare the indexed column with its copy. */
  enum Lookup {
    NUMBER_INDEXED("INT32 = x, index", NUMBER, DataType.INT32),
    NUMBER_SCANNED("INT32 = x, no index", "number_copy", DataType.INT32),
    TEXT_INDEXED("STRING = x, index", "text", DataType.STRING),
    TEXT_SCANNED("STRING = x, no index", "text_copy", DataType.STRING);

    private final String title;
    private final String column;
    private final DataType type;

    Lookup(String title, String column, DataType type) {
      this.title = title;
      this.column = column;
      this.type = type;
    }

    String title() {
      return title;
    }
  }

  PointTable {
    if (count < MATCHES) {
      throw new IllegalArgumentException("The table needs at least " + MATCHES + " rows");
    }
  }

  private int values() {
    return count / MATCHES;
  }

  private static String text(long value) {
    return "customer of number " + value;
  }

  @Override
  public GeneratedTable rows() {
    return new Rows(values());
  }

  /** The query of the rows of one number, for some numbers. */
  SelectionQuery equality(int tablets) {
    RandomGenerator random = new SplittableRandom(1);
    List<Selection> variants =
        Stream.generate(() -> Range.of(NUMBER, random.nextInt(values())))
            .limit(VARIANTS)
            .map(range -> Selection.and(List.of("id", NUMBER), range))
            .toList();
    return new SelectionQuery("INT32 = x", tablets + " tablets", variants);
  }

  @Override
  public List<KuduIndex> indexes() {
    return List.of(
        KuduIndex.local("by_number", Lookup.NUMBER_INDEXED.column),
        KuduIndex.local("by_text", Lookup.TEXT_INDEXED.column));
  }

  @Override
  public List<ScanOperation> operations(Schema schema, ByteString tabletId) {
    List<ScanOperation> operations = new ArrayList<>();
    for (Lookup lookup : Lookup.values()) {
      operations.add(new Operation(lookup, tabletId, values()));
    }
    return operations;
  }

  /** Rows whose values are in no order. */
  private record Rows(int values) implements GeneratedTable {
    private static final long SPREAD = 7_919; // a prime

    @Override
    public String name() {
      return "points";
    }

    @Override
    public List<TableColumn> columns() {
      return List.of(
          new TableColumn("id", CellType.INT64),
          new TableColumn(Lookup.NUMBER_INDEXED.column, CellType.INT32),
          new TableColumn(Lookup.NUMBER_SCANNED.column, CellType.INT32),
          new TableColumn(Lookup.TEXT_INDEXED.column, CellType.STRING),
          new TableColumn(Lookup.TEXT_SCANNED.column, CellType.STRING));
    }

    @Override
    public long rowCount() {
      return (long) values * MATCHES;
    }

    @Override
    public Iterator<Object[]> rows(int part, int parts) {
      long first = rowCount() * (part - 1) / parts;
      long end = rowCount() * part / parts;
      return LongStream.range(first, end).mapToObj(this::row).iterator();
    }

    private Object[] row(long id) {
      int value = (int) ((id + id / values) * SPREAD % values);
      return new Object[] {id, value, value, text(value), text(value)};
    }
  }

  private record Operation(Lookup lookup, ByteString tabletId, int values)
      implements ScanOperation {
    @Override
    public String title() {
      return lookup.title;
    }

    @Override
    public int rows() {
      return MATCHES;
    }

    @Override
    public ScanRequestPB open(RandomGenerator random) {
      int value = random.nextInt(values);
      ByteString cell =
          lookup.type == DataType.INT32 ? cell(value) : ByteString.copyFromUtf8(text(value));
      return ScanRequests.first(
          NewScanRequestPB.newBuilder()
              .setTabletId(tabletId)
              .addProjectedColumns(column("id", DataType.INT64).setIsKey(true))
              .addProjectedColumns(column(lookup.column, lookup.type))
              .addColumnPredicates(ScanRequests.equal(lookup.column, cell)));
    }
  }
}
