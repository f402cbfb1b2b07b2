package dev.kudu4j.server.raft.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.server.transport.VoteWatch.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ElectionTrackerTest {
  private final AtomicLong nanos = new AtomicLong();
  private final List<String> lines = new ArrayList<>();
  private boolean candidate = true;
  private final ElectionTracker watch =
      new ElectionTracker(
          () -> candidate,
          new ElectionTracker.Listener() {
            @Override
            public void electionStarted(long term, boolean preliminary) {
              lines.add("started " + term + " " + preliminary);
            }

            @Override
            public void stillWithoutLeader(long millis, int attempts, Map<String, Answer> answers) {
              lines.add(millis + " ms, " + attempts + ", " + new TreeMap<>(answers));
            }
          },
          nanos::get);

  private void pass(long millis) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private void askBoth(long term, boolean preliminary) {
    watch.onVoteRequested(term, preliminary, "a");
    watch.onVoteRequested(term, preliminary, "b");
  }

  @Test
  void onlyVotesOfTheWonElectionAreCounted() {
    askBoth(3, true);
    watch.answered(3, true, "a", Answer.GRANTED);
    pass(20);
    askBoth(4, false);
    watch.answered(3, true, "b", Answer.GRANTED); // late: from the pre-vote
    watch.answered(4, false, "b", Answer.GRANTED);
    pass(30);
    assertThat(watch.won()).isEqualTo(new ElectionTracker.Won(2, 50));
    assertThat(lines).containsExactly("started 3 true");
  }

  @Test
  void electionsWithoutAWinnerAreLoggedOncePerMinute() {
    for (int i = 0; i < 9; i++) {
      askBoth(7, true);
      watch.answered(7, true, "a", Answer.REFUSED);
      pass(10_000);
    }
    assertThat(lines).containsExactly("started 7 true", "60000 ms, 6, {a=REFUSED, b=NONE}");
    watch.ended();
    askBoth(8, true);
    assertThat(lines).endsWith("started 8 true");
  }

  @Test
  void requestsOfANonCandidateAreIgnored() {
    candidate = false;
    askBoth(0, true);
    assertThat(lines).isEmpty();
    assertThat(watch.won()).isEqualTo(new ElectionTracker.Won(1, 0));
  }
}
