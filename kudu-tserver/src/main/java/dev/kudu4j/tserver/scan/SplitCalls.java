package dev.kudu4j.tserver.scan;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.KeyRangePB;
import dev.kudu4j.common.proto.tserver.SplitKeyRangeRequestPB;
import dev.kudu4j.common.proto.tserver.SplitKeyRangeResponsePB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.schema.Projection;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The SplitKeyRange call: splits a tablet's key range into ranges of about equal size. Returns at
 * least one range.
 */
public final class SplitCalls {
  private final TabletRegistry tablets;

  public SplitCalls(TabletRegistry tablets) {
    this.tablets = tablets;
  }

  public void splitKeyRange(SplitKeyRangeRequestPB request, RpcCall call) {
    try {
      HostedTablet hosted = tablets.running(request.getTabletId());
      if (request.getTargetChunkSizeBytes() <= 0) {
        throw KuduException.invalidArgument("Target chunk size must be greater than 0");
      }
      call.respond(split(request, hosted));
    } catch (IOException | RuntimeException e) {
      TabletServerError.answer(
          call,
          e,
          error -> call.respond(SplitKeyRangeResponsePB.newBuilder().setError(error).build()));
    }
  }

  private static SplitKeyRangeResponsePB split(SplitKeyRangeRequestPB request, HostedTablet hosted)
      throws IOException {
    Projection columns =
        Projection.of(SchemaWire.columns(request.getColumnsList()), hosted.tablet().schema());
    int[] ids = columns.schema().columns().stream().mapToInt(column -> column.id()).toArray();
    byte @Nullable [] start =
        request.hasStartPrimaryKey() ? request.getStartPrimaryKey().toByteArray() : null;
    byte @Nullable [] stop =
        request.hasStopPrimaryKey() ? request.getStopPrimaryKey().toByteArray() : null;
    List<byte[]> borders =
        hosted.tablet().splitKeys(start, stop, request.getTargetChunkSizeBytes(), ids);
    SplitKeyRangeResponsePB.Builder reply = SplitKeyRangeResponsePB.newBuilder();
    byte @Nullable [] from = start;
    for (byte[] border : borders) {
      reply.addRanges(range(from, border, request.getTargetChunkSizeBytes()));
      from = border;
    }
    return reply.addRanges(range(from, stop, request.getTargetChunkSizeBytes())).build();
  }

  private static KeyRangePB range(byte @Nullable [] from, byte @Nullable [] to, long bytes) {
    KeyRangePB.Builder range = KeyRangePB.newBuilder().setSizeBytesEstimates(bytes);
    if (from != null) {
      range.setStartPrimaryKey(ByteString.copyFrom(from));
    }
    if (to != null) {
      range.setStopPrimaryKey(ByteString.copyFrom(to));
    }
    return range.build();
  }
}
