package dev.kudu4j.itest.flights;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.zip.ZipInputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.PartialRow;

/** The flights: 336,776 rows with nulls and timestamps, as objects by column, and their table. */
public final class Flights {
  /** One column: the parser of its CSV text, and its stored type. */
  public record Column(String name, Type type, boolean key, Function<String, Object> parse) {}

  public static final List<Column> COLUMNS =
      List.of(
          new Column(
              "time_hour",
              Type.UNIXTIME_MICROS,
              true,
              text -> Instant.parse(text).toEpochMilli() * 1000),
          new Column("carrier", Type.STRING, true, text -> text),
          new Column("flight", Type.INT32, true, Integer::valueOf),
          new Column("origin", Type.STRING, true, text -> text),
          new Column("year", Type.INT16, false, Short::valueOf),
          new Column("month", Type.INT8, false, Byte::valueOf),
          new Column("day", Type.INT8, false, Byte::valueOf),
          new Column("dep_time", Type.INT32, false, Integer::valueOf),
          new Column("sched_dep_time", Type.INT32, false, Integer::valueOf),
          new Column("dep_delay", Type.DOUBLE, false, Double::valueOf),
          new Column("arr_time", Type.INT32, false, Integer::valueOf),
          new Column("sched_arr_time", Type.INT16, false, Short::valueOf),
          new Column("arr_delay", Type.FLOAT, false, Float::valueOf),
          new Column("tailnum", Type.STRING, false, text -> text),
          new Column("dest", Type.STRING, false, text -> text),
          new Column("air_time", Type.INT64, false, Long::valueOf),
          new Column("distance", Type.INT64, false, Long::valueOf),
          new Column("hour", Type.INT8, false, Byte::valueOf),
          new Column("minute", Type.INT8, false, Byte::valueOf));

  private Flights() {}

  public static int column(String name) {
    for (int i = 0; i < COLUMNS.size(); i++) {
      if (COLUMNS.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException(name);
  }

  /** Every row of the CSV; {@code NA} and empty are null. */
  public static List<Object[]> read() throws IOException {
    List<Object[]> rows = new ArrayList<>(336_776);
    try (InputStream resource = Flights.class.getResourceAsStream("/nycflights/flights.csv.zip");
        ZipInputStream zip = new ZipInputStream(resource)) {
      zip.getNextEntry();
      CSVFormat format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
      try (CSVParser parser =
          CSVParser.parse(new InputStreamReader(zip, StandardCharsets.UTF_8), format)) {
        for (CSVRecord record : parser) {
          Object[] row = new Object[COLUMNS.size()];
          for (int i = 0; i < row.length; i++) {
            String text = record.get(COLUMNS.get(i).name());
            row[i] =
                text.isEmpty() || text.equals("NA") ? null : COLUMNS.get(i).parse().apply(text);
          }
          rows.add(row);
        }
      }
    }
    return rows;
  }

  public static Schema schema() {
    List<ColumnSchema> columns = new ArrayList<>();
    for (Column column : COLUMNS) {
      columns.add(
          new ColumnSchema.ColumnSchemaBuilder(column.name(), column.type())
              .key(column.key())
              .nullable(!column.key())
              .build());
    }
    return new Schema(columns);
  }

  /** Hash by carrier, a range for each month. */
  public static CreateTableOptions partitioning(Schema schema) {
    CreateTableOptions options =
        new CreateTableOptions()
            .addHashPartitions(List.of("carrier"), 2)
            .setRangePartitionColumns(List.of("time_hour"))
            .setNumReplicas(1);
    YearMonth first = YearMonth.of(2013, 1);
    for (int i = 0; i < 13; i++) {
      options.addRangePartition(
          month(schema, first.plusMonths(i)), month(schema, first.plusMonths(i + 1)));
    }
    return options;
  }

  private static PartialRow month(Schema schema, YearMonth month) {
    PartialRow bound = schema.newPartialRow();
    bound.addLong(
        "time_hour", month.atDay(1).atStartOfDay().toEpochSecond(ZoneOffset.UTC) * 1_000_000);
    return bound;
  }
}
