package dev.kudu4j.spark.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.spark.SparkOnKudu;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All queries of TPC-H at scale factor 0.1: Kudu's answers are those of Parquet copies. */
class TpchTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final double SCALE = Double.parseDouble(System.getProperty("tpch.scale", "0.1"));

  @TempDir static Path directory;

  @BeforeAll
  static void load() throws IOException {
    TpchTables.load(KUDU.spark(), "k.tpch", SCALE, directory);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
  void kuduAnswersAsParquetDoes(int number) {
    SparkSession spark = KUDU.spark();
    String query = query(number);
    for (String table : TpchTables.names()) {
      spark.table("parquet_" + table).createOrReplaceTempView(table);
    }
    List<Row> expected = spark.sql(query).collectAsList();
    for (String table : TpchTables.names()) {
      spark.table("k.tpch." + table).createOrReplaceTempView(table);
    }
    List<Row> answer = spark.sql(query).collectAsList();
    assertThat(answer).isEqualTo(expected);
    assertThat(answer).as("an empty answer shows nothing").isNotEmpty();
  }

  private static String query(int number) {
    String name = String.format(Locale.ROOT, "/tpch/q%02d.sql", number);
    try (InputStream in = TpchTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
