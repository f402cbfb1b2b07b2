package dev.kudu4j.server.metrics.model;

import dev.kudu4j.server.metrics.model.Metric.Entity;
import dev.kudu4j.server.metrics.model.Metric.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * All metrics that servers publish by entity. A metric that means the same as a metric of Apache
 * Kudu has the same name and unit, which keeps existing dashboards working. No metric has the name
 * of a metric of Apache Kudu with another meaning. Metrics that only Kudu4j has are published
 * through Micrometer instead.
 */
public final class MetricCatalog {
  private static final List<Metric> ALL = new ArrayList<>();

  // ---- a tablet's replica: rows written, counted where they are applied, on every replica

  public static final Metric ROWS_INSERTED =
      tablet("rows_inserted", "Rows inserted since the server started.").counter("rows");
  public static final Metric ROWS_UPSERTED =
      tablet("rows_upserted", "Rows upserted since the server started.").counter("rows");
  public static final Metric ROWS_UPDATED =
      tablet("rows_updated", "Rows updated since the server started.").counter("rows");
  public static final Metric ROWS_DELETED =
      tablet("rows_deleted", "Rows deleted since the server started.").counter("rows");
  public static final Metric INSERTIONS_FAILED_DUP_KEY =
      tablet("insertions_failed_dup_key", "Inserts that failed because the key already exists.")
          .debug()
          .counter("rows");
  public static final Metric INSERT_IGNORE_ERRORS =
      tablet("insert_ignore_errors", "INSERT_IGNORE operations that failed and were ignored.")
          .debug()
          .counter("rows");
  public static final Metric UPSERT_IGNORE_ERRORS =
      tablet("upsert_ignore_errors", "UPSERT_IGNORE operations that failed and were ignored.")
          .debug()
          .counter("rows");
  public static final Metric UPDATE_IGNORE_ERRORS =
      tablet("update_ignore_errors", "UPDATE_IGNORE operations that failed and were ignored.")
          .debug()
          .counter("rows");
  public static final Metric DELETE_IGNORE_ERRORS =
      tablet("delete_ignore_errors", "DELETE_IGNORE operations that failed and were ignored.")
          .debug()
          .counter("rows");

  // ---- a tablet's replica: scans of the replica

  public static final Metric SCANS_STARTED =
      tablet("scans_started", "Scanners opened since the server started.").counter("scanners");
  public static final Metric TABLET_ACTIVE_SCANNERS =
      tablet("tablet_active_scanners", "Scanners that are open now.").gauge("scanners");
  public static final Metric SCANNER_ROWS_RETURNED =
      tablet("scanner_rows_returned", "Rows that scans returned to clients.").counter("rows");
  public static final Metric SCANNER_CELLS_RETURNED =
      tablet("scanner_cells_returned", "Cells that scans returned to clients.")
          .debug()
          .counter("cells");
  public static final Metric SCANNER_BYTES_RETURNED =
      tablet("scanner_bytes_returned", "Bytes of rows that scans returned to clients.")
          .debug()
          .counter("bytes");
  public static final Metric SCANNER_ROWS_SCANNED =
      tablet("scanner_rows_scanned", "Rows that scans examined, before predicates were applied.")
          .counter("rows");
  public static final Metric SCANNER_BYTES_SCANNED_FROM_DISK =
      tablet(
              "scanner_bytes_scanned_from_disk",
              "Bytes of data files that scans read, from disk or from the page cache.")
          .debug()
          .counter("bytes");

  public static final Metric SCAN_DURATION_WALL_TIME =
      tablet("scan_duration_wall_time", "Duration of scan calls.")
          .debug()
          .histogram("milliseconds");
  public static final Metric SNAPSHOT_READ_INFLIGHT_WAIT_DURATION =
      tablet(
              "snapshot_read_inflight_wait_duration",
              "Time that scans waited until their snapshot was readable.")
          .debug()
          .histogram("microseconds");
  public static final Metric LAST_READ_ELAPSED_TIME =
      tablet(
              "last_read_elapsed_time",
              "Time since the last scan, or since the replica was opened if there was no "
                  + "scan.")
          .debug()
          .gauge("seconds");

  // ---- a tablet's replica: writes in flight, at the leader

  public static final Metric ALL_TRANSACTIONS_INFLIGHT =
      tablet("all_transactions_inflight", "Operations that are admitted but not applied.")
          .debug()
          .gauge("transactions");
  public static final Metric WRITE_TRANSACTIONS_INFLIGHT =
      tablet("write_transactions_inflight", "Writes that are admitted but not applied.")
          .debug()
          .gauge("transactions");
  public static final Metric ALTER_SCHEMA_TRANSACTIONS_INFLIGHT =
      tablet(
              "alter_schema_transactions_inflight",
              "Schema changes that are admitted but not applied.")
          .debug()
          .gauge("transactions");
  public static final Metric ALTER_SCHEMA_DURATION =
      tablet("alter_schema_duration", "Time from the arrival of a schema change to its response.")
          .debug()
          .histogram("microseconds");
  public static final Metric WRITE_OP_DURATION_CLIENT_PROPAGATED_CONSISTENCY =
      tablet(
              "write_op_duration_client_propagated_consistency",
              "Time from the arrival of a write without COMMIT_WAIT to its response.")
          .debug()
          .histogram("microseconds");
  public static final Metric WRITE_OP_DURATION_COMMIT_WAIT_CONSISTENCY =
      tablet(
              "write_op_duration_commit_wait_consistency",
              "Time from the arrival of a write with COMMIT_WAIT to its response.")
          .debug()
          .histogram("microseconds");
  public static final Metric COMMIT_WAIT_DURATION =
      tablet(
              "commit_wait_duration",
              "Time that writes with COMMIT_WAIT wait after they are applied.")
          .debug()
          .histogram("microseconds");
  public static final Metric LEADER_MEMORY_PRESSURE_REJECTIONS =
      tablet(
              "leader_memory_pressure_rejections",
              "Writes rejected because the server was short of memory.")
          .warn()
          .counter("requests");
  public static final Metric TRANSACTION_MEMORY_LIMIT_REJECTIONS =
      tablet(
              "transaction_memory_limit_rejections",
              "Writes rejected because too many bytes of writes to this tablet were in "
                  + "flight.")
          .warn()
          .counter("transactions");
  public static final Metric OPS_TIMED_OUT_IN_PREPARE_QUEUE =
      tablet(
              "ops_timed_out_in_prepare_queue",
              "Writes whose deadline passed before they were appended to the log.")
          .warn()
          .counter("requests");
  public static final Metric LAST_WRITE_ELAPSED_TIME =
      tablet(
              "last_write_elapsed_time",
              "Time since the last write, or since the replica was opened if there was no "
                  + "write.")
          .debug()
          .gauge("seconds");

  // ---- a tablet's replica: maintenance

  public static final Metric BYTES_FLUSHED =
      tablet("bytes_flushed", "Bytes of data files written by flushes.").debug().counter("bytes");
  public static final Metric FLUSH_MRS_DURATION =
      tablet("flush_mrs_duration", "Duration of flushes, which write new rows and deltas.")
          .debug()
          .histogram("milliseconds");
  public static final Metric FLUSH_MRS_RUNNING = running("flush_mrs_running", "Flushes");
  public static final Metric COMPACT_RS_DURATION =
      tablet("compact_rs_duration", "Duration of rowset compactions.")
          .debug()
          .histogram("milliseconds");
  public static final Metric COMPACT_RS_RUNNING =
      running("compact_rs_running", "Rowset compactions");
  public static final Metric DELTA_MINOR_COMPACT_RS_DURATION =
      tablet("delta_minor_compact_rs_duration", "Duration of minor delta compactions.")
          .debug()
          .histogram("milliseconds");
  public static final Metric DELTA_MINOR_COMPACT_RS_RUNNING =
      running("delta_minor_compact_rs_running", "Minor delta compactions");
  public static final Metric DELTA_MAJOR_COMPACT_RS_DURATION =
      tablet("delta_major_compact_rs_duration", "Duration of major delta compactions.")
          .debug()
          .histogram("seconds");
  public static final Metric DELTA_MAJOR_COMPACT_RS_RUNNING =
      running("delta_major_compact_rs_running", "Major delta compactions");
  public static final Metric UNDO_DELTA_BLOCK_GC_PERFORM_DURATION =
      tablet(
              "undo_delta_block_gc_perform_duration",
              "Duration of garbage collections of UNDO deltas.")
          .debug()
          .histogram("milliseconds");
  public static final Metric UNDO_DELTA_BLOCK_GC_RUNNING =
      running("undo_delta_block_gc_running", "Garbage collections of UNDO deltas");
  public static final Metric UNDO_DELTA_BLOCK_GC_BYTES_DELETED =
      tablet(
              "undo_delta_block_gc_bytes_deleted",
              "Bytes of UNDO deltas deleted by garbage collection, without those removed by "
                  + "compactions.")
          .debug()
          .counter("bytes");

  // ---- a tablet's replica: state and size

  public static final Metric STATE =
      tablet("state", "State of the replica, such as RUNNING, BOOTSTRAPPING or FAILED.")
          .gauge("state");
  public static final Metric LIVE_ROW_COUNT =
      tablet("live_row_count", "Number of live rows.").gauge("rows");
  public static final Metric ON_DISK_SIZE =
      tablet(
              "on_disk_size",
              "Bytes of the data files, and of the log of rows that are not flushed.")
          .gauge("bytes");
  public static final Metric ON_DISK_DATA_SIZE =
      tablet("on_disk_data_size", "Bytes of the data files.").gauge("bytes");
  public static final Metric MEMROWSET_SIZE =
      tablet("memrowset_size", "Bytes of the MemRowSet.").gauge("bytes");
  public static final Metric NUM_ROWSETS_ON_DISK =
      tablet("num_rowsets_on_disk", "Number of DiskRowSets.").gauge("units");
  public static final Metric AVERAGE_DISKROWSET_HEIGHT =
      tablet(
              "average_diskrowset_height",
              "Average number of DiskRowSets whose key range contains a random key. The "
                  + "further above 1, the more the tablet needs compaction.")
          .gauge("units");
  public static final Metric RAFT_TERM =
      tablet("raft_term", "Current Raft term. Each election starts a new term.")
          .debug()
          .gauge("units");

  public static final Metric IN_PROGRESS_OPS =
      tablet(
              "in_progress_ops",
              "Log entries that are not yet replicated to a majority; 0 at a follower.")
          .debug()
          .gauge("operations");
  public static final Metric MAJORITY_DONE_OPS =
      tablet(
              "majority_done_ops",
              "Log entries that are replicated to a majority but not to every member; 0 at "
                  + "a follower.")
          .debug()
          .gauge("operations");
  public static final Metric TIME_SINCE_LAST_LEADER_HEARTBEAT =
      tablet(
              "time_since_last_leader_heartbeat",
              "Time since the last message from the leader; 0 at the leader.")
          .debug()
          .gauge("milliseconds");

  // ---- a tablet's replica: its log

  public static final Metric LOG_BYTES_LOGGED =
      tablet("log_bytes_logged", "Bytes of row changes and schema changes appended to the log.")
          .debug()
          .counter("bytes");
  public static final Metric LOG_APPEND_LATENCY =
      tablet(
              "log_append_latency",
              "Duration of appends to the log. Percentiles give the last five minutes the "
                  + "most weight.")
          .histogram("microseconds");

  // ---- a table, published by the master

  public static final Metric TABLE_ON_DISK_SIZE =
      table("on_disk_size", "Bytes on disk, counting one replica of each tablet.").gauge("bytes");
  public static final Metric TABLE_LIVE_ROW_COUNT =
      table("live_row_count", "Number of live rows.").gauge("rows");
  public static final Metric TABLE_COLUMN_COUNT =
      table("column_count", "Number of columns.").gauge("units");
  public static final Metric TABLE_SCHEMA_VERSION =
      table("schema_version", "Version of the schema. Each ALTER increments it.").gauge("units");

  // ---- a server: calls

  public static final Metric HANDLER_LATENCY =
      server("handler_latency", "Time from when a worker thread starts a call to its response.")
          .labels("service", "method")
          .histogram("microseconds");
  public static final Metric RPC_INCOMING_QUEUE_TIME =
      server("rpc_incoming_queue_time", "Time that calls waited for a worker thread.")
          .histogram("microseconds");
  public static final Metric RPC_CONNECTIONS_ACCEPTED =
      server("rpc_connections_accepted", "Connections accepted from clients and other servers.")
          .counter("connections");
  public static final Metric RPC_CONNECTIONS_ACCEPTED_UNIX_DOMAIN_SOCKET =
      server(
              "rpc_connections_accepted_unix_domain_socket",
              "Connections accepted over the Unix-domain socket; rpc_connections_accepted includes"
                  + " them.")
          .counter("connections");
  public static final Metric RPCS_QUEUE_OVERFLOW =
      server(
              "rpcs_queue_overflow",
              "Calls rejected with a retriable error because the service queue was full.")
          .warn()
          .counter("requests");

  public static final Metric RPCS_TIMED_OUT_IN_QUEUE =
      server(
              "rpcs_timed_out_in_queue",
              "Calls whose deadline passed while they waited for a worker thread.")
          .warn()
          .counter("requests");

  // ---- a server: applying the log

  public static final Metric OP_APPLY_RUN_TIME =
      server("op_apply_run_time", "Time to apply a log entry to its tablet.")
          .warn()
          .histogram("microseconds");

  // ---- a server: maintenance

  public static final Metric MAINTENANCE_OP_FIND_BEST_CANDIDATE_DURATION =
      server(
              "maintenance_op_find_best_candidate_duration",
              "Time to find the maintenance operation with the highest priority among all "
                  + "tablets.")
          .histogram("microseconds");

  // ---- a server: scans

  public static final Metric ACTIVE_SCANNERS =
      server("active_scanners", "Scanners that are open now.").gauge("scanners");
  public static final Metric SCANNERS_EXPIRED =
      server("scanners_expired", "Scanners closed because they were idle for too long.")
          .warn()
          .counter("scanners");
  public static final Metric SCANNER_DURATION =
      server("scanner_duration", "Time from the opening of a scanner to its end.")
          .histogram("microseconds");

  // ---- a server: tablets

  public static final Metric TABLETS_NUM_RUNNING =
      server("tablets_num_running", "Tablets that are running.").gauge("tablets");
  public static final Metric TABLETS_NUM_BOOTSTRAPPING =
      server("tablets_num_bootstrapping", "Tablets that are being opened.").gauge("tablets");
  public static final Metric TABLETS_NUM_FAILED =
      server("tablets_num_failed", "Tablets that have failed.").gauge("tablets");
  public static final Metric TABLETS_NUM_STOPPED =
      server(
              "tablets_num_stopped",
              "Tablets that are stopped, for example because they are tombstoned.")
          .gauge("tablets");
  public static final Metric TABLETS_NUM_NOT_INITIALIZED =
      server("tablets_num_not_initialized", "Tablets whose opening has not started.")
          .gauge("tablets");
  public static final Metric TABLETS_NUM_INITIALIZED =
      server("tablets_num_initialized", "Tablets that are being copied to this server.")
          .gauge("tablets");
  public static final Metric TABLETS_NUM_STOPPING =
      server("tablets_num_stopping", "Tablets that are being stopped.").gauge("tablets");
  public static final Metric TABLETS_NUM_SHUTDOWN =
      server("tablets_num_shutdown", "Deleted tablets that the server still knows.")
          .gauge("tablets");
  public static final Metric TABLETS_NUM_TOTAL_STARTUP =
      server("tablets_num_total_startup", "Tablets that existed when the server started.")
          .gauge("tablets");
  public static final Metric TABLETS_NUM_OPENED_STARTUP =
      server(
              "tablets_num_opened_startup",
              "Tablets that existed when the server started and are now open or failed.")
          .gauge("tablets");
  public static final Metric TABLETS_OPENING_TIME_STARTUP =
      server(
              "tablets_opening_time_startup",
              "Time to open the tablets that existed when the server started, or the time "
                  + "so far.")
          .debug()
          .gauge("milliseconds");
  public static final Metric CREATE_TABLET_RUN_TIME =
      server("create_tablet_run_time", "Time to create a replica of a new tablet.")
          .debug()
          .histogram("microseconds");
  public static final Metric DELETE_TABLET_RUN_TIME =
      server("delete_tablet_run_time", "Time to delete a replica.")
          .debug()
          .histogram("microseconds");
  public static final Metric BLOCKS_UNDER_MANAGEMENT =
      server(
              "log_block_manager_blocks_under_management",
              "Number of data files: base data of rowsets, and delta files.")
          .gauge("blocks");
  public static final Metric BYTES_UNDER_MANAGEMENT =
      server("log_block_manager_bytes_under_management", "Bytes of the data files.").gauge("bytes");
  public static final Metric NUM_RAFT_LEADERS =
      server("num_raft_leaders", "Replicas that are the leader of their tablet.").gauge("tablets");
  public static final Metric CLUSTER_REPLICA_SKEW =
      server(
              "cluster_replica_skew",
              "Difference between the numbers of replicas on the tablet servers with the "
                  + "most and the fewest replicas. Only on masters.")
          .warn()
          .gauge("tablets");

  // ---- a server: copies of tablets

  public static final Metric TABLET_COPY_BYTES_FETCHED =
      server("tablet_copy_bytes_fetched", "Bytes of data files fetched from other servers.")
          .counter("bytes");
  public static final Metric TABLET_COPY_BYTES_SENT =
      server("tablet_copy_bytes_sent", "Bytes of data files sent to other servers.")
          .counter("bytes");
  public static final Metric TABLET_COPY_OPEN_CLIENT_SESSIONS =
      server("tablet_copy_open_client_sessions", "Tablets being copied to this server.")
          .gauge("sessions");
  public static final Metric TABLET_COPY_OPEN_SOURCE_SESSIONS =
      server("tablet_copy_open_source_sessions", "Tablets being copied from this server.")
          .gauge("sessions");

  public static final Metric TABLET_COPY_DURATION =
      server("tablet_copy_duration", "Duration of tablet copies to this server.")
          .debug()
          .histogram("milliseconds");
  public static final Metric TABLET_COPY_SOURCE_DURATION =
      server("tablet_copy_source_duration", "Duration of tablet copies from this server.")
          .debug()
          .histogram("milliseconds");

  // ---- a server: page cache, which is Apache Kudu's block cache

  public static final Metric BLOCK_CACHE_LOOKUPS =
      server("block_cache_lookups", "Lookups in the page cache.").debug().counter("blocks");
  public static final Metric BLOCK_CACHE_HITS =
      server("block_cache_hits", "Lookups that found the page in the page cache.")
          .debug()
          .counter("blocks");
  public static final Metric BLOCK_CACHE_HITS_CACHING =
      server(
              "block_cache_hits_caching",
              "Equal to block_cache_hits, because every lookup asks to cache the page.")
          .debug()
          .counter("blocks");
  public static final Metric BLOCK_CACHE_MISSES =
      server("block_cache_misses", "Lookups that read the page from disk.")
          .debug()
          .counter("blocks");
  public static final Metric BLOCK_CACHE_MISSES_CACHING =
      server(
              "block_cache_misses_caching",
              "Equal to block_cache_misses, because every lookup asks to cache the page.")
          .debug()
          .counter("blocks");
  public static final Metric BLOCK_CACHE_EVICTIONS =
      server("block_cache_evictions", "Pages evicted from the page cache.")
          .debug()
          .counter("blocks");
  public static final Metric BLOCK_CACHE_USAGE =
      server("block_cache_usage", "Bytes of the pages in the page cache.").gauge("bytes");

  // ---- a server: the process

  public static final Metric UPTIME =
      server("uptime", "Time since the server started.").gauge("microseconds");
  public static final Metric STARTUP_PROGRESS_STEPS_REMAINING =
      server("startup_progress_steps_remaining", "Steps of the startup that are not complete.")
          .gauge("units");
  public static final Metric STARTUP_PROGRESS_TIME_ELAPSED =
      server("startup_progress_time_elapsed", "Duration of the startup, or the time so far.")
          .gauge("milliseconds");
  public static final Metric MEMORY_USAGE =
      server("memory_usage", "Bytes used by the JVM's heap, off-heap data and buffers.")
          .gauge("bytes");
  public static final Metric GENERIC_CURRENT_ALLOCATED_BYTES =
      server("generic_current_allocated_bytes", "Equal to memory_usage.").gauge("bytes");
  public static final Metric GENERIC_HEAP_SIZE =
      server(
              "generic_heap_size",
              "Like memory_usage, but counts the whole heap that the JVM has reserved, used "
                  + "or not.")
          .gauge("bytes");
  public static final Metric CPU_UTIME =
      server("cpu_utime", "CPU time of the process in user mode.").counter("milliseconds");
  public static final Metric CPU_STIME =
      server("cpu_stime", "CPU time of the process in kernel mode.").counter("milliseconds");
  public static final Metric THREADS_RUNNING =
      server("threads_running", "Threads of the process.").gauge("threads");
  public static final Metric THREADS_STARTED =
      server("threads_started", "Threads started since the start of the process.")
          .debug()
          .counter("threads");
  public static final Metric HYBRID_CLOCK_ERROR =
      server("hybrid_clock_error", "Maximum error of the clock.").gauge("microseconds");
  public static final Metric WAL_DIR_SPACE_AVAILABLE_BYTES =
      server(
              "wal_dir_space_available_bytes",
              "Free bytes in the file system of the logs; -1 if unknown.")
          .gauge("bytes");
  public static final Metric DATA_DIRS_SPACE_AVAILABLE_BYTES =
      server(
              "data_dirs_space_available_bytes",
              "Free bytes in the file systems of the data files; -1 if unknown.")
          .gauge("bytes");

  private MetricCatalog() {}

  /** All metrics, in the order of their declaration. */
  public static List<Metric> all() {
    return Collections.unmodifiableList(ALL);
  }

  private static Builder server(String name, String description) {
    return new Builder(Entity.SERVER, name, description);
  }

  private static Builder table(String name, String description) {
    return new Builder(Entity.TABLE, name, description);
  }

  private static Metric running(String name, String what) {
    return tablet(name, what + " that are running now.").debug().gauge("operations");
  }

  private static Builder tablet(String name, String description) {
    return new Builder(Entity.TABLET, name, description);
  }

  /**
   * Builds a metric. The method named after the type of the metric is called last and returns the
   * metric.
   */
  private static final class Builder {
    private final Entity entity;
    private final String name;
    private final String description;
    private List<String> labels = List.of();
    private Level level = Level.INFO;

    Builder(Entity entity, String name, String description) {
      this.entity = entity;
      this.name = name;
      this.description = description;
    }

    Builder labels(String... names) {
      labels = List.of(names);
      return this;
    }

    Builder debug() {
      level = Level.DEBUG;
      return this;
    }

    Builder warn() {
      level = Level.WARN;
      return this;
    }

    Metric counter(String unit) {
      return build(Metric.Type.COUNTER, unit);
    }

    Metric gauge(String unit) {
      return build(Metric.Type.GAUGE, unit);
    }

    Metric histogram(String unit) {
      return build(Metric.Type.HISTOGRAM, unit);
    }

    private Metric build(Metric.Type type, String unit) {
      Metric metric = new Metric(entity, name, labels, type, unit, level, words(), description);
      ALL.add(metric);
      return metric;
    }

    private String words() {
      StringBuilder words = new StringBuilder();
      for (String word : name.split("_", -1)) {
        words
            .append(words.isEmpty() ? "" : " ")
            .append(Character.toUpperCase(word.charAt(0)))
            .append(word.substring(1));
      }
      return words.toString();
    }
  }
}
