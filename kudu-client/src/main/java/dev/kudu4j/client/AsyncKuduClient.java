package dev.kudu4j.client;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.Schema;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.ConnectionOptions;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.HostPort;
import dev.kudu4j.client.write.WriteMemory;
import dev.kudu4j.common.proto.client.AuthenticationCredentialsPB;
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
 * A client whose methods return futures; {@link KuduClient} waits for them. One client serves all
 * threads of a program; it keeps one connection to each server.
 *
 * <p>Futures fail with {@link KuduException}. They complete on the client's own threads: what
 * follows must not block there, nor call {@link KuduClient}; continue with the {@code Async}
 * methods if it has to.
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
    /** Encrypted if the server insists; the default. */
    OPTIONAL,
    /** Encrypted, except to this very host. */
    REQUIRED_REMOTE,
    /** Encrypted always. */
    REQUIRED
  }

  private AsyncKuduClient(AsyncKuduClientBuilder builder) {
    ConnectionOptions options =
        ConnectionOptions.of(builder.masters)
            .withNegotiationTimeoutMillis(builder.negotiationTimeoutMillis);
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

  /** What the operations of all sessions may hold. */
  WriteMemory writeMemory() {
    return writeMemory;
  }

  /** Set once a server of the cluster has refused a request for given keys. */
  AtomicBoolean looksUpOneByOne() {
    return looksUpOneByOne;
  }

  /** A future whose failure is as users are told of it. */
  static <T> CompletableFuture<T> edge(CompletableFuture<T> inner) {
    return inner.exceptionallyCompose(
        failure -> CompletableFuture.failedFuture(KuduException.of(failure)));
  }

  private Deadline adminDeadline() {
    return Deadline.after(adminTimeoutMillis);
  }

  /** The same client, with methods that wait. Closing one closes the other. */
  public KuduClient syncClient() {
    return syncClient;
  }

  // Time.

  /**
   * Tells this client of a timestamp that another has seen, so that what it reads and writes is
   * later.
   */
  public void updateLastPropagatedTimestamp(long lastPropagatedTimestamp) {
    cluster.observe(lastPropagatedTimestamp);
  }

  /** The highest timestamp seen, to be told to another client; {@link #NO_TIMESTAMP} for none. */
  public long getLastPropagatedTimestamp() {
    return hasLastPropagatedTimestamp() ? cluster.lastTimestamp() : NO_TIMESTAMP;
  }

  public boolean hasLastPropagatedTimestamp() {
    return cluster.lastTimestamp() != 0;
  }

  // The cluster.

  /** This client's location, as the master sees it; empty when it has none or is not known yet. */
  public String getLocationString() {
    return cluster.lastIntroduction().getClientLocation();
  }

  /** Names the cluster for ever; empty when it is not known yet. */
  public String getClusterId() {
    return cluster.lastIntroduction().getClusterId();
  }

  /** How the cluster is integrated with a Hive Metastore; null when it is not. */
  public CompletableFuture<HiveMetastoreConfig> getHiveMetastoreConfig() {
    return edge(
        cluster
            .introduction(adminDeadline())
            .thenApply(
                told ->
                    told.hasHmsConfig()
                        ? new HiveMetastoreConfig(
                            told.getHmsConfig().getHmsUris(),
                            told.getHmsConfig().getHmsSaslEnabled(),
                            told.getHmsConfig().getHmsUuid())
                        : null));
  }

  /** Where the leading master listens. */
  public CompletableFuture<HostAndPort> findLeaderMasterServer() {
    return edge(cluster.leadingMaster(adminDeadline()).thenApply(HostAndPort::new));
  }

  /** The masters that this client was given. */
  public String getMasterAddressesAsString() {
    return cluster.options().masters().stream()
        .map(HostPort::toString)
        .collect(Collectors.joining(","));
  }

  /** All tablet servers that the master knows. */
  public CompletableFuture<ListTabletServersResponse> listTabletServers() {
    return timed(admin.tabletServers(adminDeadline()), ListTabletServersResponse::new);
  }

  /** Whether the servers know INSERT_IGNORE, UPDATE_IGNORE and DELETE_IGNORE. */
  public CompletableFuture<Boolean> supportsIgnoreOperations() {
    return edge(admin.supportsIgnoreOperations(adminDeadline()));
  }

  // Tables.

  /**
   * Creates a table.
   *
   * @throws IllegalArgumentException when it is not said how it is partitioned
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
   * Deletes a table, but keeps it for a while, in which it can be recalled.
   *
   * @param reserveSeconds for how long; 0 not at all, negative for as long as the master keeps
   *     tables that nobody said more about
   */
  public CompletableFuture<DeleteTableResponse> deleteTable(String name, int reserveSeconds) {
    return delete(name, reserveSeconds);
  }

  private CompletableFuture<DeleteTableResponse> delete(String name, int reserveSeconds) {
    return timed(
        admin.delete(name, reserveSeconds, adminDeadline()),
        (millis, done) -> new DeleteTableResponse(millis));
  }

  /** Brings a soft-deleted table back. */
  public CompletableFuture<RecallDeletedTableResponse> recallDeletedTable(String id) {
    return recallDeletedTable(id, null);
  }

  /** Brings a soft-deleted table back under another name. */
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

  /** Tables whose name contains the text; either the usual ones or the soft-deleted. */
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

  public CompletableFuture<Boolean> tableExists(String name) {
    return edge(admin.exists(name, adminDeadline()));
  }

  /** Opens a table as it is now; nothing is remembered from an earlier opening. */
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
   * What another process needs to act as this client's user, for {@link
   * #importAuthenticationCredentials}.
   */
  public CompletableFuture<byte[]> exportAuthenticationCredentials() {
    Function<ConnectToMasterResponsePB, byte[]> export =
        told -> {
          AuthenticationCredentialsPB.Builder credentials =
              AuthenticationCredentialsPB.newBuilder()
                  .setRealUser(user)
                  .addAllCaCertDers(told.getCaCertDerList());
          if (told.hasAuthnToken()) {
            credentials.setAuthnToken(told.getAuthnToken());
          }
          return credentials.build().toByteArray();
        };
    return edge(cluster.introduction(adminDeadline()).thenApply(export));
  }

  /**
   * Makes this client act as the user who exported the credentials. Of a token nothing is used:
   * tokens need encryption.
   *
   * @throws IllegalArgumentException when they are no credentials
   */
  public void importAuthenticationCredentials(byte[] authnData) {
    AuthenticationCredentialsPB credentials;
    try {
      credentials = AuthenticationCredentialsPB.parseFrom(authnData);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("Not exported credentials: " + e.getMessage(), e);
    }
    if (credentials.hasRealUser() && !credentials.getRealUser().equals(user)) {
      user = credentials.getRealUser();
      cluster.useUser(user);
    }
  }

  // Options.

  /** Describes a scan, to be read batch by batch. */
  public AsyncKuduScanner.AsyncKuduScannerBuilder newScannerBuilder(KuduTable table) {
    return new AsyncKuduScanner.AsyncKuduScannerBuilder(this, table);
  }

  public long getDefaultOperationTimeoutMs() {
    return operationTimeoutMillis;
  }

  public long getDefaultAdminOperationTimeoutMs() {
    return adminTimeoutMillis;
  }

  /** Always 0: servers that fall silent are noticed without a time-out for reads. */
  public long getDefaultSocketReadTimeoutMs() {
    return 0;
  }

  public boolean isStatisticsEnabled() {
    return statistics != null;
  }

  /**
   * What this client has written so far.
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

  /** Opens a session, which takes writes. Close it when done. */
  public AsyncKuduSession newSession() {
    AsyncKuduSession session = new AsyncKuduSession(this, operationTimeoutMillis);
    openSessions.add(session);
    return session;
  }

  /** Of all sessions: those taken and not answered. */
  int pendingOperations() {
    return openSessions.stream().mapToInt(AsyncKuduSession::pendingOperations).sum();
  }

  /** Of all sessions: what the rows take that have no answer yet. */
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
   * Closes the client: its sessions are flushed first, each within its time-out; those without one
   * within that of administrative requests. What else is under way fails.
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

  /** As {@link #close}, for those who wait for a future. */
  public CompletableFuture<Void> shutdown() {
    return CompletableFuture.runAsync(this::close);
  }

  /** Makes clients. */
  public static final class AsyncKuduClientBuilder {
    private final List<HostPort> masters;
    private long adminTimeoutMillis = DEFAULT_OPERATION_TIMEOUT_MS;
    private long operationTimeoutMillis = DEFAULT_OPERATION_TIMEOUT_MS;
    private long negotiationTimeoutMillis = DEFAULT_NEGOTIATION_TIMEOUT_MS;
    private int workerCount;
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

    /** How long requests about tables may take; 0 for ever. */
    public AsyncKuduClientBuilder defaultAdminOperationTimeoutMs(long timeoutMs) {
      adminTimeoutMillis = timeoutMs;
      return this;
    }

    /** How long writes and scans may take; 0 for ever. */
    public AsyncKuduClientBuilder defaultOperationTimeoutMs(long timeoutMs) {
      operationTimeoutMillis = timeoutMs;
      return this;
    }

    /** How long a new connection's negotiation may take. */
    public AsyncKuduClientBuilder connectionNegotiationTimeoutMs(long timeoutMs) {
      negotiationTimeoutMillis = timeoutMs;
      return this;
    }

    /** Without effect: servers that fall silent are noticed without a time-out for reads. */
    public AsyncKuduClientBuilder defaultSocketReadTimeoutMs(long timeoutMs) {
      return this;
    }

    /** Without effect: the client has threads of its own. */
    public AsyncKuduClientBuilder nioExecutors(Executor bossExecutor, Executor workerExecutor) {
      return this;
    }

    /** Without effect: the client has threads of its own. */
    public AsyncKuduClientBuilder nioExecutor(Executor workerExecutor) {
      return this;
    }

    /** Without effect: connecting needs no threads of its own. */
    public AsyncKuduClientBuilder bossCount(int bossCount) {
      return this;
    }

    /** How many threads move bytes. */
    public AsyncKuduClientBuilder workerCount(int workerCount) {
      if (workerCount < 1) {
        throw new IllegalArgumentException("workerCount should be greater than 0");
      }
      this.workerCount = workerCount;
      return this;
    }

    /** Whether servers must prove who they are; {@link #build} then refuses. */
    public AsyncKuduClientBuilder requireAuthentication(boolean required) {
      requireAuthentication = required;
      return this;
    }

    /** Whether connections must be encrypted; if they must, {@link #build} refuses. */
    public AsyncKuduClientBuilder encryptionPolicy(EncryptionPolicy policy) {
      encryptionPolicy = policy;
      return this;
    }

    public AsyncKuduClientBuilder disableStatistics() {
      statistics = false;
      return this;
    }

    /** Without effect: the name matters to Kerberos only. */
    public AsyncKuduClientBuilder saslProtocolName(String name) {
      return this;
    }

    /**
     * Makes the client; nothing is connected before the first request.
     *
     * @throws UnsupportedOperationException when encryption or authentication is required
     */
    public AsyncKuduClient build() {
      if (requireAuthentication || encryptionPolicy != EncryptionPolicy.OPTIONAL) {
        throw new UnsupportedOperationException(
            "This client can neither encrypt nor authenticate yet; leave encryptionPolicy at"
                + " OPTIONAL and requireAuthentication at false");
      }
      return new AsyncKuduClient(this);
    }
  }
}
