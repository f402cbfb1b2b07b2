package dev.kudu4j.tserver.tablets;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.proto.index.DerivationPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.IndexWire;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * What the rows of a derived tablet are computed from.
 *
 * @param index of the base table, whose rows they are
 * @param buildTimestamp snapshots below it cannot be read
 * @param sources the ids of the base table's tablets
 * @param bucketCount if both tables are hashed alike, the number of the base table's buckets; else
 *     0
 * @param buckets the bucket of each source, if both tables are hashed alike
 */
public record Derivation(
    IndexDefinition index,
    long buildTimestamp,
    List<String> sources,
    int bucketCount,
    List<Integer> buckets) {
  public Derivation {
    sources = List.copyOf(sources);
    buckets = List.copyOf(buckets);
  }

  /**
   * The sources that can have rows of one tablet of the index. A hash that is b modulo n and j
   * modulo m is both modulo the common divisors of n and m, so the buckets must agree there.
   *
   * @param bucket of the tablet
   * @param count the number of buckets of the index; 0 if it has none
   */
  public List<String> sourcesOf(int bucket, int count) {
    if (count == 0 || bucketCount == 0) {
      return sources;
    }
    int divisor = BigInteger.valueOf(count).gcd(BigInteger.valueOf(bucketCount)).intValue();
    List<String> some = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      if (buckets.get(i) % divisor == bucket % divisor) {
        some.add(sources.get(i));
      }
    }
    return some;
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

  /**
   * @throws KuduException INVALID_ARGUMENT for an unknown kind of index or an impossible timestamp
   */
  public static Derivation fromWire(DerivationPB pb) {
    if (pb.getBuildTimestamp() <= 0) {
      throw KuduException.invalidArgument(
          "An index cannot be built from the rows at timestamp %d", pb.getBuildTimestamp());
    }
    return new Derivation(
        IndexWire.fromWire(pb.getIndex()),
        pb.getBuildTimestamp(),
        pb.getSourceTabletIdsList().stream().map(id -> id.toStringUtf8()).toList(),
        pb.getSourceBucketsCount() == pb.getSourceTabletIdsCount() ? pb.getSourceBucketCount() : 0,
        pb.getSourceBucketsList());
  }

  /** The derivation without the sources. */
  public DerivationPB toWire() {
    return DerivationPB.newBuilder()
        .setIndex(IndexWire.toWire(index))
        .setBuildTimestamp(buildTimestamp)
        .build();
  }
}
