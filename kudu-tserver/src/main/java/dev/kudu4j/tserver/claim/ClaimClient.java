package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.CheckClaimsRequestPB;
import dev.kudu4j.common.proto.cluster.CheckClaimsResponsePB;
import dev.kudu4j.common.proto.cluster.ClaimValuesRequestPB;
import dev.kudu4j.common.proto.cluster.ClaimValuesResponsePB;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.leaders.TabletGoneException;
import dev.kudu4j.server.leaders.TabletLeaders;
import dev.kudu4j.tserver.claim.ClaimOperation.VoidClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Asks the leaders of tablets with claims, and of tablets of the table. Calls carry the clock, so
 * at every snapshot the claims have the values of the rows. Thread-safe.
 */
final class ClaimClient {
  private final TabletLeaders leaders;
  private final HybridClock clock;

  ClaimClient(TabletLeaders leaders, HybridClock clock) {
    this.leaders = leaders;
    this.clock = clock;
  }

  /**
   * The claim of another row.
   *
   * @param tabletId of the row
   */
  record Other(ByteString owner, String tabletId) {}

  /** What the tablet of a row says about its claim. */
  sealed interface Verdict {
    /** The row has the value. */
    record Held() implements Verdict {}

    /** It may be about to get it. */
    record Pending() implements Verdict {}

    /** The claim does not count. */
    record Ineffective(VoidClaim claim) implements Verdict {}
  }

  /**
   * Executes operations of one tablet of a table, in one term, at a tablet with claims. Fails with
   * {@link TabletGoneException} if that does not exist any more.
   *
   * @return the claims of other rows, by the place of the operation
   */
  CompletableFuture<Map<Integer, Other>> execute(
      String claimTablet, List<ClaimOperation> operations, long deadlineNanos) {
    Stamp caller = operations.get(0).claim().stamp();
    ClaimValuesRequestPB.Builder request =
        ClaimValuesRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(claimTablet))
            .setOwnerTabletId(ByteString.copyFromUtf8(caller.tabletId()))
            .setTerm(caller.term())
            .setPropagatedTimestamp(clock.now());
    operations.forEach(operation -> request.addOperations(ClaimWire.toWire(operation)));
    return leaders
        .call(
            claimTablet,
            "ClaimValues",
            request.build(),
            ClaimValuesResponsePB.parser(),
            ClaimValuesResponsePB::getError,
            deadlineNanos)
        .thenApply(
            response -> {
              clock.update(response.getPropagatedTimestamp());
              Map<Integer, Other> others = new HashMap<>();
              response
                  .getConflictsList()
                  .forEach(
                      one ->
                          others.put(
                              one.getOperation(),
                              new Other(one.getOwner(), one.getOwnerTabletId().toStringUtf8())));
              return others;
            });
  }

  /**
   * Asks a tablet of a table whether its rows have the values that they have claimed.
   *
   * @param values by the row that has claimed the value
   * @return the verdicts, in the order of the claims
   */
  CompletableFuture<List<Verdict>> check(
      String tabletId, int indexId, List<Map.Entry<Other, ByteString>> values, long deadlineNanos) {
    CheckClaimsRequestPB.Builder request =
        CheckClaimsRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(tabletId))
            .setIndexId(indexId)
            .setPropagatedTimestamp(clock.now());
    values.forEach(
        one -> request.addClaimsBuilder().setOwner(one.getKey().owner()).setValue(one.getValue()));
    return leaders
        .call(
            tabletId,
            "CheckClaims",
            request.build(),
            CheckClaimsResponsePB.parser(),
            CheckClaimsResponsePB::getError,
            deadlineNanos)
        .thenApply(response -> verdicts(tabletId, values, response))
        .exceptionallyCompose(
            failure ->
                isGone(failure)
                    ? CompletableFuture.completedFuture(gone(tabletId, values))
                    : CompletableFuture.failedFuture(failure));
  }

  static boolean isGone(Throwable failure) {
    return Failures.unwrap(failure) instanceof TabletGoneException;
  }

  private List<Verdict> verdicts(
      String tabletId, List<Map.Entry<Other, ByteString>> values, CheckClaimsResponsePB response) {
    clock.update(response.getPropagatedTimestamp());
    Stamp stamp = new Stamp(tabletId, response.getTerm(), response.getNumber());
    List<Verdict> verdicts = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      ByteString owner = values.get(i).getKey().owner();
      verdicts.add(
          switch (response.getStates(i)) {
            case HELD -> new Verdict.Held();
            case VOID -> new Verdict.Ineffective(new VoidClaim(owner, stamp, false));
            case UNKNOWN, PENDING -> new Verdict.Pending();
          });
    }
    return verdicts;
  }

  /** The rows of a dropped partition do not exist. */
  private static List<Verdict> gone(String tabletId, List<Map.Entry<Other, ByteString>> values) {
    Stamp any = new Stamp(tabletId, 0, 0);
    List<Verdict> verdicts = new ArrayList<>();
    values.forEach(
        one ->
            verdicts.add(new Verdict.Ineffective(new VoidClaim(one.getKey().owner(), any, true))));
    return verdicts;
  }
}
