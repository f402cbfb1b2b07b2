package dev.kudu4j

import org.apache.spark.sql.{DataFrame, DataFrameReader, DataFrameWriter}

/**
 * What `import dev.kudu4j.spark._` adds in Scala, as the import of Apache Kudu's connector does:
 * `spark.read.options(kuduOptions).kudu` and `frame.write.options(kuduOptions).kudu()`.
 */
package object spark {
  implicit class KuduDataFrameReader(reader: DataFrameReader) {

    /** The table that the reader's options name. */
    def kudu: DataFrame = reader.format("kudu").load()
  }

  implicit class KuduDataFrameWriter[T](writer: DataFrameWriter[T]) {

    /** Writes to the table that the writer's options name. */
    def kudu(): Unit = writer.format("kudu").save()
  }
}
