package dev.kudu4j.common.wire;

import com.google.protobuf.InvalidProtocolBufferException;
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
    if (index.isGlobal()) {
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

  public static byte[] toBytes(List<IndexDefinition> indexes) {
    IndexesPB.Builder pb = IndexesPB.newBuilder();
    indexes.forEach(index -> pb.addIndexes(toWire(index)));
    return pb.build().toByteArray();
  }

  /**
   * @throws KuduException CORRUPTION if the bytes are no message
   */
  public static List<IndexDefinition> fromBytes(byte[] bytes) {
    try {
      return IndexesPB.parseFrom(bytes).getIndexesList().stream().map(IndexWire::fromWire).toList();
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption("The definitions of indexes are corrupt: %s", e);
    }
  }
}
