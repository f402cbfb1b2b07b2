package dev.kudu4j.tablet.requestcache;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowFailureList;
import dev.kudu4j.tablet.proto.AnswerPB;
import dev.kudu4j.tablet.proto.ClientAnswersPB;
import dev.kudu4j.tablet.proto.ErrorKindPB;
import dev.kudu4j.tablet.proto.RowErrorPB;
import java.util.ArrayList;
import java.util.List;

/** Converts cached results to and from their superblock messages. */
final class RequestCacheMessages {
  private RequestCacheMessages() {}

  static ClientAnswersPB toMessage(String clientId, ClientRequests client) {
    ClientAnswersPB.Builder message =
        ClientAnswersPB.newBuilder()
            .setClientId(clientId)
            .setFirstIncomplete(client.firstIncomplete())
            .setLastTimestamp(client.lastTimestamp());
    for (CachedResult answer : client.results()) {
      message.addAnswers(toMessage(answer));
    }
    return message.build();
  }

  private static AnswerPB toMessage(CachedResult answer) {
    AnswerPB.Builder message =
        AnswerPB.newBuilder()
            .setSequence(answer.sequence())
            .setTimestamp(answer.result().timestamp())
            .setPieces(answer.pieces())
            .setPiecesApplied(answer.piecesApplied())
            .setRowCount(answer.rowCount())
            .addAllOutcomeCounts(list(answer.result().counts()));
    if (!answer.result().errors().isEmpty()) {
      addErrors(RowFailureList.of(answer.result().errors()), message);
    }
    return message.build();
  }

  private static void addErrors(RowFailureList errors, AnswerPB.Builder message) {
    message.setErrorRuns(ByteString.copyFrom(errors.runs()));
    for (RowFailureList.Kind kind : errors.kinds()) {
      message.addErrorKinds(
          ErrorKindPB.newBuilder().setCode(kind.code().wireNumber()).setMessage(kind.message()));
    }
  }

  static CachedResult ofMessage(AnswerPB message) {
    RequestResult result =
        new RequestResult(
            message.getTimestamp(), errors(message), counts(message.getOutcomeCountsList()));
    return new CachedResult(
        message.getSequence(),
        message.getPieces(),
        message.getPiecesApplied(),
        message.getRowCount(),
        result);
  }

  private static RowFailureList errors(AnswerPB message) {
    if (message.hasErrorRuns()) {
      List<RowFailureList.Kind> kinds = new ArrayList<>(message.getErrorKindsCount());
      for (ErrorKindPB kind : message.getErrorKindsList()) {
        kinds.add(
            new RowFailureList.Kind(StatusCode.ofWireNumber(kind.getCode()), kind.getMessage()));
      }
      return RowFailureList.ofRuns(message.getErrorRuns().toByteArray(), kinds);
    }
    RowFailureList.Builder errors = RowFailureList.builder();
    for (RowErrorPB error : message.getErrorsList()) {
      errors.add(error.getRow(), StatusCode.ofWireNumber(error.getCode()), error.getMessage());
    }
    return errors.build();
  }

  private static List<Integer> list(OutcomeCounts counts) {
    return List.of(
        counts.successfulInserts(),
        counts.insertIgnoreErrors(),
        counts.successfulUpserts(),
        counts.upsertIgnoreErrors(),
        counts.successfulUpdates(),
        counts.updateIgnoreErrors(),
        counts.successfulDeletes(),
        counts.deleteIgnoreErrors());
  }

  private static OutcomeCounts counts(List<Integer> list) {
    return new OutcomeCounts(
        list.get(0),
        list.get(1),
        list.get(2),
        list.get(3),
        list.get(4),
        list.get(5),
        list.get(6),
        list.get(7));
  }
}
