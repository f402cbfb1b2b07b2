package dev.kudu4j.mapreduce;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Upsert;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipInputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** The flights of New York in 2013, and the tables of the jobs over them. */
final class Flights {
  static final int COUNT = 336_776;

  /**
   * @param delay null for a cancelled flight
   */
  record Flight(long timeMicros, String carrier, int number, String origin, Double delay) {}

  /** The result of the job for a carrier. */
  record Delays(long flights, double minutes) {}

  private Flights() {}

  static List<Flight> read() throws IOException {
    List<Flight> flights = new ArrayList<>(COUNT);
    CSVFormat format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).get();
    try (ZipInputStream zip =
        new ZipInputStream(Flights.class.getResourceAsStream("/nycflights/flights.csv.zip"))) {
      zip.getNextEntry();
      try (CSVParser parser =
          CSVParser.parse(new InputStreamReader(zip, StandardCharsets.UTF_8), format)) {
        for (CSVRecord record : parser) {
          flights.add(flight(record));
        }
      }
    }
    return flights;
  }

  private static Flight flight(CSVRecord record) {
    String delay = record.get("dep_delay");
    return new Flight(
        Instant.parse(record.get("time_hour")).toEpochMilli() * 1000,
        record.get("carrier"),
        Integer.parseInt(record.get("flight")),
        record.get("origin"),
        delay.isEmpty() || delay.equals("NA") ? null : Double.valueOf(delay));
  }

  /** The results of a plain pass over the CSV. */
  static Map<String, Delays> delays(List<Flight> flights) {
    Map<String, Delays> delays = new TreeMap<>();
    for (Flight flight : flights) {
      if (flight.delay() != null) {
        delays.merge(
            flight.carrier(),
            new Delays(1, flight.delay()),
            (a, b) -> new Delays(a.flights() + b.flights(), a.minutes() + b.minutes()));
      }
    }
    return delays;
  }

  private static ColumnSchema column(String name, Type type, boolean key, boolean nullable) {
    return new ColumnSchema.ColumnSchemaBuilder(name, type).key(key).nullable(nullable).build();
  }

  /** Creates a table with eight tablets. */
  static KuduTable createFlights(KuduClient client, String name) throws IOException {
    Schema schema =
        new Schema(
            List.of(
                column("time_hour", Type.UNIXTIME_MICROS, true, false),
                column("carrier", Type.STRING, true, false),
                column("flight", Type.INT32, true, false),
                column("origin", Type.STRING, true, false),
                column("dep_delay", Type.DOUBLE, false, true)));
    return client.createTable(
        name,
        schema,
        new CreateTableOptions()
            .addHashPartitions(List.of("carrier", "flight"), 8)
            .setNumReplicas(1));
  }

  static KuduTable createDelays(KuduClient client) throws IOException {
    Schema schema =
        new Schema(
            List.of(
                column("carrier", Type.STRING, true, false),
                column("flights", Type.INT64, false, false),
                column("minutes", Type.DOUBLE, false, false)));
    return client.createTable(
        "delays",
        schema,
        new CreateTableOptions().addHashPartitions(List.of("carrier"), 2).setNumReplicas(1));
  }

  static void load(KuduClient client, KuduTable table, List<Flight> flights) throws IOException {
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(4_000);
    for (Flight flight : flights) {
      Upsert upsert = table.newUpsert();
      fill(upsert.getRow(), flight);
      session.apply(upsert);
    }
    session.close();
    if (session.countPendingErrors() > 0) {
      throw new AssertionError("Refused: " + session.getPendingErrors().getRowErrors()[0]);
    }
  }

  private static void fill(PartialRow row, Flight flight) {
    row.addLong("time_hour", flight.timeMicros());
    row.addString("carrier", flight.carrier());
    row.addInt("flight", flight.number());
    row.addString("origin", flight.origin());
    if (flight.delay() == null) {
      row.setNull("dep_delay");
    } else {
      row.addDouble("dep_delay", flight.delay());
    }
  }

  /** The rows of the delays' table. */
  static Map<String, Delays> scanDelays(KuduClient client) throws IOException {
    Map<String, Delays> delays = new TreeMap<>();
    KuduScanner scanner = client.newScannerBuilder(client.openTable("delays")).build();
    for (RowResult row : scanner) {
      delays.put(
          row.getString("carrier"), new Delays(row.getLong("flights"), row.getDouble("minutes")));
    }
    return delays;
  }

  /** The rows of a table of flights. */
  static List<Flight> scan(KuduClient client, String table) throws IOException {
    List<Flight> flights = new ArrayList<>();
    for (RowResult row : client.newScannerBuilder(client.openTable(table)).build()) {
      flights.add(
          new Flight(
              row.getLong("time_hour"),
              row.getString("carrier"),
              row.getInt("flight"),
              row.getString("origin"),
              row.isNull("dep_delay") ? null : (Double) row.getDouble("dep_delay")));
    }
    return flights;
  }

  static long count(KuduClient client, String table) throws IOException {
    KuduScanner scanner =
        client
            .newScannerBuilder(client.openTable(table))
            .setProjectedColumnNames(List.of())
            .build();
    long rows = 0;
    while (scanner.hasMoreRows()) {
      rows += scanner.nextRows().getNumRows();
    }
    return rows;
  }
}
