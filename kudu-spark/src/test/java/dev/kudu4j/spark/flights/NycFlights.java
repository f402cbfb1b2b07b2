package dev.kudu4j.spark.flights;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipInputStream;

/** The CSV files, as Spark can read them. */
public final class NycFlights {
  private NycFlights() {}

  /** Unpacks {@code flights.csv} and the four other files into a directory. */
  public static void unpackTo(Path directory) throws IOException {
    Files.createDirectories(directory);
    for (String table : List.of("airlines", "airports", "planes")) {
      try (InputStream csv = open(table + ".csv")) {
        Files.copy(csv, directory.resolve(table + ".csv"));
      }
    }
    for (String table : List.of("flights", "weather")) {
      try (ZipInputStream zip = new ZipInputStream(open(table + ".csv.zip"))) {
        zip.getNextEntry();
        Files.copy(zip, directory.resolve(table + ".csv"));
      }
    }
  }

  private static InputStream open(String name) {
    return NycFlights.class.getResourceAsStream("/nycflights/" + name);
  }
}
