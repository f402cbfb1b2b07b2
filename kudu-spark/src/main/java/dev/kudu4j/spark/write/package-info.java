/** Writing: appends and upserts, and UPDATE, DELETE and MERGE as changes of rows by primary key. */
package dev.kudu4j.spark.write;
