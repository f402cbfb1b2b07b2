package dev.kudu4j.benchmarks.consistency.ours;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.benchmarks.consistency.Pairs;
import dev.kudu4j.benchmarks.consistency.Sums;
import dev.kudu4j.benchmarks.workload.ours.TabletServers;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.KuduTransaction;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.ReplicaSelection;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Upsert;
import java.util.ArrayList;
import java.util.List;

/** The accounts as a table of two tablets, and a table for the load beside them. */
public final class PairTable implements Pairs {
  /** The name of the table of accounts. */
  public static final String ACCOUNTS_TABLE = "accounts";

  private static final String LOAD_TABLE = "load";
  private static final int LOAD_TABLETS = 4;
  private static final String PAYLOAD = "x".repeat(100);
  private static final int TIMEOUT_MILLIS = 15_000;

  private final KuduClient client;
  private final boolean transactional;
  private final boolean closest;
  private KuduTable accounts;
  private KuduTable load;

  /**
   * @param transactional whether each pair is a transaction; otherwise it is one flush of a session
   * @param closest whether the closest replica is read instead of the leader
   */
  public PairTable(String masters, boolean transactional, boolean closest) {
    this.client =
        new KuduClient.KuduClientBuilder(masters).defaultOperationTimeoutMs(TIMEOUT_MILLIS).build();
    this.transactional = transactional;
    this.closest = closest;
  }

  @Override
  public void create(int replicas) throws KuduException {
    TabletServers.await(client, replicas);
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("account", Type.INT32).key(true).build(),
                new ColumnSchemaBuilder("balance", Type.INT64).build()));
    PartialRow middle = schema.newPartialRow();
    middle.addInt(0, ACCOUNTS);
    client.createTable(
        ACCOUNTS_TABLE,
        schema,
        new CreateTableOptions()
            .setRangePartitionColumns(List.of("account"))
            .addRangePartition(schema.newPartialRow(), middle)
            .addRangePartition(middle, schema.newPartialRow())
            .setNumReplicas(replicas));
    Schema loaded =
        new Schema(
            List.of(
                new ColumnSchemaBuilder("k", Type.INT64).key(true).build(),
                new ColumnSchemaBuilder("v", Type.STRING).build()));
    client.createTable(
        LOAD_TABLE,
        loaded,
        new CreateTableOptions()
            .addHashPartitions(List.of("k"), LOAD_TABLETS)
            .setNumReplicas(replicas));
    open();
  }

  @Override
  public void open() throws KuduException {
    accounts = client.openTable(ACCOUNTS_TABLE);
    load = client.openTable(LOAD_TABLE);
  }

  @Override
  public void write(int account, long total) throws KuduException {
    if (transactional) {
      try (KuduTransaction transaction = client.newTransaction()) {
        write(transaction.newKuduSession(), account, total);
        transaction.commit();
      }
    } else {
      write(client.newSession(), account, total);
    }
  }

  private void write(KuduSession session, int account, long total) throws KuduException {
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.apply(balance(account, total));
    session.apply(balance(ACCOUNTS + account, -total));
    failOnErrors(session.close());
  }

  private Upsert balance(int account, long balance) {
    Upsert upsert = accounts.newUpsert();
    upsert.getRow().addInt(0, account);
    upsert.getRow().addLong(1, balance);
    return upsert;
  }

  private static void failOnErrors(List<OperationResponse> responses) {
    for (OperationResponse response : responses) {
      if (response.hasRowError()) {
        throw new IllegalStateException("A row was refused: " + response.getRowError());
      }
    }
  }

  @Override
  public Sums read(Mode mode) throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(accounts)
            .readMode(mode == Mode.READ_LATEST ? ReadMode.READ_LATEST : ReadMode.READ_AT_SNAPSHOT)
            .replicaSelection(
                closest ? ReplicaSelection.CLOSEST_REPLICA : ReplicaSelection.LEADER_ONLY)
            .build();
    Sums sums = Sums.NONE;
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        sums = sums.plus(row.getLong(1));
      }
    }
    scanner.close();
    return sums;
  }

  @Override
  public void load(long firstKey, int rows) throws KuduException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(rows);
    for (int i = 0; i < rows; i++) {
      Insert insert = load.newInsert();
      insert.getRow().addLong(0, firstKey + i);
      insert.getRow().addString(1, PAYLOAD);
      session.apply(insert);
    }
    failOnErrors(session.close());
  }

  @Override
  public List<Integer> leaderPorts() throws KuduException {
    List<Integer> ports = new ArrayList<>();
    for (KuduScanToken token : client.newScanTokenBuilder(accounts).build()) {
      LocatedTablet.Replica leader = token.getTablet().getLeaderReplica();
      if (leader != null) {
        ports.add(leader.getRpcPort());
      }
    }
    return ports;
  }

  @Override
  public void close() throws KuduException {
    client.close();
  }
}
