package dev.kudu4j.tserver.tablets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tserver.tablets.HostedState.Bootstrapping;
import dev.kudu4j.tserver.tablets.HostedState.Copying;
import dev.kudu4j.tserver.tablets.HostedState.Failed;
import dev.kudu4j.tserver.tablets.HostedState.Open;
import dev.kudu4j.tserver.tablets.HostedState.Stopping;
import dev.kudu4j.tserver.tablets.HostedState.Tombstoned;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every transition from every state; transitions that are not listed must be rejected. */
class HostedStateTest {
  private static final OpenTablet TABLET =
      new OpenTablet(null, null, null, null, null, null, null); // transitions do not read it

  @SuppressWarnings("StaticAssignmentOfThrowable")
  private static final Throwable CAUSE = new IllegalStateException("torn");

  private static final Tombstone TOMBSTONE = Tombstone.blank("t", "evicted");
  private static final Tombstone OLDER = Tombstone.blank("t", "older");
  private static final CopyProgress COPY = new CopyProgress("source", 0);
  private static final CopyProgress OTHER_COPY = new CopyProgress("other", 0);

  private static final Map<String, HostedState> STATES =
      Map.of(
          "bootstrapping", new Bootstrapping(),
          "open", new Open(TABLET),
          "failed", new Failed(CAUSE, false),
          "tombstoned", new Tombstoned(TOMBSTONE),
          "copying", new Copying(COPY, null),
          "copying again", new Copying(COPY, TOMBSTONE));

  private static final Map<String, UnaryOperator<HostedState>> TRANSITIONS =
      Map.of(
          "opened", now -> now.opened(TABLET),
          "failed", now -> now.failed(CAUSE, false),
          "tombstoned", now -> now.tombstoned(TOMBSTONE),
          "copying", now -> now.copying(COPY));

  private static final Map<String, Map<String, String>> LEGAL =
      Map.of(
          "bootstrapping",
          Map.of(
              "opened", "open",
              "failed", "failed",
              "tombstoned", "tombstoned",
              "copying", "copying"),
          "open",
          Map.of(),
          "failed",
          Map.of(),
          "tombstoned",
          Map.of("copying", "copying again"),
          "copying",
          Map.of("opened", "open", "failed", "failed", "tombstoned", "tombstoned"),
          "copying again",
          Map.of("opened", "open", "failed", "failed", "tombstoned", "tombstoned"));

  @Test
  void onlyTheLegalTransitionsAreTaken() {
    for (var state : STATES.entrySet()) {
      for (var transition : TRANSITIONS.entrySet()) {
        String next = LEGAL.get(state.getKey()).get(transition.getKey());
        assertThat(next(state.getValue(), transition.getValue()))
            .as("%s, %s", state.getKey(), transition.getKey())
            .isEqualTo(next == null ? null : STATES.get(next));
      }
    }
  }

  /** The state after the transition, or null if it is rejected. */
  private static HostedState next(HostedState from, UnaryOperator<HostedState> transition) {
    try {
      return transition.apply(from);
    } catch (IllegalStateException refused) {
      return null;
    }
  }

  @Test
  void aRejectedTransitionReportsItselfAndTheState() {
    assertThatThrownBy(() -> new Tombstoned(TOMBSTONE).opened(TABLET))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("opened")
        .hasMessageContaining("Tombstoned");
  }

  @Test
  void everyStateCanBeStoppedAndKeepsItsContent() {
    for (HostedState state : STATES.values()) {
      HostedState stopping = state.stopping();
      assertThat(stopping).isEqualTo(new Stopping(state));
      assertThat(stopping.stopping()).isSameAs(stopping);
      assertThat(stopping.isStopping()).isTrue();
      assertThat(state.isStopping()).isFalse();
      assertThat(stopping.open()).isSameAs(state.open());
      assertThat(stopping.tombstone()).isSameAs(state.tombstone());
      assertThat(stopping.copy()).isSameAs(state.copy());
      assertThat(stopping.dataState()).isEqualTo(state.dataState());
    }
    assertThat(new Failed(CAUSE, true).stopping().isRemainder()).isTrue();
  }

  @Test
  void aRemovalThatFailsLeavesAFailedTabletWithItsReplica() {
    HostedState left = new Open(TABLET).stopping().removalFailed(CAUSE);
    assertThat(left.state()).isEqualTo(TabletStatePB.FAILED);
    assertThat(left.open()).isSameAs(TABLET);
    assertThat(left.cause()).isSameAs(CAUSE);
    assertThat(left.isStopping()).isFalse();
    assertThat(new Failed(CAUSE, true).stopping().removalFailed(CAUSE))
        .isEqualTo(new Failed(CAUSE, true));
    assertThatThrownBy(() -> new Open(TABLET).removalFailed(CAUSE))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void transitionsThatBeganBeforeAStopCompleteWhileStopping() {
    HostedState opening = new Bootstrapping().stopping();
    assertThat(opening.opened(TABLET)).isEqualTo(new Stopping(new Open(TABLET)));
    assertThat(opening.failed(CAUSE, true)).isEqualTo(new Stopping(new Failed(CAUSE, true)));
    assertThat(opening.tombstoned(TOMBSTONE)).isEqualTo(new Stopping(new Tombstoned(TOMBSTONE)));
    assertThat(new Copying(COPY, null).stopping().copyVanished())
        .isEqualTo(new Stopping(new Bootstrapping()));
    assertThatThrownBy(() -> new Open(TABLET).stopping().opened(TABLET))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void noCopyBeginsForAStoppingTablet() {
    assertThatThrownBy(() -> new Tombstoned(TOMBSTONE).stopping().copying(COPY))
        .isInstanceOf(KuduException.class)
        .hasMessage("The tablet is being removed from this server; try again");
  }

  @Test
  void aVanishedCopyIsStopping() {
    assertThat(new Copying(COPY, OLDER).copyVanished())
        .isEqualTo(new Stopping(new Bootstrapping()));
    STATES.forEach(
        (name, state) -> {
          if (state.copy() == null) {
            assertThatThrownBy(state::copyVanished).isInstanceOf(IllegalStateException.class);
          }
        });
  }

  @Test
  void aCopyKeepsTheTombstoneUntilItHasEnded() {
    HostedState copying = new Tombstoned(OLDER).copying(COPY);
    assertThat(copying.tombstone()).isSameAs(OLDER);
    assertThat(copying.copy()).isSameAs(COPY);
    assertThat(copying.tombstoned(TOMBSTONE).tombstone()).isSameAs(TOMBSTONE);
    assertThat(copying.tombstoned(TOMBSTONE).copy()).isNull();
    assertThat(copying.opened(TABLET).tombstone()).isNull();
    assertThat(copying.failed(CAUSE, false).tombstone()).isNull();
    assertThatThrownBy(() -> copying.copying(OTHER_COPY)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theServerReportsEachState() {
    assertReported(
        new Bootstrapping(),
        TabletDataState.TABLET_DATA_READY,
        TabletStatePB.BOOTSTRAPPING,
        "BOOTSTRAPPING");
    assertReported(
        new Failed(CAUSE, false),
        TabletDataState.TABLET_DATA_READY,
        TabletStatePB.FAILED,
        "java.lang.IllegalStateException: torn");
    assertReported(
        new Tombstoned(TOMBSTONE),
        TabletDataState.TABLET_DATA_TOMBSTONED,
        TabletStatePB.STOPPED,
        "Tombstoned at 0.-1: evicted");
    assertReported(
        new Copying(COPY, TOMBSTONE),
        TabletDataState.TABLET_DATA_COPYING,
        TabletStatePB.INITIALIZED,
        COPY.text());
    assertReported(
        new Bootstrapping().stopping(),
        TabletDataState.TABLET_DATA_READY,
        TabletStatePB.STOPPING,
        "STOPPING");
    assertReported(
        new Failed(CAUSE, false).stopping(),
        TabletDataState.TABLET_DATA_READY,
        TabletStatePB.STOPPING,
        "java.lang.IllegalStateException: torn");
    assertReported(
        new Tombstoned(TOMBSTONE).stopping(),
        TabletDataState.TABLET_DATA_TOMBSTONED,
        TabletStatePB.STOPPED,
        "Tombstoned at 0.-1: evicted");
  }

  private static void assertReported(
      HostedState state, TabletDataState data, TabletStatePB reported, String lastStatus) {
    assertThat(state.dataState()).isEqualTo(data);
    assertThat(state.state()).isEqualTo(reported);
    assertThat(state.lastStatus()).isEqualTo(lastStatus);
  }

  @ParameterizedTest
  @CsvSource({
    "STARTING, BOOTSTRAPPING",
    "RUNNING, RUNNING",
    "FAILED, FAILED",
    "EVICTED, STOPPED",
    "STOPPED, STOPPED"
  })
  void anOpenTabletHasTheStateOfItsReplica(TabletReplica.State replica, TabletStatePB reported) {
    assertThat(OpenTablet.state(replica, null)).isEqualTo(reported);
    assertThat(OpenTablet.state(replica, CAUSE)).isEqualTo(TabletStatePB.FAILED);
  }
}
