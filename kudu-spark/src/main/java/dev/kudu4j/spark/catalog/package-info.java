/**
 * Implementation of the catalog: the names of tables ({@link dev.kudu4j.spark.catalog.TableName}),
 * and the translation of CREATE TABLE and ALTER TABLE to requests to the master. The catalog itself
 * is {@link dev.kudu4j.spark.KuduCatalog}.
 */
package dev.kudu4j.spark.catalog;
