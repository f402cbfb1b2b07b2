package dev.kudu4j.server.metrics.model;

import dev.kudu4j.server.metrics.model.Metric.Entity;
import dev.kudu4j.server.metrics.model.Metric.Level;
import dev.kudu4j.server.metrics.model.Metric.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * All metrics that servers tell by entity. Names, units and meanings are Apache Kudu's wherever the
 * thing is the same, so that what was built to watch it watches this too; where the thing differs,
 * there is no metric of that name. What is ours alone is published through Micrometer instead.
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
      tablet("insertions_failed_dup_key", "Inserts that failed since their key was there.")
          .debug()
          .counter("rows");
  public static final Metric INSERT_IGNORE_ERRORS =
      tablet("insert_ignore_errors", "Inserts that were to be ignored if they fail, and failed.")
          .debug()
          .counter("rows");
  public static final Metric UPSERT_IGNORE_ERRORS =
      tablet("upsert_ignore_errors", "Upserts that were to be ignored if they fail, and failed.")
          .debug()
          .counter("rows");
  public static final Metric UPDATE_IGNORE_ERRORS =
      tablet("update_ignore_errors", "Updates that were to be ignored if they fail, and failed.")
          .debug()
          .counter("rows");
  public static final Metric DELETE_IGNORE_ERRORS =
      tablet("delete_ignore_errors", "Deletes that were to be ignored if they fail, and failed.")
          .debug()
          .counter("rows");

  // ---- a tablet's replica: scans of it

  public static final Metric SCANS_STARTED =
      tablet("scans_started", "Scanners opened.").counter("scanners");
  public static final Metric TABLET_ACTIVE_SCANNERS =
      tablet("tablet_active_scanners", "Scanners open now.").gauge("scanners");
  public static final Metric SCANNER_ROWS_RETURNED =
      tablet("scanner_rows_returned", "Rows that scans have sent to clients.").counter("rows");
  public static final Metric SCANNER_CELLS_RETURNED =
      tablet("scanner_cells_returned", "Cells that scans have sent to clients.")
          .debug()
          .counter("cells");
  public static final Metric SCANNER_BYTES_RETURNED =
      tablet("scanner_bytes_returned", "Bytes of rows that scans have sent to clients.")
          .debug()
          .counter("bytes");
  public static final Metric SCANNER_ROWS_SCANNED =
      tablet("scanner_rows_scanned", "Rows that scans have looked at, before predicates.")
          .counter("rows");
  public static final Metric SCANNER_BYTES_SCANNED_FROM_DISK =
      tablet(
              "scanner_bytes_scanned_from_disk",
              "Bytes of data files that scans have read, from the disk or from the page cache.")
          .debug()
          .counter("bytes");

  public static final Metric SCAN_DURATION_WALL_TIME =
      tablet("scan_duration_wall_time", "Time that calls of scans took.")
          .debug()
          .histogram("milliseconds");
  public static final Metric SNAPSHOT_READ_INFLIGHT_WAIT_DURATION =
      tablet(
              "snapshot_read_inflight_wait_duration",
              "Time that scans waited until their snapshot could be read.")
          .debug()
          .histogram("microseconds");
  public static final Metric LAST_READ_ELAPSED_TIME =
      tablet(
              "last_read_elapsed_time",
              "Time since the last scan, or since the replica was opened if there was none.")
          .debug()
          .gauge("seconds");

  // ---- a tablet's replica: writes on their way, at the leader

  public static final Metric ALL_TRANSACTIONS_INFLIGHT =
      tablet("all_transactions_inflight", "Operations admitted and not applied yet.")
          .debug()
          .gauge("transactions");
  public static final Metric WRITE_TRANSACTIONS_INFLIGHT =
      tablet("write_transactions_inflight", "Writes admitted and not applied yet.")
          .debug()
          .gauge("transactions");
  public static final Metric ALTER_SCHEMA_TRANSACTIONS_INFLIGHT =
      tablet("alter_schema_transactions_inflight", "Schema changes admitted and not applied yet.")
          .debug()
          .gauge("transactions");
  public static final Metric ALTER_SCHEMA_DURATION =
      tablet("alter_schema_duration", "Time from a schema change's arrival to its answer.")
          .debug()
          .histogram("microseconds");
  public static final Metric WRITE_OP_DURATION_CLIENT_PROPAGATED_CONSISTENCY =
      tablet(
              "write_op_duration_client_propagated_consistency",
              "Time from a write's arrival to its answer, without COMMIT_WAIT.")
          .debug()
          .histogram("microseconds");
  public static final Metric WRITE_OP_DURATION_COMMIT_WAIT_CONSISTENCY =
      tablet(
              "write_op_duration_commit_wait_consistency",
              "Time from a write's arrival to its answer, with COMMIT_WAIT.")
          .debug()
          .histogram("microseconds");
  public static final Metric COMMIT_WAIT_DURATION =
      tablet(
              "commit_wait_duration",
              "Part of it that writes with COMMIT_WAIT spend after they are applied.")
          .debug()
          .histogram("microseconds");
  public static final Metric LEADER_MEMORY_PRESSURE_REJECTIONS =
      tablet(
              "leader_memory_pressure_rejections",
              "Writes refused because the server was short of memory.")
          .warn()
          .counter("requests");
  public static final Metric TRANSACTION_MEMORY_LIMIT_REJECTIONS =
      tablet(
              "transaction_memory_limit_rejections",
              "Writes refused because this tablet had too much under way.")
          .warn()
          .counter("transactions");
  public static final Metric OPS_TIMED_OUT_IN_PREPARE_QUEUE =
      tablet("ops_timed_out_in_prepare_queue", "Writes whose deadline passed before the log.")
          .warn()
          .counter("requests");
  public static final Metric LAST_WRITE_ELAPSED_TIME =
      tablet(
              "last_write_elapsed_time",
              "Time since the last write, or since the replica was opened if there was none.")
          .debug()
          .gauge("seconds");

  // ---- a tablet's replica: maintenance

  public static final Metric BYTES_FLUSHED =
      tablet("bytes_flushed", "Bytes of data files that flushes have written.")
          .debug()
          .counter("bytes");
  public static final Metric FLUSH_MRS_DURATION =
      tablet("flush_mrs_duration", "Time that flushes took, of new rows and of changes.")
          .debug()
          .histogram("milliseconds");
  public static final Metric FLUSH_MRS_RUNNING = running("flush_mrs_running", "Flushes");
  public static final Metric COMPACT_RS_DURATION =
      tablet("compact_rs_duration", "Time that compactions of rowsets took.")
          .debug()
          .histogram("milliseconds");
  public static final Metric COMPACT_RS_RUNNING =
      running("compact_rs_running", "Compactions of rowsets");
  public static final Metric DELTA_MINOR_COMPACT_RS_DURATION =
      tablet("delta_minor_compact_rs_duration", "Time that minor delta compactions took.")
          .debug()
          .histogram("milliseconds");
  public static final Metric DELTA_MINOR_COMPACT_RS_RUNNING =
      running("delta_minor_compact_rs_running", "Minor delta compactions");
  public static final Metric DELTA_MAJOR_COMPACT_RS_DURATION =
      tablet("delta_major_compact_rs_duration", "Time that major delta compactions took.")
          .debug()
          .histogram("seconds");
  public static final Metric DELTA_MAJOR_COMPACT_RS_RUNNING =
      running("delta_major_compact_rs_running", "Major delta compactions");
  public static final Metric UNDO_DELTA_BLOCK_GC_PERFORM_DURATION =
      tablet("undo_delta_block_gc_perform_duration", "Time that collecting old history took.")
          .debug()
          .histogram("milliseconds");
  public static final Metric UNDO_DELTA_BLOCK_GC_RUNNING =
      running("undo_delta_block_gc_running", "Collections of old history");
  public static final Metric UNDO_DELTA_BLOCK_GC_BYTES_DELETED =
      tablet(
              "undo_delta_block_gc_bytes_deleted",
              "Bytes of old history that were collected, other than by compactions.")
          .debug()
          .counter("bytes");

  // ---- a tablet's replica: how it is

  public static final Metric STATE =
      tablet("state", "What the replica does: RUNNING, BOOTSTRAPPING, FAILED or another.")
          .gauge("state");
  public static final Metric LIVE_ROW_COUNT =
      tablet("live_row_count", "Rows that a reader of the latest would see.").gauge("rows");
  public static final Metric ON_DISK_SIZE =
      tablet(
              "on_disk_size",
              "Bytes of the data files and of the log of rows that no data file holds yet.")
          .gauge("bytes");
  public static final Metric ON_DISK_DATA_SIZE =
      tablet("on_disk_data_size", "Bytes of the data files.").gauge("bytes");
  public static final Metric MEMROWSET_SIZE =
      tablet("memrowset_size", "Bytes of new rows in memory.").gauge("bytes");
  public static final Metric NUM_ROWSETS_ON_DISK =
      tablet("num_rowsets_on_disk", "DiskRowSets.").gauge("units");
  public static final Metric AVERAGE_DISKROWSET_HEIGHT =
      tablet(
              "average_diskrowset_height",
              "DiskRowSets that a random key lies in; the more above 1, the less compacted.")
          .gauge("units");
  public static final Metric RAFT_TERM =
      tablet("raft_term", "Term of the Raft group; each election begins one.")
          .debug()
          .gauge("units");

  public static final Metric IN_PROGRESS_OPS =
      tablet("in_progress_ops", "Entries of the log that no majority has yet; 0 at a follower.")
          .debug()
          .gauge("operations");
  public static final Metric MAJORITY_DONE_OPS =
      tablet(
              "majority_done_ops",
              "Entries of the log that a majority has and not every member; 0 at a follower.")
          .debug()
          .gauge("operations");
  public static final Metric TIME_SINCE_LAST_LEADER_HEARTBEAT =
      tablet(
              "time_since_last_leader_heartbeat",
              "Time since the leader was heard from; 0 at the leader.")
          .debug()
          .gauge("milliseconds");

  // ---- a tablet's replica: its log

  public static final Metric LOG_BYTES_LOGGED =
      tablet("log_bytes_logged", "Bytes of row changes and schema changes in the log.")
          .debug()
          .counter("bytes");
  public static final Metric LOG_APPEND_LATENCY =
      tablet(
              "log_append_latency",
              "Time to append to the log. Percentiles weigh the last five minutes most.")
          .histogram("microseconds");

  // ---- a table, told by the master

  public static final Metric TABLE_ON_DISK_SIZE =
      table("on_disk_size", "Bytes on disk, of one replica of each tablet.").gauge("bytes");
  public static final Metric TABLE_LIVE_ROW_COUNT =
      table("live_row_count", "Rows that a reader of the latest would see.").gauge("rows");
  public static final Metric TABLE_COLUMN_COUNT = table("column_count", "Columns.").gauge("units");
  public static final Metric TABLE_SCHEMA_VERSION =
      table("schema_version", "Version of the schema; one more with each alteration.")
          .gauge("units");

  // ---- a server: calls

  public static final Metric HANDLER_LATENCY =
      server("handler_latency", "Time from when a worker takes up a call to its answer.")
          .labels("service", "method")
          .histogram("microseconds");
  public static final Metric RPC_INCOMING_QUEUE_TIME =
      server("rpc_incoming_queue_time", "Time that calls wait for a worker.")
          .histogram("microseconds");
  public static final Metric RPC_CONNECTIONS_ACCEPTED =
      server("rpc_connections_accepted", "Connections of clients and other servers, in all.")
          .counter("connections");
  public static final Metric RPCS_QUEUE_OVERFLOW =
      server("rpcs_queue_overflow", "Calls told to come later, since too many waited.")
          .warn()
          .counter("requests");

  public static final Metric RPCS_TIMED_OUT_IN_QUEUE =
      server("rpcs_timed_out_in_queue", "Calls whose deadline passed before a worker was free.")
          .warn()
          .counter("requests");

  // ---- a server: applying the log

  public static final Metric OP_APPLY_RUN_TIME =
      server("op_apply_run_time", "Time to apply an entry of a log to its tablet.")
          .warn()
          .histogram("microseconds");

  // ---- a server: maintenance

  public static final Metric MAINTENANCE_OP_FIND_BEST_CANDIDATE_DURATION =
      server(
              "maintenance_op_find_best_candidate_duration",
              "Time to choose the most urgent maintenance of all tablets.")
          .histogram("microseconds");

  // ---- a server: scans

  public static final Metric ACTIVE_SCANNERS =
      server("active_scanners", "Scanners open now.").gauge("scanners");
  public static final Metric SCANNERS_EXPIRED =
      server("scanners_expired", "Scanners closed since nobody read from them any more.")
          .warn()
          .counter("scanners");
  public static final Metric SCANNER_DURATION =
      server("scanner_duration", "Time from a scanner's opening to its end.")
          .histogram("microseconds");

  // ---- a server: tablets

  public static final Metric TABLETS_NUM_RUNNING =
      server("tablets_num_running", "Tablets that serve.").gauge("tablets");
  public static final Metric TABLETS_NUM_BOOTSTRAPPING =
      server("tablets_num_bootstrapping", "Tablets that are being opened.").gauge("tablets");
  public static final Metric TABLETS_NUM_FAILED =
      server("tablets_num_failed", "Tablets that have failed.").gauge("tablets");
  public static final Metric TABLETS_NUM_STOPPED =
      server("tablets_num_stopped", "Tablets that have been stopped, such as by a tombstone.")
          .gauge("tablets");
  public static final Metric TABLETS_NUM_NOT_INITIALIZED =
      server("tablets_num_not_initialized", "Tablets whose opening has not begun.")
          .gauge("tablets");
  public static final Metric TABLETS_NUM_INITIALIZED =
      server("tablets_num_initialized", "Tablets that are being copied to this server.")
          .gauge("tablets");
  public static final Metric TABLETS_NUM_STOPPING =
      server("tablets_num_stopping", "Tablets that are being stopped.").gauge("tablets");
  public static final Metric TABLETS_NUM_SHUTDOWN =
      server("tablets_num_shutdown", "Tablets that were deleted and are still known.")
          .gauge("tablets");
  public static final Metric TABLETS_NUM_TOTAL_STARTUP =
      server("tablets_num_total_startup", "Tablets that were there when the server started.")
          .gauge("tablets");
  public static final Metric TABLETS_NUM_OPENED_STARTUP =
      server("tablets_num_opened_startup", "Tablets of those that are open or have failed.")
          .gauge("tablets");
  public static final Metric TABLETS_OPENING_TIME_STARTUP =
      server("tablets_opening_time_startup", "Time that opening them took, or has taken so far.")
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
              "Files of data: base data of rowsets, and delta files.")
          .gauge("blocks");
  public static final Metric BYTES_UNDER_MANAGEMENT =
      server("log_block_manager_bytes_under_management", "Bytes of the data files.").gauge("bytes");
  public static final Metric NUM_RAFT_LEADERS =
      server("num_raft_leaders", "Replicas that lead their groups.").gauge("tablets");
  public static final Metric CLUSTER_REPLICA_SKEW =
      server(
              "cluster_replica_skew",
              "How many replicas more the fullest tablet server has than the emptiest; of a master.")
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
      server("tablet_copy_duration", "Time that copies of tablets to this server took.")
          .debug()
          .histogram("milliseconds");
  public static final Metric TABLET_COPY_SOURCE_DURATION =
      server("tablet_copy_source_duration", "Time that copies of tablets from this server took.")
          .debug()
          .histogram("milliseconds");

  // ---- a server: page cache, which is Apache Kudu's block cache

  public static final Metric BLOCK_CACHE_LOOKUPS =
      server("block_cache_lookups", "Pages asked for.").debug().counter("blocks");
  public static final Metric BLOCK_CACHE_HITS =
      server("block_cache_hits", "Pages asked for and found.").debug().counter("blocks");
  public static final Metric BLOCK_CACHE_HITS_CACHING =
      server("block_cache_hits_caching", "The same: whoever asks, wants the page to be kept.")
          .debug()
          .counter("blocks");
  public static final Metric BLOCK_CACHE_MISSES =
      server("block_cache_misses", "Pages asked for and read from the disk.")
          .debug()
          .counter("blocks");
  public static final Metric BLOCK_CACHE_MISSES_CACHING =
      server("block_cache_misses_caching", "The same: whoever asks, wants the page to be kept.")
          .debug()
          .counter("blocks");
  public static final Metric BLOCK_CACHE_EVICTIONS =
      server("block_cache_evictions", "Pages that gave way to others.").debug().counter("blocks");
  public static final Metric BLOCK_CACHE_USAGE =
      server("block_cache_usage", "Bytes of the pages that are kept.").gauge("bytes");

  // ---- a server: the process

  public static final Metric UPTIME =
      server("uptime", "Time since the server started.").gauge("microseconds");
  public static final Metric STARTUP_PROGRESS_STEPS_REMAINING =
      server("startup_progress_steps_remaining", "Steps of the start that have not succeeded yet.")
          .gauge("units");
  public static final Metric STARTUP_PROGRESS_TIME_ELAPSED =
      server("startup_progress_time_elapsed", "Time that the start took, or has taken so far.")
          .gauge("milliseconds");
  public static final Metric MEMORY_USAGE =
      server("memory_usage", "Bytes of the JVM's heap, of data outside it and of buffers.")
          .gauge("bytes");
  public static final Metric GENERIC_CURRENT_ALLOCATED_BYTES =
      server("generic_current_allocated_bytes", "The same as memory_usage.").gauge("bytes");
  public static final Metric GENERIC_HEAP_SIZE =
      server(
              "generic_heap_size",
              "The same, but the whole heap that the JVM has reserved, used or not.")
          .gauge("bytes");
  public static final Metric CPU_UTIME =
      server("cpu_utime", "CPU time of the process in its own code.").counter("milliseconds");
  public static final Metric CPU_STIME =
      server("cpu_stime", "CPU time of the process in the kernel.").counter("milliseconds");
  public static final Metric THREADS_RUNNING =
      server("threads_running", "Threads of the process.").gauge("threads");
  public static final Metric THREADS_STARTED =
      server("threads_started", "Threads that the process has started.").debug().counter("threads");
  public static final Metric HYBRID_CLOCK_ERROR =
      server("hybrid_clock_error", "How far the clock may be off.").gauge("microseconds");
  public static final Metric WAL_DIR_SPACE_AVAILABLE_BYTES =
      server("wal_dir_space_available_bytes", "Bytes free where the logs are; -1 when not known.")
          .gauge("bytes");
  public static final Metric DATA_DIRS_SPACE_AVAILABLE_BYTES =
      server(
              "data_dirs_space_available_bytes",
              "Bytes free where the data files are, over all their disks; -1 when not known.")
          .gauge("bytes");

  private MetricCatalog() {}

  /** All, in the order of their entities, then as they stand above. */
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
    return tablet(name, what + " that run now.").debug().gauge("operations");
  }

  private static Builder tablet(String name, String description) {
    return new Builder(Entity.TABLET, name, description);
  }

  /** Ends with the type. */
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
      return build(Type.COUNTER, unit);
    }

    Metric gauge(String unit) {
      return build(Type.GAUGE, unit);
    }

    Metric histogram(String unit) {
      return build(Type.HISTOGRAM, unit);
    }

    private Metric build(Type type, String unit) {
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
