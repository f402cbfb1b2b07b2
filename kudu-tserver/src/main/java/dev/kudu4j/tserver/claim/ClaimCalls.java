package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.proto.cluster.CheckClaimsRequestPB;
import dev.kudu4j.common.proto.cluster.CheckClaimsResponsePB;
import dev.kudu4j.common.proto.cluster.ClaimValuesRequestPB;
import dev.kudu4j.common.proto.cluster.ClaimValuesResponsePB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.scan.ReadWait;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;

/** The calls ClaimValues and CheckClaims. No thread blocks. Thread-safe. */
public final class ClaimCalls {
  private final TabletRegistry tablets;
  private final Claims claims;
  private final HybridClock clock;

  public ClaimCalls(TabletRegistry tablets, Claims claims, HybridClock clock) {
    this.tablets = tablets;
    this.claims = claims;
    this.clock = clock;
  }

  public void claimValues(ClaimValuesRequestPB request, RpcCall call) {
    try {
      HostedTablet tablet = tablets.running(request.getTabletId());
      if (!tablet.hasClaims()) {
        throw KuduException.invalidArgument("Tablet %s has no claims of values", tablet.tabletId());
      }
      clock.update(request.getPropagatedTimestamp());
      Schema schema = tablet.tablet().schema();
      request
          .getOperationsList()
          .forEach(one -> check(one.getValue(), schema)); // others would fail with it
      claims
          .queue(tablet)
          .submit(ClaimWire.fromWire(request))
          .whenComplete(
              (conflicts, failure) -> {
                if (failure != null) {
                  failClaim(call, TabletServerError.ofLeader(tablet.tabletId(), failure));
                } else {
                  call.respond(reply(conflicts));
                }
              });
    } catch (RuntimeException e) {
      failClaim(call, e);
    }
  }

  private static void check(ByteString value, Schema schema) {
    if (!ValueEncoder.fits(value)) {
      throw KuduException.invalidArgument("A value of %d bytes cannot be claimed", value.size());
    }
    KeyDecoder.decode(schema, value.toByteArray());
  }

  private ClaimValuesResponsePB reply(ClaimQueue.Conflicts conflicts) {
    ClaimValuesResponsePB.Builder reply =
        ClaimValuesResponsePB.newBuilder().setPropagatedTimestamp(clock.now());
    conflicts
        .byOperation()
        .forEach(
            (operation, other) ->
                reply
                    .addConflictsBuilder()
                    .setOperation(operation)
                    .setOwner(other.owner())
                    .setOwnerTabletId(ByteString.copyFromUtf8(other.stamp().tabletId())));
    return reply.build();
  }

  private static void failClaim(RpcCall call, Throwable failure) {
    TabletServerError.answer(
        call,
        failure,
        error -> call.respond(ClaimValuesResponsePB.newBuilder().setError(error).build()));
  }

  /** Waits for a proof that this server leads: another leader may have changed the rows. */
  @SuppressWarnings("FutureReturnValueIgnored")
  public void checkClaims(CheckClaimsRequestPB request, RpcCall call) {
    try {
      HostedTablet tablet = tablets.running(request.getTabletId());
      term(tablet);
      clock.update(request.getPropagatedTimestamp());
      tablet
          .replica()
          .safeTime()
          .whenReadable(clock.now(), ReadWait.nanos(call))
          .thenApplyAsync(readable -> check(request, tablet), claims.services().executor())
          .whenComplete(
              (reply, failure) -> {
                if (failure == null) {
                  call.respond(reply);
                } else {
                  failCheck(
                      call, TabletServerError.ofLeader(tablet.tabletId(), ReadWait.later(failure)));
                }
              });
    } catch (RuntimeException e) {
      failCheck(call, e);
    }
  }

  private static void failCheck(RpcCall call, Throwable failure) {
    TabletServerError.answer(
        call,
        failure,
        error -> call.respond(CheckClaimsResponsePB.newBuilder().setError(error).build()));
  }

  private static long term(HostedTablet tablet) {
    try {
      return tablet.replica().leadingTerm();
    } catch (KuduException e) {
      throw e.code() == StatusCode.ILLEGAL_STATE
          ? TabletServerError.notLeader(tablet.tabletId())
          : e;
    }
  }

  private CheckClaimsResponsePB check(CheckClaimsRequestPB request, HostedTablet tablet) {
    return new ClaimCheck(claims.services(), claims.of(tablet), request, term(tablet))
        .answer()
        .setPropagatedTimestamp(clock.now())
        .build();
  }
}
