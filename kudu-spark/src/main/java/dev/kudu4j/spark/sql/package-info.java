/**
 * Impala's statements for tables of Kudu, which Spark does not have, as text of Spark.
 *
 * <p>Start with {@link dev.kudu4j.spark.sql.Statement}. A statement is edited in place: what Spark
 * does not know becomes spaces, and reappears as {@code PARTITIONED BY}, as a table property or as
 * a write option. So types, expressions and queries stay where they are, and Spark's messages name
 * the right positions. The grammar is {@code src/main/antlr4/.../ImpalaSql.g4}.
 *
 * <p>This package knows text and the names of the properties. It does not know plans or the
 * cluster.
 */
package dev.kudu4j.spark.sql;
