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
 * A scan of one replica on one server, which reads its current rows. It uses no master and does not
 * fail over to another replica.
 *
 * <p>It does not use the client's scanner, because that chooses the replica itself. It does not
 * read at a snapshot, because a replica whose tablet has no leader cannot determine when it has all
 * data of a snapshot.
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

  /** The next rows, possibly none in the middle of the scan; valid until the next call. */
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

  /** Closes the scanner on the server if it was not read to its end. */
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
