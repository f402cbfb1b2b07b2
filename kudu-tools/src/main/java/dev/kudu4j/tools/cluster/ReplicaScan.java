package dev.kudu4j.tools.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.Schema;
import dev.kudu4j.client.RowResultIterator;
import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.RowwiseDecoder;
import dev.kudu4j.client.scan.RowwiseRows;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.tserver.ListTabletsResponsePB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.tools.connection.ClusterCalls;
import java.net.InetSocketAddress;

/**
 * A scan of one replica at one server: what it has, as it is now. No master is asked, and no other
 * replica takes over.
 *
 * <p>Not the client's scan, which is of a table, and goes to whichever replica is there. Nor one at
 * a snapshot: a replica whose group has no leader could not tell when it has all of it.
 */
final class ReplicaScan implements AutoCloseable {
  private static final int BATCH_BYTES = 1 << 20;

  private final ClusterCalls calls;
  private final InetSocketAddress server;
  private final Schema schema;
  private final RowwiseDecoder decoder;
  private final NewScanRequestPB opening;
  private ByteString scanner = ByteString.EMPTY;
  private int sequence;
  private boolean more = true;

  ReplicaScan(
      ClusterCalls calls,
      InetSocketAddress server,
      ListTabletsResponsePB.StatusAndSchemaPB replica) {
    this.calls = calls;
    this.server = server;
    this.schema = Schema.of(SchemaWire.fromWire(replica.getSchema()));
    this.decoder = new RowwiseDecoder(new CellLayout(schema.toCommon()));
    this.opening = opening(replica);
  }

  private static NewScanRequestPB opening(ListTabletsResponsePB.StatusAndSchemaPB replica) {
    NewScanRequestPB.Builder scan =
        NewScanRequestPB.newBuilder()
            .setTabletId(replica.getTabletStatus().getTabletIdBytes())
            .setReadMode(ReadMode.READ_LATEST)
            .setCacheBlocks(false);
    for (ColumnSchemaPB column : replica.getSchema().getColumnsList()) {
      scan.addProjectedColumns(column.toBuilder().clearId());
    }
    return scan.build();
  }

  Schema schema() {
    return schema;
  }

  boolean hasMore() {
    return more;
  }

  /** The next rows, which may be none in the middle of the scan; good until the call after. */
  RowResultIterator next() {
    ScanRequestPB.Builder request =
        ScanRequestPB.newBuilder().setCallSeqId(sequence++).setBatchSizeBytes(BATCH_BYTES);
    return ClusterCalls.get(
        calls.call(
            server,
            RemoteReplicaVerbs.DATA,
            "Scan",
            (scanner.isEmpty() ? request.setNewScanRequest(opening) : request.setScannerId(scanner))
                .build(),
            ScanResponsePB.parser(),
            answer -> {
              more = answer.message().getHasMoreResults();
              scanner = answer.message().getScannerId();
              RowwiseRows rows = decoder.decode(answer.message(), answer.sidecars());
              return RowResultIterator.ofReceived(
                  rows.count(), rows.rows(), rows.indirect(), schema);
            }));
  }

  /** Lets the server forget a scan that was not read to its end. */
  @Override
  public void close() {
    if (more && !scanner.isEmpty()) {
      more = false;
      ClusterCalls.get(
          calls.call(
              server,
              RemoteReplicaVerbs.DATA,
              "Scan",
              ScanRequestPB.newBuilder()
                  .setScannerId(scanner)
                  .setCallSeqId(sequence)
                  .setBatchSizeBytes(0)
                  .setCloseScanner(true)
                  .build(),
              ScanResponsePB.parser()));
    }
  }
}
