package dev.kudu4j.tserver;

import dev.kudu4j.common.proto.cluster.CompactTabletResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.server.maintenance.RequestedCompactions.Progress;
import dev.kudu4j.tablet.TabletStatistics;

/** The progress of a compaction as a message. */
final class CompactionReply {
  private CompactionReply() {}

  static CompactTabletResponsePB of(Progress progress) {
    CompactTabletResponsePB.Builder reply =
        CompactTabletResponsePB.newBuilder()
            .setState(state(progress))
            .setMillis(progress.millis())
            .setBefore(sizes(progress.before()))
            .setNow(sizes(progress.now()));
    if (progress.failure() != null) {
      reply.setFailure(StatusWire.toWire(toKuduException(progress.failure())));
    }
    return reply.build();
  }

  private static CompactTabletResponsePB.State state(Progress progress) {
    return switch (progress.state()) {
      case WAITING -> CompactTabletResponsePB.State.WAITING;
      case RUNNING -> CompactTabletResponsePB.State.RUNNING;
      case DONE -> CompactTabletResponsePB.State.DONE;
      case FAILED -> CompactTabletResponsePB.State.FAILED;
    };
  }

  private static KuduException toKuduException(Throwable failure) {
    return failure instanceof KuduException known
        ? known
        : new KuduException(StatusCode.IO_ERROR, failure.toString(), failure);
  }

  private static CompactTabletResponsePB.SizesPB sizes(TabletStatistics statistics) {
    return CompactTabletResponsePB.SizesPB.newBuilder()
        .setRowsets(statistics.rowSetCount())
        .setDeltaFiles(statistics.deltaFileCount())
        .setDiskBytes(statistics.onDiskBytes())
        .setMemoryBytes(statistics.memRowSetBytes() + statistics.deltaMemStoreBytes())
        .build();
  }
}
