package dev.kudu4j.spark.read;

import dev.kudu4j.spark.SparkOnKudu;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The rows of {@link AllTypes} twice: in a table, and in a view of local rows, on which Spark
 * computes the expected results itself. Queries contain {@code TABLE} for either of them.
 */
final class ComparedTable {
  private static final int ROWS = 400;

  /** Hides the filters that servers evaluate from Spark, as for a large table. */
  static final String AS_LARGE = " WITH (`kudu.runtimeFilters` = 'false')";

  private final SparkSession spark;
  private final String name;
  private final String view;

  private ComparedTable(SparkSession spark, String namespace) {
    this.spark = spark;
    this.name = "k." + namespace + ".all_types";
    this.view = "expected_" + namespace;
  }

  /** Creates the table {@code all_types} of a namespace, and the view. */
  static ComparedTable load(SparkOnKudu kudu, String namespace, long seed) throws Exception {
    ComparedTable table = new ComparedTable(kudu.spark(), namespace);
    AllTypes.create(kudu.spark(), table.name);
    List<Row> rows = AllTypes.rows(kudu.spark(), ROWS, new Random(seed));
    AllTypes.insert(kudu.client(), namespace + ".all_types", rows);
    kudu.spark().createDataFrame(rows, AllTypes.schema()).createOrReplaceTempView(table.view);
    return table;
  }

  /** The table's name in SQL. */
  String name() {
    return name;
  }

  /** A query of the table. */
  Dataset<Row> query(String text) {
    return spark.sql(text.replace("TABLE", name));
  }

  /** A query of the table that hides pushed filters from Spark, as for a large table. */
  Dataset<Row> queryAsLarge(String text) {
    return spark.sql(text.replace("TABLE", name + AS_LARGE));
  }

  /** The same query of the view. */
  Dataset<Row> expected(String text) {
    return spark.sql(text.replace("TABLE", view));
  }

  static String plan(Dataset<Row> query) {
    return query.queryExecution().executedPlan().toString();
  }
}
