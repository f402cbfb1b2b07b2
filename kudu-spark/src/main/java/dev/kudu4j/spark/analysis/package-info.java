/**
 * What Spark's analyzer must do for us beside its public interfaces: {@link
 * dev.kudu4j.spark.analysis.OwnOptions}. The only package that uses Spark's internals; what it uses
 * is there in all versions of Spark that we support.
 */
package dev.kudu4j.spark.analysis;
