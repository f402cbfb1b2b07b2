package dev.kudu4j.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.embedded.EmbeddedCluster;

/**
 * The first rows of a table of {@code id int64 key, v string}. A leader that has written a row has
 * committed an entry of its term, and so accepts changes of the tablet's members.
 */
final class FirstRows {
  private static final int ROWS = 100;

  private FirstRows() {}

  static void writeToAllTablets(EmbeddedCluster cluster, String name) {
    try {
      KuduTable table = cluster.client().openTable(name);
      KuduSession session = cluster.client().newSession();
      for (long id = 0; id < ROWS; id++) {
        Insert insert = table.newInsert();
        insert.getRow().addLong("id", id);
        insert.getRow().addString("v", "");
        assertThat(session.apply(insert).hasRowError()).isFalse();
      }
      session.close();
    } catch (KuduException e) {
      throw new AssertionError(e);
    }
  }
}
