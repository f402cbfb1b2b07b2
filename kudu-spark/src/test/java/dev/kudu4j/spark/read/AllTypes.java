package dev.kudu4j.spark.read;

import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A table with a column of every type. Each column has few different values, including NULL, the
 * minimum and the maximum of the type.
 */
final class AllTypes {
  private static final boolean APACHE_KUDU = System.getProperty("test.masters") != null;

  static final List<String> COLUMNS =
      onThisCluster(
          List.of(
              "bool", "i8", "i16", "i32", "i64", "f32", "f64", "d9", "d18", "d38", "day", "at",
              "text", "vc", "bin", "local"));

  /** Values of each column, in SQL. */
  static final List<List<String>> LITERALS =
      onThisCluster(
          List.of(
              List.of("true", "false"),
              List.of("-128Y", "-1Y", "0Y", "5Y", "127Y"),
              List.of("-32768S", "-7S", "0S", "300S", "32767S"),
              List.of("-2147483648", "-7", "0", "70000", "2147483647"),
              List.of("-9223372036854775808L", "-7L", "0L", "5000000000L", "9223372036854775807L"),
              List.of(
                  "float('-Infinity')",
                  "float('-1.5')",
                  "float('-0.0')",
                  "float('0.0')",
                  "float('1e-45')",
                  "float('2.25')",
                  "float('3.4028235e38')",
                  "float('Infinity')",
                  "float('NaN')"),
              List.of(
                  "double('-Infinity')",
                  "-1.5D",
                  "double('-0.0')",
                  "0.0D",
                  "4.9e-324D",
                  "2.25D",
                  "1.7976931348623157e308D",
                  "double('Infinity')",
                  "double('NaN')"),
              List.of("-9999999.99BD", "-0.01BD", "0.00BD", "12.50BD", "9999999.99BD"),
              List.of(
                  "-99999999999999.9999BD",
                  "-0.0001BD",
                  "0BD",
                  "12.5000BD",
                  "99999999999999.9999BD"),
              List.of(
                  "-9999999999999999999999999999.9999999999BD",
                  "-0.0000000001BD",
                  "0BD",
                  "12.5000000000BD",
                  "9999999999999999999999999999.9999999999BD"),
              List.of(
                  "DATE'0001-01-01'", "DATE'1969-12-31'", "DATE'2024-02-29'", "DATE'9999-12-31'"),
              List.of(
                  "TIMESTAMP'1900-01-01 00:00:00.000001Z'",
                  "TIMESTAMP'1969-12-31 23:59:59.999999Z'",
                  "TIMESTAMP'1970-01-01 00:00:00Z'",
                  "TIMESTAMP'2024-02-29 12:34:56.789012Z'",
                  "TIMESTAMP'9999-12-31 23:59:59.999999Z'"),
              List.of("''", "'a'", "'ab'", "'abc'", "'b'", "'é'", "'日本'", "'\uD83D\uDE00'"),
              List.of("''", "'a'", "'ab'", "'aé'", "'zz'"),
              List.of("X''", "X'00'", "X'0001'", "X'7f'", "X'ff'", "X'ffff'"),
              List.of(
                  "TIMESTAMP_NTZ'1900-01-01 00:00:00.000001'",
                  "TIMESTAMP_NTZ'1969-12-31 23:59:59.999999'",
                  "TIMESTAMP_NTZ'1970-01-01 00:00:00'",
                  "TIMESTAMP_NTZ'2024-03-10 02:30:00'", // the clocks of Los Angeles skip it
                  "TIMESTAMP_NTZ'9999-12-31 23:59:59.999999'")));

  private AllTypes() {}

  /**
   * All items, but on Apache Kudu without the last one, which belongs to a type that only Kudu4j
   * has.
   */
  private static <T> List<T> onThisCluster(List<T> ofTypes) {
    return ofTypes.subList(0, ofTypes.size() - (APACHE_KUDU ? 1 : 0));
  }

  static StructType schema() {
    StructType schema = publishedSchema();
    return APACHE_KUDU ? schema : schema.add("local", DataTypes.TimestampNTZType);
  }

  private static StructType publishedSchema() {
    return new StructType()
        .add("id", DataTypes.IntegerType, false)
        .add("bool", DataTypes.BooleanType)
        .add("i8", DataTypes.ByteType)
        .add("i16", DataTypes.ShortType)
        .add("i32", DataTypes.IntegerType)
        .add("i64", DataTypes.LongType)
        .add("f32", DataTypes.FloatType)
        .add("f64", DataTypes.DoubleType)
        .add("d9", DataTypes.createDecimalType(9, 2))
        .add("d18", DataTypes.createDecimalType(18, 4))
        .add("d38", DataTypes.createDecimalType(38, 10))
        .add("day", DataTypes.DateType)
        .add("at", DataTypes.TimestampType)
        .add("text", DataTypes.StringType)
        .add("vc", DataTypes.StringType)
        .add("bin", DataTypes.BinaryType);
  }

  static void create(SparkSession spark, String name) {
    spark.sql(
        "CREATE TABLE "
            + name
            + " (id INT, bool BOOLEAN, i8 TINYINT, i16 SMALLINT, i32 INT, i64 BIGINT, f32 FLOAT,"
            + " f64 DOUBLE, d9 DECIMAL(9, 2), d18 DECIMAL(18, 4), d38 DECIMAL(38, 10), day DATE,"
            + " at TIMESTAMP, text STRING, vc VARCHAR(10), bin BINARY, "
            + (APACHE_KUDU ? "" : "local TIMESTAMP_NTZ, ")
            + "PRIMARY KEY (id)) PARTITIONED BY (bucket(3, id))");
  }

  /**
   * Rows that contain every value of every column, and random rows; a tenth of the cells is NULL.
   */
  static List<Row> rows(SparkSession spark, int count, Random random) {
    List<Object[]> values = new ArrayList<>();
    for (List<String> literals : LITERALS) {
      Row row = spark.sql("SELECT " + String.join(", ", literals)).head();
      Object[] of = new Object[literals.size()];
      Arrays.setAll(of, row::get);
      values.add(of);
    }
    List<Row> rows = new ArrayList<>();
    for (int id = 0; id < count; id++) {
      Object[] cells = new Object[values.size() + 1];
      cells[0] = id;
      for (int i = 0; i < values.size(); i++) {
        Object[] of = values.get(i);
        boolean isNull = random.nextInt(10) == 0;
        cells[i + 1] =
            isNull ? null : widened(i, of[id < of.length ? id : random.nextInt(of.length)]);
      }
      rows.add(RowFactory.create(cells));
    }
    return rows;
  }

  private static Object widened(int column, Object value) {
    int scale = List.of(2, 4, 10).get(Math.max(0, Math.min(2, column - 7)));
    return value instanceof BigDecimal decimal ? decimal.setScale(scale) : value;
  }

  static void insert(KuduClient client, String kuduName, List<Row> rows) throws Exception {
    KuduTable table = client.openTable(kuduName);
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    for (Row row : rows) {
      Insert insert = table.newInsert();
      for (int i = 0; i < row.length(); i++) {
        if (!row.isNullAt(i)) {
          add(insert.getRow(), i, row.get(i));
        }
      }
      session.apply(insert);
    }
    session.close();
    if (session.countPendingErrors() > 0) {
      throw new AssertionError(session.getPendingErrors().getRowErrors()[0].toString());
    }
  }

  private static void add(PartialRow row, int index, Object value) {
    if (value instanceof Date date) {
      row.addDate(index, date);
    } else if (value instanceof LocalDate date) {
      row.addDate(index, Date.valueOf(date));
    } else if (value instanceof Instant instant) {
      row.addTimestamp(index, Timestamp.from(instant));
    } else if (value instanceof LocalDateTime local) {
      row.addTimestamp(index, Timestamp.from(local.toInstant(ZoneOffset.UTC)));
    } else {
      row.addObject(index, value);
    }
  }
}
