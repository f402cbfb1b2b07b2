package dev.kudu4j.client;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.Schema;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.ConnectionOptions;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.HostPort;
import dev.kudu4j.client.index.IndexSource;
import dev.kudu4j.client.write.WriteMemory;
import dev.kudu4j.common.proto.client.AuthenticationCredentialsPB;
import dev.kudu4j.common.proto.master.ColumnStatisticsPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A client whose methods return futures; {@link KuduClient} is its blocking counterpart.
 * Thread-safe: one client serves all threads of a program. It keeps one connection to each server.
 *
 * <p>Futures fail with {@link KuduException}. They complete on the client's own threads, so
 * continuations must not block or call {@link KuduClient}; use the future's {@code Async} methods
 * for continuations that block.
 */
public final class AsyncKuduClient implements AutoCloseable {
  public static final byte[] EMPTY_ARRAY = new byte[0];
  public static final long NO_TIMESTAMP = -1;
  public static final long INVALID_TXN_ID = -1;
  public static final long DEFAULT_OPERATION_TIMEOUT_MS = 30_000;
  public static final int NO_SOFT_DELETED_STATE_RESERVED_SECONDS = 0;
  public static final long DEFAULT_KEEP_ALIVE_PERIOD_MS = 15_000;
  public static final long DEFAULT_NEGOTIATION_TIMEOUT_MS = 10_000;
  public static final int SLEEP_TIME = 500;

  private static final int DEFAULT_MASTER_PORT = 7051;
  private static final int LEAVE_TO_MASTER = -1;

  private final Cluster cluster;
  private final TableAdmin admin;
  private final long adminTimeoutMillis;
  private final long operationTimeoutMillis;
  private final Statistics statistics; // null when disabled
  private final WriteMemory writeMemory;
  private final KuduClient syncClient;
  private final Set<AsyncKuduSession> openSessions = ConcurrentHashMap.newKeySet();
  private volatile String user;
  private final AtomicBoolean looksUpOneByOne = new AtomicBoolean();

  /** Whether connections must be encrypted. This client cannot encrypt yet. */
  public enum EncryptionPolicy {
    /** Encrypted if the server requires it; the default. */
    OPTIONAL,
    /** Encrypted, except for connections to the local host. */
    REQUIRED_REMOTE,
    /** Always encrypted. */
    REQUIRED
  }

  private AsyncKuduClient(AsyncKuduClientBuilder builder) {
    ConnectionOptions options =
        ConnectionOptions.of(builder.masters)
            .withNegotiationTimeoutMillis(builder.negotiationTimeoutMillis)
            .withLocalSockets(builder.localSockets);
    this.cluster =
        Cluster.open(builder.workerCount > 0 ? options.withThreads(builder.workerCount) : options);
    this.admin = new TableAdmin(this, cluster);
    this.adminTimeoutMillis = builder.adminTimeoutMillis;
    this.operationTimeoutMillis = builder.operationTimeoutMillis;
    this.statistics = builder.statistics ? new Statistics() : null;
    this.writeMemory = builder.writeMemory;
    this.user = options.user();
    this.syncClient = new KuduClient(this);
  }

  /** The connection to the cluster, for sessions and scanners. */
  Cluster cluster() {
    return cluster;
  }

  /** The memory budget that the operations of all sessions share. */
  WriteMemory writeMemory() {
    return writeMemory;
  }

  /** True once a server has rejected a scan of given keys; lookups then send one scan per key. */
  AtomicBoolean looksUpOneByOne() {
    return looksUpOneByOne;
  }

  /** Converts the failure of a future to the public {@link KuduException}. */
  static <T> CompletableFuture<T> edge(CompletableFuture<T> inner) {
    return inner.exceptionallyCompose(
        failure -> CompletableFuture.failedFuture(KuduException.of(failure)));
  }

  Deadline adminDeadline() {
    return Deadline.after(adminTimeoutMillis);
  }

  /** The same client, with blocking methods. Closing either client closes both. */
  public KuduClient syncClient() {
    return syncClient;
  }

  // Time.

  /**
   * Propagates a timestamp that another client has seen. Later reads and writes of this client are
   * ordered after it.
   */
  public void updateLastPropagatedTimestamp(long lastPropagatedTimestamp) {
    cluster.observe(lastPropagatedTimestamp);
  }

  /**
   * The highest timestamp seen, for propagation to another client; {@link #NO_TIMESTAMP} if none.
   */
  public long getLastPropagatedTimestamp() {
    return hasLastPropagatedTimestamp() ? cluster.lastTimestamp() : NO_TIMESTAMP;
  }

  public boolean hasLastPropagatedTimestamp() {
    return cluster.lastTimestamp() != 0;
  }

  // The cluster.

  /** The location that the master assigned to this client; empty if none or not known yet. */
  public String getLocationString() {
    return cluster.lastIntroduction().getClientLocation();
  }

  /** The permanent id of the cluster; empty if it is not known yet. */
  public String getClusterId() {
    return cluster.lastIntroduction().getClusterId();
  }

  /** The cluster's Hive Metastore configuration; null if it has none. */
  public CompletableFuture<HiveMetastoreConfig> getHiveMetastoreConfig() {
    return edge(
        cluster
            .introduction(adminDeadline())
            .thenApply(
                reported ->
                    reported.hasHmsConfig()
                        ? new HiveMetastoreConfig(
                            reported.getHmsConfig().getHmsUris(),
                            reported.getHmsConfig().getHmsSaslEnabled(),
                            reported.getHmsConfig().getHmsUuid())
                        : null));
  }

  /** The address of the leader master. */
  public CompletableFuture<HostAndPort> findLeaderMasterServer() {
    return edge(cluster.leadingMaster(adminDeadline()).thenApply(HostAndPort::new));
  }

  /** The master addresses that this client was built with. */
  public String getMasterAddressesAsString() {
    return cluster.options().masters().stream()
        .map(HostPort::toString)
        .collect(Collectors.joining(","));
  }

  /** All tablet servers that are registered with the master. */
  public CompletableFuture<ListTabletServersResponse> listTabletServers() {
    return timed(admin.tabletServers(adminDeadline()), ListTabletServersResponse::new);
  }

  /** Whether the servers support INSERT_IGNORE, UPDATE_IGNORE and DELETE_IGNORE. */
  public CompletableFuture<Boolean> supportsIgnoreOperations() {
    return edge(admin.supportsIgnoreOperations(adminDeadline()));
  }

  // Tables.

  /**
   * Creates a table.
   *
   * @throws IllegalArgumentException if the options specify no partitioning
   */
  public CompletableFuture<KuduTable> createTable(
      String name, Schema schema, CreateTableOptions options) {
    if (options == null) {
      throw new IllegalArgumentException("CreateTableOptions may not be null");
    }
    if (!options.hasPartitioning()) {
      throw new IllegalArgumentException(
          "Table partitioning must be specified using setRangePartitionColumns or"
              + " addHashPartitions");
    }
    return edge(admin.create(name, schema, options, adminDeadline()));
  }

  public CompletableFuture<IsCreateTableDoneResponse> isCreateTableDone(String name) {
    return timed(
        admin.isCreateDone(TableAdmin.named(name), adminDeadline()),
        IsCreateTableDoneResponse::new);
  }

  public CompletableFuture<DeleteTableResponse> deleteTable(String name) {
    return delete(name, LEAVE_TO_MASTER);
  }

  /**
   * Soft-deletes a table: it can be recalled until the reserve time has passed.
   *
   * @param reserveSeconds how long the table can be recalled; 0 deletes it immediately, a negative
   *     value means the master's default
   */
  public CompletableFuture<DeleteTableResponse> deleteTable(String name, int reserveSeconds) {
    return delete(name, reserveSeconds);
  }

  private CompletableFuture<DeleteTableResponse> delete(String name, int reserveSeconds) {
    return timed(
        admin.delete(name, reserveSeconds, adminDeadline()),
        (millis, done) -> new DeleteTableResponse(millis));
  }

  /** Restores a soft-deleted table. */
  public CompletableFuture<RecallDeletedTableResponse> recallDeletedTable(String id) {
    return recallDeletedTable(id, null);
  }

  /** Restores a soft-deleted table under another name. */
  public CompletableFuture<RecallDeletedTableResponse> recallDeletedTable(
      String id, String newTableName) {
    return timed(
        admin.recall(id, newTableName, adminDeadline()),
        (millis, done) -> new RecallDeletedTableResponse(millis));
  }

  public CompletableFuture<AlterTableResponse> alterTable(String name, AlterTableOptions options) {
    return timed(admin.alter(name, options, adminDeadline()), AlterTableResponse::new);
  }

  public CompletableFuture<IsAlterTableDoneResponse> isAlterTableDone(String name) {
    return timed(
        admin.isAlterDone(TableAdmin.named(name), adminDeadline()), IsAlterTableDoneResponse::new);
  }

  public CompletableFuture<ListTablesResponse> getTablesList() {
    return getTablesList(null);
  }

  /** Tables whose name contains the text. */
  public CompletableFuture<ListTablesResponse> getTablesList(String nameFilter) {
    return getTablesList(nameFilter, false);
  }

  /** Tables whose name contains the text; either live tables or soft-deleted ones. */
  public CompletableFuture<ListTablesResponse> getTablesList(
      String nameFilter, boolean showSoftDeleted) {
    return timed(admin.list(nameFilter, showSoftDeleted, adminDeadline()), ListTablesResponse::new);
  }

  public CompletableFuture<ListTablesResponse> getSoftDeletedTablesList() {
    return getTablesList(null, true);
  }

  public CompletableFuture<KuduTableStatistics> getTableStatistics(String name) {
    return edge(admin.statistics(TableAdmin.named(name), adminDeadline()));
  }

  CompletableFuture<KuduTableStatistics> getTableStatisticsById(String id) {
    return edge(admin.statistics(TableAdmin.withId(id), adminDeadline()));
  }

  CompletableFuture<Void> setColumnStatistics(String id, List<ColumnStatisticsPB> columns) {
    return edge(admin.setColumnStatistics(TableAdmin.withId(id), columns, adminDeadline()));
  }

  CompletableFuture<List<KuduIndexProgress>> getIndexProgress(String id) {
    return edge(admin.indexProgress(TableAdmin.withId(id), adminDeadline()));
  }

  CompletableFuture<List<IndexSource>> openIndexes(String table) {
    return admin.openIndexes(table, adminDeadline());
  }

  public CompletableFuture<Boolean> tableExists(String name) {
    return edge(admin.exists(name, adminDeadline()));
  }

  /** Opens a table with its current schema, which is fetched on each call. */
  public CompletableFuture<KuduTable> openTable(String name) {
    return edge(admin.open(TableAdmin.named(name), adminDeadline()));
  }

  CompletableFuture<KuduTable> openTableById(String id) {
    return edge(admin.open(TableAdmin.withId(id), adminDeadline()));
  }

  private interface Response<T, R> {
    R of(long elapsedMillis, T result);
  }

  private static <T, R> CompletableFuture<R> timed(
      CompletableFuture<T> inner, Response<T, R> response) {
    long startNanos = System.nanoTime();
    return edge(
        inner.thenApply(
            result -> response.of((System.nanoTime() - startNanos) / 1_000_000, result)));
  }

  // Security.

  /**
   * Exports the credentials that another process needs to act as this client's user; see {@link
   * #importAuthenticationCredentials}.
   */
  public CompletableFuture<byte[]> exportAuthenticationCredentials() {
    Function<ConnectToMasterResponsePB, byte[]> export =
        reported -> {
          AuthenticationCredentialsPB.Builder credentials =
              AuthenticationCredentialsPB.newBuilder()
                  .setRealUser(user)
                  .addAllCaCertDers(reported.getCaCertDerList());
          if (reported.hasAuthnToken()) {
            credentials.setAuthnToken(reported.getAuthnToken());
          }
          return credentials.build().toByteArray();
        };
    return edge(cluster.introduction(adminDeadline()).thenApply(export));
  }

  /**
   * Makes this client act as the user who exported the credentials. An authentication token among
   * them is ignored: tokens require encryption, which this client does not support.
   *
   * @throws IllegalArgumentException if the bytes are not exported credentials
   */
  public void importAuthenticationCredentials(byte[] authnData) {
    AuthenticationCredentialsPB credentials;
    try {
      credentials = AuthenticationCredentialsPB.parseFrom(authnData);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(
          "The bytes are not exported authentication credentials: " + e.getMessage(), e);
    }
    if (credentials.hasRealUser() && !credentials.getRealUser().equals(user)) {
      user = credentials.getRealUser();
      cluster.useUser(user);
    }
  }

  // Options.

  /** Returns a builder for a scan that is read batch by batch. */
  public AsyncKuduScanner.AsyncKuduScannerBuilder newScannerBuilder(KuduTable table) {
    return new AsyncKuduScanner.AsyncKuduScannerBuilder(this, table);
  }

  public long getDefaultOperationTimeoutMs() {
    return operationTimeoutMillis;
  }

  public long getDefaultAdminOperationTimeoutMs() {
    return adminTimeoutMillis;
  }

  /** Always 0: the client detects unresponsive servers without a read timeout. */
  public long getDefaultSocketReadTimeoutMs() {
    return 0;
  }

  public boolean isStatisticsEnabled() {
    return statistics != null;
  }

  /**
   * Counters of the writes of this client.
   *
   * @throws IllegalStateException when the client was built without statistics
   */
  public Statistics getStatistics() {
    if (statistics == null) {
      throw new IllegalStateException("This client's Statistics is disabled");
    }
    return statistics;
  }

  // Writing.

  /** Opens a session for writes. Close it when done. */
  public AsyncKuduSession newSession() {
    return newSession(INVALID_TXN_ID);
  }

  /** Opens a session whose rows belong to a transaction. */
  AsyncKuduSession newSession(long transaction) {
    AsyncKuduSession session = new AsyncKuduSession(this, operationTimeoutMillis, transaction);
    openSessions.add(session);
    return session;
  }

  /** Operations of all sessions that have no response yet. */
  int pendingOperations() {
    return openSessions.stream().mapToInt(AsyncKuduSession::pendingOperations).sum();
  }

  /** Bytes of the rows of all sessions that have no response yet. */
  long pendingBytes() {
    return openSessions.stream().mapToLong(AsyncKuduSession::pendingBytes).sum();
  }

  int openSessions() {
    return openSessions.size();
  }

  void sessionClosed(AsyncKuduSession session) {
    openSessions.remove(session);
  }

  /**
   * Closes the client. First flushes its sessions, each within its timeout. If a session has no
   * timeout, the client waits for all flushes at most as long as the timeout of administrative
   * requests, or 30 seconds if that is 0. Other requests in flight fail.
   */
  @Override
  public void close() {
    List<AsyncKuduSession> sessions = List.copyOf(openSessions);
    boolean endless = sessions.stream().anyMatch(session -> session.getTimeoutMillis() <= 0);
    CompletableFuture<?>[] flushes =
        sessions.stream().map(AsyncKuduSession::close).toArray(CompletableFuture[]::new);
    CompletableFuture<Void> allFlushed = CompletableFuture.allOf(flushes);
    if (endless) {
      long patience = adminTimeoutMillis > 0 ? adminTimeoutMillis : DEFAULT_OPERATION_TIMEOUT_MS;
      allFlushed.completeOnTimeout(null, patience, TimeUnit.MILLISECONDS);
    }
    if (!cluster.isEventLoop()) {
      try {
        allFlushed.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException e) {
        throw new IllegalStateException("A session's close failed", e.getCause());
      } finally {
        cluster.close();
      }
    } else {
      allFlushed.whenComplete((done, failure) -> cluster.close());
    }
  }

  /** Like {@link #close}, without blocking. */
  public CompletableFuture<Void> shutdown() {
    return CompletableFuture.runAsync(this::close);
  }

  /** Builds clients. */
  public static final class AsyncKuduClientBuilder {
    private final List<HostPort> masters;
    private long adminTimeoutMillis = DEFAULT_OPERATION_TIMEOUT_MS;
    private long operationTimeoutMillis = DEFAULT_OPERATION_TIMEOUT_MS;
    private long negotiationTimeoutMillis = DEFAULT_NEGOTIATION_TIMEOUT_MS;
    private int workerCount;
    private boolean localSockets = true;
    private WriteMemory writeMemory = WriteMemory.ofThisJvm();
    private boolean statistics = true;
    private boolean requireAuthentication;
    private EncryptionPolicy encryptionPolicy = EncryptionPolicy.OPTIONAL;

    /**
     * @param masterAddresses {@code host:port}, separated by commas
     */
    public AsyncKuduClientBuilder(String masterAddresses) {
      this.masters = HostPort.parseAll(masterAddresses, DEFAULT_MASTER_PORT);
    }

    /**
     * @param masterAddresses each {@code host:port}
     */
    public AsyncKuduClientBuilder(List<String> masterAddresses) {
      this.masters =
          masterAddresses.stream()
              .map(address -> HostPort.parse(address, DEFAULT_MASTER_PORT))
              .toList();
    }

    AsyncKuduClientBuilder writeMemory(WriteMemory memory) {
      writeMemory = memory;
      return this;
    }

    /** Sets the timeout of administrative requests; 0 for none. */
    public AsyncKuduClientBuilder defaultAdminOperationTimeoutMs(long timeoutMs) {
      adminTimeoutMillis = timeoutMs;
      return this;
    }

    /** Sets the default timeout of writes and scan requests; 0 for none. */
    public AsyncKuduClientBuilder defaultOperationTimeoutMs(long timeoutMs) {
      operationTimeoutMillis = timeoutMs;
      return this;
    }

    /** Sets the timeout for the negotiation of a new connection. */
    public AsyncKuduClientBuilder connectionNegotiationTimeoutMs(long timeoutMs) {
      negotiationTimeoutMillis = timeoutMs;
      return this;
    }

    /** No effect: the client detects unresponsive servers without a read timeout. */
    public AsyncKuduClientBuilder defaultSocketReadTimeoutMs(long timeoutMs) {
      return this;
    }

    /** No effect: the client has its own threads. */
    public AsyncKuduClientBuilder nioExecutors(Executor bossExecutor, Executor workerExecutor) {
      return this;
    }

    /** No effect: the client has its own threads. */
    public AsyncKuduClientBuilder nioExecutor(Executor workerExecutor) {
      return this;
    }

    /** No effect: connecting needs no separate threads. */
    public AsyncKuduClientBuilder bossCount(int bossCount) {
      return this;
    }

    /** Sets the number of I/O threads. */
    public AsyncKuduClientBuilder workerCount(int workerCount) {
      if (workerCount < 1) {
        throw new IllegalArgumentException("workerCount should be greater than 0");
      }
      this.workerCount = workerCount;
      return this;
    }

    /**
     * Sets whether the client calls tablet servers on its own host over their Unix-domain sockets,
     * which take less processor time than TCP. The default is true. Servers that announce no socket
     * are called over TCP.
     */
    public AsyncKuduClientBuilder localSockets(boolean use) {
      localSockets = use;
      return this;
    }

    /** Whether servers must authenticate. Not supported yet: if true, {@link #build} fails. */
    public AsyncKuduClientBuilder requireAuthentication(boolean required) {
      requireAuthentication = required;
      return this;
    }

    /**
     * Whether connections must be encrypted. Not supported yet: if required, {@link #build} fails.
     */
    public AsyncKuduClientBuilder encryptionPolicy(EncryptionPolicy policy) {
      encryptionPolicy = policy;
      return this;
    }

    public AsyncKuduClientBuilder disableStatistics() {
      statistics = false;
      return this;
    }

    /** No effect: only Kerberos uses the name. */
    public AsyncKuduClientBuilder saslProtocolName(String name) {
      return this;
    }

    /**
     * Builds the client. It connects on the first request.
     *
     * @throws UnsupportedOperationException when encryption or authentication is required
     */
    public AsyncKuduClient build() {
      if (requireAuthentication || encryptionPolicy != EncryptionPolicy.OPTIONAL) {
        throw new UnsupportedOperationException(
            "This client supports no encryption or authentication yet; leave encryptionPolicy at"
                + " OPTIONAL and requireAuthentication at false");
      }
      return new AsyncKuduClient(this);
    }
  }
}
