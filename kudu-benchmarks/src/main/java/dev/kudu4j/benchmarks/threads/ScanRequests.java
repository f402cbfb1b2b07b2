package dev.kudu4j.benchmarks.threads;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The requests of the operations on the table of the comparison, whose keys are 0 to {@code rows} -
 * 1.
 *
 * @param tabletId the only tablet
 */
record ScanRequests(KuduTable table, ByteString tabletId, int rows) {
  static final int BATCH_BYTES = 1 << 20;

  /** The first request of an operation. */
  ScanRequestPB open(CallKind kind, RandomGenerator random) {
    NewScanRequestPB.Builder scan =
        NewScanRequestPB.newBuilder()
            .setTabletId(tabletId)
            .addProjectedColumns(column("id", DataType.INT64).setIsKey(true))
            .addProjectedColumns(column("amount", DataType.DOUBLE))
            .addProjectedColumns(column("note", DataType.STRING));
    switch (kind) {
      case ROW -> scan.addColumnPredicates(equalTo(random.nextInt(rows)));
      case ROWS -> keys(kind.keys(), random).forEach(scan::addPrimaryKeys);
      case SCAN -> {}
    }
    return ScanRequestPB.newBuilder()
        .setNewScanRequest(scan)
        .setCallSeqId(0)
        .setBatchSizeBytes(BATCH_BYTES)
        .build();
  }

  /** The request for the next batch of a scan. */
  static ScanRequestPB next(ByteString scannerId, int sequence) {
    return ScanRequestPB.newBuilder()
        .setScannerId(scannerId)
        .setCallSeqId(sequence)
        .setBatchSizeBytes(BATCH_BYTES)
        .build();
  }

  private static ColumnSchemaPB.Builder column(String name, DataType type) {
    return ColumnSchemaPB.newBuilder().setName(name).setType(type).setIsNullable(false);
  }

  private static ColumnPredicatePB equalTo(long id) {
    byte[] cell = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(id).array();
    return ColumnPredicatePB.newBuilder()
        .setColumn("id")
        .setEquality(ColumnPredicatePB.Equality.newBuilder().setValue(ByteString.copyFrom(cell)))
        .build();
  }

  /** Distinct keys in ascending order. */
  private List<ByteString> keys(int count, RandomGenerator random) {
    List<ByteString> keys = new ArrayList<>(count);
    int stride = rows / count;
    for (int i = 0; i < count; i++) {
      PartialRow row = table.getSchema().newPartialRow();
      row.addLong("id", (long) i * stride + random.nextInt(stride));
      keys.add(ByteString.copyFrom(row.encodePrimaryKey()));
    }
    return keys;
  }
}
