package dev.kudu4j.itest.hostile;

import static dev.kudu4j.itest.hostile.Forgery.text;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import dev.kudu4j.common.proto.rpc.RequestIdPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Writes that are small on the wire and large in the server. */
final class WriteAttacks {
  private static final String PREY = "prey";
  private static final int TIMEOUT_MILLIS = 60_000;

  private final HostileCluster cluster;

  WriteAttacks(HostileCluster cluster) {
    this.cluster = cluster;
  }

  /** One request whose rows all refer to the same 64 KB. */
  void sharedCells(int rows, int requests) throws KuduException, IOException {
    cluster.createTable(PREY, HostileCluster.TABLET_SERVERS, 1);
    String tablet = cluster.tabletIds(PREY).get(0);
    Target leader = awaitLeader(Forgery.write(tablet, 1, 1).build());
    byte[] request = Forgery.write(tablet, rows, 64 << 10).build().toByteArray();
    for (int i = 0; i < requests; i++) {
      try (RawRpc connection = to(leader)) {
        say(connection.call(HostileCluster.TABLET_SERVICE, "Write", request, TIMEOUT_MILLIS));
      }
    }
    cluster.dropTable(PREY);
  }

  /**
   * Requests that insert the same key repeatedly: each row except the first is an error. Each
   * request is from another client, so that its answer is cached.
   *
   * @return the maximum number of errors in an answer
   */
  int duplicateKeys(int rows, int requests) throws KuduException, IOException {
    Schema narrow =
        new Schema(List.of(new ColumnSchema.ColumnSchemaBuilder("k", Type.INT8).key(true).build()));
    cluster.createTable(PREY, narrow, HostileCluster.TABLET_SERVERS, 1);
    String tablet = cluster.tabletIds(PREY).get(0);
    Target leader = awaitLeader(inserts(tablet, 1));
    byte[] request = inserts(tablet, rows).toByteArray();
    int max = 0;
    for (int i = 0; i < requests; i++) {
      try (RawRpc connection = to(leader)) {
        RequestHeader.Builder header =
            connection.call(HostileCluster.TABLET_SERVICE, "Write", TIMEOUT_MILLIS);
        header.setRequestId(id("d" + i, 1));
        RawRpc.Reply reply = connection.call(header.build(), request, TIMEOUT_MILLIS);
        say(reply);
        max = Math.max(max, rowErrors(reply));
      }
    }
    cluster.dropTable(PREY);
    return max;
  }

  private static int rowErrors(RawRpc.Reply reply) throws InvalidProtocolBufferException {
    return reply.outcome() == RawRpc.Outcome.ANSWERED
        ? WriteResponsePB.parseFrom(reply.body()).getPerRowErrorsCount()
        : 0;
  }

  /** Inserts of the same key of one byte. */
  private static WriteRequestPB inserts(String tablet, int rows) {
    byte[] packed = new byte[3 * rows];
    for (int i = 0; i < packed.length; i += 3) {
      packed[i] = Forgery.INSERT;
      packed[i + 1] = 1;
      packed[i + 2] = 7;
    }
    return WriteRequestPB.newBuilder()
        .setTabletId(text(tablet))
        .setSchema(
            SchemaPB.newBuilder().addColumns(HostileCluster.column("k", DataType.INT8, true)))
        .setRowOperations(RowOperationsPB.newBuilder().setRows(ByteString.copyFrom(packed)))
        .build();
  }

  /** Prints the server's answer to an attack, for the reader of a failure. */
  private static void say(RawRpc.Reply reply) {
    String text = reply.toString();
    if (reply.outcome() == RawRpc.Outcome.ANSWERED) {
      try {
        WriteResponsePB answer = WriteResponsePB.parseFrom(reply.body());
        text = answer.getPerRowErrorsCount() + " row errors " + answer.getError();
      } catch (InvalidProtocolBufferException e) {
        text = "an answer that cannot be read";
      }
    }
    System.out.println("hostile: the write got " + text);
  }

  /**
   * Small writes of clients with long ids.
   *
   * @return the number of writes that were answered and not rejected
   */
  int longClientIds(int requests, int idBytes) throws KuduException, IOException {
    cluster.createTable(PREY, HostileCluster.TABLET_SERVERS, 1);
    WriteRequestPB request = Forgery.write(cluster.tabletIds(PREY).get(0), 1, 1).build();
    Target leader = awaitLeader(request);
    String tail = "c".repeat(idBytes);
    int accepted = 0;
    RawRpc connection = to(leader);
    try {
      for (int i = 0; i < requests; i++) {
        RequestHeader.Builder header =
            connection.call(HostileCluster.TABLET_SERVICE, "Write", TIMEOUT_MILLIS);
        header.setRequestId(id(i + tail, 1));
        RawRpc.Reply reply = connection.call(header.build(), request.toByteArray(), TIMEOUT_MILLIS);
        if (reply.outcome() == RawRpc.Outcome.CLOSED) {
          connection.close();
          connection = to(leader);
        } else if (isDone(reply)) {
          accepted++;
        }
      }
    } finally {
      connection.close();
    }
    cluster.dropTable(PREY);
    return accepted;
  }

  private static RawRpc to(Target target) throws IOException {
    return RawRpc.as(HostileCluster.STRANGER, target.rpc());
  }

  /** The server that executes a write. */
  private Target awaitLeader(WriteRequestPB write) {
    return await("the new tablet has a leader")
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                cluster.tabletServers().stream()
                    .filter(target -> isDoneBy(target, write))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static boolean isDoneBy(Target target, WriteRequestPB write) {
    try (RawRpc connection = to(target)) {
      return isDone(
          connection.call(
              HostileCluster.TABLET_SERVICE, "Write", write.toByteArray(), TIMEOUT_MILLIS));
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isDone(RawRpc.Reply reply) {
    try {
      return reply.outcome() == RawRpc.Outcome.ANSWERED
          && !WriteResponsePB.parseFrom(reply.body()).hasError();
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
  }

  private static RequestIdPB id(String client, long sequence) {
    return RequestIdPB.newBuilder()
        .setClientId(client)
        .setSeqNo(sequence)
        .setFirstIncompleteSeqNo(sequence)
        .setAttemptNo(1)
        .build();
  }
}
