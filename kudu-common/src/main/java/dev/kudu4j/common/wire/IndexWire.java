package dev.kudu4j.common.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.index.ClaimedIndex;
import dev.kudu4j.common.index.IndexBuckets;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.IndexKind;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.proto.index.IndexPB;
import dev.kudu4j.common.proto.index.IndexesPB;
import dev.kudu4j.common.status.KuduException;
import java.util.List;

/** Converts definitions of indexes to and from wire messages. */
public final class IndexWire {
  private IndexWire() {}

  public static IndexPB toWire(IndexDefinition index) {
    IndexPB.Builder pb =
        IndexPB.newBuilder()
            .setId(index.id())
            .setName(index.name())
            .addAllColumnIds(index.columns())
            .addAllIncludedColumnIds(index.included())
            .setUniqueness(index.uniqueness().number());
    if (index.hasTablets()) {
      pb.setKind(index.kind().number())
          .addAllHashedColumnIds(index.buckets().columns())
          .setBucketCount(index.buckets().count());
    }
    return pb.build();
  }

  public static IndexDefinition fromWire(IndexPB pb) {
    return new IndexDefinition(
        pb.getId(),
        pb.getName(),
        IndexKind.ofNumber(pb.getKind()),
        pb.getColumnIdsList(),
        pb.getIncludedColumnIdsList(),
        Uniqueness.ofNumber(pb.getUniqueness()),
        new IndexBuckets(pb.getHashedColumnIdsList(), pb.getBucketCount()));
  }

  /**
   * The unique indexes among these whose values are claimed.
   *
   * @param bytes as {@link #toBytes} or a message of a master has them
   * @throws KuduException CORRUPTION if the bytes are no message
   */
  public static List<ClaimedIndex> claimedFromBytes(byte[] bytes) {
    return parse(bytes).getIndexesList().stream()
        .filter(pb -> pb.getKind() == IndexKind.CLAIMED.number())
        .map(
            pb ->
                new ClaimedIndex(
                    fromWire(pb),
                    pb.getClaimTabletIdsList().stream().map(ByteString::toStringUtf8).toList()))
        .toList();
  }

  public static byte[] toBytes(List<IndexDefinition> indexes) {
    IndexesPB.Builder pb = IndexesPB.newBuilder();
    indexes.forEach(index -> pb.addIndexes(toWire(index)));
    return pb.build().toByteArray();
  }

  /**
   * @throws KuduException CORRUPTION if the bytes are no message
   */
  public static List<IndexDefinition> fromBytes(byte[] bytes) {
    return parse(bytes).getIndexesList().stream().map(IndexWire::fromWire).toList();
  }

  private static IndexesPB parse(byte[] bytes) {
    try {
      return IndexesPB.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption("The definitions of indexes are corrupt: %s", e);
    }
  }
}
