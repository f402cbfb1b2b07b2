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
import dev.kudu4j.server.replica.SafeTime;
import dev.kudu4j.tablet.feed.ChangeBatch;
import dev.kudu4j.tablet.feed.ChangeKind;
import dev.kudu4j.tablet.feed.FeedPosition;
import dev.kudu4j.tablet.feed.FeedRequest;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.scan.ReadWait;
import dev.kudu4j.tserver.scan.ReplyBlock;
import dev.kudu4j.tserver.scan.ScanCalls;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The ReadChanges call. It reads up to the present, or up to the time that the client has seen, and
 * waits until no operation below it can arrive; no thread blocks meanwhile. Any replica may answer,
 * and all give the same changes. Thread-safe.
 */
public final class ChangeCalls {
  private static final int DEFAULT_CHANGES = 4096;

  /** The changes that are found are on the heap, with their keys. */
  private static final int MAX_CHANGES = 16_384;

  /** A call reads for about so long at most, so that it is answered before its client gives up. */
  private static final long MAX_READ_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final TabletRegistry tablets;
  private final HybridClock clock;
  private final BufferAllocator allocator;
  private final ScanMemoryGate memoryGate;
  private final ScanCalls.BatchLimits limits;
  private final Executor executor;

  /**
   * @param allocator the allocator of rows that are being sent; outlives every reply
   * @param memoryGate the memory gate of scans; each call enters it
   * @param limits the sizes of replies
   * @param executor continues calls that had to wait
   */
  public ChangeCalls(
      TabletRegistry tablets,
      HybridClock clock,
      BufferAllocator allocator,
      ScanMemoryGate memoryGate,
      ScanCalls.BatchLimits limits,
      Executor executor) {
    this.tablets = tablets;
    this.clock = clock;
    this.allocator = allocator;
    this.memoryGate = memoryGate;
    this.limits = limits;
    this.executor = executor;
  }

  public void readChanges(ReadChangesRequestPB request, RpcCall call) {
    try {
      HostedTablet tablet = tablets.running(request.getTabletId());
      if (!tablet.replica().isCurrent()) {
        throw KuduException.serviceUnavailable(
            "The replica of tablet %s is still replaying its log; try again", tablet.tabletId());
      }
      if (request.getFromTimestamp() < 0) {
        throw KuduException.invalidArgument(
            "A position in the change feed is never below 0: %d", request.getFromTimestamp());
      }
      SafeTime safeTime = tablet.replica().safeTime();
      safeTime
          .whenReadable(wanted(request), ReadWait.nanos(call))
          .whenCompleteAsync(
              (readable, failure) -> {
                if (failure != null && safeTime.now() <= request.getFromTimestamp()) {
                  fail(call, ReadWait.later(failure)); // another replica may know more
                } else {
                  answer(request, call, tablet);
                }
              },
              executor);
    } catch (RuntimeException e) {
      fail(call, e);
    }
  }

  /** The time up to which changes are wanted. */
  private long wanted(ReadChangesRequestPB request) {
    long wanted = clock.now();
    if (request.hasPropagatedTimestamp() && clock.isTrusted(request.getPropagatedTimestamp())) {
      clock.update(request.getPropagatedTimestamp());
      wanted = Math.max(wanted, request.getPropagatedTimestamp());
    }
    return Math.min(wanted, end(request));
  }

  /** The end of the request, as a number without sign. */
  private static long end(ReadChangesRequestPB request) {
    boolean hasEnd = request.hasEndTimestamp() && request.getEndTimestamp() >= 0;
    return hasEnd ? request.getEndTimestamp() : Long.MAX_VALUE;
  }

  private void answer(ReadChangesRequestPB request, RpcCall call, HostedTablet tablet) {
    List<ByteBuf> sidecars = new ArrayList<>();
    ReadChangesResponsePB reply;
    try {
      reply = read(feedRequest(request, tablet), tablet, sidecars);
    } catch (IOException | RuntimeException e) {
      sidecars.forEach(ByteBuf::release);
      fail(call, tablet.readFailed(e));
      return;
    }
    call.respond(reply, sidecars);
  }

  private static void fail(RpcCall call, Throwable failure) {
    TabletServerError.answer(
        call,
        failure,
        error -> call.respond(ReadChangesResponsePB.newBuilder().setError(error).build()));
  }

  @SuppressWarnings("try") // the lease is held, not used
  private ReadChangesResponsePB read(FeedRequest feed, HostedTablet tablet, List<ByteBuf> sidecars)
      throws IOException {
    try (ScanMemoryGate.Lease lease = memoryGate.enter(feed.softLimitBytes());
        ChangeBatch batch = new ChangeBatch(allocator, feed.projection())) {
      tablet.tablet().readChanges(feed, batch);
      return reply(batch, sidecars);
    }
  }

  private FeedRequest feedRequest(ReadChangesRequestPB request, HostedTablet tablet) {
    FeedPosition position =
        new FeedPosition(
            request.getFromTimestamp(),
            request.hasAfterKey() ? request.getAfterKey().toByteArray() : null);
    Projection columns =
        Projection.of(
            SchemaWire.columns(request.getProjectedColumnsList()), tablet.tablet().schema());
    long max =
        request.hasMaxChanges() ? Integer.toUnsignedLong(request.getMaxChanges()) : DEFAULT_CHANGES;
    return new FeedRequest(
        columns.schema(),
        position,
        Math.min(tablet.replica().safeTime().now(), end(request)),
        (int) Math.max(1, Math.min(max, MAX_CHANGES)),
        limits.softLimit(request.hasBatchSizeBytes(), request.getBatchSizeBytes()),
        MAX_READ_NANOS);
  }

  private ReadChangesResponsePB reply(ChangeBatch batch, List<ByteBuf> sidecars) {
    ReadChangesResponsePB.Builder reply =
        ReadChangesResponsePB.newBuilder().setPropagatedTimestamp(clock.now());
    for (int i = 0; i < batch.count(); i++) {
      reply.addTimestamps(batch.timestamp(i)).addKinds(wireKind(batch.kind(i)));
    }
    if (batch.count() > 0) {
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

  private static ReadChangesResponsePB.Kind wireKind(ChangeKind kind) {
    return switch (kind) {
      case INSERT -> ReadChangesResponsePB.Kind.INSERT;
      case UPDATE -> ReadChangesResponsePB.Kind.UPDATE;
      case DELETE -> ReadChangesResponsePB.Kind.DELETE;
    };
  }
}
