package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import dev.kudu4j.Schema;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.scan.ProjectedColumns;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.ScanSplitter;
import dev.kudu4j.common.proto.client.ScanTokenPB;
import dev.kudu4j.common.proto.client.ServerMetadataPB;
import dev.kudu4j.common.proto.client.TableMetadataPB;
import dev.kudu4j.common.proto.client.TabletMetadataPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import java.util.List;

/** Describes the pieces of a scan, one after the other, as scan tokens. */
final class ScanTokenWriter {
  /** For how long a reader may believe what a token says about its tablet. */
  private static final long LOCATION_TTL_MILLIS = 300_000;

  private final ScanTokenPB template;
  private final boolean includeTabletMetadata;

  ScanTokenWriter(
      AbstractKuduScannerBuilder<?, ?> scan,
      ScanQuery query,
      boolean includeTableMetadata,
      boolean includeTabletMetadata) {
    this.includeTabletMetadata = includeTabletMetadata;
    ScanTokenPB.Builder token = ScanTokenPB.newBuilder();
    List<ColumnSchema> columns =
        query.projection().columns().stream()
            .filter(column -> column.type() != DataType.IS_DELETED)
            .toList();
    if (includeTableMetadata) {
      token.setTableMetadata(table(scan.table));
      Schema schema = scan.table.getSchema();
      columns.forEach(column -> token.addProjectedColumnIdx(schema.getColumnIndex(column.name())));
    } else {
      token.setTableId(scan.table.getTableId()).setTableName(scan.table.getName());
      token.addAllProjectedColumns(
          new ProjectedColumns(new dev.kudu4j.common.schema.Schema(columns)).toWire());
    }
    token.addAllColumnPredicates(ScanQuery.predicatesToWire(query.predicates()));
    if (query.limit() != Long.MAX_VALUE) {
      token.setLimit(query.limit());
    }
    token
        .setReadMode(query.readMode())
        .setCacheBlocks(query.cacheBlocks())
        .setFaultTolerant(query.ordered())
        .setBatchSizeBytes(query.batchBytes())
        .setReplicaSelection(wireOf(scan.replicaSelection))
        .setScanRequestTimeoutMs(query.timeoutMillis())
        .setKeepAlivePeriodMs(scan.keepAlivePeriodMs);
    if (query.snapshot() != ScanQuery.NO_TIMESTAMP) {
      token.setSnapTimestamp(query.snapshot());
    }
    if (query.diffStart() != ScanQuery.NO_TIMESTAMP) {
      token.setSnapStartTimestamp(query.diffStart());
    }
    long seen = scan.client.cluster().lastTimestamp();
    if (seen > 0) {
      token.setPropagatedTimestamp(seen);
    }
    if (!query.queryId().isEmpty()) {
      token.setQueryId(query.queryId());
    }
    this.template = token.build();
  }

  private static dev.kudu4j.common.proto.common.ReplicaSelection wireOf(
      ReplicaSelection selection) {
    return switch (selection) {
      case LEADER_ONLY -> dev.kudu4j.common.proto.common.ReplicaSelection.LEADER_ONLY;
      case CLOSEST_REPLICA -> dev.kudu4j.common.proto.common.ReplicaSelection.CLOSEST_REPLICA;
    };
  }

  ScanTokenPB message(ScanSplitter.Piece piece) {
    ScanTokenPB.Builder token =
        template.toBuilder()
            .setLowerBoundPartitionKey(ByteString.copyFrom(piece.tablet().partition().start()))
            .setUpperBoundPartitionKey(ByteString.copyFrom(piece.tablet().partition().end()));
    if (piece.keys().start().length > 0) {
      token.setLowerBoundPrimaryKey(ByteString.copyFrom(piece.keys().start()));
    }
    if (piece.keys().hasEnd()) {
      token.setUpperBoundPrimaryKey(ByteString.copyFrom(piece.keys().end()));
    }
    if (includeTabletMetadata) {
      token.setTabletMetadata(tablet(piece.tablet()));
    }
    return token.build();
  }

  private static TableMetadataPB table(KuduTable table) {
    dev.kudu4j.common.schema.Schema schema = table.getSchema().toCommon();
    return TableMetadataPB.newBuilder()
        .setTableId(table.getTableId())
        .setTableName(table.getName())
        .setNumReplicas(table.getNumReplicas())
        .setSchema(SchemaWire.toWire(schema, true))
        .setPartitionSchema(PartitionWire.toWire(table.partitions(), schema))
        .putAllExtraConfigs(table.getExtraConfig())
        .setOwner(table.getOwner())
        .setComment(table.getComment())
        .build();
  }

  private static TabletMetadataPB tablet(RemoteTablet tablet) {
    TabletMetadataPB.Builder message =
        TabletMetadataPB.newBuilder()
            .setTabletId(tablet.tabletId())
            .setPartition(PartitionWire.toWire(tablet.partition()))
            .setTtlMillis(LOCATION_TTL_MILLIS);
    List<RemoteReplica> replicas = tablet.replicas();
    for (int i = 0; i < replicas.size(); i++) {
      RemoteReplica replica = replicas.get(i);
      message.addTabletServers(server(replica));
      TabletMetadataPB.ReplicaMetadataPB.Builder told =
          message
              .addReplicasBuilder()
              .setTsIdx(i)
              .setRole(RaftPeerPB.Role.valueOf(replica.role().name()));
      if (!replica.label().isEmpty()) {
        told.setDimensionLabel(replica.label());
      }
    }
    return message.build();
  }

  private static ServerMetadataPB server(RemoteReplica replica) {
    return ServerMetadataPB.newBuilder()
        .setUuid(ByteString.copyFromUtf8(replica.serverId()))
        .addRpcAddresses(HostPortPB.newBuilder().setHost(replica.host()).setPort(replica.port()))
        .setLocation(replica.location())
        .build();
  }
}
