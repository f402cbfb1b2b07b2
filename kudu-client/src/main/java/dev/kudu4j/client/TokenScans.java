package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.client.token.TableDescription;
import dev.kudu4j.client.token.TokenTablets;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.proto.client.ScanTokenPB;
import dev.kudu4j.common.proto.client.TabletMetadataPB;
import dev.kudu4j.common.proto.client.TokenIndexPB;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.wire.ConditionWire;
import dev.kudu4j.common.wire.TopNWire;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates scanner builders from scan tokens, including those of other clients.
 *
 * <p>The metadata of the table and its tablet is taken from the token, and requested from the
 * master if the token lacks it. If a token contains column names but no table metadata, the table
 * must still have columns of the same names and types.
 */
final class TokenScans {
  private TokenScans() {}

  static KuduScanner.KuduScannerBuilder builder(ScanTokenPB token, AsyncKuduClient client)
      throws KuduException {
    if (token.hasAggregation()) {
      throw new IllegalArgumentException(
          "The scan token is one of an aggregation; use deserializeIntoAggregate()");
    }
    KuduTable table = openTable(token, client);
    KuduScanner.KuduScannerBuilder scan = new KuduScanner.KuduScannerBuilder(client, table);
    scan.setProjectedColumnIndexes(projection(token, table.getSchema()));
    describe(token, scan);
    if (token.hasTopN()) {
      TopN top = TopNWire.fromWire(token.getTopN(), table.getSchema().toCommon());
      for (TopN.Order by : top.order()) {
        scan.orderBy(by.column().name(), by.ascending(), by.nullsFirst());
      }
      scan.limit(top.count());
    }
    return scan;
  }

  static KuduAggregate aggregate(ScanTokenPB token, AsyncKuduClient client) throws KuduException {
    if (!token.hasAggregation()) {
      throw new IllegalArgumentException(
          "The scan token is one of rows; use deserializeIntoScanner()");
    }
    KuduTable table = openTable(token, client);
    KuduAggregateBuilder aggregate = new KuduAggregateBuilder(client, table);
    projection(token, table.getSchema()); // checks that the columns still have their types
    describe(token, aggregate);
    return aggregate.add(token.getAggregation()).build();
  }

  private static KuduTable openTable(ScanTokenPB token, AsyncKuduClient client)
      throws KuduException {
    boolean filtered = token.hasCondition() || token.hasAggregation() || token.hasTopN();
    int known = (filtered ? 1 : 0) + (token.hasIndex() ? 1 : 0);
    if (token.getFeatureFlagsCount() > known) {
      throw new UnsupportedOperationException(
          "Scan token requires an unsupported feature. This Kudu client must be updated.");
    }
    return table(token, client);
  }

  /** The index that the token reads; null for the table. Remembers the tablet's locations. */
  private static IndexSource source(ScanTokenPB token, KuduTable table, AsyncKuduClient client)
      throws KuduException {
    IndexSource index = token.hasIndex() ? index(token.getIndex(), client) : null;
    if (token.hasTabletMetadata()) {
      rememberTablet(token.getTabletMetadata(), index == null ? table.tablets() : index.tablets());
    }
    return index;
  }

  private static IndexSource index(TokenIndexPB index, AsyncKuduClient client) {
    return KuduTable.of(TableDescription.fromWire(index.getTable()), client)
        .asIndex(index.getName());
  }

  /** Sets everything but the columns of the result. */
  private static void describe(ScanTokenPB token, AbstractKuduScannerBuilder<?, ?> scan)
      throws KuduException {
    KuduTable table = scan.table;
    for (ColumnPredicatePB predicate : token.getColumnPredicatesList()) {
      scan.addPredicate(KuduPredicate.fromPB(table.getSchema(), predicate));
    }
    if (token.hasCondition()) {
      dev.kudu4j.common.schema.Schema columns = table.getSchema().toCommon();
      scan.addCondition(new KuduCondition(ConditionWire.fromWire(token.getCondition(), columns)));
    }
    if (token.hasIndexHint()) {
      scan.indexHint(KuduIndexHint.of(token.getIndexHint()));
    }
    setBounds(token, scan);
    setTimes(token, scan);
    setReadOptions(token, scan);
    scan.chosenByToken(source(token, table, scan.client));
  }

  /** The id of the token's table; empty if the token has only the name. */
  static String tableId(ScanTokenPB token) {
    return token.hasTableMetadata() ? token.getTableMetadata().getTableId() : token.getTableId();
  }

  static KuduTable table(ScanTokenPB token, AsyncKuduClient client) throws KuduException {
    if (token.hasTableMetadata()) {
      return KuduTable.of(TableDescription.fromWire(token.getTableMetadata()), client);
    }
    return KuduClient.join(
        token.hasTableId()
            ? client.openTableById(token.getTableId())
            : client.openTable(token.getTableName()));
  }

  private static void rememberTablet(TabletMetadataPB tablet, TableTablets tablets)
      throws KuduException {
    try {
      TokenTablets.remember(tablet, tablets);
    } catch (dev.kudu4j.common.status.KuduException e) {
      throw KuduException.of(e);
    }
  }

  private static List<Integer> projection(ScanTokenPB token, Schema schema) {
    if (token.getProjectedColumnIdxCount() > 0) {
      return token.getProjectedColumnIdxList();
    }
    List<Integer> indexes = new ArrayList<>();
    for (ColumnSchemaPB column : token.getProjectedColumnsList()) {
      if (column.getType() != DataType.IS_DELETED) { // the diff scan adds this column
        int index = schema.getColumnIndex(column.getName());
        checkSame(column, schema.getColumnByIndex(index));
        indexes.add(index);
      }
    }
    return indexes;
  }

  private static void checkSame(ColumnSchemaPB described, ColumnSchema column) {
    DataType type = DataType.forNumber(column.toCommon().type().wireNumber());
    if (described.getType() != type) {
      throw new IllegalStateException(
          String.format(
              "invalid type %s for column '%s' in scan token, expected: %s",
              described.getType().name(), column.getName(), type.name()));
    }
    if (described.getIsNullable() != column.isNullable()) {
      throw new IllegalStateException(
          String.format(
              "invalid nullability for column '%s' in scan token, expected: %s",
              column.getName(), column.isNullable() ? "NULLABLE" : "NOT NULL"));
    }
  }

  private static void setBounds(ScanTokenPB token, AbstractKuduScannerBuilder<?, ?> scan) {
    if (!token.getLowerBoundPrimaryKey().isEmpty()) {
      scan.lowerBoundRaw(token.getLowerBoundPrimaryKey().toByteArray());
    }
    if (!token.getUpperBoundPrimaryKey().isEmpty()) {
      scan.exclusiveUpperBoundRaw(token.getUpperBoundPrimaryKey().toByteArray());
    }
    if (!token.getLowerBoundPartitionKey().isEmpty()) {
      scan.lowerBoundPartitionKeyRaw(token.getLowerBoundPartitionKey().toByteArray());
    }
    if (!token.getUpperBoundPartitionKey().isEmpty()) {
      scan.exclusiveUpperBoundPartitionKeyRaw(token.getUpperBoundPartitionKey().toByteArray());
    }
    if (token.hasLimit() && token.getLimit() > 0) {
      scan.limit(token.getLimit());
    }
  }

  private static void setTimes(ScanTokenPB token, AbstractKuduScannerBuilder<?, ?> scan) {
    scan.readMode(
        switch (token.getReadMode()) {
          case READ_LATEST -> ReadMode.READ_LATEST;
          case READ_AT_SNAPSHOT -> ReadMode.READ_AT_SNAPSHOT;
          case READ_YOUR_WRITES -> ReadMode.READ_YOUR_WRITES;
          case UNKNOWN_READ_MODE -> throw new IllegalArgumentException("unknown read mode");
        });
    if (token.getFaultTolerant()) {
      scan.setFaultTolerant(true);
    }
    if (token.hasSnapTimestamp() && token.getReadMode() == ReadMode.READ_AT_SNAPSHOT.pbVersion()) {
      scan.snapshotTimestampRaw(token.getSnapTimestamp());
      if (token.hasSnapStartTimestamp()) {
        scan.diffScan(token.getSnapStartTimestamp(), token.getSnapTimestamp());
      }
    }
    if (token.hasMaxStalenessMicros() && !token.hasSnapTimestamp()) {
      scan.freshness(Duration.of(token.getMaxStalenessMicros(), ChronoUnit.MICROS));
    }
    if (token.hasPropagatedTimestamp() && token.getPropagatedTimestamp() > 0) {
      scan.client.updateLastPropagatedTimestamp(token.getPropagatedTimestamp());
    }
  }

  private static void setReadOptions(ScanTokenPB token, AbstractKuduScannerBuilder<?, ?> scan) {
    scan.cacheBlocks(token.getCacheBlocks());
    if (token.hasBatchSizeBytes()) {
      scan.batchSizeBytes(token.getBatchSizeBytes());
    }
    if (token.hasReplicaSelection()) {
      scan.replicaSelection(
          switch (token.getReplicaSelection()) {
            case LEADER_ONLY -> ReplicaSelection.LEADER_ONLY;
            case CLOSEST_REPLICA, FIRST_REPLICA -> ReplicaSelection.CLOSEST_REPLICA;
            case UNKNOWN_REPLICA_SELECTION ->
                throw new IllegalArgumentException("unknown replica selection policy");
          });
    }
    if (token.hasScanRequestTimeoutMs()) {
      scan.scanRequestTimeout(token.getScanRequestTimeoutMs());
    }
    if (token.hasKeepAlivePeriodMs()) {
      scan.keepAlivePeriodMs(token.getKeepAlivePeriodMs());
    }
    if (token.hasQueryId()) {
      scan.setQueryId(token.getQueryId());
    }
  }
}
