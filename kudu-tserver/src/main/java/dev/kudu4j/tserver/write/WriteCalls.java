package dev.kudu4j.tserver.write;

import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.common.ExternalConsistencyMode;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.wire.RowOperationsWire;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.server.replica.write.WriteSize;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RowFailure;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tserver.claim.Claims;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import dev.kudu4j.tserver.tablets.WriteSchema;
import dev.kudu4j.tserver.tablets.WriteTimes;
import dev.kudu4j.tserver.transaction.Registrations;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The Write call: find, decode, check, submit, answer. Never blocks. Thread-safe. */
public final class WriteCalls {
  /**
   * Replies with more row errors than this are built one at a time, because each of them takes
   * megabytes until it is sent.
   */
  private static final int MANY_ERRORS = 10_000;

  private static final Object BUILDING_LARGE_REPLY = new Object();

  private final TabletRegistry tablets;
  private final Registrations registrations;
  private final Claims claims;
  private final HybridClock clock;
  private final ScheduledExecutorService timer;
  private final WriteLimits limits;

  /**
   * @param maxMessageBytes the maximum size of a request
   */
  public WriteCalls(
      TabletRegistry tablets,
      Registrations registrations,
      Claims claims,
      HybridClock clock,
      ScheduledExecutorService timer,
      long maxMessageBytes) {
    this.tablets = tablets;
    this.registrations = registrations;
    this.claims = claims;
    this.clock = clock;
    this.timer = timer;
    this.limits = WriteLimits.of(maxMessageBytes);
  }

  public void write(WriteRequestPB request, RpcCall call) {
    long startNanos = System.nanoTime();
    try {
      HostedTablet tablet = tablets.running(request.getTabletId());
      checkRequest(request);
      checkIsWritable(tablet);
      WriteSchema schema = schema(request, tablet);
      log(submission(request, schema, tablet, call), schema, tablet, call)
          .whenComplete(
              (result, failure) ->
                  finish(
                      request,
                      call,
                      result,
                      failure,
                      new Stopwatch(tablet.writeTimes(), startNanos)));
    } catch (RuntimeException e) {
      fail(call, e);
    }
  }

  /** Logs the rows; those of a transaction if the coordinator lets them. */
  private CompletableFuture<RequestResult> log(
      WriteSubmission rows, WriteSchema schema, HostedTablet tablet, RpcCall call) {
    if (rows.transaction() == WriteRequest.NO_TRANSACTION) {
      return claims.write(tablet, schema, rows, call.timeline());
    }
    return registrations
        .write(
            tablet,
            rows.transaction(),
            call.caller().user(),
            rows.deadlineNanos(),
            () -> tablet.replica().write(rows, call.timeline()))
        .exceptionally(failure -> TransactionRefusal.resultOf(failure, rows, clock.now()));
  }

  private static void checkIsWritable(HostedTablet tablet) {
    if (tablet.isStatusTablet()) {
      throw new KuduException(
          StatusCode.NOT_AUTHORIZED, "Clients may not write to the table of transactions");
    }
    if (tablet.hasClaims()) {
      throw new KuduException(
          StatusCode.NOT_AUTHORIZED,
          "Clients may not write to the table of an index, which changes with its base table only");
    }
  }

  private void checkRequest(WriteRequestPB request) {
    if (request.getExternalConsistencyMode()
        == ExternalConsistencyMode.UNKNOWN_EXTERNAL_CONSISTENCY_MODE) {
      throw KuduException.notSupported("Unknown external consistency mode");
    }
    if (request.getTxnId() < 0) {
      throw KuduException.invalidArgument("Invalid transaction ID %d", request.getTxnId());
    }
    if (!request.hasSchema()) {
      throw KuduException.invalidArgument("A write must contain the client's schema");
    }
    if (request.hasPropagatedTimestamp()) {
      clock.update(request.getPropagatedTimestamp());
    }
  }

  private static WriteSchema schema(WriteRequestPB request, HostedTablet tablet) {
    Schema current = tablet.tablet().schema();
    WriteSchema schema = tablet.writeSchema();
    if (schema == null || !schema.serves(request.getSchema(), current)) {
      schema = WriteSchema.match(request.getSchema(), current);
      tablet.rememberWriteSchema(schema);
    }
    return schema;
  }

  private WriteSubmission submission(
      WriteRequestPB request, WriteSchema schema, HostedTablet tablet, RpcCall call) {
    int schemaVersion = tablet.tablet().descriptor().schemaVersion();
    RowOperations rows = RowOperationsWire.fromWire(request.getRowOperations(), schema.layout());
    @Nullable RequestId id =
        call.requestId()
            .map(r -> new RequestId(r.clientId(), r.sequence(), r.firstIncomplete()))
            .orElse(null);
    WriteSize size =
        RowCheck.all(rows, schema, tablet.partitionSchema(), tablet.partition(), limits);
    return new WriteSubmission(
        id,
        request.hasTxnId() ? request.getTxnId() : WriteRequest.NO_TRANSACTION,
        schemaVersion,
        schema.columnIds(),
        rows,
        call.deadlineNanos().orElse(WriteSubmission.NO_DEADLINE),
        WriteSubmission.ANY_TERM,
        size);
  }

  /**
   * Measures the duration of one write. The duration of its commit wait starts at {@code
   * appliedNanos}.
   */
  private record Stopwatch(WriteTimes times, long startNanos) {
    void done() {
      times.wrote(System.nanoTime() - startNanos);
    }

    void done(long appliedNanos) {
      long now = System.nanoTime();
      times.wroteAndWaited(now - startNanos, now - appliedNanos);
    }
  }

  private void finish(
      WriteRequestPB request,
      RpcCall call,
      RequestResult result,
      @Nullable Throwable failure,
      Stopwatch stopwatch) {
    if (failure != null) {
      fail(call, failure);
    } else if (request.getExternalConsistencyMode() == ExternalConsistencyMode.COMMIT_WAIT) {
      answerWhenSurelyPast(result, call, stopwatch, System.nanoTime());
    } else {
      respond(result, call);
      stopwatch.done();
    }
  }

  private static void respond(RequestResult result, RpcCall call) {
    if (result.errors().size() <= MANY_ERRORS) {
      call.respond(reply(result));
      return;
    }
    synchronized (BUILDING_LARGE_REPLY) {
      call.respond(reply(result));
    }
  }

  /**
   * Commit wait: answers once the clock's earliest possible time is past the write's timestamp. If
   * the deadline of the call passes first, the call fails. The call must be answered in any case,
   * because its connection is not idle as long as it has a call without a response.
   */
  private void answerWhenSurelyPast(
      RequestResult result, RpcCall call, Stopwatch stopwatch, long appliedNanos) {
    if (clock.isSurelyPast(result.timestamp())) {
      respond(result, call);
      stopwatch.done(appliedNanos);
    } else if (call.isCancelled()) {
      fail(
          call,
          KuduException.timedOut(
              "The rows are written, but the deadline of the call passed before their timestamp %d"
                  + " was surely in the past",
              result.timestamp()));
    } else {
      timer.schedule(
          () -> answerWhenSurelyPast(result, call, stopwatch, appliedNanos),
          1,
          TimeUnit.MILLISECONDS);
    }
  }

  private static void fail(RpcCall call, Throwable failure) {
    TabletServerError.answer(
        call, failure, error -> call.respond(WriteResponsePB.newBuilder().setError(error).build()));
  }

  private static WriteResponsePB reply(RequestResult result) {
    WriteResponsePB.Builder reply = WriteResponsePB.newBuilder().setTimestamp(result.timestamp());
    addErrors(result.errors(), reply);
    RequestResult.OutcomeCounts counts = result.counts();
    reply.setResourceMetrics(
        ResourceMetricsPB.newBuilder()
            .setSuccessfulInserts(counts.successfulInserts())
            .setInsertIgnoreErrors(counts.insertIgnoreErrors())
            .setSuccessfulUpserts(counts.successfulUpserts())
            .setUpsertIgnoreErrors(counts.upsertIgnoreErrors())
            .setSuccessfulUpdates(counts.successfulUpdates())
            .setUpdateIgnoreErrors(counts.updateIgnoreErrors())
            .setSuccessfulDeletes(counts.successfulDeletes())
            .setDeleteIgnoreErrors(counts.deleteIgnoreErrors()));
    return reply.build();
  }

  /** Consecutive rows with the same error share one status message. */
  private static void addErrors(List<RowFailure> errors, WriteResponsePB.Builder reply) {
    RowFailure last = null;
    AppStatusPB why = null;
    for (RowFailure error : errors) {
      if (last == null || error.code() != last.code() || !error.message().equals(last.message())) {
        why = StatusWire.toWire(error.code(), error.message());
      }
      last = error;
      reply.addPerRowErrors(
          WriteResponsePB.PerRowErrorPB.newBuilder().setRowIndex(error.row()).setError(why));
    }
  }
}
