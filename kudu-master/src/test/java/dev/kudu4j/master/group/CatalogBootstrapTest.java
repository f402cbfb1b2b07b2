package dev.kudu4j.master.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.masters.IntroduceResponsePB;
import dev.kudu4j.master.catalog.CatalogMembers;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.raft.RaftHost;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Masters without catalogs that ask each other, in rounds that the test controls: in any order, and
 * with some of them down for a while, all create the same group or none.
 */
class CatalogBootstrapTest {
  /** A simulated master: its uuid, its list, and its result. */
  private final class Simulated {
    final String uuid;
    final List<String> list;
    final List<Runnable> due = new ArrayList<>();
    boolean down;
    CatalogBootstrap founding;
    CompletableFuture<List<RaftHost.Peer>> members;

    Simulated(String uuid, List<String> list) {
      this.uuid = uuid;
      this.list = list;
    }

    void start() {
      down = false;
      due.clear();
      founding =
          new CatalogBootstrap(
              () -> CompletableFuture.completedFuture(ask(list)),
              list.toString(),
              uuid,
              (delay, action) -> due.add(action));
      members = founding.begin();
    }

    /** Crashes before anything was written; a group that it has created stays. */
    void crash() {
      down = true;
      due.clear();
    }

    void step() {
      List<Runnable> now = List.copyOf(due);
      due.clear();
      now.forEach(Runnable::run);
    }

    boolean hasFounded() {
      return members != null && members.isDone() && !members.isCompletedExceptionally();
    }

    Set<String> group() {
      return members.join().stream()
          .map(RaftHost.Peer::serverUuid)
          .collect(Collectors.toCollection(HashSet::new));
    }

    IntroduceResponsePB answer() {
      IntroduceResponsePB.Builder answer =
          IntroduceResponsePB.newBuilder()
              .setUuid(ByteString.copyFromUtf8(uuid))
              .setRaftAddress(HostPortPB.newBuilder().setHost("raft-" + uuid).setPort(1));
      if (hasFounded()) {
        members.join().forEach(member -> answer.addMembers(CatalogMembers.toWire(member)));
      }
      founding.found().forEach(found -> answer.addFoundUuids(ByteString.copyFromUtf8(found)));
      return answer.build();
    }
  }

  /** Masters by the names in lists; several names may lead to one master. */
  private final Map<String, Simulated> masters = new TreeMap<>();

  private static String uuid(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))
        .toString()
        .replace("-", "");
  }

  private Simulated master(String name, String... list) {
    Simulated master = new Simulated(uuid(name), List.of(list));
    masters.put(name, master);
    return master;
  }

  private PeerDiscovery ask(List<String> list) {
    Map<HostPort, IntroduceResponsePB> answers = new LinkedHashMap<>();
    Map<HostPort, String> failures = new LinkedHashMap<>();
    for (String name : list) {
      Simulated master = masters.get(name);
      HostPort address = new HostPort(name, 7051);
      if (master == null || master.down || master.founding == null) {
        failures.put(address, "down");
      } else {
        answers.put(address, master.answer());
      }
    }
    return new PeerDiscovery(answers, failures);
  }

  private void run(int steps, Random random) {
    List<Simulated> all = List.copyOf(masters.values());
    for (int i = 0; i < steps; i++) {
      all.get(random.nextInt(all.size())).step();
    }
  }

  @Test
  void mastersWithAliasesCreateTheSameGroup() {
    Simulated a = master("a", "a", "b", "c");
    Simulated b = master("b", "alias-of-a", "b", "c");
    Simulated c = master("c", "c", "b", "a");
    masters.put("alias-of-a", a);
    List.of(a, b, c).forEach(Simulated::start);
    run(100, new Random(1));
    assertThat(List.of(a, b, c)).allMatch(Simulated::hasFounded);
    assertThat(a.group()).isEqualTo(b.group()).isEqualTo(c.group()).hasSize(3);
  }

  @Test
  void twoOfThreeWaitForTheThird() {
    Simulated a = master("a", "a", "b", "c");
    Simulated b = master("b", "a", "b", "c");
    Simulated c = master("c", "a", "b", "c");
    a.start();
    b.start();
    run(200, new Random(2));
    assertThat(a.hasFounded() || b.hasFounded()).isFalse();
    c.start();
    run(200, new Random(3));
    assertThat(List.of(a, b, c)).allMatch(Simulated::hasFounded);
  }

  @Test
  void listsWithDifferentMastersCreateNoGroup() {
    Simulated a = master("a", "a", "b", "c");
    Simulated b = master("b", "a", "b", "d");
    Simulated c = master("c", "a", "b", "c");
    Simulated d = master("d", "a", "b", "d");
    List.of(a, b, c, d).forEach(Simulated::start);
    run(400, new Random(4));
    assertThat(List.of(a, b, c, d)).noneMatch(Simulated::hasFounded);
  }

  @Test
  void aNonMemberOfAnExistingGroupWaits() {
    Simulated a = master("a", "a", "b", "c");
    Simulated b = master("b", "a", "b", "c");
    Simulated c = master("c", "a", "b", "c");
    List.of(a, b, c).forEach(Simulated::start);
    run(100, new Random(5));
    masters.remove("c");
    Simulated replaced = new Simulated(uuid("another"), c.list); // with a new disk
    masters.put("c", replaced);
    replaced.start();
    run(100, new Random(6));
    assertThat(replaced.members).isNotDone();
  }

  @Test
  void anEvenNumberIsRefused() {
    Simulated a = master("a", "a", "b");
    Simulated b = master("b", "a", "b");
    a.start();
    b.start();
    run(100, new Random(7));
    assertThatThrownBy(a.members::join).hasMessageContaining("--master_addresses");
  }

  @Test
  void aListWithoutThisMasterIsRefused() {
    Simulated a = master("a", "b", "c", "d");
    List.of(a, master("b", "b"), master("c", "c"), master("d", "d")).forEach(Simulated::start);
    masters.values().forEach(m -> m.members = new CompletableFuture<>()); // no group exists
    a.members = a.founding.begin();
    assertThatThrownBy(a.members::join).hasMessageContaining("None of --master_addresses");
  }

  @Property(tries = 300)
  void anyOrderOfRoundsCrashesAndRestartsCreatesOneGroup(@ForAll long seed) {
    Random random = new Random(seed);
    masters.clear();
    List<Simulated> all = new ArrayList<>();
    for (String name : List.of("a", "b", "c", "d", "e")) {
      all.add(master(name, "a", "b", "c", "d", "e"));
    }
    all.forEach(Simulated::start);
    for (int i = 0; i < 300; i++) {
      Simulated one = all.get(random.nextInt(all.size()));
      int what = random.nextInt(20);
      if (what == 0) {
        one.crash();
      } else if (what < 4 && one.down && one.hasFounded()) {
        one.down = false;
      } else if (what < 4 && one.down) {
        one.start();
      } else if (!one.down) {
        one.step();
      }
      assertAgreement(all);
    }
    all.stream().filter(one -> !one.hasFounded()).forEach(Simulated::start);
    all.forEach(one -> one.down = false);
    run(1_000, random);
    assertThat(all).allMatch(Simulated::hasFounded);
    assertAgreement(all);
  }

  private static void assertAgreement(List<Simulated> all) {
    Set<Set<String>> groups =
        all.stream()
            .filter(Simulated::hasFounded)
            .map(Simulated::group)
            .collect(Collectors.toSet());
    assertThat(groups).hasSizeLessThanOrEqualTo(1);
  }
}
