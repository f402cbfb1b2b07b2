package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.common.proto.client.ScanTokenPB;
import dev.kudu4j.common.proto.client.ServerMetadataPB;
import dev.kudu4j.common.proto.client.TableMetadataPB;
import dev.kudu4j.common.proto.client.TabletMetadataPB;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes scanners of scan tokens, whichever client wrote them.
 *
 * <p>What a token says about the table and its tablet is taken as it is; what it does not say is
 * asked of the master. Columns named by a token without a description of the table must still be
 * those of the table.
 */
final class ScanTokenReader {
  private static final long DEFAULT_TTL_MILLIS = 300_000;

  private ScanTokenReader() {}

  static KuduScanner.KuduScannerBuilder builder(ScanTokenPB token, AsyncKuduClient client)
      throws KuduException {
    if (token.getFeatureFlagsCount() > 0) {
      throw new UnsupportedOperationException(
          "Scan token requires an unsupported feature. This Kudu client must be updated.");
    }
    KuduTable table = table(token, client);
    if (token.hasTabletMetadata()) {
      learnTablet(token.getTabletMetadata(), table);
    }
    KuduScanner.KuduScannerBuilder scan = new KuduScanner.KuduScannerBuilder(client, table);
    scan.setProjectedColumnIndexes(projection(token, table.getSchema()));
    for (ColumnPredicatePB predicate : token.getColumnPredicatesList()) {
      scan.addPredicate(KuduPredicate.fromPB(table.getSchema(), predicate));
    }
    setBounds(token, scan);
    setTimes(token, scan, client);
    setManners(token, scan);
    return scan;
  }

  /** The id of the token's table; empty when it only tells the name. */
  static String tableId(ScanTokenPB token) {
    return token.hasTableMetadata() ? token.getTableMetadata().getTableId() : token.getTableId();
  }

  static KuduTable table(ScanTokenPB token, AsyncKuduClient client) throws KuduException {
    if (token.hasTableMetadata()) {
      return table(token.getTableMetadata(), client);
    }
    return KuduClient.join(
        token.hasTableId()
            ? client.openTableById(token.getTableId())
            : client.openTable(token.getTableName()));
  }

  private static KuduTable table(TableMetadataPB told, AsyncKuduClient client) {
    dev.kudu4j.common.schema.Schema schema = SchemaWire.fromWire(told.getSchema());
    return new KuduTable(
        client,
        told.getTableId(),
        told.getTableName(),
        Schema.of(schema),
        PartitionWire.fromWire(told.getPartitionSchema(), schema),
        new KuduTable.Properties(
            told.getNumReplicas(), told.getExtraConfigsMap(), told.getOwner(), told.getComment()));
  }

  private static void learnTablet(TabletMetadataPB told, KuduTable table) throws KuduException {
    List<RemoteReplica> replicas = new ArrayList<>();
    for (TabletMetadataPB.ReplicaMetadataPB replica : told.getReplicasList()) {
      if (replica.getTsIdx() >= told.getTabletServersCount()) {
        throw new NonRecoverableException(
            Status.of(
                StatusCode.CORRUPTION,
                "Scan token names server "
                    + replica.getTsIdx()
                    + " of "
                    + told.getTabletServersCount()));
      }
      ServerMetadataPB server = told.getTabletServers(replica.getTsIdx());
      if (server.getRpcAddressesCount() > 0) {
        replicas.add(
            RemoteReplica.of(
                server.getUuid().toStringUtf8(),
                server.getRpcAddresses(0).getHost(),
                server.getRpcAddresses(0).getPort(),
                server.getLocation(),
                replica.getDimensionLabel(),
                role(replica)));
      }
    }
    if (!replicas.isEmpty()) {
      table
          .tablets()
          .remember(
              told.getTabletId(),
              PartitionWire.fromWire(told.getPartition()),
              replicas,
              told.hasTtlMillis() ? told.getTtlMillis() : DEFAULT_TTL_MILLIS);
    }
  }

  private static RemoteReplica.Role role(TabletMetadataPB.ReplicaMetadataPB replica) {
    return switch (replica.getRole()) {
      case LEADER -> RemoteReplica.Role.LEADER;
      case LEARNER -> RemoteReplica.Role.LEARNER;
      default -> RemoteReplica.Role.FOLLOWER;
    };
  }

  private static List<Integer> projection(ScanTokenPB token, Schema schema) {
    if (token.getProjectedColumnIdxCount() > 0) {
      return token.getProjectedColumnIdxList();
    }
    List<Integer> indexes = new ArrayList<>();
    for (ColumnSchemaPB column : token.getProjectedColumnsList()) {
      if (column.getType() != DataType.IS_DELETED) { // a diff scan adds it by itself
        int index = schema.getColumnIndex(column.getName());
        checkSame(column, schema.getColumnByIndex(index));
        indexes.add(index);
      }
    }
    return indexes;
  }

  private static void checkSame(ColumnSchemaPB told, ColumnSchema column) {
    DataType type = DataType.forNumber(column.toCommon().type().wireNumber());
    if (told.getType() != type) {
      throw new IllegalStateException(
          String.format(
              "invalid type %s for column '%s' in scan token, expected: %s",
              told.getType().name(), column.getName(), type.name()));
    }
    if (told.getIsNullable() != column.isNullable()) {
      throw new IllegalStateException(
          String.format(
              "invalid nullability for column '%s' in scan token, expected: %s",
              column.getName(), column.isNullable() ? "NULLABLE" : "NOT NULL"));
    }
  }

  private static void setBounds(ScanTokenPB token, KuduScanner.KuduScannerBuilder scan) {
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

  private static void setTimes(
      ScanTokenPB token, KuduScanner.KuduScannerBuilder scan, AsyncKuduClient client) {
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
    if (token.hasPropagatedTimestamp() && token.getPropagatedTimestamp() > 0) {
      client.updateLastPropagatedTimestamp(token.getPropagatedTimestamp());
    }
  }

  private static void setManners(ScanTokenPB token, KuduScanner.KuduScannerBuilder scan) {
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
