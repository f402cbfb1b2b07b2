package dev.kudu4j.tserver;

import dev.kudu4j.common.proto.cluster.VerifyIndexesResponsePB;
import dev.kudu4j.common.proto.cluster.VerifyIndexesResponsePB.DifferencePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.tablet.check.IndexDifference;
import dev.kudu4j.tablet.check.IndexVerification;
import dev.kudu4j.tserver.verify.VerificationProgress;

/** The progress of a verification of indexes as a message. */
final class VerificationReply {
  private VerificationReply() {}

  static VerifyIndexesResponsePB of(VerificationProgress progress) {
    IndexVerification.Progress found = progress.found();
    VerifyIndexesResponsePB.Builder reply =
        VerifyIndexesResponsePB.newBuilder()
            .setState(state(progress))
            .setMillis(progress.millis())
            .setPercent(found.percent())
            .setFiles(found.files())
            .setComparedFiles(found.filesCompared())
            .setMissingFiles(found.missingFiles())
            .setComparedEntries(found.entriesCompared())
            .setDifferenceCount(found.differences());
    found.first().forEach(difference -> reply.addDifferences(toWire(difference)));
    if (progress.failure() != null) {
      reply.setFailure(StatusWire.toWire(toKuduException(progress.failure())));
    }
    return reply.build();
  }

  private static VerifyIndexesResponsePB.State state(VerificationProgress progress) {
    return switch (progress.state()) {
      case WAITING -> VerifyIndexesResponsePB.State.WAITING;
      case RUNNING -> VerifyIndexesResponsePB.State.RUNNING;
      case DONE -> VerifyIndexesResponsePB.State.DONE;
      case FAILED -> VerifyIndexesResponsePB.State.FAILED;
    };
  }

  private static DifferencePB toWire(IndexDifference difference) {
    DifferencePB.Builder wire =
        DifferencePB.newBuilder()
            .setIndex(difference.index())
            .setRowsetId(difference.rowSetId())
            .setText(difference.text());
    if (difference.ordinal() != IndexDifference.WHOLE_FILE) {
      wire.setOrdinal(difference.ordinal());
    }
    return wire.build();
  }

  private static KuduException toKuduException(Throwable failure) {
    return failure instanceof KuduException known
        ? known
        : new KuduException(StatusCode.IO_ERROR, failure.toString(), failure);
  }
}
