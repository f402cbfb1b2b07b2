package dev.kudu4j.client;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduIndexComparison.Difference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the claims of a unique index with the rows of its table, at one snapshot: the value of
 * each row must be claimed for that row. Claims of values that no row has are none of its business:
 * they mean nothing.
 *
 * <p>Reads both tables in parts, by the hash of the values, so that a part fits into memory.
 */
final class ClaimComparison {
  private static final long ROWS_OF_A_PART = 200_000;
  private static final int MAX_LISTED = 100;

  private final AsyncKuduClient client;
  private final String index;
  private final KuduTable table;
  private final KuduTable claims;
  private final long snapshot;
  private final List<ColumnSchema> values;

  private final List<Difference> differences = new ArrayList<>();
  private long rows;
  private long count;

  private ClaimComparison(
      AsyncKuduClient client, String index, KuduTable table, KuduTable claims, long snapshot) {
    this.client = client;
    this.index = index;
    this.table = table;
    this.claims = claims;
    this.snapshot = snapshot;
    this.values = claims.getSchema().getPrimaryKeyColumns();
  }

  /**
   * @param claims the table of the index
   * @param snapshotTimestamp {@link AsyncKuduClient#NO_TIMESTAMP} for a current one
   */
  static KuduIndexComparison of(
      AsyncKuduClient client,
      String index,
      KuduTable table,
      KuduTable claims,
      long snapshotTimestamp)
      throws KuduException {
    long snapshot =
        snapshotTimestamp == AsyncKuduClient.NO_TIMESTAMP
            ? FreshSnapshot.oldest(client, Duration.ZERO, List.of(table, claims))
            : snapshotTimestamp;
    return new ClaimComparison(client, index, table, claims, snapshot).run();
  }

  private KuduIndexComparison run() throws KuduException {
    long known = client.syncClient().getTableStatistics(table.getName()).getLiveRowCount();
    int parts = (int) Math.max(1, known / ROWS_OF_A_PART + 1);
    int differing = 0;
    for (int part = 0; part < parts; part++) {
      long before = count;
      compare(part / (double) parts, (part + 1) / (double) parts);
      differing += count > before ? 1 : 0;
    }
    return new KuduIndexComparison(
        index, snapshot, rows, rows - count, differing, count, true, differences);
  }

  private void compare(double lower, double upper) throws KuduException {
    Map<String, String> owners = new HashMap<>();
    KuduScanner ofClaims =
        scanner(claims, claims.getSchema().getColumns())
            .addCondition(KuduCondition.sample(values, lower, upper, 0))
            .build();
    int ownerColumn = values.size();
    for (RowResult claim : ofClaims) {
      owners.put(text(claim, values), key(claim.getBinaryCopy(ownerColumn)));
    }
    List<ColumnSchema> indexed =
        values.stream().map(value -> table.getSchema().getColumn(value.getName())).toList();
    KuduScanner.KuduScannerBuilder ofRows =
        scanner(table, tableColumns()).addCondition(KuduCondition.sample(indexed, lower, upper, 0));
    indexed.stream()
        .filter(ColumnSchema::isNullable)
        .forEach(column -> ofRows.addPredicate(KuduPredicate.newIsNotNullPredicate(column)));
    for (RowResult row : ofRows.build()) {
      rows++;
      String value = text(row, values);
      String owner = owners.get(value);
      if (!key(primaryKey(row)).equals(owner)) {
        count++;
        if (differences.size() < MAX_LISTED) {
          differences.add(
              new Difference(
                  row.text(0, table.getSchema().getPrimaryKeyColumnCount()),
                  Optional.of(value),
                  Optional.ofNullable(owner)
                      .map(other -> "the claim of the row with the key " + other)));
        }
      }
    }
  }

  /** The primary key, then the other columns of the index. */
  private List<ColumnSchema> tableColumns() {
    List<ColumnSchema> columns = new ArrayList<>(table.getSchema().getPrimaryKeyColumns());
    for (ColumnSchema value : values) {
      ColumnSchema column = table.getSchema().getColumn(value.getName());
      if (!column.isKey()) {
        columns.add(column);
      }
    }
    return columns;
  }

  private KuduScanner.KuduScannerBuilder scanner(KuduTable read, List<ColumnSchema> columns) {
    return client
        .syncClient()
        .newScannerBuilder(read)
        .setProjectedColumnNames(columns.stream().map(ColumnSchema::getName).toList())
        .readMode(ReadMode.READ_AT_SNAPSHOT)
        .snapshotTimestampRaw(snapshot)
        .cacheBlocks(false)
        .indexHint(KuduIndexHint.forbid());
  }

  private static String text(RowResult row, List<ColumnSchema> columns) {
    List<String> cells = new ArrayList<>();
    for (ColumnSchema column : columns) {
      int at = row.getSchema().getColumnIndex(column.getName());
      cells.add(row.text(at, at + 1));
    }
    return String.join(", ", cells);
  }

  private byte[] primaryKey(RowResult row) {
    PartialRow key = table.getSchema().newPartialRow();
    for (int i = 0; i < table.getSchema().getPrimaryKeyColumnCount(); i++) {
      key.addObject(i, row.getObject(i));
    }
    return key.encodePrimaryKey();
  }

  private String key(byte[] encoded) {
    return dev.kudu4j.common.predicate.KeyText.of(table.getSchema().toCommon(), encoded, false);
  }
}
