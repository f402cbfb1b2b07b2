import java.util.ArrayList;
import java.util.List;
import org.apache.kudu.client.AsyncKuduClient.EncryptionPolicy;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.spark.kudu.KuduContext;
import org.apache.kudu.spark.kudu.KuduWriteOptions;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * A Spark 3.5 program as users of Apache Kudu's connector write it. Creates a table of the flights, fills it, filters, upserts and deletes, and after each step compares the table with Spark's results on the CSV. Runs from its source, with the class path that kudu-spark/published resolves:
 *
 * <pre>java -cp ... PublishedConnector.java MASTERS FLIGHTS_CSV</pre>
 */
public final class PublishedConnector {
  private static final String TABLE = "published.flights";
  private static final KuduWriteOptions DEFAULTS =
      new KuduWriteOptions(false, false, false, true, false);
  private static final List<String> KEY = List.of("time_hour", "carrier", "flight", "origin");

  private final SparkSession spark;
  private final String masters;
  private final KuduContext kudu;

  private PublishedConnector(SparkSession spark, String masters) {
    this.spark = spark;
    this.masters = masters;
    this.kudu =
        new KuduContext(
            masters,
            spark.sparkContext(),
            scala.Option.empty(),
            scala.Option.empty(),
            false,
            EncryptionPolicy.OPTIONAL);
  }

  public static void main(String[] args) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    new PublishedConnector(spark, args[0]).run(args[1]);
    spark.stop();
    System.exit(0); // the client's threads would keep the JVM alive
  }

  private void run(String csv) {
    System.out.println("Spark " + spark.version());
    Dataset<Row> flights = flights(csv).cache();
    createTable(flights.schema());

    flights.write().format("kudu").options(options()).mode(SaveMode.Append).save();
    same("loaded", flights);
    same("projected", flights, "carrier", "dep_delay");
    for (String filter : filters()) {
      same("where " + filter, flights.where(filter), table().where(filter));
    }

    Dataset<Row> late = flights.where("dep_delay > 60");
    kudu.upsertRows(
        late.withColumn("dep_delay", late.col("dep_delay").multiply(2)), TABLE, DEFAULTS);
    Dataset<Row> doubled =
        flights.selectExpr(
            columnsWith(
                flights,
                "dep_delay",
                "CASE WHEN dep_delay > 60 THEN dep_delay * 2 ELSE dep_delay END"));
    same("upserted", doubled);

    kudu.deleteRows(
        table().where("carrier = 'UA'").select("time_hour", "carrier", "flight", "origin"),
        TABLE,
        DEFAULTS);
    Dataset<Row> withoutUnited = doubled.where("carrier <> 'UA'");
    same("deleted", withoutUnited);

    kudu.insertIgnoreRows(flights.where("month = 1"), TABLE);
    same("inserted", withoutUnited.unionByName(flights.where("month = 1 AND carrier = 'UA'")));

    kudu.deleteTable(TABLE);
    if (kudu.tableExists(TABLE)) {
      throw new IllegalStateException("The table is still there");
    }
    System.out.println("All is as it should be");
  }

  private static List<String> filters() {
    return List.of(
        "carrier = 'UA'",
        "dep_delay >= 120.0 AND origin IN ('JFK', 'LGA')",
        "dep_delay IS NULL",
        "tailnum IS NOT NULL AND distance < 200",
        "carrier LIKE 'A%'",
        "time_hour < TIMESTAMP'2013-01-02 00:00:00'",
        "month = 12 OR day = 24");
  }

  private Dataset<Row> flights(String csv) {
    return spark
        .read()
        .option("header", "true")
        .option("nullValue", "NA")
        .schema(
            "year INT, month INT, day INT, dep_time INT, sched_dep_time INT, dep_delay DOUBLE,"
                + " arr_time INT, sched_arr_time INT, arr_delay DOUBLE, carrier STRING, flight INT,"
                + " tailnum STRING, origin STRING, dest STRING, air_time DOUBLE, distance DOUBLE,"
                + " hour DOUBLE, minute DOUBLE, time_hour TIMESTAMP")
        .csv(csv)
        .select(
            "time_hour",
            "carrier",
            "flight",
            "origin",
            "year",
            "month",
            "day",
            "dep_delay",
            "arr_delay",
            "tailnum",
            "dest",
            "distance");
  }

  private void createTable(StructType schema) {
    StructType strict = new StructType();
    for (var field : schema.fields()) {
      strict = strict.add(field.name(), field.dataType(), !KEY.contains(field.name()));
    }
    kudu.createTable(
        TABLE,
        strict,
        scala.collection.JavaConverters.asScalaBuffer(KEY).toSeq(),
        new CreateTableOptions().addHashPartitions(List.of("carrier"), 4).setNumReplicas(1));
  }

  private java.util.Map<String, String> options() {
    return java.util.Map.of("kudu.master", masters, "kudu.table", TABLE);
  }

  private Dataset<Row> table() {
    DataFrameReader reader = spark.read().format("kudu").options(options());
    return reader.load();
  }

  private static String[] columnsWith(Dataset<Row> rows, String replaced, String by) {
    List<String> columns = new ArrayList<>();
    for (String column : rows.columns()) {
      columns.add(column.equals(replaced) ? by + " AS " + column : column);
    }
    return columns.toArray(new String[0]);
  }

  private void same(String step, Dataset<Row> expected) {
    same(step, expected, table());
  }

  private void same(String step, Dataset<Row> expected, String... columns) {
    String[] rest = java.util.Arrays.copyOfRange(columns, 1, columns.length);
    same(step, expected.select(columns[0], rest), table().select(columns[0], rest));
  }

  /** Sums over the hashes of rows: equal for equal bags of rows. */
  private void same(String step, Dataset<Row> expected, Dataset<Row> found) {
    Row of = digest(expected);
    Row is = digest(found);
    System.out.println(step + ": " + is.get(0) + " rows");
    if (!of.equals(is)) {
      throw new IllegalStateException(step + ": expected " + of + ", found " + is);
    }
  }

  private static Row digest(Dataset<Row> rows) {
    return rows.selectExpr(
            "count(*)",
            "sum(CAST(xxhash64(" + String.join(", ", rows.columns()) + ") AS DECIMAL(38, 0)))")
        .head();
  }
}
