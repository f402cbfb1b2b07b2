package dev.kudu4j.client.cluster;

import com.google.protobuf.Message;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.rpc.EventLoops;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The connection to one cluster.
 *
 * <p>Calls are retried until their deadline when a retry may help: the leader moved, a connection
 * broke, a server is busy, starting or gone. Delays between attempts grow from a few milliseconds,
 * with jitter. A call that a retry cannot help fails immediately. A call that reaches its deadline
 * fails with TIMED_OUT; the message contains the last failure. No thread blocks.
 *
 * <p>Futures complete on an event loop: continuations must not block.
 */
public final class Cluster implements AutoCloseable {
  private static final long SWEEP_MILLIS = 5_000;
  private static final String THREAD_NAME = "kudu-client";

  private final ConnectionOptions options;
  private final Activity activity = new Activity();
  private final EventLoops loops;
  private final Timers timers;
  private final MasterCaller masters;
  private final ServerLinkCache links;
  private final TabletCaller tablets;
  private final Map<String, TableTablets> tables = new ConcurrentHashMap<>();
  private final AtomicLong lastTimestamp = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile RpcClient rpc;

  private Cluster(ConnectionOptions options) {
    this.options = options;
    this.loops = EventLoops.open(THREAD_NAME, options.threads());
    this.rpc = new RpcClient(rpcOptions(options.user()), loops, activity);
    this.timers = new Timers(loops.group());
    Locality locality = new Locality();
    this.links =
        new ServerLinkCache(
            () -> rpc,
            options.withLocalSockets(options.localSockets() && loops.offersLocalSockets()),
            locality);
    this.masters =
        new MasterCaller(options.masters().stream().map(links::master).toList(), timers, activity);
    this.tablets =
        new TabletCaller(
            links,
            new ReplicaChooser(links, locality, this::clientLocation),
            new RequestTracker(),
            timers,
            activity);
  }

  /** Opens a client of a cluster. It connects on the first call. */
  public static Cluster open(ConnectionOptions options) {
    Cluster cluster = new Cluster(options);
    cluster.repeat(cluster.links::tick, Math.max(1, options.quietMillis() / 4));
    cluster.repeat(
        () -> cluster.tables.values().forEach(TableTablets::forgetExpired), SWEEP_MILLIS);
    return cluster;
  }

  private RpcClientOptions rpcOptions(String user) {
    RpcClientOptions defaults = RpcClientOptions.defaults();
    return defaults
        .withUser(user)
        .withTimeoutsMillis(defaults.connectTimeoutMillis(), options.negotiationTimeoutMillis());
  }

  private void repeat(Runnable task, long periodMillis) {
    schedule(
        () -> {
          if (!closed.get()) {
            task.run();
            repeat(task, periodMillis);
          }
        },
        periodMillis,
        TimeUnit.MILLISECONDS);
  }

  public ConnectionOptions options() {
    return options;
  }

  /** Counters of this client's activity. */
  public Activity activity() {
    return activity;
  }

  /** The number of cached entries: locations of tablets, and key ranges without a tablet. */
  public int knownLocations() {
    return tables.values().stream().mapToInt(TableTablets::knownLocations).sum();
  }

  /** The tablets of a table; one object per table id. */
  public TableTablets tabletsOf(String tableId) {
    return tables.computeIfAbsent(tableId, id -> new TableTablets(id, masters, timers));
  }

  /**
   * Like {@link #tabletsOf(String)}.
   *
   * @param tableName name of the table in later failure messages
   */
  public TableTablets tabletsOf(String tableId, String tableName) {
    TableTablets tablets = tabletsOf(tableId);
    tablets.setTableName(tableName);
    return tablets;
  }

  /** Calls the leader master, whichever master that is at the time. */
  public <R extends Message> CompletableFuture<R> callMaster(
      MasterCall<R> call, Message request, Deadline deadline) {
    return masters.call(call, request, deadline);
  }

  /** The ConnectToMaster response of the leader master. Finds the leader first if necessary. */
  public CompletableFuture<ConnectToMasterResponsePB> introduction(Deadline deadline) {
    return new MasterRequest<>(
            masters, timers, MasterCaller.PING, MasterCaller.PING_REQUEST, deadline)
        .begin()
        .thenApply(pong -> masters.lastLeader().introduction());
  }

  /** The ConnectToMaster response of the leader found last; empty before a leader is found. */
  public ConnectToMasterResponsePB lastIntroduction() {
    LeadingMaster leader = masters.lastLeader();
    return leader == null ? ConnectToMasterResponsePB.getDefaultInstance() : leader.introduction();
  }

  /** The address of the leader master. Finds the leader first if necessary. */
  public CompletableFuture<HostPort> leadingMaster(Deadline deadline) {
    return introduction(deadline).thenApply(told -> masters.lastLeader().link().hostPort());
  }

  private String clientLocation() {
    return lastIntroduction().getClientLocation();
  }

  /**
   * Calls a replica of the tablet, which {@code choice} selects again for each attempt. {@code
   * request} creates the request of each attempt, because it may depend on the replica.
   *
   * @return fails with NOT_FOUND if the tablet no longer exists; the rows of its partition may then
   *     belong to a new tablet
   */
  public <R extends Message> CompletableFuture<TabletReply<R>> call(
      RemoteTablet tablet,
      ReplicaChoice choice,
      TabletCall<R> call,
      Function<RemoteReplica, Message> request,
      Deadline deadline) {
    return tablets.call(tablet, choice, call, request, deadline);
  }

  /**
   * Calls one replica, once, for a request that only this replica can answer (the next batch of a
   * scanner). An error in the response fails the call; see {@link TabletServerFailure}. If the
   * server becomes silent, the call waits until the deadline.
   */
  public <R extends Message> CompletableFuture<TabletReply<R>> callOnce(
      RemoteReplica replica, TabletCall<R> call, Message request, Deadline deadline) {
    return callOnce(replica, call, request, deadline, false);
  }

  /**
   * Calls one replica, once.
   *
   * @param giveUpWhenSilent whether the call fails with NETWORK_ERROR when the server shows no sign
   *     of life for a few seconds: for callers that can continue at another replica
   */
  public <R extends Message> CompletableFuture<TabletReply<R>> callOnce(
      RemoteReplica replica,
      TabletCall<R> call,
      Message request,
      Deadline deadline,
      boolean giveUpWhenSilent) {
    return tablets.callOnce(replica, call, request, deadline, giveUpWhenSilent);
  }

  /**
   * The highest timestamp that servers reported or users set; 0 for none. Requests carry it where
   * the protocol has a field for it.
   */
  public long lastTimestamp() {
    return lastTimestamp.get();
  }

  /** Raises the last timestamp; a lower one changes nothing. */
  public void observe(long timestamp) {
    long known = lastTimestamp.get();
    while (Long.compareUnsigned(timestamp, known) > 0
        && !lastTimestamp.compareAndSet(known, timestamp)) {
      known = lastTimestamp.get();
    }
  }

  /** Completes after {@code millis}; fails with ABORTED if the cluster is closed earlier. */
  public CompletableFuture<Void> after(long millis) {
    CompletableFuture<Void> waited = new CompletableFuture<>();
    timers.resume(() -> waited.complete(null), TimeUnit.MILLISECONDS.toNanos(millis), waited);
    return waited;
  }

  /** Runs {@code task} on an event loop after a delay: for flush intervals and keep-alives. */
  @SuppressWarnings("FutureReturnValueIgnored") // tasks report their own failures
  public void schedule(Runnable task, long delay, TimeUnit unit) {
    timers.schedule(task, delay, unit);
  }

  /** Whether the current thread must not wait for responses, because it receives them. */
  public boolean isEventLoop() {
    return isClientThread();
  }

  /** Whether the current thread is an event loop of any cluster. */
  public static boolean isClientThread() {
    return Thread.currentThread().getName().startsWith(THREAD_NAME + "-");
  }

  /** Closes the current connections; later connections are opened as {@code user}. */
  public void useUser(String user) {
    RpcClient before = rpc;
    rpc = new RpcClient(rpcOptions(user), loops, activity);
    before.close();
  }

  /** Fails the calls in flight and closes all connections. A second close does nothing. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      rpc.close();
      timers.close();
      loops.close();
    }
  }

  @Override
  public String toString() {
    return options.masters().toString();
  }
}
