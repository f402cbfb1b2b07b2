package dev.kudu4j.spark;

import dev.kudu4j.spark.analysis.OwnOptions;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * What a session needs beside its catalogs: {@link OwnOptions}. Spark finds it by itself if the jar
 * is there when the session starts; otherwise {@code
 * spark.sql.extensions=dev.kudu4j.spark.KuduSessionExtensions} names it.
 */
public final class KuduSessionExtensions
    extends AbstractFunction1<SparkSessionExtensions, BoxedUnit>
    implements SparkSessionExtensionsProvider {

  /** Twice, since some relations are named by expressions, which are evaluated later. */
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectHintResolutionRule(OwnOptions::new);
    extensions.injectResolutionRule(OwnOptions::new);
    return BoxedUnit.UNIT;
  }
}
