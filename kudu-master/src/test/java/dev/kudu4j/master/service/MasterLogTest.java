package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.google.protobuf.ByteString;
import dev.kudu4j.common.LogCapture;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.master.heartbeat.ServerRegistry;
import dev.kudu4j.master.tables.TableChangeLog;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log of the leader alone is complete: one line for each event. */
class MasterLogTest {
  private static ByteString key(int number) {
    return ByteString.copyFromUtf8("request " + number);
  }

  private static String only(List<String> lines, String part) {
    List<String> found = lines.stream().filter(line -> line.contains(part)).toList();
    assertThat(found).as("lines with '%s' of %s", part, lines).hasSize(1);
    return found.get(0);
  }

  @Test
  void eachChangeOfATableIsLoggedOnceWithItsUser() {
    FakeCluster cluster = new FakeCluster(3, 1);
    try (LogCapture log = LogCapture.of(TableChangeLog.class)) {
      CreateTableRequestPB create =
          Requests.create("metrics", 3, 0, 0, 10).setRequestKey(key(1)).build();
      String id = cluster.tables.createTable(create, "alice").getTableId().toStringUtf8();
      cluster.tables.createTable(create, "alice");
      cluster.time.pass(5_000);
      String table = "Table metrics (id=" + id + ")";
      assertThat(only(log.lines(), " created: "))
          .startsWith(table + " created: tablets=")
          .contains("replicas of each=3; asked for by user at 127.0.0.1:40000, recorded in ");
      assertThat(only(log.lines(), " is ready: ")).startsWith(table).contains(" ms after");

      AlterTableRequestPB alter =
          Requests.alter("metrics", Requests.addColumn("c")).setRequestKey(key(2)).build();
      cluster.tables.alterTable(alter);
      cluster.tables.alterTable(alter);
      cluster.time.pass(5_000);
      assertThat(only(log.lines(), " altered: "))
          .startsWith(table + " altered: schema version=1, tablets added=0, tablets dropped=0;")
          .contains("asked for by user at 127.0.0.1:40000");
      assertThat(only(log.lines(), "has schema version 1 on all tablets")).startsWith(table);

      DeleteTableRequestPB delete =
          Requests.delete("metrics").toBuilder().setRequestKey(key(3)).build();
      cluster.tables.deleteTable(delete);
      cluster.tables.deleteTable(delete);
      cluster.time.pass(100_000);
      assertThat(only(log.lines(), " deleted: "))
          .startsWith(table)
          .contains("asked for by user at 127.0.0.1:40000");
      assertThat(only(log.lines(), " is gone ")).startsWith(table);
      assertThat(log.lines()).hasSize(6);
    }
  }

  @Test
  void aChangeThatChangesNothingIsNotLogged() {
    FakeCluster cluster = new FakeCluster(1, 1);
    cluster.tables.createTable(Requests.create("t", 1, 0, 0, 10).build(), "alice");
    cluster.time.pass(5_000);
    try (LogCapture log = LogCapture.of(TableChangeLog.class)) {
      cluster.tables.alterTable(Requests.alter("t").build());
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  void aServerIsLoggedWhenItRegistersAndFallsSilent() {
    try (LogCapture log = LogCapture.of(ServerRegistry.class)) {
      FakeCluster cluster = new FakeCluster(1, 1);
      FakeTabletServer server = cluster.servers.values().iterator().next();
      String name = "Tablet server P " + server.uuid() + " at ts-" + server.uuid() + ":7050";
      assertThat(log.lines()).containsExactly(name + " registered");
      server.setSilent(true);
      cluster.time.pass(90_000);
      assertThat(log.lines(Level.WARN)).hasSize(1);
      assertThat(log.lines(Level.WARN).get(0)).startsWith(name + " lost: no heartbeat for ");
      server.setSilent(false);
      cluster.time.pass(1_000);
      assertThat(only(log.lines(), " is back after ")).startsWith(name);
      server.restart();
      cluster.time.pass(1_000);
      assertThat(log.lines())
          .hasSize(4)
          .last()
          .isEqualTo(name + " registered again after a restart");
    }
  }

  @Test
  void leadershipIsLoggedWhenItIsWonAndLost() {
    try (LogCapture log = LogCapture.of(MasterLeadership.class)) {
      FakeCluster cluster = new FakeCluster(3, 1);
      cluster.tables.createTable(Requests.create("t", 3, 0, 0, 10).build(), "alice");
      cluster.time.pass(5_000);
      cluster.leadership.following();
      cluster.leadership.following();
      cluster.leadership.elected();
      cluster.time.pass(1_000);
      assertThat(log.lines()).hasSize(3);
      assertThat(log.lines().get(0))
          .startsWith("Leadership of the catalog won: loaded 0 tables with 0 replicas of cluster ");
      assertThat(log.lines().get(1)).startsWith("Leadership of the catalog lost");
      assertThat(log.lines().get(2)).startsWith("Leadership of the catalog won: loaded 1 tables");
    }
  }
}
