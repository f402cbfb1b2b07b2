package dev.kudu4j.itest.hostile;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Valid messages, for attacks to change. */
final class Forgery {
  static final byte INSERT = 1;

  private static final int SLICE_ROW_BYTES = 1 + 2 + 8 + 16; // type, two bitmaps, a number, a slice

  private Forgery() {}

  static ByteString text(String text) {
    return ByteString.copyFromUtf8(text);
  }

  static HostPortPB at(String host, int port) {
    return HostPortPB.newBuilder().setHost(host).setPort(port).build();
  }

  /**
   * The columns of {@link HostileCluster#STILL} and the similar tables, as a client writes them.
   */
  static SchemaPB schema() {
    return SchemaPB.newBuilder()
        .addColumns(HostileCluster.column("id", DataType.INT64, true))
        .addColumns(HostileCluster.column("text", DataType.STRING, false))
        .build();
  }

  static SchemaPB schemaWithIds() {
    SchemaPB.Builder schema = schema().toBuilder();
    for (int i = 0; i < schema.getColumnsCount(); i++) {
      schema.getColumnsBuilder(i).setId(10 + i);
    }
    return schema.build();
  }

  static RaftPeerPB.Builder peer(Target target) {
    return RaftPeerPB.newBuilder()
        .setPermanentUuid(target.uuidBytes())
        .setMemberType(RaftPeerPB.MemberType.VOTER)
        .setLastKnownAddr(Target.toWire(target.rpc()))
        .setRaftAddr(Target.toWire(target.raft()));
  }

  /** A tablet of one replica, as the master would request it. */
  static CreateTabletRequestPB.Builder createTablet(Target target, String tabletId) {
    return CreateTabletRequestPB.newBuilder()
        .setDestUuid(target.uuidBytes())
        .setTabletId(text(tabletId))
        .setTableId(text("f".repeat(32)))
        .setTableName("forged")
        .setSchema(schemaWithIds())
        .setSchemaVersion(0)
        .setPartition(PartitionPB.getDefaultInstance())
        .setPartitionSchema(PartitionSchemaPB.getDefaultInstance())
        .setConfig(RaftConfigPB.newBuilder().setOpidIndex(-1).addPeers(peer(target)))
        .setDestInstanceSeqno(target.instance());
  }

  static TSHeartbeatRequestPB.Builder heartbeat(String uuid, long instance) {
    return TSHeartbeatRequestPB.newBuilder()
        .setInstance(
            NodeInstancePB.newBuilder().setPermanentUuid(text(uuid)).setInstanceSeqno(instance));
  }

  static ServerRegistrationPB.Builder registration(HostPortPB address) {
    return ServerRegistrationPB.newBuilder()
        .addRpcAddresses(address)
        .addHttpAddresses(address)
        .setSoftwareVersion("forged");
  }

  /** Inserts of rows whose text is always the same slice of the indirect data. */
  static WriteRequestPB.Builder write(String tabletId, int rows, int textBytes) {
    ByteBuffer packed = ByteBuffer.allocate(rows * SLICE_ROW_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < rows; i++) {
      packed.put(INSERT).put((byte) 0b11).put((byte) 0).putLong(i).putLong(0).putLong(textBytes);
    }
    return WriteRequestPB.newBuilder()
        .setTabletId(text(tabletId))
        .setSchema(schema())
        .setRowOperations(
            RowOperationsPB.newBuilder()
                .setRows(ByteString.copyFrom(packed.array()))
                .setIndirectData(ByteString.copyFrom(new byte[textBytes])));
  }
}
