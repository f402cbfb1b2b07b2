package dev.kudu4j.client.feed;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.common.proto.tserver.ReadChangesRequestPB;
import dev.kudu4j.common.proto.tserver.ReadChangesResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerFeatures;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The change feed of one tablet: at most one response is held. Used by one thread at a time. */
final class TabletFeed {
  private static final TabletCall<ReadChangesResponsePB> READ_CHANGES =
      new TabletCall<>(
          "ReadChanges",
          ReadChangesResponsePB.parser(),
          ReadChangesResponsePB::getError,
          List.of(TabletServerFeatures.CHANGE_FEED_VALUE),
          false);

  private final FeedQuery query;
  private final RemoteTablet tablet;
  private FeedPlace delivered;
  private ChangeRows held; // null if all changes that were received are delivered
  private int nextChange; // of the held ones

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

  /** Asks for the next changes; only when none is held. */
  CompletableFuture<Void> fetch(long seen, Deadline deadline) {
    assert held == null : "The changes of the last response come first";
    ReadChangesRequestPB request = request(seen);
    return query
        .cluster()
        .call(tablet, query.replicaChoice(), READ_CHANGES, replica -> request, deadline)
        .thenAccept(
            reply -> {
              try (var response = reply.response()) {
                ReadChangesResponsePB answer = response.message();
                accept(ChangeRows.decode(answer, response.sidecars(), query.layout()));
                query.cluster().observe(answer.getPropagatedTimestamp());
              }
            });
  }

  private ReadChangesRequestPB request(long seen) {
    ReadChangesRequestPB.Builder request =
        ReadChangesRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(tablet.tabletId()))
            .addAllProjectedColumns(query.columns().toWire())
            .setFromTimestamp(delivered.timestamp())
            .setBatchSizeBytes(query.batchBytes());
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

  private void accept(ChangeRows changes) {
    if (changes.count() == 0) {
      delivered = changes.next();
    } else {
      held = changes;
      nextChange = 0;
    }
  }

  /** Delivers the next change. */
  <C> C next(ChangeFactory<C> factory) {
    int row = held.firstRow(nextChange);
    byte kind = held.kind(nextChange);
    int before = kind == ChangeRows.INSERT ? ChangeFactory.NO_ROW : row;
    int after = kind == ChangeRows.DELETE ? ChangeFactory.NO_ROW : row;
    C change =
        factory.change(
            tablet.tabletId(),
            held.timestamp(nextChange),
            held.rows(),
            before,
            kind == ChangeRows.UPDATE ? row + 1 : after);
    nextChange++;
    if (nextChange == held.count()) {
      delivered = held.next();
      held = null;
      nextChange = 0;
    }
    return change;
  }
}
