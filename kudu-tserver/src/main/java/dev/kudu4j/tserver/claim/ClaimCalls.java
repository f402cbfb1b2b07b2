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
          .forEach(one -> KeyDecoder.decode(schema, one.getValue().toByteArray())); // or it fails
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

  public void checkClaims(CheckClaimsRequestPB request, RpcCall call) {
    claims
        .services()
        .executor()
        .execute(
            () -> {
              try {
                call.respond(check(request));
              } catch (RuntimeException e) {
                TabletServerError.answer(
                    call,
                    e,
                    error ->
                        call.respond(CheckClaimsResponsePB.newBuilder().setError(error).build()));
              }
            });
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

  private CheckClaimsResponsePB check(CheckClaimsRequestPB request) {
    HostedTablet tablet = tablets.running(request.getTabletId());
    TabletClaims known = claims.of(tablet);
    long term = term(tablet);
    clock.update(request.getPropagatedTimestamp());
    return new ClaimCheck(claims.services(), known, request, term)
        .answer()
        .setPropagatedTimestamp(clock.now())
        .build();
  }
}
