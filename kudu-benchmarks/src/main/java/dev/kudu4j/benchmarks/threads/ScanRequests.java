package dev.kudu4j.benchmarks.threads;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Parts of the requests of scans. */
public final class ScanRequests {
  private static final int BATCH_BYTES = 1 << 20;

  private ScanRequests() {}

  /** The request that opens a scan and asks for its first batch. */
  public static ScanRequestPB first(NewScanRequestPB.Builder scan) {
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

  /** A column of the projection. */
  public static ColumnSchemaPB.Builder column(String name, DataType type) {
    return ColumnSchemaPB.newBuilder().setName(name).setType(type).setIsNullable(false);
  }

  /** The cell of a number as a request has it. */
  public static ByteString cell(long number) {
    return ByteString.copyFrom(
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array());
  }

  /** The cell of a number as a request has it. */
  public static ByteString cell(int number) {
    return ByteString.copyFrom(
        ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array());
  }

  /** The predicate that a column equals a cell. */
  public static ColumnPredicatePB equal(String column, ByteString cell) {
    return ColumnPredicatePB.newBuilder()
        .setColumn(column)
        .setEquality(ColumnPredicatePB.Equality.newBuilder().setValue(cell))
        .build();
  }
}
