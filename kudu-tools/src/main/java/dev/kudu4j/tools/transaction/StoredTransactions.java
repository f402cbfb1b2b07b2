package dev.kudu4j.tools.transaction;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.RowResultIterator;
import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.transaction.StatusTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The transactions of a cluster, read from its {@linkplain StatusTable table of transactions}. */
final class StoredTransactions {
  /** What to say if there is no table of transactions. The first transaction creates it. */
  static final String NONE =
      "The cluster has had no transactions; clients can begin them if all masters have the flag"
          + " --txn_manager_enabled";

  private final KuduClient client;
  private final KuduTable table;

  private StoredTransactions(KuduClient client, KuduTable table) {
    this.client = client;
    this.table = table;
  }

  /** Empty if there is no table of transactions. */
  static Optional<StoredTransactions> find(KuduClient client) throws IOException {
    try {
      return Optional.of(new StoredTransactions(client, client.openTable(StatusTable.NAME)));
    } catch (dev.kudu4j.client.KuduException e) {
      if (e.getStatus().isNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * @throws KuduException NOT_FOUND if there is no table of transactions
   */
  static StoredTransactions open(KuduClient client) throws IOException {
    return find(client).orElseThrow(() -> KuduException.notFound(NONE));
  }

  /** Reads the transactions with ids from {@code min} to {@code max}, in the order of ids. */
  void read(long min, long max, Consumer<StoredTransaction> into) throws IOException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .addPredicate(onId(ComparisonOp.GREATER_EQUAL, min))
            .addPredicate(onId(ComparisonOp.LESS_EQUAL, max))
            .addPredicate(isOfType(StatusTable.TRANSACTION))
            .setFaultTolerant(true) // orders the rows
            .build();
    readRows(scanner, row -> into.accept(transaction(row)));
  }

  /**
   * @throws KuduException NOT_FOUND if there is no such transaction
   */
  StoredTransaction get(long id) throws IOException {
    List<StoredTransaction> found = new ArrayList<>();
    read(id, id, found::add);
    if (found.isEmpty()) {
      throw KuduException.notFound(
          "There is no transaction %d; kudu txn list --included_states='*' lists all transactions",
          id);
    }
    return found.get(0);
  }

  /** The ids of the tablets that have rows of a transaction. */
  List<String> participants(long id) throws IOException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .addPredicate(onId(ComparisonOp.EQUAL, id))
            .addPredicate(isOfType(StatusTable.PARTICIPANT))
            .setFaultTolerant(true)
            .build();
    List<String> tablets = new ArrayList<>();
    readRows(scanner, row -> tablets.add(row.getString(StatusTable.IDENTIFIER)));
    return tablets;
  }

  private KuduPredicate onId(ComparisonOp op, long id) {
    return KuduPredicate.newComparisonPredicate(
        table.getSchema().getColumnByIndex(StatusTable.TXN_ID), op, id);
  }

  private KuduPredicate isOfType(byte type) {
    return KuduPredicate.newComparisonPredicate(
        table.getSchema().getColumnByIndex(StatusTable.ENTRY_TYPE), ComparisonOp.EQUAL, type);
  }

  private static void readRows(KuduScanner scanner, Consumer<RowResult> into) throws IOException {
    try {
      while (scanner.hasMoreRows()) {
        RowResultIterator batch = scanner.nextRows();
        while (batch.hasNext()) {
          into.accept(batch.next());
        }
      }
    } finally {
      scanner.close();
    }
  }

  private static StoredTransaction transaction(RowResult row) {
    long id = row.getLong(StatusTable.TXN_ID);
    try {
      return new StoredTransaction(
          id, TxnStatusEntryPB.parseFrom(row.getBinaryCopy(StatusTable.METADATA)));
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption(
          "The metadata of transaction %d in table %s is not a TxnStatusEntryPB: %s",
          id, StatusTable.NAME, e.getMessage());
    }
  }
}
