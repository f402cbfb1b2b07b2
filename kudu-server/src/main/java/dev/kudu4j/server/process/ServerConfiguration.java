package dev.kudu4j.server.process;

import static dev.kudu4j.server.flags.ServerOptions.APPEND_TOO_LONG;
import static dev.kudu4j.server.flags.ServerOptions.APPLY_TOO_LONG;
import static dev.kudu4j.server.flags.ServerOptions.AUTO_IO;
import static dev.kudu4j.server.flags.ServerOptions.BLOCK_CACHE_CAPACITY;
import static dev.kudu4j.server.flags.ServerOptions.CLOCK_ERROR;
import static dev.kudu4j.server.flags.ServerOptions.ELECTION_BACK_OFF;
import static dev.kudu4j.server.flags.ServerOptions.FOLLOWER_FAILED;
import static dev.kudu4j.server.flags.ServerOptions.FSYNC_LOG;
import static dev.kudu4j.server.flags.ServerOptions.FS_DATA_DIRS;
import static dev.kudu4j.server.flags.ServerOptions.FS_WAL_DIR;
import static dev.kudu4j.server.flags.ServerOptions.LOG_SEGMENTS_KEPT;
import static dev.kudu4j.server.flags.ServerOptions.MEMORY_LIMIT;
import static dev.kudu4j.server.flags.ServerOptions.MEMORY_SOFT_PERCENT;
import static dev.kudu4j.server.flags.ServerOptions.MISSED_HEARTBEATS;
import static dev.kudu4j.server.flags.ServerOptions.NEGOTIATION_DELAY;
import static dev.kudu4j.server.flags.ServerOptions.PREPARE_REPLACEMENT;
import static dev.kudu4j.server.flags.ServerOptions.RAFT_HEARTBEAT;
import static dev.kudu4j.server.flags.ServerOptions.RAFT_TRANSPORT;
import static dev.kudu4j.server.flags.ServerOptions.RPC_ADVERTISED_ADDRESSES;
import static dev.kudu4j.server.flags.ServerOptions.RPC_BIND_ADDRESSES;
import static dev.kudu4j.server.flags.ServerOptions.RPC_INBOUND_MEMORY;
import static dev.kudu4j.server.flags.ServerOptions.RPC_IO;
import static dev.kudu4j.server.flags.ServerOptions.RPC_LOOPS;
import static dev.kudu4j.server.flags.ServerOptions.RPC_MAX_CONNECTIONS;
import static dev.kudu4j.server.flags.ServerOptions.RPC_MAX_CONNECTIONS_PER_ADDRESS;
import static dev.kudu4j.server.flags.ServerOptions.RPC_MAX_MESSAGE;
import static dev.kudu4j.server.flags.ServerOptions.RPC_SERVICE_QUEUE;
import static dev.kudu4j.server.flags.ServerOptions.RPC_SERVICE_THREADS;
import static dev.kudu4j.server.flags.ServerOptions.RPC_THREAD_MODEL;
import static dev.kudu4j.server.flags.ServerOptions.RPC_TOO_LONG;
import static dev.kudu4j.server.flags.ServerOptions.SYSTEM_CLOCK_ERROR;
import static dev.kudu4j.server.flags.ServerOptions.TIME_SOURCE;
import static dev.kudu4j.server.flags.ServerOptions.WEBSERVER_ENABLED;
import static dev.kudu4j.server.flags.ServerOptions.WEBSERVER_INTERFACE;
import static dev.kudu4j.server.flags.ServerOptions.WEBSERVER_MAX_CONNECTIONS;
import static dev.kudu4j.server.flags.ServerOptions.WEBSERVER_PORT;
import static dev.kudu4j.server.flags.ServerOptions.WEBSERVER_THREADS;

import dev.kudu4j.common.rpc.ConnectionLimits;
import dev.kudu4j.common.rpc.EventLoops;
import dev.kudu4j.common.rpc.RpcIo;
import dev.kudu4j.common.rpc.RpcSecurity;
import dev.kudu4j.common.rpc.RpcServerOptions;
import dev.kudu4j.common.rpc.execution.ThreadModel;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.flags.Flags;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.flags.Option;
import dev.kudu4j.server.flags.SecurityOptions;
import dev.kudu4j.server.fs.Umask;
import dev.kudu4j.server.memory.MemoryBudget;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.raft.RaftTransportKind;
import dev.kudu4j.server.replica.ReplicaOptions;
import dev.kudu4j.server.security.ServerSecurity;
import dev.kudu4j.server.web.WebLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The configuration that masters and tablet servers have in common, read from the flags once.
 *
 * @param daemon the program, such as {@code kudu-tserver}
 * @param dataDirectories the data directories; empty if data is in {@code walDirectory}
 * @param advertised the advertised RPC addresses; empty if the bound addresses are advertised
 * @param webInterface the interface of the web pages; empty for all interfaces
 * @param maxClockErrorMicros the maximum difference between the clocks of two servers
 * @param systemClockErrorMicros the maximum error of this machine's clock
 * @param security the clients that may connect and the users that may call
 * @param umask the permissions that new files must not have
 */
public record ServerConfiguration(
    String daemon,
    Path walDirectory,
    List<Path> dataDirectories,
    List<HostPort> bind,
    List<HostPort> advertised,
    RpcServerOptions rpc,
    boolean webEnabled,
    String webInterface,
    int webPort,
    WebLimits webLimits,
    MemoryBudget memory,
    int maxClockErrorMicros,
    int systemClockErrorMicros,
    RaftOptions raft,
    ReplicaOptions replica,
    RpcSecurity security,
    Umask umask) {

  private static final long QUEUED_BYTES_SHARE = 4;
  private static final int WEB_CONNECTIONS = 256;

  /**
   * @throws KuduException INVALID_ARGUMENT if a flag is missing or invalid, with a message for the
   *     user
   */
  public static ServerConfiguration of(Flags flags, JvmShare share) {
    if (flags.get(FS_WAL_DIR).isBlank()) {
      throw KuduException.invalidArgument(
          "Flag --fs_wal_dir is missing; specify the directory of the server's files");
    }
    List<HostPort> bind = HostPort.parseList(flags.get(RPC_BIND_ADDRESSES), defaultPort(flags));
    if (bind.isEmpty()) {
      throw KuduException.invalidArgument(
          "Flag --rpc_bind_addresses is empty; it should be host:port");
    }
    MemoryBudget memory =
        MemoryBudget.of(
                flags.get(MEMORY_LIMIT),
                share.heapBytes(),
                flags.get(MEMORY_SOFT_PERCENT),
                flags.get(BLOCK_CACHE_CAPACITY) << 20)
            .withInboundBytes(flags.get(RPC_INBOUND_MEMORY) << 20);
    ConnectionLimits connections =
        ConnectionLimits.of(
            flags.get(RPC_MAX_CONNECTIONS),
            flags.get(RPC_MAX_CONNECTIONS_PER_ADDRESS),
            share.heapBytes(),
            share.ofProcess());
    RaftOptions raft = RaftOptions.DEFAULT;
    return new ServerConfiguration(
        flags.options().program(),
        Path.of(flags.get(FS_WAL_DIR)).toAbsolutePath(),
        directories(flags.get(FS_DATA_DIRS)),
        bind,
        HostPort.parseList(flags.get(RPC_ADVERTISED_ADDRESSES), 0),
        RpcServerOptions.defaults()
            .withMaxFrameBytes(Math.toIntExact(flags.get(RPC_MAX_MESSAGE)))
            .withNegotiationDelay(() -> flags.get(NEGOTIATION_DELAY))
            .withThreads(ThreadModel.of(flags.get(RPC_THREAD_MODEL)), loopThreads(flags))
            .withIo(io(flags))
            .withWorkerThreads(flags.get(RPC_SERVICE_THREADS))
            .withServiceQueue(flags.get(RPC_SERVICE_QUEUE), memory.heapBytes() / QUEUED_BYTES_SHARE)
            .withConnections(connections)
            .withSlowCalls(() -> flags.get(RPC_TOO_LONG)),
        flags.get(WEBSERVER_ENABLED),
        flags.get(WEBSERVER_INTERFACE),
        flags.get(WEBSERVER_PORT),
        new WebLimits(flags.get(WEBSERVER_THREADS), webConnections(flags, connections)),
        memory,
        flags.get(CLOCK_ERROR),
        systemClockError(flags),
        new RaftOptions(
            flags.get(RAFT_HEARTBEAT),
            flags.get(MISSED_HEARTBEATS),
            flags.get(ELECTION_BACK_OFF),
            flags.get(FSYNC_LOG),
            raft.maxEntryBytes(),
            raft.segmentBytes(),
            flags.get(LOG_SEGMENTS_KEPT),
            Math.multiplyExact(1000, flags.get(FOLLOWER_FAILED)),
            !flags.get(PREPARE_REPLACEMENT),
            raft.closeMillis(),
            RaftTransportKind.of(flags.get(RAFT_TRANSPORT))),
        ReplicaOptions.DEFAULT.withTooLong(flags.get(APPEND_TOO_LONG), flags.get(APPLY_TOO_LONG)),
        ServerSecurity.of(flags),
        Umask.parse(flags.get(SecurityOptions.UMASK)));
  }

  private static RpcIo io(Flags flags) {
    String wanted = flags.get(RPC_IO);
    return wanted.equals(AUTO_IO) ? RpcIo.best() : RpcIo.of(wanted);
  }

  private static int loopThreads(Flags flags) {
    int wanted = flags.get(RPC_LOOPS);
    return wanted == 0 ? EventLoops.defaultThreads() : wanted;
  }

  /** The directories of the server's files. */
  List<Path> directories() {
    List<Path> all = new ArrayList<>(dataDirectories);
    all.add(walDirectory);
    return all;
  }

  /** The error of the system clock; 0 if the flags declare it exact. */
  private static int systemClockError(Flags flags) {
    return flags.get(TIME_SOURCE).equals("system_unsync")
        ? 0
        : Math.min(flags.get(SYSTEM_CLOCK_ERROR), flags.get(CLOCK_ERROR));
  }

  private static int webConnections(Flags flags, ConnectionLimits rpc) {
    int wanted = flags.get(WEBSERVER_MAX_CONNECTIONS);
    return wanted == 0 ? Math.min(rpc.total() / 4, WEB_CONNECTIONS) : wanted;
  }

  private static int defaultPort(Flags flags) {
    Option<?> own = flags.options().find(RPC_BIND_ADDRESSES.name());
    Object byDefault = (own == null ? RPC_BIND_ADDRESSES : own).defaultValue();
    return HostPort.parse((String) byDefault, 0).port();
  }

  private static List<Path> directories(String commaSeparated) {
    List<Path> all = new ArrayList<>();
    for (String part : commaSeparated.split(",")) {
      if (!part.isBlank()) {
        all.add(Path.of(part.trim()).toAbsolutePath());
      }
    }
    return all;
  }
}
