package dev.kudu4j.client.cluster;

import com.google.protobuf.Message;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One request to the leader master, retried until its deadline. docs/design/client.md lists the
 * next step after each kind of failure.
 */
final class MasterRequest<R extends Message> {
  private final MasterCaller masters;
  private final Timers timers;
  private final MasterCall<R> call;
  private final Message request;
  private final Deadline deadline;
  private final RequestTrace trace;
  private final CompletableFuture<R> result = new CompletableFuture<>();

  MasterRequest(
      MasterCaller masters, Timers timers, MasterCall<R> call, Message request, Deadline deadline) {
    this.masters = masters;
    this.timers = timers;
    this.call = call;
    this.request = request;
    this.deadline = deadline;
    this.trace = new RequestTrace(call.method());
  }

  CompletableFuture<R> begin() {
    masters.activity().began(call.method(), result);
    timers.within(result, deadline, trace::timedOut);
    attempt();
    return result;
  }

  private void attempt() {
    if (result.isDone()) {
      return;
    }
    if (deadline.hasPassed()) {
      result.completeExceptionally(trace.timedOut());
      return;
    }
    if (trace.trying(null) > 1) {
      masters.activity().triedAgain(call.method());
    }
    masters
        .leader()
        .whenComplete(
            (leader, failure) ->
                guard(
                    () -> {
                      if (failure == null) {
                        send(leader);
                      } else {
                        noLeader(Failures.unwrap(failure));
                      }
                    }));
  }

  /** Runs a part of the request, whose failure nobody else would see. */
  private void guard(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  private void noLeader(Throwable failure) {
    boolean hopeless = Failures.isUnknownHost(failure) && masters.lastLeader() == null;
    if (Failures.isClosed(failure) || hopeless) {
      result.completeExceptionally(failure);
    } else {
      trace.failed(null, failure);
      again(Backoff.SEARCHING);
    }
  }

  private void send(LeadingMaster leader) {
    if (result.isDone()) {
      return;
    }
    RpcCallOptions options =
        new RpcCallOptions(
            Math.max(1, Math.min(Integer.MAX_VALUE, deadline.millisLeft())),
            call.features(),
            Optional.empty());
    trace.askedAt(leader.link());
    leader
        .link()
        .call(call.service(), call.method(), request, call.parser(), options, true)
        .whenComplete(
            (response, failure) ->
                guard(
                    () -> {
                      if (failure == null) {
                        response.close();
                        answered(leader, response.message());
                      } else {
                        failed(leader, Failures.unwrap(failure));
                      }
                    }));
  }

  private void answered(LeadingMaster leader, R answer) {
    MasterErrorPB error = call.error().apply(answer);
    if (!error.hasCode()) {
      result.complete(answer);
      return;
    }
    MasterFailure failure = new MasterFailure(error, trace.mayHaveTakenEffect());
    boolean later = error.getStatus().getCode() == AppStatusPB.ErrorCode.SERVICE_UNAVAILABLE;
    switch (error.getCode()) {
      case NOT_THE_LEADER -> lookForLeader(leader, failure);
      case CATALOG_MANAGER_NOT_INITIALIZED, TABLET_NOT_RUNNING ->
          wait(leader, failure, Backoff.SEARCHING);
      default -> {
        if (later) {
          trace.recordInterrupted(); // the catalog may or may not have been written
          wait(leader, failure, Backoff.BUSY);
        } else {
          result.completeExceptionally(failure);
        }
      }
    }
  }

  private void failed(LeadingMaster leader, Throwable failure) {
    if (failure instanceof RpcException refused) {
      refused(leader, refused);
    } else if (Failures.isClosed(failure)) {
      result.completeExceptionally(failure);
    } else if (Failures.isNetwork(failure)) {
      trace.recordInterrupted();
      lookForLeader(leader, failure);
    } else {
      result.completeExceptionally(failure);
    }
  }

  private void refused(LeadingMaster leader, RpcException refused) {
    switch (refused.errorCode()) {
      case ERROR_SERVER_TOO_BUSY, ERROR_UNAVAILABLE -> wait(leader, refused, Backoff.BUSY);
      case FATAL_SERVER_SHUTTING_DOWN -> lookForLeader(leader, refused);
      case ERROR_INVALID_REQUEST ->
          result.completeExceptionally(
              refused.unsupportedFeatures().isEmpty() ? refused : unsupported(leader, refused));
      case ERROR_NO_SUCH_METHOD -> result.completeExceptionally(unsupported(leader, refused));
      default -> result.completeExceptionally(refused);
    }
  }

  private KuduException unsupported(LeadingMaster leader, RpcException refused) {
    return new KuduException(
        StatusCode.NOT_SUPPORTED,
        String.format(
            "Master %s does not support the features that %s needs (%s); upgrade the servers",
            leader.link(), call.method(), call.features()),
        refused);
  }

  private void lookForLeader(LeadingMaster leader, Throwable failure) {
    masters.forgetLeader(leader);
    trace.failed(leader.link(), failure);
    again(Backoff.SEARCHING);
  }

  private void wait(LeadingMaster leader, Throwable failure, Backoff backoff) {
    trace.failed(leader.link(), failure);
    again(backoff);
  }

  private void again(Backoff backoff) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(backoff.millis(trace.countWait()));
    timers.resume(this::attempt, Math.min(nanos, deadline.nanosLeft()), result);
  }
}
