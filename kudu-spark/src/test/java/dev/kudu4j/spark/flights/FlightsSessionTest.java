package dev.kudu4j.spark.flights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.DocumentedSession;
import dev.kudu4j.spark.SparkOnKudu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the session of docs/spark.md, word for word. Each query runs on the tables, and on views of
 * the CSV files, where Spark does the work itself. Both results must equal the document's.
 */
class FlightsSessionTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final Path DOCUMENT = Path.of("../docs/spark.md");
  private static final Pattern END_OF_STATEMENT = Pattern.compile(";\\s*(\\n|$)");
  private static final List<String> TABLES =
      List.of("airlines", "airports", "planes", "weather", "flights");

  /** The result of each change, as a query over views of the files. */
  private static final Map<String, String> EFFECTS =
      Map.of(
          "UPDATE k.nyc.flights",
          "CREATE OR REPLACE TEMPORARY VIEW flights_updated AS"
              + " SELECT * EXCEPT (dep_delay), IF(dep_delay < 0, 0, dep_delay) AS dep_delay"
              + " FROM flights_csv",
          "DELETE FROM k.nyc.flights",
          "CREATE OR REPLACE TEMPORARY VIEW flights_now AS"
              + " SELECT * FROM flights_updated WHERE dep_time IS NOT NULL",
          "MERGE INTO k.nyc.planes",
          "CREATE OR REPLACE TEMPORARY VIEW planes_now AS"
              + " SELECT f.tailnum, nvl2(p.tailnum, p.manufacturer, 'UNKNOWN') AS manufacturer,"
              + " nvl(p.speed, f.speed) AS speed"
              + " FROM (SELECT tailnum, CAST(round(avg(60 * distance / air_time)) AS INT) AS speed"
              + " FROM flights_now WHERE tailnum IS NOT NULL GROUP BY tailnum) f"
              + " LEFT JOIN planes_csv p ON f.tailnum = p.tailnum");

  @TempDir Path directory;

  /** The time in the document; {@link #time} is the actual time in this run. */
  private String documentedTime = "";

  private String time = "";

  @Test
  void theDocumentedResultsEqualThoseOfTheFiles() throws Exception {
    NycFlights.unpackTo(directory);
    SoftAssertions all = new SoftAssertions();
    int queries = 0;
    for (DocumentedSession.Step step : DocumentedSession.of(DOCUMENT, "A session", "sql").steps()) {
      List<String> answers = new ArrayList<>();
      for (String statement : statements(step.input())) {
        if (statement.startsWith("SELECT current_timestamp")) {
          documentedTime = step.answers().get(0);
          time = rows(statement).get(0);
          answers.add(documentedTime);
        } else if (statement.startsWith("SELECT")) {
          queries++;
          List<String> rows =
              rows(documentedTime.isEmpty() ? statement : statement.replace(documentedTime, time));
          all.assertThat(rows).as(statement).isEqualTo(rows(overFiles(statement)));
          answers.addAll(rows);
        } else {
          run(statement);
        }
      }
      all.assertThat(String.join("\n", answers))
          .as("the document, of " + step.input())
          .isEqualTo(String.join("\n", step.answers()));
    }
    all.assertAll();
    assertThat(queries).isGreaterThanOrEqualTo(9);
  }

  private static List<String> statements(String block) {
    return Arrays.stream(END_OF_STATEMENT.split(block))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  private void run(String statement) {
    KUDU.spark().sql(statement.replace("/data/nycflights", directory.toString()));
    EFFECTS.forEach(
        (beginning, effect) -> {
          if (statement.startsWith(beginning)) {
            KUDU.spark().sql(effect);
          }
        });
    if (statement.startsWith("CREATE TEMPORARY VIEW flights_csv")) {
      for (String table : TABLES) {
        KUDU.spark().sql("CACHE LAZY TABLE " + table + "_csv"); // each query reads the views again
        KUDU.spark()
            .sql("CREATE TEMPORARY VIEW " + table + "_now AS SELECT * FROM " + table + "_csv");
      }
    }
  }

  private static String overFiles(String query) {
    return query
        .replaceAll("k\\.nyc\\.(\\w+) TIMESTAMP AS OF '[^']*'", "$1_csv")
        .replaceAll("k\\.nyc\\.(\\w+)", "$1_now");
  }

  /** The rows as spark-sql prints them. */
  private static List<String> rows(String query) {
    Dataset<Row> answer = KUDU.spark().sql(query);
    Column[] asText =
        Arrays.stream(answer.columns())
            .map(column -> answer.col(column).cast("string"))
            .toArray(Column[]::new);
    return answer.select(asText).collectAsList().stream()
        .map(row -> row.mkString("\t").replace("null", "NULL"))
        .toList();
  }
}
