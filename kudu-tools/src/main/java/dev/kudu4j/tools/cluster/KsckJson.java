package dev.kudu4j.tools.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;

/** The result of ksck as JSON, with the names that Apache Kudu's tool uses. */
final class KsckJson {
  private final KsckResult result;

  KsckJson(KsckResult result) {
    this.result = result;
  }

  String text(boolean pretty) {
    ObjectMapper mapper = new ObjectMapper();
    ObjectWriter writer = pretty ? mapper.writerWithDefaultPrettyPrinter() : mapper.writer();
    try {
      return writer.writeValueAsString(root());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Cannot write the report", e);
    }
  }

  private ObjectNode root() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("healthy", result.isHealthy());
    ArrayNode errors = root.putArray("errors");
    result.errors().forEach(errors::add);
    ArrayNode steps = root.putArray("next_steps");
    result.nextSteps().forEach(steps::add);
    ArrayNode masters = root.putArray("master_summaries");
    result.survey().masters().forEach(master -> server(masters.addObject(), master));
    ArrayNode servers = root.putArray("tserver_summaries");
    for (ServerState server : result.tabletServers()) {
      ObjectNode node = server(servers.addObject(), server);
      if (server.hasAnswered()) {
        node.put("replicas", server.replicas().size()).put("leaders", server.leaderCount());
      }
    }
    ArrayNode tablets = root.putArray("tablet_summaries");
    result.tablets().forEach(tablet -> tablet(tablets.addObject(), tablet));
    ArrayNode tables = root.putArray("table_summaries");
    result.tables().forEach(table -> table(tables.addObject(), table));
    if (result.checksummedRows() >= 0) {
      checksums(root.putObject("checksum_results"));
    }
    ObjectNode counts = root.putObject("count_summaries");
    counts.put("masters", result.survey().masters().size());
    counts.put("tservers", result.tabletServers().size());
    counts.put("tables", result.tables().size());
    counts.put("tablets", result.tablets().size());
    counts.put("replicas", result.tablets().stream().mapToInt(t -> t.replicas().size()).sum());
    return root;
  }

  private static ObjectNode server(ObjectNode node, ServerState server) {
    node.put("uuid", server.uuid()).put("address", server.address());
    node.put("health", server.health().name());
    node.put("status", server.error().isEmpty() ? "OK" : server.error());
    if (!server.version().isEmpty()) {
      node.put("version", server.version());
    }
    if (!server.role().isEmpty()) {
      node.put("role", server.role());
    }
    if (!server.location().isEmpty()) {
      node.put("location", server.location());
    }
    return node;
  }

  private static void tablet(ObjectNode node, TabletVerdict tablet) {
    node.put("id", tablet.tablet());
    node.put("table_id", tablet.table().id()).put("table_name", tablet.table().name());
    node.put("health", tablet.health().name()).put("status", tablet.reason());
    ArrayNode replicas = node.putArray("replicas");
    for (TabletVerdict.Replica replica : tablet.replicas()) {
      ObjectNode each = replicas.addObject();
      each.put("ts_uuid", replica.uuid()).put("ts_address", replica.address());
      each.put("ts_healthy", replica.server() != null && replica.server().isHealthy());
      each.put("is_leader", replica.uuid().equals(tablet.leader()));
      each.put("is_voter", replica.voter()).put("state", replica.state());
      if (replica.consensus() != null) {
        consensus(each.putObject("consensus_state"), replica.consensus());
      }
    }
  }

  private static void consensus(ObjectNode node, ConsensusStatePB state) {
    RaftConfigPB config =
        state.hasPendingConfig() ? state.getPendingConfig() : state.getCommittedConfig();
    node.put("type", state.hasPendingConfig() ? "PENDING" : "COMMITTED");
    node.put("term", state.getCurrentTerm()).put("opid_index", config.getOpidIndex());
    node.put("leader_uuid", state.getLeaderUuid());
    ArrayNode voters = node.putArray("voter_uuids");
    for (RaftPeerPB peer : config.getPeersList()) {
      if (peer.getMemberType() != RaftPeerPB.MemberType.NON_VOTER) {
        voters.add(peer.getPermanentUuid().toStringUtf8());
      }
    }
  }

  private static void table(ObjectNode node, TableVerdict table) {
    node.put("id", table.table().id()).put("name", table.table().name());
    node.put("health", table.health().name());
    node.put("replication_factor", table.table().replicationFactor());
    node.put("total_tablets", table.tablets().size());
    node.put("healthy_tablets", table.count(TabletHealth.HEALTHY));
    node.put("recovering_tablets", table.count(TabletHealth.RECOVERING));
    node.put("underreplicated_tablets", table.count(TabletHealth.UNDER_REPLICATED));
    node.put("consensus_mismatch_tablets", table.count(TabletHealth.CONSENSUS_MISMATCH));
    node.put("unavailable_tablets", table.count(TabletHealth.UNAVAILABLE));
  }

  private void checksums(ObjectNode node) {
    node.put("rows", result.checksummedRows());
    ArrayNode replicas = node.putArray("replicas");
    for (ChecksumScan.Sum sum : result.checksums()) {
      ObjectNode each = replicas.addObject();
      each.put("table_name", sum.tablet().table().name());
      each.put("tablet_id", sum.tablet().tablet());
      each.put("ts_uuid", sum.replica().uuid());
      each.put("ts_address", sum.replica().address());
      each.put("mismatch", result.mismatches().contains(sum.tablet().tablet()));
      if (sum.error().isEmpty()) {
        each.put("checksum", Long.toUnsignedString(sum.value()));
      } else {
        each.put("status", sum.error());
      }
    }
  }
}
