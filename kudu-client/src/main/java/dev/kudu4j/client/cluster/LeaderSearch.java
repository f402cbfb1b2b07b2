package dev.kudu4j.client.cluster;

import dev.kudu4j.common.proto.consensus.RaftPeerPB.Role;
import dev.kudu4j.common.proto.master.ConnectToMasterRequestPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationRequestPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationResponsePB;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One search for the leader. All masters are asked concurrently, and the first that reports itself
 * as the leader is taken. The search fails when all masters have answered or failed. It also fails
 * half a second after the first master that failed or does not lead, because a paused master must
 * not delay the next search, which may find a new leader.
 */
final class LeaderSearch {
  private static final long CALL_TIMEOUT_MILLIS = 10_000;
  private static final long WAIT_FOR_OTHERS_MILLIS = 500;

  private final List<ServerLink> masters;
  private final Timers timers;
  private final CompletableFuture<LeadingMaster> found = new CompletableFuture<>();
  private final StringJoiner answers = new StringJoiner("; ");
  private int unanswered;
  private int unknownHosts;
  private Throwable unknownHost; // failure to resolve a master's host name, or null

  LeaderSearch(List<ServerLink> masters, Timers timers) {
    this.masters = masters;
    this.timers = timers;
    this.unanswered = masters.size();
  }

  /** Fails with SERVICE_UNAVAILABLE when no master leads. */
  CompletableFuture<LeadingMaster> begin() {
    masters.forEach(
        master -> introduce(master).whenComplete((answer, e) -> answered(master, answer, e)));
    return found;
  }

  private static CompletableFuture<ConnectToMasterResponsePB> introduce(ServerLink master) {
    return master
        .call(
            "ConnectToMaster",
            ConnectToMasterRequestPB.getDefaultInstance(),
            ConnectToMasterResponsePB.parser(),
            RpcCallOptions.timeoutMillis(CALL_TIMEOUT_MILLIS)
                .withFeatures(MasterFeatures.CONNECT_TO_MASTER_VALUE),
            true)
        .thenApply(response -> response.message())
        .exceptionallyCompose(
            e -> isTooOld(e) ? askOldMaster(master) : CompletableFuture.failedFuture(e));
  }

  /** Masters that do not support ConnectToMaster report their role with their registration. */
  private static CompletableFuture<ConnectToMasterResponsePB> askOldMaster(ServerLink master) {
    return master
        .call(
            "GetMasterRegistration",
            GetMasterRegistrationRequestPB.getDefaultInstance(),
            GetMasterRegistrationResponsePB.parser(),
            RpcCallOptions.timeoutMillis(CALL_TIMEOUT_MILLIS),
            true)
        .thenApply(
            response ->
                ConnectToMasterResponsePB.newBuilder()
                    .setRole(response.message().getRole())
                    .build());
  }

  private static boolean isTooOld(Throwable failure) {
    return Failures.unwrap(failure) instanceof RpcException refused
        && (refused.errorCode() == RpcErrorCode.ERROR_NO_SUCH_METHOD
            || !refused.unsupportedFeatures().isEmpty());
  }

  private void answered(ServerLink master, ConnectToMasterResponsePB answer, Throwable failure) {
    if (failure == null && !answer.hasError() && answer.getRole() == Role.LEADER) {
      found.complete(new LeadingMaster(master, answer));
    } else if (countNo(master, answer, Failures.unwrap(failure))) {
      end();
    } else {
      timers.schedule(this::end, WAIT_FOR_OTHERS_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Counts a master that does not lead; returns whether it was the last one to answer. */
  private synchronized boolean countNo(
      ServerLink master, ConnectToMasterResponsePB answer, Throwable failure) {
    answers.add(master + ": " + describe(answer, failure));
    if (Failures.isUnknownHost(failure)) {
      unknownHosts++;
      unknownHost = failure;
    }
    return --unanswered == 0;
  }

  private static String describe(ConnectToMasterResponsePB answer, Throwable failure) {
    if (failure != null) {
      return failure instanceof KuduException known ? known.describe() : failure.toString();
    }
    return answer.hasError() ? answer.getError().getStatus().getMessage() : "does not lead";
  }

  private void end() {
    found.completeExceptionally(
        new KuduException(
            StatusCode.SERVICE_UNAVAILABLE,
            String.format(
                "No leader among the masters (%s); check the master addresses", answersSoFar()),
            hopeless()));
  }

  /**
   * The failure that makes another search useless: no master's name can be resolved. Null if at
   * least one name can be.
   */
  private synchronized Throwable hopeless() {
    return unknownHosts == masters.size() ? unknownHost : null;
  }

  private synchronized String answersSoFar() {
    return unanswered == 0 ? answers.toString() : answers + "; others have not answered yet";
  }
}
