/**
 * Spark's door to a cluster, as DataSource V2.
 *
 * <p>Users name three things: {@link dev.kudu4j.spark.KuduCatalog} in {@code spark.sql.catalog.k},
 * the format {@code kudu} ({@link dev.kudu4j.spark.KuduTableProvider}), which is the same catalog
 * made on the spot, and the options of {@link dev.kudu4j.spark.KuduOptions}. From there:
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
 * <p>Only Spark's public connector packages are used, so that one jar serves several of its
 * versions. The one exception is {@code analysis/}, a rule of the session ({@link
 * dev.kudu4j.spark.KuduSessionExtensions}).
 */
package dev.kudu4j.spark;
