package dev.kudu4j.client.feed;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.common.proto.tserver.ReadChangesRequestPB;
import dev.kudu4j.common.proto.tserver.ReadChangesResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerFeatures;
import dev.kudu4j.common.status.KuduException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The change feed of one tablet. It holds at most one response. Only the reader's thread changes
 * it: futures return responses, which the reader adds.
 */
final class TabletFeed {
  private static final TabletCall<ReadChangesResponsePB> READ_CHANGES =
      new TabletCall<>(
          "ReadChanges",
          ReadChangesResponsePB.parser(),
          ReadChangesResponsePB::getError,
          List.of(TabletServerFeatures.CHANGE_FEED_VALUE),
          false);

  private static final int MIN_CHANGES = 64;
  private static final int MAX_CHANGES = 1 << 14;

  private final FeedQuery query;
  private final RemoteTablet tablet;
  private FeedPlace delivered;
  private ChangeRows held; // null if all changes that were received are delivered
  private int nextChange; // of the held ones
  private int wantedChanges = MAX_CHANGES; // about as many as fit into a response

  TabletFeed(FeedQuery query, RemoteTablet tablet, FeedPlace from) {
    this.query = query;
    this.tablet = tablet;
    this.delivered = from;
  }

  RemoteTablet tablet() {
    return tablet;
  }

  /** Whether a change is ready to be delivered. */
  boolean hasChange() {
    return held != null;
  }

  /** The timestamp of the next change, or below which there is none. */
  long nextTimestamp() {
    return held != null ? held.timestamp(nextChange) : delivered.timestamp();
  }

  /** Whether all changes below the end have been delivered. */
  boolean isOver(long end) {
    return held == null && delivered.timestamp() >= end;
  }

  /** The position behind the changes that were delivered. */
  FeedPlace delivered() {
    if (held != null && nextChange > 0) {
      return held.behind(nextChange - 1, query.layout(), query.keyColumns());
    }
    return delivered;
  }

  /**
   * Asks for the changes after those that are held.
   *
   * @param seen the highest timestamp that the client has seen
   */
  CompletableFuture<ChangeRows> fetch(long seen, int batchBytes, Deadline deadline) {
    ReadChangesRequestPB request = request(seen, batchBytes);
    return query
        .cluster()
        .call(tablet, query.replicaChoice(), READ_CHANGES, replica -> request, deadline)
        .thenApply(
            reply -> {
              try (var response = reply.response()) {
                ReadChangesResponsePB answer = response.message();
                query.cluster().observe(answer.getPropagatedTimestamp());
                return ChangeRows.decode(answer, response.sidecars(), query.layout());
              }
            });
  }

  private ReadChangesRequestPB request(long seen, int batchBytes) {
    ReadChangesRequestPB.Builder request =
        ReadChangesRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(tablet.tabletId()))
            .addAllProjectedColumns(query.columns().toWire())
            .setFromTimestamp(delivered.timestamp())
            .setMaxChanges(wantedChanges)
            .setBatchSizeBytes(batchBytes);
    if (delivered.afterKey() != null) {
      request.setAfterKey(ByteString.copyFrom(delivered.afterKey()));
    }
    if (query.end() != Long.MAX_VALUE) {
      request.setEndTimestamp(query.end());
    }
    if (seen > 0) {
      request.setPropagatedTimestamp(seen);
    }
    return request.build();
  }

  /**
   * Adds a response to a call of {@link #fetch} that was made when no change was held.
   *
   * @throws KuduException CORRUPTION if it goes back
   */
  void add(ChangeRows changes) {
    assert held == null : "The changes of the last response come first";
    if (changes.next().compareTo(delivered) < 0) {
      throw KuduException.corruption(
          "The changes of %s go on %s, and were read %s",
          tablet.describe(), changes.next(), delivered);
    }
    if (changes.count() == 0) {
      delivered = changes.next();
      return;
    }
    held = changes;
    nextChange = 0;
    boolean isCut = changes.next().afterKey() != null;
    wantedChanges =
        isCut ? Math.max(MIN_CHANGES, Math.min(2 * changes.count(), MAX_CHANGES)) : MAX_CHANGES;
  }

  /** Delivers the next change. */
  <C> C next(ChangeFactory<C> factory) {
    int row = held.firstRow(nextChange);
    int after =
        switch (held.kind(nextChange)) {
          case INSERT -> row;
          case UPDATE -> row + 1;
          default -> ChangeFactory.NO_ROW;
        };
    int before =
        held.kind(nextChange) == ReadChangesResponsePB.Kind.INSERT ? ChangeFactory.NO_ROW : row;
    C change =
        factory.change(tablet.tabletId(), held.timestamp(nextChange), held.rows(), before, after);
    nextChange++;
    if (nextChange == held.count()) {
      delivered = held.next();
      held = null;
      nextChange = 0;
    }
    return change;
  }
}
