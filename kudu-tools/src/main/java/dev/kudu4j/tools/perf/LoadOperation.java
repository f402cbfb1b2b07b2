package dev.kudu4j.tools.perf;

import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;

/** The operation of {@code loadgen} on a row. */
enum LoadOperation {
  INSERT {
    @Override
    Operation operation(KuduTable table, RowGenerator rows) {
      Operation insert = table.newInsert();
      rows.fill(insert.getRow());
      return insert;
    }
  },
  UPSERT {
    @Override
    Operation operation(KuduTable table, RowGenerator rows) {
      Operation upsert = table.newUpsert();
      rows.fill(upsert.getRow());
      return upsert;
    }
  },
  DELETE {
    @Override
    Operation operation(KuduTable table, RowGenerator rows) {
      Operation delete = table.newDelete();
      rows.fillKey(delete.getRow());
      return delete;
    }
  };

  /** Creates the operation for the next row. */
  abstract Operation operation(KuduTable table, RowGenerator rows);
}
