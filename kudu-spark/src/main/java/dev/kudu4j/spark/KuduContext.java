package dev.kudu4j.spark;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.DeleteTableResponse;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.spark.client.Connection;
import dev.kudu4j.spark.type.SparkTypes;
import dev.kudu4j.spark.write.WriteOperation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The API of Apache Kudu's connector: creates and drops tables, and inserts, upserts, updates and
 * deletes the rows of a data frame. SQL and data frames offer the same operations; this class
 * supports existing programs.
 *
 * <pre>{@code
 * KuduContext kudu = new KuduContext("master:7051", spark.sparkContext());
 * kudu.upsertRows(frame, "db.t");
 * }</pre>
 *
 * <p>From PySpark: {@code sc._jvm.dev.kudu4j.spark.KuduContext("master:7051", sc._jsc.sc())}, and
 * {@code kudu.upsertRows(frame._jdf, "db.t")}.
 *
 * <p>Table names are those of the cluster, without a catalog. The columns of rows are matched by
 * name with those of the table; columns that the rows lack are not changed. Thread-safe.
 */
public final class KuduContext {
  private final Map<String, String> options;
  private final Connection connection;

  /** The context of a cluster with default settings. */
  public KuduContext(String masters) {
    this(masters, Map.of());
  }

  /** Like {@link #KuduContext(String)}; the second parameter exists for compatibility. */
  @SuppressWarnings("unused")
  public KuduContext(String masters, SparkContext context) {
    this(masters);
  }

  /**
   * The context of a cluster.
   *
   * @param options connection options, such as {@link KuduOptions#SASL_PROTOCOL_NAME}
   */
  public KuduContext(String masters, Map<String, String> options) {
    Map<String, String> all = new HashMap<>(options);
    all.put(KuduOptions.MASTER, masters);
    this.options = Map.copyOf(all);
    this.connection = KuduOptions.of(all).connection();
  }

  /** The client of this JVM; it is shared and must not be closed. */
  public KuduClient syncClient() {
    return connection.client();
  }

  // Tables.

  public boolean tableExists(String tableName) throws KuduException {
    return syncClient().tableExists(tableName);
  }

  public DeleteTableResponse deleteTable(String tableName) throws KuduException {
    return syncClient().deleteTable(tableName);
  }

  /**
   * Creates a table.
   *
   * @param keys names of the primary key columns, which come first
   */
  public KuduTable createTable(
      String tableName, StructType schema, List<String> keys, CreateTableOptions options)
      throws KuduException {
    return createTable(tableName, createSchema(schema, keys), options);
  }

  /** Like {@link #createTable(String, StructType, List, CreateTableOptions)}, for Scala. */
  public KuduTable createTable(
      String tableName, StructType schema, Seq<String> keys, CreateTableOptions options)
      throws KuduException {
    return createTable(tableName, schema, CollectionConverters.asJava(keys), options);
  }

  public KuduTable createTable(String tableName, Schema schema, CreateTableOptions options)
      throws KuduException {
    return syncClient().createTable(tableName, schema, options);
  }

  /** The schema of a table with these columns, the key columns first. */
  public Schema createSchema(StructType schema, List<String> keys) {
    List<ColumnSchema> columns = new ArrayList<>();
    for (String key : keys) {
      columns.add(column(schema.apply(key), true));
    }
    for (StructField field : schema.fields()) {
      if (!keys.contains(field.name())) {
        columns.add(column(field, false));
      }
    }
    return new Schema(columns);
  }

  private static ColumnSchema column(StructField field, boolean key) {
    return SparkTypes.kuduColumn(field.name(), field.dataType())
        .key(key)
        .nullable(!key && field.nullable())
        .build();
  }

  // Rows.

  /** The rows of a table, with the given columns in this order. */
  public RDD<Row> kuduRDD(SparkContext context, String tableName, Seq<String> columns) {
    return kuduRDD(context, tableName, CollectionConverters.asJava(columns));
  }

  /** The rows of a table, with the given columns in this order. */
  public RDD<Row> kuduRDD(SparkContext context, String tableName, List<String> columns) {
    Dataset<Row> rows =
        SparkSession.builder()
            .sparkContext(context)
            .getOrCreate()
            .read()
            .format("kudu")
            .options(options)
            .option(KuduOptions.TABLE, tableName)
            .load();
    return rows.select(columns.stream().map(rows::col).toArray(org.apache.spark.sql.Column[]::new))
        .rdd();
  }

  /** Inserts rows; an existing key is an error. */
  public void insertRows(Dataset<Row> data, String tableName) {
    insertRows(data, tableName, new KuduWriteOptions());
  }

  public void insertRows(Dataset<Row> data, String tableName, KuduWriteOptions options) {
    writeRows(data, tableName, WriteOperation.INSERT, options);
  }

  /** Inserts rows whose keys do not exist, and ignores rows whose keys exist. */
  public void insertIgnoreRows(Dataset<Row> data, String tableName) {
    insertIgnoreRows(data, tableName, new KuduWriteOptions());
  }

  public void insertIgnoreRows(Dataset<Row> data, String tableName, KuduWriteOptions options) {
    writeRows(data, tableName, WriteOperation.INSERT_IGNORE, options);
  }

  /** Inserts rows, or updates them if they exist. */
  public void upsertRows(Dataset<Row> data, String tableName) {
    upsertRows(data, tableName, new KuduWriteOptions());
  }

  public void upsertRows(Dataset<Row> data, String tableName, KuduWriteOptions options) {
    writeRows(data, tableName, WriteOperation.UPSERT, options);
  }

  /** Updates rows; a missing key is an error. */
  public void updateRows(Dataset<Row> data, String tableName) {
    updateRows(data, tableName, new KuduWriteOptions());
  }

  public void updateRows(Dataset<Row> data, String tableName, KuduWriteOptions options) {
    writeRows(data, tableName, WriteOperation.UPDATE, options);
  }

  /** Updates rows, and ignores rows whose keys do not exist. */
  public void updateIgnoreRows(Dataset<Row> data, String tableName) {
    updateIgnoreRows(data, tableName, new KuduWriteOptions());
  }

  public void updateIgnoreRows(Dataset<Row> data, String tableName, KuduWriteOptions options) {
    writeRows(data, tableName, WriteOperation.UPDATE_IGNORE, options);
  }

  /** Deletes rows by key; a missing key is an error. Other columns are ignored. */
  public void deleteRows(Dataset<Row> data, String tableName) {
    deleteRows(data, tableName, new KuduWriteOptions());
  }

  public void deleteRows(Dataset<Row> data, String tableName, KuduWriteOptions options) {
    writeRows(data, tableName, WriteOperation.DELETE, options);
  }

  /** Deletes rows by key, and ignores rows whose keys do not exist. */
  public void deleteIgnoreRows(Dataset<Row> data, String tableName) {
    deleteIgnoreRows(data, tableName, new KuduWriteOptions());
  }

  public void deleteIgnoreRows(Dataset<Row> data, String tableName, KuduWriteOptions options) {
    writeRows(data, tableName, WriteOperation.DELETE_IGNORE, options);
  }

  /** Writes each row with one operation. */
  public void writeRows(
      Dataset<Row> data, String tableName, WriteOperation operation, KuduWriteOptions options) {
    data.write()
        .format("kudu")
        .options(this.options)
        .option(KuduOptions.IGNORE_DUPLICATE_ROW_ERRORS, options.ignoreDuplicateRowErrors())
        .option(KuduOptions.IGNORE_NULL, options.ignoreNull())
        .option(KuduOptions.REPARTITION, options.repartition())
        .option(KuduOptions.REPARTITION_SORT, options.repartitionSort())
        .option(KuduOptions.HANDLE_SCHEMA_DRIFT, options.handleSchemaDrift())
        .option(KuduOptions.TABLE, tableName)
        .option(KuduOptions.OPERATION, operation.optionValue())
        .mode(SaveMode.Append)
        .save();
  }
}
