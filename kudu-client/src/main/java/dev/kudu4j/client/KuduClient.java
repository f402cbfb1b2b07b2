package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.cluster.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/**
 * A client of one cluster, with blocking methods. Thread-safe: one client serves all threads of a
 * program.
 *
 * <pre>
 *   try (KuduClient client = new KuduClient.KuduClientBuilder("master:7051").build()) {
 *     KuduTable table = client.openTable("metrics");
 *     ...
 *   }
 * </pre>
 */
public final class KuduClient implements AutoCloseable {
  public static final long NO_TIMESTAMP = AsyncKuduClient.NO_TIMESTAMP;

  final AsyncKuduClient asyncClient;

  KuduClient(AsyncKuduClient asyncClient) {
    this.asyncClient = asyncClient;
  }

  /** Waits for a future of the client. */
  static <T> T join(CompletableFuture<T> future) throws KuduException {
    if (!future.isDone() && Cluster.isClientThread()) {
      throw new IllegalStateException(
          "A client thread must not block on the client; continue with thenApplyAsync or a similar"
              + " method, on an executor of your own");
    }
    try {
      return future.get();
    } catch (ExecutionException | InterruptedException | RuntimeException e) {
      throw KuduException.of(e).withCallerStackTrace();
    }
  }

  public AsyncKuduClient asyncClient() {
    return asyncClient;
  }

  /** Like {@link AsyncKuduClient#updateLastPropagatedTimestamp}. */
  public void updateLastPropagatedTimestamp(long lastPropagatedTimestamp) {
    asyncClient.updateLastPropagatedTimestamp(lastPropagatedTimestamp);
  }

  /** Like {@link AsyncKuduClient#getLastPropagatedTimestamp}. */
  public long getLastPropagatedTimestamp() {
    return asyncClient.getLastPropagatedTimestamp();
  }

  public boolean hasLastPropagatedTimestamp() {
    return asyncClient.hasLastPropagatedTimestamp();
  }

  /** The location that the master assigned to this client; empty if none or not known yet. */
  public String getLocationString() {
    return asyncClient.getLocationString();
  }

  /** The permanent id of the cluster; empty if it is not known yet. */
  public String getClusterId() {
    return asyncClient.getClusterId();
  }

  /** The cluster's Hive Metastore configuration; null if it has none. */
  public HiveMetastoreConfig getHiveMetastoreConfig() throws KuduException {
    return join(asyncClient.getHiveMetastoreConfig());
  }

  /**
   * Creates a table, and waits until it can be used unless the options say otherwise.
   *
   * @throws IllegalArgumentException if the options specify no partitioning
   */
  public KuduTable createTable(String name, Schema schema, CreateTableOptions options)
      throws KuduException {
    return join(asyncClient.createTable(name, schema, options));
  }

  /** Whether all tablets of a table are running. */
  public boolean isCreateTableDone(String name) throws KuduException {
    return join(asyncClient.isCreateTableDone(name)).isDone();
  }

  public DeleteTableResponse deleteTable(String name) throws KuduException {
    return join(asyncClient.deleteTable(name));
  }

  /**
   * Soft-deletes a table: it can be recalled until the reserve time has passed.
   *
   * @param reserveSeconds how long the table can be recalled; 0 deletes it immediately, a negative
   *     value means the master's default
   */
  public DeleteTableResponse deleteTable(String name, int reserveSeconds) throws KuduException {
    return join(asyncClient.deleteTable(name, reserveSeconds));
  }

  /** Restores a soft-deleted table. */
  public RecallDeletedTableResponse recallDeletedTable(String id) throws KuduException {
    return join(asyncClient.recallDeletedTable(id));
  }

  /** Restores a soft-deleted table under another name. */
  public RecallDeletedTableResponse recallDeletedTable(String id, String newTableName)
      throws KuduException {
    return join(asyncClient.recallDeletedTable(id, newTableName));
  }

  /**
   * Alters a table, and waits until all tablets have applied the changes unless the options say
   * otherwise.
   */
  public AlterTableResponse alterTable(String name, AlterTableOptions options)
      throws KuduException {
    return join(asyncClient.alterTable(name, options));
  }

  /** Whether no alteration of a table is in progress. */
  public boolean isAlterTableDone(String name) throws KuduException {
    return join(asyncClient.isAlterTableDone(name)).isDone();
  }

  public ListTabletServersResponse listTabletServers() throws KuduException {
    return join(asyncClient.listTabletServers());
  }

  public ListTablesResponse getTablesList() throws KuduException {
    return join(asyncClient.getTablesList());
  }

  /** Tables whose name contains the text. */
  public ListTablesResponse getTablesList(String nameFilter) throws KuduException {
    return join(asyncClient.getTablesList(nameFilter));
  }

  public ListTablesResponse getSoftDeletedTablesList() throws KuduException {
    return join(asyncClient.getSoftDeletedTablesList());
  }

  /** Soft-deleted tables whose name contains the text. */
  public ListTablesResponse getSoftDeletedTablesList(String nameFilter) throws KuduException {
    return join(asyncClient.getTablesList(nameFilter, true));
  }

  public KuduTableStatistics getTableStatistics(String name) throws KuduException {
    return join(asyncClient.getTableStatistics(name));
  }

  public boolean tableExists(String name) throws KuduException {
    return join(asyncClient.tableExists(name));
  }

  /** Opens a table with its current schema. */
  public KuduTable openTable(String name) throws KuduException {
    return join(asyncClient.openTable(name));
  }

  /** Opens a table by its id, which stays the same when the table is renamed. */
  public KuduTable openTableById(String id) throws KuduException {
    return join(asyncClient.openTableById(id));
  }

  public boolean isStatisticsEnabled() {
    return asyncClient.isStatisticsEnabled();
  }

  /** Like {@link AsyncKuduClient#getStatistics}. */
  public Statistics getStatistics() {
    return asyncClient.getStatistics();
  }

  /** Like {@link AsyncKuduClient#exportAuthenticationCredentials}. */
  public byte[] exportAuthenticationCredentials() throws KuduException {
    return join(asyncClient.exportAuthenticationCredentials());
  }

  /** Like {@link AsyncKuduClient#importAuthenticationCredentials}. */
  public void importAuthenticationCredentials(byte[] authnData) {
    asyncClient.importAuthenticationCredentials(authnData);
  }

  /** Returns a builder for a scan that is read batch by batch. */
  public KuduScanner.KuduScannerBuilder newScannerBuilder(KuduTable table) {
    return new KuduScanner.KuduScannerBuilder(asyncClient, table);
  }

  /** Returns a builder for a scan that is split into pieces, which are read independently. */
  public KuduScanToken.KuduScanTokenBuilder newScanTokenBuilder(KuduTable table) {
    return new KuduScanToken.KuduScanTokenBuilder(asyncClient, table);
  }

  /**
   * Chooses a snapshot of some tables that is at most this old and cheap to read: one that needs,
   * where that is possible, no rows from memory, and no wait. Scans of these tables with {@link
   * AbstractKuduScannerBuilder#snapshotTimestampRaw} then read all of them at one time. Asks a
   * replica of each tablet.
   *
   * @return a hybrid time
   * @throws KuduException NOT_SUPPORTED if a server is none of Kudu4j
   */
  public long chooseSnapshot(Duration maxStaleness, KuduTable... tables) throws KuduException {
    return FreshSnapshot.choose(asyncClient, maxStaleness, List.of(tables));
  }

  public long getDefaultOperationTimeoutMs() {
    return asyncClient.getDefaultOperationTimeoutMs();
  }

  public long getDefaultAdminOperationTimeoutMs() {
    return asyncClient.getDefaultAdminOperationTimeoutMs();
  }

  public String getMasterAddressesAsString() {
    return asyncClient.getMasterAddressesAsString();
  }

  /**
   * Prepares a rebalancing of replicas over the tablet servers. Superusers only. The first {@link
   * KuduRebalancing#poll} begins it.
   *
   * @param maxMovesPerServer maximum number of moves from or to one server at a time, at least 1
   */
  public KuduRebalancing rebalance(int maxMovesPerServer) {
    return new KuduRebalancing(
        asyncClient.cluster(),
        getDefaultAdminOperationTimeoutMs(),
        maxMovesPerServer,
        System::nanoTime);
  }

  /** Whether the servers support INSERT_IGNORE, UPDATE_IGNORE and DELETE_IGNORE. */
  public boolean supportsIgnoreOperations() throws KuduException {
    return join(asyncClient.supportsIgnoreOperations());
  }

  /** The address of the leader master. */
  public HostAndPort findLeaderMasterServer() throws KuduException {
    return join(asyncClient.findLeaderMasterServer());
  }

  /** Opens a session for writes. Close it when done. */
  public KuduSession newSession() {
    return new KuduSession(asyncClient.newSession());
  }

  /**
   * Begins a transaction: rows of any tables that become visible together, or not at all. It sends
   * signs of life until it ends or is closed.
   *
   * @throws KuduException also if the masters do not have transactions enabled
   */
  public KuduTransaction newTransaction() throws KuduException {
    return KuduTransaction.begin(asyncClient);
  }

  /**
   * A producer of batches without a name. Each batch is committed once also when calls are
   * repeated, but nothing is known of the batches after the program has ended.
   */
  public KuduProducer newProducer() {
    return KuduProducer.anonymous(this);
  }

  /**
   * A producer of batches with a name, which goes on after the last batch that any producer of this
   * name has committed. Waits for a batch of an earlier process that is under way. At most one
   * process should use a name at a time; of two, one fails.
   *
   * @throws KuduException also if the masters do not have transactions enabled
   */
  public KuduProducer newProducer(String name) throws KuduException {
    return KuduProducer.named(this, name);
  }

  /**
   * Reads that never go back.
   *
   * @param maxStaleness how old a snapshot may be when it is chosen
   */
  public KuduReadSession newReadSession(Duration maxStaleness) {
    return newReadSession(maxStaleness, 0);
  }

  /**
   * Reads that never go back behind a snapshot of another session, perhaps of another process.
   *
   * @param maxStaleness how old a snapshot may be when it is chosen
   * @param notBefore a hybrid time, see {@link KuduReadSession#snapshot}
   */
  public KuduReadSession newReadSession(Duration maxStaleness, long notBefore) {
    return new KuduReadSession(this, maxStaleness, notBefore);
  }

  /** Flushes all sessions and closes the client. Other requests in flight fail. */
  @Override
  public void close() throws KuduException {
    asyncClient.close();
  }

  /** Like {@link #close}. */
  public void shutdown() throws KuduException {
    close();
  }

  /** Builds clients. See {@link AsyncKuduClient.AsyncKuduClientBuilder} for the options. */
  public static final class KuduClientBuilder {
    private final AsyncKuduClient.AsyncKuduClientBuilder builder;

    /**
     * @param masterAddresses {@code host:port}, separated by commas
     */
    public KuduClientBuilder(String masterAddresses) {
      builder = new AsyncKuduClient.AsyncKuduClientBuilder(masterAddresses);
    }

    /**
     * @param masterAddresses each {@code host:port}
     */
    public KuduClientBuilder(List<String> masterAddresses) {
      builder = new AsyncKuduClient.AsyncKuduClientBuilder(masterAddresses);
    }

    /** Sets the timeout of administrative requests; 0 for none. */
    public KuduClientBuilder defaultAdminOperationTimeoutMs(long timeoutMs) {
      builder.defaultAdminOperationTimeoutMs(timeoutMs);
      return this;
    }

    /** Sets the default timeout of writes and scan requests; 0 for none. */
    public KuduClientBuilder defaultOperationTimeoutMs(long timeoutMs) {
      builder.defaultOperationTimeoutMs(timeoutMs);
      return this;
    }

    /** Sets the timeout for the negotiation of a new connection. */
    public KuduClientBuilder connectionNegotiationTimeoutMs(long timeoutMs) {
      builder.connectionNegotiationTimeoutMs(timeoutMs);
      return this;
    }

    /** No effect; see {@link AsyncKuduClient.AsyncKuduClientBuilder}. */
    public KuduClientBuilder defaultSocketReadTimeoutMs(long timeoutMs) {
      builder.defaultSocketReadTimeoutMs(timeoutMs);
      return this;
    }

    /** No effect: the client has its own threads. */
    public KuduClientBuilder nioExecutors(Executor bossExecutor, Executor workerExecutor) {
      builder.nioExecutors(bossExecutor, workerExecutor);
      return this;
    }

    /** No effect: the client has its own threads. */
    public KuduClientBuilder nioExecutor(Executor workerExecutor) {
      builder.nioExecutor(workerExecutor);
      return this;
    }

    /** No effect: connecting needs no separate threads. */
    public KuduClientBuilder bossCount(int bossCount) {
      builder.bossCount(bossCount);
      return this;
    }

    /** Sets the number of I/O threads. */
    public KuduClientBuilder workerCount(int workerCount) {
      builder.workerCount(workerCount);
      return this;
    }

    /**
     * Sets whether the client calls tablet servers on its own host over their Unix-domain sockets,
     * which take less processor time than TCP. The default is true.
     */
    public KuduClientBuilder localSockets(boolean use) {
      builder.localSockets(use);
      return this;
    }

    /** No effect: only Kerberos uses the name. */
    public KuduClientBuilder saslProtocolName(String name) {
      builder.saslProtocolName(name);
      return this;
    }

    /** Whether servers must authenticate. Not supported yet: if true, {@link #build} fails. */
    public KuduClientBuilder requireAuthentication(boolean required) {
      builder.requireAuthentication(required);
      return this;
    }

    /**
     * Whether connections must be encrypted. Not supported yet: if required, {@link #build} fails.
     */
    public KuduClientBuilder encryptionPolicy(AsyncKuduClient.EncryptionPolicy policy) {
      builder.encryptionPolicy(policy);
      return this;
    }

    public KuduClientBuilder disableStatistics() {
      builder.disableStatistics();
      return this;
    }

    /** Like {@link AsyncKuduClient.AsyncKuduClientBuilder#build}. */
    public KuduClient build() {
      return builder.build().syncClient();
    }
  }
}
