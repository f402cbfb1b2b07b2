package dev.kudu4j.client;

import dev.kudu4j.client.Statistics.Statistic;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.RemoteReplica;
import dev.kudu4j.client.cluster.ReplicaChoice;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.client.cluster.TabletReply;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import java.util.List;

/** The requests of one session: batches to their tablets, and what comes back. */
final class BatchCalls {
  private static final TabletCall<WriteResponsePB> WRITE =
      new TabletCall<>(
          "Write", WriteResponsePB.parser(), WriteResponsePB::getError, List.of(), true);

  private final AsyncKuduClient client;
  private final Cluster cluster;
  private final SessionSettings settings;
  private final ResourceMetrics metrics;
  private final Listener listener;

  /** Told of each batch once, on the threads of the client. */
  interface Listener {
    /** Written, but for the rows that the response names. */
    void written(
        TabletWriter writer, WriteBatch batch, WriteResponsePB response, RemoteReplica replica);

    /** Not written, as far as is known. */
    void notWritten(TabletWriter writer, WriteBatch batch, KuduException failure);
  }

  BatchCalls(
      AsyncKuduClient client,
      SessionSettings settings,
      ResourceMetrics metrics,
      Listener listener) {
    this.client = client;
    this.cluster = client.cluster();
    this.settings = settings;
    this.metrics = metrics;
    this.listener = listener;
  }

  /** Sends a batch; the listener may be told before this returns. */
  void send(TabletWriter writer, WriteBatch batch) {
    WriteRequestPB request =
        WriteRequestPB.newBuilder()
            .setTabletId(writer.tabletId())
            .setSchema(batch.table().schema())
            .setRowOperations(batch.toWire())
            .setExternalConsistencyMode(settings.consistencyMode.pbVersion())
            .build();
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

  private WriteRequestPB withTimestamp(WriteRequestPB request) {
    long timestamp = cluster.lastTimestamp();
    return timestamp == 0 ? request : request.toBuilder().setPropagatedTimestamp(timestamp).build();
  }

  private void answered(TabletWriter writer, WriteBatch batch, TabletReply<WriteResponsePB> reply) {
    try {
      WriteResponsePB response = reply.response().message();
      reply.response().close();
      if (response.hasTimestamp()) {
        cluster.observe(response.getTimestamp());
      }
      if (response.hasResourceMetrics()) {
        metrics.add(response.getResourceMetrics());
      }
      count(writer, batch, response.getPerRowErrorsCount());
      listener.written(writer, batch, response, reply.replica());
    } catch (RuntimeException e) {
      failed(writer, batch, e); // an answer that makes no sense must not leave anybody waiting
    }
  }

  private void failed(TabletWriter writer, WriteBatch batch, Throwable failure) {
    client.count(batch.table().table(), writer.tablet().tabletId(), Statistic.RPC_ERRORS, 1);
    listener.notWritten(writer, batch, KuduException.of(failure));
  }

  private void count(TabletWriter writer, WriteBatch batch, int failedRows) {
    if (client.isStatisticsEnabled()) {
      KuduTable table = batch.table().table();
      String tablet = writer.tablet().tabletId();
      client.count(table, tablet, Statistic.WRITE_RPCS, 1);
      client.count(table, tablet, Statistic.WRITE_OPS, batch.count() - failedRows);
      client.count(table, tablet, Statistic.OPS_ERRORS, failedRows);
      client.count(table, tablet, Statistic.BYTES_WRITTEN, batch.bytes());
    }
  }
}
