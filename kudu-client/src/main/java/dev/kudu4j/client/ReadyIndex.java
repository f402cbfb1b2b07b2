package dev.kudu4j.client;

import java.util.List;

/**
 * An index with a table of its own that has all rows, as of when it was found, for a comparison
 * with its table.
 *
 * <p>When a partition of the table is dropped, the index still has its rows for a moment, until it
 * is built again. Therefore differences count only if the index is the same, and ready, after they
 * were found.
 */
final class ReadyIndex {
  private final AsyncKuduClient client;
  private final String name;
  private final KuduTable table;
  private final KuduTable indexTable;
  private final boolean hasClaims;

  /**
   * @throws KuduException NOT_FOUND if there is no such index, NOT_SUPPORTED if it is not global,
   *     ILLEGAL_STATE if it is not ready
   */
  ReadyIndex(AsyncKuduClient client, String tableId, String name) throws KuduException {
    this.client = client;
    this.name = name;
    this.table = KuduClient.join(client.openTableById(tableId));
    KuduIndex index =
        table.getIndexes().stream()
            .filter(one -> one.getName().equals(name))
            .findFirst()
            .orElse(null);
    if (index == null) {
      throw notFound();
    }
    this.hasClaims = index.isUniqueGlobal();
    if (!index.isGlobal() && !hasClaims) {
      throw KuduException.of(
          dev.kudu4j.common.status.KuduException.notSupported(
              "Index %s of table %s is local: verifyIndexes compares it with the rows",
              name, table.getName()));
    }
    checkReady();
    this.indexTable = openIndexTable();
  }

  private KuduTable openIndexTable() throws KuduException {
    return KuduClient.join(client.openTable(GlobalIndexes.tableName(table.getName(), name)));
  }

  private KuduException notFound() {
    return KuduException.of(
        dev.kudu4j.common.status.KuduException.notFound(
            "Table %s has no index %s", table.getName(), name));
  }

  private void checkReady() throws KuduException {
    List<KuduIndexProgress> indexes = table.getIndexProgress();
    KuduIndexProgress progress =
        indexes.stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
    if (progress == null) {
      throw notFound();
    }
    if (progress.state() != KuduIndexProgress.State.READY) {
      throw KuduException.of(
          dev.kudu4j.common.status.KuduException.illegalState(
              "Index %s of table %s is %s%s; only an index that is READY can be compared",
              name,
              table.getName(),
              progress.state(),
              progress.duplicates().isEmpty() ? "" : " (" + progress.duplicates() + ")"));
    }
  }

  /**
   * @param snapshotTimestamp {@link AsyncKuduClient#NO_TIMESTAMP} for a current one
   */
  KuduIndexComparison compare(long snapshotTimestamp) throws KuduException {
    KuduIndexComparison comparison =
        hasClaims
            ? ClaimComparison.of(client, name, table, indexTable, snapshotTimestamp)
            : IndexComparison.of(client, name, table, indexTable, snapshotTimestamp);
    if (!comparison.isEqual()) {
      checkReady();
      if (!openIndexTable().getTableId().equals(indexTable.getTableId())) {
        throw KuduException.of(
            dev.kudu4j.common.status.KuduException.illegalState(
                "Index %s of table %s was built again during the comparison; compare it again",
                name, table.getName()));
      }
    }
    return comparison;
  }
}
