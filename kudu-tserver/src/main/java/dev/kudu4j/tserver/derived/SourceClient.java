package dev.kudu4j.tserver.derived;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.ReadIndexRowsRequestPB;
import dev.kudu4j.common.proto.cluster.ReadIndexRowsResponsePB;
import dev.kudu4j.server.leaders.TabletLeaders;
import dev.kudu4j.tablet.feed.FeedPosition;
import dev.kudu4j.tserver.tablets.Derivation;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Reads rows of an index at the leaders of the base table's tablets. Thread-safe. */
final class SourceClient {
  private static final long CALL_SECONDS = 10;

  private final TabletLeaders leaders;

  SourceClient(TabletLeaders leaders) {
    this.leaders = leaders;
  }

  /**
   * Reads the next rows for a derived tablet. Fails if no leader of the source answers for some
   * seconds.
   *
   * @param wanted a snapshot that a reader waits for, or 0
   * @param maxBytes about the maximum size of the rows
   */
  CompletableFuture<ReadIndexRowsResponsePB> read(
      HostedTablet derived,
      Derivation derivation,
      String source,
      FeedPosition from,
      long wanted,
      int maxBytes) {
    ReadIndexRowsRequestPB.Builder request =
        ReadIndexRowsRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(source))
            .setDerivation(derivation.toWire())
            .setPartition(derived.partitionWire())
            .setPartitionSchema(derived.partitionSchemaWire())
            .setFromTimestamp(from.timestamp())
            .setWantedTimestamp(wanted)
            .setMaxBytes(maxBytes);
    byte[] key = from.afterKey();
    if (key != null) {
      request.setAfterKey(ByteString.copyFrom(key));
    }
    return leaders.call(
        source,
        "ReadIndexRows",
        request.build(),
        ReadIndexRowsResponsePB.parser(),
        ReadIndexRowsResponsePB::getError,
        System.nanoTime() + TimeUnit.SECONDS.toNanos(CALL_SECONDS));
  }
}
