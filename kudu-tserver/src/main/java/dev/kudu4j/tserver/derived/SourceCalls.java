package dev.kudu4j.tserver.derived;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.ReadIndexRowsRequestPB;
import dev.kudu4j.common.proto.cluster.ReadIndexRowsResponsePB;
import dev.kudu4j.common.proto.cluster.ReadIndexRowsResponsePB.GroupPB;
import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.memory.ScanMemoryGate;
import dev.kudu4j.server.replica.SafeTime;
import dev.kudu4j.tablet.derived.FeedMerge;
import dev.kudu4j.tablet.feed.FeedPosition;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.scan.ReadWait;
import dev.kudu4j.tserver.tablets.Derivation;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The ReadIndexRows call. It waits until no operation below the end of what it reads can arrive; no
 * thread blocks meanwhile. Thread-safe.
 */
public final class SourceCalls {
  private static final int MAX_BYTES = 4 << 20;

  private final TabletRegistry tablets;
  private final HybridClock clock;
  private final BufferAllocator allocator;
  private final ScanMemoryGate memoryGate;
  private final Executor executor;

  /**
   * @param allocator of rows that are being read; borrowed
   * @param memoryGate the memory gate of scans; each call enters it
   * @param executor reads rows
   */
  public SourceCalls(
      TabletRegistry tablets,
      HybridClock clock,
      BufferAllocator allocator,
      ScanMemoryGate memoryGate,
      Executor executor) {
    this.tablets = tablets;
    this.clock = clock;
    this.allocator = allocator;
    this.memoryGate = memoryGate;
    this.executor = executor;
  }

  public void readIndexRows(ReadIndexRowsRequestPB request, RpcCall call) {
    try {
      HostedTablet tablet = tablets.running(request.getTabletId());
      if (!tablet.replica().isLeader()) { // others know less
        throw TabletServerError.notLeader(tablet.tabletId());
      }
      Derivation derivation = Derivation.fromWire(request.getDerivation());
      if (request.getFromTimestamp() < 0) {
        throw KuduException.invalidArgument(
            "A position in the change feed is never below 0: %d", request.getFromTimestamp());
      }
      FeedPosition from =
          new FeedPosition(
              request.getFromTimestamp(),
              request.hasAfterKey() ? request.getAfterKey().toByteArray() : null);
      SafeTime safeTime = tablet.replica().safeTime();
      safeTime
          .whenReadable(wanted(request), ReadWait.nanos(call))
          .whenCompleteAsync(
              (readable, failure) -> {
                long end = safeTime.now();
                if (failure != null && end <= from.timestamp()) {
                  fail(call, ReadWait.later(failure));
                } else {
                  answer(request, call, tablet, new SourceReader.Range(derivation, from, end));
                }
              },
              executor);
    } catch (RuntimeException e) {
      fail(call, e);
    }
  }

  /** The present, the snapshot that a reader wants, and at least that of the build. */
  private long wanted(ReadIndexRowsRequestPB request) {
    long wanted = Math.max(clock.now(), request.getDerivation().getBuildTimestamp());
    return Math.max(wanted, request.getWantedTimestamp());
  }

  @SuppressWarnings("try") // the lease is held, not used
  private void answer(
      ReadIndexRowsRequestPB request, RpcCall call, HostedTablet tablet, SourceReader.Range range) {
    if (call.isCancelled()) { // the caller asks again
      fail(call, KuduException.timedOut("The caller no longer waits"));
      return;
    }
    ReadIndexRowsResponsePB reply;
    int maxBytes = Math.min(MAX_BYTES, Math.max(1, request.getMaxBytes()));
    try (ScanMemoryGate.Lease lease = memoryGate.enter(maxBytes)) {
      SourceReader reader =
          SourceReader.of(
              tablet.tablet(),
              range,
              request.getPartitionSchema(),
              request.getPartition(),
              allocator,
              maxBytes);
      reply = reply(reader.read());
    } catch (SourceReader.TooLongException e) {
      reply =
          ReadIndexRowsResponsePB.newBuilder().setFailure(String.valueOf(e.getMessage())).build();
    } catch (SourceReader.HistoryLostException e) {
      reply = ReadIndexRowsResponsePB.newBuilder().setHistoryLost(true).build();
    } catch (IOException | RuntimeException e) {
      fail(call, tablet.readFailed(e));
      return;
    }
    call.respond(reply);
  }

  private static void fail(RpcCall call, Throwable failure) {
    TabletServerError.answer(
        call,
        failure,
        error -> call.respond(ReadIndexRowsResponsePB.newBuilder().setError(error).build()));
  }

  private static ReadIndexRowsResponsePB reply(SourceReader.Rows read) {
    ReadIndexRowsResponsePB.Builder reply =
        ReadIndexRowsResponsePB.newBuilder()
            .setNextTimestamp(read.next().timestamp())
            .setMore(read.more());
    byte[] key = read.next().afterKey();
    if (key != null) {
      reply.setNextAfterKey(ByteString.copyFrom(key));
    }
    for (FeedMerge.Part part : read.parts()) {
      RowOperations rows = part.rows().rows().rows();
      GroupPB.Builder group =
          GroupPB.newBuilder()
              .setTimestamp(part.rows().timestamp())
              .setBehindTimestamp(part.behind().timestamp())
              .setRows(ByteString.copyFrom(rows.rows(), rows.rowsOffset(), rows.rowsLength()))
              .setIndirectData(
                  ByteString.copyFrom(
                      rows.indirect(), rows.indirectOffset(), rows.indirectLength()));
      byte[] behind = part.behind().afterKey();
      if (behind != null) {
        group.setBehindKey(ByteString.copyFrom(behind));
      }
      reply.addGroups(group);
    }
    return reply.build();
  }
}
