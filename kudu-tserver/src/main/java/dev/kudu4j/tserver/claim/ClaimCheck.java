package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.CheckClaimsRequestPB;
import dev.kudu4j.common.proto.cluster.CheckClaimsResponsePB;
import dev.kudu4j.common.proto.cluster.CheckClaimsResponsePB.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out which rows of a tablet have the values that they have claimed.
 *
 * <p>A row that is not locked, and does not have the value, can get it only by a claim that is
 * later than the stamp of the answer. Writes of earlier leaders are applied or lost, and those of
 * later leaders have a later term; so no proof of leadership is needed.
 */
final class ClaimCheck {
  private final ClaimServices services;
  private final TabletClaims claims;
  private final CheckClaimsRequestPB request;
  private final long term;

  /**
   * @param term in which this server leads the tablet, with everything before it applied
   */
  ClaimCheck(ClaimServices services, TabletClaims claims, CheckClaimsRequestPB request, long term) {
    this.services = services;
    this.claims = claims;
    this.request = request;
    this.term = term;
  }

  CheckClaimsResponsePB.Builder answer() {
    TabletClaims.Indexes indexes = claims.indexes();
    // A write locks its keys before it gets its stamp. So one with an earlier stamp than this has
    // its locks, or has ended, and the rows that are read below have what it has written.
    Stamp stamp = claims.nextStamp(term);
    Set<Integer> pending = new HashSet<>();
    for (int i = 0; i < request.getClaimsCount(); i++) {
      if (claims.locks().isLocked(request.getClaims(i).getOwner())) {
        pending.add(i);
      }
    }
    CheckClaimsResponsePB.Builder answer =
        CheckClaimsResponsePB.newBuilder().setTerm(term).setNumber(stamp.number());
    Optional<ValueEncoder> index =
        indexes.enforced().stream()
            .filter(one -> one.index().definition().id() == request.getIndexId())
            .findFirst();
    if (index.isEmpty()) { // it is being created or dropped
      request.getClaimsList().forEach(claim -> answer.addStates(State.PENDING));
      return answer;
    }
    List<ByteString> owners = new ArrayList<>();
    request.getClaimsList().forEach(claim -> owners.add(claim.getOwner()));
    RowsByKey rows = services.rows(claims, indexes);
    Map<ByteString, RowsByKey.Row> found = rows.read(owners);
    ValueEncoder.ValueReader values = index.get().reader(rows.projection());
    for (int i = 0; i < request.getClaimsCount(); i++) {
      ByteString value = values.of(found.get(request.getClaims(i).getOwner()));
      boolean held = request.getClaims(i).getValue().equals(value);
      answer.addStates(held ? State.HELD : pending.contains(i) ? State.PENDING : State.VOID);
    }
    return answer;
  }
}
