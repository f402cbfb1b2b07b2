package dev.kudu4j.tserver.feed;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.tserver.ReadChangesRequestPB;
import dev.kudu4j.common.proto.tserver.ReadChangesResponsePB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.schema.Projection;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.server.memory.ScanMemoryGate;
import dev.kudu4j.tablet.feed.ChangeBatch;
import dev.kudu4j.tablet.feed.ChangeKind;
import dev.kudu4j.tablet.feed.FeedPosition;
import dev.kudu4j.tablet.feed.FeedRequest;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.scan.ReplyBlock;
import dev.kudu4j.tserver.scan.ScanCalls;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The ReadChanges call. It reads what the replica knows to be final, and never waits: the client
 * asks again. Any replica may answer, and all give the same changes. Thread-safe.
 */
public final class ChangeCalls {
  private static final int DEFAULT_CHANGES = 4096;

  /** The changes that are found are on the heap, with their keys. */
  private static final int MAX_CHANGES = 16_384;

  private final TabletRegistry tablets;
  private final HybridClock clock;
  private final BufferAllocator allocator;
  private final ScanMemoryGate memoryGate;
  private final ScanCalls.BatchLimits limits;

  /**
   * @param allocator the allocator of rows that are being sent; outlives every reply
   * @param memoryGate the memory gate of scans; each call enters it
   * @param limits the sizes of replies
   */
  public ChangeCalls(
      TabletRegistry tablets,
      HybridClock clock,
      BufferAllocator allocator,
      ScanMemoryGate memoryGate,
      ScanCalls.BatchLimits limits) {
    this.tablets = tablets;
    this.clock = clock;
    this.allocator = allocator;
    this.memoryGate = memoryGate;
    this.limits = limits;
  }

  public void readChanges(ReadChangesRequestPB request, RpcCall call) {
    List<ByteBuf> sidecars = new ArrayList<>();
    ReadChangesResponsePB reply;
    try {
      reply = read(request, sidecars);
    } catch (IOException | RuntimeException e) {
      sidecars.forEach(ByteBuf::release);
      TabletServerError.answer(
          call,
          e,
          error -> call.respond(ReadChangesResponsePB.newBuilder().setError(error).build()));
      return;
    }
    call.respond(reply, sidecars);
  }

  @SuppressWarnings("try") // the lease is held, not used
  private ReadChangesResponsePB read(ReadChangesRequestPB request, List<ByteBuf> sidecars)
      throws IOException {
    HostedTablet tablet = tablets.running(request.getTabletId());
    if (!tablet.replica().isCurrent()) {
      throw KuduException.serviceUnavailable(
          "The replica of tablet %s is still replaying its log; try again", tablet.tabletId());
    }
    if (request.hasPropagatedTimestamp() && clock.isTrusted(request.getPropagatedTimestamp())) {
      clock.update(request.getPropagatedTimestamp());
    }
    FeedRequest feed = feedRequest(request, tablet);
    try (ScanMemoryGate.Lease lease = memoryGate.enter(feed.softLimitBytes());
        ChangeBatch batch = new ChangeBatch(allocator, feed.projection())) {
      read(tablet, feed, batch);
      return reply(batch, sidecars);
    }
  }

  private static void read(HostedTablet tablet, FeedRequest feed, ChangeBatch batch)
      throws IOException {
    try {
      tablet.tablet().readChanges(feed, batch);
    } catch (IOException | RuntimeException e) {
      tablet.readFailed(e);
      throw e;
    }
  }

  private FeedRequest feedRequest(ReadChangesRequestPB request, HostedTablet tablet) {
    long from = request.getFromTimestamp();
    if (from < 0) {
      throw KuduException.invalidArgument(
          "A position in the change feed is never below 0: %d", from);
    }
    FeedPosition position =
        new FeedPosition(from, request.hasAfterKey() ? request.getAfterKey().toByteArray() : null);
    long end = tablet.replica().safeTime().now();
    if (request.hasEndTimestamp()) {
      end = Math.min(end, request.getEndTimestamp());
    }
    Projection columns =
        Projection.of(
            SchemaWire.columns(request.getProjectedColumnsList()), tablet.tablet().schema());
    int max = request.hasMaxChanges() ? request.getMaxChanges() : DEFAULT_CHANGES;
    return new FeedRequest(
        columns.schema(),
        position,
        Math.max(end, from),
        Math.max(1, Math.min(max, MAX_CHANGES)),
        limits.softLimit(request.hasBatchSizeBytes(), request.getBatchSizeBytes()));
  }

  private ReadChangesResponsePB reply(ChangeBatch batch, List<ByteBuf> sidecars) {
    ReadChangesResponsePB.Builder reply =
        ReadChangesResponsePB.newBuilder().setPropagatedTimestamp(clock.now());
    if (batch.count() > 0) {
      byte[] kinds = new byte[batch.count()];
      for (int i = 0; i < kinds.length; i++) {
        kinds[i] = wireKind(batch.kind(i));
        reply.addTimestamps(batch.timestamp(i));
      }
      reply.setKinds(ByteString.copyFrom(kinds));
      reply.setRows(ReplyBlock.columnar(batch.rows(), sidecars));
    }
    FeedPosition next = batch.next();
    reply.setNextTimestamp(next.timestamp());
    byte[] key = next.afterKey();
    if (key != null) {
      reply.setNextAfterKey(ByteString.copyFrom(key));
    }
    return reply.build();
  }

  private static byte wireKind(ChangeKind kind) {
    return switch (kind) {
      case INSERT -> 1;
      case UPDATE -> 2;
      case DELETE -> 3;
    };
  }
}
