package dev.kudu4j.tserver.claim;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Something that a leader of the table asks a tablet with claims for.
 *
 * @param value encoded as the primary key of that tablet
 * @param claim of the row that gets the value, or no longer has it
 * @param isRelease whether the row no longer has the value
 * @param voided a claim of another row that does not count; null if none is known
 */
record ClaimOperation(
    ByteString value, Claim claim, boolean isRelease, @Nullable VoidClaim voided) {

  /**
   * The claim of a row that does not have the value.
   *
   * @param stamp claims that are earlier do not count
   * @param tabletGone whether the row's tablet, that of the stamp, does not exist any more
   */
  record VoidClaim(ByteString owner, Stamp stamp, boolean tabletGone) {
    boolean covers(Claim claim) {
      return claim.owner().equals(owner)
          && (tabletGone
              ? claim.stamp().tabletId().equals(stamp.tabletId())
              : claim.stamp().isBefore(stamp));
    }
  }

  static ClaimOperation claim(ByteString value, Claim claim) {
    return new ClaimOperation(value, claim, false, null);
  }

  static ClaimOperation release(ByteString value, Claim claim) {
    return new ClaimOperation(value, claim, true, null);
  }

  ClaimOperation voiding(VoidClaim other) {
    return new ClaimOperation(value, claim, isRelease, other);
  }

  /** What the operation does. */
  sealed interface Outcome {
    /** The value has this claim now; null if it has none. */
    record Changed(@Nullable Claim claim) implements Outcome {}

    /** Nothing is to be changed. */
    record Unchanged() implements Outcome {}

    /** Another row has claimed the value. */
    record Conflict(Claim other) implements Outcome {}
  }

  /**
   * Decides about the operation.
   *
   * @param present the claim of the value; null if it has none
   */
  Outcome apply(@Nullable Claim present) {
    if (present == null) {
      return isRelease ? new Outcome.Unchanged() : new Outcome.Changed(claim);
    }
    // A range that was dropped and added again has other rows with the same keys.
    boolean mine =
        present.owner().equals(claim.owner())
            && present.stamp().tabletId().equals(claim.stamp().tabletId());
    if (isRelease) {
      return mine && present.stamp().isBefore(claim.stamp())
          ? new Outcome.Changed(null)
          : new Outcome.Unchanged();
    }
    if (voided != null && voided.covers(present)) {
      return new Outcome.Changed(claim);
    }
    if (!mine) {
      return new Outcome.Conflict(present);
    }
    return claim.stamp().isBefore(present.stamp()) // a late message
        ? new Outcome.Unchanged()
        : new Outcome.Changed(claim);
  }
}
