package dev.kudu4j.spark;

import dev.kudu4j.spark.analysis.OwnOptions;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * The session extension that adds {@link OwnOptions}. Spark finds it automatically if the jar is
 * loaded when the session starts; otherwise set {@code
 * spark.sql.extensions=dev.kudu4j.spark.KuduSessionExtensions}.
 */
public final class KuduSessionExtensions
    extends AbstractFunction1<SparkSessionExtensions, BoxedUnit>
    implements SparkSessionExtensionsProvider {

  /**
   * Adds the rule at two stages, because the names of some relations are expressions, which Spark
   * evaluates after the first stage.
   */
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectHintResolutionRule(OwnOptions::new);
    extensions.injectResolutionRule(OwnOptions::new);
    return BoxedUnit.UNIT;
  }
}
