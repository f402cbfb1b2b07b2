package dev.kudu4j.tablet.answers;

import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowError;
import dev.kudu4j.tablet.proto.AnswerPB;
import dev.kudu4j.tablet.proto.ClientAnswersPB;
import dev.kudu4j.tablet.proto.RowErrorPB;
import java.util.ArrayList;
import java.util.List;

/** Remembered answers as a superblock holds them. */
final class AnswerMessages {
  private AnswerMessages() {}

  static ClientAnswersPB toMessage(String clientId, ClientAnswers client) {
    ClientAnswersPB.Builder message =
        ClientAnswersPB.newBuilder()
            .setClientId(clientId)
            .setFirstIncomplete(client.firstIncomplete())
            .setLastTimestamp(client.lastTimestamp());
    for (Answer answer : client.answers()) {
      message.addAnswers(toMessage(answer));
    }
    return message.build();
  }

  private static AnswerPB toMessage(Answer answer) {
    AnswerPB.Builder message =
        AnswerPB.newBuilder()
            .setSequence(answer.sequence())
            .setTimestamp(answer.result().timestamp())
            .setPieces(answer.pieces())
            .setPiecesApplied(answer.piecesApplied())
            .setRowCount(answer.rowCount())
            .addAllOutcomeCounts(list(answer.result().counts()));
    for (RowError error : answer.result().errors()) {
      message.addErrors(
          RowErrorPB.newBuilder()
              .setRow(error.row())
              .setCode(error.code().wireNumber())
              .setMessage(error.message()));
    }
    return message.build();
  }

  static ClientAnswers ofMessage(ClientAnswersPB message) {
    ClientAnswers client =
        new ClientAnswers(message.getFirstIncomplete(), message.getLastTimestamp());
    for (AnswerPB answer : message.getAnswersList()) {
      client.put(ofMessage(answer));
    }
    return client;
  }

  private static Answer ofMessage(AnswerPB message) {
    List<RowError> errors = new ArrayList<>(message.getErrorsCount());
    for (RowErrorPB error : message.getErrorsList()) {
      errors.add(
          new RowError(
              error.getRow(), StatusCode.ofWireNumber(error.getCode()), error.getMessage()));
    }
    RequestResult result =
        new RequestResult(
            message.getTimestamp(), List.copyOf(errors), counts(message.getOutcomeCountsList()));
    return new Answer(
        message.getSequence(),
        message.getPieces(),
        message.getPiecesApplied(),
        message.getRowCount(),
        result);
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
