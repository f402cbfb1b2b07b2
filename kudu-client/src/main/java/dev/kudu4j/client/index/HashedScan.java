package dev.kudu4j.client.index;

import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.index.IndexHintPB;
import dev.kudu4j.common.proto.tserver.HashSumsPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.wire.PredicateWire;
import dev.kudu4j.common.wire.SchemaWire;
import java.util.List;

/**
 * The rows of a table whose hashes are added up.
 *
 * @param columns those that are hashed, in this order
 * @param keyColumns how many of the first ones are the primary key, which selects the bucket
 * @param notNull rows with NULL in one of these columns are left out
 * @param snapshot hybrid time
 */
public record HashedScan(
    List<ColumnSchema> columns, int keyColumns, List<ColumnSchema> notNull, long snapshot) {
  public HashedScan {
    columns = List.copyOf(columns);
    notNull = List.copyOf(notNull);
  }

  /** The request to open it, without tablet. It reads the rows themselves, not a local index. */
  NewScanRequestPB.Builder toWire() {
    NewScanRequestPB.Builder scan =
        NewScanRequestPB.newBuilder()
            .setReadMode(ReadMode.READ_AT_SNAPSHOT)
            .setSnapTimestamp(snapshot)
            .setCacheBlocks(false)
            .setIndexHint(IndexHintPB.newBuilder().setUse(IndexHintPB.Use.FORBIDDEN));
    for (ColumnSchema column : columns) {
      ColumnSchema plain = column.ofSameType().nullable(column.isNullable()).build();
      scan.addProjectedColumns(SchemaWire.toWire(plain, false));
    }
    for (ColumnSchema column : notNull) {
      scan.addColumnPredicates(PredicateWire.toWire(new ColumnPredicate.IsNotNull(column)));
    }
    return scan;
  }

  HashSumsPB sums() {
    return HashSumsPB.newBuilder()
        .setBucketColumns(keyColumns)
        .setBucketBits(RowSums.BUCKET_BITS)
        .build();
  }
}
