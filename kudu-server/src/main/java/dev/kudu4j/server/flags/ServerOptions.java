package dev.kudu4j.server.flags;

import static dev.kudu4j.server.flags.Tag.ACCEPTED;
import static dev.kudu4j.server.flags.Tag.ADVANCED;
import static dev.kudu4j.server.flags.Tag.EXPERIMENTAL;
import static dev.kudu4j.server.flags.Tag.HIDDEN;
import static dev.kudu4j.server.flags.Tag.RUNTIME;
import static dev.kudu4j.server.flags.Tag.STABLE;
import static dev.kudu4j.server.flags.Tag.UNSAFE;

import dev.kudu4j.common.rpc.RpcIo;
import dev.kudu4j.common.rpc.execution.ThreadModel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The options that all daemons share. An option that Apache Kudu also has carries the same name,
 * unit and default.
 */
public final class ServerOptions {
  /** The value of --rpc_io that leaves the choice to the server. */
  public static final String AUTO_IO = "auto";

  public static final Option<String> FS_WAL_DIR =
      Option.text("fs_wal_dir")
          .tags(STABLE)
          .describe("Directory of the write-ahead logs and of the server's identity. Required.");

  public static final Option<String> FS_DATA_DIRS =
      Option.text("fs_data_dirs")
          .tags(STABLE)
          .describe(
              "Comma-separated directories of the data files. If empty, data files are stored"
                  + " in --fs_wal_dir.");

  public static final Option<String> RPC_BIND_ADDRESSES =
      Option.text("rpc_bind_addresses")
          .defaultValue("127.0.0.1:7050")
          .tags(STABLE)
          .describe(
              "Comma-separated addresses on which the server accepts RPCs. Port 0 selects a"
                  + " free port; host 0.0.0.0 binds all network interfaces.");

  public static final Option<String> RPC_ADVERTISED_ADDRESSES =
      Option.text("rpc_advertised_addresses")
          .tags(ADVANCED)
          .describe(
              "Comma-separated addresses that clients and other servers use to reach this"
                  + " server. If empty, the bound addresses are advertised.");

  public static final Option<Boolean> WEBSERVER_ENABLED =
      Option.bool("webserver_enabled")
          .defaultValue(true)
          .tags(ADVANCED)
          .describe(
              "Whether to start the web server, which serves health checks, metrics and web"
                  + " pages.");

  public static final Option<Integer> WEBSERVER_PORT =
      Option.int32("webserver_port")
          .defaultValue(8050)
          .min(0)
          .max(65535)
          .tags(STABLE)
          .describe("Port of the web server. 0 selects a free port.");

  public static final Option<String> WEBSERVER_INTERFACE =
      Option.text("webserver_interface")
          .defaultValue("127.0.0.1")
          .tags(ADVANCED)
          .describe(
              "Address on which the web server listens. 0.0.0.0 or empty listens on all"
                  + " network interfaces.");

  public static final Option<String> REDACT =
      Option.text("redact")
          .defaultValue("all")
          .choices("all", "log", "none")
          .tags(ADVANCED, RUNTIME)
          .describe(
              "Where cell values are redacted. 'all': web pages hide the values in scan"
                  + " predicates and column defaults, and row errors name columns without values."
                  + " 'log': only row errors omit values. 'none': no redaction. Log messages never"
                  + " contain the values of predicates, regardless of this flag.");

  public static final Option<String> MASTER_ADDRESSES =
      Option.text("master_addresses")
          .tags(STABLE)
          .describe("Comma-separated RPC addresses of all masters. Empty for a single master.");

  public static final Option<Integer> DEFAULT_NUM_REPLICAS =
      Option.int32("default_num_replicas")
          .unit("replicas")
          .defaultValue(3)
          .min(1)
          .max(7)
          .tags(ADVANCED, RUNTIME)
          .describe("Number of replicas of a table when the create request does not specify it.");

  public static final Option<String> TSERVER_MASTER_ADDRS =
      Option.text("tserver_master_addrs")
          .defaultValue("127.0.0.1:7051")
          .tags(STABLE)
          .describe(
              "Comma-separated RPC addresses of the masters that this tablet server reports"
                  + " to.");

  public static final Option<Integer> HEARTBEAT_INTERVAL =
      Option.int32("heartbeat_interval_ms")
          .unit("ms")
          .defaultValue(1000)
          .min(1)
          .tags(ADVANCED)
          .describe("Interval between heartbeats of a tablet server to each master.");

  public static final Option<Integer> SCANNER_TTL =
      Option.int32("scanner_ttl_ms")
          .unit("ms")
          .defaultValue(60_000)
          .min(1)
          .tags(ADVANCED, RUNTIME)
          .describe("Idle time after which the server closes a scanner.");

  public static final Option<Integer> SCANNER_DEFAULT_BATCH_SIZE =
      Option.int32("scanner_default_batch_size_bytes")
          .unit("bytes")
          .defaultValue(1 << 20)
          .min(1)
          .tags(ADVANCED, RUNTIME)
          .describe("Size of a batch of rows when the scan request does not specify it.");

  public static final Option<Integer> SCANNER_MAX_BATCH_SIZE =
      Option.int32("scanner_max_batch_size_bytes")
          .unit("bytes")
          .defaultValue(8 << 20)
          .min(1)
          .tags(ADVANCED, RUNTIME)
          .describe(
              "Maximum size of a batch of rows, regardless of the size that the scan request"
                  + " specifies.");

  public static final Option<Long> MEMORY_LIMIT =
      Option.int64("memory_limit_hard_bytes")
          .unit("bytes")
          .defaultValue(0L)
          .min(0)
          .tags(STABLE)
          .describe(
              "Memory limit of the process, for the heap and all off-heap pools. 0 selects"
                  + " about 1.5 GB.");

  public static final Option<Integer> MEMORY_SOFT_PERCENT =
      Option.int32("memory_limit_soft_percentage")
          .unit("percent")
          .defaultValue(80)
          .min(1)
          .max(100)
          .tags(ADVANCED)
          .describe(
              "Usage of the memory for rows, in percent, above which the server rejects a"
                  + " fraction of the writes with a retriable error. The fraction grows with the"
                  + " usage.");

  public static final Option<Long> BLOCK_CACHE_CAPACITY =
      Option.int64("block_cache_capacity_mb")
          .unit("megabytes")
          .defaultValue(0L)
          .min(0)
          .max(1 << 20)
          .tags(STABLE)
          .describe(
              "Maximum size of the page cache, which is part of the memory for data. 0"
                  + " selects half of the memory for data. The cache shrinks when rows in memory"
                  + " need the space.");

  public static final Option<Integer> RPC_SERVICE_THREADS =
      Option.int32("rpc_num_service_threads")
          .unit("threads")
          .defaultValue(20)
          .min(1)
          .max(10_000)
          .tags(ADVANCED)
          .describe("Maximum number of threads that serve the calls of one RPC service.");

  public static final Option<String> RPC_THREAD_MODEL =
      Option.text("rpc_thread_model")
          .defaultValue(ThreadModel.ADAPTIVE.text())
          .choices(ThreadModel.texts().toArray(String[]::new))
          .tags(ADVANCED)
          .describe(
              "Threads that run RPCs. 'adaptive' runs short calls on the event loop that received"
                  + " them and all others on the pool of the service; 'pool' runs all calls on the"
                  + " pool, 'shared' all calls that do not block on the event loops, 'per_request'"
                  + " each call on a thread of its own (a virtual one since Java 21).");

  public static final Option<Integer> RPC_LOOPS =
      Option.int32("num_reactor_threads")
          .unit("threads")
          .defaultValue(0)
          .min(0)
          .max(1_000)
          .tags(ADVANCED)
          .describe(
              "Number of event loops that read and write the RPC connections. 0 selects half of"
                  + " the processors, and at least 2. Servers that share a JVM share its event"
                  + " loops.");

  public static final Option<String> RPC_IO =
      Option.text("rpc_io")
          .defaultValue(AUTO_IO)
          .choices(Stream.concat(Stream.of(AUTO_IO), RpcIo.texts().stream()).toArray(String[]::new))
          .tags(ADVANCED)
          .describe(
              "How event loops read and write the RPC connections. 'auto' selects epoll on Linux"
                  + " and nio elsewhere. io_uring needs Linux 5.14 or later. Servers that share a JVM"
                  + " share its event loops, which use 'auto'; so does the transport of Raft.");

  public static final Option<Boolean> RPC_LOCAL_SOCKET =
      Option.bool("rpc_listen_on_unix_domain_socket")
          .defaultValue(true)
          .tags(ADVANCED)
          .describe(
              "Whether a tablet server also accepts RPCs on a Unix-domain socket, which clients on"
                  + " its host use. Its name is in the abstract namespace of Linux: @kudu- and the"
                  + " uuid of the server. Without effect on masters and with --rpc_io=nio.");

  public static final Option<Integer> RPC_SERVICE_QUEUE =
      Option.int32("rpc_service_queue_length")
          .unit("calls")
          .defaultValue(50)
          .min(1)
          .max(1_000_000)
          .tags(ADVANCED)
          .describe(
              "Maximum number of calls of one RPC service that wait for a thread. Further"
                  + " calls are rejected with a retriable error.");

  public static final Option<Long> RPC_MAX_MESSAGE =
      Option.int64("rpc_max_message_size")
          .unit("bytes")
          .defaultValue(50L << 20)
          .min(1 << 20)
          .max(Integer.MAX_VALUE - 64)
          .tags(ADVANCED)
          .describe(
              "Maximum size of a message. The server closes a connection that sends a larger"
                  + " message, or a message larger than the whole memory for requests"
                  + " (--rpc_inbound_memory_mb).");

  public static final Option<Long> RPC_INBOUND_MEMORY =
      Option.int64("rpc_inbound_memory_mb")
          .unit("megabytes")
          .defaultValue(0L)
          .min(0)
          .max(1 << 20)
          .tags(ADVANCED)
          .describe(
              "Heap memory for the requests of all connections; a request holds its memory"
                  + " until it is answered. 0 selects one sixth of the heap. While the memory is"
                  + " used up, the server does not read from connections that need more of it.");

  public static final Option<Integer> RPC_MAX_CONNECTIONS =
      Option.int32("rpc_max_connections")
          .unit("connections")
          .defaultValue(0)
          .min(0)
          .max(1_000_000)
          .tags(ADVANCED)
          .describe(
              "Maximum number of connections to the RPC port. 0 derives the limit from file"
                  + " descriptors and heap. At the limit, a new connection replaces an idle one.");

  public static final Option<Integer> RPC_MAX_CONNECTIONS_PER_ADDRESS =
      Option.int32("rpc_max_connections_per_address")
          .unit("connections")
          .defaultValue(0)
          .min(0)
          .max(1_000_000)
          .tags(ADVANCED)
          .describe(
              "Maximum number of connections to the RPC port from one address. 0 selects"
                  + " three quarters of --rpc_max_connections.");

  public static final Option<Integer> RPC_TOO_LONG =
      Option.int32("rpc_duration_too_long_ms")
          .unit("ms")
          .defaultValue(1000)
          .min(0)
          .tags(ADVANCED, RUNTIME)
          .describe(
              "A call is logged as slow if the time from its arrival to its response exceeds"
                  + " this value. At most one line is logged per second.");

  public static final Option<Integer> APPEND_TOO_LONG =
      Option.int32("log_append_duration_too_long_ms")
          .unit("ms")
          .defaultValue(500)
          .min(1)
          .tags(ADVANCED)
          .describe(
              "An append to the log of a tablet is logged as slow if it takes at least this"
                  + " long. At most one line is logged per second.");

  public static final Option<Integer> APPLY_TOO_LONG =
      Option.int32("apply_duration_too_long_ms")
          .unit("ms")
          .defaultValue(500)
          .min(1)
          .tags(ADVANCED)
          .describe(
              "A log entry is logged as slow if applying it to its tablet takes at least this"
                  + " long. At most one line is logged per second.");

  public static final Option<Integer> LOW_DISK_PERCENT =
      Option.int32("fs_low_disk_space_warning_percentage")
          .unit("percent")
          .defaultValue(10)
          .min(0)
          .max(100)
          .tags(ADVANCED, RUNTIME)
          .describe(
              "Percentage of free disk space below which the server warns that a disk is"
                  + " filling up. Below 1 percent it warns that the disk is full. 0 disables both"
                  + " warnings.");

  public static final Option<Integer> WEBSERVER_THREADS =
      Option.int32("webserver_num_worker_threads")
          .unit("threads")
          .defaultValue(50)
          .min(8)
          .max(10_000)
          .tags(ADVANCED)
          .describe("Maximum number of threads that serve web pages.");

  public static final Option<Integer> WEBSERVER_MAX_CONNECTIONS =
      Option.int32("webserver_max_connections")
          .unit("connections")
          .defaultValue(0)
          .min(0)
          .max(1_000_000)
          .tags(ADVANCED)
          .describe(
              "Maximum number of connections to the web server. 0 selects a quarter of the"
                  + " limit of the RPC port, but at most 256. At the limit, a new connection waits"
                  + " until another one is closed; idle connections are closed soon.");

  public static final Option<Integer> RAFT_HEARTBEAT =
      Option.int32("raft_heartbeat_interval_ms")
          .unit("ms")
          .defaultValue(500)
          .min(10)
          .max(60_000)
          .tags(ADVANCED)
          .describe("Interval between heartbeats of the leader of a tablet to its followers.");

  public static final Option<Double> MISSED_HEARTBEATS =
      Option.real("leader_failure_max_missed_heartbeat_periods")
          .unit("heartbeats")
          .defaultValue(3.0)
          .min(2)
          .max(100)
          .tags(ADVANCED)
          .describe(
              "Average number of heartbeats that a follower misses before it starts an"
                  + " election.");

  public static final Option<Integer> ELECTION_BACK_OFF =
      Option.int32("leader_failure_exp_backoff_max_delta_ms")
          .unit("ms")
          .defaultValue(20_000)
          .min(0)
          .max(600_000)
          .tags(ADVANCED)
          .describe(
              "Maximum by which the longest election timeout grows while elections of a"
                  + " tablet fail.");

  public static final Option<Integer> FOLLOWER_FAILED =
      Option.int32("follower_unavailable_considered_failed_sec")
          .unit("s")
          .defaultValue(300)
          .min(1)
          .max(1_000_000)
          .tags(ADVANCED)
          .describe(
              "Time after which a member of a tablet that does not respond is considered"
                  + " failed.");

  public static final Option<Boolean> PREPARE_REPLACEMENT =
      Option.bool("raft_prepare_replacement_before_eviction")
          .defaultValue(true)
          .tags(ADVANCED)
          .describe(
              "Whether a failed member is evicted only after a replacement has joined. If"
                  + " false, the leader evicts it first.");

  public static final Option<Integer> LOG_SEGMENTS_KEPT =
      Option.int32("log_max_segments_to_retain")
          .unit("files")
          .defaultValue(80)
          .min(1)
          .max(100_000)
          .tags(ADVANCED)
          .describe(
              "Maximum number of log segments of a tablet, 4 MB each, that are retained for"
                  + " members that lag. A member that needs older segments gets a new copy of the"
                  + " tablet.");

  public static final Option<String> RAFT_TRANSPORT =
      Option.text("raft_transport")
          .defaultValue("kudu")
          .choices("kudu", "grpc")
          .tags(EXPERIMENTAL)
          .describe(
              "Transport of Raft messages between servers; it must be the same on all"
                  + " servers. 'grpc' opens a stream for each replica, 'kudu' opens one pair of"
                  + " connections for each pair of servers.");

  public static final Option<Boolean> FSYNC_LOG =
      Option.bool("log_force_fsync_all")
          .tags(STABLE)
          .describe(
              "Whether the log is synced to disk before a log entry is acknowledged. If false, an"
                  + " acknowledged entry may exist only in the page cache of the operating"
                  + " system.");

  public static final Option<Integer> CLOCK_ERROR =
      Option.int32("max_clock_sync_error_usec")
          .unit("us")
          .defaultValue(10_000_000)
          .min(0)
          .tags(ADVANCED)
          .describe(
              "Maximum difference between the clocks of two servers. The server rejects a"
                  + " timestamp that is further ahead of its own clock.");

  public static final Option<Integer> SYSTEM_CLOCK_ERROR =
      Option.int32("system_clock_error_usec")
          .unit("us")
          .defaultValue(100_000)
          .min(0)
          .tags(ADVANCED)
          .describe(
              "Maximum error of the machine's clock. A write with COMMIT_WAIT waits for this"
                  + " time. Must not exceed --max_clock_sync_error_usec.");

  public static final Option<Long> CLOCK_OFFSET =
      Option.int64("clock_offset_usec")
          .unit("us")
          .defaultValue(0L)
          .min(-600_000_000)
          .max(600_000_000)
          .tags(EXPERIMENTAL, RUNTIME, UNSAFE)
          .describe(
              "Offset added to the machine's clock, for tests of servers with different"
                  + " clocks.");

  public static final Option<Integer> NEGOTIATION_DELAY =
      Option.int32("rpc_negotiation_inject_delay_ms")
          .unit("ms")
          .min(0)
          .tags(HIDDEN, RUNTIME, UNSAFE)
          .describe("Delay before the negotiation of each connection, for tests.");

  public static final Option<Boolean> SCANNER_READ_AHEAD =
      Option.bool("scanner_read_ahead")
          .defaultValue(true)
          .tags(ADVANCED, RUNTIME)
          .describe(
              "Whether the server prepares the next batch of a scan while the client reads the last"
                  + " one, if scans use less than half of their memory.");

  public static final Option<Integer> SCANNER_DELAY =
      Option.int32("scanner_inject_latency_on_each_batch_ms")
          .unit("ms")
          .min(0)
          .tags(HIDDEN, RUNTIME, UNSAFE)
          .describe("Delay before each scan call reads rows, for tests.");

  public static final Option<Boolean> SCANNER_UNAVAILABLE =
      Option.bool("scanner_inject_service_unavailable_on_continue_scan")
          .tags(HIDDEN, RUNTIME, UNSAFE)
          .describe("Whether calls that continue a scan fail with a retriable error, for tests.");

  public static final Option<String> TIME_SOURCE =
      Option.text("time_source")
          .defaultValue("system")
          .choices("system", "system_unsync", "auto", "builtin")
          .tags(STABLE, ACCEPTED)
          .describe(
              "Accepted for compatibility: the server always reads the machine's clock. With"
                  + " system_unsync the clock is assumed to be exact, and COMMIT_WAIT waits only"
                  + " for the next tick of the clock.");

  public static final Option<String> LOG_DIR =
      Option.text("log_dir")
          .tags(STABLE, ACCEPTED)
          .describe(
              "Accepted for compatibility: messages go to standard error. The logging"
                  + " configuration can change that.");

  public static final Option<Boolean> UNLOCK_UNSAFE =
      Option.bool("unlock_unsafe_flags")
          .tags(STABLE, ADVANCED)
          .describe(
              "Whether flags with the tag 'unsafe' may be set, at start or at run time. They"
                  + " are meant for tests.");

  public static final Option<Boolean> UNLOCK_EXPERIMENTAL =
      Option.bool("unlock_experimental_flags")
          .tags(STABLE, ADVANCED)
          .describe("Accepted for compatibility: experimental flags need no unlocking.");

  public static final Option<String> FLAGFILE =
      Option.text("flagfile")
          .tags(STABLE)
          .describe(
              "Comma-separated files with additional flags, one per line. # starts a comment.");

  public static final Option<Boolean> HELP =
      Option.bool("help").tags(STABLE).describe("Print all flags and exit.");

  public static final Option<Boolean> VERSION =
      Option.bool("version").tags(STABLE).describe("Print the version and exit.");

  private static final List<Option<?>> COMMON =
      List.of(
          FS_WAL_DIR,
          FS_DATA_DIRS,
          RPC_BIND_ADDRESSES,
          RPC_ADVERTISED_ADDRESSES,
          RPC_THREAD_MODEL,
          RPC_LOOPS,
          RPC_IO,
          RPC_LOCAL_SOCKET,
          RPC_SERVICE_THREADS,
          RPC_SERVICE_QUEUE,
          RPC_MAX_MESSAGE,
          RPC_INBOUND_MEMORY,
          RPC_MAX_CONNECTIONS,
          RPC_MAX_CONNECTIONS_PER_ADDRESS,
          RPC_TOO_LONG,
          WEBSERVER_ENABLED,
          WEBSERVER_PORT,
          WEBSERVER_INTERFACE,
          WEBSERVER_THREADS,
          WEBSERVER_MAX_CONNECTIONS,
          REDACT,
          MEMORY_LIMIT,
          MEMORY_SOFT_PERCENT,
          BLOCK_CACHE_CAPACITY,
          RAFT_HEARTBEAT,
          RAFT_TRANSPORT,
          MISSED_HEARTBEATS,
          ELECTION_BACK_OFF,
          FOLLOWER_FAILED,
          PREPARE_REPLACEMENT,
          LOG_SEGMENTS_KEPT,
          FSYNC_LOG,
          APPEND_TOO_LONG,
          APPLY_TOO_LONG,
          LOW_DISK_PERCENT,
          CLOCK_ERROR,
          SYSTEM_CLOCK_ERROR,
          CLOCK_OFFSET,
          NEGOTIATION_DELAY,
          TIME_SOURCE,
          LOG_DIR,
          UNLOCK_UNSAFE,
          UNLOCK_EXPERIMENTAL,
          FLAGFILE,
          HELP,
          VERSION);

  private ServerOptions() {}

  /** Whether {@link #REDACT} hides cell values on web pages. The flag may change at run time. */
  public static BooleanSupplier pagesAreRedacted(Flags flags) {
    return () -> flags.get(REDACT).equals("all");
  }

  /**
   * Whether {@link #REDACT} removes cell values from messages to clients, and thereby also from the
   * clients' logs.
   */
  public static BooleanSupplier messagesAreRedacted(Flags flags) {
    return () -> !flags.get(REDACT).equals("none");
  }

  private static List<Option<?>> common() {
    List<Option<?>> all = new ArrayList<>(COMMON);
    all.addAll(SecurityOptions.ALL);
    return all;
  }

  public static OptionSet tabletServer() {
    List<Option<?>> all = common();
    all.add(TSERVER_MASTER_ADDRS);
    all.add(HEARTBEAT_INTERVAL);
    all.add(SCANNER_TTL);
    all.add(SCANNER_DEFAULT_BATCH_SIZE);
    all.add(SCANNER_MAX_BATCH_SIZE);
    all.add(SCANNER_READ_AHEAD);
    all.add(SCANNER_DELAY);
    all.add(SCANNER_UNAVAILABLE);
    return new OptionSet("kudu-tserver", all);
  }

  public static OptionSet master() {
    List<Option<?>> all = common();
    all.add(MASTER_ADDRESSES);
    all.add(DEFAULT_NUM_REPLICAS);
    return new OptionSet("kudu-master", all)
        .with(
            RPC_BIND_ADDRESSES.withDefault("127.0.0.1:7051"),
            WEBSERVER_PORT.withDefault(8051),
            RPC_SERVICE_THREADS.withDefault(10),
            RPC_SERVICE_QUEUE.withDefault(100));
  }
}
