package dev.kudu4j.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.client.AsyncKuduScanner.ReadMode;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A property of the table, which can be changed at any time, limits how far back the table can be
 * read. Its default is the server's flag.
 */
@Timeout(120)
class HistoryAgeTest {
  private static final String PROPERTY = "kudu.table.history_max_age_sec";
  private static final String TABLE = "people";

  @Test
  void anAlterationReachesTheTablets() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().start()) {
      KuduClient client = cluster.client();
      PeopleTable people = PeopleTable.create(client);
      people.insert(1, "Ada");
      long then = client.getLastPropagatedTimestamp() + 1;
      people.insert(2, "Grace");
      assertThat(idsAt(client, then)).containsExactly(1L);
      alter(client, "0");
      assertThatThrownBy(() -> idsAt(client, then))
          .hasMessageContaining("ancient history mark")
          .hasMessageContaining("--tablet_history_max_age_sec")
          .hasMessageContaining(PROPERTY);
      alter(client, "-1");
      assertThat(idsAt(client, then)).containsExactly(1L);
      alter(client, "0");
      alter(client, ""); // the server's flag again
      assertThat(idsAt(client, then)).containsExactly(1L);
    }
  }

  @Test
  void aServerMayKeepNoHistory() throws Exception {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().tabletServerFlag("--tablet_history_max_age_sec=0").start()) {
      KuduClient client = cluster.client();
      PeopleTable people = PeopleTable.create(client);
      people.insert(1, "Ada");
      long then = client.getLastPropagatedTimestamp() + 1;
      people.insert(2, "Grace");
      assertThatThrownBy(() -> idsAt(client, then)).hasMessageContaining("ancient history mark");
      alter(client, "3600");
      assertThat(idsAt(client, then)).containsExactly(1L);
      assertThat(people.rows()).containsOnlyKeys(1L, 2L);
    }
  }

  private static void alter(KuduClient client, String seconds) throws KuduException {
    client.alterTable(TABLE, new AlterTableOptions().alterExtraConfigs(Map.of(PROPERTY, seconds)));
  }

  private static List<Long> idsAt(KuduClient client, long snapshot) throws KuduException {
    KuduTable table = client.openTable(TABLE);
    List<Long> ids = new ArrayList<>();
    for (RowResult row :
        client
            .newScannerBuilder(table)
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .snapshotTimestampRaw(snapshot)
            .build()) {
      ids.add(row.getLong(0));
    }
    return ids;
  }
}
