package dev.kudu4j.tools.connection;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.ConnectToMasterRequestPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.GetTableSchemaRequestPB;
import dev.kudu4j.common.proto.master.GetTableSchemaResponsePB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Calls to the masters and tablet servers of one cluster, by address. Calls to the master go to the
 * leader, and are retried if the leader changes.
 *
 * <p>Used by one thread; the futures complete on another thread.
 */
public final class ClusterCalls implements AutoCloseable {
  private static final String MASTER = "kudu.master.MasterService";
  private static final long ELECTION_MILLIS = 10_000;
  private static final long PAUSE_MILLIS = 100;

  private final Masters masters;
  private final long timeoutMillis;
  private final RpcClient rpc;
  private InetSocketAddress leader;

  private ClusterCalls(Masters masters, long timeoutMillis, int connectTimeoutMillis) {
    this.masters = masters;
    this.timeoutMillis = timeoutMillis;
    this.rpc =
        new RpcClient(
            RpcClientOptions.defaults()
                .withTimeoutsMillis(connectTimeoutMillis, connectTimeoutMillis));
  }

  /** Connects to the leader of the masters. */
  static ClusterCalls connect(Masters masters, long timeoutMillis, int connectTimeoutMillis) {
    ClusterCalls calls = new ClusterCalls(masters, timeoutMillis, connectTimeoutMillis);
    try {
      calls.leader = calls.findLeader(Math.min(timeoutMillis, ELECTION_MILLIS));
      return calls;
    } catch (RuntimeException e) {
      calls.close();
      throw e;
    }
  }

  /** Connects without looking for a leader: only calls by address are possible. */
  static ClusterCalls reach(Masters masters, long timeoutMillis, int connectTimeoutMillis) {
    return new ClusterCalls(masters, timeoutMillis, connectTimeoutMillis);
  }

  /** An instance for calls to given servers, without any masters. */
  static ClusterCalls withoutMasters(long timeoutMillis, int connectTimeoutMillis) {
    return new ClusterCalls(null, timeoutMillis, connectTimeoutMillis);
  }

  public Masters masters() {
    return masters;
  }

  /** The last known leader of the masters. */
  public InetSocketAddress leader() {
    return leader;
  }

  private InetSocketAddress findLeader(long patienceMillis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    while (true) {
      Map<InetSocketAddress, KuduException> failures = new HashMap<>();
      for (var answer : askMasters().entrySet()) {
        try {
          if (get(answer.getValue()).getRole() == RaftPeerPB.Role.LEADER) {
            return answer.getKey();
          }
        } catch (KuduException e) {
          failures.put(answer.getKey(), e);
        }
      }
      if (failures.size() == masters.addresses().size()
          && failures.values().stream().noneMatch(ClusterCalls::isStarting)) {
        throw noMaster(failures);
      }
      if (System.nanoTime() - deadline > 0) {
        throw KuduException.serviceUnavailable(
            "No leader among the masters %s%s; give the addresses of all masters, and see"
                + " their logs",
            masters, reasons(failures));
      }
      Pause.millis(PAUSE_MILLIS);
    }
  }

  private Map<InetSocketAddress, CompletableFuture<ConnectToMasterResponsePB>> askMasters() {
    Map<InetSocketAddress, CompletableFuture<ConnectToMasterResponsePB>> answers = new HashMap<>();
    for (InetSocketAddress master : masters.addresses()) {
      answers.put(
          master,
          call(
              master,
              MASTER,
              "ConnectToMaster",
              ConnectToMasterRequestPB.getDefaultInstance(),
              ConnectToMasterResponsePB.parser()));
    }
    return answers;
  }

  /**
   * Whether the failure is a response of the master. If so, the master is running and may become
   * leader soon.
   */
  private static boolean isStarting(KuduException failure) {
    return failure.code() != StatusCode.NETWORK_ERROR
        && failure.code() != StatusCode.TIMED_OUT
        && failure.code() != StatusCode.NOT_FOUND;
  }

  private KuduException noMaster(Map<InetSocketAddress, KuduException> failures) {
    String next =
        masters.defaulted()
            ? "kudu start starts a cluster on this machine; for another cluster, give its"
                + " masters as the first argument or in the environment variable "
                + Masters.VARIABLE
            : "check that the cluster is running and that these are its masters";
    return KuduException.serviceUnavailable(
        "No master responds at %s%s; %s", masters, reasons(failures), next);
  }

  private static String reasons(Map<InetSocketAddress, KuduException> failures) {
    List<String> reasons = new ArrayList<>();
    failures.forEach(
        (master, failure) ->
            reasons.add(
                (failures.size() > 1 ? text(master) + ": " : "") + plain(failure.getMessage())));
    return reasons.isEmpty() ? "" : " (" + String.join("; ", reasons) + ")";
  }

  /** The message of a failed call, without the address, which the caller prints. */
  public static String plain(String message) {
    return message.contains("Connection refused") ? "connection refused" : message;
  }

  /** Calls the leader of the masters. If the response contains an error, throws it. */
  public <R extends Message> R master(String method, Message request, Parser<R> parser) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (true) {
      try {
        return get(call(leader, MASTER, method, request, parser));
      } catch (KuduException e) {
        boolean retry =
            e.code() == StatusCode.SERVICE_UNAVAILABLE || e.code() == StatusCode.ILLEGAL_STATE;
        if (!retry || System.nanoTime() - deadline > 0) {
          throw e;
        }
        Pause.millis(PAUSE_MILLIS);
        leader = findLeader(ELECTION_MILLIS);
      }
    }
  }

  /** Calls the leader of the masters once, without retries. */
  public <R extends Message> CompletableFuture<R> masterOnce(
      String method, Message request, Parser<R> parser) {
    return call(leader, MASTER, method, request, parser);
  }

  /** Calls any server. An error in the response fails the future with a KuduException. */
  public <R extends Message> CompletableFuture<R> call(
      InetSocketAddress server, String service, String method, Message request, Parser<R> parser) {
    return call(server, service, method, request, parser, RpcResponse::message);
  }

  /**
   * Calls any server for a response with sidecars. An error in the response fails the future with a
   * KuduException.
   *
   * @param reading extracts the result from the response; borrows the sidecars
   */
  public <R extends Message, T> CompletableFuture<T> call(
      InetSocketAddress server,
      String service,
      String method,
      Message request,
      Parser<R> parser,
      Function<RpcResponse<R>, T> reading) {
    InetSocketAddress resolved =
        server.isUnresolved()
            ? new InetSocketAddress(server.getHostString(), server.getPort())
            : server;
    if (resolved.isUnresolved()) {
      return CompletableFuture.failedFuture(
          KuduException.notFound("unknown host %s", server.getHostString()));
    }
    return rpc.call(
            resolved, service, method, request, parser, RpcCallOptions.timeoutMillis(timeoutMillis))
        .thenApply(
            response -> {
              try (response) {
                checkNoError(response.message());
                return reading.apply(response);
              }
            });
  }

  /**
   * Throws the error of a response, if it has one. The responses of masters and tablet servers all
   * have a field named {@code error} for it.
   */
  private static void checkNoError(Message answer) {
    var field = answer.getDescriptorForType().findFieldByName("error");
    if (field == null || !answer.hasField(field)) {
      return;
    }
    Object error = answer.getField(field);
    if (error instanceof MasterErrorPB master) {
      throw StatusWire.fromWire(master.getStatus());
    }
    if (error instanceof TabletServerErrorPB tabletServer) {
      throw StatusWire.fromWire(tabletServer.getStatus());
    }
  }

  /** Waits for a call; throws its failure as a KuduException. */
  public static <R> R get(CompletableFuture<R> call) {
    try {
      return call.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof KuduException failure
          ? failure
          : new KuduException(StatusCode.RUNTIME_ERROR, String.valueOf(e.getCause()), e);
    }
  }

  /** All tables that match the request. */
  public List<ListTablesResponsePB.TableInfo> tables(ListTablesRequestPB request) {
    return master("ListTables", request, ListTablesResponsePB.parser()).getTablesList();
  }

  /**
   * The master's information about a table; the error for an unknown table suggests similar names.
   */
  public GetTableSchemaResponsePB table(String name) {
    GetTableSchemaRequestPB request =
        GetTableSchemaRequestPB.newBuilder().setTable(identifier(name)).build();
    try {
      return master("GetTableSchema", request, GetTableSchemaResponsePB.parser());
    } catch (KuduException e) {
      if (e.code() != StatusCode.NOT_FOUND) {
        throw e;
      }
      List<String> names =
          tables(ListTablesRequestPB.getDefaultInstance()).stream()
              .map(ListTablesResponsePB.TableInfo::getName)
              .toList();
      throw KuduException.notFound(
          "There is no table '%s' on %s; %skudu table list lists the tables",
          name, masters, SimilarName.hint(name, names));
    }
  }

  public static TableIdentifierPB identifier(String table) {
    return TableIdentifierPB.newBuilder().setTableName(table).build();
  }

  public static InetSocketAddress address(HostPortPB address) {
    return InetSocketAddress.createUnresolved(address.getHost(), address.getPort());
  }

  public static String text(InetSocketAddress address) {
    String host = address.getHostString();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  @Override
  public void close() {
    rpc.close();
  }
}
