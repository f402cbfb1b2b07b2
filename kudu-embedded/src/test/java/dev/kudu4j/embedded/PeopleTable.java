package dev.kudu4j.embedded;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.RowResult;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A small table that tests write and read. */
public final class PeopleTable {
  private static final String NAME = "people";

  private final KuduClient client;
  private final KuduTable table;

  private PeopleTable(KuduClient client, KuduTable table) {
    this.client = client;
    this.table = table;
  }

  public static PeopleTable create(KuduClient client) throws KuduException {
    return create(client, NAME);
  }

  public static PeopleTable create(KuduClient client, String name) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchema.ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchema.ColumnSchemaBuilder("name", Type.STRING).nullable(true).build()));
    CreateTableOptions options = new CreateTableOptions().addHashPartitions(List.of("id"), 2);
    return new PeopleTable(client, client.createTable(name, schema, options));
  }

  public static PeopleTable open(KuduClient client) throws KuduException {
    return new PeopleTable(client, client.openTable(NAME));
  }

  public int replicas() {
    return table.getNumReplicas();
  }

  public void insert(long id, String name) throws KuduException {
    KuduSession session = client.newSession();
    Insert insert = table.newInsert();
    insert.getRow().addLong(0, id);
    insert.getRow().addString(1, name);
    OperationResponse response = session.apply(insert);
    if (response.hasRowError()) {
      throw new AssertionError(response.getRowError());
    }
    session.close();
  }

  public Map<Long, String> rows() throws KuduException {
    Map<Long, String> rows = new TreeMap<>();
    for (RowResult row : client.newScannerBuilder(table).build()) {
      rows.put(row.getLong(0), row.getString(1));
    }
    return rows;
  }
}
