package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.itest.support.KuduCommand;
import dev.kudu4j.itest.support.KuduCommand.Result;
import dev.kudu4j.itest.support.LocalCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kudu table import} loads a year of flights, and {@code table scan} counts them. */
class TableImportIT {
  private static final int FLIGHTS = 336_776;
  private static final int MONTH = 1;
  private static final int CARRIER = 9;
  private static final int TAILNUM = 11;
  private static final String COLUMNS =
      "time_hour timestamp, carrier string, flight int32, origin string, year int16 nullable, month"
          + " int8 nullable, day int8 nullable, dep_time int16 nullable, sched_dep_time int16"
          + " nullable, dep_delay int16 nullable, arr_time int16 nullable, sched_arr_time int16"
          + " nullable, arr_delay int16 nullable, tailnum string nullable, dest string nullable,"
          + " air_time int16 nullable, distance int16 nullable, hour int8 nullable, minute int8"
          + " nullable, primary key (time_hour, carrier, flight, origin)";

  @TempDir private static Path directory;

  @Test
  void flightsAreImportedAndInvalidLinesSkipped() throws Exception {
    Path csv = flightsWithBadLines();
    try (LocalCluster cluster = new LocalCluster(directory.resolve("cluster")).start()) {
      Result created =
          table(cluster, "create", "flights", "--columns=" + COLUMNS, "--hash=carrier:2");
      assertThat(created.exitCode()).as(created.output()).isZero();
      Result imported = table(cluster, "import", "flights", csv.toString());
      assertThat(imported.exitCode()).as(imported.output()).isEqualTo(3);
      assertThat(imported.output())
          .contains("Imported 336,776 rows into flights", "3 bad lines were skipped")
          .contains(":" + (FLIGHTS + 2) + ": column year is INT16: 'y' is invalid")
          .contains(":" + (FLIGHTS + 3) + ": 2 cells, but the header has 19")
          .contains(":" + (FLIGHTS + 4) + ": a row with key (");
      assertThat(count(cluster, "tailnum is null"))
          .isEqualTo(lines(csv, cells -> cells[TAILNUM].equals("NA")));
      assertThat(count(cluster, "carrier = 'UA' and month = 6"))
          .isEqualTo(lines(csv, cells -> cells[MONTH].equals("6") && cells[CARRIER].equals("UA")));
      assertThat(count(cluster, "year = 2013")).isEqualTo(FLIGHTS);
    }
  }

  private static Result table(LocalCluster cluster, String verb, String... rest) throws Exception {
    List<String> words = new ArrayList<>(List.of("table", verb, cluster.masters()));
    words.addAll(List.of(rest));
    return KuduCommand.run(directory, words.toArray(String[]::new));
  }

  private static long count(LocalCluster cluster, String where) throws Exception {
    Result counted = table(cluster, "scan", "flights", "--row_count_only", "--where=" + where);
    assertThat(counted.exitCode()).as(counted.output()).isZero();
    return Long.parseLong(counted.output().lines().findFirst().orElseThrow());
  }

  /** Number of valid lines that match; no cell of them has quotes. */
  private static long lines(Path csv, Predicate<String[]> wanted) throws IOException {
    try (Stream<String> lines = Files.lines(csv)) {
      return lines.skip(1).limit(FLIGHTS).map(line -> line.split(",", -1)).filter(wanted).count();
    }
  }

  private static Path flightsWithBadLines() throws IOException {
    Path csv = directory.resolve("flights.csv");
    try (InputStream resource =
            TableImportIT.class.getResourceAsStream("/nycflights/flights.csv.zip");
        ZipInputStream zip = new ZipInputStream(resource)) {
      zip.getNextEntry();
      Files.copy(zip, csv);
    }
    String first;
    try (Stream<String> lines = Files.lines(csv)) {
      first = lines.skip(1).findFirst().orElseThrow();
    }
    String bad = first.replaceFirst("2013", "y") + "\n2013,1\n" + first + "\n";
    return Files.writeString(csv, bad, StandardOpenOption.APPEND);
  }
}
