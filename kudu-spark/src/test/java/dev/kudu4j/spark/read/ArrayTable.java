package dev.kudu4j.spark.read;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** A table with an array column for each type of elements, and its rows. */
final class ArrayTable {
  static final int ROWS = 240;

  /** The columns of {@link AllTypes} whose types are not allowed for elements. */
  private static final List<String> SCALARS_ONLY = List.of("d38", "local");

  private static final List<String> TYPES =
      List.of(
          "BOOLEAN",
          "TINYINT",
          "SMALLINT",
          "INT",
          "BIGINT",
          "FLOAT",
          "DOUBLE",
          "DECIMAL(9, 2)",
          "DECIMAL(18, 4)",
          "",
          "DATE",
          "TIMESTAMP",
          "STRING",
          "VARCHAR(10)",
          "BINARY");

  static final List<String> COLUMNS =
      AllTypes.COLUMNS.stream().filter(column -> !SCALARS_ONLY.contains(column)).toList();

  private ArrayTable() {}

  private static String type(String column) {
    return TYPES.get(AllTypes.COLUMNS.indexOf(column));
  }

  static void create(SparkSession spark, String name) {
    String columns =
        COLUMNS.stream()
            .map(column -> column + " ARRAY<" + type(column) + ">, ")
            .collect(Collectors.joining());
    spark.sql(
        "CREATE TABLE "
            + name
            + " (id INT, "
            + columns
            + "PRIMARY KEY (id)) PARTITIONED BY (bucket(3, id))");
  }

  /**
   * Creates a view of local rows: arrays of all values of each type, with and without NULLs, NULL,
   * empty arrays, arrays of only NULLs, and short ones.
   */
  static void createView(SparkSession spark, String view) {
    List<String> cells = new ArrayList<>(List.of("id"));
    for (int i = 0; i < COLUMNS.size(); i++) {
      List<String> literals = AllTypes.LITERALS.get(AllTypes.COLUMNS.indexOf(COLUMNS.get(i)));
      String values = String.join(", ", literals);
      String type = "ARRAY<" + type(COLUMNS.get(i)).replaceAll("VARCHAR.*", "STRING") + ">";
      cells.add(
          String.format(
              "CAST(CASE (id + %d) %% 8 WHEN 0 THEN array(%s) WHEN 1 THEN NULL WHEN 2 THEN array()"
                  + " WHEN 3 THEN array(NULL, NULL) WHEN 4 THEN array(NULL, %s, NULL)"
                  + " ELSE slice(array(%s, NULL), 1 + id %% %d, id %% 4) END AS %s) AS %s",
              i, values, values, values, literals.size(), type, COLUMNS.get(i)));
    }
    spark
        .sql(
            "SELECT "
                + String.join(", ", cells)
                + " FROM (SELECT CAST(id AS INT) AS id FROM range("
                + ROWS
                + "))")
        .localCheckpoint() // or each query would compute the arrays again
        .createOrReplaceTempView(view);
  }

  /** Rows as strings, different for different values. */
  static List<String> texts(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(ArrayTable::text).toList();
  }

  private static String text(Row row) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.length(); i++) {
      cells.add(text(row.get(i)));
    }
    return cells.toString();
  }

  private static String text(Object value) {
    if (value instanceof Seq<?> array) {
      return CollectionConverters.asJava(array).stream().map(ArrayTable::text).toList().toString();
    }
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : "" + value;
  }
}
