package dev.kudu4j.benchmarks.threads;

import static dev.kudu4j.benchmarks.threads.ScanRequests.column;

import com.google.protobuf.ByteString;
import dev.kudu4j.Schema;
import dev.kudu4j.benchmarks.selection.CellType;
import dev.kudu4j.benchmarks.selection.GeneratedTable;
import dev.kudu4j.benchmarks.selection.TableColumn;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.TabletServerFeatures;
import dev.kudu4j.common.rpc.RpcCallOptions;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * The table of {@code bench threads}, whose keys are 0 to {@code count} - 1, and its operations.
 *
 * @param kinds the kinds of operations
 */
record KeyTable(int count, List<CallKind> kinds) implements ModelTable {
  @Override
  public GeneratedTable rows() {
    return new Rows(count);
  }

  @Override
  public List<KuduIndex> indexes() {
    return List.of();
  }

  @Override
  public boolean isInMemory() {
    return false;
  }

  @Override
  public List<ScanOperation> operations(Schema schema, ByteString tabletId) {
    return kinds.stream()
        .<ScanOperation>map(kind -> new Operation(kind, schema, tabletId, count))
        .toList();
  }

  private record Rows(int count) implements GeneratedTable {
    @Override
    public String name() {
      return "threads";
    }

    @Override
    public List<TableColumn> columns() {
      return List.of(
          new TableColumn("id", CellType.INT64),
          new TableColumn("amount", CellType.DOUBLE),
          new TableColumn("note", CellType.STRING));
    }

    @Override
    public long rowCount() {
      return count;
    }

    @Override
    public Iterator<Object[]> rows(int part, int parts) {
      long first = (long) count * (part - 1) / parts;
      long end = (long) count * part / parts;
      return LongStream.range(first, end)
          .mapToObj(id -> new Object[] {id, id / 100.0, "note number " + id * 7_919 % count})
          .iterator();
    }
  }

  private record Operation(CallKind kind, Schema schema, ByteString tabletId, int count)
      implements ScanOperation {
    @Override
    public String title() {
      return kind.title();
    }

    @Override
    public int rows() {
      return kind == CallKind.SCAN ? count : kind.keys();
    }

    @Override
    public RpcCallOptions options() {
      RpcCallOptions options = ScanOperation.super.options();
      return kind == CallKind.ROWS
          ? options.withFeatures(TabletServerFeatures.PRIMARY_KEYS_VALUE)
          : options;
    }

    @Override
    public ScanRequestPB open(RandomGenerator random) {
      NewScanRequestPB.Builder scan =
          NewScanRequestPB.newBuilder()
              .setTabletId(tabletId)
              .addProjectedColumns(column("id", DataType.INT64).setIsKey(true))
              .addProjectedColumns(column("amount", DataType.DOUBLE))
              .addProjectedColumns(column("note", DataType.STRING));
      switch (kind) {
        case ROW -> {
          long id = random.nextInt(count);
          scan.addColumnPredicates(ScanRequests.equal("id", ScanRequests.cell(id)));
        }
        case ROWS -> keys(random).forEach(scan::addPrimaryKeys);
        case SCAN -> {}
      }
      return ScanRequests.first(scan);
    }

    /** Distinct keys in ascending order. */
    private List<ByteString> keys(RandomGenerator random) {
      List<ByteString> keys = new ArrayList<>(kind.keys());
      int stride = count / kind.keys();
      for (int i = 0; i < kind.keys(); i++) {
        PartialRow row = schema.newPartialRow();
        row.addLong("id", (long) i * stride + random.nextInt(stride));
        keys.add(ByteString.copyFrom(row.encodePrimaryKey()));
      }
      return keys;
    }
  }
}
