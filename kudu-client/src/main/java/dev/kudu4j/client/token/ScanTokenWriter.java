package dev.kudu4j.client.token;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.ReplicaChoice;
import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.client.scan.ProjectedColumns;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.ScanSplitter;
import dev.kudu4j.client.stream.PreparedScan;
import dev.kudu4j.common.proto.client.ScanTokenPB;
import dev.kudu4j.common.proto.client.TableMetadataPB;
import dev.kudu4j.common.proto.client.TokenIndexPB;
import dev.kudu4j.common.proto.common.ReplicaSelection;
import dev.kudu4j.common.proto.expression.AggregationPB;
import dev.kudu4j.common.proto.index.IndexHintPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.ConditionWire;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.common.wire.TopNWire;
import java.util.List;

/** Writes the pieces of a scan as scan tokens. */
public final class ScanTokenWriter {
  private final ScanTokenPB template;
  private final boolean includeTablet;

  /**
   * @param aggregation the aggregation with the names of its results; null for tokens of rows
   * @param includeTable whether tokens contain the table's metadata; otherwise they contain its id
   *     and name
   * @param includeTablet whether tokens contain the locations of their tablet
   */
  public ScanTokenWriter(
      TableDescription table,
      PreparedScan scan,
      AggregationPB aggregation,
      boolean includeTable,
      boolean includeTablet) {
    this.includeTablet = includeTablet;
    ScanQuery query = scan.query();
    ScanTokenPB.Builder token = ScanTokenPB.newBuilder();
    List<ColumnSchema> columns =
        query.columnsRead().schema().columns().stream()
            .filter(column -> column.type() != DataType.IS_DELETED)
            .toList();
    if (includeTable) {
      token.setTableMetadata(table.toWire());
      List<String> names = table.schema().columns().stream().map(ColumnSchema::name).toList();
      columns.forEach(column -> token.addProjectedColumnIdx(names.indexOf(column.name())));
    } else {
      token.setTableId(table.id()).setTableName(table.name());
      token.addAllProjectedColumns(new ProjectedColumns(new Schema(columns)).toWire());
    }
    token.addAllColumnPredicates(ScanQuery.predicatesToWire(query.predicates()));
    if (query.condition() != null
        || aggregation != null
        || query.top() != null) { // other clients must reject the token
      token.addFeatureFlags(ScanTokenPB.Feature.Unknown);
    }
    if (scan.instead() != null) {
      token.addFeatureFlags(ScanTokenPB.Feature.Unknown); // also readers that know conditions
      token.setIndex(wireOf(scan.instead().index()));
    }
    if (query.condition() != null) {
      token.setCondition(ConditionWire.toWire(query.condition()));
    }
    if (aggregation != null) {
      token.setAggregation(aggregation);
    }
    if (query.top() != null) {
      token.setTopN(TopNWire.toWire(query.top()));
    }
    if (query.indexHint().getUse() != IndexHintPB.Use.CHOSEN) {
      token.setIndexHint(query.indexHint());
    }
    if (query.limit() != Long.MAX_VALUE) {
      token.setLimit(query.limit());
    }
    token
        .setReadMode(query.readMode())
        .setCacheBlocks(query.cacheBlocks())
        .setFaultTolerant(query.ordered())
        .setBatchSizeBytes(query.batchBytes())
        .setReplicaSelection(wireOf(query.replicaChoice()))
        .setScanRequestTimeoutMs(query.timeoutMillis())
        .setKeepAlivePeriodMs(scan.keepAlivePeriodMillis());
    if (query.snapshot() != ScanQuery.NO_TIMESTAMP) {
      token.setSnapTimestamp(query.snapshot());
    }
    if (query.maxStalenessMicros() != ScanQuery.NO_TIMESTAMP) {
      token.setMaxStalenessMicros(query.maxStalenessMicros());
    }
    if (query.diffStart() != ScanQuery.NO_TIMESTAMP) {
      token.setSnapStartTimestamp(query.diffStart());
    }
    long seen = scan.cluster().lastTimestamp();
    if (seen > 0) {
      token.setPropagatedTimestamp(seen);
    }
    if (!query.queryId().isEmpty()) {
      token.setQueryId(query.queryId());
    }
    this.template = token.build();
  }

  private static TokenIndexPB wireOf(IndexSource index) {
    TableMetadataPB.Builder table =
        TableMetadataPB.newBuilder()
            .setTableId(index.tablets().tableId())
            .setTableName(index.tableName())
            .setSchema(SchemaWire.toWire(index.table(), true))
            .setPartitionSchema(PartitionWire.toWire(index.partitions(), index.table()));
    return TokenIndexPB.newBuilder().setName(index.name()).setTable(table).build();
  }

  private static ReplicaSelection wireOf(ReplicaChoice choice) {
    return switch (choice) {
      case LEADER -> ReplicaSelection.LEADER_ONLY;
      case CLOSEST -> ReplicaSelection.CLOSEST_REPLICA;
    };
  }

  public ScanTokenPB message(ScanSplitter.Piece piece) {
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
    if (includeTablet) {
      token.setTabletMetadata(TokenTablets.toWire(piece.tablet()));
    }
    return token.build();
  }
}
