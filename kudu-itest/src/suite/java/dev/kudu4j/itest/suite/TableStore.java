package dev.kudu4j.itest.suite;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.itest.workload.Catalog;
import dev.kudu4j.itest.workload.ChangeReader;
import dev.kudu4j.itest.workload.NamedProducer;
import dev.kudu4j.itest.workload.Reading;
import dev.kudu4j.itest.workload.Row;
import dev.kudu4j.itest.workload.Store;
import dev.kudu4j.itest.workload.Unavailable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;

/** The tables of a cluster, read and written with a separate client. */
public final class TableStore implements Store {
  private static final long CALL_MILLIS = 10_000;
  private static final long ADMIN_MILLIS = 60_000;
  private static final long PATIENT_MILLIS = 120_000;
  private static final int REPLICAS = 3;

  private final long callMillis;
  private final KuduClient client;
  private final KuduSession session;
  private final Map<String, KuduTable> tables = new HashMap<>();
  private NamedProducer producer;
  private ChangeReader changes;

  public TableStore(String masters) {
    this(masters, CALL_MILLIS, ADMIN_MILLIS);
  }

  private TableStore(String masters, long callMillis, long adminMillis) {
    this.callMillis = callMillis;
    client =
        new KuduClient.KuduClientBuilder(masters)
            .defaultOperationTimeoutMs(callMillis)
            .defaultAdminOperationTimeoutMs(adminMillis)
            .build();
    session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
  }

  /**
   * A store with long timeouts, for calls that must succeed: servers that were just restored may
   * respond slowly.
   */
  public static TableStore patient(String masters) {
    return new TableStore(masters, PATIENT_MILLIS, PATIENT_MILLIS);
  }

  @Override
  public void create(String table, int tabletCount) throws Unavailable {
    try {
      tables.put(table, client.createTable(table, schema(), partitions(tabletCount)));
    } catch (KuduException e) {
      throw new Unavailable(e);
    }
  }

  static Schema schema() {
    return new Schema(
        List.of(
            new ColumnSchemaBuilder("key", Type.INT64).key(true).build(),
            new ColumnSchemaBuilder("value", Type.INT64).build(),
            new ColumnSchemaBuilder("mark", Type.INT64).build()));
  }

  static CreateTableOptions partitions(int tabletCount) {
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(REPLICAS);
    return tabletCount == 1
        ? options.setRangePartitionColumns(List.of())
        : options.addHashPartitions(List.of("key"), tabletCount);
  }

  @Override
  public Catalog catalog() {
    return new TableCatalog(client);
  }

  private KuduTable table(String name) throws KuduException {
    KuduTable table = tables.get(name);
    if (table == null) {
      table = client.openTable(name);
      tables.put(name, table);
    }
    return table;
  }

  // Writes

  @Override
  public List<Outcome> insert(String table, List<Row> rows) {
    Map<Long, Outcome> outcomes = new HashMap<>();
    try {
      KuduTable opened = table(table);
      for (Row row : rows) {
        session.apply(filled(opened.newInsert(), row));
      }
      for (OperationResponse response : session.flush()) {
        if (response.hasRowError()) {
          long key = response.getRowError().getOperation().getRow().getLong(0);
          boolean present = response.getRowError().getErrorStatus().isAlreadyPresent();
          outcomes.put(key, present ? Outcome.PRESENT : Outcome.UNKNOWN);
        }
      }
    } catch (KuduException e) {
      rows.forEach(row -> outcomes.put(row.key(), Outcome.UNKNOWN));
    }
    return rows.stream().map(row -> outcomes.getOrDefault(row.key(), Outcome.DONE)).toList();
  }

  @Override
  public Outcome upsert(String table, List<Row> rows) {
    try {
      KuduTable opened = table(table);
      for (Row row : rows) {
        session.apply(filled(opened.newUpsert(), row));
      }
      boolean done = session.flush().stream().noneMatch(OperationResponse::hasRowError);
      return done ? Outcome.DONE : Outcome.UNKNOWN;
    } catch (KuduException e) {
      return Outcome.UNKNOWN;
    }
  }

  @Override
  public Outcome update(String table, long key, long value) {
    return alone(
        table,
        opened -> {
          Operation update = opened.newUpdate();
          update.getRow().addLong(0, key);
          update.getRow().addLong(1, value);
          return update;
        });
  }

  @Override
  public Outcome delete(String table, long key) {
    return alone(
        table,
        opened -> {
          Operation delete = opened.newDelete();
          delete.getRow().addLong(0, key);
          return delete;
        });
  }

  /** Changes one row, which should exist. */
  private Outcome alone(String table, Function<KuduTable, Operation> change) {
    try {
      session.apply(change.apply(table(table)));
      OperationResponse response = session.flush().get(0);
      if (!response.hasRowError()) {
        return Outcome.DONE;
      }
      boolean absent = response.getRowError().getErrorStatus().isNotFound();
      return absent ? Outcome.ABSENT : Outcome.UNKNOWN;
    } catch (KuduException e) {
      return Outcome.UNKNOWN;
    }
  }

  @Override
  public Outcome transact(Map<String, List<Row>> changes) {
    KuduTransaction transaction;
    try {
      transaction = client.newTransaction();
    } catch (KuduException e) {
      return Outcome.REFUSED;
    }
    try {
      if (!update(transaction, changes)) {
        transaction.rollback();
        return Outcome.REFUSED;
      }
    } catch (KuduException e) {
      transaction.close(); // without signs of life, it is aborted
      return Outcome.REFUSED;
    }
    try {
      transaction.commit();
      return Outcome.DONE;
    } catch (KuduException e) {
      return e.getStatus().isAborted() ? Outcome.REFUSED : Outcome.UNKNOWN;
    } finally {
      transaction.close();
    }
  }

  /** Producers are those of our client. */
  @Override
  public long commitNext(String name, LongFunction<Map<String, List<Row>>> rows)
      throws Unavailable {
    if (producer == null) {
      producer = new NamedProducer(client.getMasterAddressesAsString());
    }
    return producer.commitNext(name, rows);
  }

  /** Whether the transaction has taken all rows. */
  private boolean update(KuduTransaction transaction, Map<String, List<Row>> changes)
      throws KuduException {
    KuduSession writes = transaction.newKuduSession();
    writes.setFlushMode(FlushMode.MANUAL_FLUSH);
    for (Map.Entry<String, List<Row>> change : changes.entrySet()) {
      for (Row row : change.getValue()) {
        writes.apply(filled(table(change.getKey()).newUpdate(), row));
      }
    }
    return writes.close().stream().noneMatch(OperationResponse::hasRowError);
  }

  private static Operation filled(Operation operation, Row row) {
    PartialRow cells = operation.getRow();
    cells.addLong(0, row.key());
    cells.addLong(1, row.value());
    cells.addLong(2, row.mark());
    return operation;
  }

  // Reads

  @Override
  public List<Row> read(Reading reading) throws Unavailable {
    try {
      KuduScanner scanner = scanner(reading);
      List<Row> rows = new ArrayList<>();
      while (scanner.hasMoreRows()) {
        for (RowResult row : scanner.nextRows()) {
          rows.add(new Row(row.getLong(0), row.getLong(1), row.getLong(2)));
        }
      }
      scanner.close();
      return rows;
    } catch (KuduException e) {
      throw new Unavailable(e);
    }
  }

  private KuduScanner scanner(Reading reading) throws KuduException {
    KuduTable table = table(reading.table());
    KuduScanner.KuduScannerBuilder builder = client.newScannerBuilder(table);
    builder.scanRequestTimeout(callMillis);
    if (reading.key() != Reading.ALL) {
      builder.addPredicate(
          KuduPredicate.newComparisonPredicate(
              table.getSchema().getColumnByIndex(0),
              KuduPredicate.ComparisonOp.EQUAL,
              reading.key()));
    }
    boolean leader = reading.where() == Reading.Where.LEADER;
    builder.replicaSelection(
        leader ? ReplicaSelection.LEADER_ONLY : ReplicaSelection.CLOSEST_REPLICA);
    boolean session = reading.where() == Reading.Where.ANY_OF_SESSION;
    builder.readMode(session ? ReadMode.READ_YOUR_WRITES : ReadMode.READ_AT_SNAPSHOT);
    if (reading.timestamp() != Reading.NOW) {
      builder.snapshotTimestampRaw(reading.timestamp());
    }
    return builder.build();
  }

  /** Change feeds are those of our client. */
  @Override
  public Changes follow(String table, String position, boolean toNow) throws Unavailable {
    if (changes == null) {
      changes = new ChangeReader(client.getMasterAddressesAsString(), callMillis);
    }
    return changes.follow(table, position, toNow);
  }

  @Override
  public long lastTimestamp() {
    return client.hasLastPropagatedTimestamp() ? client.getLastPropagatedTimestamp() : 0;
  }

  @Override
  public void close() {
    if (producer != null) {
      producer.close();
    }
    if (changes != null) {
      changes.close();
    }
    try {
      client.close();
    } catch (KuduException e) {
      throw new AssertionError(e);
    }
  }
}
