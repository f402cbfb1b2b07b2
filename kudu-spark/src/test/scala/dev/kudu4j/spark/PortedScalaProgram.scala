package dev.kudu4j.spark

import dev.kudu4j.client.CreateTableOptions
import java.util.Collections.singletonList
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.types.{LongType, StringType, StructField, StructType}

/** A program for Apache Kudu's connector, with nothing changed but the names of packages. */
object PortedScalaProgram {

  /** @return the rows of the table that it fills, sorted */
  def run(spark: SparkSession, masters: String, table: String): String = {
    val kuduContext = new KuduContext(masters, spark.sparkContext)
    val schema = StructType(
      Seq(StructField("id", LongType, nullable = false), StructField("name", StringType)))
    kuduContext.createTable(
      table,
      schema,
      Seq("id"),
      new CreateTableOptions().setNumReplicas(1).addHashPartitions(singletonList("id"), 2))

    val rows = spark.sql("SELECT * FROM VALUES (1L, 'one'), (2L, 'two') AS v(id, name)")
    kuduContext.insertRows(rows, table)
    val nulls = spark.sql("SELECT id, CAST(NULL AS STRING) AS name FROM VALUES (1L), (3L) AS v(id)")
    kuduContext.upsertRows(nulls, table, new KuduWriteOptions(ignoreNull = true))
    kuduContext.insertRows(rows, table, KuduWriteOptions(ignoreDuplicateRowErrors = true))

    val kuduOptions = Map("kudu.master" -> masters, "kudu.table" -> table)
    spark.sql("SELECT 4L AS id, 'four' AS name").write.options(kuduOptions).mode("append").kudu()
    spark.read.options(kuduOptions).kudu.orderBy("id").collect().mkString(" ")
  }
}
