package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.common.TableTypePB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.rpc.PeerWire;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.log.FeedMark;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A valid request to create a tablet on this server.
 *
 * @param members all members of the group, including this server
 */
record NewTablet(TabletDescriptor descriptor, List<RaftHost.Peer> members) {
  /**
   * @throws KuduException INVALID_ARGUMENT for an invalid id, a member without a usable address, or
   *     a group without this server
   */
  static NewTablet of(CreateTabletRequestPB request, String serverUuid) {
    HexId.require("tablet_id", request.getTabletId());
    HexId.require("table_id", request.getTableId());
    List<RaftHost.Peer> members = PeerWire.members("config", request.getConfig().getPeersList());
    checkNamesThisServer(members, serverUuid);
    return new NewTablet(descriptor(request), members);
  }

  /**
   * Rejects a group without this server: its replica here would use threads and files, but serve no
   * client.
   */
  private static void checkNamesThisServer(List<RaftHost.Peer> members, String uuid) {
    if (members.stream().noneMatch(member -> member.serverUuid().equals(uuid))) {
      throw KuduException.invalidArgument("config does not name this server, %s", uuid);
    }
  }

  private static TabletDescriptor descriptor(CreateTabletRequestPB request) {
    Schema schema = SchemaWire.fromWire(request.getSchema());
    return new TabletDescriptor(
        request.getTabletId().toStringUtf8(),
        request.getTableId().toStringUtf8(),
        request.getTableName(),
        schema,
        request.getSchemaVersion(),
        attributes(request, schema));
  }

  private static Map<String, byte[]> attributes(CreateTabletRequestPB request, Schema schema) {
    Map<String, byte[]> attributes =
        new HashMap<>(TabletAttributes.ofConfig(request.getExtraConfig(), schema));
    attributes.put(TabletAttributes.PARTITION, request.getPartition().toByteArray());
    attributes.put(TabletAttributes.PARTITION_SCHEMA, request.getPartitionSchema().toByteArray());
    if (request.getTableType() == TableTypePB.TXN_STATUS_TABLE) {
      attributes.put(
          TabletAttributes.TABLE_TYPE, new byte[] {(byte) request.getTableType().getNumber()});
    }
    Derivation derivation = TabletAttributes.derivation(attributes);
    if (derivation != null
        && derivation
            .index()
            .isGlobal()) { // the rows of the snapshot come first, as changes right below it
      attributes.put(
          TabletDescriptor.DERIVED,
          new FeedMark(derivation.buildTimestamp() - 1, new byte[0]).toBytes());
    }
    return Map.copyOf(attributes);
  }

  String tabletId() {
    return descriptor.tabletId();
  }

  List<String> memberUuids() {
    return members.stream().map(RaftHost.Peer::serverUuid).toList();
  }
}
