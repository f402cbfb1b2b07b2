package dev.kudu4j.server.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.log.LogPosition;
import org.junit.jupiter.api.Test;

class LogReplayTest {
  private final LogReplay catchUp = new LogReplay();

  @Test
  void waitsForTheEndOfTheLog() {
    catchUp.setLogEnd(new LogPosition(3, 100), () -> new LogPosition(2, 50));
    catchUp.appliedUpTo(3, 99);
    assertThat(catchUp.isDone()).isFalse();
    catchUp.appliedUpTo(3, 100);
    assertThat(catchUp.isDone()).isTrue();
  }

  @Test
  void entriesThatALaterLeaderRemovedAreNotAwaited() {
    catchUp.setLogEnd(new LogPosition(3, 100), () -> new LogPosition(3, 50));
    catchUp.appliedUpTo(4, 60);
    assertThat(catchUp.isDone()).isTrue();
  }

  @Test
  void entriesAppliedBeforeTheEndIsKnownAreCounted() {
    catchUp.appliedUpTo(3, 100);
    assertThat(catchUp.isDone()).isFalse();
    catchUp.setLogEnd(new LogPosition(3, 100), () -> new LogPosition(3, 100));
    assertThat(catchUp.isDone()).isTrue();
  }

  @Test
  void theLastEntryMayBeAppliedWhileTheEndIsLookedUp() {
    catchUp.setLogEnd(
        new LogPosition(3, 100),
        () -> {
          LogPosition seen = new LogPosition(3, 99);
          catchUp.appliedUpTo(3, 100); // by the apply thread, during the lookup
          return seen;
        });
    assertThat(catchUp.isDone()).isTrue();
  }

  @Test
  void aFailedReplicaCompletesItsWaiters() {
    var waiter = catchUp.whenDone();
    catchUp.fail(KuduException.serviceUnavailable("stopped"));
    assertThat(waiter).isCompletedExceptionally();
  }
}
