package dev.kudu4j.tserver.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kudu4j.tserver.claim.ClaimOperation.Outcome;
import dev.kudu4j.tserver.claim.ClaimOperation.VoidClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimOperationTest {
  private static final ByteString VALUE = ByteString.copyFromUtf8("v");
  private static final ByteString ONE = ByteString.copyFromUtf8("one");
  private static final ByteString OTHER = ByteString.copyFromUtf8("other");

  private static Claim claim(ByteString owner, long term, long number) {
    return new Claim(owner, new Stamp("t", term, number));
  }

  private static ClaimOperation claims(ByteString owner, long term, long number) {
    return ClaimOperation.claim(VALUE, claim(owner, term, number));
  }

  private static ClaimOperation releases(ByteString owner, long term, long number) {
    return ClaimOperation.release(VALUE, claim(owner, term, number));
  }

  private static VoidClaim isVoid(ByteString owner, long term, long number) {
    return new VoidClaim(owner, new Stamp("t", term, number), false);
  }

  @Test
  void aFreeValueIsClaimedAndOneOfAnotherRowIsNot() {
    assertThat(claims(ONE, 1, 1).apply(null)).isEqualTo(new Outcome.Changed(claim(ONE, 1, 1)));
    assertThat(claims(OTHER, 9, 9).apply(claim(ONE, 1, 1)))
        .isEqualTo(new Outcome.Conflict(claim(ONE, 1, 1)));
    assertThat(claims(ONE, 2, 1).apply(claim(ONE, 1, 7)))
        .isEqualTo(new Outcome.Changed(claim(ONE, 2, 1)));
  }

  @Test
  void lateMessagesChangeNothing() {
    assertThat(claims(ONE, 1, 6).apply(claim(ONE, 1, 7))).isEqualTo(new Outcome.Unchanged());
    assertThat(releases(ONE, 1, 6).apply(claim(ONE, 1, 7))).isEqualTo(new Outcome.Unchanged());
    assertThat(releases(ONE, 1, 8).apply(claim(ONE, 2, 1))).isEqualTo(new Outcome.Unchanged());
    assertThat(releases(ONE, 1, 8).apply(claim(OTHER, 1, 1))).isEqualTo(new Outcome.Unchanged());
    assertThat(releases(ONE, 1, 8).apply(null)).isEqualTo(new Outcome.Unchanged());
    assertThat(releases(ONE, 1, 8).apply(claim(ONE, 1, 7))).isEqualTo(new Outcome.Changed(null));
  }

  @Test
  void aClaimIsReplacedIfItIsTheOneThatWasFoundToBeVoid() {
    Claim mine = claim(OTHER, 5, 5);
    assertThat(claims(OTHER, 5, 5).voiding(isVoid(ONE, 1, 8)).apply(claim(ONE, 1, 7)))
        .isEqualTo(new Outcome.Changed(mine));
    assertThat(claims(OTHER, 5, 5).voiding(isVoid(ONE, 1, 8)).apply(claim(ONE, 1, 9)))
        .as("it was made again")
        .isEqualTo(new Outcome.Conflict(claim(ONE, 1, 9)));
    assertThat(claims(OTHER, 5, 5).voiding(isVoid(ONE, 1, 8)).apply(claim(ONE, 2, 1)))
        .as("by a later leader")
        .isEqualTo(new Outcome.Conflict(claim(ONE, 2, 1)));
    Claim ofDropped = new Claim(ONE, new Stamp("dropped", 7, 7));
    assertThat(claims(OTHER, 5, 5).voiding(isVoid(ONE, 9, 9)).apply(ofDropped))
        .as("a stamp says nothing about another tablet")
        .isEqualTo(new Outcome.Conflict(ofDropped));
    VoidClaim gone = new VoidClaim(ONE, new Stamp("dropped", 0, 0), true);
    assertThat(claims(OTHER, 5, 5).voiding(gone).apply(ofDropped))
        .isEqualTo(new Outcome.Changed(mine));
    assertThat(claims(OTHER, 5, 5).voiding(gone).apply(claim(ONE, 1, 1)))
        .as("the range was added again")
        .isEqualTo(new Outcome.Conflict(claim(ONE, 1, 1)));
  }

  /**
   * Rows get and lose one value, and messages are delayed and delivered twice: the row that has the
   * value always has the claim.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void theRowWithTheValueKeepsItsClaim(int seed) {
    Random random = new Random(seed);
    List<ByteString> rows = List.of(ONE, OTHER, ByteString.copyFromUtf8("third"));
    List<ClaimOperation> underWay = new ArrayList<>();
    Claim present = null;
    ByteString holder = null;
    long[] numbers = new long[rows.size()];
    long[] terms = {1, 1, 1};
    for (int step = 0; step < 20_000; step++) {
      int at = random.nextInt(rows.size());
      ByteString row = rows.get(at);
      switch (random.nextInt(4)) {
        case 0 -> { // a write of the row wants the value
          ClaimOperation wanted =
              ClaimOperation.claim(VALUE, stamped(rows, at, terms, ++numbers[at]));
          if (present != null && !present.owner().equals(row)) {
            int other = rows.indexOf(present.owner());
            if (holder != null) {
              continue; // it has the value: refused
            }
            wanted =
                wanted.voiding(
                    new VoidClaim(
                        present.owner(),
                        stamped(rows, other, terms, ++numbers[other]).stamp(),
                        false));
          }
          underWay.add(wanted); // it may come again, later
          Outcome outcome = wanted.apply(present);
          assertThat(outcome).isNotInstanceOf(Outcome.Conflict.class);
          present = outcome instanceof Outcome.Changed changed ? changed.claim() : present;
          holder = random.nextBoolean() ? row : holder; // the write may fail
        }
        case 1 -> { // it gives the value up
          if (row.equals(holder)) {
            holder = null;
            underWay.add(ClaimOperation.release(VALUE, stamped(rows, at, terms, ++numbers[at])));
          }
        }
        case 2 -> { // a late message
          if (!underWay.isEmpty()) {
            ClaimOperation late = underWay.get(random.nextInt(underWay.size()));
            Outcome outcome = late.apply(present);
            present = outcome instanceof Outcome.Changed changed ? changed.claim() : present;
          }
        }
        default -> { // another leader
          if (random.nextInt(50) == 0) {
            terms[at]++;
            numbers[at] = 0;
          }
        }
      }
      if (holder != null) {
        assertThat(present).as("seed %d, step %d", seed, step).isNotNull();
        assertThat(present.owner()).as("seed %d, step %d", seed, step).isEqualTo(holder);
      }
    }
  }

  /** Each row is in a tablet of its own. */
  private static Claim stamped(List<ByteString> rows, int at, long[] terms, long number) {
    return new Claim(rows.get(at), new Stamp("t" + at, terms[at], number));
  }
}
