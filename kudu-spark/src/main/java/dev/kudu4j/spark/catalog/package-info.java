/**
 * What the catalog is made of: how tables are named ({@link dev.kudu4j.spark.catalog.TableName}),
 * and how CREATE TABLE and ALTER TABLE become requests to the master. The catalog itself is {@link
 * dev.kudu4j.spark.KuduCatalog}.
 */
package dev.kudu4j.spark.catalog;
