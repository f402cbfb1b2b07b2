package dev.kudu4j.server.flags;

import static dev.kudu4j.server.flags.Tag.ACCEPTED;
import static dev.kudu4j.server.flags.Tag.ADVANCED;
import static dev.kudu4j.server.flags.Tag.EXPERIMENTAL;
import static dev.kudu4j.server.flags.Tag.HIDDEN;
import static dev.kudu4j.server.flags.Tag.RUNTIME;
import static dev.kudu4j.server.flags.Tag.STABLE;
import static dev.kudu4j.server.flags.Tag.UNSAFE;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** All options of the daemons. Names, units and defaults are Apache Kudu's where it has them. */
public final class ServerOptions {
  public static final Option<String> FS_WAL_DIR =
      Option.text("fs_wal_dir")
          .tags(STABLE)
          .describe("Directory of the write-ahead logs and of the server's identity. Required.");

  public static final Option<String> FS_DATA_DIRS =
      Option.text("fs_data_dirs")
          .tags(STABLE)
          .describe(
              "Comma-separated directories of the data files; empty for the directory of the"
                  + " logs.");

  public static final Option<String> RPC_BIND_ADDRESSES =
      Option.text("rpc_bind_addresses")
          .defaultValue("127.0.0.1:7050")
          .tags(STABLE)
          .describe(
              "Comma-separated addresses to serve RPC on; port 0 takes a free one. 0.0.0.0 is all of the"
                  + " machine's.");

  public static final Option<String> RPC_ADVERTISED_ADDRESSES =
      Option.text("rpc_advertised_addresses")
          .tags(ADVANCED)
          .describe(
              "Comma-separated addresses told to clients and other servers; empty for those"
                  + " bound.");

  public static final Option<Boolean> WEBSERVER_ENABLED =
      Option.bool("webserver_enabled")
          .defaultValue(true)
          .tags(ADVANCED)
          .describe("Whether to serve health, metrics and the web pages.");

  public static final Option<Integer> WEBSERVER_PORT =
      Option.int32("webserver_port")
          .defaultValue(8050)
          .min(0)
          .max(65535)
          .tags(STABLE)
          .describe("Port of the web pages; 0 takes a free one.");

  public static final Option<String> WEBSERVER_INTERFACE =
      Option.text("webserver_interface")
          .defaultValue("127.0.0.1")
          .tags(ADVANCED)
          .describe("Address of the web pages; 0.0.0.0 or empty for all of the machine's.");

  public static final Option<String> REDACT =
      Option.text("redact")
          .defaultValue("all")
          .choices("all", "log", "none")
          .tags(ADVANCED, RUNTIME)
          .describe(
              "Where cells are not to be shown: with all, web pages show the shape of a scan's"
                  + " predicates and no values, and that a column has a default and not which one;"
                  + " with all or log, errors of rows name columns and no values."
                  + " Messages of the log never have values of predicates, whatever is said here.");

  public static final Option<String> MASTER_ADDRESSES =
      Option.text("master_addresses")
          .tags(STABLE)
          .describe("Comma-separated RPC addresses of all masters; empty for a single master.");

  public static final Option<Integer> DEFAULT_NUM_REPLICAS =
      Option.int32("default_num_replicas")
          .unit("replicas")
          .defaultValue(3)
          .min(1)
          .max(7)
          .tags(ADVANCED, RUNTIME)
          .describe("Replicas of a table whose creator does not say.");

  public static final Option<String> TSERVER_MASTER_ADDRS =
      Option.text("tserver_master_addrs")
          .defaultValue("127.0.0.1:7051")
          .tags(STABLE)
          .describe("Comma-separated RPC addresses of the masters to report to.");

  public static final Option<Integer> HEARTBEAT_INTERVAL =
      Option.int32("heartbeat_interval_ms")
          .unit("ms")
          .defaultValue(1000)
          .min(1)
          .tags(ADVANCED)
          .describe("How often a tablet server reports to the masters.");

  public static final Option<Integer> SCANNER_TTL =
      Option.int32("scanner_ttl_ms")
          .unit("ms")
          .defaultValue(60_000)
          .min(1)
          .tags(ADVANCED, RUNTIME)
          .describe("How long a scanner lives that nobody reads from.");

  public static final Option<Integer> SCANNER_DEFAULT_BATCH_SIZE =
      Option.int32("scanner_default_batch_size_bytes")
          .unit("bytes")
          .defaultValue(1 << 20)
          .min(1)
          .tags(ADVANCED, RUNTIME)
          .describe("Size of a batch of rows when the client does not say.");

  public static final Option<Integer> SCANNER_MAX_BATCH_SIZE =
      Option.int32("scanner_max_batch_size_bytes")
          .unit("bytes")
          .defaultValue(8 << 20)
          .min(1)
          .tags(ADVANCED, RUNTIME)
          .describe("Largest batch of rows that a client is given, whatever it asks for.");

  public static final Option<Long> MEMORY_LIMIT =
      Option.int64("memory_limit_hard_bytes")
          .unit("bytes")
          .defaultValue(0L)
          .min(0)
          .tags(STABLE)
          .describe(
              "Memory that the whole process may use, heap and all pools; 0 for about 1.5 GB.");

  public static final Option<Integer> MEMORY_SOFT_PERCENT =
      Option.int32("memory_limit_soft_percentage")
          .unit("percent")
          .defaultValue(80)
          .min(1)
          .max(100)
          .tags(ADVANCED)
          .describe(
              "Part of the memory for rows from which on some writes are refused, to be tried again"
                  + " later; the more, the fuller it is.");

  public static final Option<Long> BLOCK_CACHE_CAPACITY =
      Option.int64("block_cache_capacity_mb")
          .unit("megabytes")
          .defaultValue(0L)
          .min(0)
          .max(1 << 20)
          .tags(STABLE)
          .describe(
              "Memory for pages of files that may be read again, out of that for data; 0 for half"
                  + " of it. Rows in memory come first: the cache gives way to them.");

  public static final Option<Integer> RPC_SERVICE_THREADS =
      Option.int32("rpc_num_service_threads")
          .unit("threads")
          .defaultValue(20)
          .min(1)
          .max(10_000)
          .tags(ADVANCED)
          .describe("Most threads that serve the calls of one service.");

  public static final Option<Integer> RPC_SERVICE_QUEUE =
      Option.int32("rpc_service_queue_length")
          .unit("calls")
          .defaultValue(50)
          .min(1)
          .max(1_000_000)
          .tags(ADVANCED)
          .describe(
              "Calls of one service that may wait for a thread; more are told to come later.");

  public static final Option<Long> RPC_MAX_MESSAGE =
      Option.int64("rpc_max_message_size")
          .unit("bytes")
          .defaultValue(50L << 20)
          .min(1 << 20)
          .max(Integer.MAX_VALUE - 64)
          .tags(ADVANCED)
          .describe(
              "Longest message accepted; a longer one closes its connection, as does one longer than all"
                  + " memory for requests.");

  public static final Option<Long> RPC_INBOUND_MEMORY =
      Option.int64("rpc_inbound_memory_mb")
          .unit("megabytes")
          .defaultValue(0L)
          .min(0)
          .max(1 << 20)
          .tags(ADVANCED)
          .describe(
              "Heap for requests of all connections, from their arrival to their answer; 0 for a"
                  + " sixth of the heap. A connection that finds it used up is not read meanwhile.");

  public static final Option<Integer> RPC_MAX_CONNECTIONS =
      Option.int32("rpc_max_connections")
          .unit("connections")
          .defaultValue(0)
          .min(0)
          .max(1_000_000)
          .tags(ADVANCED)
          .describe(
              "Connections to the RPC port; 0 for as many as file descriptors and heap allow. At"
                  + " the limit the next one takes the place of one that is idle.");

  public static final Option<Integer> RPC_MAX_CONNECTIONS_PER_ADDRESS =
      Option.int32("rpc_max_connections_per_address")
          .unit("connections")
          .defaultValue(0)
          .min(0)
          .max(1_000_000)
          .tags(ADVANCED)
          .describe("How many of them one address may have; 0 for three quarters.");

  public static final Option<Integer> RPC_TOO_LONG =
      Option.int32("rpc_duration_too_long_ms")
          .unit("ms")
          .defaultValue(1000)
          .min(0)
          .tags(ADVANCED, RUNTIME)
          .describe(
              "A call that takes longer, from its arrival to its answer, is logged as slow; at most"
                  + " one a second.");

  public static final Option<Integer> APPEND_TOO_LONG =
      Option.int32("log_append_duration_too_long_ms")
          .unit("ms")
          .defaultValue(500)
          .min(1)
          .tags(ADVANCED)
          .describe(
              "An append to a tablet's log that takes as long is logged as slow; at most one a"
                  + " second.");

  public static final Option<Integer> APPLY_TOO_LONG =
      Option.int32("apply_duration_too_long_ms")
          .unit("ms")
          .defaultValue(500)
          .min(1)
          .tags(ADVANCED)
          .describe(
              "A log entry that takes as long to apply to its tablet is logged as slow; at most one"
                  + " a second.");

  public static final Option<Integer> LOW_DISK_PERCENT =
      Option.int32("fs_low_disk_space_warning_percentage")
          .unit("percent")
          .defaultValue(10)
          .min(0)
          .max(100)
          .tags(ADVANCED, RUNTIME)
          .describe(
              "A disk with less free space is logged as filling up, and one with less than 1 percent"
                  + " as full; 0 for neither.");

  public static final Option<Integer> WEBSERVER_THREADS =
      Option.int32("webserver_num_worker_threads")
          .unit("threads")
          .defaultValue(50)
          .min(8)
          .max(10_000)
          .tags(ADVANCED)
          .describe("Most threads that serve web pages.");

  public static final Option<Integer> WEBSERVER_MAX_CONNECTIONS =
      Option.int32("webserver_max_connections")
          .unit("connections")
          .defaultValue(0)
          .min(0)
          .max(1_000_000)
          .tags(ADVANCED)
          .describe(
              "Connections to the web pages; 0 for a quarter of those to the RPC port, at most 256."
                  + " At the limit the next one waits until one is closed, which idle ones soon are.");

  public static final Option<Integer> RAFT_HEARTBEAT =
      Option.int32("raft_heartbeat_interval_ms")
          .unit("ms")
          .defaultValue(500)
          .min(10)
          .max(60_000)
          .tags(ADVANCED)
          .describe("How often the leader of a tablet lets its followers hear from it.");

  public static final Option<Double> MISSED_HEARTBEATS =
      Option.real("leader_failure_max_missed_heartbeat_periods")
          .unit("heartbeats")
          .defaultValue(3.0)
          .min(2)
          .max(100)
          .tags(ADVANCED)
          .describe(
              "Heartbeats that a follower misses, on average, before it stands for election.");

  public static final Option<Integer> ELECTION_BACK_OFF =
      Option.int32("leader_failure_exp_backoff_max_delta_ms")
          .unit("ms")
          .defaultValue(20_000)
          .min(0)
          .max(600_000)
          .tags(ADVANCED)
          .describe(
              "How much the longest time-out of a tablet without a leader grows at most, while"
                  + " elections fail.");

  public static final Option<Integer> FOLLOWER_FAILED =
      Option.int32("follower_unavailable_considered_failed_sec")
          .unit("s")
          .defaultValue(300)
          .min(1)
          .max(1_000_000)
          .tags(ADVANCED)
          .describe("How long a member of a tablet may be silent until it counts as failed.");

  public static final Option<Boolean> PREPARE_REPLACEMENT =
      Option.bool("raft_prepare_replacement_before_eviction")
          .defaultValue(true)
          .tags(ADVANCED)
          .describe(
              "Whether a failed member is removed only when another has taken its place; otherwise"
                  + " the leader removes it by itself.");

  public static final Option<Integer> LOG_SEGMENTS_KEPT =
      Option.int32("log_max_segments_to_retain")
          .unit("files")
          .defaultValue(80)
          .min(1)
          .max(100_000)
          .tags(ADVANCED)
          .describe(
              "Log files of a tablet, 4 MB each, that are kept for members that are behind; one"
                  + " that needs more is copied anew.");

  public static final Option<String> RAFT_TRANSPORT =
      Option.text("raft_transport")
          .defaultValue("kudu")
          .choices("kudu", "grpc")
          .tags(EXPERIMENTAL)
          .describe(
              "What carries Raft's messages between servers, the same on all of them: a stream for"
                  + " each replica, or one pair of connections for all.");

  public static final Option<Boolean> FSYNC_LOG =
      Option.bool("log_force_fsync_all")
          .tags(STABLE)
          .describe(
              "Whether each log entry is on the disk before it is acknowledged, and not only in the"
                  + " operating system's cache.");

  public static final Option<Integer> CLOCK_ERROR =
      Option.int32("max_clock_sync_error_usec")
          .unit("us")
          .defaultValue(10_000_000)
          .min(0)
          .tags(ADVANCED)
          .describe(
              "How far the clocks of two servers may differ: a time from elsewhere that is further"
                  + " ahead of this server's clock is refused.");

  public static final Option<Integer> SYSTEM_CLOCK_ERROR =
      Option.int32("system_clock_error_usec")
          .unit("us")
          .defaultValue(100_000)
          .min(0)
          .tags(ADVANCED)
          .describe(
              "How far the machine's clock may be from true time: a write with COMMIT_WAIT waits"
                  + " that long. At most --max_clock_sync_error_usec.");

  public static final Option<Long> CLOCK_OFFSET =
      Option.int64("clock_offset_usec")
          .unit("us")
          .defaultValue(0L)
          .min(-600_000_000)
          .max(600_000_000)
          .tags(EXPERIMENTAL, RUNTIME, UNSAFE)
          .describe(
              "By how much this server's clock is moved from the machine's: for tests of clocks"
                  + " that differ.");

  public static final Option<Integer> NEGOTIATION_DELAY =
      Option.int32("rpc_negotiation_inject_delay_ms")
          .unit("ms")
          .min(0)
          .tags(HIDDEN, RUNTIME, UNSAFE)
          .describe("How long each connection waits before its negotiation begins: for tests.");

  public static final Option<Integer> SCANNER_DELAY =
      Option.int32("scanner_inject_latency_on_each_batch_ms")
          .unit("ms")
          .min(0)
          .tags(HIDDEN, RUNTIME, UNSAFE)
          .describe("How long each call of a scan waits before it reads: for tests.");

  public static final Option<Boolean> SCANNER_UNAVAILABLE =
      Option.bool("scanner_inject_service_unavailable_on_continue_scan")
          .tags(HIDDEN, RUNTIME, UNSAFE)
          .describe("Whether a scan cannot be gone on with at the moment: for tests.");

  public static final Option<String> TIME_SOURCE =
      Option.text("time_source")
          .defaultValue("system")
          .choices("system", "system_unsync", "auto", "builtin")
          .tags(STABLE, ACCEPTED)
          .describe(
              "The machine's clock is read, whatever is said here; with system_unsync it is taken"
                  + " to be exact, and COMMIT_WAIT waits no longer than its next tick.");

  public static final Option<String> LOG_DIR =
      Option.text("log_dir")
          .tags(STABLE, ACCEPTED)
          .describe("Messages go to standard error; the logging configuration can change that.");

  public static final Option<Boolean> UNLOCK_UNSAFE =
      Option.bool("unlock_unsafe_flags")
          .tags(STABLE, ADVANCED)
          .describe(
              "Whether flags that are tagged unsafe may be given, and changed while the server"
                  + " runs. They are for tests.");

  public static final Option<Boolean> UNLOCK_EXPERIMENTAL =
      Option.bool("unlock_experimental_flags")
          .tags(STABLE, ADVANCED)
          .describe("Nothing is locked, so nothing needs it.");

  public static final Option<String> FLAGFILE =
      Option.text("flagfile")
          .tags(STABLE)
          .describe("Comma-separated files with more flags, one a line; # begins a comment.");

  public static final Option<Boolean> HELP =
      Option.bool("help").tags(STABLE).describe("Print the options and exit.");

  public static final Option<Boolean> VERSION =
      Option.bool("version").tags(STABLE).describe("Print the version and exit.");

  private static final List<Option<?>> COMMON =
      List.of(
          FS_WAL_DIR,
          FS_DATA_DIRS,
          RPC_BIND_ADDRESSES,
          RPC_ADVERTISED_ADDRESSES,
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

  /** Whether {@link #REDACT} keeps cells off web pages; it may change while the server runs. */
  public static BooleanSupplier pagesAreRedacted(Flags flags) {
    return () -> flags.get(REDACT).equals("all");
  }

  /** Whether {@link #REDACT} keeps cells out of messages to clients, and so out of their logs. */
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
