package dev.kudu4j.client.write;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.ReplicaChoice;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.client.cluster.TabletReply;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import java.util.List;

/** Sends the batches of one session to their tablets and receives the responses. */
final class BatchCalls<R> {
  private static final TabletCall<WriteResponsePB> WRITE =
      new TabletCall<>(
          "Write", WriteResponsePB.parser(), WriteResponsePB::getError, List.of(), true);

  private final Cluster cluster;
  private final SessionSettings settings;
  private final WriteListener<?> writes;
  private final Answers<R> answers;

  /** Receives the outcome of each batch once, on the threads of the client. */
  interface Answers<R> {
    /** The batch was written, except for the rows whose errors the response contains. */
    void written(
        TabletWriter<R> writer,
        WriteBatch<R> batch,
        WriteResponsePB response,
        RemoteReplica replica);

    /** The batch was not written, as far as the client knows. */
    void notWritten(TabletWriter<R> writer, WriteBatch<R> batch, Throwable failure);
  }

  BatchCalls(
      Cluster cluster, SessionSettings settings, WriteListener<?> writes, Answers<R> answers) {
    this.cluster = cluster;
    this.settings = settings;
    this.writes = writes;
    this.answers = answers;
  }

  /** Sends a batch. The response may arrive before this method returns. */
  void send(TabletWriter<R> writer, WriteBatch<R> batch) {
    WriteRequestPB request;
    try {
      request = request(writer, batch);
    } catch (RuntimeException | Error e) { // the memory may not suffice for another copy
      failed(writer, batch, e);
      return;
    }
    cluster
        .call(
            writer.tablet(),
            ReplicaChoice.LEADER,
            WRITE,
            replica -> withTimestamp(request),
            batch.deadline())
        .whenComplete(
            (reply, failure) -> {
              if (failure == null) {
                answered(writer, batch, reply);
              } else {
                failed(writer, batch, failure);
              }
            });
  }

  private WriteRequestPB request(TabletWriter<R> writer, WriteBatch<R> batch) {
    WriteRequestPB.Builder building =
        WriteRequestPB.newBuilder()
            .setTabletId(writer.tabletId())
            .setSchema(batch.table().schema())
            .setRowOperations(batch.toWire())
            .setExternalConsistencyMode(settings.consistencyMode);
    if (settings.transaction() != SessionSettings.NO_TRANSACTION) {
      building.setTxnId(settings.transaction());
    }
    return building.build();
  }

  private WriteRequestPB withTimestamp(WriteRequestPB request) {
    long timestamp = cluster.lastTimestamp();
    return timestamp == 0 ? request : request.toBuilder().setPropagatedTimestamp(timestamp).build();
  }

  private void answered(
      TabletWriter<R> writer, WriteBatch<R> batch, TabletReply<WriteResponsePB> reply) {
    try {
      WriteResponsePB response = reply.response().message();
      reply.response().close();
      if (response.hasTimestamp()) {
        cluster.observe(response.getTimestamp());
      }
      if (response.hasResourceMetrics()) {
        writes.addMetrics(response.getResourceMetrics());
      }
      count(writer, batch, response.getPerRowErrorsCount());
      answers.written(writer, batch, response, reply.replica());
    } catch (RuntimeException | Error e) {
      failed(writer, batch, e); // operations must be answered even if the response is malformed
    }
  }

  private void failed(TabletWriter<R> writer, WriteBatch<R> batch, Throwable failure) {
    writes.callFailed(batch.table().table().name(), writer.tablet().tabletId());
    answers.notWritten(writer, batch, failure);
  }

  private void count(TabletWriter<R> writer, WriteBatch<R> batch, int failedRows) {
    writes.batchWritten(
        batch.table().table().name(),
        writer.tablet().tabletId(),
        batch.count(),
        failedRows,
        batch.bytes());
  }
}
