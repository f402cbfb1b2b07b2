/**
 * The connector for Spark, on DataSource V2.
 *
 * <p>Users use three classes: {@link dev.kudu4j.spark.KuduCatalog} in {@code spark.sql.catalog.k};
 * the format {@code kudu} ({@link dev.kudu4j.spark.KuduTableProvider}), which creates the same
 * catalog on demand; and the options in {@link dev.kudu4j.spark.KuduOptions}. The layers below:
 *
 * <pre>
 *   KuduCatalog --> catalog/  names, CREATE and ALTER
 *        |
 *        v
 *   table/KuduSparkTable --> read/   scans: push-down, splits, columnar batches
 *                        --> write/  appends, upserts, UPDATE, DELETE and MERGE as row changes
 *   below all: type/ (types and schemas), client/ (one client per JVM and cluster)
 * </pre>
 *
 * <p>The connector only uses Spark's public connector packages, so one jar supports several
 * versions of Spark. The only exception is {@code analysis/}, a rule and the parser of the session
 * ({@link dev.kudu4j.spark.KuduSessionExtensions}). The parser reads Impala's statements with
 * {@code sql/}; {@code partitions/} has the tables of SHOW PARTITIONS.
 */
package dev.kudu4j.spark;
