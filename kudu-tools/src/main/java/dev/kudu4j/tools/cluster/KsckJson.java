package dev.kudu4j.tools.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import java.util.Collection;
import java.util.List;

/**
 * The result of ksck as JSON, with the members that Apache Kudu's tool has. Members that are null
 * are left out.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record KsckJson(
    boolean healthy,
    List<String> errors,
    List<String> nextSteps,
    List<Server> masterSummaries,
    List<Server> tserverSummaries,
    List<Tablet> tabletSummaries,
    List<Table> tableSummaries,
    Checksums checksumResults,
    Counts countSummaries) {

  static KsckJson of(KsckResult result) {
    return new KsckJson(
        result.isHealthy(),
        result.errors(),
        result.nextSteps(),
        result.survey().masters().stream().map(Server::master).toList(),
        result.tabletServers().stream().map(Server::tabletServer).toList(),
        result.tablets().stream().map(Tablet::of).toList(),
        result.tables().stream().map(Table::of).toList(),
        result.checksummedRows() < 0 ? null : Checksums.of(result),
        Counts.of(result));
  }

  private static String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Server(
      String uuid,
      String address,
      String health,
      String status,
      String version,
      String role,
      String location,
      Integer replicas,
      Long leaders) {
    static Server master(ServerState server) {
      return of(server, null, null);
    }

    static Server tabletServer(ServerState server) {
      return server.hasAnswered()
          ? of(server, server.replicas().size(), server.leaderCount())
          : of(server, null, null);
    }

    private static Server of(ServerState server, Integer replicas, Long leaders) {
      return new Server(
          server.uuid(),
          server.address(),
          server.health().name(),
          server.error().isEmpty() ? "OK" : server.error(),
          orNull(server.version()),
          orNull(server.role()),
          orNull(server.location()),
          replicas,
          leaders);
    }
  }

  record Tablet(
      String id,
      String tableId,
      String tableName,
      String health,
      String status,
      List<Replica> replicas) {
    static Tablet of(TabletVerdict tablet) {
      return new Tablet(
          tablet.tablet(),
          tablet.table().id(),
          tablet.table().name(),
          tablet.health().name(),
          tablet.reason(),
          tablet.replicas().stream().map(each -> Replica.of(each, tablet.leader())).toList());
    }
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Replica(
      String tsUuid,
      String tsAddress,
      boolean tsHealthy,
      @JsonProperty("is_leader") boolean leader,
      @JsonProperty("is_voter") boolean voter,
      String state,
      Consensus consensusState) {
    static Replica of(TabletVerdict.Replica replica, String leader) {
      return new Replica(
          replica.uuid(),
          replica.address(),
          replica.server() != null && replica.server().isHealthy(),
          replica.uuid().equals(leader),
          replica.voter(),
          replica.state(),
          replica.consensus() == null ? null : Consensus.of(replica.consensus()));
    }
  }

  record Consensus(
      String type, long term, long opidIndex, String leaderUuid, Collection<String> voterUuids) {
    static Consensus of(ConsensusStatePB state) {
      RaftConfigPB config =
          state.hasPendingConfig() ? state.getPendingConfig() : state.getCommittedConfig();
      return new Consensus(
          state.hasPendingConfig() ? "PENDING" : "COMMITTED",
          state.getCurrentTerm(),
          config.getOpidIndex(),
          state.getLeaderUuid(),
          config.getPeersList().stream()
              .filter(peer -> peer.getMemberType() != RaftPeerPB.MemberType.NON_VOTER)
              .map(peer -> peer.getPermanentUuid().toStringUtf8())
              .toList());
    }
  }

  record Table(
      String id,
      String name,
      String health,
      int replicationFactor,
      int totalTablets,
      long healthyTablets,
      long recoveringTablets,
      long underreplicatedTablets,
      long consensusMismatchTablets,
      long unavailableTablets) {
    static Table of(TableVerdict table) {
      return new Table(
          table.table().id(),
          table.table().name(),
          table.health().name(),
          table.table().replicationFactor(),
          table.tablets().size(),
          table.count(TabletHealth.HEALTHY),
          table.count(TabletHealth.RECOVERING),
          table.count(TabletHealth.UNDER_REPLICATED),
          table.count(TabletHealth.CONSENSUS_MISMATCH),
          table.count(TabletHealth.UNAVAILABLE));
    }
  }

  record Checksums(long rows, List<Checksum> replicas) {
    static Checksums of(KsckResult result) {
      Collection<String> mismatches = result.mismatches();
      return new Checksums(
          result.checksummedRows(),
          result.checksums().stream().map(sum -> Checksum.of(sum, mismatches)).toList());
    }
  }

  /**
   * @param status null if there is a checksum
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Checksum(
      String tableName,
      String tabletId,
      String tsUuid,
      String tsAddress,
      boolean mismatch,
      String checksum,
      String status) {
    static Checksum of(ChecksumScan.Sum sum, Collection<String> mismatches) {
      return new Checksum(
          sum.tablet().table().name(),
          sum.tablet().tablet(),
          sum.replica().uuid(),
          sum.replica().address(),
          mismatches.contains(sum.tablet().tablet()),
          sum.error().isEmpty() ? Long.toUnsignedString(sum.value()) : null,
          orNull(sum.error()));
    }
  }

  record Counts(int masters, int tservers, int tables, int tablets, int replicas) {
    static Counts of(KsckResult result) {
      return new Counts(
          result.survey().masters().size(),
          result.tabletServers().size(),
          result.tables().size(),
          result.tablets().size(),
          result.tablets().stream().mapToInt(tablet -> tablet.replicas().size()).sum());
    }
  }
}
