package dev.kudu4j.tools.table;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduChange;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.tools.cell.ArrayValue;
import dev.kudu4j.tools.cell.CellWriter;
import dev.kudu4j.tools.cell.Instants;
import dev.kudu4j.tools.phrase.Json;
import dev.kudu4j.util.HybridTimeUtil;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** How a change is printed, in one line. */
enum ChangeFormat {
  /** For people: the time, the key, and what has changed. */
  text {
    @Override
    String line(KuduChange change, Schema schema, String table) {
      List<ColumnSchema> columns = schema.getColumns();
      int keys = schema.getPrimaryKeyColumnCount();
      List<String> cells = new ArrayList<>();
      for (int i = keys; i < columns.size(); i++) {
        Object before = cell(change.before(), i, columns.get(i));
        Object after = cell(change.after(), i, columns.get(i));
        if (change.type() != KuduChange.Type.UPDATE) {
          cells.add(columns.get(i).getName() + "=" + shown(cell(change.row(), i, columns.get(i))));
        } else if (!Objects.equals(before, after)) {
          cells.add(columns.get(i).getName() + "=" + shown(before) + " -> " + shown(after));
        }
      }
      List<String> key = new ArrayList<>();
      for (int i = 0; i < keys; i++) {
        key.add(columns.get(i).getName() + "=" + shown(cell(change.row(), i, columns.get(i))));
      }
      return Instants.text(micros(change))
          + " "
          + change.type()
          + " ("
          + String.join(", ", key)
          + ") "
          + String.join(", ", cells);
    }
  },

  /** A JSON object: type, time, hybrid time, the rows. */
  json {
    @Override
    String line(KuduChange change, Schema schema, String table) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("type", change.type().name());
      line.put("time", Instants.text(micros(change)));
      line.put("hybrid_time", change.timestamp());
      line.put("before", row(change.before(), schema));
      line.put("after", row(change.after(), schema));
      return Json.writeCompact(line);
    }
  },

  /** The value of a message of Debezium, without its schema. */
  debezium {
    @Override
    String line(KuduChange change, Schema schema, String table) {
      Map<String, Object> source = new LinkedHashMap<>();
      source.put("connector", "kudu4j");
      source.put("ts_ms", micros(change) / 1000);
      source.put("ts_us", micros(change));
      source.put("table", table);
      source.put("tablet", change.tabletId());
      source.put("hybrid_time", change.timestamp());
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("before", row(change.before(), schema));
      line.put("after", row(change.after(), schema));
      line.put("source", source);
      line.put(
          "op",
          switch (change.type()) {
            case INSERT -> "c";
            case UPDATE -> "u";
            case DELETE -> "d";
          });
      line.put("ts_ms", System.currentTimeMillis());
      return Json.writeCompact(line);
    }
  };

  /**
   * The change in one line, without a line break.
   *
   * @param table the name of the table
   */
  abstract String line(KuduChange change, Schema schema, String table);

  private static long micros(KuduChange change) {
    return HybridTimeUtil.HTTimestampToPhysicalAndLogical(change.timestamp())[0];
  }

  private static Object cell(Optional<RowResult> row, int column, ColumnSchema schema) {
    return row.map(cells -> cell(cells, column, schema)).orElse(null);
  }

  private static Object cell(RowResult row, int column, ColumnSchema schema) {
    return CellWriter.of(row, column, schema);
  }

  /** The text of a cell; control characters are escaped as in JSON. */
  private static String shown(Object cell) {
    return cell instanceof String text
        ? new String(JsonStringEncoder.getInstance().quoteAsString(text))
        : String.valueOf(cell);
  }

  /** The cells by column name; null without a row. */
  private static Map<String, Object> row(Optional<RowResult> row, Schema schema) {
    if (row.isEmpty()) {
      return null;
    }
    Map<String, Object> cells = new LinkedHashMap<>();
    for (int i = 0; i < schema.getColumnCount(); i++) {
      ColumnSchema column = schema.getColumnByIndex(i);
      Object cell = cell(row.get(), i, column);
      cells.put(column.getName(), cell instanceof ArrayValue array ? array.elements() : cell);
    }
    return cells;
  }
}
