package dev.kudu4j.master.tables;

import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What was reported and is not recorded yet. A thousand tablets that start at once are reported one
 * by one and recorded in a few batches: reports that arrive while a batch is being written make up
 * the next one.
 *
 * <p>Not thread-safe.
 */
final class PendingUpdates {
  /** Tablets that have a leader now. */
  final Set<String> running = new HashSet<>();

  /** Tablets that have replicas which are recorded as uncreated. */
  final Set<String> created = new HashSet<>();

  /** Committed configurations by tablet. */
  final Map<String, ReportedConfig> configs = new HashMap<>();

  /** Servers by tablet that are no members, are not recorded, and have a replica. */
  final Map<String, Set<String>> outsiders = new HashMap<>();

  /** Tables of which something may have come to its end. */
  final Set<String> tables = new HashSet<>();

  boolean isEmpty() {
    return running.isEmpty()
        && created.isEmpty()
        && configs.isEmpty()
        && outsiders.isEmpty()
        && tables.isEmpty();
  }

  /** A configuration, and the term of the leader that reported it. */
  record ReportedConfig(long term, RaftConfigPB config) {
    boolean isLaterThan(ReportedConfig other) {
      return term > other.term
          || (term == other.term && config.getOpidIndex() > other.config.getOpidIndex());
    }
  }
}
