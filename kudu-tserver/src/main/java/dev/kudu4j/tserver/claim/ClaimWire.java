package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.ClaimValuesRequestPB;
import dev.kudu4j.tserver.claim.ClaimOperation.VoidClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts operations on claims to and from wire messages. */
final class ClaimWire {
  private ClaimWire() {}

  static ClaimValuesRequestPB.OperationPB toWire(ClaimOperation operation) {
    ClaimValuesRequestPB.OperationPB.Builder pb =
        ClaimValuesRequestPB.OperationPB.newBuilder()
            .setValue(operation.value())
            .setOwner(operation.claim().owner())
            .setNumber(operation.claim().stamp().number());
    if (operation.isRelease()) {
      pb.setRelease(true);
    }
    VoidClaim voided = operation.voided();
    if (voided != null) {
      pb.setVoidClaim(
          ClaimValuesRequestPB.VoidClaimPB.newBuilder()
              .setOwner(voided.owner())
              .setOwnerTabletId(ByteString.copyFromUtf8(voided.stamp().tabletId()))
              .setTerm(voided.stamp().term())
              .setNumber(voided.stamp().number())
              .setTabletGone(voided.tabletGone()));
    }
    return pb.build();
  }

  static List<ClaimOperation> fromWire(ClaimValuesRequestPB request) {
    String tablet = request.getOwnerTabletId().toStringUtf8();
    return request.getOperationsList().stream()
        .map(
            pb ->
                new ClaimOperation(
                    pb.getValue(),
                    new Claim(pb.getOwner(), new Stamp(tablet, request.getTerm(), pb.getNumber())),
                    pb.getRelease(),
                    voided(pb)))
        .toList();
  }

  private static @Nullable VoidClaim voided(ClaimValuesRequestPB.OperationPB pb) {
    if (!pb.hasVoidClaim()) {
      return null;
    }
    ClaimValuesRequestPB.VoidClaimPB voided = pb.getVoidClaim();
    return new VoidClaim(
        voided.getOwner(),
        new Stamp(voided.getOwnerTabletId().toStringUtf8(), voided.getTerm(), voided.getNumber()),
        voided.getTabletGone());
  }
}
