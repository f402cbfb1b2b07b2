package dev.kudu4j.master.heartbeat;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.index.IndexProgressPB;
import dev.kudu4j.common.rpc.LocalSockets;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.HostPortWire;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Checks that a heartbeat is within limits. Its ids, addresses and numbers are kept, sent to every
 * client and compared with later heartbeats, so a single invalid heartbeat would do harm for a long
 * time.
 */
public final class HeartbeatCheck {
  /**
   * How far the sequence number of a server's run, which is its start time in microseconds, may be
   * ahead of this master's clock.
   */
  private static final long MAX_AHEAD_MICROS = TimeUnit.HOURS.toMicros(1);

  private static final int LARGEST_REGISTRATION_BYTES = 64 << 10;
  private static final int MAX_REPLICAS = 200_000;
  private static final int MAX_MEMBERS = 64;
  private static final int LONGEST_TEXT = 2000;

  /** Higher than any real term, since a term rises by one with each election. */
  private static final long HIGHEST_TERM = 1L << 40;

  private static final long HIGHEST_INDEX = 1L << 56;

  private HeartbeatCheck() {}

  /**
   * Checks everything except the reports of single replicas.
   *
   * @param nowMicros this master's time
   * @throws KuduException INVALID_ARGUMENT
   */
  public static void check(TSHeartbeatRequestPB heartbeat, long nowMicros) {
    HexId.require("permanent_uuid", heartbeat.getInstance().getPermanentUuid());
    range(
        "instance_seqno",
        heartbeat.getInstance().getInstanceSeqno(),
        0,
        nowMicros + MAX_AHEAD_MICROS);
    range("live_tablet_count", heartbeat.getLiveTabletCount(), 0, MAX_REPLICAS);
    if (heartbeat.hasRegistration()) {
      check(heartbeat.getRegistration());
    }
    if (heartbeat.hasRaftAddress()) {
      HostPortWire.require("raft_address", heartbeat.getRaftAddress());
    }
    TabletReportPB report = heartbeat.getTabletReport();
    range("sequence of the report", report.getSequence(), 0, HIGHEST_INDEX);
    range(
        "number of reported tablets",
        (long) report.getUpdatedCount() + report.getRemovedTabletIdsCount(),
        0,
        MAX_REPLICAS);
  }

  private static void check(ServerRegistrationPB registration) {
    range("size of registration", registration.getSerializedSize(), 0, LARGEST_REGISTRATION_BYTES);
    HostPortWire.requireAll("rpc_addresses", registration.getRpcAddressesList());
    HostPortWire.requireAll("http_addresses", registration.getHttpAddressesList());
    if (registration.hasUnixDomainSocketPath()
        && !LocalSockets.isValid(registration.getUnixDomainSocketPath())) {
      throw KuduException.invalidArgument("unix_domain_socket_path is not a path or a name");
    }
  }

  /**
   * Checks the report of one replica.
   *
   * @throws KuduException INVALID_ARGUMENT
   */
  static void check(ReportedTabletPB replica) {
    HexId.require("tablet_id", replica.getTabletId());
    range("schema_version", replica.getSchemaVersion(), 0, Integer.MAX_VALUE);
    range("on_disk_size", replica.getOnDiskSize(), 0, Long.MAX_VALUE);
    range("live_row_count", replica.getLiveRowCount(), -1, Long.MAX_VALUE);
    range("number of indexes", replica.getIndexesCount(), 0, IndexDefinition.MAX_INDEXES);
    replica.getIndexesList().forEach(HeartbeatCheck::check);
    if (replica.hasConsensusState()) {
      check(replica.getConsensusState());
    }
  }

  private static void check(IndexProgressPB index) {
    range("rowsets of an index", index.getRowsets(), 0, Integer.MAX_VALUE);
    range("built_rowsets of an index", index.getBuiltRowsets(), 0, index.getRowsets());
    range("rows of an index", index.getRows(), 0, HIGHEST_INDEX);
    range("built_rows of an index", index.getBuiltRows(), 0, index.getRows());
    range("checked_at of an index", index.getCheckedAt(), 0, Uniqueness.values().length - 1L);
    range("length of duplicates", index.getDuplicates().length(), 0, LONGEST_TEXT);
    range("length of failure", index.getFailure().length(), 0, LONGEST_TEXT);
  }

  private static void check(ConsensusStatePB state) {
    range("current_term", state.getCurrentTerm(), -1, HIGHEST_TERM);
    if (!state.getLeaderUuid().isEmpty()) {
      HexId.require("leader_uuid", state.getLeaderUuid());
    }
    check(state.getCommittedConfig());
    check(state.getPendingConfig());
  }

  private static void check(RaftConfigPB config) {
    range("opid_index", config.getOpidIndex(), -1, HIGHEST_INDEX);
    range("number of peers", config.getPeersCount(), 0, MAX_MEMBERS);
    Set<String> uuids = new HashSet<>();
    for (RaftPeerPB peer : config.getPeersList()) {
      String uuid = HexId.require("permanent_uuid of a peer", peer.getPermanentUuid());
      if (!uuids.add(uuid)) {
        throw KuduException.invalidArgument("Peer %s is named twice", uuid);
      }
      if (peer.hasLastKnownAddr()) {
        HostPortWire.require("last_known_addr", peer.getLastKnownAddr());
      }
      if (peer.hasRaftAddr()) {
        HostPortWire.require("raft_addr", peer.getRaftAddr());
      }
    }
  }

  private static void range(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw KuduException.invalidArgument(
          "%s must be from %d to %d, not %d", field, min, max, value);
    }
  }
}
