package dev.kudu4j.itest.index;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.ScanCounter;
import dev.kudu4j.client.ScanReport;
import java.util.List;

/** What our client knows of indexes that published clients have created. */
final class OurView implements AutoCloseable {
  private final KuduClient client;

  OurView(String masters) {
    this.client = new KuduClient.KuduClientBuilder(masters).build();
  }

  List<KuduIndex> indexes(String table) throws KuduException {
    return client.openTable(table).getIndexes();
  }

  /** The states of the indexes of a table, in the order of their creation. */
  List<String> states(String table) throws KuduException {
    return client.openTable(table).getIndexProgress().stream()
        .map(progress -> progress.state().name())
        .toList();
  }

  /** What differs between an index with tablets of its own and the table. */
  List<String> differences(String table, String index) throws KuduException {
    return client.openTable(table).compareIndex(index).differences().stream()
        .map(Object::toString)
        .toList();
  }

  /** Whether servers would use the index, in all rowsets, to find the rows with this value. */
  boolean isUsed(String index, String tableName, String column, Object value) throws KuduException {
    KuduTable table = client.openTable(tableName);
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .addPredicate(
                KuduPredicate.newComparisonPredicate(
                    table.getSchema().getColumn(column), ComparisonOp.EQUAL, value))
            .report(true)
            .build();
    while (scanner.hasMoreRows()) {
      scanner.nextRows();
    }
    ScanReport.Tablet report = scanner.getScanReport().getTotal();
    return report.get(ScanCounter.ROWSETS) > 0
        && report.get(ScanCounter.ROWSETS_INDEXED) == report.get(ScanCounter.ROWSETS)
        && report.getIndexes().stream()
            .anyMatch(used -> used.getName().equals(index) && used.getUsedStores() > 0);
  }

  @Override
  public void close() throws KuduException {
    client.close();
  }
}
