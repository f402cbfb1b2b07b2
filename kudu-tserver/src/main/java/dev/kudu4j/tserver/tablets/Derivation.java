package dev.kudu4j.tserver.tablets;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.proto.index.DerivationPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.IndexWire;
import java.util.List;

/**
 * What the rows of a derived tablet are computed from.
 *
 * @param index of the base table, whose rows they are
 * @param buildTimestamp snapshots below it cannot be read
 * @param sources the ids of the base table's tablets
 */
public record Derivation(IndexDefinition index, long buildTimestamp, List<String> sources) {
  public Derivation {
    sources = List.copyOf(sources);
  }

  /**
   * @throws KuduException CORRUPTION if the bytes are no message
   */
  static Derivation fromBytes(byte[] bytes) {
    try {
      return fromWire(DerivationPB.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption("The derivation of a tablet is damaged: %s", e);
    }
  }

  public static Derivation fromWire(DerivationPB pb) {
    return new Derivation(
        IndexWire.fromWire(pb.getIndex()),
        pb.getBuildTimestamp(),
        pb.getSourceTabletIdsList().stream().map(id -> id.toStringUtf8()).toList());
  }

  /** The derivation without the sources. */
  public DerivationPB toWire() {
    return DerivationPB.newBuilder()
        .setIndex(IndexWire.toWire(index))
        .setBuildTimestamp(buildTimestamp)
        .build();
  }
}
