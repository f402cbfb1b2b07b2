package dev.kudu4j.itest.hostile;

import static dev.kudu4j.itest.hostile.HostileCluster.OPERATOR;
import static dev.kudu4j.itest.hostile.HostileCluster.STRANGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.common.proto.server.ServerClockRequestPB;
import dev.kudu4j.common.proto.server.ServerClockResponsePB;
import dev.kudu4j.common.proto.server.SetFlagRequestPB;
import dev.kudu4j.itest.support.Site;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * An attacker who knows only the ports, with a plain socket. Each test is an attack that once
 * killed a server, broke a replica, wrote a file or left wrong data; after it the cluster must be
 * as before. A cluster that an attack has damaged is discarded, so that each failure identifies one
 * attack.
 *
 * <p>The tests without a tag are the cheap half, and share one cluster. An attacker uses either its
 * own name or the operator's, since any client may claim a name.
 */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.SAME_THREAD)
@SuppressWarnings("try") // the connections only need to be open
class HostileIT {
  private static final long SEED = Long.getLong("hostile.seed", System.nanoTime() % 1_000_000);

  /** This many descriptors are left for files, however many connections there are. */
  private static final int DESCRIPTORS_FOR_FILES = 64;

  private static HostileCluster cluster;
  private static int clusters;

  private boolean passed;

  @BeforeEach
  void start() throws IOException {
    if (cluster == null) {
      cluster = HostileCluster.start("cluster-" + clusters++);
    }
  }

  @AfterEach
  void throwAwayWhatIsHurt(TestInfo test) {
    if (!passed && cluster != null) {
      System.out.println("hostile: HURT by " + test.getDisplayName() + ": " + cluster.vitals());
      HostileCluster hurt = cluster;
      cluster = null;
      hurt.discard();
    }
  }

  /** Checks the cluster once more, and ends it. */
  @AfterAll
  static void end() {
    HostileCluster last = cluster;
    cluster = null;
    if (last != null) {
      try (last) {
        last.assertAsBefore();
      }
    }
  }

  private void assertUnharmed() {
    cluster.assertUnharmed();
    passed = true;
  }

  private void assertAsBefore() {
    cluster.assertAsBefore();
    passed = true;
  }

  private static List<String> users() {
    return List.of(STRANGER, OPERATOR);
  }

  // ---- destroys data or executes code

  @Test
  void tabletIdsThatArePathsMakeNoFile() throws IOException {
    for (String user : users()) {
      new PathAttacks(cluster).createTablets(user);
    }
    assertUnharmed();
  }

  @Test
  void tabletIdsThatArePathsDeleteNoFile() throws IOException {
    for (String user : users()) {
      new PathAttacks(cluster).deleteTablets(user);
    }
    assertUnharmed();
  }

  @Test
  @Tag("nightly")
  void filesOfATabletCopyAreWrittenNowhereElse() throws Exception {
    for (String user : users()) {
      new PathAttacks(cluster).copyTablets(user);
    }
    assertUnharmed();
  }

  @Test
  void rowsThatShareCellsAreChargedBeforeTheLog() throws Exception {
    new WriteAttacks(cluster).sharedCells(20_000, 1);
    assertUnharmed();
  }

  @Test
  @Tag("nightly")
  void memoryOfRowsThatShareCellsIsReleased() throws Exception {
    new WriteAttacks(cluster).sharedCells(20_000, 20);
    new WriteAttacks(cluster).sharedCells(900, 40);
    assertAsBefore();
  }

  @Test
  @Tag("nightly")
  void absurdTermsDoNotUnseatLeaders() {
    new RaftAttacks(cluster).absurdTerms();
    assertUnharmed();
  }

  @Test
  void replicasThatCannotBeReportedDoNotStopReports() throws Exception {
    RegistrationAttacks attacks = new RegistrationAttacks(cluster);
    for (String user : users()) {
      attacks.poisonedReplicas(user);
    }
    cluster.awaitHeartbeats();
    assertNewTablesComeUp();
    attacks.removePoisonedReplicas();
    assertUnharmed();
  }

  @Test
  void impossiblePortsAreNotSentToClients() throws IOException {
    RegistrationAttacks attacks = new RegistrationAttacks(cluster);
    for (String user : users()) {
      attacks.impossiblePorts(user);
    }
    attacks.assertAddressesCanBe();
    assertUnharmed();
  }

  @Test
  void noServerCanSendHeartbeatsForAnother() throws Exception {
    RegistrationAttacks attacks = new RegistrationAttacks(cluster);
    for (String user : users()) {
      attacks.impostors(user);
      attacks.assertServersAreWhereTheyWere();
    }
    assertNewTablesComeUp();
    attacks.assertServersAreWhereTheyWere();
    assertUnharmed();
  }

  /** A table on all servers needs reports from all of them, and requests to all. */
  private static void assertNewTablesComeUp() throws KuduException {
    cluster.createTable("after", HostileCluster.TABLET_SERVERS, 2);
    cluster.dropTable("after");
  }

  @Test
  void noFlagMovesTheClock() throws IOException {
    Target server = cluster.tabletServers().get(0);
    long before = clockMicros(server);
    for (String user : users()) {
      for (boolean force : List.of(false, true)) {
        try (RawRpc connection = RawRpc.as(user, server.rpc())) {
          SetFlagRequestPB request =
              SetFlagRequestPB.newBuilder()
                  .setFlag("clock_offset_usec")
                  .setValue(Long.toString(TimeUnit.DAYS.toMicros(3650)))
                  .setForce(force)
                  .build();
          connection.call(Target.GENERIC, "SetFlag", request.toByteArray(), 20_000);
        }
      }
    }
    assertThat(clockMicros(server) - before).isLessThan(TimeUnit.DAYS.toMicros(1));
    assertUnharmed();
  }

  private static long clockMicros(Target target) throws IOException {
    try (RawRpc connection = RawRpc.operator(target.rpc())) {
      return connection
              .ask(
                  Target.GENERIC,
                  "ServerClock",
                  ServerClockRequestPB.getDefaultInstance(),
                  ServerClockResponsePB.parser())
              .getTimestamp()
          >>> 12;
    }
  }

  // ---- ends a process, or exhausts its resources

  @Test
  void connectionsOfElevenBytesCostNothing() throws InterruptedException {
    for (Target target : List.of(cluster.master(), cluster.tabletServers().get(0))) {
      try (Crowd crowd = ConnectionAttacks.elevenBytes(target.rpc(), 1_846)) {
        cluster.assertHeapIsBounded(target);
      }
    }
    assertUnharmed();
  }

  @Test
  void framesAnnouncedOnTheRaftPortCostNothing() {
    for (Target target : List.of(cluster.master(), cluster.tabletServers().get(0))) {
      try (Crowd crowd = new RaftAttacks(cluster).claimedFrames(299, target)) {
        cluster.assertHeapIsBounded(target);
      }
    }
    assertUnharmed();
  }

  @Test
  void callsThatAreNotFinishedAreBounded() throws InterruptedException {
    for (Target target : List.of(cluster.master(), cluster.tabletServers().get(0))) {
      try (Crowd crowd = ConnectionAttacks.unfinishedCalls(target.rpc(), 10)) {
        cluster.assertHeapIsBounded(target);
      }
    }
    assertUnharmed();
  }

  @Test
  @Tag("nightly")
  void rowErrorsAreBounded() throws Exception {
    new WriteAttacks(cluster).duplicateKeys(300_000, 30);
    assertThat(new WriteAttacks(cluster).duplicateKeys(6_000_000, 1)).isZero(); // it is rejected
    assertAsBefore();
  }

  @Test
  void someRowErrorsAreBounded() throws Exception {
    new WriteAttacks(cluster).duplicateKeys(300_000, 2);
    assertUnharmed();
  }

  @Test
  @Tag("nightly")
  void longClientIdsAreNotRemembered() throws Exception {
    assertThat(new WriteAttacks(cluster).longClientIds(11_000, 60_000)).isZero();
    assertAsBefore();
  }

  @Test
  void someLongClientIdsAreNotRemembered() throws Exception {
    assertThat(new WriteAttacks(cluster).longClientIds(100, 60_000)).isZero();
    assertUnharmed();
  }

  /** A separate cluster, whose processes may have 700 descriptors each. */
  @Test
  @Tag("nightly")
  void idleConnectionsLeaveDescriptorsForFiles() throws Exception {
    end();
    cluster =
        HostileCluster.start(
            "few-descriptors-" + clusters++,
            site ->
                new Site(
                    site.host(),
                    List.of("bash", "-c", "ulimit -n 700 && exec \"$@\"", "few-descriptors")));
    Target target = cluster.tabletServers().get(0);
    try (Crowd idle = ConnectionAttacks.idle(target.rpc(), 548)) {
      assertThat(Vitals.of(target.daemon()).descriptors()).isLessThan(700 - DESCRIPTORS_FOR_FILES);
      cluster.createTable("loaded", HostileCluster.TABLET_SERVERS, 2);
      cluster.load("loaded", 8_000, "x".repeat(8_000)); // fills several log segments
      cluster.servers().flush();
      cluster.assertServes();
      cluster.dropTable("loaded");
    }
    assertAsBefore();
    end();
  }

  @Test
  void tabletsOfOneRequestAreCounted() throws Exception {
    for (int replicas : List.of(1, HostileCluster.TABLET_SERVERS)) {
      assertThatThrownBy(() -> cluster.createTable("many", replicas, 5_000))
          .hasMessageContaining("tablets");
    }
    assertThat(cluster.client().getTablesList().getTablesList()).doesNotContain("many");
    assertUnharmed();
  }

  @Test
  @Tag("nightly")
  void aConnectionThatNeverReadsIsClosed() throws Exception {
    cluster.createTable("unread", 1, 1);
    String tablet = cluster.tabletIds("unread").get(0);
    Target target = cluster.leader("unread", 0);
    try (Crowd crowd = new Crowd()) {
      for (int calls : List.of(0, 20_000)) {
        RawConnection connection = crowd.add(ConnectionAttacks.neverReads(target, tablet, calls));
        assertThat(connection.isOpenAtTheServer()).isTrue();
        await("the server closes a connection that does not read, with " + calls + " calls")
            .atMost(Duration.ofMinutes(4))
            .pollInterval(Duration.ofSeconds(1))
            .until(() -> !connection.isOpenAtTheServer());
      }
    }
    cluster.dropTable("unread");
    assertAsBefore();
  }

  /** A call without an answer stays with its connection, and keeps it open. */
  @Test
  void callsWhoseDeadlineHasPassedAreAnswered() throws Exception {
    cluster.createTable("late", 1, 1);
    String tablet = cluster.tabletIds("late").get(0);
    List<RawRpc.Reply> replies =
        ConnectionAttacks.waitsBeyondTheirDeadline(cluster.leader("late", 0), tablet);
    cluster.dropTable("late");
    assertThat(replies).extracting(RawRpc.Reply::outcome).doesNotContain(RawRpc.Outcome.HUNG);
    assertUnharmed();
  }

  @Test
  @Tag("nightly")
  void unfinishedWebRequestsCostNothing() throws InterruptedException {
    for (Target target : cluster.all()) {
      try (Crowd crowd = ConnectionAttacks.unfinishedPages(target.web(), 300)) {
        cluster.assertServes();
      }
    }
    assertUnharmed();
  }

  // ---- small attacks

  @Test
  void namesCannotForgeLogLines() throws Exception {
    NameAttacks attacks = new NameAttacks(cluster);
    attacks.forgeLines();
    attacks.tidy();
    attacks.assertNoLineIsForged();
    assertUnharmed();
  }

  // ---- random requests

  @Test
  void mutatedRequestsDoNoHarm() throws Exception {
    passed = Long.getLong("hostile.requests") != null;
    assumeThat(Long.getLong("hostile.requests"))
        .as("-Dhostile.requests, which runs only the nightly test")
        .isNull();
    fuzz(150);
  }

  @Test
  @Tag("nightly")
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void manyMutatedRequestsDoNoHarm() throws Exception {
    fuzz(Long.getLong("hostile.requests", 100_000));
  }

  /** The same, on a cluster where an attacker cannot claim to be a server. */
  @Test
  @Tag("nightly")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void mutatedRequestsDoNotHarmAClusterWithASecret() throws Exception {
    end();
    cluster = HostileCluster.startWithSecret("secret-" + clusters++);
    new RaftAttacks(cluster).absurdTerms();
    RegistrationAttacks attacks = new RegistrationAttacks(cluster);
    attacks.impostors(OPERATOR);
    attacks.assertServersAreWhereTheyWere();
    fuzz(Long.getLong("hostile.requests", 20_000));
    end();
  }

  private void fuzz(long requests) throws Exception {
    Fuzzer fuzzer = new Fuzzer(cluster, SEED, Long.getLong("hostile.first", 0), requests);
    List<String> findings = fuzzer.run();
    assertThat(findings).as("seed %d", SEED).isEmpty();
    cluster.assertAsBefore();
    passed = true;
  }
}
