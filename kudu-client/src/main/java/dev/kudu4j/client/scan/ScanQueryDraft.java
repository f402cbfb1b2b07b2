package dev.kudu4j.client.scan;

import dev.kudu4j.client.cluster.ReplicaChoice;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.index.IndexHintPB;
import dev.kudu4j.common.schema.Schema;
import java.util.List;

/** A copy of a {@link ScanQuery}, to change some of its components by their names. */
final class ScanQueryDraft {
  Schema table;
  PartitionSchema partitions;
  ProjectedColumns columns;
  List<ColumnPredicate> predicates;
  Condition condition;
  Aggregation aggregation;
  TopN top;
  byte[] lowerKey;
  byte[] upperKey;
  List<byte[]> keys;
  KeyInterval partitionKeys;
  long limit;
  ReadMode readMode;
  long snapshot;
  long maxStalenessMicros;
  long diffStart;
  boolean ordered;
  int batchBytes;
  boolean cacheBlocks;
  ReplicaChoice replicaChoice;
  long timeoutMillis;
  String queryId;
  IndexHintPB indexHint;
  boolean planOnly;

  ScanQueryDraft(ScanQuery query) {
    table = query.table();
    partitions = query.partitions();
    columns = query.columns();
    predicates = query.predicates();
    condition = query.condition();
    aggregation = query.aggregation();
    top = query.top();
    lowerKey = query.lowerKey();
    upperKey = query.upperKey();
    keys = query.keys();
    partitionKeys = query.partitionKeys();
    limit = query.limit();
    readMode = query.readMode();
    snapshot = query.snapshot();
    maxStalenessMicros = query.maxStalenessMicros();
    diffStart = query.diffStart();
    ordered = query.ordered();
    batchBytes = query.batchBytes();
    cacheBlocks = query.cacheBlocks();
    replicaChoice = query.replicaChoice();
    timeoutMillis = query.timeoutMillis();
    queryId = query.queryId();
    indexHint = query.indexHint();
    planOnly = query.planOnly();
  }

  ScanQuery build() {
    return new ScanQuery(
        table,
        partitions,
        columns,
        predicates,
        condition,
        aggregation,
        top,
        lowerKey,
        upperKey,
        keys,
        partitionKeys,
        limit,
        readMode,
        snapshot,
        maxStalenessMicros,
        diffStart,
        ordered,
        batchBytes,
        cacheBlocks,
        replicaChoice,
        timeoutMillis,
        queryId,
        indexHint,
        planOnly);
  }
}
