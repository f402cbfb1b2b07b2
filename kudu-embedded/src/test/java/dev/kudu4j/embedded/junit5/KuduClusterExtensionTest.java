package dev.kudu4j.embedded.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.embedded.PeopleTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Runs small test classes with the extension, and looks at the clusters that they were given. */
class KuduClusterExtensionTest {
  /** The clusters that the classes below used; they run one at a time, in this thread. */
  private static final Set<EmbeddedCluster> SEEN = new LinkedHashSet<>();

  @BeforeEach
  void forget() {
    SEEN.clear();
  }

  private static Events run(Class<?> tests) {
    return EngineTestKit.engine("junit-jupiter")
        .configurationParameter("junit.jupiter.conditions.deactivate", "*")
        .selectors(selectClass(tests))
        .execute()
        .testEvents();
  }

  private static void assertAllClosed() {
    assertThat(SEEN)
        .allSatisfy(cluster -> assertThatThrownBy(cluster::client).hasMessageContaining("closed"));
  }

  @Test
  void testsOfAClassShareACluster() {
    run(Plain.class).assertStatistics(events -> events.succeeded(3).failed(0));
    assertThat(SEEN).hasSize(1);
    assertAllClosed();
  }

  @Test
  void aStaticFieldConfiguresTheCluster() {
    run(Registered.class).assertStatistics(events -> events.succeeded(1).failed(0));
    assertThat(SEEN).hasSize(1);
    assertAllClosed();
  }

  @Test
  void anInstanceFieldGivesEachTestItsOwnCluster() {
    run(PerTest.class).assertStatistics(events -> events.succeeded(2).failed(0));
    assertThat(SEEN).hasSize(2);
    assertAllClosed();
  }

  @Test
  void aFailingTestLeavesNoCluster() {
    run(Failing.class).assertStatistics(events -> events.failed(1));
    assertThat(SEEN).hasSize(1);
    assertAllClosed();
  }

  @Test
  void theClusterDoesNotExistBeforeTheFirstTest() {
    assertThatThrownBy(new KuduClusterExtension()::cluster)
        .hasMessageContaining("starts with the first test");
  }

  @ExtendWith(KuduClusterExtension.class)
  static class Plain {
    @BeforeAll
    static void createTable(KuduClient client) throws Exception {
      PeopleTable.create(client);
    }

    @Test
    void writes(EmbeddedCluster cluster, KuduClient client) throws Exception {
      SEEN.add(cluster);
      assertThat(client).isSameAs(cluster.client());
      PeopleTable.open(client).insert(1, "Ada");
    }

    @Test
    void opens(EmbeddedCluster cluster) throws Exception {
      SEEN.add(cluster);
      PeopleTable.open(cluster.client());
    }

    @Nested
    class Inner {
      @Test
      void sharesIt(EmbeddedCluster cluster) throws Exception {
        SEEN.add(cluster);
        PeopleTable.open(cluster.client());
      }
    }
  }

  static class Registered {
    @RegisterExtension
    static final KuduClusterExtension KUDU =
        KuduClusterExtension.of(EmbeddedCluster.builder().tabletServers(2));

    @Test
    void hasTwoServers() {
      SEEN.add(KUDU.cluster());
      assertThat(KUDU.cluster().tabletServerCount()).isEqualTo(2);
      assertThat(KUDU.masterAddresses()).isEqualTo(KUDU.cluster().masterAddresses());
      assertThat(KUDU.client()).isNotNull();
    }
  }

  static class PerTest {
    private final List<EmbeddedCluster> own = new ArrayList<>();

    @RegisterExtension final KuduClusterExtension kudu = new KuduClusterExtension();

    @Test
    void createsATable() throws Exception {
      SEEN.add(kudu.cluster());
      own.add(kudu.cluster());
      PeopleTable.create(kudu.client());
      assertThat(own).hasSize(1);
    }

    @Test
    void createsItAgain(EmbeddedCluster cluster) throws Exception {
      SEEN.add(cluster);
      assertThat(cluster).isSameAs(kudu.cluster());
      PeopleTable.create(cluster.client());
    }
  }

  @ExtendWith(KuduClusterExtension.class)
  static class Failing {
    @Test
    void fails(EmbeddedCluster cluster) {
      SEEN.add(cluster);
      throw new IllegalStateException("on purpose");
    }
  }
}
